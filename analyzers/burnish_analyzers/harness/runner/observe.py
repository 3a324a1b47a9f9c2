"""Runs one call and writes down all that its caller could see."""

from __future__ import annotations

import asyncio
import contextlib
import io
import operator
import random
import signal
import types
from collections.abc import AsyncIterator, Iterator
from typing import Any, Callable

from .guard import WrittenFiles
from .module_state import ModuleState, forget
from .portrait import portrait
from .record import VARARGS, VARKEYWORDS, Call, parameters
from .show import shown_value

MOST_ITEMS = 2_000
EAGER: tuple[type, ...] = (
    type(iter([])),
    type(iter(())),
    type(iter("")),
    type(iter({})),
    type(iter(set())),
    type(iter(range(0))),
)


class OutOfTimeError(BaseException):
    """The call took too long; no `except Exception` of the user's may swallow it."""


class StoppedByCallerError(Exception):
    """What the body of a ``with`` or ``for`` may raise while a generator waits."""


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
    """What one call did: its outcome, its arguments afterwards, what it printed, changed in its module, and wrote.

    `known` names, by id, what is one and the same object whatever version runs.
    """

    def __init__(
        self,
        outcome: Any,
        arguments: dict[str, Any],
        printed: str,
        variables: dict[str, Any],
        files: list[tuple[str, Any]],
        known: dict[int, str],
    ) -> None:
        self.outcome = outcome
        self.arguments = arguments
        self.printed = printed
        self.variables = variables
        self.files = files
        self.known = known

    def document(self) -> dict[str, Any]:
        """As JSON: in words, and as one portrait of all parts, so that aliasing between them counts."""
        parts = self.parts()
        return {
            "described": described(self.outcome),
            "error": error_of(self.outcome),
            "labels": [label for label, _ in parts],
            "portrait": portrait([value for _, value in parts], self.known),
        }

    def parts(self) -> list[tuple[str, Any]]:
        """Everything to compare, by what to call it."""
        outcome = self.outcome
        kind = type(outcome).__name__ if isinstance(outcome, (Raised, Drained)) else "Returned"
        shown: list[tuple[str, Any]] = [("outcome", kind)]
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
            ("files written", self.files),
        ]


def error_of(outcome: Any) -> dict[str, Any] | None:
    """The exception that a call or its iterator ended with: its type, whether the unit raised it, and when."""
    lazy_end = outcome.end if isinstance(outcome, Drained) else None
    raised = outcome if isinstance(outcome, Raised) else lazy_end
    if not isinstance(raised, Raised):
        return None
    return {"type": type(raised.error).__name__, "deliberate": raised.deliberate, "at_once": raised is outcome}


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
    state = ModuleState(function)
    random.seed(20_330_317)
    forget(function.__globals__)
    output = io.StringIO()
    written = WrittenFiles()
    with written, contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), time_limit(seconds):
        outcome = outcome_of(function, call, positional, keyword, values)
    after = state.now()
    state.restore()
    return Observation(outcome, values, output.getvalue(), after, written.taken(), known_objects(function))


def known_objects(function: types.FunctionType) -> dict[int, str]:
    """Names of what every version shares, by id: the function, its defaults, and what its module's names stand for."""
    found = {id(value): f"{function.__module__}.{name}" for name, value in function.__globals__.items()}
    for index, value in enumerate((*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())):
        found.setdefault(id(value), f"default {index} of {function.__qualname__}")
    return {**found, id(function): function.__qualname__}


def outcome_of(
    function: types.FunctionType, call: Call, positional: list[Any], keyword: dict[str, Any], values: Any
) -> Any:
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
    return drained(result, call.ending, values, consumed, function.__code__)


def drained(
    source: Iterator[Any], ending: str, values: dict[str, Any], consumed: list[list[int]], code: types.CodeType
) -> Drained:
    """The items of an iterator up to MOST_ITEMS, and how it ended: by an exception, or with what it returned."""
    items: list[Any] = []
    end = None
    try:
        while len(items) < MOST_ITEMS:
            items.append(next_of(source, ending if items else "", len(items)))
            if len(items) == 1:
                consumed.append(left(values))
    except OutOfTimeError:
        raise
    except StopIteration as stop:
        end = stop.value
    except BaseException as error:  # noqa: BLE001 - as above
        end = Raised(error, deliberate(error, code))
    return Drained("iterator", items, end, consumed)


def next_of(source: Any, ending: str, count: int) -> Any:
    """The next item; `ending` tells how a generator is asked for it instead, or left."""
    if not ending or not isinstance(source, types.GeneratorType):
        return next(source)
    if ending == "close":
        source.close()
        raise StopIteration
    if ending == "throw":
        return source.throw(StoppedByCallerError("thrown in by the caller"))
    return source.send(count)


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
    if code.co_flags & VARARGS:
        positional += values[rest.pop(0)]
    if code.co_flags & VARKEYWORDS:
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
