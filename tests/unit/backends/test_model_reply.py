"""What is read out of replies, however a model writes them."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.backends.model_reply import Fitted, UnusableReplyError, read_code, read_critique, without_reasoning
from burnish_analyzers.errors import SourceError

ASPECTS = ("algorithm", "builtins")
CODE = "def f(items):\n    return sorted(items)\n"
DECOY = "def f(items):\n    return 'decoy'\n"


def _fit(block: str) -> Fitted:
    """Takes code that defines f, as it is."""
    if "def f(" not in block:
        raise SourceError("The reply holds no code for `f`.")
    return block, ()


def _fence(code: str, language: str = "python", marks: str = "```") -> str:
    return f"{marks}{language}\n{code}{marks}\n"


@pytest.mark.parametrize(
    "reply",
    [
        _fence(CODE),
        _fence(CODE, language=""),
        _fence(CODE, marks="~~~"),
        _fence(CODE, marks="`````"),
        f"Sure! Here is the code:\n\n{_fence(CODE)}\nIt is faster because of sorting.",
        f"First try:\n{_fence(DECOY)}\nBetter:\n{_fence(CODE)}",
        f"{_fence(CODE)}\nRun it like this:\n{_fence('f([1, 2])' + chr(10))}",
        f"{_fence(CODE)}\n{_fence('$ python -m timeit' + chr(10), 'console')}",
        f"<think>\nMaybe\n{_fence(DECOY)}\nno.\n</think>\n{_fence(CODE)}",
        f"<think>Maybe {_fence(DECOY)} no.</think>{_fence(CODE)}",
        f"The opening tag was eaten.\n{_fence(DECOY)}\n</think>\n\n{_fence(CODE)}",
        f"{_fence(CODE)}\n<think>\nShould I rather\n{_fence(DECOY)}",
        f"```python\n{CODE}",
        CODE,
        "  \n" + CODE,
    ],
)
def test_the_last_real_block_is_the_code(reply: str) -> None:
    assert read_code(reply, _fit)[0].strip() == CODE.strip()


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("", "empty"),
        ("<think>All I did was think.</think>", "empty"),
        ("<think>I never came to an end", "empty"),
        ("I would use a set here, because it is faster.", "no code block"),
        (_fence("print('hello')\n"), "no code for `f`"),
    ],
)
def test_replies_without_code_are_said_plainly(reply: str, says: str) -> None:
    with pytest.raises(UnusableReplyError, match=says):
        read_code(reply, _fit)


def test_fences_in_a_docstring_do_not_end_the_block() -> None:
    code = 'def f(items):\n    """Sorts.\n\n```python\nf([2, 1])\n```\n    """\n    return sorted(items)\n'

    def parses(block: str) -> Fitted:
        compile(block, "reply", "exec")
        return _fit(block)

    def fit(block: str) -> Fitted:
        try:
            return parses(block)
        except SyntaxError as error:
            raise SourceError("The reply is cut short.") from error

    assert read_code(_fence(code), fit)[0] == code


def test_tags_in_the_code_are_no_reasoning() -> None:
    code = 'def f(text):\n    """\n    <think>\n    </think>\n    """\n    return text\n'
    assert read_code(f"<think>\nhm\n</think>\n{_fence(code)}", _fit)[0] == code


@given(st.text(alphabet=st.sampled_from("`~<>/think \ndef():")))
def test_any_reply_is_read_or_refused(reply: str) -> None:
    with suppress(UnusableReplyError):
        read_code(reply, _fit)
    without_reasoning(reply)


WHOLE = {
    "findings": [
        {
            "aspect": "algorithm",
            "start_line": 2,
            "end_line": 3,
            "problem": "Quadratic.",
            "change": "Use a set.",
            "evidence": "Line 2 takes 90 %.",
            "severity": 3,
        }
    ],
    "scores": {"algorithm": 3, "builtins": 7.5},
    "stop": False,
}


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps(WHOLE),
        f"```json\n{json.dumps(WHOLE, indent=2)}\n```",
        f"Here is my feedback: {json.dumps(WHOLE)} I hope it helps.",
        f'<think>{{"stop": true}}</think>{json.dumps(WHOLE)}',
        f'{{"note": "for you"}} {json.dumps(WHOLE)}',
    ],
)
def test_a_critique_in_json_is_found(reply: str) -> None:
    critique, dropped = read_critique(reply, ASPECTS, 5)
    (finding,) = critique.findings
    assert (finding.aspect, finding.start_line, finding.end_line, finding.severity) == ("algorithm", 2, 3, 3)
    assert (finding.problem, finding.change, finding.evidence) == ("Quadratic.", "Use a set.", "Line 2 takes 90 %.")
    assert critique.scores == (("algorithm", 3.0), ("builtins", 7.5))
    assert not critique.stop
    assert dropped == 0


def test_a_critique_in_prose_is_read() -> None:
    reply = """Here are my thoughts:

