"""What is measured of two versions on the recorded calls: time, and in runs of their own memory and growth."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .calls import Calls
from .growth import growth
from .observe import OutOfTimeError, time_limit
from .passes import Timer, prepared, quiet
from .record import Call
from .stopwatch import Stopwatch, workloads
from .swap import UnswappableError, Version

MEMORY_RUNS = 2
Task = Mapping[str, Any]
Write = Callable[[dict[str, Any]], None]


class Measured:
    """Both versions, and the recorded calls with what each costs the old one in seconds.

    `fresh`: some call changes its arguments or uses them up, in one version at least. Raises UnswappableError.
    """

    def __init__(self, held: Calls, task: Task) -> None:
        old = held.swapper.loaded
        self.versions = old, Version(task["version"]["text"], old.path, task["version"]["imports"])
        held.swapper.use(old)
        costs = held.costs(task["seconds"])
        self.calls: list[Call] = [held.calls[index] for index in costs]
        self.costs = list(costs.values())
        self.fresh = False
        for version in self.versions:
            held.swapper.use(version)
            self.fresh = self.fresh or any(map(held.wears_out, self.calls))


def timing(held: Calls, task: Task, write: Write) -> None:
    """Log ratios of old to new, of each round of each workload."""
    try:
        measured = Measured(held, task)
    except UnswappableError as error:
        write({"unswappable": str(error)})
        return
    if not measured.calls:
        write({"workloads": []})
        return
    parts = workloads(measured.calls, measured.costs, held.recorder.benchmarks)
    stopwatch = Stopwatch(held.swapper, measured.versions, parts, fresh=measured.fresh, seed=task["seed"])
    stopwatch.measure(task["timing_seconds"], task["alpha"], task["earlier"])
    write(
        {
            "workloads": [part.document() for part in stopwatch.workloads],
            "clock": stopwatch.timer.clock,
            "calls": sum(len(part.calls) for part in parts),
        }
    )


def profile(held: Calls, task: Task, write: Write) -> None:
    """The most memory that both versions take, and how their time grows with the size of what they are given."""
    try:
        measured = Measured(held, task)
    except UnswappableError:
        return
    ranked = sorted(range(len(measured.calls)), key=lambda index: -measured.costs[index])
    calls = [measured.calls[index] for index in ranked]
    timer = Timer()
    with quiet():
        write({"peak_bytes": peaks(held, measured.versions, calls, timer, task["memory_seconds"])})
        if task["growth_seconds"]:
            write(
                {
                    "growth": growth(
                        held.swapper, measured.versions, calls, timer, measured.fresh, task["growth_seconds"]
                    )
                }
            )


def peaks(
    held: Calls, versions: Sequence[Version], calls: Sequence[Call], timer: Timer, seconds: float
) -> list[int] | None:
    """The most that each version allocates above what was there, on the same calls; None where time is too short."""
    deadline = time.perf_counter() + seconds
    most: list[int] | None = None
    for call in calls:
        found = []
        try:
            with time_limit(max(deadline - time.perf_counter(), 0.001)):
                for version in versions:
                    held.swapper.use(version)
                    found.append(min(peak(held, call, timer) for _ in range(MEMORY_RUNS)))
        except OutOfTimeError:
            tracemalloc.stop()
            break
        most = [max(pair) for pair in zip(most or found, found)]
    return most


def peak(held: Calls, call: Call, timer: Timer) -> int:
    """Bytes that one call allocates at the most, whatever it frees again; its arguments are there before."""
    given = prepared(held.swapper.function(call.target.key), call)
    tracemalloc.start()
    try:
        timer.one(given)
    except Exception:  # noqa: BLE001 - a recorded call may be one that raises
        pass
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most
