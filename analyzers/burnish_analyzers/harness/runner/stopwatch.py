"""Times two versions of a function on recorded calls, interleaved in one process.

A block runs two copies of each version: old, new, new, old or the other way round, by chance, on the thread's CPU
clock, which beats the wall clock on a busy machine; code that waits or uses threads is timed by the wall clock instead.
A round is a few blocks on the same copies, and gives one log ratio of old to new. Of both it takes the faster copy: one
in twenty runs a third slower for its place in memory alone. Intervals are made of rounds, so that the rest of that luck
is part of them. After every second round comes one of old against itself, which tells how much differs by nothing but
this machine at this moment: the resolution. The garbage collector is off in every block, and runs between rounds.
"""

from __future__ import annotations

import gc
import math
import random
import time
from collections.abc import Collection, Sequence
from typing import Any

from .copies import Copier, Copy
from .passes import WALL_CLOCK, Prepared, Timer, prepared, quiet, waits
from .record import Call
from .statistics import interval, median, resolution
from .swap import Swapper, Version

PASS_SECONDS = 0.002
ROUND_SECONDS = 0.03
MOST_BLOCKS = 4
LONG_SECONDS = 0.005
WARM_REPEATS = 16
WARM_SECONDS = 0.3
LEVEL = 0.98
LEVEL_PASSES = 3
WAITING_SHARE = 0.5
MOST_CALLS = 100_000
MOST_FRESH = 2_000
MOST_WHOLE_SECONDS = 0.1
MOST_NAMED = 4
LOOK_AT = (6, 12, 24, 48, 96)
PROCESSES = 2
LOOKS = PROCESSES * len(LOOK_AT)  # the error rate is shared among them
LEAST_ROUNDS = 4
OVERTIME_SECONDS = 20.0
TIGHT = 0.018
FASTER = math.log(1.05)
SLOWER = math.log(0.95)


class Workload:
    """Calls timed together, each `repeats` times. `ratios` old to new, `null` old to itself: logs, one a round."""

    def __init__(self, name: str, calls: Sequence[Call]) -> None:
        self.name = name
        self.calls = calls
        self.repeats = 1
        self.seconds = 0.0
        self.ratios: list[float] = []
        self.null: list[float] = []

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {"name": self.name, "ratios": self.ratios, "null": self.null}


