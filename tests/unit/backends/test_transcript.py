"""The history as a model reads it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from burnish.backends.chat import estimated_tokens
from burnish.backends.transcript import shown_lines, transcript
from burnish.engine.history import Critique, Finding, History, Step
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.outcome import CheckOutcome, Counterexample, Evidence, Status, Timing, Verdict

FAST = Timing(ratio=1.84, low=1.71, high=1.99, confidence=0.95, verdict="faster", clock="cpu", workloads=3)


def _verdict(accepted: bool, **changes: object) -> Verdict:
    values: dict[str, object] = {"checks": (), "score": 0.5, "evidence": Evidence.STRONG, **changes}
    return Verdict(accepted=accepted, **values)  # type: ignore[arg-type]


def _step(iteration: int, text: str, verdict: Verdict, problem: str = "", imports: tuple[str, ...] = ()) -> Step:
    finding = Finding(aspect="builtins", start_line=1, end_line=2, problem=problem, change="Use a set.")
    candidate = Candidate(iteration=iteration, origin="m", unit_text=text, imports=imports)
    return Step(candidate=candidate, verdict=verdict, critique=Critique(findings=(finding,)) if problem else None)


def _rejected(actual: str) -> Verdict:
    example = Counterexample(call="f([1])", expected="[1]", actual=actual)
    passed = CheckOutcome(name="syntax", status=Status.PASSED, detail="It parses.")
    failed = CheckOutcome(name="equivalence", status=Status.FAILED, detail="One call differs.", counterexample=example)
    return _verdict(False, checks=(passed, failed))


def _shown(
    steps: Sequence[Step], *, numbered: bool = False, tokens: int = 9999, measurements: Sequence[str] = ()
) -> str:
    def hide(text: str) -> str:
        return text.replace("hunter2", "***")

    history = History(steps=tuple(steps))
    return transcript(history, measurements, indent="    ", numbered=numbered, tokens=tokens, hide=hide)


ORIGINAL = _step(0, "def f(x):\r\n        return list(x)\r\n", _verdict(False), problem="Slow.")


def test_everything_is_told_in_order() -> None:
    metrics = {"complexity": 3.0, "lines": 4.0}
    accepted = _verdict(True, timing=FAST, metrics_before=metrics, metrics_after={**metrics, "lines": 2.0})
    steps = [
        ORIGINAL,
        _step(1, "one", _rejected("[]"), problem="Wrong."),
        _step(2, "two", accepted, imports=("import re",)),
    ]
    assert (
        _shown(steps, measurements=["line 2 takes\n90 %."])
        == """## Original
```python
    def f(x):
        return list(x)
```
Measured: line 2 takes 90 %.
Feedback:
- lines 1-2 (builtins): Slow. Use a set.

## Candidate 1
```python
    one
```
Rejected by equivalence: One call differs.
Counterexample: `f([1])` gives `[1]` with the original, `[]` with this version.
Feedback:
- lines 1-2 (builtins): Wrong. Use a set.

## Candidate 2
```python
    two
```
With `import re` at the top of the module.
Accepted by the checks.
Measured: 1.84 times as fast as the original (between 1.71 and 1.99).
Measured: lines 4 → 2."""
    )


def test_numbers_are_those_that_findings_use() -> None:
    step = _step(1, "def f(x):\n        return 1", _verdict(False))
    shown = _shown([ORIGINAL, step], numbered=True)
    assert "  1|     def f(x):\n  2|         return 1\n" in shown


def test_a_version_that_is_merely_no_better_is_told_so() -> None:
    assert "Not accepted: nothing proves it better." in _shown([ORIGINAL, _step(1, "one", _verdict(False))])


def test_a_long_history_loses_feedback_then_code_the_oldest_first_and_never_a_counterexample() -> None:
    steps = [
        ORIGINAL,
        *(_step(n, f"code {n} " * 30, _rejected(f"wrong{n}"), problem=f"fault {n} " * 30) for n in (1, 2, 3, 4)),
    ]
    whole = _shown(steps)
    lost: list[tuple[str, int]] = []
    for tokens in range(estimated_tokens(whole), 0, -20):
        shown = _shown(steps, tokens=tokens)
        present = {(kind, n) for kind in ("code", "fault") for n in range(1, 5) if f"{kind} {n} " in shown}
        gone = [(kind, n) for kind in ("fault", "code") for n in range(1, 5) if (kind, n) not in present]
        lost += [each for each in gone if each not in lost]
        assert all(f"`wrong{n}`" in shown for n in range(1, 5))
        assert "return list(x)" in shown
        assert "Slow." in shown
        assert {("code", 4), ("fault", 4)} <= present
    assert lost == [("fault", 1), ("fault", 2), ("fault", 3), ("code", 1), ("code", 2), ("code", 3)]


def test_secrets_are_hidden_in_code_facts_and_counterexamples() -> None:
    shown = _shown(
        [_step(0, "hunter2", _verdict(False)), _step(1, "x", _rejected("hunter2"))], measurements=["hunter2"]
    )
    assert "hunter2" not in shown
    assert shown.count("***") == 3


def test_a_huge_value_keeps_its_ends() -> None:
    shown = _shown([ORIGINAL, _step(1, "x", _rejected("start" + "x" * 9999 + "end"))])
    assert len(shown) < 2000
    assert "`start" in shown
    assert "end`" in shown


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb\r\n", "a\rb", "a\x0c\n\u2028b\n"])
def test_lines_end_where_python_ends_them(text: str) -> None:
    assert len(shown_lines(text)) == 2


def test_tokens_are_estimated_from_bytes_and_digits() -> None:
    assert estimated_tokens("") == 0
    assert estimated_tokens("abcdef") == 2
    assert estimated_tokens("x=12345") == 1 + 5
    assert estimated_tokens("日本") == 2
