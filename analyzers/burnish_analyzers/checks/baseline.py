"""What is known of the original before any candidate is judged: its tests, its examples, and whether they guard it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from burnish_analyzers.checks.canary import raising_version
from burnish_analyzers.errors import BaselineError, JobError
from burnish_analyzers.harness.process import Finished
from burnish_analyzers.harness.workbench import SuiteRun, Workbench
from burnish_analyzers.source.units import UnitKind

Say = Callable[[str, str], None]


@dataclass(frozen=True, kw_only=True)
class Example:
    """One input of a script, and what the original does on it."""

    path: Path
    stdout: bytes
    exit_code: int
    cpu_seconds: float


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """The original's tests and examples. `select`: ids of the tests that reach the unit and pass.

    `guarded`: whether those tests fail once the unit only raises; None where there are none. `partial`: the time for
    finding tests ran out before all of the suite was seen.
    """

    select: tuple[str, ...] = ()
    suite_size: int = 0
    suite_seconds: float = 0.0
    partial: bool = False
    guarded: bool | None = None
    examples: tuple[Example, ...] = ()


def take(bench: Workbench, examples: Path | None, test_seconds: float, say: Say) -> Baseline:
    """Run the original. Raises BaselineError where its tests or examples fail before any change."""
    found = run_examples(bench, examples, test_seconds, say) if examples else ()
    if bench.unit.kind is UnitKind.SCRIPT or bench.snapshot.path is None:
        return Baseline(examples=found)
    say("tests", "looking for the tests that reach it")
    suite = run_suite(bench, test_seconds)
    reached = [test for test in suite.tests if test.reached]
    failing = [test for test in reached if test.outcome == "failed" and not test.identifier.startswith("doctest:")]
    if failing:
        raise BaselineError(
            f"{len(failing)} of {len(reached)} tests that reach {bench.unit.qualname} fail before any change, "
            f"so they prove nothing: {failing[0].identifier} ({failing[0].message or 'no message'}). Mend them first."
        )
    select = tuple(test.identifier for test in reached if test.outcome == "passed")
    if suite.problem and not select:
        raise BaselineError(f"The project's tests do not run: {suite.problem}. Run them yourself and mend that first.")
    guarded = None
    if select:
        say("tests", f"{len(select)} of {suite.collected} reach it; do they notice when it breaks?")
        guarded = notices(bench, select, test_seconds)
    return Baseline(
        select=select,
        suite_size=suite.collected,
        suite_seconds=suite.seconds,
        partial=suite.truncated,
        guarded=guarded,
        examples=found,
    )


def run_suite(bench: Workbench, test_seconds: float) -> SuiteRun:
    """All tests on the original."""
    try:
        return bench.tests(bench.snapshot.text, select=None, seconds=test_seconds, fail_fast=False)
    except JobError as error:
        raise BaselineError(f"The project's tests do not run before any change. {error}") from error


def notices(bench: Workbench, select: tuple[str, ...], test_seconds: float) -> bool:
    """Whether the tests fail on a version of the unit that only raises: that they run this very code, and look."""
    text = raising_version(bench.snapshot, bench.unit)
    try:
        broken = bench.tests(text, select=select, seconds=test_seconds, fail_fast=True)
    except JobError:
        return True
    ran = {test.identifier for test in broken.tests if test.outcome == "passed"}
    return not ran >= set(select)


def run_examples(bench: Workbench, folder: Path, seconds: float, say: Say) -> tuple[Example, ...]:
    """The original on every `*.in` of a folder, beside the `*.out` it is to print where there is one."""
    inputs = sorted(folder.glob("*.in")) + sorted(folder.glob("inputs/*.in"))
    if not inputs:
        raise BaselineError(f"There is no *.in file in {folder}; point the examples setting at a folder that has some.")
    found = []
    for number, path in enumerate(inputs, 1):
        say("examples", f"{number} of {len(inputs)}")
        finished = bench.script(bench.snapshot.text, path, seconds=seconds)
        require_success(finished, path)
        expected = expected_output(path)
        if expected is not None and lines_of(expected) != lines_of(finished.stdout):
            raise BaselineError(
                f"The script does not print what {expected_path(path)} says before any change; correct one of them."
            )
        found.append(
            Example(
                path=path,
                stdout=finished.stdout,
                exit_code=finished.exit_code or 0,
                cpu_seconds=finished.cpu_seconds,
            )
        )
    return tuple(found)


def require_success(finished: Finished, path: Path) -> None:
    """Raise BaselineError unless the original ends by itself; a non-zero exit that it chose is its behaviour."""
    if finished.reason != "exited" or finished.exit_code not in (0, *range(2, 126)):
        raise BaselineError(f"The script fails on {path} before any change: {finished.account}.")


def expected_path(path: Path) -> Path:
    """Where the expected output of an input is kept: beside it, or in the neighbour folder `outputs`."""
    beside = path.with_suffix(".out")
    return beside if beside.exists() else path.parent.parent / "outputs" / beside.name


def expected_output(path: Path) -> bytes | None:
    """The expected output of an input, if somebody wrote it down."""
    expected = expected_path(path)
    return expected.read_bytes() if expected.is_file() else None


def lines_of(output: bytes) -> list[bytes]:
    """Lines without the blanks at their ends, as judges of such programs compare them."""
    return [line.rstrip() for line in output.rstrip().splitlines()]
