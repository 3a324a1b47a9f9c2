"""Between the protocol's types and ours, both ways; the only place where positions change their units."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from burnish.lsp.extensions import REFINE_COMMAND
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.edits import TextEdit
from burnish_analyzers.source.line_index import LineIndex, Position, PositionEncoding, Span


def path_of(uri: str) -> str | None:
    """The path of a `file:` URI of this machine, None for any other. "%3A" and the like are decoded.

    On Windows a drive letter loses the slash before it; elsewhere "/c:" is a folder like any other.
    """
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = unquote(parts.path)
    return os.path.normpath(path.lstrip("/")) if os.name == "nt" else path


def span_of(range_: types.Range, index: LineIndex, encoding: PositionEncoding) -> Span:
    """The code points of a range; one that lies outside the text is clamped, a reversed one is empty."""
    start, end = (
        index.offset_at(Position(position.line, position.character), encoding)
        for position in (range_.start, range_.end)
    )
    return Span(start, max(start, end))


def range_of(span: Span, index: LineIndex, encoding: PositionEncoding) -> types.Range:
    """The range of some code points."""
    start, end = (index.position_at(offset, encoding) for offset in (span.start, span.end))
    return types.Range(start=types.Position(start.line, start.character), end=types.Position(end.line, end.character))


def text_edits_of(edits: Iterable[TextEdit], index: LineIndex, encoding: PositionEncoding) -> list[types.TextEdit]:
    """Edits of the text of `index`, as the protocol writes them."""
    return [types.TextEdit(range=range_of(edit.span, index, encoding), new_text=edit.new_text) for edit in edits]


@dataclass(frozen=True, kw_only=True)
class RefineArguments:
    """What our command is told: the unit as it was in that version of the document. Lines are 1-based, inclusive."""

    uri: str
    version: int | None
    qualname: str
    start_line: int
    end_line: int
    goal: Goal

    @classmethod
    def of(cls, arguments: Sequence[Any]) -> RefineArguments:
        """From the JSON of the command. Raises JsonRpcInvalidParams."""
        match arguments:
            case [
                {"uri": str(uri), "qualname": str(qualname), "startLine": int(start), "endLine": int(end), "goal": goal}
            ] if goal in tuple(Goal):
                version = arguments[0].get("version")
                return cls(
                    uri=uri,
                    version=version if isinstance(version, int) else None,
                    qualname=qualname,
                    start_line=start,
                    end_line=end,
                    goal=Goal(goal),
                )
        raise JsonRpcInvalidParams(
            f"{REFINE_COMMAND} needs one object with uri, version, qualname, startLine, endLine and goal "
            f"({' or '.join(Goal)})."
        )


def job_of(params: Any, method: str) -> str:
    """The job that a request or command names. Raises JsonRpcInvalidParams."""
    match params:
        case {"job": str(job)}:
            return job
    raise JsonRpcInvalidParams(f'{method} needs an object with the id of a job, {{"job": …}}.')
