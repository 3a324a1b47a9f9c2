"""Which tests reach a unit and can be relied on: found by running them, remembered by the content of the project."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from burnish_analyzers.checks.canary import raising_version
from burnish_analyzers.errors import BaselineError, JobError
from burnish_analyzers.harness.selection_cache import read_selection, write_selection
from burnish_analyzers.harness.tasks import Decoy, SuiteRun, TestOutcome, Version
from burnish_analyzers.harness.workbench import Workbench

Say = Callable[[str, str], None]
DOCTEST = "doctest:"


@dataclass(frozen=True, kw_only=True)
class Selection:
    """`select`: ids of the tests that reach the unit and pass each time; `flaky` reach it too, but do not.

    `suite_size` tests were collected in all, and the run of them took `suite_seconds`, or time ran out (`partial`).
    """

    select: tuple[str, ...]
    flaky: tuple[str, ...]
    suite_size: int
    suite_seconds: float
    partial: bool
    problem: str

    def decoy(self, bench: Workbench, seconds: float) -> Decoy | None:
        """The first test that fails once the unit only raises; None where none does."""
        failing = failing_without(bench, self.select, seconds, fail_fast=True)
        return Decoy(test=failing[0], text=raising_version(bench.snapshot, bench.unit)) if failing else None


def selected(bench: Workbench, seconds: float, say: Say) -> Selection:
    """The tests that reach the unit. Raises BaselineError where some of them fail before any change."""
    known = read_selection(bench)
    if known is not None:
        found = replace(Selection(**known), select=tuple(known["select"]), flaky=tuple(known["flaky"]))
    else:
        say("tests", "looking for the tests that reach it")
        found = looked_for(bench, seconds)
        if not found.partial and not found.problem:
            write_selection(bench, vars(found))
    bench.files = files_of(found.select)
    return found


def files_of(select: Iterable[str]) -> tuple[str, ...]:
    """The files that hold these tests, where their ids tell; doctests are not collected."""
    return tuple(dict.fromkeys(test.partition("::")[0] for test in select if not test.startswith(DOCTEST)))


def looked_for(bench: Workbench, seconds: float) -> Selection:
    """The whole suite is run once, what reaches the unit once more."""
    suite = run_all(bench, seconds)
    reached = [test for test in suite.tests if test.reached]
    spawned = [
        test.identifier for test in suite.tests if test.spawned and not test.reached and test.outcome == "passed"
    ]
    if spawned:  # what they do in other processes no probe sees; what becomes of them without the unit is plain
        without = set(failing_without(bench, spawned, seconds, fail_fast=False))
        reached += [test for test in suite.tests if test.identifier in without]
    flaky = unsteady(bench, reached, seconds)
    steady = [test for test in reached if test.identifier not in flaky]
    refuse_failing(bench, steady)
    return Selection(
        select=tuple(test.identifier for test in steady if test.outcome == "passed"),
        flaky=tuple(sorted(flaky)),
        suite_size=suite.collected,
        suite_seconds=suite.seconds,
        partial=suite.truncated,
        problem=suite.problem,
    )


def run_all(bench: Workbench, seconds: float) -> SuiteRun:
    """All tests on the original."""
    try:
        return bench.tests(None, select=None, seconds=seconds, fail_fast=False)
    except JobError as error:
        raise BaselineError(f"The project's tests do not run before any change. {error}") from error


def failing_without(bench: Workbench, select: Iterable[str], seconds: float, *, fail_fast: bool) -> list[str]:
    """Which of some tests fail on a version of the unit that only raises."""
    wanted = tuple(select)
    version = Version(text=raising_version(bench.snapshot, bench.unit))
    try:
        broken = bench.tests(version, select=wanted, seconds=seconds, fail_fast=fail_fast)
    except JobError:
        return []
    return [test.identifier for test in broken.tests if test.outcome == "failed"]


def unsteady(bench: Workbench, reached: Iterable[TestOutcome], seconds: float) -> set[str]:
    """Which of the tests say something else when they are run again, alone."""
    before = {test.identifier: test.outcome for test in reached}
    if not before:
        return set()
    try:
        again = bench.tests(None, select=tuple(before), seconds=seconds, fail_fast=False)
    except JobError as error:
        raise BaselineError(f"The tests that reach it do not run by themselves. {error}") from error
    after = {test.identifier: test.outcome for test in again.tests}
    return {identifier for identifier, outcome in before.items() if after.get(identifier, outcome) != outcome}


def refuse_failing(bench: Workbench, steady: list[TestOutcome]) -> None:
    """Raise BaselineError where tests fail each time; doctests are often only prose."""
    failing = [test for test in steady if test.outcome == "failed" and not test.identifier.startswith(DOCTEST)]
    if failing:
        raise BaselineError(
            f"{len(failing)} of {len(steady)} tests that reach {bench.unit.qualname} fail before any change, "
            f"so they prove nothing: {failing[0].identifier} ({failing[0].message or 'no message'}). Mend them first."
        )
