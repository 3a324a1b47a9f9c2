"""The syntax tree of a text: tolerant of errors, and cheap to bring up to date after an edit.

The parser counts in UTF-8 bytes and knows no line end but LF, so its points mean nothing to anybody else: places are
handed out as code points.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import pairwise

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Point, Range, Tree

from burnish_analyzers.source.line_index import LineIndex, Span
from burnish_analyzers.source.matching import common_affixes

_LANGUAGE = Language(tree_sitter_python.language())
_LONE_CR = re.compile(rb"\r(?!\n)")
_TOP_LEVEL = re.compile(rb"^(?:(@)|(?:async[ \t]+)?def\b|class\b)", re.MULTILINE)
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
_STRIDE = 1024
_ORIGIN = Point(0, 0)


class SyntaxTree:
    """The tree of one text. Immutable: `reparse` gives another one."""

    def __init__(self, text: str, lines: LineIndex, data: bytes, tree: Tree) -> None:
        self.text = text
        self.lines = lines
        self._data = data
        self._tree = tree

    @classmethod
    def parse(cls, text: str) -> SyntaxTree:
        """The tree of `text`; a text that is not Python has one too, with errors in it."""
        data = _to_bytes(text)
        return cls(text, LineIndex(text), data, Parser(_LANGUAGE).parse(data))

    def reparse(self, new_text: str) -> SyntaxTree:
        """The tree of `new_text`, at a cost that grows with what was edited since `text`, not with the file."""
        lines = self.lines.edited(new_text, *common_affixes(self.text, new_text))
        new_data = _to_bytes(new_text)
        prefix, suffix = common_affixes(self._data, new_data)
        old_end, new_end = len(self._data) - suffix, len(new_data) - suffix
        if prefix == old_end == new_end:
            return SyntaxTree(new_text, lines, new_data, self._tree)
        start = _point(self._data, prefix)
        edited = self._tree.copy()
        edited.edit(
            start_byte=prefix,
            old_end_byte=old_end,
            new_end_byte=new_end,
            start_point=start,
            old_end_point=_point(self._data, old_end, prefix, start),
            new_end_point=_point(new_data, new_end, prefix, start),
        )
        return SyntaxTree(new_text, lines, new_data, Parser(_LANGUAGE).parse(new_data, edited))

    @property
    def has_error(self) -> bool:
        """Whether there is a syntax error anywhere."""
        return self._tree.root_node.has_error

    @cached_property
    def error_line(self) -> int | None:
        """The line of the first syntax error, counted from 1; None where there is none."""
        node = self._tree.root_node
        if not node.has_error:
            return None
        while not (node.is_error or node.is_missing):
            inner = next((child for child in node.children if child.has_error or child.is_missing), None)
            if inner is None:
                break
            node = inner
        return self.lines.line_of(self.offset_of(node.start_byte)) + 1

    @cached_property
    def roots(self) -> tuple[Node, ...]:
        """The trees of the whole text in order: one, or one for each top-level block where an error swallowed others.

        After `x = foo(` the parser reads all that follows as one expression; read block by block, the definitions below
        are found again.
        """
        root = self._tree.root_node
        if not root.has_error:
            return (root,)
        starts = self._block_starts(root)
        if all(_starts_definition(root, start) for start in starts):
            return (root,)
        edges = [0, *(start for start in starts if start), len(self._data)]
        return tuple(self._parse_range(start, end) for start, end in pairwise(edges))

    def holding(self, span: Span) -> Node:
        """The smallest node that holds all of `span`."""
        start, end = self.byte_of(span.start), self.byte_of(span.end)
        root = self.root_at(start)
        return root.descendant_for_byte_range(start, end) or root

    def root_at(self, byte: int) -> Node:
        """The one of `roots` that covers `byte`."""
        if len(self.roots) == 1:
            return self.roots[0]
        # A root node starts at its first token, so the last one that starts at or before the byte has it.
        return self.roots[max(0, bisect_right(self._root_starts, byte) - 1)]

    def source(self, node: Node) -> str:
        """The text of `node`."""
        return self.span(node).of(self.text)

    def span(self, node: Node) -> Span:
        """Where `node` is, in code points."""
        return Span(self.offset_of(node.start_byte), self.offset_of(node.end_byte))

    def find(self, pattern: re.Pattern[bytes], start_byte: int, end_byte: int) -> list[int]:
        """Where the matches of `pattern` between two bytes end."""
        return [match.end() for match in pattern.finditer(self._data, start_byte, end_byte)]

    def offset_of(self, byte: int) -> int:
        """The code point that starts at `byte`, or next after it."""
        if len(self._data) == len(self.text):
            return byte
        stride = bisect_right(self._stride_bytes, byte) - 1
        start = self._stride_bytes[stride]
        return stride * _STRIDE + len(self._data[start:byte].translate(None, _CONTINUATION_BYTES))

    def byte_of(self, offset: int) -> int:
        """The byte at which the code point `offset` starts."""
        if len(self._data) == len(self.text):
            return offset
        stride = min(offset // _STRIDE, len(self._stride_bytes) - 1)
        return self._stride_bytes[stride] + _byte_length(self.text[stride * _STRIDE : offset])

    @cached_property
    def _stride_bytes(self) -> list[int]:
        """The byte at which every `_STRIDE`-th code point starts."""
        starts = [0]
        for offset in range(0, len(self.text) - _STRIDE, _STRIDE):
            starts.append(starts[-1] + _byte_length(self.text[offset : offset + _STRIDE]))
        return starts

    @cached_property
    def _root_starts(self) -> list[int]:
        return [root.start_byte for root in self.roots]

    def _block_starts(self, root: Node) -> list[int]:
        """The bytes at which a decorator, `def` or `class` starts a line; only the first of one definition."""
        starts: list[int] = []
        decorated = False
        for match in _TOP_LEVEL.finditer(self._data):
            node = root.descendant_for_byte_range(match.start(), match.start() + 1)
            if node is not None and node.type.startswith("string"):
                continue
            if not decorated:
                starts.append(match.start())
            decorated = match[1] is not None
        return starts

    def _parse_range(self, start: int, end: int) -> Node:
        block = Range(_point(self._data, start), _point(self._data, end), start, end)
        return Parser(_LANGUAGE, included_ranges=[block]).parse(self._data).root_node


def _to_bytes(text: str) -> bytes:
    """UTF-8 in which a lone CR, which the parser does not know, is an LF. An editor may send a lone surrogate."""
    data = text.encode("utf-8", "surrogatepass")
    return _LONE_CR.sub(b"\n", data) if b"\r" in data else data


def _byte_length(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _point(data: bytes, byte: int, known_byte: int = 0, known: Point = _ORIGIN) -> Point:
    """The row and column of `byte`, counted on from a byte before it whose point is known."""
    rows = data.count(b"\n", known_byte, byte)
    if not rows:
        return Point(known.row, known.column + byte - known_byte)
    return Point(known.row + rows, byte - data.rindex(b"\n", 0, byte) - 1)


def _starts_definition(root: Node, start: int) -> bool:
    node = root.descendant_for_byte_range(start, start + 1)
    parent = node.parent if node is not None else None
    return parent is not None and parent.type in ("function_definition", "class_definition", "decorator")
