"""`burnish measure`: which files, and what of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from burnish.cli.main import main
from burnish.files import python_files


def write(path: Path, text: str = "x = 1\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_a_file_is_shown_as_a_table(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "code.py"]) == 0
    path, header, *rows = capsys.readouterr().out.splitlines()
    assert path == "code.py"
    assert header.split()[:3] == ["unit", "at", "cyclomatic"]
    assert [row.split()[:2] for row in rows] == [["total", "1-5"], ["Shop", "8-10"], ["Shop.total", "9-10"]]
    assert {len(row) for row in rows} == {len(header)}


def test_json_has_names_and_units(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "code.py", "--json"]) == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert [(name["name"], name["kind"], name["meaningful"]) for name in file["names"]][:4] == [
        ("total", "function", True),
        ("items", "parameter", True),
        ("result", "variable", True),
        ("item", "loop", True),
    ]
    assert file["function_units"] == 2
    assert file["units"][0]["metrics"]["cyclomatic"] == 2


def test_a_folder_is_its_python_files(tmp_path: Path) -> None:
    for name in ("b.py", "a.pyi", "c.txt", "inner/d.py", ".git/e.py", "__pycache__/f.py", "venv/lib/g.py"):
        write(tmp_path / name)
    write(tmp_path / "venv/pyvenv.cfg", "")
    assert [str(path.relative_to(tmp_path)) for path in python_files(tmp_path)] == ["a.pyi", "b.py", "inner/d.py"]


def test_one_odd_file_of_a_folder_is_told_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "fine.py")
    (tmp_path / "odd.py").write_bytes(b"x = '\xe9'\n")
    assert main(["measure", str(tmp_path), "--json"]) == 0
    out, err = capsys.readouterr()
    assert "odd.py is not valid utf-8" in err
    assert [Path(file["path"]).name for file in json.loads(out)["files"]] == ["fine.py"]


@pytest.mark.parametrize(("name", "words"), [("odd.py", "not valid utf-8"), ("missing.py", "There is no file")])
def test_a_named_file_that_cannot_be_read_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, words: str
) -> None:
    (tmp_path / "odd.py").write_bytes(b"x = '\xe9'\n")
    assert main(["measure", str(tmp_path / name), "--json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert document["files"] == []
    assert words in document["message"]


def test_a_syntax_error_is_told_beside_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "broken.py", "x = 1\n\n\ndef total(items):\n    y = 1\n    return items +\n")
    assert main(["measure", str(tmp_path), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["files"][0]["error_line"] == 6
    assert "broken.py has a syntax error at line 6: the figures are of what could be read" in err
    write(tmp_path / "broken.py")
    assert main(["measure", str(tmp_path), "--json"]) == 0
    out, err = capsys.readouterr()
    assert (json.loads(out)["files"][0]["error_line"], err) == (None, "")


def test_a_missing_path_is_told_as_the_doctor_tells_it(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for command in ("measure", "doctor"):
        assert main([command, "nowhere"]) == 2
        told.append(capsys.readouterr().err)
    assert told == ["burnish: There is no file or folder nowhere: check the path.\n"] * 2
