"""Runs every check on a candidate, cheapest first, and weighs what they say."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.baseline import Baseline
from burnish_analyzers.checks.behaviour import check_examples, check_tests
from burnish_analyzers.checks.clock import check_timing
from burnish_analyzers.checks.equivalence import check_equivalence
from burnish_analyzers.checks.outcome import CheckOutcome, Evidence, Status, Verdict
from burnish_analyzers.checks.static import (
    check_conservation,
    check_diagnostics,
    check_interface,
    check_metrics,
    check_syntax,
)
from burnish_analyzers.checks.subject import Answer, Subject, answer
from burnish_analyzers.errors import SourceError
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.workbench import Workbench

Say = Callable[[str, str], None]
Check = Callable[[Subject], Answer]
ENOUGH_CALLS = 5
ENOUGH_MUTANTS = 3
STRONG_SHARE = 0.8
MODERATE_SHARE = 0.5


class ProjectJudge:
    """Judges candidates for one unit in one project. `check_goal` off: behaviour alone decides, as in `verify`."""

    def __init__(
        self,
        bench: Workbench,
        baseline: Baseline,
        goal: Goal,
        *,
        allow_unverified: bool,
        say: Say,
        check_goal: bool = True,
    ) -> None:
        self.bench = bench
        self.baseline = baseline
        self.goal = goal
        self.allow_unverified = allow_unverified
        self.say = say
        self.check_goal = check_goal
        self.timed = 0

    def judge(self, candidate: Candidate) -> Verdict:
        """The verdict on one candidate; the first check that does not hold ends it."""
        subject = Subject(bench=self.bench, goal=self.goal, baseline=self.baseline, candidate=candidate)
        answers = list(self.answers(subject))
        outcomes = tuple(answer.outcome for answer in answers)
        evidence = evidence_of(answers, self.baseline)
        timing = next((answer.timing for answer in answers if answer.timing), None)
        metrics = next((answer.metrics for answer in answers if answer.metrics), None)
        accepted = self.accepts(outcomes, evidence)
        before, after = (part.as_dict() for part in metrics) if metrics else (None, None)
        score = 0.0
        if accepted and self.goal is Goal.PERFORMANCE and timing:
            score = math.log(timing.low)
        elif accepted and metrics:
            score = metrics[1].readability - metrics[0].readability
        return Verdict(
            accepted=accepted,
            checks=outcomes,
            score=score,
            evidence=evidence,
            timing=timing,
            metrics_before=before,
            metrics_after=after,
        )

    def answers(self, subject: Subject) -> Iterator[Answer]:
        """Each check's answer, with the seconds it took, up to the first that does not hold."""
        checks: list[tuple[str, Check]] = [
            ("syntax", check_syntax),
            ("interface", check_interface),
            ("conservation", check_conservation),
            ("diagnostics", check_diagnostics),
            ("metrics", check_metrics),
            ("examples", check_examples),
            ("tests", check_tests),
            ("equivalence", check_equivalence),
            ("timing", self.time),
        ]
        if not self.check_goal:
            checks = [(name, check) for name, check in checks if name != "metrics"]
        for name, check in checks:
            self.say(name, "")
            began = time.monotonic()
            try:
                found = check(subject)
            except SourceError as error:  # the candidate's text does not fit the file, say a character it cannot hold
                found = answer(name, Status.FAILED, str(error))
            seconds = time.monotonic() - began
            yield replace(found, outcome=replace(found.outcome, seconds=seconds))
            if found.outcome.status in (Status.FAILED, Status.ERRORED):
                return

    def time(self, subject: Subject) -> Answer:
        """The timing check, which needs to know how many candidates were timed before."""
        self.timed += 1
        return check_timing(subject, self.timed, self.goal if self.check_goal else None)

    def accepts(self, outcomes: tuple[CheckOutcome, ...], evidence: Evidence) -> bool:
        """Nothing failed, something proved it, and the goal's own measure was taken."""
        status = {outcome.name: outcome.status for outcome in outcomes}
        if any(value in (Status.FAILED, Status.ERRORED) for value in status.values()):
            return False
        if self.goal is Goal.PERFORMANCE and self.check_goal and status.get("timing") is not Status.PASSED:
            return False
        return evidence is not Evidence.NONE or self.allow_unverified


def evidence_of(answers: list[Answer], baseline: Baseline) -> Evidence:
    """How much the checks that passed are worth, from whether they notice broken versions."""
    status = {answer.outcome.name: answer.outcome.status for answer in answers}
    replayed = next((answer for answer in answers if answer.outcome.name == "equivalence"), None)
    passed = [name for name in ("tests", "examples", "equivalence") if status.get(name) is Status.PASSED]
    if passed == ["equivalence"] and replayed and not replayed.recorded_calls:
        return Evidence.NONE  # nobody but us says that these are calls that count
    if not passed:
        return Evidence.NONE
    share = replayed.caught / replayed.mutants if replayed and replayed.mutants else 0.0
    tests = "tests" in passed and baseline.guarded
    enough = replayed is not None and replayed.compared_calls >= ENOUGH_CALLS and replayed.mutants >= ENOUGH_MUTANTS
    if tests and enough and share >= STRONG_SHARE:
        return Evidence.STRONG
    if (tests and share >= MODERATE_SHARE) or len(baseline.examples) >= ENOUGH_CALLS:
        return Evidence.MODERATE
    return Evidence.WEAK
