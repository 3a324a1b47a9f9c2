"""Runs one call and writes down all that its caller could see."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import functools
import io
import itertools
import operator
import random
import signal
import types
from collections.abc import AsyncIterator, Iterator
from typing import Any, Callable

from .record import Call, parameters
from .show import shown_value

MOST_ITEMS = 2_000
MOST_TRACKED = 10_000
EAGER: tuple[type, ...] = (
    type(iter([])),
    type(iter(())),
    type(iter("")),
    type(iter({})),
    type(iter(set())),
    type(iter(range(0))),
)
CACHED = type(functools.lru_cache(len))
PLAIN = (int, float, complex, str, bytes, bool, type(None), list, dict, set, tuple, frozenset, bytearray)


class OutOfTimeError(BaseException):
    """The call took too long; no `except Exception` of the user's may swallow it."""


class Raised:
    """The call ended with this exception. `deliberate`: by a `raise` statement of the unit's own."""

    def __init__(self, error: BaseException, deliberate: bool) -> None:
        self.error = error
        self.deliberate = deliberate


class Drained:
    """The call gave an iterator: its items, how it ended, and how much of each argument was consumed by when."""

    def __init__(self, kind: str, items: list[Any], end: Any, consumed: list[list[int]]) -> None:
        self.kind = kind
        self.items = items
        self.end = end
        self.consumed = consumed


class Observation:
    """What one call did: its outcome, its arguments afterwards, what it printed, and the globals it uses."""

    def __init__(self, outcome: Any, arguments: dict[str, Any], printed: str, variables: dict[str, Any]) -> None:
        self.outcome = outcome
        self.arguments = arguments
        self.printed = printed
        self.variables = variables

    def parts(self) -> list[tuple[str, Any]]:
        """Everything to compare, by what to call it. One comparison sees them all, so aliasing between them counts."""
        outcome = self.outcome
        shown: list[tuple[str, Any]] = [("outcome", type(outcome) if isinstance(outcome, (Raised, Drained)) else None)]
        if isinstance(outcome, Raised):
            shown.append(("outcome", outcome.error))
        elif isinstance(outcome, Drained):
            shown += [
                ("outcome", [outcome.kind, outcome.items, ending(outcome.end)]),
                ("items left in its iterators (at the call, before the first item, after it)", outcome.consumed),
            ]
        else:
            shown.append(("outcome", outcome))
        return [
            *shown,
            ("arguments afterwards", self.arguments),
            ("printed output", self.printed),
            ("module variables", self.variables),
        ]


def described(outcome: Any) -> str:
    """What a call did, in one line."""
    if isinstance(outcome, Raised):
        return f"raises {shown_value(outcome.error)}"
    if isinstance(outcome, Drained):
        end = f", then raises {shown_value(outcome.end.error)}" if isinstance(outcome.end, Raised) else ""
        return f"yields {shown_value(outcome.items)}{end}"
    return f"returns {shown_value(outcome)}"


def ending(end: Any) -> Any:
    """How an iterator ended, without the traceback."""
    return end.error if isinstance(end, Raised) else end


def observe(function: types.FunctionType, call: Call, seconds: float) -> Observation:
    """Run `call` on `function` with fresh copies, seeded randomness and captured output.

    Raises OutOfTimeError after `seconds`, where the platform can interrupt.
    """
    values = call.copies()
    positional, keyword = arguments_of(function.__code__, values)
    used = module_variables(function)
    before = {name: copied(function.__globals__[name]) for name in used}
    random.seed(20_330_317)
    forget(function.__globals__)
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), time_limit(seconds):
        outcome = outcome_of(function, positional, keyword, values)
    after = {name: copied(function.__globals__[name]) for name in used if name in function.__globals__}
    restore(function.__globals__, before)
    return Observation(outcome, values, output.getvalue(), after)


def outcome_of(function: types.FunctionType, positional: list[Any], keyword: dict[str, Any], values: Any) -> Any:
    """What the call gives: a value, Raised, or Drained."""
    consumed = [left(values)]
    try:
        result = function(*positional, **keyword)
        if isinstance(result, types.CoroutineType):
            result = run_coroutine(result)
        if isinstance(result, types.AsyncGeneratorType):
            items, end = run_coroutine(drain_async(result))
            return Drained("async generator", items, end, [])
    except OutOfTimeError:
        raise
    except BaseException as error:  # noqa: BLE001 - the unit may raise anything; what it raises is the observation
        return Raised(error, deliberate(error, function.__code__))
    if not lazy(result) or any(result is value for value in values.values()):
        return result
    consumed.append(left(values))
    items, end = [], None
    try:
        for item in itertools.islice(result, MOST_ITEMS):
            if not items:
                consumed.append(left(values))
            items.append(item)
    except OutOfTimeError:
        raise
    except BaseException as error:  # noqa: BLE001 - as above
        end = Raised(error, deliberate(error, function.__code__))
    return Drained("iterator", items, end, consumed)


