"""URIs, ranges and the arguments of our commands."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from burnish.lsp.conversions import RefineArguments, job_of, path_of, range_of, span_of
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.line_index import LineIndex, PositionEncoding, Span

ARGUMENTS = {"uri": "u", "version": 3, "qualname": "A.f", "startLine": 1, "endLine": 2, "goal": "performance"}


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///work/code.py", "/work/code.py"),
        ("file://localhost/work/code.py", "/work/code.py"),
        ("file:///work/a%20b%23c%25.py", "/work/a b#c%.py"),
        ("file:///c%3A/work/code.py", "/c:/work/code.py"),
        ("file:///C:/work/code.py", "/C:/work/code.py"),
        ("file://server/share/code.py", None),
        ("untitled:Untitled-1", None),
        ("vscode-notebook-cell:/work/book.ipynb#W0", None),
        ("vscode-remote://wsl%2Bdebian/work/code.py", None),
    ],
)
def test_only_files_of_this_machine_have_a_path(uri: str, path: str | None) -> None:
    assert path_of(uri) == path


@given(
    text=st.text(st.sampled_from("ab\n\r\f\u2028é🎉"), max_size=40),
    ends=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    encoding=st.sampled_from(PositionEncoding),
)
def test_a_span_survives_the_way_to_the_client_and_back(
    text: str, ends: tuple[int, int], encoding: PositionEncoding
) -> None:
    start, end = sorted(
        offset - 1 if text[offset - 1 : offset + 1] == "\r\n" else offset
        for offset in (min(end, len(text)) for end in ends)
    )
    index = LineIndex(text)
    assert span_of(range_of(Span(start, end), index, encoding), index, encoding) == Span(start, end)


def test_a_reversed_range_is_empty() -> None:
    reversed_ = types.Range(types.Position(0, 3), types.Position(0, 1))
    assert span_of(reversed_, LineIndex("abcd"), PositionEncoding.UTF16) == Span(3, 3)


def test_reads_the_arguments_of_the_command() -> None:
    assert RefineArguments.of([ARGUMENTS]) == RefineArguments(
        uri="u", version=3, qualname="A.f", start_line=1, end_line=2, goal=Goal.PERFORMANCE
    )
    assert RefineArguments.of([{**ARGUMENTS, "version": None, "more": 1}]).version is None


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        [None],
        ["u"],
        [ARGUMENTS, ARGUMENTS],
        [{**ARGUMENTS, "goal": "beauty"}],
        [{**ARGUMENTS, "goal": ["performance"]}],
        [{**ARGUMENTS, "startLine": "1"}],
        [{key: value for key, value in ARGUMENTS.items() if key != "uri"}],
    ],
)
def test_says_what_the_command_needs(arguments: list[Any]) -> None:
    with pytest.raises(JsonRpcInvalidParams, match=r"^burnish\.server\.refine needs one object with uri"):
        RefineArguments.of(arguments)


@pytest.mark.parametrize("params", [None, {}, {"job": 1}, "job", ["job"]])
def test_says_that_a_job_is_missing(params: Any) -> None:
    assert job_of({"job": "id"}, "burnish/accept") == "id"
    with pytest.raises(JsonRpcInvalidParams, match=r"^burnish/accept needs an object with the id of a job"):
        job_of(params, "burnish/accept")
