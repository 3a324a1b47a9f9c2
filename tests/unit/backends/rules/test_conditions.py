"""Conditions turned round in the plainest words, and not at all where no plain ones are found."""

from __future__ import annotations

import pytest

from .conftest import Apply

BOOLEAN = "def f(rows, flag: bool):\n    found = False\n    for row in rows:\n        found = True\n"


def returned(apply: Apply, test: str, first: bool) -> str:
    text = f"{BOOLEAN}    if {test}:\n        return {first}\n    return {not first}\n"
    result = apply("boolean-return", text).text
    assert result.startswith(BOOLEAN)
    return result.removeprefix(BOOLEAN).strip()


@pytest.mark.parametrize(
    ("test", "first", "value"),
    [
        ("found == True", True, "found"),
        ("found == True", False, "not found"),
        ("found == False", True, "not found"),
        ("found is False", False, "found"),
        ("found != True", True, "not found"),
        ("flag != False", True, "flag"),
        ("rows == True", True, "rows == True"),
        ("len(rows) < 3", False, "len(rows) >= 3"),
        ("rows < 3", False, "not rows < 3"),
        ("not (rows < 3)", False, "rows < 3"),
        ("not (rows or flag)", False, "bool(rows or flag)"),
        ("rows or flag", False, "not (rows or flag)"),
    ],
)
def test_says_it_plainly(apply: Apply, test: str, first: bool, value: str) -> None:
    assert returned(apply, test, first) == f"return {value}"
