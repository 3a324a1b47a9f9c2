"""The tree stays right from edit to edit, and its places are code points."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish_analyzers.source.line_index import Span
from burnish_analyzers.source.matching import common_affixes, matching_blocks
from burnish_analyzers.source.tree import SyntaxTree
from burnish_analyzers.source.units import unit_at, units

LINES = [
    "import re",
    "x = '😀 é'  # note",
    "def f(a, b):",
    "    return a",
    "    # after",
    "class A:",
    "    def m(self):",
    "        yield 1",
    "    '''",
    "",
    "    y = (1,",
    "         2)",
]
programs = st.lists(st.sampled_from(LINES), max_size=14).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda newline: newline.join(lines))
)
places = st.integers(0, 300)


@given(programs, places, places, st.sampled_from(["", "x", "é😀", "\n", "\r", "\n    def k(): pass\n", "'''", "("]))
def test_after_any_edit_the_tree_is_that_of_the_new_text(text: str, start: int, length: int, inserted: str) -> None:
    new = text[:start] + inserted + text[start + length % 20 :]
    again, fresh = SyntaxTree.parse(text).reparse(new), SyntaxTree.parse(new)
    assert again.text == new
    # What the parser makes of broken code depends on where it comes from; of sound code it does not.
    if not fresh.has_error:
        assert not again.has_error
        assert units(again) == units(fresh)
        assert [str(root) for root in again.roots] == [str(root) for root in fresh.roots]


def test_many_edits_in_a_row() -> None:
    tree = SyntaxTree.parse("")
    text = "def größe(x):\r\n    return '😀' + x  # e\u0301\r\n\r\nclass A:\r\n    def m(self): pass\r\n"
    for end in range(len(text) + 1):
        tree = tree.reparse(text[:end])
    assert units(tree) == units(SyntaxTree.parse(text))
    assert [unit.qualname for unit in units(tree)] == ["größe", "A", "A.m"]


def test_a_tree_outlives_its_successors() -> None:
    first = SyntaxTree.parse("def f(): pass\n")
    first.reparse("class A: pass\n")
    assert first.reparse("def f(): pass\n").text == first.text
    assert [unit.qualname for unit in units(first)] == ["f"]


@given(st.text(alphabet="aé€😀\n", max_size=30), st.integers(1, 200))
def test_bytes_and_code_points(piece: str, times: int) -> None:
    text = piece * times
    tree = SyntaxTree.parse(text)
    for offset in {0, len(text) // 3, len(text) // 2, len(text)}:
        byte = len(text[:offset].encode())
        assert tree.byte_of(offset) == byte
        assert tree.offset_of(byte) == offset


def test_a_lone_cr_ends_a_line_for_the_parser_too() -> None:
    tree = SyntaxTree.parse("def f():\r    pass  # why\r\rdef g():\r    pass\r")
    assert not tree.has_error
    assert [unit.qualname for unit in units(tree)] == ["f", "g"]


def test_what_an_error_swallowed_is_read_block_by_block() -> None:
    below = "def f(a):\n    return a\n\n@a\n@b(\n)\nclass A:\n    def m(self):\n        return 1\n"
    text = "x = '''\ndef in_string(): pass\n'''\ny = foo(1,\n\n" + below
    tree = SyntaxTree.parse(text)
    assert len(tree.roots) == 3
    assert [unit.qualname for unit in units(tree)] == ["f", "A", "A.m"]
    assert tree.source(tree.holding(Span(text.index("@a"), len(text) - 1))).startswith("@a\n@b(\n)\nclass A:")
    assert unit_at(tree, text, Span(0, len(text))) is None


def test_find_is_bounded() -> None:
    tree = SyntaxTree.parse("def a(): pass\ndef b(): pass\n")
    assert tree.find(re.compile(rb"def"), 0, 14) == [3]


@given(st.text(alphabet="ab", max_size=20), st.text(alphabet="ab", max_size=20))
def test_common_affixes_are_the_longest(old: str, new: str) -> None:
    prefix, suffix = common_affixes(old, new)
    assert old[:prefix] == new[:prefix]
    assert prefix == min(len(old), len(new)) or old[prefix] != new[prefix]
    rest_old, rest_new = old[prefix:], new[prefix:]
    assert rest_old.endswith(rest_new[len(rest_new) - suffix :])
    assert suffix == min(len(rest_old), len(rest_new)) or rest_old[-1 - suffix] != rest_new[-1 - suffix]


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_matching_blocks_are_common_and_in_order(old: list[str], new: list[str]) -> None:
    done_old = done_new = 0
    for a, b, size in matching_blocks(old, new):
        assert a >= done_old
        assert b >= done_new
        assert old[a : a + size] == new[b : b + size]
        done_old, done_new = a + size, b + size
    assert (done_old, done_new) == (len(old), len(new))


@pytest.mark.parametrize("text", ["", "\n", "é", "\ud800 = 1\n"])
def test_odd_texts_have_a_tree(text: str) -> None:
    assert SyntaxTree.parse(text).reparse(text + "x").text == text + "x"
