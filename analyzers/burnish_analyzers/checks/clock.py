"""Times the candidate against the original on what the tests and examples make it do."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from burnish_analyzers.checks.behaviour import heaviest
from burnish_analyzers.checks.equivalence import why_none
from burnish_analyzers.checks.outcome import CheckOutcome, Status, Timing
from burnish_analyzers.checks.subject import Answer, Subject, answer
from burnish_analyzers.errors import JobError
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.runner.statistics import bootstrap_interval, median

FASTER = 1.05
SLOWER = 0.95
SLOWER_READABLE = 0.80
ALPHA = 0.01
CONFIDENCE = 1 - ALPHA
SEEDS = (1, 2)
TIMING_SECONDS = {Goal.PERFORMANCE: 4.0, Goal.READABILITY: 1.5}
LEAST_ROUNDS = 6
MOST_ROUNDS = 15
SCRIPT_SECONDS = 20.0
HEAVY_INPUTS = 2


def check_timing(subject: Subject, tries: int, goal: Goal | None) -> Answer:
    """For performance the candidate is faster beyond doubt; for readability it is not clearly slower; else it is told.

    `tries` is how many candidates of this refinement have been timed, this one included: the error rate is shared
    among them, since the best of many looks faster than it is (Bonferroni).
    """
    try:
        timing, slower = time_script(subject) if subject.baseline.examples else time_calls(subject, ALPHA / tries)
    except JobError as error:
        return answer("timing", Status.FAILED, f"The timing does not end. {error}")
    if isinstance(timing, str):
        return answer("timing", Status.SKIPPED, timing)
    failed, detail = judged(goal, timing, slower)
    status = Status.FAILED if failed else Status.PASSED
    return Answer(outcome=CheckOutcome(name="timing", status=status, detail=detail), timing=timing)


def judged(goal: Goal | None, timing: Timing, slower: str) -> tuple[bool, str]:
    """Whether the goal rejects this timing, and what to tell people."""
    shown = f"{timing.ratio:.2f}× ({timing.low:.2f} to {timing.high:.2f} at {timing.confidence:.0%}, {timing.clock})"
    if goal is Goal.PERFORMANCE:
        if timing.high < 1:
            return True, f"It is slower: {shown}."
        if timing.verdict != "faster":
            return True, f"It is not at least {FASTER}× as fast beyond doubt: {shown}."
        return (True, f"It is faster on the whole, {shown}, but slower on {slower}.") if slower else (False, shown)
    if timing.high < SLOWER_READABLE:
        return goal is Goal.READABILITY, f"It is clearly slower: {shown}."
    return False, shown


def time_calls(subject: Subject, alpha: float) -> tuple[Timing | str, str]:
    """On the recorded calls, in fresh processes of different hash seeds; all of them must agree."""
    recording = subject.baseline.recording
    if not subject.baseline.select or recording is None:
        return "No test makes a call that could be timed.", ""
    runs: list[dict[str, Any]] = []
    for seed in SEEDS if subject.goal is Goal.PERFORMANCE else SEEDS[:1]:
        run = subject.bench.timing(
            recording.source,
            subject.version,
            seconds=subject.baseline.allowed_seconds,
            timing_seconds=TIMING_SECONDS[subject.goal],
            alpha=alpha,
            seed=seed,
        )
        if not run.get("workloads"):
            return f"No call could be timed: {run.get('unswappable') or why_none(recording)}.", ""
        runs.append(run)
        if run["workloads"][0]["low"] <= FASTER:
            break  # a second process could only confirm
    whole = [run["workloads"][0] for run in runs]
    slower = [part["name"] for run in runs for part in run["workloads"][1:] if part["high"] < SLOWER]
    return timing_of(whole, str(runs[0]["clock"]), runs[0]["calls"], 1 - alpha), ", ".join(dict.fromkeys(slower))


def timing_of(whole: Sequence[dict[str, Any]], clock: str, workloads: int, confidence: float) -> Timing:
    """Several processes' intervals as one that holds them all."""
    ratio = math.exp(sum(math.log(part["ratio"]) for part in whole) / len(whole))
    low, high = min(part["low"] for part in whole), max(part["high"] for part in whole)
    return Timing(
        ratio=ratio,
        low=low,
        high=high,
        confidence=confidence,
        verdict="faster"
        if low > FASTER
        else "slower"
        if high < SLOWER
        else "same"
        if near(low, high)
        else "cannot tell",
        clock=clock,
        workloads=workloads,
    )


def near(low: float, high: float) -> bool:
    """Whether an interval leaves no room for a difference worth a word."""
    return low >= SLOWER and high <= FASTER


def time_script(subject: Subject) -> tuple[Timing, str]:
    """On the heaviest example inputs, process by process, interleaved, in CPU seconds with start-up and all."""
    inputs = heaviest(subject.baseline.examples, HEAVY_INPUTS)
    texts = subject.original.text, subject.changed.text
    ratios: dict[Path | None, list[float]] = {None: []} | {path: [] for path in inputs}
    began = time.monotonic()
    while len(ratios[None]) < LEAST_ROUNDS or (
        len(ratios[None]) < MOST_ROUNDS and time.monotonic() - began < SCRIPT_SECONDS and near_claim(ratios[None])
    ):
        spent = [0.0, 0.0]
        for path in inputs:
            seconds = [0.0, 0.0]
            for index in (0, 1) if len(ratios[None]) % 2 else (1, 0):
                finished = subject.bench.script(texts[index], path, seconds=subject.baseline.allowed_seconds * 10)
                seconds[index] = max(finished.cpu_seconds, 1e-4)
                spent[index] += seconds[index]
            ratios[path].append(math.log(seconds[0] / seconds[1]))
        ratios[None].append(math.log(spent[0] / spent[1]))
    parts = {path: interval(values) for path, values in ratios.items()}
    slower = [path.name for path, part in parts.items() if path and part["high"] < SLOWER]
    return timing_of([parts[None]], "CPU clock of whole processes", len(inputs), CONFIDENCE), ", ".join(slower)


def near_claim(ratios: Sequence[float]) -> bool:
    """Whether more rounds could change what is said."""
    part = interval(ratios)
    return bool(part["low"] <= FASTER <= part["high"])


def interval(ratios: Sequence[float]) -> dict[str, float]:
    """Ratio and interval from log ratios."""
    low, high = bootstrap_interval(ratios, ALPHA)
    return {"ratio": math.exp(median(ratios)), "low": math.exp(low), "high": math.exp(high)}
