"""Times both versions of a function on recorded calls made larger, to see how the time grows with the size."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .observe import MOST_ITEMS, OutOfTimeError, time_limit
from .passes import Prepared, Timer, prepared
from .record import Call
from .swap import Swapper, Version

LEAST_SIZE = 8
MOST_SIZE = 1 << 17
LEAST_SIZES = 4
REPEATS = 5
MOST_CALLS = 5
PASS_SECONDS = 0.001
RUN_SHARE = 0.04  # of all the time, what one run may take
CONTAINERS = (list, tuple, set, frozenset, dict, str, bytes, bytearray, range)
Rows = list[list[float]]


class Growth:
    """Seconds of both versions at each size, each measured a few times. `fresh`: the calls wear their arguments out."""

    def __init__(self, swapper: Swapper, versions: tuple[Version, Version], timer: Timer, *, fresh: bool) -> None:
        self.swapper = swapper
        self.versions = versions
        self.timer = timer
        self.fresh = fresh
        self.sizes: list[int] = []
        self.seconds: tuple[Rows, Rows] = ([], [])

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {"sizes": self.sizes, "before": self.seconds[0], "after": self.seconds[1]}

    def measure(self, call: Call, sizes: Mapping[str, int], seconds: float) -> None:
        """Double the size of some arguments, of which `sizes` tells the present ones, until time is up."""
        deadline = time.perf_counter() + seconds
        largest = max(sizes.values())
        size = LEAST_SIZE
        most = MOST_ITEMS if self.timer.drains or self.timer.awaits else MOST_SIZE
        while size <= most and time.perf_counter() < deadline:
            grown = {name: max(1, own * size // largest) for name, own in sizes.items()}
            other = call.altered({name: resized(call.values[name], own) for name, own in grown.items()})
            if not self.fits(other, seconds * RUN_SHARE):
                return
            rows = self.rows(other)
            self.sizes.append(size)
            for kept, row in zip(self.seconds, rows):
                kept.append(row)
            size *= 2

    def fits(self, call: Call, limit: float) -> bool:
        """Whether both versions do this call in time, and without an exception."""
        try:
            for version in self.versions:
                with time_limit(limit):
                    self.timer.one(self.prepared(version, call))
        except (OutOfTimeError, Exception):  # noqa: BLE001 - the unit may raise anything
            return False
        return True

    def prepared(self, version: Version, call: Call) -> Prepared:
        """A call of one version, which is in place then."""
        self.swapper.use(version)
        return prepared(self.swapper.function(call.target.key), call)

    def rows(self, call: Call) -> tuple[list[float], list[float]]:
        """Seconds of one call of each version, several times in turn."""
        rows: tuple[list[float], list[float]] = ([], [])
        shared = [self.prepared(version, call) for version in self.versions]
        once = max(1e-6, min(self.timer.run([[self.prepared(version, call)]]) for version in self.versions))
        repeats = 1 if self.fresh else max(1, min(1000, round(PASS_SECONDS / once)))
        for _ in range(REPEATS):
            for version, given, row in zip(self.versions, shared, rows):
                self.swapper.use(version)
                passes = [[self.prepared(version, call)]] if self.fresh else [[given]] * repeats
                row.append(self.timer.run(passes) / repeats)
        return rows


def growth(
    swapper: Swapper,
    versions: tuple[Version, Version],
    calls: Sequence[Call],
    timer: Timer,
    fresh: bool,
    seconds: float,
) -> dict[str, Any] | None:
    """How both versions fare on the first of some calls that can be made larger, dearest first; None if none can."""
    deadline = time.perf_counter() + seconds
    for call in calls[:MOST_CALLS]:
        for sizes in scalable(call):
            found = Growth(swapper, versions, timer, fresh=fresh)
            with contextlib.suppress(Exception):  # copying and resizing what is the user's may raise anything
                found.measure(call, sizes, (deadline - time.perf_counter()) * 0.9)
            if len(found.sizes) >= LEAST_SIZES:
                return found.document()
    return None


def scalable(call: Call) -> Iterator[dict[str, int]]:
    """Present sizes of arguments to scale together: the longest ones, then all containers; where none is, a number."""
    values = {name: value for name, value in call.values.items() if name not in call.sources}
    sizes = {name: len(value) for name, value in values.items() if type(value) in CONTAINERS and len(value)}
    if sizes:
        longest = {name: size for name, size in sizes.items() if size == max(sizes.values())}
        yield longest
        if longest != sizes:
            yield sizes
        return
    numbers = {name: value for name, value in values.items() if type(value) is int and value > 1}
    if numbers:
        name = max(numbers, key=lambda name: numbers[name])
        yield {name: numbers[name]}


def resized(value: Any, size: int) -> Any:
    """A value of the same kind and so many items: its own, then more of their like, no two alike where that can be."""
    kind = type(value)
    if kind is int:
        return size
    if kind is range:
        return range(value.start, value.start + size * value.step, value.step)
    if kind in (str, bytes, bytearray):
        return (value * (size // len(value) + 1))[:size]
    items = list(value.items()) if kind is dict else list(value)
    found = list(numbers_in(items))
    span = int(max(found) - min(found)) + 1 if found else 1
    return kind([shifted(items[index % len(items)], index // len(items), span) for index in range(size)])


def numbers_in(items: Sequence[Any]) -> Iterator[float]:
    """The finite numbers among items and in those that are sequences."""
    for item in items:
        if type(item) in (list, tuple):
            yield from numbers_in(item)
        elif type(item) is int or (type(item) is float and abs(item) < 1e300):
            yield item


def shifted(item: Any, turn: int, span: int) -> Any:
    """The like of an item for the so-manieth turn through all of them."""
    if turn == 0:
        return item
    if type(item) in (int, float):
        return item + turn * span
    if type(item) is str:
        return f"{item}{turn}"
    if type(item) in (list, tuple):
        return type(item)(shifted(part, turn, span) for part in item)
    return item
