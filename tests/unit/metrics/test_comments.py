"""Comments, and what is none."""

import tokenize
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish_analyzers.metrics.comments import Comment, comments


def test_text_and_line_of_each_comment() -> None:
    text = '# first  \nx = "# no"  # second\r\n\r\ndef f():\n    """# no"""\n    return 1\n    # last'
    assert comments(text) == (
        Comment(text="# first", line=1),
        Comment(text="# second", line=2),
        Comment(text="# last", line=7),
    )


def test_comments_are_found_beside_errors_and_with_lone_carriage_returns() -> None:
    assert [comment.line for comment in comments("def f(:  # one\r    x = = 2  # two\r# three")] == [1, 2, 3]


@pytest.mark.parametrize(
    "text",
    [
        "# noqa",
        "# NOQA: E501",
        "#type: ignore[arg-type]",
        "# pylint: disable=all",
        "# pragma: no cover",
        "# fmt: off",
        "# ruff: noqa",
        "# why it is so  # noqa: B008",
        "#!/usr/bin/env python",
        "# -*- coding: utf-8 -*-",
    ],
)
def test_pragmas(text: str) -> None:
    assert Comment(text=text, line=1).is_pragma


@pytest.mark.parametrize("text", ["# the type of x", "# noqaed", "# pragmatic", "# format: see above"])
def test_prose_is_no_pragma(text: str) -> None:
    assert not Comment(text=text, line=1).is_pragma


_lines = st.sampled_from(["", "x = 1", "x = '#'  # a", "# b", "if x:  # c", "    y = '''", "#'''", "    # d", "pass"])


@given(st.lists(_lines, max_size=8))
def test_same_as_the_tokenizer_where_that_can_read(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    try:
        compile(text, "text", "exec")
    except SyntaxError:
        return
    tokens = tokenize.generate_tokens(StringIO(text).readline)
    expected = [(token.string, token.start[0]) for token in tokens if token.type == tokenize.COMMENT]
    assert [(comment.text, comment.line) for comment in comments(text)] == expected
