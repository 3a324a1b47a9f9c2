"""Times the candidate against the original on what the tests and examples make it do."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from burnish_analyzers.checks.behaviour import heaviest
from burnish_analyzers.checks.equivalence import why_none
from burnish_analyzers.checks.growth import fitted, shown
from burnish_analyzers.checks.outcome import CheckOutcome, PeakBytes, Status, Timing
from burnish_analyzers.checks.subject import Answer, Subject, answer
from burnish_analyzers.errors import JobError
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.process import Finished
from burnish_analyzers.harness.runner.statistics import interval, resolution
from burnish_analyzers.harness.runner.stopwatch import LOOKS, PROCESSES

FASTER = 1.05
SLOWER = 0.95
SLOWER_READABLE = 0.80
ALPHA = 0.01
TIMING_SECONDS = {Goal.PERFORMANCE: 4.0, Goal.READABILITY: 1.5}
MEMORY_SECONDS = 1.0
GROWTH_SECONDS = {Goal.PERFORMANCE: 3.0, Goal.READABILITY: 0.0}
SCRIPT_LOOKS = (6, 10, 16)
SCRIPT_SECONDS = 20.0
HEAVY_INPUTS = 2
LogRatios = Sequence[Sequence[float]]


def check_timing(subject: Subject, tries: int, goal: Goal | None) -> Answer:
    """For performance the candidate is faster beyond doubt; for readability it is not clearly slower; else it is told.

    `tries` is how many candidates of this refinement have been timed, this one included: the error rate is shared
    among them, since the best of many looks faster than it is (Bonferroni).
    """
    alpha = ALPHA / tries
    try:
        timing, slower = time_script(subject, alpha) if subject.baseline.examples else time_calls(subject, alpha)
    except JobError as error:
        return answer("timing", Status.FAILED, f"The timing does not end. {error}")
    if isinstance(timing, str):
        return answer("timing", Status.SKIPPED, timing)
    failed, detail = judged(goal, timing, slower)
    if not failed:
        timing = profiled(subject, timing)
        detail += f"; {shown(timing.growth)}" if timing.growth else ""
    status = Status.FAILED if failed else Status.PASSED
    return Answer(outcome=CheckOutcome(name="timing", status=status, detail=detail), timing=timing)


def judged(goal: Goal | None, timing: Timing, slower: str) -> tuple[bool, str]:
    """Whether the goal rejects this timing, and what to tell people."""
    told = f"{timing.ratio:.2f}× ({timing.low:.2f} to {timing.high:.2f} at {timing.confidence:.0%}, {timing.clock})"
    if goal is Goal.PERFORMANCE:
        if timing.high < 1:
            return True, f"It is slower: {told}."
        if timing.verdict != "faster":
            least = max(FASTER, timing.resolution or 1.0)
            why = f"at least {FASTER}×" if least == FASTER else f"{least:.2f}×, all that can be told apart here now,"
            return True, f"It is not {why} as fast beyond doubt: {told}."
        return (True, f"It is faster on the whole, {told}, but slower on {slower}.") if slower else (False, told)
    if timing.high < SLOWER_READABLE:
        return goal is Goal.READABILITY, f"It is clearly slower: {told}."
    return False, told


def time_calls(subject: Subject, alpha: float = ALPHA) -> tuple[Timing | str, str]:
    """On the recorded calls; what one process says that matters is asked of a fresh one with another hash seed."""
    recording = subject.baseline.recording
    if not subject.baseline.select or recording is None:
        return "No test makes a call that could be timed.", ""
    runs: list[dict[str, Any]] = []
    while len(runs) < PROCESSES:
        run = subject.bench.timing(
            recording.source,
            subject.version,
            seconds=subject.baseline.allowed_seconds,
            timing_seconds=TIMING_SECONDS[subject.goal],
            alpha=alpha,
            earlier=[run["workloads"][0]["ratios"] for run in runs],
        )
        if not run.get("workloads"):
            return f"No call could be timed: {run.get('unswappable') or why_none(recording)}.", ""
        runs.append(run)
        timing = timing_of_runs(runs, alpha)
        if is_settled(timing, subject.goal):
            break
    return timing, ", ".join(slower_parts(runs, alpha))


def is_settled(timing: Timing, goal: Goal) -> bool:
    """Whether a second process is not worth its time: nothing is claimed, and nothing to hope for."""
    claimed = timing.verdict in ("faster", "slower")
    return not claimed and (goal is not Goal.PERFORMANCE or timing.high <= FASTER)


def timing_of_runs(runs: Sequence[dict[str, Any]], alpha: float) -> Timing:
    """What some processes found together on the whole."""
    whole = [run["workloads"][0] for run in runs]
    return timing_of(
        [part["ratios"] for part in whole],
        [part["null"] for part in whole],
        alpha,
        LOOKS,
        clock=str(runs[0]["clock"]),
        workloads=runs[0]["calls"],
        processes=len(runs),
    )


def slower_parts(runs: Sequence[dict[str, Any]], alpha: float) -> Iterator[str]:
    """Names of the workloads that got slower beyond doubt."""
    parts: dict[str, list[Sequence[float]]] = {}
    for run in runs:
        for part in run["workloads"][1:]:
            parts.setdefault(part["name"], []).append(part["ratios"])
    for name, ratios in parts.items():
        if math.exp(interval(ratios, alpha / LOOKS)[2]) < SLOWER:
            yield name


def timing_of(
    ratios: LogRatios, null: LogRatios, alpha: float, looks: int, *, clock: str, workloads: int, processes: int
) -> Timing:
    """The ratio with its interval, from log ratios of each process; `null` are those of the old version to itself.

    The error rate is shared among the `looks` at which the measurement could have been stopped.
    """
    ratio, low, high = map(math.exp, interval(ratios, alpha / looks))
    own = math.exp(resolution(null))
    return Timing(
        ratio=ratio,
        low=low,
        high=high,
        confidence=1 - alpha,
        verdict=verdict_of(low, high, own),
        clock=clock,
        workloads=workloads,
        processes=processes,
        resolution=own,
    )


def verdict_of(low: float, high: float, own: float) -> Literal["faster", "slower", "same", "cannot tell"]:
    """What an interval says where a version differs from itself by up to a ratio of `own`."""
    if low > max(FASTER, own):
        return "faster"
    if high < min(SLOWER, 1 / own):
        return "slower"
    return "same" if low >= SLOWER and high <= FASTER else "cannot tell"


def profiled(subject: Subject, timing: Timing) -> Timing:
    """The timing with the peak memory of both versions and, for performance, the growth of their time.

    They are told and judge nothing, so it does not matter where they cannot be measured.
    """
    recording = subject.baseline.recording
    if recording is None or subject.baseline.examples:
        return timing
    try:
        documents = subject.bench.calls(
            recording.source,
            "profile",
            subject.baseline.allowed_seconds,
            version={"text": subject.version.text, "imports": subject.version.imports},
            memory_seconds=MEMORY_SECONDS,
            growth_seconds=GROWTH_SECONDS[subject.goal],
        )
    except JobError:
        return timing
    found = {key: value for document in documents for key, value in document.items()}
    before_after = found.get("peak_bytes")
    peak_bytes = PeakBytes(before=before_after[0], after=before_after[1]) if before_after else None
    return replace(timing, peak_bytes=peak_bytes, growth=fitted(found.get("growth")))


def time_script(subject: Subject, alpha: float = ALPHA) -> tuple[Timing, str]:
    """On the heaviest example inputs, process by process, interleaved, in CPU seconds with start-up and all."""
    inputs = heaviest(subject.baseline.examples, HEAVY_INPUTS)
    rounds: list[list[tuple[Finished, Finished]]] = []
    began = time.monotonic()
    while True:
        rounds.append([script_pair(subject, path, len(rounds) % 2) for path in inputs])
        if len(rounds) in SCRIPT_LOOKS:
            whole = interval([log_ratios(rounds)], alpha / len(SCRIPT_LOOKS))
            late = time.monotonic() - began > SCRIPT_SECONDS
            if late or len(rounds) == SCRIPT_LOOKS[-1] or not whole[1] <= math.log(FASTER) <= whole[2]:
                break
    timing = timing_of(
        [log_ratios(rounds)],
        [null_log_ratios(rounds)],
        alpha,
        len(SCRIPT_LOOKS),
        clock="CPU clock of whole processes",
        workloads=len(inputs),
        processes=2 * len(rounds) * len(inputs),
    )
    old, new = (max(pair[index].peak_bytes for row in rounds for pair in row) for index in (0, 1))
    parts = {path: [log_ratios([[row[index]] for row in rounds])] for index, path in enumerate(inputs)}
    worst = {path.name: interval(part, alpha / len(SCRIPT_LOOKS))[2] for path, part in parts.items()}
    slower = [name for name, high in worst.items() if math.exp(high) < SLOWER]
    return replace(timing, peak_bytes=PeakBytes(before=old, after=new)), ", ".join(slower)


def script_pair(subject: Subject, path: Path, first: int) -> tuple[Finished, Finished]:
    """One run each of the old and the new script on an input, `first` of them first."""
    texts = subject.original.text, subject.changed.text
    seconds = subject.baseline.allowed_seconds * 10
    found = {index: subject.bench.script(texts[index], path, seconds=seconds) for index in (first, 1 - first)}
    return found[0], found[1]


def log_ratios(rounds: Sequence[Sequence[tuple[Finished, Finished]]]) -> list[float]:
    """Of old to new, one a round."""
    return [math.log(old / new) for old, new in map(spent, rounds)]


def null_log_ratios(rounds: Sequence[Sequence[tuple[Finished, Finished]]]) -> list[float]:
    """Of the same script in one round and in the next, over both scripts."""
    pairs = zip(map(spent, rounds), map(spent, rounds[1:]), strict=False)
    return [math.log(old * new / next_old / next_new) / 2 for (old, new), (next_old, next_new) in pairs]


def spent(row: Sequence[tuple[Finished, Finished]]) -> tuple[float, float]:
    """CPU seconds of the old and the new script in one round."""
    old, new = (sum(max(pair[index].cpu_seconds, 1e-4) for pair in row) for index in (0, 1))
    return old, new
