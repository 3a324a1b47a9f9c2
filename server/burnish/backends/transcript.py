"""The history as a model reads it: every version with its verdict and feedback, within a number of tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from enum import IntEnum

from burnish.backends.chat import estimated_tokens
from burnish.engine.history import History, Step
from burnish_analyzers.checks.growth import shown as growth_shown
from burnish_analyzers.checks.outcome import CheckOutcome, Status, Verdict
from burnish_prompts import Remark, render_step, title

_SHOWN_CHARACTERS = 600
"""Of one value in a counterexample, or of a check's detail."""


class _Detail(IntEnum):
    """How much of an earlier candidate is told. The verdict and its counterexample always are."""

    FULL = 0
    NO_FEEDBACK = 1
    NO_CODE = 2


def transcript(
    history: History,
    measurements: Sequence[str],
    *,
    indent: str,
    numbered: bool,
    tokens: int,
    hide: Callable[[str], str],
) -> str:
    """All steps in order. Where they take more than `tokens`, earlier candidates lose their feedback, the oldest first,
    and then their code; the original, the latest and all counterexamples stay. `hide` takes secrets out of a text.
    """
    steps = history.steps
    details = [_Detail.FULL] * len(steps)

    def rendered() -> list[str]:
        pairs = zip(steps, details, strict=True)
        return [
            _step(step, measurements if index == 0 else (), detail, indent=indent, numbered=numbered, hide=hide)
            for index, (step, detail) in enumerate(pairs)
        ]

    for detail in (_Detail.NO_FEEDBACK, _Detail.NO_CODE):
        for index in range(1, len(steps) - 1):
            if estimated_tokens("\n\n".join(rendered())) <= tokens:
                break
            details[index] = detail
    return "\n\n".join(rendered())


def _step(
    step: Step,
    measurements: Sequence[str],
    detail: _Detail,
    *,
    indent: str,
    numbered: bool,
    hide: Callable[[str], str],
) -> str:
    code = None
    if detail < _Detail.NO_CODE:
        code = hide(indent + "\n".join(shown_lines(step.candidate.unit_text)))
    facts = [f"Measured: {' '.join(fact.split())}" for fact in measurements]
    if step.candidate.iteration:
        imports = [f"With `{line}` at the top of the module." for line in step.candidate.imports]
        facts = [*imports, *_verdict_facts(step.verdict)]
    findings = step.critique.findings if step.critique is not None and detail < _Detail.NO_FEEDBACK else ()
    remarks = [Remark(**asdict(finding)) for finding in findings]  # type: ignore[typeddict-item]
    return render_step(title(step.candidate.iteration), code, map(hide, facts), remarks, numbered=numbered)


def shown_lines(unit_text: str) -> list[str]:
    """The lines that findings count, without their newlines."""
    return re.split(r"\r\n|\r|\n", unit_text.rstrip("\r\n"))


def _verdict_facts(verdict: Verdict) -> Iterator[str]:
    if verdict.failure is None:
        yield "Accepted by the checks." if verdict.accepted else "Not accepted: nothing proves it better."
    for check in verdict.checks:
        if check.status in (Status.FAILED, Status.ERRORED):
            yield from _failure_facts(check)
    if verdict.timing is not None:
        timing = verdict.timing
        yield (
            f"Measured: {timing.ratio:.2f} times as fast as the original "
            f"(between {timing.low:.2f} and {timing.high:.2f})."
        )
        if timing.growth is not None:
            yield f"Measured: {growth_shown(timing.growth)}, where n is the size of what it is given."
        if timing.peak_bytes is not None:
            peak = timing.peak_bytes
            yield f"Measured: a call takes up to {peak.after} bytes of memory, and {peak.before} in the original."
    changes = _metric_changes(verdict)
    if changes:
        yield f"Measured: {changes}."


def _failure_facts(check: CheckOutcome) -> Iterator[str]:
    yield f"Rejected by {check.name}: {_cut(check.detail)}"
    example = check.counterexample
    if example is not None:
        call, expected, actual = _cut(example.call), _cut(example.expected), _cut(example.actual)
        yield f"Counterexample: `{call}` gives `{expected}` with the original, `{actual}` with this version."


def _metric_changes(verdict: Verdict) -> str:
    before, after = verdict.metrics_before or {}, verdict.metrics_after or {}
    changed = [name for name in before if name in after and f"{before[name]:.3g}" != f"{after[name]:.3g}"]
    return ", ".join(f"{name.replace('_', ' ')} {before[name]:.3g} → {after[name]:.3g}" for name in changed)


def _cut(text: str) -> str:
    """One line of at most so many characters; the end counts as much as the start."""
    text = " ".join(text.split())
    half = _SHOWN_CHARACTERS // 2
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:half]} … {text[-half:]}"
