"""The loop with scripted replies, from raw text to the proposal's candidate."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from burnish.backends.scripted import ScriptedBackend, Turn, read_script
from burnish.engine.history import History, Step
from burnish.engine.loop import LoopResult, run_loop
from burnish.engine.stopping import Budget, StopReason
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.outcome import CheckOutcome, Counterexample, Evidence, Status, Verdict
from burnish_analyzers.errors import ConfigurationError
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit

SOURCE = "def first(items):\n    for item in items:\n        return item\n    return None\n"
FEEDBACK = '{"findings": [{"problem": "A loop that never loops.", "change": "Use next().", "start_line": 2}]}'
GOOD = "```python\ndef first(items):\n    return next(iter(items), None)\n```"
WRONG = "```python\ndef first(items):\n    return items[0]\n```"
WORSE = "```python\ndef first(items):\n    return (list(items) or [None])[0]\n```"
SCORES = {"next(iter": 0.8, "or [None]": 0.1}


class Judge:
    def judge(self, candidate: Candidate) -> Verdict:
        score = next((score for part, score in SCORES.items() if part in candidate.unit_text), None)
        example = Counterexample(call="first([])", expected="None", actual="IndexError('list index out of range')")
        failed = CheckOutcome(name="equivalence", status=Status.FAILED, detail="One differs.", counterexample=example)
        checks = () if score else (failed,)
        return Verdict(accepted=bool(score), checks=checks, score=score or 0.0, evidence=Evidence.STRONG)


def _backend(*turns: Turn) -> ScriptedBackend:
    snapshot = Snapshot.from_text(SOURCE)
    unit = find_unit(snapshot, "first")
    return ScriptedBackend(turns, goal=Goal.PERFORMANCE, snapshot=snapshot, unit=unit)


def _run(backend: ScriptedBackend, rounds: int = 4) -> LoopResult:
    original = Candidate(iteration=0, origin="original", unit_text=SOURCE.rstrip())
    baseline = Verdict(accepted=False, checks=(), score=0.0, evidence=Evidence.STRONG)
    history = History(steps=(Step(candidate=original, verdict=baseline),))
    return run_loop(history, backend, Judge(), Budget(rounds=rounds), lambda progress: None, lambda: False)


def test_wrong_then_repaired_by_its_counterexample() -> None:
    backend = _backend((FEEDBACK, WRONG), (FEEDBACK, GOOD))
    result = _run(backend)
    assert result.stop is StopReason.CRITIC  # as a script does after its last turn
    assert result.history.best.candidate.unit_text == "def first(items):\n    return next(iter(items), None)"
    assert result.history.best.candidate.origin == "scripted"
    example = "`first([])` gives `None` with the original, `IndexError('list index out of range')` with this version."
    assert [example in messages[-1]["content"] for _, messages in backend.asked] == [False, False, True, True, True]
    assert result.usage.requests == 5
    assert result.usage.tokens > 1000


def test_a_worse_last_candidate_is_not_the_best() -> None:
    result = _run(_backend((FEEDBACK, GOOD), (FEEDBACK, WORSE)), rounds=2)
    assert "next(iter" in result.history.best.candidate.unit_text
    assert "or [None]" in result.history.latest.candidate.unit_text


def test_the_same_reply_again_stops() -> None:
    assert _run(_backend((FEEDBACK, GOOD), (FEEDBACK, WORSE), (FEEDBACK, GOOD))).stop is StopReason.REPEATED


@pytest.mark.parametrize("nothing", ["", "Only words.", f"```python\n{SOURCE}```", "```python\n# ... unchanged\n```"])
def test_malformed_replies_stop_the_loop_with_their_fault(nothing: str) -> None:
    result = _run(_backend(*[(FEEDBACK, nothing)] * 4))
    assert result.stop is StopReason.FAILED
    assert result.history.best is result.history.original
    assert result.stop_reason.endswith(".")


def test_a_malformed_critique_costs_the_feedback_only() -> None:
    result = _run(_backend(("Nice!", GOOD), ("Very nice!", WORSE)), rounds=1)
    assert "next(iter" in result.history.best.candidate.unit_text


def test_a_script_that_runs_out_says_so() -> None:
    assert "no reply left" in _run(_backend((FEEDBACK, "Only words."))).stop_reason


def test_a_script_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    turns = [{"critique": json.loads(FEEDBACK), "reply": GOOD}, {"critique": "STOP", "reply": ""}]
    path.write_text(json.dumps({"turns": turns}), encoding="utf-8")
    script = read_script(path)
    assert script == [(FEEDBACK, GOOD), ("STOP", "")]
    assert "next(iter" in _run(_backend(*script)).history.best.candidate.unit_text


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "not valid JSON"),
        ("[]", 'no list "turns"'),
        ({"turns": 3}, 'no list "turns"'),
        ({"turns": [{"reply": ""}]}, "Turn 1 "),
        ({"turns": ["x"]}, "Turn 1 "),
        ({"turns": [{"critique": "", "reply": None}]}, "Turn 1 "),
        (b"\xff", "not valid JSON"),
    ],
)
def test_a_malformed_script_is_bad_configuration(tmp_path: Path, content: Any, says: str) -> None:
    path = tmp_path / "script.json"
    text = json.dumps(content) if isinstance(content, Mapping) else content
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ConfigurationError, match=says):
        read_script(path)


def test_a_missing_script_is_bad_configuration(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_script(tmp_path / "none.json")
