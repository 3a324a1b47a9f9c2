"""Put new code in the place of old code: its indentation, its untouched lines and its newlines become the old ones."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from tree_sitter import Node

from burnish_analyzers.source.line_index import Span, newline_of, split_lines, without_newline
from burnish_analyzers.source.matching import matching_blocks
from burnish_analyzers.source.tree import SyntaxTree

_BLANKS = " \t\f"
_TAB_COLUMNS = 8
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_BLOCK_INDENT = re.compile(r"^([ \t]*)[^\s#][^\r\n]*:[ \t]*(?:\r\n|\n|\r)\1([ \t]+)\S", re.MULTILINE)


class LineKind(Enum):
    """What the beginning of a line is inside of."""

    CODE = auto()
    COMMENT = auto()
    CONTINUATION = auto()
    STRING = auto()
    DOCSTRING = auto()
    BLANK = auto()


@dataclass(frozen=True, kw_only=True)
class CodeLine:
    """One line. `depth` is the number of blocks that it is in, of its statement for a line that continues one.

    `string` is, for a line inside a string other than a docstring, that string without the indentation of its lines.
    """

    kind: LineKind
    indent: str
    content: str
    newline: str
    depth: int = 0
    string: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for two lines that are the same but for their indentation."""
        if self.kind in (LineKind.STRING, LineKind.DOCSTRING, LineKind.BLANK):
            return self.kind, self.content, self.string
        return self.kind, self.content, self.depth

    @property
    def column(self) -> int:
        """The column of the content, with tabs as wide as Python has them."""
        return len(self.indent.replace("\f", "").expandtabs(_TAB_COLUMNS))


def code_lines(tree: SyntaxTree, span: Span, indent: str) -> list[CodeLine]:
    """The lines of `span`, which starts after the `indent` of its first line."""
    kinds, strings = _kinds(tree, span)
    texts = split_lines(indent + span.of(tree.text))
    lines = []
    for number, text in enumerate(texts):
        raw = without_newline(text)
        kind = kinds.get(number, LineKind.CODE)
        # Blanks before the newline matter where a string goes on.
        inside = kinds.get(number + 1) in (LineKind.STRING, LineKind.DOCSTRING)
        content = raw.lstrip(_BLANKS) if inside else raw.strip(_BLANKS)
        if kind is LineKind.CODE and not content:
            kind = LineKind.BLANK
        elif kind is LineKind.CODE and content.startswith("#"):
            kind = LineKind.COMMENT
        indent_length = len(raw) - len(raw.lstrip(_BLANKS))
        lines.append(
            CodeLine(
                kind=kind,
                indent=raw[:indent_length],
                content=content,
                newline=newline_of(text),
                string=strings.get(number, ""),
            )
        )
    return _with_depths(lines)


def fit_lines(old: Sequence[CodeLine], new: Sequence[CodeLine], file_step: str, newline: str) -> str:
    """`new` as a text in the place of `old`.

    A line that `old` has too, but for its indentation, comes out as it is there. The others get the indentation that
    `old` has at their depth, or `file_step` more for each block deeper. The inside of a string stays as it is in `new`;
    only docstrings move along with their statement.
    """
    target = _Target(old, new, file_step)
    fitted = [replace(target.fit(index), newline=newline) for index in range(len(new))]
    kept = list(fitted)
    for a, b, size in matching_blocks([line.key for line in old], [line.key for line in new]):
        kept[b : b + size] = old[a : a + size]
    # Where one depth has several widths in `old`, lines kept from there may not go together with the others.
    if _depths(_with_depths(kept)) == _depths(new):
        fitted = kept
    text = "".join(line.indent + line.content + (line.newline or newline) for line in fitted)
    return without_newline(text)[len(fitted[0].indent) :]


def indent_step(text: str) -> str:
    """What one block more adds to the indentation in most of the file's blocks; four spaces in a file without any."""
    steps = Counter(match[2] for match in _BLOCK_INDENT.finditer(text))
    return steps.most_common(1)[0][0] if steps else "    "


