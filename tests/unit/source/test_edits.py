"""Edits are small, exact, and touch nothing else."""

from __future__ import annotations

import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish_analyzers.errors import StaleDocumentError
from burnish_analyzers.source.edits import TextEdit, apply_edits, minimal_edits, rebase, replace_unit, unified_diff
from burnish_analyzers.source.line_index import LineIndex, PositionEncoding, Span
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit, script_unit

PIECES = ["a", "b", "ab", "é", "😀", "e\u0301", " ", "\t", "\f", "\u2028", "\n", "\n\n", "\r\n", "\r"]
texts = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
places = st.integers(0, 60)


def changed(text: str, start: int, length: int, inserted: str) -> str:
    start = min(start, len(text))
    return text[:start] + inserted + text[start + length :]


@given(texts, texts)
def test_minimal_edits_give_the_new_text(old: str, new: str) -> None:
    edits = minimal_edits(old, new)
    assert apply_edits(old, edits) == new
    assert all(edit.span.of(old) != edit.new_text for edit in edits)
    assert all(before.span.end <= after.span.start for before, after in pairwise(edits))


@given(texts, places, st.integers(0, 5), texts, st.sampled_from(PositionEncoding))
def test_edits_survive_the_way_through_an_editor(
    old: str, start: int, length: int, inserted: str, encoding: PositionEncoding
) -> None:
    new = changed(old, start, length, inserted)
    index = LineIndex(old)
    sent = [
        (index.position_at(edit.span.start, encoding), index.position_at(edit.span.end, encoding), edit.new_text)
        for edit in minimal_edits(old, new)
    ]
    received = [
        TextEdit(Span(index.offset_at(start, encoding), index.offset_at(end, encoding)), text)
        for start, end, text in sent
    ]
    assert apply_edits(old, received) == new


def test_one_changed_word_is_one_small_edit() -> None:
    old = "def f(x):\n    y = x + 1\n    return y\n"
    assert minimal_edits(old, old.replace("+ 1", "+ 2")) == (TextEdit(Span(22, 23), "2"),)
    assert minimal_edits(old, old) == ()


def test_two_changes_far_apart_are_two_edits() -> None:
    old = "a = 1\nb\nc\nd\ne = 1\n"
    assert minimal_edits(old, old.replace("1", "2")) == (TextEdit(Span(4, 5), "2"), TextEdit(Span(16, 17), "2"))


def test_no_edit_begins_or_ends_inside_a_crlf() -> None:
    assert minimal_edits("a\r\nb\r\n", "a\nb\r\n") == (TextEdit(Span(1, 3), "\n"),)
    assert minimal_edits("a\r\n", "a\r") == (TextEdit(Span(1, 3), "\r"),)


def test_overlapping_edits_are_an_error() -> None:
    with pytest.raises(ValueError, match="overlap at 1"):
        apply_edits("abc", [TextEdit(Span(0, 2), "x"), TextEdit(Span(1, 3), "y")])


@given(texts, places, st.integers(0, 5), texts, places, st.integers(0, 5), texts)
def test_a_rebased_edit_does_in_the_new_text_what_it_did_in_the_old(
    old: str, start: int, length: int, inserted: str, at: int, removed: int, typed: str
) -> None:
    proposed, newer = changed(old, start, length, inserted), changed(old, at, removed, typed)
    edits = minimal_edits(old, proposed)
    try:
        rebased = rebase(edits, old, newer)
    except StaleDocumentError:
        # What is typed strictly outside of the range of the edits is never refused.
        if edits and newer != old:
            assert min(at, len(old)) + removed >= edits[0].span.start
            assert min(at, len(old)) <= edits[-1].span.end
        return
    both = apply_edits(newer, rebased)
    assert [edit.new_text for edit in rebased] == [edit.new_text for edit in edits]
    assert [edit.span.of(newer) for edit in rebased] == [edit.span.of(old) for edit in edits]
    assert len(both) - len(newer) == len(proposed) - len(old)