class Stopwatch:
    """Times old against new on workloads that share no call. `fresh`: the calls wear their arguments out."""

    def __init__(
        self,
        swapper: Swapper,
        versions: tuple[Version, Version],
        parts: Sequence[Workload],
        *,
        fresh: bool = False,
        seed: int = 0,
    ) -> None:
        self.chance = random.Random(seed)
        self.copier = Copier(swapper, self.chance)
        self.versions = versions
        self.parts = parts
        self.fresh = fresh
        self.whole = Workload("all calls", [])
        self.blocks = 1
        self.timer = Timer()

    @property
    def workloads(self) -> list[Workload]:
        """The whole, then its parts where there are several."""
        return [self.whole, *(self.parts if len(self.parts) > 1 else ())]

    def measure(self, seconds: float, alpha: float, earlier: Sequence[Sequence[float]] = ()) -> None:
        """Go on until the answer is certain, or for about so long.

        `alpha`: the error rate of all looks together. `earlier`: the whole's log ratios in processes before this one.
        """
        with quiet():
            self.warm()
            began = time.perf_counter()
            while (count := len(self.whole.ratios)) < LOOK_AT[-1]:
                if count in LOOK_AT and self.certain(alpha / LOOKS, earlier):
                    break
                spent = time.perf_counter() - began
                if spent > seconds and (count >= LEAST_ROUNDS or spent > OVERTIME_SECONDS):
                    break
                for workload, ratio in zip([*self.parts, self.whole], self.round(self.versions)):
                    workload.ratios.append(ratio)
                if count % 2:
                    self.whole.null.append(self.round((self.versions[0], self.versions[0]))[-1])
            self.timer.close()

    def certain(self, alpha: float, earlier: Sequence[Sequence[float]]) -> bool:
        """Whether more rounds would not change what is said."""
        _, low, high = interval([*earlier, self.whole.ratios], alpha)
        if high < FASTER:
            return True
        if low <= max(FASTER, resolution([self.whole.null])):
            return (high - low) / 2 <= TIGHT
        found = [interval([part.ratios], alpha) for part in self.workloads[1:]]
        return all(low > SLOWER or high < SLOWER or (high - low) / 2 <= TIGHT for _, low, high in found)

    def warm(self) -> None:
        """Run both versions until passes are level, choose the clock, and find repeats long enough to time."""
        copies = [self.copier.copy(version) for version in self.versions]
        for copy in copies:
            copy.place()
            self.timer.look([item for part in self.parts for item in self.once(copy, part)])

        def passes() -> float:
            return sum(self.spent(copy, part, 1) for copy in copies for part in self.parts)

        wall, used, best, level = time.perf_counter(), time.thread_time(), math.inf, 0
        while level < LEVEL_PASSES and time.perf_counter() - wall < WARM_SECONDS:
            spent = passes()
            level = level + 1 if spent > LEVEL * best else 0
            best = min(best, spent)
        if time.thread_time() - used < WAITING_SHARE * (time.perf_counter() - wall) and waits(passes):
            self.timer.clock = WALL_CLOCK
        for part in self.parts:
            self.calibrate(part, copies)
        block = 4 * sum(part.seconds * part.repeats for part in self.parts)
        self.blocks = max(1, min(MOST_BLOCKS, round(ROUND_SECONDS / block)))

    def calibrate(self, part: Workload, copies: Sequence[Copy]) -> None:
        """Find the repeats that make a pass long enough to time."""
        most = max(1, (MOST_FRESH if self.fresh else MOST_CALLS) // len(part.calls))
        while True:
            spent = max(min(self.spent(copy, part, part.repeats) for copy in copies), 1e-7)
            part.seconds = spent / part.repeats
            if spent >= PASS_SECONDS or part.repeats == most:
                return
            grown = part.repeats * PASS_SECONDS / max(spent, PASS_SECONDS / 50)
            part.repeats = min(most, max(part.repeats + 1, math.ceil(grown)))

    def once(self, copy: Copy, part: Workload, like: Sequence[Prepared] | None = None) -> Sequence[Prepared]:
        """What one repeat runs, with arguments of its own, or those of another copy."""
        functions = [copy.functions[call.target.key] for call in part.calls]
        if like is None:
            return [prepared(function, call) for function, call in zip(functions, part.calls)]
        return [(function, *given[1:]) for function, given in zip(functions, like)]

    def spent(self, copy: Copy, part: Workload, repeats: int, like: Sequence[Prepared] | None = None) -> float:
        """Seconds that a pass takes: so many repeats."""
        copy.place()
        if self.fresh:
            return self.timer.run([self.once(copy, part) for _ in range(repeats)])
        return self.timer.run([self.once(copy, part, like)] * repeats)

    def round(self, versions: Sequence[Version]) -> list[float]:
        """Log ratios of two versions for each part and the whole, on new copies and a few blocks.

        All copies get the same arguments where those do not wear out.
        """
        gc.collect()
        copies = [self.copier.copy(version) for version in versions for _ in range(2)]
        likes = [None if self.fresh else self.once(copies[0], part) for part in self.parts]
        for copy in copies:
            for part, like in zip(self.parts, likes):
                if part.seconds < LONG_SECONDS:  # a longer call teaches the interpreter what it will within itself
                    self.spent(copy, part, min(part.repeats, WARM_REPEATS), like)
        blocks = [self.block(copies, likes) for _ in range(self.blocks)]
        found = []
        for column in range(len(self.parts) + 1):
            logs = [median([math.log(block[index][column]) for block in blocks]) for index in range(4)]
            found.append(min(logs[:2]) - min(logs[2:]))
        return found

    def block(self, copies: Sequence[Copy], likes: Sequence[Sequence[Prepared] | None]) -> list[list[float]]:
        """Seconds of each copy, of two versions two each, on each part and on the whole."""
        pairs = [self.chance.sample((0, 1), 2), self.chance.sample((2, 3), 2)]
        (first, last), (second, third) = self.chance.sample(pairs, 2)
        found: list[list[float]] = [[]] * len(copies)
        for index in (first, second, third, last):
            seconds = [
                max(self.spent(copies[index], part, part.repeats, like), 1e-9) / part.repeats
                for part, like in zip(self.parts, likes)
            ]
            found[index] = [*seconds, sum(seconds)]
        return found


def workloads(calls: Sequence[Call], costs: Sequence[float], benchmarks: Collection[str] = ()) -> list[Workload]:
    """Calls as workloads: those of each of some tests that are benchmarks, and the rest as cheap, middling and dear.

    Where all of them take long, only every so-manieth is among them, by what they cost.
    """
    ranked = sorted(zip(costs, range(len(calls))), reverse=True)
    every = max(1, math.ceil(sum(costs) / MOST_WHOLE_SECONDS))
    named: dict[str, list[Call]] = {}
    rest: list[tuple[float, Call]] = []
    for cost, index in ranked[::every]:
        call = calls[index]
        if call.test in benchmarks and (call.test in named or len(named) < MOST_NAMED):
            named.setdefault(call.test, []).append(call)
        else:
            rest.append((cost, call))
    return [Workload(name, part) for name, part in named.items()] + thirds(rest)


def thirds(ranked: Sequence[tuple[float, Call]]) -> list[Workload]:
    """Calls, dearest first, as one workload, or as three where there are enough to tell apart."""
    calls = [call for _, call in ranked]
    if len(calls) < 6 or ranked[0][0] < 3 * max(ranked[-1][0], 1e-7):
        return [Workload("other calls", calls)] if calls else []
    third = len(calls) // 3
    return [
        Workload("the dearest calls", calls[:third]),
        Workload("the middling calls", calls[third:-third]),
        Workload("the cheapest calls", calls[-third:]),
    ]