class _Target:
    """Where the lines of `new` are to be indented to."""

    def __init__(self, old: Sequence[CodeLine], new: Sequence[CodeLine], file_step: str) -> None:
        self._new = new
        widths: dict[int, Counter[str]] = {}
        for line in old:
            if line.kind is LineKind.CODE:
                widths.setdefault(line.depth, Counter())[line.indent] += 1
        self._indents = {depth: counter.most_common(1)[0][0] for depth, counter in widths.items()} or {0: ""}
        base, body = self._indents.get(0, ""), self._indents.get(1, "")
        self._step = body[len(base) :] if len(body) > len(base) and body.startswith(base) else file_step
        code = [line for line in new if line.kind is LineKind.CODE]
        deeper = [after.column - before.column for before, after in pairwise(code) if after.depth > before.depth]
        self._new_step = min(deeper, default=4)

    def fit(self, index: int) -> CodeLine:
        """The line of that index, indented as it has to be."""
        line = self._new[index]
        if line.kind in (LineKind.CODE, LineKind.COMMENT):
            return replace(line, indent=self._indent(line.depth))
        if line.kind is LineKind.BLANK:
            return replace(line, indent="")
        head = next(line for line in reversed(self._new[:index]) if line.kind is LineKind.CODE)
        target = self._indent(head.depth)
        foreign = "\t" in self._step and line.indent.startswith(" ")
        columns = line.column - head.column
        if line.kind is LineKind.STRING or not line.content or (target == head.indent and not foreign):
            return line
        if columns < 0 and line.kind is LineKind.DOCSTRING:
            return line
        return replace(line, indent=target + self._padding(max(0, columns)))

    def _indent(self, depth: int) -> str:
        known = max(one for one in self._indents if one <= depth)
        return self._indents[known] + self._step * (depth - known)

    def _padding(self, columns: int) -> str:
        if "\t" in self._step:
            return "\t" * -(-columns // self._new_step)
        return self._step if columns == self._new_step else " " * columns


def _with_depths(lines: Iterable[CodeLine]) -> list[CodeLine]:
    """The lines with the depths that their indentation gives them, as Python's tokenizer has it."""
    placed: list[CodeLine] = []
    columns: list[int] = []
    comments: list[int] = []
    for line in lines:
        if line.kind is LineKind.CODE:
            before = columns
            columns = [*(column for column in before if column < line.column), line.column]
            _place_comments(placed, comments, columns if len(columns) > len(before) else before)
        elif line.kind is LineKind.COMMENT:
            comments.append(len(placed))
        placed.append(replace(line, depth=max(0, len(columns) - 1)))
    _place_comments(placed, comments, columns)
    return placed


def _place_comments(placed: list[CodeLine], comments: list[int], columns: list[int]) -> None:
    """Give the pending comments the depth that their column has among the blocks around them."""
    for index in comments:
        depth = max(0, bisect_right(columns, placed[index].column) - 1)
        placed[index] = replace(placed[index], depth=depth)
    comments.clear()


def _depths(lines: Iterable[CodeLine]) -> list[int]:
    return [line.depth for line in lines if line.kind is LineKind.CODE]


def _kinds(tree: SyntaxTree, span: Span) -> tuple[dict[int, LineKind], dict[int, str]]:
    """The kind of each line of `span` that begins inside a string or goes on from the line before, and the strings.

    Lines are counted from the first of the span.
    """
    first = tree.lines.line_of(span.start)
    kinds: dict[int, LineKind] = {}
    strings: dict[int, str] = {}
    opened: list[int] = []
    for node in tokens(tree, span):
        start = tree.lines.line_of(tree.offset_of(node.start_byte)) - first
        if node.type in _OPENING:
            opened.append(start)
        elif node.type in _CLOSING and opened:
            for line in range(opened.pop() + 1, start + 1):
                kinds.setdefault(line, LineKind.CONTINUATION)
        elif node.type == "line_continuation":
            kinds.setdefault(start + 1, LineKind.CONTINUATION)
        elif node.type == "string":
            end = tree.lines.line_of(tree.offset_of(node.end_byte)) - first
            docstring = node.parent is not None and node.parent.type == "expression_statement"
            for line in range(start + 1, end + 1):
                kinds[line] = LineKind.DOCSTRING if docstring else LineKind.STRING
                strings[line] = "" if docstring else _without_indentation(tree.source(node))
    return kinds, strings


def tokens(tree: SyntaxTree, span: Span) -> Iterator[Node]:
    """The smallest nodes in `span`, and strings whole, in order. No recursion: expressions can be very deep."""
    start, end = tree.byte_of(span.start), tree.byte_of(span.end)
    pending = [tree.holding(span)]
    while pending:
        node = pending.pop()
        if node.end_byte <= start or node.start_byte >= end:
            continue
        if node.type == "string" or not node.child_count:
            yield node
        else:
            pending += reversed(node.children)


def _without_indentation(text: str) -> str:
    return "\n".join(without_newline(line).lstrip(_BLANKS) for line in split_lines(text))