OLD = "import os\n\n\ndef f(x):\n    y = x\n    return y\n\n\nz = 1\n"
EDITS = minimal_edits(OLD, OLD.replace("    y = x\n    return y", "    return x"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import os\n", "import os\nimport re\n"),  # inserted above
        ("import os\n", ""),
        ("\n\n\ndef", "\n\n\n\n\ndef"),  # a blank line more, just above
        ("z = 1\n", "z = 1\nzz = 2\n"),
        ("z = 1\n", "z = 1"),
        ("import os", "import os, 😀"),
    ],
)
def test_text_typed_elsewhere_shifts_a_proposal_exactly(before: str, after: str) -> None:
    new = OLD.replace(before, after)
    expected = new.replace("    y = x\n    return y", "    return x")
    assert apply_edits(new, rebase(EDITS, OLD, new)) == expected


@pytest.mark.parametrize(("before", "after"), [("y = x", "y = x + 1"), ("return y", "return  y"), ("    y = x\n", "")])
def test_text_typed_inside_refuses_a_proposal(before: str, after: str) -> None:
    with pytest.raises(StaleDocumentError, match="refine the function again"):
        rebase(EDITS, OLD, OLD.replace(before, after))


def test_text_typed_between_two_edits_refuses_them() -> None:
    old = "a = 1\nb\nc\nd\ne = 1\n"
    edits = minimal_edits(old, old.replace("1", "2"))
    with pytest.raises(StaleDocumentError):
        rebase(edits, old, old.replace("c", "cc"))


def test_a_guarded_unit_must_be_as_it_was() -> None:
    unit = find_unit(Snapshot.from_text(OLD), "f")
    new = OLD.replace("f(x)", "f(x, k)")
    assert rebase(EDITS, OLD, new) != EDITS
    with pytest.raises(StaleDocumentError):
        rebase(EDITS, OLD, new, guarded=unit.span)
    assert rebase((), OLD, new) == ()


UNIT_FILES = {
    "lf": (b"a = 1\n\ndef f():\n    x = 1\n    return x\n\nb = 2\n", "utf-8"),
    "crlf": (b"a = 1\r\n\r\ndef f():\r\n    x = 1\r\n    return x\r\n\r\nb = 2\r\n", "utf-8"),
    "cr": (b"a = 1\r\rdef f():\r    x = 1\r    return x\r\rb = 2\r", "utf-8"),
    "bom": (b"\xef\xbb\xbfa = 1\r\ndef f():\r\n    x = 1\r\n    return x", "utf-8"),
    "cookie": (b"# coding: latin-1\na = '\xe9'\ndef f():\n    x = 1\n    return x # \xe9\n", "latin-1"),
    "tabs": (b"class A:\n\tb = ' '\n\tdef f():\n\t\tx = 1\n\t\treturn x\n\t\n", "utf-8"),
    "no final newline": (b"def f():\n    x = 1\n    return x", "utf-8"),
    "odd characters": ("a = '\u2028\x0c\x85😀'\n\x0cdef f():\n    x = 1\n    return x\n\x0c\n".encode(), "utf-8"),
    "trailing blanks": (b"a = 1  \n\t\ndef f():\n    x = 1\n    return x\n   \n\n\n", "utf-8"),
}


@pytest.mark.parametrize(("data", "encoding"), UNIT_FILES.values(), ids=UNIT_FILES)
def test_every_byte_outside_the_unit_stays(data: bytes, encoding: str) -> None:
    snapshot = Snapshot.from_bytes(data)
    unit = find_unit(snapshot, "A.f" if b"class" in data else "f")
    own = unit.span.of(snapshot.text)
    new = own.replace("\r\n", "\n").replace("\r", "\n").replace("x = 1", "y = 10\n    x = 1")
    result = snapshot.encode(replace_unit(snapshot, unit, new))
    inserted = f"y = 10{snapshot.newline}    ".encode(encoding)
    at = data.index(b"x = 1")
    assert result == data[:at] + inserted + data[at:]
    assert replace_unit(snapshot, unit, own) == snapshot.text


def test_in_a_mixed_file_only_changed_lines_get_the_units_newline() -> None:
    snapshot = Snapshot.from_text("a\n\ndef f():\r\n    x = 1\n    y = 2\r\n    z = 3\r\nb\nc\n")
    new = "def f():\n    x = 1\n    y = 5\n    z = 3"
    assert replace_unit(snapshot, find_unit(snapshot, "f"), new) == snapshot.text.replace("2", "5")
    one_line = Snapshot.from_text("a\r\nb\r\nc\r\ndef f(): pass\n")
    assert replace_unit(one_line, find_unit(one_line, "f"), "def f():\n    return") == (
        "a\r\nb\r\nc\r\ndef f():\n    return\n"
    )


