"""Every way through the loop, with a backend and a judge that follow a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from burnish.engine.history import Critique, Finding, History, Step, Usage
from burnish.engine.loop import LoopResult, run_loop
from burnish.engine.refinement import Progress
from burnish.engine.stopping import Budget, StopReason, UnusableBackendError
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.outcome import CheckOutcome, Counterexample, Evidence, Status, Verdict
from burnish_analyzers.errors import BackendError

Critiques = Sequence[Critique | BackendError]
Edits = Sequence[str | BackendError | None]

FEEDBACK = Critique(
    findings=(Finding(aspect="algorithm", start_line=1, end_line=1, problem="quadratic", change="use a set"),)
)


@dataclass
class FollowsScript:
    """Gives these critiques and candidates in turn, and notes what it was shown."""

    edits: Edits
    critiques: Critiques = ()
    price: Usage = field(default_factory=lambda: Usage(requests=1, tokens=100, cost=0.25))
    name: str = "script"
    usage: Usage = field(default_factory=Usage)
    seen: list[tuple[str, History]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._critiques: Iterator[Critique | BackendError] = iter(self.critiques)
        self._edits: Iterator[str | BackendError | None] = iter(self.edits)

    def critique(self, history: History) -> Critique:
        self.seen.append(("critique", history))
        self.usage += self.price
        answer = next(self._critiques, FEEDBACK)
        if isinstance(answer, BackendError):
            raise answer
        return answer

    def edit(self, history: History) -> Candidate | None:
        self.seen.append(("edit", history))
        self.usage += self.price
        answer = next(self._edits)
        if isinstance(answer, BackendError):
            raise answer
        return None if answer is None else Candidate(iteration=99, origin=self.name, unit_text=answer)

    @property
    def calls(self) -> list[str]:
        return [role for role, _ in self.seen]


class Scores:
    """Accepts the texts that have a score; rejects the others with a counterexample."""

    def __init__(self, **scores: float) -> None:
        self.scores = scores
        self.judged: list[str] = []

    def judge(self, candidate: Candidate) -> Verdict:
        self.judged.append(candidate.unit_text)
        score = self.scores.get(candidate.unit_text)
        return _rejected(candidate.unit_text) if score is None else _accepted(score)


def _accepted(score: float) -> Verdict:
    return Verdict(accepted=True, checks=(), score=score, evidence=Evidence.STRONG)


def _rejected(text: str) -> Verdict:
    difference = Counterexample(call="f([])", expected="[]", actual=text)
    check = CheckOutcome(name="equivalence", status=Status.FAILED, detail="differs", counterexample=difference)
    return Verdict(accepted=False, checks=(check,), score=0.0, evidence=Evidence.STRONG)


def _history() -> History:
    original = Candidate(iteration=0, origin="original", unit_text="y0")
    baseline = Verdict(accepted=False, checks=(), score=0.0, evidence=Evidence.STRONG)
    return History(steps=(Step(candidate=original, verdict=baseline),))


def _run(
    backend: FollowsScript,
    judge: Scores,
    budget: Budget | None = None,
    *,
    history: History | None = None,
    reported: list[Progress] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    target: float | None = None,
    patience: int | None = None,
    count_rounds: bool = True,
    now: Callable[[], float] = lambda: 0.0,
) -> LoopResult:
    return run_loop(
        history or _history(),
        backend,
        judge,
        budget or Budget(),
        ([] if reported is None else reported).append,
        cancelled,
        target=target,
        patience=patience,
        count_rounds=count_rounds,
        now=now,
    )


@pytest.mark.parametrize(
    ("edits", "best"),
    [(["good", "a", "b", "c"], 1), (["a", "good", "b", "c"], 2), (["a", "b", "c", "good"], 4)],
)
def test_the_best_candidate_wins_whenever_it_comes(edits: list[str], best: int) -> None:
    result = _run(FollowsScript(edits), Scores(good=0.5, a=0.1))
    assert result.history.best.candidate.unit_text == "good"
    assert result.history.best.candidate.iteration == best
    assert result.stop is StopReason.ROUNDS
    assert [step.candidate.iteration for step in result.history.steps] == [0, 1, 2, 3, 4]


def test_a_worse_last_candidate_does_not_win() -> None:
    result = _run(FollowsScript(["good", "worse"]), Scores(good=0.9, worse=0.2), Budget(rounds=2))
    assert result.history.latest.candidate.unit_text == "worse"
    assert result.history.best.candidate.unit_text == "good"


def test_the_editor_sees_the_critique_and_the_counterexample_of_what_it_repairs() -> None:
    backend = FollowsScript(["wrong", "repaired"])
    result = _run(backend, Scores(repaired=1.0), Budget(rounds=2))
    _, seen = backend.seen[-1]
    assert seen.latest.critique is FEEDBACK
    failure = seen.latest.verdict.failure
    assert failure is not None
    assert failure.counterexample is not None
    assert failure.counterexample.actual == "wrong"
    assert result.history.best.candidate.unit_text == "repaired"


def test_stop_is_asked_before_refine() -> None:
    backend = FollowsScript(["never asked for"], critiques=[Critique(stop=True)])
    result = _run(backend, Scores())
    assert result.stop is StopReason.CRITIC
    assert backend.calls == ["critique"]
    assert result.history.latest.critique == Critique(stop=True)


def test_it_stops_when_nothing_is_left_to_try() -> None:
    result = _run(FollowsScript(["a", None]), Scores(a=0.1))
    assert result.stop is StopReason.EXHAUSTED
    assert len(result.history.steps) == 2


@pytest.mark.parametrize("again", ["a", "y0"])
def test_oscillation_stops_before_the_checks_run_again(again: str) -> None:
    judge = Scores(a=0.1, b=0.1)
    result = _run(FollowsScript(["a", "b", again]), judge)
    assert result.stop is StopReason.REPEATED
    assert judge.judged == ["a", "b"]


def test_it_stops_at_the_target_score() -> None:
    result = _run(FollowsScript(["a", "good"]), Scores(a=0.1, good=0.7), target=0.5)
    assert result.stop is StopReason.TARGET
    assert len(result.history.steps) == 3


def test_the_target_is_never_met_by_the_users_own_code() -> None:
    assert _run(FollowsScript(["wrong", None]), Scores(), target=0.0).stop is StopReason.EXHAUSTED


def test_it_stops_without_gain_when_patience_is_set() -> None:
    result = _run(FollowsScript(["good", "same", "wrong", "more"]), Scores(good=0.5, same=0.5), patience=2)
    assert result.stop is StopReason.NO_GAIN
    assert result.stop_reason == "No gain in 2 rounds."
    assert result.history.latest.candidate.unit_text == "wrong"


def test_a_gain_renews_patience() -> None:
    result = _run(FollowsScript(["x", "a", "y", "b"]), Scores(a=0.1, b=0.2), patience=2)
    assert result.stop is StopReason.ROUNDS


def test_no_round_allowed_asks_nobody() -> None:
    backend = FollowsScript([])
    assert _run(backend, Scores(), Budget(rounds=0)).stop is StopReason.ROUNDS
    assert backend.calls == []


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        (Budget(tokens=300), StopReason.TOKENS),
        (Budget(cost=0.75), StopReason.COST),
        (Budget(seconds=30), StopReason.SECONDS),
    ],
)
def test_it_stops_when_a_budget_is_used_up(budget: Budget, reason: StopReason) -> None:
    backend = FollowsScript(["a", "b", "c", "d"])
    result = _run(backend, Scores(a=0.1), budget, now=lambda: 10.0 * len(backend.seen))
    assert result.stop is reason
    assert backend.calls == ["critique", "edit", "critique"]
    assert result.history.best.candidate.unit_text == "a"
    assert result.usage == Usage(requests=3, tokens=300, cost=0.75, seconds=30.0)


def test_what_is_left_of_a_budget_goes_to_the_next_run() -> None:
    budget = Budget(rounds=2, seconds=10.0, tokens=50, cost=1.0)
    assert budget.after(Usage(seconds=4.0, tokens=80)) == Budget(rounds=2, seconds=6.0, tokens=0, cost=1.0)
    assert Budget().after(Usage(seconds=4.0, tokens=80)) == Budget()


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_cancel_is_heard_after_every_call(calls: int) -> None:
    backend = FollowsScript(["a"])
    judge = Scores(a=0.1)
    result = _run(backend, judge, cancelled=lambda: len(backend.seen) >= calls)
    assert result.stop is StopReason.CANCELLED
    assert len(backend.seen) == calls
    assert judge.judged == []


def test_a_verdict_cut_short_by_cancel_is_not_kept() -> None:
    judge = Scores(a=0.1)
    result = _run(FollowsScript(["a"]), judge, cancelled=lambda: bool(judge.judged))
    assert result.stop is StopReason.CANCELLED
    assert len(result.history.steps) == 1


def test_a_call_cut_off_by_cancel_is_no_failure() -> None:
    backend = FollowsScript([BackendError("cut off")])
    result = _run(backend, Scores(), cancelled=lambda: "edit" in backend.calls)
    assert (result.stop, result.detail) == (StopReason.CANCELLED, "")


def test_a_failed_critique_means_an_edit_without_feedback() -> None:
    backend = FollowsScript(["a"], critiques=[BackendError("no JSON")])
    reported: list[Progress] = []
    result = _run(backend, Scores(a=0.1), Budget(rounds=1), reported=reported)
    assert result.history.original.critique is None
    assert result.history.best.candidate.unit_text == "a"
    assert Progress(step="failure", detail="no JSON", done=1, total=1) in reported


def test_a_failed_edit_costs_its_round() -> None:
    backend = FollowsScript([BackendError("no fence"), "a"])
    result = _run(backend, Scores(a=0.1), Budget(rounds=2))
    assert result.stop is StopReason.ROUNDS
    assert [step.candidate.unit_text for step in result.history.steps] == ["y0", "a"]


@pytest.mark.parametrize(
    ("critiques", "edits"),
    [
        ([BackendError("first"), FEEDBACK], [BackendError("second")]),
        ([FEEDBACK, FEEDBACK], [BackendError("first"), BackendError("second")]),
        ([FEEDBACK, BackendError("second")], [BackendError("first")]),
    ],
)
def test_two_failures_in_a_row_stop_with_the_message(critiques: Critiques, edits: Edits) -> None:
    result = _run(FollowsScript(edits, critiques=critiques), Scores())
    assert result.stop is StopReason.FAILED
    assert result.stop_reason == "second"


def test_a_candidate_between_two_failures_keeps_the_run_alive() -> None:
    backend = FollowsScript(["a", "b"], critiques=[BackendError("one"), BackendError("two"), Critique(stop=True)])
    assert _run(backend, Scores(a=0.1, b=0.2)).stop is StopReason.CRITIC


def test_an_unusable_backend_stops_at_once() -> None:
    backend = FollowsScript([], critiques=[UnusableBackendError("Nothing answers.")])
    result = _run(backend, Scores())
    assert (result.stop, result.stop_reason) == (StopReason.FAILED, "Nothing answers.")
    assert backend.calls == ["critique"]


def test_a_second_backend_goes_on_from_where_the_first_ended() -> None:
    first = _run(FollowsScript(["a", None]), Scores(a=0.1))
    second = FollowsScript(["b", "a"], name="model")
    result = _run(second, Scores(b=0.4), Budget(rounds=2), history=first.history)
    assert second.seen[0][1].latest.candidate.unit_text == "a"
    assert [step.candidate.origin for step in result.history.steps] == ["original", "script", "model"]
    assert result.stop is StopReason.REPEATED
    assert result.usage.requests == 4


def test_progress_counts_the_rounds() -> None:
    reported: list[Progress] = []
    _run(FollowsScript(["a", "wrong"]), Scores(a=0.1), Budget(rounds=2), reported=reported)
    assert [(step.step, step.done, step.total, step.detail) for step in reported] == [
        ("critique", 1, 2, ""),
        ("edit", 1, 2, ""),
        ("verdict", 1, 2, "accepted"),
        ("critique", 2, 2, ""),
        ("edit", 2, 2, ""),
        ("verdict", 2, 2, "rejected by equivalence: differs"),
    ]


def test_progress_keeps_a_bound_that_is_not_the_users_to_itself() -> None:
    reported: list[Progress] = []
    _run(FollowsScript(["a"]), Scores(a=0.1), Budget(rounds=1), reported=reported, count_rounds=False)
    assert {(step.done, step.total) for step in reported} == {(1, 0)}
