"""`burnish refine --receipt` and `burnish verify --receipt`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from burnish import recheck
from burnish.cli.main import main
from burnish.receipts import digest, file_digest, interpreter_digest
from burnish.report.document import receipt_document, to_json
from burnish.saved_receipt import MOST_BYTES
from burnish_analyzers.harness.project import Interpreter
from tests.unit.cli.conftest import NEW, OLD, RECEIPT, FakeRefinement

Document = dict[str, Any]
HERE = Interpreter(
    path=Path(sys.executable), version=(3, 11, 2), has_pytest=True, prefix=Path(sys.prefix), folders=(), source="here"
)


@pytest.fixture
def receipt(code: Path, monkeypatch: pytest.MonkeyPatch) -> Document:
    """A receipt of `total` in code.py as all is now, platform included."""
    monkeypatch.setattr(recheck, "find_interpreter", lambda *_: HERE)
    monkeypatch.setattr("platform.platform", lambda: "Linux")
    (code.parent / "test_code.py").write_text("import code\n", encoding="utf-8")
    document = json.loads(to_json(receipt_document(RECEIPT)))
    text = code.read_text(encoding="utf-8")
    document["hashes"] |= {
        "module": digest(text),
        "changed_module": digest(text.replace(OLD, NEW)),
        "interpreter": interpreter_digest(HERE),
        "platform": digest("Linux"),
    }
    document["test_files"] = {"test_code.py": file_digest(code.parent / "test_code.py")}
    return document


def check(capsys: pytest.CaptureFixture[str], document: object, *words: str) -> tuple[int, Document]:
    Path("proof.json").write_text(json.dumps(document), encoding="utf-8")
    capsys.readouterr()
    code = main(["verify", "--receipt", "proof.json", "--json", *words])
    return code, json.loads(capsys.readouterr().out)


def change(document: Document, **parts: Any) -> Document:
    return {**document, **{key: {**document[key], **value} for key, value in parts.items()}}


def test_refine_writes_the_receipt_where_it_is_told_to(
    fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["refine", "code.py::total", "--goal", "performance", "--receipt", "proof.json", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(Path("proof.json").read_text(encoding="utf-8")) == json.loads(out)["receipt"]
    assert "Receipt written to proof.json." in err


def test_without_a_proposal_there_is_no_receipt(fake: FakeRefinement, code: Path) -> None:
    fake.new_text = ""
    assert main(["refine", "code.py::total", "--goal", "performance", "--receipt", "proof.json"]) == 1
    assert not Path("proof.json").exists()


def test_a_receipt_for_a_folder_that_is_not_there_is_refused_first(
    fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["refine", "code.py::total", "--goal", "performance", "--receipt", "no/proof.json", "--apply"]) == 2
    assert "There is no folder for the receipt" in capsys.readouterr().err
    assert not fake.requests


@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_receipt_holds_before_and_after_its_proposal_is_applied(
    fake: FakeRefinement,
    code: Path,
    receipt: Document,
    capsys: pytest.CaptureFixture[str],
    applied: bool,
    newline: str,
) -> None:
    text = code.read_text(encoding="utf-8").replace(*(OLD, NEW) if applied else ("", ""))
    code.write_text(text, encoding="utf-8", newline=newline)
    exit_code, found = check(capsys, receipt)
    assert (exit_code, found["accepted"], found["void"], found["applied"]) == (0, True, False, applied)
    assert found["message"] == "Holds: Faster."
    assert [each["name"] for each in found["changes"] if each["name"] not in ("module", "evidence")] == []
    assert bool(found["changes"]) == (newline != "\n")
    (request,) = fake.requests
    assert request.unit.span.of(request.snapshot.text) == OLD.rstrip().replace("\n", newline)
    assert fake.candidates == [NEW.rstrip()]
    assert fake.checked_goals == [True]


def test_it_is_read_from_the_document_of_refine_too(
    fake: FakeRefinement, receipt: Document, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(capsys, {"status": "proposal", "receipt": receipt})[0] == 0


@pytest.mark.parametrize(("accepted", "code_and_word"), [(False, (1, "Does not hold")), (None, (2, "Cannot tell"))])
def test_what_does_not_hold_is_said(
    fake: FakeRefinement,
    receipt: Document,
    capsys: pytest.CaptureFixture[str],
    accepted: bool | None,
    code_and_word: tuple[int, str],
) -> None:
    fake.accepted, fake.message = accepted, "So it is."
    exit_code, found = check(capsys, receipt)
    assert (exit_code, found["message"]) == (code_and_word[0], f"{code_and_word[1]}: So it is.")
    assert main(["verify", "--receipt", "proof.json"]) == exit_code
    out = capsys.readouterr().out
    assert out.startswith("The receipt of code.py::total, made 2026-01-02T03:04:05+00:00 by Burnish 0.1.0, is well-")
    assert f"The file holds the original, without the proposal.\n{found['message']}\n" in out


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda code: code.write_text(OLD.replace("0", "1")), "total in code.py was edited since"),
        (lambda code: code.write_text("x = 1\n"), "code.py has no total any more"),
        (lambda code: code.unlink(), "There is no code.py in"),
    ],
)
def test_an_edit_of_the_unit_voids_it(
    fake: FakeRefinement,
    code: Path,
    receipt: Document,
    capsys: pytest.CaptureFixture[str],
    edit: Callable[[Path], object],
    told: str,
) -> None:
    edit(code)
    exit_code, found = check(capsys, receipt)
    assert (exit_code, found["accepted"], found["void"], found["applied"]) == (1, False, True, None)
    assert found["message"].startswith("Void: ")
    assert told in found["message"]
    assert not fake.requests


def test_other_changes_are_told_and_the_checks_run(
    fake: FakeRefinement, code: Path, receipt: Document, capsys: pytest.CaptureFixture[str]
) -> None:
    code.write_text(code.read_text(encoding="utf-8") + "y = 1\n", encoding="utf-8")
    (code.parent / "test_code.py").write_text("import code as c\n", encoding="utf-8")
    changed = change(
        receipt,
        hashes={"interpreter": "cd", "platform": "cd"},
        made={"python": "3.9.1", "platform": "Darwin"},
        test_files={"tests/test_more.py": "ef"},
    )
    exit_code, found = check(capsys, {**changed, "evidence": "strong"})
    assert (exit_code, found["void"]) == (0, False)
    assert [(each["name"], each["detail"]) for each in found["changes"]] == [
        ("module", "Other text in code.py changed since; the checks run with what is there now."),
        ("tests", "test_code.py changed since; the tests are run as they are now."),
        ("tests", "tests/test_more.py is gone; the tests are run as they are now."),
        ("interpreter", "It was made with Python 3.9.1; the checks run with 3.11.2."),
        ("platform", "It was made on Darwin; this is Linux."),
        ("evidence", "The evidence was strong; now it is moderate."),
    ]


def without(key: str) -> Callable[[Document], object]:
    return lambda receipt: {name: value for name, value in receipt.items() if name != key}


def claiming(**parts: Any) -> Callable[[Document], object]:
    return lambda receipt: change(receipt, claim=parts)


@pytest.mark.parametrize(
    ("malform", "told"),
    [
        (lambda _: [], "holds no JSON object"),
        (lambda _: {"receipt": 1}, "it is no object"),
        (without("version"), "version is not 1"),
        (without("claim"), "claim is no object"),
        (without("made"), "made is no object"),
        (without("hashes"), "hashes is no object"),
        (without("test_files"), "test_files is no object"),
        (without("evidence"), "evidence is no text"),
        (lambda receipt: {**receipt, "evidence": "sure"}, "evidence is none that there is"),
        (claiming(path="/etc/passwd"), "claim.path leads out"),
        (claiming(path="../code.py"), "claim.path leads out"),
        (claiming(path=""), "claim.path leads out"),
        (claiming(path="co\x00de.py"), "claim.path is not one short line"),
        (claiming(path="x" * 2_000), "claim.path is not one short line"),
        (claiming(qualname="\x1b[2J"), "claim.qualname is not one short line"),
        (claiming(occurrence=True), "claim.occurrence is no count"),
        (claiming(goal="speed"), "claim.goal is none that there is"),
        (claiming(original="def total(): return 1"), "hashes.unit is not that of the original"),
        (claiming(candidate="def total(): return 1"), "hashes.candidate is not that of the candidate"),
        (claiming(imports=["import os"]), "hashes.candidate is not that of the candidate"),
        (claiming(original="\ud800"), "claim.original cannot be encoded"),
        (claiming(imports=["os.remove('x')"]), "claim.imports holds what is no import"),
        (claiming(imports=[1]), "claim.imports is no list of texts"),
        (claiming(candidate=OLD.rstrip()), "nothing was proposed"),
        (claiming(examples="../.."), "claim.examples leads out"),
        (lambda receipt: change(receipt, made={"at": "yesterday"}), "made.at is no time"),
        (lambda receipt: change(receipt, test_files={"../x": "ab"}), "test_files.../x leads out"),
    ],
)
def test_a_malformed_receipt_is_refused_in_one_sentence(
    fake: FakeRefinement,
    receipt: Document,
    capsys: pytest.CaptureFixture[str],
    malform: Callable[[Document], object],
    told: str,
) -> None:
    exit_code, found = check(capsys, malform(receipt))
    assert (exit_code, found["status"], found["accepted"]) == (2, "error", None)
    assert told in found["message"]
    assert not fake.requests


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, " " * (MOST_BYTES + 1)], ids=["empty", "cut", "deep", "big"])
def test_what_is_no_document_is_refused(code: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    Path("proof.json").write_text(text, encoding="utf-8")
    assert main(["verify", "--receipt", "proof.json"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("burnish: proof.json ")
    assert err.count("\n") == 1


def test_a_link_out_of_the_project_is_not_followed(
    fake: FakeRefinement, code: Path, receipt: Document, tmp_path_factory: pytest.TempPathFactory, capsys: Any
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "code.py"
    code.rename(outside)
    code.symlink_to(outside)
    exit_code, found = check(capsys, receipt)
    assert (exit_code, found["status"]) == (2, "error")
    assert "leads out of" in found["message"]
    assert not fake.requests


def test_an_original_with_more_than_the_unit_in_it_is_refused(
    fake: FakeRefinement, code: Path, receipt: Document, capsys: pytest.CaptureFixture[str]
) -> None:
    code.write_text(NEW, encoding="utf-8")
    more = OLD + "\n\nimport os\n"
    _, found = check(capsys, change(receipt, claim={"original": more}, hashes={"unit": digest(more)}))
    assert "complete and alone" in found["message"]


def test_the_project_is_where_root_says(
    fake: FakeRefinement,
    code: Path,
    receipt: Document,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert check(capsys, receipt)[1]["void"] is True
    assert check(capsys, receipt, "--root", str(code.parent))[0] == 0
    assert check(capsys, receipt, "--root", "nowhere")[0] == 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("code.py::total", "One of the arguments --candidate --receipt is required"),
        ("code.py::total --receipt proof.json", "A receipt says itself what it is about"),
        ("--receipt proof.json --goal readability", "A receipt says itself what it is about"),
        ("--receipt proof.json --candidate new.py", "not allowed with"),
        ("--candidate new.py", "There is nothing to judge"),
        ("code.py::total --candidate new.py --root .", "--root goes with --receipt"),
        ("--receipt missing.json", "There is no file missing.json"),
        ("--receipt .", "is no regular file"),
    ],
)
def test_bad_words_get_one_sentence(code: Path, capsys: pytest.CaptureFixture[str], words: str, expected: str) -> None:
    assert main(["verify", *words.split()]) == 2
    err = capsys.readouterr().err
    assert expected in err
    assert err.count("\n") == 1
