"""Lines, and the two ways to name a place: an offset in code points, or a line and a character.

Only LF, CRLF and CR end a line, as in Python and in the language server protocol; `str.splitlines` also splits on form
feeds, U+2028 and others, which are ordinary characters inside a Python line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

_NEWLINE = re.compile(r"\r\n|\n|\r")
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))


class PositionEncoding(StrEnum):
    """What one `Position.character` counts."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


@dataclass(frozen=True, order=True)
class Position:
    """A 0-based line, and a 0-based character in the units of a `PositionEncoding`."""

    line: int
    character: int


@dataclass(frozen=True, order=True)
class Span:
    """Code points from `start` up to, not including, `end`."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span cannot go from {self.start} to {self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def contains(self, other: Span) -> bool:
        """Whether all of `other` lies in this span; an empty span at either edge does."""
        return self.start <= other.start and other.end <= self.end

    def of(self, text: str) -> str:
        """The part of `text` that this span covers."""
        return text[self.start : self.end]


def split_lines(text: str) -> list[str]:
    """The lines of `text` with their newlines, which joined are `text` again; a final newline starts no other line."""
    starts = _line_starts(text)
    lines = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    return lines if lines[-1] else lines[:-1]


def without_newline(line: str) -> str:
    """`line` without the newline at its end, if it has one."""
    if line.endswith("\r\n"):
        return line[:-2]
    return line[:-1] if line.endswith(("\n", "\r")) else line


def newline_of(line: str) -> str:
    r"""The newline that ends `line`: "\n", "\r\n", "\r" or ""."""
    return line[len(without_newline(line)) :]


class LineIndex:
    """Where the lines of one text begin. A text that ends with a newline has an empty last line, as in an editor."""

    def __init__(self, text: str, starts: list[int] | None = None) -> None:
        self._text = text
        self._starts = _line_starts(text) if starts is None else starts

    def edited(self, new_text: str, prefix: int, suffix: int) -> LineIndex:
        """The index of `new_text`, which has `prefix` code points at its start and `suffix` at its end in common."""
        old_end, new_end = len(self._text) - suffix, len(new_text) - suffix
        # The line before the edit starts where it did: its first character is in the common part, even if it is an LF.
        kept = self._starts[: self.line_of(prefix - 1) + 1]
        changed = (kept[-1] + match.end() for match in _NEWLINE.finditer(new_text[kept[-1] : new_end + 1]))
        moved = self._starts[bisect_right(self._starts, old_end) :]
        shift = new_end - old_end
        starts = [*kept, *(start for start in changed if start <= new_end), *(start + shift for start in moved)]
        return LineIndex(new_text, starts)

    @property
    def line_count(self) -> int:
        """The number of lines, at least 1."""
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """The 0-based line that holds `offset`; a newline belongs to the line that it ends."""
        return bisect_right(self._starts, max(0, offset)) - 1

    def line_start(self, line: int) -> int:
        """Where the 0-based `line` starts; the end of the text for a line past the last."""
        return self._starts[line] if line < len(self._starts) else len(self._text)

    def line_span(self, line: int) -> Span:
        """The 0-based `line` without its newline. Raises IndexError outside the text."""
        if not 0 <= line < len(self._starts):
            raise IndexError(f"the text has {len(self._starts)} lines, no line {line}")
        start, end = self._starts[line], self.line_start(line + 1)
        if end > start and self._text[end - 1] == "\n":
            end -= 1
        if end > start and self._text[end - 1] == "\r":
            end -= 1
        return Span(start, end)

    def offset_at(self, position: Position, encoding: PositionEncoding) -> int:
        """The offset of `position`, clamped into the text.

        Past the end of a line gives the place before its newline, inside a code point its start, and past the last line
        the end of the text.
        """
        if position.line < 0:
            return 0
        if position.line >= len(self._starts):
            return len(self._text)
        span = self.line_span(position.line)
        character = max(0, position.character)
        line = span.of(self._text)
        if encoding is PositionEncoding.UTF32 or line.isascii():
            return span.start + min(character, len(line))
        return span.start + _code_points(line, character, encoding)

    def position_at(self, offset: int, encoding: PositionEncoding) -> Position:
        """The position of `offset`, clamped into the text; inside a CRLF that is the place before it."""
        line = self.line_of(min(offset, len(self._text)))
        span = self.line_span(line)
        before = self._text[span.start : min(max(offset, span.start), span.end)]
        if encoding is PositionEncoding.UTF32 or before.isascii():
            return Position(line, len(before))
        if encoding is PositionEncoding.UTF8:
            return Position(line, len(before.encode("utf-8", "surrogatepass")))
        return Position(line, len(before.encode("utf-16-le", "surrogatepass")) // 2)


def _line_starts(text: str) -> list[int]:
    carriage_returns = text.count("\r")
    if carriage_returns and carriage_returns != text.count("\r\n"):
        return [0, *(match.end() for match in _NEWLINE.finditer(text))]
    # Every line ends with LF here, and `split` is several times as fast as a regular expression.
    lengths = map(len, text.split("\n")[:-1])
    return [0, *(total + newlines for newlines, total in enumerate(accumulate(lengths), 1))]


def _code_points(line: str, character: int, encoding: PositionEncoding) -> int:
    """How many whole code points of `line` end at or before `character`."""
    if encoding is PositionEncoding.UTF8:
        data = line.encode("utf-8", "surrogatepass")
        leads = len(data[:character].translate(None, _CONTINUATION_BYTES))
        inside = character < len(data) and 0x80 <= data[character] < 0xC0
        return leads - inside
    data = line.encode("utf-16-le", "surrogatepass")
    cut = 2 * character
    if cut >= len(data):
        return len(line)
    before = data[:cut]
    high_surrogate = cut > 0 and 0xD8 <= before[-1] < 0xDC and 0xDC <= data[cut + 1] < 0xE0
    return len(before.decode("utf-16-le", "surrogatepass")) - high_surrogate
