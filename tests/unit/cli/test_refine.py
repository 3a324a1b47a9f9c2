"""`burnish refine`: what it asks for, prints, writes and exits with."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from burnish.cli.main import main
from burnish_analyzers.checks.outcome import Evidence
from burnish_analyzers.errors import BackendError
from tests.unit.cli.conftest import DIFF, NEW, OLD, FakeRefinement


def test_a_proposal_is_shown_as_diff_and_receipt(
    fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["refine", "code.py::total", "--goal", "performance"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(DIFF)
    lines = [line.rstrip() for line in out.removeprefix(DIFF).splitlines()]
    assert "  passed   syntax       It parses." in lines
    assert "  skipped  static       Not asked for." in lines
    assert "  failed   equivalence  1 of 3 calls differs." in lines
    assert "             before: 0" in lines
    assert "  speed     faster: 1.84× as fast (1.79 to 1.90 with 95% confidence, 6 workloads, CPU clock)" in lines
    assert "  cyclomatic_complexity  3 → 1" in lines
    assert not any("kept" in line for line in lines)
    assert "  evidence  moderate" in lines
    assert lines[-1] == "1 candidate, 3 s, 2 requests, 900 tokens, $0.0125. All rounds are used."
    assert err == "tests 12/40 · 1.84× faster\n"


def test_without_a_proposal_it_says_why(fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake.new_text, fake.message = "", "Nothing better found, because no rule applies."
    assert main(["refine", "code.py::total", "--goal", "readability"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("Nothing better found, because no rule applies.\n")
    assert "  1. rules:sum: rejected by equivalence: 1 of 3 calls differs." in out
    assert "total([])" in out


def test_json_is_one_document(fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refine", "code.py::Shop.total", "--goal", "performance", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["status"] == "proposal"
    assert document["unit"] == {
        "path": str(code),
        "qualname": "Shop.total",
        "kind": "method",
        "start_line": 9,
        "end_line": 10,
    }
    assert document["candidates"] == 1
    assert document["receipt"]["checks"][2]["counterexample"]["actual"] == "TypeError()"
    assert code.read_text(encoding="utf-8").startswith(OLD)


def test_flags_become_settings(fake: FakeRefinement, code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURNISH_API_KEY", "secret")
    (code.parent / "examples").mkdir()
    flags = (
        "--engine model --model-url http://localhost:1/v1 --model m --rounds 2 --budget-seconds 9 --allow-unverified"
    )
    main(["refine", "code.py::total", "--goal", "performance", "--examples", "examples", *flags.split()])
    (request,) = fake.requests
    settings = request.settings
    assert (settings.engine, settings.rounds, settings.budget_seconds) == ("model", 2, 9.0)
    assert settings.allow_unverified
    assert settings.examples == str(code.parent / "examples")
    assert settings.model is not None
    assert (settings.model.base_url, settings.model.name, settings.model.api_key) == (
        "http://localhost:1/v1",
        "m",
        "secret",
    )
    assert request.root == code.parent


def test_an_interpreter_is_a_path_from_here_or_a_command(fake: FakeRefinement, code: Path) -> None:
    (code.parent / "mine").write_text("", encoding="utf-8")
    for flag in ("mine", "python3.99"):
        main(["refine", "code.py", "--goal", "performance", "--interpreter", flag])
    assert [request.settings.interpreter for request in fake.requests] == [str(code.parent / "mine"), "python3.99"]


@pytest.mark.parametrize(("prefix", "encoding"), [(b"\xef\xbb\xbf", "utf-8"), (b"# coding: latin-1\r\n", "latin-1")])
def test_apply_writes_in_the_files_own_encoding_and_mode(
    fake: FakeRefinement, code: Path, prefix: bytes, encoding: str
) -> None:
    code.write_bytes(prefix + 'def name():\r\n    return "é"\r\n'.encode(encoding))
    code.chmod(0o640)
    link = code.with_name("link.py")
    link.symlink_to(code)
    fake.new_text = (prefix.decode("utf-8-sig") if encoding == "latin-1" else "") + 'def name():\r\n    return "ü"\r\n'
    assert main(["refine", "link.py::name", "--goal", "readability", "--apply"]) == 0
    assert code.read_bytes() == prefix + 'def name():\r\n    return "ü"\r\n'.encode(encoding)
    assert code.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert sorted(path.name for path in code.parent.iterdir()) == ["code.py", "link.py", "pyproject.toml"]


def test_apply_refuses_a_file_that_changed_meanwhile(
    fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.before_answer = lambda: code.write_text("mine = 1\n", encoding="utf-8")
    assert main(["refine", "code.py::total", "--goal", "readability", "--apply"]) == 2
    assert "changed while it was being refined" in capsys.readouterr().err
    assert code.read_text(encoding="utf-8") == "mine = 1\n"


def test_an_applied_proposal_is_a_document_too(
    fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["refine", "code.py::total", "--goal", "readability", "--apply", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["status"] == "proposal"
    assert err.endswith(f"Written to {code}.\n")
    assert code.read_text(encoding="utf-8") == NEW


def test_that_it_was_written_is_the_last_line(
    fake: FakeRefinement, code: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", sys.stdout)
    assert main(["refine", "code.py::total", "--goal", "readability", "--apply"]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == f"Written to {code}."


def test_an_unverified_proposal_is_headed_so(
    fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.evidence, fake.message = Evidence.NONE, "UNVERIFIED: no test checks it."
    assert main(["refine", "code.py::total", "--goal", "readability", "--allow-unverified"]) == 0
    assert capsys.readouterr().out.startswith(f"UNVERIFIED: no test checks it.\n\n{DIFF}")


def test_nothing_is_written_unless_asked(fake: FakeRefinement, code: Path) -> None:
    before = code.read_bytes()
    main(["refine", "code.py::total", "--goal", "readability", "--diff"])
    assert code.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("missing.py::f --goal readability", "There is no file"),
        ("folder --goal readability", "is a folder"),
        ("code.py::totl --goal readability", "did you mean"),
        ("code.py:: --goal readability", "names no unit"),
        ("code.py --lines x --goal readability", "is no range of lines"),
        ("code.py --lines 90-91 --goal readability", "has no lines 90-91"),
        ("code.py::total --goal speed", "invalid choice: 'speed'"),
        ("code.py::total", "--goal"),
        ("code.py::total --goal readability --engine magic", "must be one of auto, rules, model"),
        ("code.py::total --goal readability --rounds 0", "a whole number above 0"),
        ("code.py::total --goal readability --rounds x", "invalid int value"),
        ("code.py::total --goal readability --engine model", "no model is configured"),
        ("code.py::total --goal readability --model m", "model.base_url is not"),
    ],
)
@pytest.mark.parametrize("json_flag", [[], ["--json"]])
def test_bad_input_gets_one_sentence_and_exit_2(
    fake: FakeRefinement,
    code: Path,
    capsys: pytest.CaptureFixture[str],
    words: str,
    expected: str,
    json_flag: list[str],
) -> None:
    (code.parent / "folder").mkdir()
    assert main(["refine", *words.split(), *json_flag]) == 2
    out, err = capsys.readouterr()
    assert expected in err
    assert err.startswith("burnish: ")
    assert err.count("\n") == 1
    if json_flag:
        document = json.loads(out)
        assert (document["status"], document["diff"], document["receipt"]["checks"]) == ("error", "", [])
        assert expected in document["message"]
    else:
        assert out == ""


def test_a_malformed_pyproject_exits_2(fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (code.parent / "pyproject.toml").write_text("[tool.burnish\n", encoding="utf-8")
    assert main(["refine", "code.py::total", "--goal", "readability"]) == 2
    assert "not valid TOML" in capsys.readouterr().err


def test_an_error_of_the_work_exits_2(fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake.failure = BackendError("The model at localhost does not answer: start it.")
    assert main(["refine", "code.py::total", "--goal", "readability", "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["message"] == "The model at localhost does not answer: start it."
    assert "Traceback" not in err


def test_ctrl_c_exits_130(fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake.failure = KeyboardInterrupt()
    assert main(["refine", "code.py::total", "--goal", "readability", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["message"] == "Interrupted."


def test_a_terminal_that_knows_only_ascii_still_gets_the_diff(
    fake: FakeRefinement, code: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding="ascii", write_through=True)
    monkeypatch.setattr(sys, "stdout", stdout)
    assert main(["refine", "code.py::total", "--goal", "performance"]) == 0
    assert b"1.84\\xd7 as fast" in capfdbinary.readouterr().out


def test_new_text_survives_json(fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake.new_text = NEW + "# é 😀 \u2028\r\n"
    main(["refine", "code.py::total", "--goal", "performance", "--json"])
    out = capsys.readouterr().out
    assert out.isascii()
    assert json.loads(out)["new_text"] == fake.new_text
