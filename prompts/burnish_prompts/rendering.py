"""Puts the templates and examples together into the messages of a chat.

What never changes comes first (role, examples, the user's code), so that providers' prompt caches hit; the rest is
only ever appended to.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template
from typing import Any, Literal, TypedDict

Role = Literal["critique", "edit"]

ASPECTS: Mapping[str, tuple[str, ...]] = {
    "performance": ("algorithm", "data_structures", "repeated_work", "builtins"),
    "readability": ("names", "structure", "comments", "idiom"),
}
"""What the critic scores, for each goal."""


_LONGEST_TEXT = 400
"""In characters. Weak models repeat one sentence until somebody stops them."""


class Message(TypedDict):
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


class Remark(TypedDict):
    """One finding of a critique, as the critic writes it."""

    aspect: str
    start_line: int
    end_line: int
    problem: str
    change: str
    evidence: str
    severity: int


def render(role: Role, goal: str, *, unit: str, history: str, subject: str) -> list[Message]:
    """The whole chat for one request: instructions, worked examples, and the code at hand.

    `unit` is such as "method `Cache.get`", `history` is rendered steps, joined by blank lines, and `subject` is what is
    to be criticised or rewritten ("candidate 2").
    """
    system: Message = {"role": "system", "content": _template(f"{role}/{goal}.txt").template.strip()}
    request = _request(role, goal, unit=unit, history=history, subject=subject)
    return [system, *_example_messages(role, goal), {"role": "user", "content": request}]


def render_step(
    title: str,
    code: str | None,
    facts: Iterable[str] = (),
    remarks: Iterable[Remark] = (),
    *,
    numbered: bool,
) -> str:
    """One version of the code with what was measured, which checks it failed, and the feedback that it got.

    With `numbered`, lines carry the numbers that findings refer to; without code (None) it is said to be left out.
    """
    lines = [f"## {title}", "(code left out)" if code is None else _fenced(code, numbered=numbered), *facts]
    feedback = [_remark(remark) for remark in remarks]
    if feedback:
        lines += ["Feedback:", *feedback]
    return "\n".join(lines)


def critique_schema(goal: str) -> dict[str, Any]:
    """The JSON schema of a critique, in the strict subset that endpoints take."""
    aspects = ASPECTS[goal]
    text, line = {"type": "string", "maxLength": _LONGEST_TEXT}, {"type": "integer"}
    finding = {
        "aspect": {"type": "string", "enum": list(aspects)},
        "start_line": line,
        "end_line": line,
        "problem": text,
        "change": text,
        "evidence": text,
        "severity": {"type": "integer", "enum": [1, 2, 3]},
    }
    return _object(
        {
            "findings": {"type": "array", "items": _object(finding), "maxItems": 4},
            "scores": _object({aspect: {"type": "number"} for aspect in aspects}),
            "stop": {"type": "boolean"},
        }
    )


@cache
def version() -> str:
    """Names the state of all templates and examples: it changes whenever one of them does."""
    digest = hashlib.sha256()
    for folder in (_data("templates"), _data("examples")):
        for child in sorted(folder.iterdir(), key=lambda path: path.name):
            for path in sorted(child.iterdir(), key=lambda path: path.name):
                digest.update(f"{child.name}/{path.name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


@cache
def examples(goal: str) -> tuple[dict[str, Any], ...]:
    """The worked examples for a goal, in order, as their files hold them."""
    folder = _data("examples") / goal
    paths = sorted(folder.iterdir(), key=lambda path: path.name)
    return tuple(tomllib.loads(path.read_text(encoding="utf-8")) for path in paths)


def _example_messages(role: Role, goal: str) -> list[Message]:
    messages: list[Message] = []
    for example in examples(goal):
        answer = json.dumps(example["critique"]) if role == "critique" else _fenced(example.get("rewrite", ""))
        if role == "edit" and "rewrite" not in example:
            continue
        *earlier, latest = example["steps"]
        latest_remarks = example["critique"]["findings"] if role == "edit" else ()
        shown = [*((step, ()) for step in earlier), (latest, latest_remarks)]
        history = "\n\n".join(
            render_step(title(number), step["code"], step["facts"], remarks, numbered=role == "critique")
            for number, (step, remarks) in enumerate(shown)
        )
        request = _request(role, goal, unit=example["unit"], history=history, subject=subject(len(earlier)))
        messages += [{"role": "user", "content": request}, {"role": "assistant", "content": answer}]
    return messages


def title(iteration: int) -> str:
    """The heading of a version; 0 is the user's code."""
    return f"Candidate {iteration}" if iteration else "Original"


def subject(iteration: int) -> str:
    """How a request names a version."""
    return f"candidate {iteration}" if iteration else "the original"


def _request(role: Role, goal: str, **fields: str) -> str:
    return _template(f"{role}/request.txt").substitute(fields, goal=goal).strip()


def _remark(remark: Remark) -> str:
    start, end = remark["start_line"], remark["end_line"]
    place = f"line {start}" if start == end else f"lines {start}-{end}"
    parts = (remark["problem"], remark["change"], remark["evidence"])
    return f"- {place} ({remark['aspect']}): " + " ".join(" ".join(part.split()) for part in parts if part.strip())


def _fenced(code: str, *, numbered: bool = False) -> str:
    code = code.strip("\r\n")
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", code)), default=0))
    if numbered:
        code = "\n".join(f"{number:3}| {line}" for number, line in enumerate(code.split("\n"), start=1))
    return f"{fence}python\n{code}\n{fence}"


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


@cache
def _template(name: str) -> Template:
    return Template(_data("templates").joinpath(name).read_text(encoding="utf-8"))


def _data(folder: str) -> Traversable:
    return files("burnish_prompts") / folder
