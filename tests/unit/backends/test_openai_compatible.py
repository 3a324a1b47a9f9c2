"""A model as critic and editor, over real HTTP: what it is sent, and what becomes of its replies."""

from __future__ import annotations

import json
from typing import Any

import pytest

from burnish.backends.openai_compatible import OpenAICompatibleBackend
from burnish.configuration import ModelSettings
from burnish.engine.history import Critique, Finding, History, Step
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.outcome import CheckOutcome, Counterexample, Evidence, Status, Verdict
from burnish_analyzers.errors import BackendError
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit

API_KEY = "sk-" + "test-Zx81Yw72Xv63Uu54"
TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
SOURCE = f'''"""A module."""

OUTSIDE = "not for the model"


class Names:
    def unique(self, names):
        # Keeps the order.
        token = "{TOKEN}"
        found = []
        for name in names:
            if name not in found:
                found.append(name)
        return found, token
'''
REWRITE = """def unique(self, names):
    # Keeps the order.
    token = "BURNISH_SECRET_1"
    return list(dict.fromkeys(names)), token
"""
SNAPSHOT = Snapshot.from_text(SOURCE)
UNIT = find_unit(SNAPSHOT, "Names.unique")
FINDING = {
    "aspect": "data_structures",
    "start_line": 5,
    "end_line": 6,
    "problem": "Searches a list.",
    "change": "Use a dict.",
    "evidence": "",
    "severity": 3,
}
CRITIQUE = json.dumps({"findings": [FINDING], "scores": {"algorithm": 4}, "stop": False})


def _backend(endpoint: Any, goal: Goal = Goal.PERFORMANCE, **options: Any) -> OpenAICompatibleBackend:
    settings = ModelSettings(base_url=endpoint.base_url, name="small", api_key=API_KEY, timeout_seconds=20.0)
    return OpenAICompatibleBackend(settings, goal=goal, snapshot=SNAPSHOT, unit=UNIT, **options)


def _step(iteration: int, text: str, failed: CheckOutcome | None = None) -> Step:
    candidate = Candidate(iteration=iteration, origin="small", unit_text=text)
    checks = (failed,) if failed else ()
    return Step(
        candidate=candidate, verdict=Verdict(accepted=False, checks=checks, score=0.0, evidence=Evidence.STRONG)
    )


ORIGINAL = _step(0, UNIT.span.of(SOURCE))
START = History(steps=(ORIGINAL,))


def _fence(code: str) -> str:
    return f"```python\n{code}```"


def test_the_critic_is_asked_for_json_and_understood(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.completion(CRITIQUE))
    backend = _backend(endpoint, measurements=["line 5 takes 90 % of the time."])
    critique = backend.critique(START)
    assert critique == Critique(findings=(Finding(**FINDING),), scores=(("algorithm", 4.0),))  # type: ignore[arg-type]
    (request,) = endpoint.requests
    assert request["temperature"] == 0.0
    assert request["response_format"]["type"] == "json_schema"
    last = request["messages"][-1]["content"]
    assert "The code is the method `Names.unique`. The aim is performance." in last
    assert "  5|         for name in names:\n" in last
    assert "Measured: line 5 takes 90 % of the time." in last
    assert "OUTSIDE" not in str(request)
    assert (backend.name, backend.usage.requests, backend.usage.tokens) == ("small", 1, 42)


def test_the_editor_gets_the_feedback_and_its_code_is_fitted(endpoint: Any, reply: Any) -> None:
    endpoint.answers(
        reply.completion(f"<think>\n{_fence('def unique(): decoy')}\n</think>\nFaster:\n{_fence(REWRITE)}")
    )
    step = Step(
        candidate=ORIGINAL.candidate,
        verdict=ORIGINAL.verdict,
        critique=Critique(findings=(Finding(**FINDING),)),  # type: ignore[arg-type]
    )
    candidate = _backend(endpoint).edit(History(steps=(step,)))
    assert candidate is not None
    assert (candidate.iteration, candidate.origin, candidate.imports) == (1, "small", ())
    assert candidate.unit_text == (
        "def unique(self, names):\n"
        "        # Keeps the order.\n"
        f'        token = "{TOKEN}"\n'
        "        return list(dict.fromkeys(names)), token"
    )
    assert (
        "- lines 5-6 (data_structures): Searches a list. Use a dict." in endpoint.requests[0]["messages"][-1]["content"]
    )


@pytest.mark.parametrize(("goal", "temperature"), [(Goal.PERFORMANCE, 0.7), (Goal.READABILITY, 0.0)])
def test_the_editor_is_greedy_for_readability(endpoint: Any, reply: Any, goal: Goal, temperature: float) -> None:
    endpoint.answers(reply.completion(_fence(REWRITE)))
    _backend(endpoint, goal).edit(START)
    assert endpoint.requests[0]["temperature"] == temperature
    assert "response_format" not in endpoint.requests[0]