LITERALS = r"""def f():
    a = '\u00e9 \N{BULLET} \x00'
    b = r'\d\n' + b'\xff'.hex()
    c = '''one
  two \
three'''
    return a, b, c
"""


def test_literals_stay_token_identical() -> None:
    snapshot = Snapshot.from_text(LITERALS)
    unit = find_unit(snapshot, "f")
    new = unit.span.of(LITERALS).replace("return a, b, c", "return c")
    assert replace_unit(snapshot, unit, new) == LITERALS.replace("return a, b, c", "return c")


def test_a_unit_and_its_imports() -> None:
    snapshot = Snapshot.from_text("import os\r\n\r\ndef f():\r\n    pass\r\n")
    new = replace_unit(snapshot, find_unit(snapshot, "f"), "def f():\n    return re", ["import re", "import os"])
    assert new == "import os\r\nimport re\r\n\r\ndef f():\r\n    return re\r\n"


def test_a_script_keeps_its_final_newlines() -> None:
    snapshot = Snapshot.from_text("x = 1\nprint(x)\n\n")
    assert replace_unit(snapshot, script_unit(snapshot), "print(1)", ["import re"]) == "import re\n\nprint(1)\n\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\nb\n", "a\nc\n"),
        ("a\r\nb\r\n", "a\r\nc\r\n"),
        ("a\nb", "a\nb\n"),
        ("a\nb\n", "a\nb"),
        ("a\nb", "a\nc"),
        ("", "a\n"),
        ("a\u2028b\x0cc\x85d\re\n", "a\u2028b\x0cC\x85d\re\n"),
        ("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\nx\n5\n6\n7\n8\n9"),
    ],
)
def test_a_unified_diff_applies(old: str, new: str, tmp_path: Path) -> None:
    diff = unified_diff(old, new, "a.py")
    assert diff.startswith("--- a/a.py\n+++ b/a.py\n@@")
    assert ("\\ No newline at end of file\n" in diff) == (not (old or "\n").endswith("\n") or not new.endswith("\n"))
    git = shutil.which("git")
    assert git is not None
    path = tmp_path / "a.py"
    path.write_bytes(old.encode())
    subprocess.run([git, "apply", "-"], input=diff.encode(), cwd=tmp_path, check=True)
    assert path.read_bytes() == new.encode()


def test_a_unified_diff_names_the_file_below_its_root() -> None:
    assert unified_diff("a\n", "b\n", "/src/shop/cart.py").startswith(
        "--- a/src/shop/cart.py\n+++ b/src/shop/cart.py\n"
    )
    assert unified_diff("a\n", "b\n", "src\\cart.py").startswith("--- a/src/cart.py\n")
    assert unified_diff("a\n", "a\n", "a.py") == ""


def test_a_document_that_changed_above_and_below_is_rebased_at_the_only_place() -> None:
    old = "import os\n\n\ndef f():\n    return 1\n\n\nx = 1\n"
    unit = Span(old.index("def f"), old.index("\n\n\nx"))
    edit = TextEdit(Span(old.index("1"), old.index("1") + 1), "2")
    new = "# above\n" + old + "# below\n"
    (moved,) = rebase([edit], old, new, guarded=unit)
    assert (moved.span.of(new), moved.span.start) == ("1", edit.span.start + len("# above\n"))


@pytest.mark.parametrize("between", ["@cache\n", "if True:\n    ", "def f():\n    return 1\n\n\n"])
def test_a_unit_that_now_stands_otherwise_is_stale(between: str) -> None:
    old = "def f():\n    return 1\n\n\nx = 1\n"
    unit = Span(0, old.index("\n\n\nx"))
    edit = TextEdit(Span(old.index("1"), old.index("1") + 1), "2")
    with pytest.raises(StaleDocumentError):
        rebase([edit], old, "# above\n" + between + old + "# below\n", guarded=unit)
