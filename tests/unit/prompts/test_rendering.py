"""The prompts, word for word, and the truth of the examples in them.

After a deliberate change of a prompt, run this file with Python: it writes `rendered/` anew, for review in the diff.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from burnish_prompts import (
    ASPECTS,
    Message,
    Remark,
    Role,
    critique_schema,
    examples,
    render,
    render_step,
    version,
)

RENDERED = Path(__file__).parent / "rendered"
ROLES: tuple[Role, ...] = ("critique", "edit")
ORIGINAL = "def twice(items):\n    return [item * 2 for item in items]"
CANDIDATE = "def twice(items):\n    return items * 2"
REMARK = Remark(
    aspect="builtins",
    start_line=2,
    end_line=2,
    problem="A comprehension\ncosts a frame.",
    change="Use `map`.",
    evidence="",
    severity=2,
)
REQUESTS = list(product(ROLES, ASPECTS))
EXAMPLES = [
    pytest.param(example, id=f"{goal}-{number}")
    for goal in ASPECTS
    for number, example in enumerate(examples(goal), start=1)
]


def _rendered(role: Role, goal: str) -> str:
    numbered = role == "critique"
    steps = [
        render_step("Original", ORIGINAL, ["Measured: line 2 takes 90 %."], [REMARK], numbered=numbered),
        render_step("Candidate 1", CANDIDATE, ["Rejected by tests: 1 failed."], numbered=numbered),
        render_step("Candidate 2", None, ["Rejected by tests: 2 failed."], numbered=numbered),
    ]
    messages = render(role, goal, unit="function `twice`", history="\n\n".join(steps), subject="candidate 2")
    return _as_text(messages)


def _as_text(messages: list[Message]) -> str:
    return "\n".join(f"=== {message['role']} ===\n{message['content']}\n" for message in messages)


@pytest.mark.parametrize(("role", "goal"), REQUESTS)
def test_every_prompt_is_as_reviewed(role: Role, goal: str) -> None:
    assert _rendered(role, goal) == (RENDERED / f"{role}-{goal}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("role", "goal"), REQUESTS)
def test_two_requests_share_all_but_their_last_message(role: Role, goal: str) -> None:
    one = render(role, goal, unit="function `f`", history="one", subject="the original")
    two = render(role, goal, unit="script", history="two", subject="candidate 1")
    assert one[:-1] == two[:-1]
    assert one[-1] != two[-1]


@pytest.mark.parametrize("goal", ASPECTS)
def test_each_goal_has_two_rewrites_and_one_stop(goal: str) -> None:
    assert sum("rewrite" in example for example in examples(goal)) >= 2
    assert any(example["critique"]["stop"] for example in examples(goal))


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_rewrite_behaves_as_its_original(example: dict[str, Any]) -> None:
    original = example["steps"][0]["code"]
    for call in example.get("calls", ()):
        assert _outcome(example["rewrite"], call) == _outcome(original, call), call
    for step in example["steps"][1:]:
        difference = f"gives `{_outcome(original, call := step['wrong_on'])}` with the original"
        assert f"`{call}` {difference}, `{_outcome(step['code'], call)}` with this version." in step["facts"][1]


def _outcome(code: str, call: str) -> str:
    names: dict[str, Any] = {}
    exec(code, names)
    try:
        return repr(eval(call, names))
    except KeyError as error:
        return repr(error)


@pytest.mark.parametrize("goal", ASPECTS)
def test_example_critiques_fit_the_schema_and_their_code(goal: str) -> None:
    for example in examples(goal):
        jsonschema.validate(example["critique"], critique_schema(goal))
        line_count = example["steps"][-1]["code"].strip().count("\n") + 1
        for finding in example["critique"]["findings"]:
            assert 1 <= finding["start_line"] <= finding["end_line"] <= line_count


def test_the_schema_is_strict_throughout() -> None:
    def objects(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
        own = [schema] if schema["type"] == "object" else []
        return own + [found for child in inner for found in objects(child)]

    for schema in objects(critique_schema("performance")):
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])


def test_code_with_fences_gets_a_longer_fence() -> None:
    rendered = render_step("Original", 'def f():\n    """```x```"""', numbered=False)
    assert rendered.splitlines()[1] == "````python"


def test_dollar_signs_in_code_stay() -> None:
    messages = render("edit", "performance", unit="function `f`", history="$unit $$ ${x}", subject="the original")
    assert "$unit $$ ${x}" in messages[-1]["content"]


def test_the_version_is_short_and_stable() -> None:
    assert len(version()) == 12
    assert version() == version()


if __name__ == "__main__":
    RENDERED.mkdir(exist_ok=True)
    for each_role, each_goal in REQUESTS:
        (RENDERED / f"{each_role}-{each_goal}.txt").write_text(_rendered(each_role, each_goal), encoding="utf-8")
