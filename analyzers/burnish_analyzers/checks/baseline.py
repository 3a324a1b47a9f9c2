"""What is known of the original before any candidate is judged: its tests, its examples, and whether they guard it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from burnish_analyzers.checks.canary import mutants
from burnish_analyzers.checks.definition import open_parameters
from burnish_analyzers.checks.recording import Recording, record
from burnish_analyzers.checks.selection import selected
from burnish_analyzers.errors import BaselineError, JobError
from burnish_analyzers.harness.process import Finished
from burnish_analyzers.harness.tasks import CallSource, Decoy
from burnish_analyzers.harness.workbench import Workbench
from burnish_analyzers.source.units import UnitKind

Say = Callable[[str, str], None]
SECONDS_FACTOR = 10.0
LEAST_SECONDS = 20.0


@dataclass(frozen=True, kw_only=True)
class Example:
    """One input of a script, and what the original does on it."""

    path: Path
    stdout: bytes
    exit_code: int
    cpu_seconds: float


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """The original's tests, calls and examples.

    `select`: ids of the tests that reach the unit and pass each time; `flaky` those that do not always. `decoy`: one of
    them that fails once the unit only raises; None where there is none, and so nothing guards the unit. `partial`: the
    time for finding tests ran out before all of the suite was seen. `recording`: None for scripts.
    """

    select: tuple[str, ...] = ()
    flaky: tuple[str, ...] = ()
    suite_size: int = 0
    suite_seconds: float = 0.0
    partial: bool = False
    decoy: Decoy | None = None
    recording: Recording | None = None
    examples: tuple[Example, ...] = ()

    @property
    def guarded(self) -> bool:
        """Whether the tests fail once the unit only raises: that they run this very code, and look."""
        return self.decoy is not None

    @property
    def allowed_seconds(self) -> float:
        """How long the selected tests may take on a candidate: the whole suite's time many times over."""
        return allowed_seconds(self.suite_seconds)


def allowed_seconds(seconds: float) -> float:
    """How long a run may take where the original took so many seconds."""
    return max(LEAST_SECONDS, SECONDS_FACTOR * seconds)


def take(
    bench: Workbench, examples: Path | None, test_seconds: float, say: Say, *, without_tests: bool = False
) -> Baseline:
    """Run the original. Raises BaselineError where its tests or examples fail before any change.

    `without_tests`: whether its calls are worth a look where no test reaches it.
    """
    found = run_examples(bench, examples, test_seconds, say) if examples else ()
    if bench.unit.kind is UnitKind.SCRIPT or bench.snapshot.path is None:
        return Baseline(examples=found)
    selection = selected(bench, test_seconds, say)
    if selection.problem and not selection.select:
        raise BaselineError(
            f"The project's tests do not run: {selection.problem}. Run them yourself and mend that first."
        )
    if not selection.select and not without_tests:
        return Baseline(suite_size=selection.suite_size, partial=selection.partial, examples=found)
    decoy = None
    if selection.select:
        say("tests", f"{len(selection.select)} of {selection.suite_size} reach it; do they notice when it breaks?")
        decoy = selection.decoy(bench, test_seconds)
    say("calls", "looking at what it does on recorded and generated calls")
    source = CallSource(select=selection.select, open_parameters=open_parameters(bench.snapshot, bench.unit))
    seconds = allowed_seconds(selection.suite_seconds)
    try:
        recording = record(bench, source, mutants(bench.snapshot, bench.unit), seconds)
    except JobError as error:
        recording = Recording(source=source, problem=str(error))
    return Baseline(
        select=selection.select,
        flaky=selection.flaky,
        suite_size=selection.suite_size,
        suite_seconds=selection.suite_seconds,
        partial=selection.partial,
        decoy=decoy,
        recording=recording,
        examples=found,
    )


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
