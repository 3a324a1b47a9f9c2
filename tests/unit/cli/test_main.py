"""What every command shares: start, version, help, signals and closed pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from burnish import __version__
from burnish.cli.main import main
from tests.unit.cli.conftest import FakeRefinement

HEAVY = {"libcst", "lsprotocol", "openai", "pygls", "pytest", "radon", "rich", "tree_sitter", "dataclasses", "asyncio"}


def test_starting_imports_nothing_heavy() -> None:
    code = (
        "import sys; from burnish.cli.arguments import parse; import burnish.cli.main; parse(['lsp', '--stdio']);"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) & HEAVY == set()


def test_version_and_module() -> None:
    run = subprocess.run([sys.executable, "-m", "burnish", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout == f"burnish {__version__}\n"


def test_help_lists_the_commands_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert all(f"\n    {name}" in out for name in ("refine", "verify", "measure", "time", "doctor", "lsp", "rules"))
    assert "worker" not in out


@pytest.mark.parametrize("words", [[], ["refin"], ["refine", "--colour"], ["--json"]])
def test_words_that_fit_no_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    err = capsys.readouterr().err
    assert err.startswith("burnish: ")
    assert "--help" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_through_finally_once(
    fake: FakeRefinement, code: Path, number: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    cleaned = []

    def interrupted() -> None:
        try:
            os.kill(os.getpid(), number)
        finally:
            os.kill(os.getpid(), number)  # the second must not cut the cleaning short
            cleaned.append(True)

    before = signal.getsignal(number)
    fake.before_answer = interrupted
    assert main(["refine", "code.py::total", "--goal", "performance"]) == 130
    assert cleaned == [True]
    assert signal.getsignal(number) is before
    assert capsys.readouterr().err.endswith("burnish: Interrupted.\n")


INTERRUPTED_IMPORT = """
import os, runpy, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, Interrupting())
sys.argv = ["burnish", "rules"]
runpy.run_module("burnish", run_name="__main__")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("module", ["burnish.cli.main", "burnish.cli.arguments", "burnish.cli.commands.rules"])
def test_an_interrupt_of_the_imports_ends_without_a_traceback(module: str, number: signal.Signals) -> None:
    code = INTERRUPTED_IMPORT.format(module=module, number=int(number))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 130
    assert run.stderr in ("", "burnish: Interrupted.\n")
    assert run.stdout == ""


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "missing.py"
    words = [sys.executable, "-m", "burnish", "refine", str(path), "--goal", "performance", "--json"]
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run(words, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert "Traceback" not in run.stderr
    assert "Exception ignored" not in run.stderr
