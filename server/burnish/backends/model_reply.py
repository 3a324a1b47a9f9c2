"""What a model's reply holds: the code after the reasoning, or the critique."""

from __future__ import annotations

import ast
import json
import math
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from burnish.engine.history import Critique, Finding
from burnish_analyzers.errors import BackendError, SourceError

Fitted = tuple[str, tuple[str, ...]]
Fit = Callable[[str], Fitted]


class UnusableReplyError(BackendError):
    """The model answered, but not in a way that can be used; it may be asked once more."""


_REASONING = re.compile(r"(?ms)^[ \t]*<(think|thinking|thought|reasoning|reflection)>.*?</\1>")
_REASONING_END = re.compile(r"(?m)^.*</(?:think|thinking|thought|reasoning|reflection)>[ \t]*$")
_REASONING_START = re.compile(r"(?m)^[ \t]*<(?:think|thinking|thought|reasoning|reflection)>")
_FENCE = re.compile(r"^[ \t]{0,3}(?P<marks>`{3,}|~{3,})[ \t]*(?P<language>[^`\s]*)[^`]*$")


def without_reasoning(reply: str) -> str:
    """The reply without its reasoning blocks; chat templates may have eaten the opening or the closing tag."""
    kept, end = "", 0
    for block in _REASONING.finditer(reply):
        kept += reply[end : block.start()]
        kept += block[0] if _opens_fence(kept) else ""
        end = block.end()
    reply = kept + reply[end:]
    ends = [tag for tag in _REASONING_END.finditer(reply) if not _opens_fence(reply[: tag.start()])]
    reply = reply[ends[-1].end() :] if ends else reply
    starts = [tag for tag in _REASONING_START.finditer(reply) if not _opens_fence(reply[: tag.start()])]
    return reply[: starts[0].start()] if starts else reply


def _opens_fence(text: str) -> bool:
    """Whether the end of `text` is inside a code block: a tag there is part of the code."""
    opened = ""
    for line in text.splitlines():
        fence = _FENCE.match(line)
        if fence and not opened:
            opened = fence["marks"]
        elif fence and fence["marks"].startswith(opened) and not fence["language"]:
            opened = ""
    return bool(opened)


def read_code(reply: str, fit: Fit) -> Fitted:
    """The unit's new text and imports, from the last code block that holds the unit.

    `fit` fits one block into the file and raises SourceError where it cannot. Raises UnusableReplyError.
    """
    answer = without_reasoning(reply)
    if not answer.strip():
        raise UnusableReplyError("The model's reply is empty.")
    fault: SourceError | None = None
    for block in _code_blocks(answer):
        try:
            return fit(block)
        except SourceError as error:
            fault = fault or error
    if fault is None:
        raise UnusableReplyError("The model's reply holds no code block.")
    raise UnusableReplyError(str(fault)) from fault


def _code_blocks(answer: str) -> Iterator[str]:
    """What may be the code, most likely first: the blocks from the last to the first, then odder readings."""
    lines = answer.splitlines(keepends=True)
    fences = [(number, fence) for number, line in enumerate(lines) if (fence := _FENCE.match(line.rstrip("\r\n")))]
    blocks, opened = [], None
    for number, fence in fences:
        if opened is None:
            opened = (number, fence)
        elif fence["marks"].startswith(opened[1]["marks"]) and not fence["language"]:
            blocks.append("".join(lines[opened[0] + 1 : number]))
            opened = None
    if opened is not None:  # the model forgot to close its last block
        blocks.append("".join(lines[opened[0] + 1 :]))
    yield from reversed(blocks)
    if len(fences) > 2:  # a docstring in the code has fences of its own
        yield "".join(lines[fences[0][0] + 1 : fences[-1][0]])
    if not fences and _is_python(answer):
        yield answer


def _is_python(text: str) -> bool:
    try:
        return bool(ast.parse(textwrap.dedent(text)).body)
    except (SyntaxError, ValueError):
        return False


