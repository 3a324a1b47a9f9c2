"""FILE[::QUALNAME] and --lines A-B."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.cli.arguments import UsageError
from burnish.cli.target import find_target, parse_lines, split_target


@pytest.mark.parametrize(
    ("text", "path", "qualname"),
    [
        ("a.py", "a.py", None),
        ("a.py::f", "a.py", "f"),
        ("a.py::C.m", "a.py", "C.m"),
        ("a.py::C::m", "a.py", "C.m"),
        ("/x y/a.py::f", "/x y/a.py", "f"),
        (r"C:\x\a.py", r"C:\x\a.py", None),
        (r"C:\x\a.py::f", r"C:\x\a.py", "f"),
    ],
)
def test_a_target_is_a_file_and_perhaps_a_name(text: str, path: str, qualname: str | None) -> None:
    assert split_target(text) == (Path(path).absolute(), qualname)


def test_a_file_whose_name_has_colons_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a::b.py"
    path.write_text("", encoding="utf-8")
    assert split_target(str(path)) == (path, None)


@pytest.mark.parametrize("text", ["::f", "a.py::"])
def test_half_a_target_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="FILE::QUALNAME"):
        split_target(text)


@given(st.integers(0, 10**9 - 1), st.integers(0, 10**9 - 1))
def test_lines_are_two_numbers_or_one(first: int, last: int) -> None:
    assert parse_lines(f"{first}-{last}") == (first, last)
    assert parse_lines(str(first)) == (first, first)


@pytest.mark.parametrize("text", ["", "a", "1-", "-1", "1-2-3", "1.5", "٣", "1" * 5000])
def test_other_ranges_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--lines 10-24"):
        parse_lines(text)


def test_lines_choose_among_units(code: Path) -> None:
    assert find_target("code.py", "2").unit.qualname == "total"
    assert find_target("code.py", "10-10").unit.qualname == "Shop.total"
    assert find_target("code.py").unit.kind == "script"


def test_the_root_is_the_projects(code: Path) -> None:
    inner = code.parent / "package"
    inner.mkdir()
    code.rename(inner / "code.py")
    assert find_target("package/code.py::total").root == code.parent