def lazy(value: Any) -> bool:
    """An iterator that computes as it goes; one over a finished container is compared as it is."""
    return isinstance(value, Iterator) and not isinstance(value, (*EAGER, io.IOBase))


def left(values: dict[str, Any]) -> list[int]:
    """How many items each iterator among the arguments still has."""
    flat = [item for value in values.values() for item in (value if isinstance(value, tuple) else (value,))]
    return [operator.length_hint(value, -1) for value in flat if isinstance(value, Iterator)]


def arguments_of(code: types.CodeType, values: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Positional and keyword arguments that give these parameter values."""
    names = parameters(code)
    count = code.co_argcount
    keyword_names = names[count : count + code.co_kwonlyargcount]
    rest = list(names[count + code.co_kwonlyargcount :])
    positional = [values[name] for name in names[:count]]
    keyword = {name: values[name] for name in keyword_names}
    if code.co_flags & 0x04:
        positional += values[rest.pop(0)]
    if code.co_flags & 0x08:
        keyword.update(values[rest.pop(0)])
    return positional, keyword


def run_coroutine(coroutine: Any) -> Any:
    """Its result, on an event loop of its own."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def drain_async(source: AsyncIterator[Any]) -> tuple[list[Any], Any]:
    """The items of an asynchronous generator, and how it ended."""
    items: list[Any] = []
    try:
        async for item in source:
            items.append(item)
            if len(items) >= MOST_ITEMS:
                break
    except Exception as error:  # noqa: BLE001 - what it raises is the observation
        return items, Raised(error, False)
    return items, None


def deliberate(error: BaseException, code: types.CodeType) -> bool:
    """Whether the innermost frame is the unit's own (or of a function in it) and stands at a `raise` or `assert`."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not inside(trace.tb_frame.f_code, code):
        return False
    return operation_at(trace.tb_frame.f_code, trace.tb_lasti) in ("RAISE_VARARGS", "RERAISE")


def operation_at(code: types.CodeType, offset: int) -> str:
    """The name of the instruction at a byte offset."""
    import dis

    return next((item.opname for item in dis.get_instructions(code) if item.offset == offset), "")


def inside(code: types.CodeType, outer: types.CodeType) -> bool:
    """Whether `code` is `outer` or defined in it."""
    return code is outer or any(isinstance(item, types.CodeType) and inside(code, item) for item in outer.co_consts)


def names_used(code: types.CodeType) -> set[str]:
    """Global names that a function or one inside it may read or write."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= names_used(constant)
    return found


def module_variables(function: types.FunctionType) -> list[str]:
    """Names of plain data in the module that the function may change."""
    variables = function.__globals__
    return sorted(
        name
        for name in names_used(function.__code__)
        if name in variables and type(variables[name]) in PLAIN and not name.startswith("__")
        if not hasattr(variables[name], "__len__") or len(variables[name]) <= MOST_TRACKED
    )


def copied(value: Any) -> Any:
    """A copy of plain data, or the value itself where something in it cannot be copied."""
    try:
        return copy.deepcopy(value)
    except Exception:  # noqa: BLE001 - a class of the user's may raise anything when copied
        return value


def forget(variables: dict[str, Any]) -> None:
    """Empty the module's function caches: what one version put there must not answer for another."""
    for value in list(variables.values()):
        if isinstance(value, CACHED):
            value.cache_clear()


def restore(variables: dict[str, Any], before: dict[str, Any]) -> None:
    """Put module variables back, containers in place, since others may hold them."""
    for name, value in before.items():
        now = variables.get(name)
        if isinstance(now, (list, bytearray)) and type(now) is type(value):
            now[:] = value
        elif isinstance(now, (dict, set)) and type(now) is type(value):
            now.clear()
            now.update(value)
        else:
            variables[name] = value


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError in this thread after `seconds`; no limit where there is no interval timer."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: Any) -> None:
        raise OutOfTimeError

    previous: Callable[..., Any] | int | None = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