def read_critique(reply: str, aspects: Sequence[str], line_count: int) -> tuple[Critique, int]:
    """The critique in a reply, as JSON or as plain text, and how many findings were dropped as pointing nowhere.

    Raises UnusableReplyError.
    """
    answer = without_reasoning(reply)
    if not answer.strip():
        raise UnusableReplyError("The model's critique is empty.")
    data = _json_object(answer)
    if data is None:
        data = _from_text(answer, aspects)
    if not data.keys() & {"findings", "scores", "stop"}:
        raise UnusableReplyError("The model's critique names no finding, score or stop.")
    listed = data.get("findings")
    read = [_finding(each, line_count) for each in listed] if isinstance(listed, list) else []
    findings = tuple(finding for finding in read if finding is not None)
    critique = Critique(findings=findings, scores=_scores(data.get("scores"), aspects), stop=data.get("stop") is True)
    return critique, len(read) - len(findings)


def _json_object(answer: str) -> dict[str, Any] | None:
    """The first JSON object in the text that looks like a critique."""
    decoder = json.JSONDecoder()
    for brace in re.finditer(r"\{", answer):
        try:
            data, _ = decoder.raw_decode(answer, brace.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict) and data.keys() & {"findings", "scores", "stop"}:
            return data
    return None


def _finding(data: object, line_count: int) -> Finding | None:
    """One finding; None where it has no text or points at lines that do not exist."""
    if not isinstance(data, Mapping):
        return None
    texts = {key: str(data.get(key) or "").strip() for key in ("aspect", "problem", "change", "evidence")}
    start = _whole(data.get("start_line"), 1)
    end = _whole(data.get("end_line"), line_count if data.get("start_line") is None else start)
    if not (texts["problem"] or texts["change"]) or not 1 <= start <= end <= line_count:
        return None
    severity = min(3, max(1, _whole(data.get("severity"), 1)))
    return Finding(start_line=start, end_line=end, severity=severity, **texts)


def _whole(value: object, default: int) -> int:
    """A whole number, also where it came as text; 0, which no line has, where it is something else."""
    if value is None:
        return default
    try:
        return int(float(str(value)))
    except (ValueError, OverflowError):
        return 0


def _scores(data: object, aspects: Sequence[str]) -> tuple[tuple[str, float], ...]:
    if not isinstance(data, Mapping):
        return ()
    numbers = ((aspect, data.get(aspect)) for aspect in aspects)
    return tuple(
        (aspect, min(10.0, max(0.0, float(number))))
        for aspect, number in numbers
        if isinstance(number, int | float) and not isinstance(number, bool) and math.isfinite(number)
    )


_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+(?P<text>\S.*)$")
_LINES = re.compile(r"(?i)\blines?\s+(?P<start>\d+)(?:\s*(?:-|–|to|and)\s*(?P<end>\d+))?")
_STOP = re.compile(r"(?i)^\W*stop\W*(?:(?P<answer>true|yes|false|no)\W*)?$")


def _from_text(answer: str, aspects: Sequence[str]) -> dict[str, Any]:
    """What a critique in prose says: its list items are findings; scores and a stop stand on lines of their own."""
    data: dict[str, Any] = {}
    score = re.compile(rf"(?i)^\W*(?P<aspect>{'|'.join(aspects)})\W+(?P<value>\d+(?:\.\d+)?)(?:\s*/\s*10)?\W*$")
    for line in answer.splitlines():
        if stop := _STOP.match(line):
            data["stop"] = (stop["answer"] or "true").lower() in ("true", "yes")
        elif scored := score.match(line):
            data.setdefault("scores", {})[scored["aspect"].lower()] = float(scored["value"])
        elif item := _ITEM.match(line):
            place = _LINES.search(item["text"])
            aspect = next((aspect for aspect in aspects if aspect in item["text"].lower()), aspects[0])
            lines = {"start_line": place["start"], "end_line": place["end"] or place["start"]} if place else {}
            data.setdefault("findings", []).append({"aspect": aspect, "problem": item["text"], **lines})
    return data