def test_a_plain_text_endpoint_is_asked_for_a_schema_once(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.error(400, "response_format is not supported"), reply.completion("- Line 5: slow search"))
    backend = _backend(endpoint)
    for _ in range(2):
        (finding,) = backend.critique(START).findings
        assert (finding.start_line, finding.problem) == (5, "Line 5: slow search")
    assert ["response_format" in request for request in endpoint.requests] == [True, False, False]


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("", "empty"),
        ("<think>and then I ran out of", "empty"),
        ("I cannot help with that.", "no code block"),
        (_fence("def other(): pass\n"), "no code for `Names.unique`"),
        (_fence("def unique(self, names):\n    # ... rest unchanged\n    return 1\n"), "leaves out"),
        (_fence(UNIT.span.of(SOURCE) + "\n"), "unchanged"),
    ],
)
def test_a_bad_reply_is_asked_for_once_more_with_the_fault(endpoint: Any, reply: Any, bad: str, told: str) -> None:
    endpoint.answers(reply.completion(bad), reply.completion(_fence(REWRITE)))
    candidate = _backend(endpoint).edit(START)
    assert candidate is not None
    first, second = (request["messages"] for request in endpoint.requests)
    assert first[:-1] == second[:-1]
    assert second[-1]["content"].startswith(first[-1]["content"])
    assert told in second[-1]["content"].removeprefix(first[-1]["content"])


def test_a_second_bad_reply_is_an_error(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.completion(_fence(UNIT.span.of(SOURCE) + "\n")))
    with pytest.raises(BackendError, match="sent the code back unchanged"):
        _backend(endpoint).edit(START)
    assert len(endpoint.bodies) == 2


def test_a_bad_critique_is_asked_for_once_more(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.completion("What a nice function!"), reply.completion(CRITIQUE))
    assert _backend(endpoint).critique(START).findings
    assert "names no finding" in endpoint.requests[1]["messages"][-1]["content"]


def test_a_truncated_reply_is_never_used(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.completion(_fence(REWRITE), "length"))
    with pytest.raises(BackendError, match="cut off"):
        _backend(endpoint).edit(START)
    assert len(endpoint.bodies) == 2


def test_findings_beyond_the_code_are_dropped_and_counted(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.completion(json.dumps({"findings": [FINDING, {**FINDING, "end_line": 99}]})))
    backend = _backend(endpoint)
    assert len(backend.critique(START).findings) == 1
    assert backend.dropped_findings == 1


def test_a_critic_cannot_be_content_with_rejected_code(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.completion('{"stop": true}'))
    failed = CheckOutcome(name="tests", status=Status.FAILED, detail="1 of 3 failed.")
    backend = _backend(endpoint)
    assert backend.critique(START).stop
    assert not backend.critique(History(steps=(ORIGINAL, _step(1, "x", failed)))).stop


def test_no_body_holds_a_secret(endpoint: Any, reply: Any) -> None:
    call = Counterexample(call="unique(['a'], password='hunter22')", expected=repr(TOKEN), actual=f"'{API_KEY}'")
    failed = CheckOutcome(name="equivalence", status=Status.FAILED, detail=f"differs: {TOKEN}", counterexample=call)
    finding = Finding(aspect="algorithm", start_line=1, end_line=1, problem=f"{TOKEN} is a secret", change="Hide it.")
    latest = Step(
        candidate=Candidate(
            iteration=1, origin="small", unit_text=f"x = '{API_KEY}'", imports=(f"import a  # {TOKEN}",)
        ),
        verdict=_step(1, "", failed).verdict,
        critique=Critique(findings=(finding,)),
    )
    history = History(steps=(ORIGINAL, latest))
    backend = _backend(endpoint, measurements=[f"the call with {TOKEN} is slow."])
    endpoint.answers(reply.completion(f"no code, but {TOKEN}"), reply.completion(_fence(REWRITE)))
    candidate = backend.edit(history)
    assert candidate is not None
    assert f'"{TOKEN}"' in candidate.unit_text
    endpoint.answers(reply.completion("unusable"), reply.completion(CRITIQUE))
    backend.critique(history)
    assert len(endpoint.bodies) == 4
    for body in endpoint.bodies:
        assert b"BURNISH_SECRET_1" in body
        for secret in (TOKEN, API_KEY, "hunter22"):
            assert secret.encode() not in body


def test_cancel_reaches_the_request(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply(hold=True))
    with pytest.raises(BackendError, match="cancelled"):
        _backend(endpoint, cancelled=endpoint.asked.is_set).edit(START)
    assert endpoint.hung_up.wait(2)
