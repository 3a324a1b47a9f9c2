"""Runs prepared calls and reads a clock around them: what a call gives is drained, and awaited, on one event loop."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import gc
import itertools
import os
import time
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .observe import MOST_ITEMS, arguments_of, drain_async, lazy
from .record import Call

Prepared = tuple[types.FunctionType, list[Any], dict[str, Any]]
CPU_CLOCK = "CPU clock"
WALL_CLOCK = "wall clock"
CLOCKS: dict[str, Callable[[], float]] = {CPU_CLOCK: time.thread_time, WALL_CLOCK: time.perf_counter}


class Timer:
    """Times calls by one clock. `drains`: some call gives what works only as it is consumed; `awaits`: or awaited."""

    def __init__(self) -> None:
        self.clock = CPU_CLOCK
        self.drains = False
        self.awaits = False
        self.loop: asyncio.AbstractEventLoop | None = None

    def look(self, calls: Iterable[Prepared]) -> None:
        """Run calls once to see what they give."""
        for call in calls:
            with contextlib.suppress(Exception):
                self.one(call)

    def one(self, call: Prepared) -> None:
        """Run one call to its end. Raises what it raises."""
        function, positional, keyword = call
        result = function(*positional, **keyword)
        if isinstance(result, (types.CoroutineType, types.AsyncGeneratorType)):
            self.awaits = True
            self.run_async(settled(result))
        elif lazy(result):
            self.drains = True
            drain(result)

    def run(self, passes: Sequence[Sequence[Prepared]]) -> float:
        """Seconds that these calls take together."""
        clock = CLOCKS[self.clock]
        if self.awaits:
            return float(self.run_async(awaited(passes, clock)))
        return drained(passes, clock) if self.drains else called(passes, clock)

    def run_async(self, coroutine: Any) -> Any:
        """Run a coroutine on the loop that all of them share: to make one costs more than most calls."""
        if self.loop is None:
            self.loop = asyncio.new_event_loop()
        return self.loop.run_until_complete(coroutine)

    def close(self) -> None:
        """End the loop."""
        if self.loop is not None:
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()


# A recorded call may be one that raises, so the three loops pass over exceptions. Nothing else is to cost time in them.


def called(passes: Sequence[Sequence[Prepared]], clock: Callable[[], float]) -> float:
    """For calls that do their work at once."""
    began = clock()
    for calls in passes:
        for function, positional, keyword in calls:
            try:
                function(*positional, **keyword)
            except Exception:  # noqa: BLE001
                pass
    return clock() - began


def drained(passes: Sequence[Sequence[Prepared]], clock: Callable[[], float]) -> float:
    """For calls of which some give generators."""
    began = clock()
    for calls in passes:
        for function, positional, keyword in calls:
            try:
                drain(function(*positional, **keyword))
            except Exception:  # noqa: BLE001
                pass
    return clock() - began


async def awaited(passes: Sequence[Sequence[Prepared]], clock: Callable[[], float]) -> float:
    """For calls of which some give coroutines or asynchronous generators."""
    began = clock()
    for calls in passes:
        for function, positional, keyword in calls:
            try:
                await settled(function(*positional, **keyword))
            except Exception:  # noqa: BLE001
                pass
    return clock() - began


async def settled(result: Any) -> None:
    """Await or drain what a call gave."""
    if isinstance(result, types.CoroutineType):
        result = await result
    if isinstance(result, types.AsyncGeneratorType):
        await drain_async(result)
    else:
        drain(result)


def drain(result: Any) -> None:
    """Consume an iterator that computes as it goes."""
    if lazy(result):
        collections.deque(itertools.islice(result, MOST_ITEMS), maxlen=0)


def prepared(function: types.FunctionType, call: Call) -> Prepared:
    """The function and fresh arguments of one call."""
    return (function, *arguments_of(function.__code__, call.copies()))


def waits(action: Callable[[], object]) -> bool:
    """Whether an action gives up the processor by itself, as sleep, input, output and waiting for threads do."""
    try:
        import resource
    except ImportError:  # no such count on this platform
        return True
    before = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
    action()
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw > before


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No garbage collector of its own accord, and nothing printed anywhere."""
    gc.collect()
    gc.freeze()
    gc.disable()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        try:
            with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
                yield
        finally:
            gc.enable()
            gc.unfreeze()
