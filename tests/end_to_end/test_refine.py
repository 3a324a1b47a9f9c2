"""`burnish refine` as a user runs it: a real process, a real project, its real tests."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.end_to_end
BURNISH = [sys.executable, "-m", "burnish"]
SHOP = """
    def known(names: list[str], wanted: list[str]) -> list[str]:
        # Order matters to the caller.
        found = []
        accepted = list(wanted)
        for name in names:
            if name in accepted:
                found.append(name)
        return found


    def positive(number):
        if number > 0:
            return True
        else:
            return False


    def untested(number):
        if number > 0:
            return True
        else:
            return False


    def plain(number):
        return number + 1
"""
TEST_SHOP = """
    import shop

    def test_known():
        names = [f"n{i}" for i in range(1_500)]
        assert shop.known(names, names[::2]) == names[::2]

    def test_known_small():
        assert shop.known([], []) == []
        assert shop.known(["a", "b", "a"], ["a", "c"]) == ["a", "a"]

    def test_positive():
        assert shop.positive(1) is True
        assert shop.positive(0) is False
        assert shop.positive(-2.5) is False

    def test_plain():
        assert shop.plain(1) == 2
"""


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    write(root, {"shop.py": SHOP, "tests/test_shop.py": TEST_SHOP, "pyproject.toml": "[project]\nname = 'shop'\n"})
    return root


def burnish(*words: str, cwd: Path, environment: Mapping[str, str] = {}) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*BURNISH, *words], cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False
    )


def refine(project: Path, target: str, goal: str, *words: str) -> tuple[int, dict[str, Any]]:
    finished = burnish("refine", target, "--goal", goal, "--interpreter", sys.executable, "--json", *words, cwd=project)
    return finished.returncode, json.loads(finished.stdout)


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def statuses(document: dict[str, Any]) -> dict[str, str]:
    return {check["name"]: check["status"] for check in document["receipt"]["checks"]}


def test_a_slow_function_gets_a_proven_proposal_and_nothing_is_written(project: Path) -> None:
    before = contents(project)
    code, document = refine(project, "shop.py::known", "performance")
    assert (code, document["status"]) == (0, "proposal"), document
    assert contents(project) == before
    assert "# Order matters to the caller." in document["new_text"]
    assert document["receipt"]["timing"]["low"] > 1.05
    assert statuses(document) == {
        "syntax": "passed",
        "interface": "passed",
        "conservation": "passed",
        "diagnostics": "passed",
        "metrics": "passed",
        "examples": "skipped",
        "tests": "passed",
        "equivalence": "passed",
        "timing": "passed",
    }
    assert set(document["receipt"]["test_files"]) == {"tests/test_shop.py"}


def test_apply_writes_the_edit_and_no_other_byte(project: Path) -> None:
    path = project / "shop.py"
    original = b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n").rstrip(b"\r\n")
    path.write_bytes(original)
    finished = burnish(
        "refine", "shop.py::positive", "--goal", "readability", "--interpreter", sys.executable, "--apply", cwd=project
    )
    assert finished.returncode == 0, finished.stderr
    changed = path.read_bytes()
    head, _, rest = original.partition(b"def positive")
    assert changed.startswith(head)
    assert changed.endswith(rest[rest.index(b"\r\n\r\n\r\ndef untested") :])
    assert b"return number > 0" in changed
    assert changed.count(b"\n") == changed.count(b"\r\n")


def test_nothing_to_better_is_said(project: Path) -> None:
    code, document = refine(project, "shop.py::plain", "readability")
    assert (code, document["status"], document["new_text"]) == (1, "none", "")
    assert document["message"].startswith("Nothing better found, because ")


def test_a_budget_that_ran_out_is_said(project: Path) -> None:
    code, document = refine(project, "shop.py::positive", "readability", "--budget-seconds", "0.01")
    assert (code, document["status"]) == (1, "none")
    assert "the time budget of 0.01 s ran out; raise --budget-seconds" in document["message"]


def test_a_rewrite_that_its_callers_would_notice_is_not_proposed(project: Path) -> None:
    untyped = SHOP.replace("names: list[str], wanted: list[str]", "names, wanted")
    write(project, {"shop.py": untyped})
    code, document = refine(project, "shop.py::known", "performance")
    assert (code, document["status"]) == (1, "none"), document["diff"]
    assert "differs from the original on a call" in document["message"]


BAD = {
    "no such file": (["nowhere.py::known"], "nowhere.py"),
    "a folder": (["tests::known"], "folder"),
    "no such unit": (["shop.py::knwon"], "known"),
    "no unit at these lines": (["shop.py", "--lines", "900-901"], "900"),
    "no interpreter": (["shop.py::known", "--interpreter", "no-such-python"], "no-such-python"),
    "a unit that no test reaches": (["shop.py::untested"], "nverified"),
    "a script without examples": (["shop.py"], "--examples"),
    "a file of functions": (["shop.py"], "FILE::QUALNAME"),
    "no examples in the folder": (["shop.py", "--examples", "tests"], "*.in"),
    "an unreachable model": (
        ["shop.py::known", "--engine", "model", "--model-url", "http://127.0.0.1:9/v1", "--model", "m"],
        "127.0.0.1:9",
    ),
    "a model that is not configured": (["shop.py::known", "--engine", "model"], "--model"),
    "a flag that does not exist": (["shop.py::known", "--no-such-flag"], "--no-such-flag"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gets_one_clear_sentence(project: Path, case: str) -> None:
    words, told = BAD[case]
    interpreter = [] if "--interpreter" in words else ["--interpreter", sys.executable]
    finished = burnish("refine", *words, "--goal", "performance", *interpreter, cwd=project)
    assert finished.returncode == 2, finished.stdout
    message = finished.stderr.strip().splitlines()[-1]
    assert told in message
    assert "Traceback" not in finished.stderr
    assert finished.stdout == ""


def test_a_syntax_error_in_the_unit_is_said(project: Path) -> None:
    write(project, {"shop.py": SHOP.replace("return number + 1", "return number +")})
    code, document = refine(project, "shop.py::plain", "readability")
    assert (code, document["status"]) == (2, "error")
    assert "syntax error" in document["message"]


def test_tests_that_fail_before_any_change_are_named(project: Path) -> None:
    write(project, {"tests/test_shop.py": TEST_SHOP.replace("shop.plain(1) == 2", "shop.plain(1) == 3")})
    code, document = refine(project, "shop.py::plain", "readability")
    assert (code, document["status"]) == (2, "error")
    assert "tests/test_shop.py::test_plain" in document["message"]
    code, _ = refine(project, "shop.py::positive", "readability")
    assert code == 0


@pytest.mark.parametrize(
    "table", ["engine = 'rulez'", "rouns = 3", "rounds = 'many'", "model.api_key = 'x'", "rounds ="]
)
def test_a_malformed_configuration_is_said(project: Path, table: str) -> None:
    write(project, {"pyproject.toml": f"[tool.burnish]\n{table}\n"})
    code, document = refine(project, "shop.py::plain", "readability")
    assert (code, document["status"]) == (2, "error")
    assert "pyproject.toml" in document["message"] or "[tool.burnish]" in document["message"]


def test_an_unverified_proposal_needs_leave(project: Path) -> None:
    code, document = refine(project, "shop.py::untested", "readability", "--allow-unverified")
    assert (code, document["receipt"]["evidence"]) == (0, "none")
    assert statuses(document)["tests"] == statuses(document)["equivalence"] == "skipped"
    assert document["message"].startswith("UNVERIFIED: ")


def test_a_script_is_checked_and_timed_on_its_examples(tmp_path: Path) -> None:
    script = """
        count = int(input())
        seen = []
        for number in range(count):
            rest = number * number % 1009
            if rest not in seen:
                seen.append(rest)
        print(len(seen))
    """
    write(tmp_path, {"script.py": script, "io/1.in": "10\n", "io/1.out": "10\n", "io/2.in": "30000\n"})
    code, document = refine(tmp_path, "script.py", "performance", "--examples", str(tmp_path / "io"))
    assert (code, document["status"]) == (0, "proposal"), document
    assert statuses(document)["examples"] == "passed"
    assert document["receipt"]["timing"]["ratio"] > 1.5
    write(tmp_path, {"io/1.out": "11\n"})
    code, document = refine(tmp_path, "script.py", "performance", "--examples", str(tmp_path / "io"))
    assert (code, document["status"]) == (2, "error")
    assert "1.out" in document["message"]


def children(pid: int) -> list[int]:
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            for child in map(int, path.read_text().split()):
                found += [child, *children(child)]
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing_running(project: Path, number: int) -> None:
    started = project / "tests" / "test_slow.py"
    write(
        project,
        {"tests/test_slow.py": "import time, shop\n\ndef test_slow():\n    shop.plain(1)\n    time.sleep(600)\n"},
    )
    process = subprocess.Popen(
        [*BURNISH, "refine", "shop.py::plain", "--goal", "readability", "--interpreter", sys.executable],
        cwd=project,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert started.exists()
    while len(running := children(process.pid)) < 2:  # the supervisor and the runner
        assert process.poll() is None
    process.send_signal(number)
    assert process.wait(10) == 130
    began = time.monotonic()
    while any(Path(f"/proc/{pid}").exists() for pid in running):
        assert time.monotonic() - began < 2


def test_functions_that_are_called_otherwise_are_not_timed(project: Path) -> None:
    finished = burnish("time", "shop.py::positive", "shop.py::known", cwd=project)
    assert finished.returncode == 2
    assert (
        finished.stderr.strip()
        == "burnish: known takes (names, wanted), not (number) as positive does: give both the same."
    )


def test_a_test_file_that_cannot_be_imported_is_named(project: Path) -> None:
    write(project, {"tests/test_shop.py": "import no_such_module\n" + textwrap.dedent(TEST_SHOP)})
    code, document = refine(project, "shop.py::plain", "readability")
    assert code == 2
    assert "tests/test_shop.py cannot be collected" in document["message"]
    assert "no_such_module" in document["message"]


def test_a_plugin_that_the_project_switches_off_is_no_hindrance(project: Path) -> None:
    write(project, {"pytest.ini": "[pytest]\naddopts = -p no:asyncio -p no:cacheprovider -p no:randomly -p no:xdist\n"})
    code, _ = refine(project, "shop.py::positive", "readability")
    assert code == 0
