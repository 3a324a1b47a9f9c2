"""Lines and positions, in all three encodings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish_analyzers.source.line_index import LineIndex, Position, PositionEncoding, Span, split_lines
from burnish_analyzers.source.matching import common_affixes

# Emoji, a flag, a combining accent, a joined family, form feed, U+2028, next line, and the three newlines.
ODD = [
    "a",
    "é",
    "€",
    "😀",
    "🇳🇴",
    "e\u0301",
    "👩\u200d👧",
    "\f",
    "\v",
    "\u2028",
    "\x85",
    "\x1c",
    "\t",
    "\n",
    "\r\n",
    "\r",
]
texts = st.lists(st.one_of(st.sampled_from(ODD), st.text(max_size=3)), max_size=30).map("".join)
encodings = st.sampled_from(PositionEncoding)
UNITS = {PositionEncoding.UTF8: "utf-8", PositionEncoding.UTF16: "utf-16-le", PositionEncoding.UTF32: "utf-32-le"}
WIDTH = {PositionEncoding.UTF8: 1, PositionEncoding.UTF16: 2, PositionEncoding.UTF32: 4}


def inside_crlf(text: str, offset: int) -> bool:
    return text[offset - 1 : offset + 1] == "\r\n" and offset > 0


@given(texts, encodings)
def test_every_offset_survives_the_way_to_a_position_and_back(text: str, encoding: PositionEncoding) -> None:
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        there_and_back = index.offset_at(index.position_at(offset, encoding), encoding)
        assert there_and_back == (offset - 1 if inside_crlf(text, offset) else offset)


@given(texts, encodings)
def test_a_character_counts_code_units_of_its_encoding(text: str, encoding: PositionEncoding) -> None:
    index = LineIndex(text)
    for line in range(index.line_count):
        span = index.line_span(line)
        for offset in range(span.start, span.end + 1):
            units = len(text[span.start : offset].encode(UNITS[encoding])) // WIDTH[encoding]
            assert index.position_at(offset, encoding) == Position(line, units)


@given(texts, encodings, st.integers(-2, 20), st.integers(-2, 60))
def test_any_position_is_clamped_into_its_line(
    text: str, encoding: PositionEncoding, line: int, character: int
) -> None:
    index = LineIndex(text)
    offset = index.offset_at(Position(line, character), encoding)
    if line < 0:
        assert offset == 0
    elif line >= index.line_count:
        assert offset == len(text)
    else:
        span = index.line_span(line)
        assert span.start <= offset <= span.end
        # The nearest place at or before the wanted character.
        found = index.position_at(offset, encoding).character
        assert found <= max(0, character)
        if offset < span.end:
            assert index.position_at(offset + 1, encoding).character > max(0, character)


@given(texts)
def test_lines_end_at_lf_crlf_and_cr_only(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    index = LineIndex(text)
    assert [index.line_span(line).of(text) for line in range(index.line_count)] == lines
    assert "".join(split_lines(text)) == text
    assert len(split_lines(text)) == index.line_count - (not lines[-1])


@given(texts, st.integers(0, 60), st.integers(0, 10), texts)
def test_the_index_of_an_edited_text(old: str, start: int, length: int, inserted: str) -> None:
    new = old[:start] + inserted + old[start + length :]
    edited, fresh = LineIndex(old).edited(new, *common_affixes(old, new)), LineIndex(new)
    assert [edited.line_start(line) for line in range(edited.line_count)] == [
        fresh.line_start(line) for line in range(fresh.line_count)
    ]


@given(texts)
def test_line_of_agrees_with_the_line_starts(text: str) -> None:
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        line = index.line_of(offset)
        assert index.line_start(line) <= offset
        assert line + 1 == index.line_count or offset < index.line_start(line + 1)


@pytest.mark.parametrize(
    ("encoding", "character", "expected"),
    [
        (PositionEncoding.UTF16, 2, 1),  # in the middle of the surrogate pair
        (PositionEncoding.UTF16, 3, 2),
        (PositionEncoding.UTF8, 2, 1),
        (PositionEncoding.UTF8, 4, 1),
        (PositionEncoding.UTF8, 5, 2),
        (PositionEncoding.UTF32, 2, 2),
    ],
)
def test_inside_a_code_point_is_its_start(encoding: PositionEncoding, character: int, expected: int) -> None:
    assert LineIndex("x\na😀b\n").offset_at(Position(1, character), encoding) == 2 + expected


def test_past_the_end_of_a_line_is_before_its_newline() -> None:
    index = LineIndex("ab\r\ncd\re")
    assert [index.offset_at(Position(line, 99), PositionEncoding.UTF16) for line in range(4)] == [2, 6, 8, 8]


def test_a_lone_surrogate_from_an_editor_is_one_character() -> None:
    index = LineIndex("é\ud800x")
    for encoding in PositionEncoding:
        assert index.offset_at(index.position_at(2, encoding), encoding) == 2


def test_a_line_outside_the_text_is_an_error() -> None:
    with pytest.raises(IndexError, match="2 lines"):
        LineIndex("a\n").line_span(2)


def test_a_span_goes_forward() -> None:
    with pytest.raises(ValueError, match="cannot go from 3 to 1"):
        Span(3, 1)
