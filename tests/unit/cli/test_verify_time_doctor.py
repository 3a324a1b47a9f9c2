"""`burnish verify`, `time` and `doctor`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from burnish.cli.main import main
from tests.unit.cli.conftest import NEW, Diagnosis, FakeRefinement


@pytest.mark.parametrize(
    ("accepted", "code_and_word"), [(True, (0, "Accepted")), (False, (1, "Rejected")), (None, (2, "Cannot tell"))]
)
def test_verify_says_the_verdict_and_shows_the_receipt(
    fake: FakeRefinement,
    code: Path,
    capsys: pytest.CaptureFixture[str],
    accepted: bool | None,
    code_and_word: tuple[int, str],
) -> None:
    fake.accepted, fake.message = accepted, "So it is."
    (code.parent / "new.py").write_text(NEW, encoding="utf-8")
    exit_code, word = code_and_word
    assert main(["verify", "code.py::total", "--candidate", "new.py"]) == exit_code
    out = capsys.readouterr().out
    assert out.startswith(f"{word}: So it is.\n")
    assert "before: 0" in out
    assert fake.candidates == [NEW]
    assert main(["verify", "code.py::total", "--candidate", "new.py", "--json"]) == exit_code
    document = json.loads(capsys.readouterr().out)
    assert document["accepted"] is accepted
    assert document["receipt"]["evidence"] == "moderate"


def test_verify_judges_the_goal_only_where_one_is_given(fake: FakeRefinement, code: Path) -> None:
    (code.parent / "new.py").write_text(NEW, encoding="utf-8")
    main(["verify", "code.py::total", "--candidate", "new.py"])
    main(["verify", "code.py::total", "--candidate", "new.py", "--goal", "performance"])
    assert fake.checked_goals == [False, True]


def test_verify_without_a_candidate_file_cannot_tell(
    fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", "code.py::total", "--candidate", "new.py", "--json"]) == 2
    out, err = capsys.readouterr()
    assert "There is no file" in err
    document = json.loads(out)
    assert (document["status"], document["accepted"]) == ("error", None)


def test_time_compares_two_units(fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["time", "code.py::total", "code.py::Shop.total", "--interpreter", "python3"]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("faster: 1.84× as fast (1.79 to 1.90 with 95% confidence")
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["ratio"], document["low"], document["high"], document["confidence"]) == (1.84, 1.79, 1.9, 0.95)
    assert document["verdict"] == "faster"
    assert fake.compared == [("total", "Shop.total")] * 2
    assert fake.settings[0].interpreter == "python3"


def test_doctor_lists_what_it_finds(fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake.diagnoses = (Diagnosis(name="interpreter", ok=True, detail="Python 3.12"),)
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out == "ok      interpreter  Python 3.12\n"
    fake.diagnoses = (*fake.diagnoses, Diagnosis(name="pytest", ok=False, detail="[none] found"))
    assert main(["doctor", "code.py"]) == 2
    assert "missing pytest       [none] found\n" in capsys.readouterr().out


def test_doctor_of_nowhere(fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "nowhere"]) == 2
    assert "There is no file or folder" in capsys.readouterr().err


def test_doctor_as_a_document(fake: FakeRefinement, code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake.diagnoses = (Diagnosis(name="pytest", ok=False, detail="none found"),)
    assert main(["doctor", "--json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert (document["status"], document["ok"]) == ("done", False)
    assert document["findings"] == [{"name": "pytest", "ok": False, "detail": "none found"}]
