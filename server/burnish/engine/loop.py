"""Self-Refine's loop (arXiv 2303.17651, Algorithm 1), for any critic, editor and check.

It knows no code, file, network or clock: it is given a backend, a judge and a clock, and keeps the history.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from burnish.engine.history import Critique, History, Step, Usage
from burnish.engine.protocols import Backend, Judge
from burnish.engine.refinement import Progress, Report
from burnish.engine.stopping import Budget, StopReason, UnusableBackendError
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.outcome import Verdict
from burnish_analyzers.errors import BackendError

MAX_FAILURES = 2
"""How often a backend may fail, with no candidate in between, before the loop gives up."""


@dataclass(frozen=True, kw_only=True)
class LoopResult:
    """What a run of the loop came to. `usage` is what this run spent; its seconds are those on the clock."""

    history: History
    stop: StopReason
    usage: Usage
    detail: str = ""

    @property
    def stop_reason(self) -> str:
        """Why it stopped, in one sentence."""
        return self.detail or self.stop.value


def run_loop(
    history: History,
    backend: Backend,
    judge: Judge,
    budget: Budget,
    report: Report,
    cancelled: Callable[[], bool],
    *,
    target: float | None = None,
    patience: int | None = None,
    count_rounds: bool = True,
    now: Callable[[], float] = time.monotonic,
) -> LoopResult:
    """Critique and edit the history's latest candidate until a reason to stop comes up.

    `history` holds at least y_0. A second run, with another backend, goes on from where the first ended. The run stops
    once an accepted candidate scores `target`, and after `patience` rounds in a row that did not better the best score.
    A backend's first failure costs a round's feedback or candidate; the second in a row ends the run.
    Progress tells the number of rounds only with `count_rounds`: a bound that nobody comes near would only frighten.
    """
    run = _Run(
        history=history,
        backend=backend,
        judge=judge,
        budget=budget,
        report=report,
        cancelled=cancelled,
        target=target,
        patience=patience,
        count_rounds=count_rounds,
        now=now,
    )
    for number in range(1, budget.rounds + 1):
        stop = run.round(number)
        if stop is not None:
            return run.result(stop)
    return run.result(_Stop(StopReason.ROUNDS))


@dataclass(frozen=True)
class _Stop:
    reason: StopReason
    detail: str = ""


@dataclass(kw_only=True)
class _Run:
    """The state of one run."""

    history: History
    backend: Backend
    judge: Judge
    budget: Budget
    report: Report
    cancelled: Callable[[], bool]
    target: float | None
    patience: int | None
    count_rounds: bool
    now: Callable[[], float]
    failures: int = 0
    stale_rounds: int = 0
    started: float = field(init=False)
    spent_before: Usage = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.now()
        self.spent_before = self.backend.usage

    def round(self, number: int) -> _Stop | None:
        """One critique, edit and verdict; a reason to stop if one came up."""
        stop = self.interrupted() or self.criticise(number) or self.interrupted()
        if stop is not None:
            return stop
        self.progress("edit", number)
        try:
            candidate = self.backend.edit(self.history)
        except BackendError as error:
            return self.failed(error, number)
        if candidate is None:
            return _Stop(StopReason.EXHAUSTED)
        if self.is_known(candidate):
            return _Stop(StopReason.REPEATED)
        self.failures = 0
        return self.interrupted() or self.try_out(candidate, number)

    def criticise(self, number: int) -> _Stop | None:
        self.progress("critique", number)
        try:
            critique = self.backend.critique(self.history)
        except BackendError as error:
            return self.failed(error, number)
        self.remember(critique)
        return _Stop(StopReason.CRITIC) if critique.stop else None

    def try_out(self, candidate: Candidate, number: int) -> _Stop | None:
        candidate = replace(candidate, iteration=len(self.history.steps))
        verdict = self.judge.judge(candidate)
        if self.cancelled():  # a verdict cut short proves nothing
            return _Stop(StopReason.CANCELLED)
        step = Step(candidate=candidate, verdict=verdict)
        self.history = History(steps=(*self.history.steps, step))
        self.progress("verdict", number, _summary(verdict))
        best = self.history.best
        self.stale_rounds = 0 if best is step else self.stale_rounds + 1
        if self.target is not None and best is not self.history.original and best.verdict.score >= self.target:
            return _Stop(StopReason.TARGET)
        if self.patience is not None and self.stale_rounds >= self.patience:
            return _Stop(StopReason.NO_GAIN, f"No gain in {self.stale_rounds} rounds.")
        return None

    def remember(self, critique: Critique) -> None:
        *earlier, latest = self.history.steps
        self.history = History(steps=(*earlier, replace(latest, critique=critique)))

    def is_known(self, candidate: Candidate) -> bool:
        known = {(step.candidate.unit_text, step.candidate.imports) for step in self.history.steps}
        return (candidate.unit_text, candidate.imports) in known

    def failed(self, error: BackendError, number: int) -> _Stop | None:
        stop = self.interrupted()  # a call that was cut off for its time or by the user is no failure
        if stop is not None:
            return stop
        self.failures += 1
        if isinstance(error, UnusableBackendError) or self.failures >= MAX_FAILURES:
            return _Stop(StopReason.FAILED, str(error))
        self.progress("failure", number, str(error))
        return None

    def interrupted(self) -> _Stop | None:
        if self.cancelled():
            return _Stop(StopReason.CANCELLED)
        reason = self.budget.used_up(self.spent())
        return None if reason is None else _Stop(reason)

    def spent(self) -> Usage:
        total, before = self.backend.usage, self.spent_before
        return Usage(
            requests=total.requests - before.requests,
            tokens=total.tokens - before.tokens,
            cost=total.cost - before.cost,
            seconds=self.now() - self.started,
        )

    def progress(self, step: str, number: int, detail: str = "") -> None:
        total = self.budget.rounds if self.count_rounds else 0
        self.report(Progress(step=step, detail=detail, done=number, total=total))

    def result(self, stop: _Stop) -> LoopResult:
        return LoopResult(history=self.history, stop=stop.reason, detail=stop.detail, usage=self.spent())


def _summary(verdict: Verdict) -> str:
    if verdict.failure is not None:
        return f"rejected by {verdict.failure.name}: {verdict.failure.detail}"
    if not verdict.accepted:
        return "not accepted"
    if verdict.timing is not None:
        return f"accepted, {verdict.timing.ratio:.2f}× as fast"
    return "accepted"