1. Lines 2-3: the algorithm is quadratic, use a set.
2. Line 4 spells out a loop that builtins have.
- Consider a shorter name.

algorithm: 4/10
**Builtins**: 6.5
Stop: no
"""
    critique, dropped = read_critique(reply, ASPECTS, 5)
    assert [(each.aspect, each.start_line, each.end_line) for each in critique.findings] == [
        ("algorithm", 2, 3),
        ("builtins", 4, 4),
        ("algorithm", 1, 5),
    ]
    assert critique.findings[0].problem == "Lines 2-3: the algorithm is quadratic, use a set."
    assert critique.scores == (("algorithm", 4.0), ("builtins", 6.5))
    assert (critique.stop, dropped) == (False, 0)


@pytest.mark.parametrize("reply", ["STOP", "Stop.", "**stop: true**", '{"stop": true}'])
def test_stop_is_understood(reply: str) -> None:
    assert read_critique(reply, ASPECTS, 5)[0].stop


@pytest.mark.parametrize("lines", [(0, 1), (6, 6), (4, 3), (2, 9), ("x", 1)])
def test_findings_that_point_nowhere_are_dropped_and_counted(lines: tuple[object, object]) -> None:
    finding = {**WHOLE["findings"][0], "start_line": lines[0], "end_line": lines[1]}  # type: ignore[index]
    critique, dropped = read_critique(json.dumps({"findings": [finding]}), ASPECTS, 5)
    assert (critique.findings, dropped) == ((), 1)


def test_values_of_the_wrong_type_do_not_pass() -> None:
    data = {
        "findings": ["text", {"problem": "Slow.", "start_line": "3", "severity": 99}, {"start_line": 1}],
        "scores": {"algorithm": "high", "builtins": True, "other": 3},
        "stop": "maybe",
    }
    critique, dropped = read_critique(json.dumps(data), ASPECTS, 5)
    (finding,) = critique.findings
    assert (finding.problem, finding.start_line, finding.end_line, finding.severity) == ("Slow.", 3, 3, 3)
    assert (critique.scores, critique.stop, dropped) == ((), False, 2)


def test_scores_stay_on_their_scale() -> None:
    reply = '{"scores": {"algorithm": 95, "builtins": -3}}'
    assert read_critique(reply, ASPECTS, 5)[0].scores == (("algorithm", 10.0), ("builtins", 0.0))
    assert read_critique('{"scores": {"algorithm": NaN}, "stop": true}', ASPECTS, 5)[0].scores == ()


@pytest.mark.parametrize("reply", ["", "   ", "The code looks nice.", "{}", '{"findings": [', "[1, 2]"])
def test_a_critique_without_content_is_unusable(reply: str) -> None:
    with pytest.raises(UnusableReplyError, match="critique"):
        read_critique(reply, ASPECTS, 5)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_any_json_is_read_or_refused(value: object) -> None:
    for data in (value, {"findings": value, "scores": value, "stop": value}, {"findings": [{"problem": value}]}):
        with suppress(UnusableReplyError):
            read_critique(json.dumps(data), ASPECTS, 5)
