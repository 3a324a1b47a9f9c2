"""Times two versions of a function on recorded calls, interleaved in one process.

Blocks run old, new, new, old or the other way round, by chance, on the thread's CPU clock, which beats the wall clock
on a busy machine; code that waits or uses threads is timed by the wall clock instead. Each block gives one log ratio;
their median and its bootstrap interval are the result. The garbage collector is off in every block alike.
"""

from __future__ import annotations

import collections
import gc
import itertools
import math
import random
import time
import types
from collections.abc import Callable, Sequence
from typing import Any

from .observe import MOST_ITEMS, arguments_of, drain_async, lazy, run_coroutine
from .record import Call
from .statistics import bootstrap_interval, median
from .swap import Swapper, Version

BLOCK_SECONDS = 0.002
WARM_SECONDS = 0.05
LEAST_BLOCKS = 30
MOST_BLOCKS = 400
CHUNK = 10
TIGHT = 0.015
CLAIM = math.log(1.05)
WAITING_SHARE = 0.5
MOST_CALLS = 100_000
MOST_FRESH = 2_000


class Workload:
    """Calls timed together, each `repeats` times; `fresh` when the arguments wear out and are copied each time."""

    def __init__(self, name: str, calls: Sequence[Call], fresh: bool) -> None:
        self.name = name
        self.calls = calls
        self.fresh = fresh
        self.repeats = 1
        self.ratios: list[float] = []

    def interval(self, alpha: float) -> tuple[float, float, float]:
        """Ratio old/new of seconds with its interval."""
        low, high = bootstrap_interval(self.ratios, alpha)
        return math.exp(median(self.ratios)), math.exp(low), math.exp(high)


class Stopwatch:
    """Times `old` against `new` on workloads of recorded calls."""

    def __init__(self, swapper: Swapper, old: Version, new: Version, seed: int) -> None:
        self.swapper = swapper
        self.versions = (old, new)
        self.random = random.Random(seed)
        self.clock: Callable[[], float] = time.thread_time

    def run(self, version: Version, workload: Workload) -> float:
        """Seconds that one pass over a workload takes."""
        self.swapper.use(version)
        passes = []
        prepared = None
        for _ in range(workload.repeats):
            if workload.fresh or prepared is None:
                prepared = [self.prepare(call) for call in workload.calls]
            passes.append(prepared)
        clock = self.clock
        began = clock()
        for calls in passes:
            for function, positional, keyword in calls:
                try:
                    consume(function(*positional, **keyword))
                except Exception:  # noqa: BLE001 - a recorded call may be one that raises; no call in between
                    pass
        return clock() - began

    def prepare(self, call: Call) -> tuple[types.FunctionType, list[Any], dict[str, Any]]:
        """The function and fresh arguments of one call."""
        function = self.swapper.function(call.target.key)
        return (function, *arguments_of(function.__code__, call.copies()))

    def block(self, workload: Workload) -> float:
        """One log ratio, from two passes of each version."""
        order = (0, 1, 1, 0) if self.random.random() < 0.5 else (1, 0, 0, 1)
        spent = [0.0, 0.0]
        for index in order:
            spent[index] += self.run(self.versions[index], workload)
        return math.log(max(spent[0], 1e-9) / max(spent[1], 1e-9))

    def calibrate(self, workload: Workload) -> None:
        """Warm both versions and find the repeats that make a pass long enough to time."""
        wall, used = time.perf_counter(), time.thread_time()
        while time.perf_counter() - wall < WARM_SECONDS:
            for version in self.versions:
                self.run(version, workload)
        if time.thread_time() - used < WAITING_SHARE * (time.perf_counter() - wall) and waits(self, workload):
            self.clock = time.perf_counter
        while (spent := min(self.run(version, workload) for version in self.versions)) < BLOCK_SECONDS:
            grown = workload.repeats * BLOCK_SECONDS / max(spent, BLOCK_SECONDS / 50)
            workload.repeats = max(workload.repeats + 1, math.ceil(grown))
            if workload.repeats * len(workload.calls) > (MOST_FRESH if workload.fresh else MOST_CALLS):
                return


def waits(stopwatch: Stopwatch, workload: Workload) -> bool:
    """Whether a pass gives up the processor by itself, as sleep, input, output and waiting for threads do."""
    try:
        import resource
    except ImportError:  # no such count on this platform
        return True
    before = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
    for version in stopwatch.versions:
        stopwatch.run(version, workload)
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw > before


def consume(result: Any) -> None:
    """Drain what a call gave, so that lazy work is timed too."""
    if isinstance(result, types.CoroutineType):
        result = run_coroutine(result)
    if isinstance(result, types.AsyncGeneratorType):
        run_coroutine(drain_async(result))
    elif lazy(result):
        collections.deque(itertools.islice(result, MOST_ITEMS), maxlen=0)


def workloads(calls: Sequence[Call], costs: Sequence[float], fresh: bool) -> list[Workload]:
    """All calls as one workload, then the cheap, middle and dear thirds, where there are enough to tell apart."""
    whole = [Workload("all calls", calls, fresh)]
    if len(calls) < 6 or max(costs) < 3 * max(min(costs), 1e-7):
        return whole
    ranked = [call for _, call in sorted(zip(costs, calls), key=lambda pair: pair[0])]
    third = len(ranked) // 3
    parts = (ranked[:third], ranked[third:-third], ranked[-third:])
    names = ("the cheapest calls", "the middling calls", "the dearest calls")
    return whole + [Workload(name, part, fresh) for name, part in zip(names, parts)]


def measure(stopwatch: Stopwatch, parts: Sequence[Workload], seconds: float, alpha: float) -> list[dict[str, Any]]:
    """Each workload's ratio with its interval; stops early where the answer is certain."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        for part in parts:
            stopwatch.calibrate(part)
            share = seconds / len(parts)
            deadline = time.perf_counter() + share
            while True:
                for _ in range(CHUNK):
                    part.ratios.append(stopwatch.block(part))
                    if time.perf_counter() > deadline:
                        break
                late = time.perf_counter() > deadline
                if (
                    late
                    or len(part.ratios) >= MOST_BLOCKS
                    or (len(part.ratios) >= LEAST_BLOCKS and certain(part, alpha))
                ):
                    break
    finally:
        gc.enable()
        gc.unfreeze()
    found = []
    for part in parts:
        ratio, low, high = part.interval(alpha)
        found.append({"name": part.name, "ratio": ratio, "low": low, "high": high, "blocks": len(part.ratios)})
    return found


def certain(part: Workload, alpha: float) -> bool:
    """Whether more blocks would not change what is said."""
    low, high = bootstrap_interval(part.ratios, alpha)
    return (high - low) / 2 <= TIGHT or low > CLAIM or high < CLAIM
