"""The calls on which versions are compared: recorded from the tests, bred from those, and built from expressions."""

from __future__ import annotations

import importlib
import time
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .observe import OutOfTimeError, observe
from .portrait import portrait
from .record import Call, Recorder, Target, parameters, shared_objects
from .show import shown_call
from .swap import Swapper, UnswappableError
from .variations import Openness, variations

METHODS = ("self", "cls")
WEAR_SECONDS = 10.0


class Calls:
    """All calls of one unit, in an order that another process with the same tests would give them too."""

    def __init__(self, swapper: Swapper, recorder: Recorder) -> None:
        self.swapper = swapper
        self.recorder = recorder
        self.calls: list[Call] = []
        self.unbuilt = 0

    def gather(self, open_parameters: Openness, expressions: Sequence[Mapping[str, Any]]) -> None:
        """Recorded ones first, then bred ones, then those built from expressions."""
        self.calls = list(self.recorder.calls)
        self.calls += variations(self.recorder.calls, open_parameters)
        known = {shown_call(call) for call in self.calls}
        for call in self.built(expressions):
            shown = shown_call(call)
            if shown not in known:
                known.add(shown)
                self.calls.append(call)

    def built(self, expressions: Iterable[Mapping[str, Any]]) -> Iterable[Call]:
        """Calls of the unit with arguments that are given as source code, evaluated in its module."""
        for key in self.swapper.keys[:1]:
            try:
                function = self.swapper.function(key)
            except UnswappableError:
                return
            target = next(target for target in self.recorder.targets if target.key == key)
            target.code = function.__code__
            shared = shared_objects(function.__code__)
            for expression in expressions:
                try:
                    values = evaluated(function, expression)
                except Exception:  # noqa: BLE001 - building an object of the user's may raise anything
                    self.unbuilt += 1
                    continue
                yield generated(target, values, shared)

    def simpler(self, index: int) -> list[int]:
        """Adds calls that are like one of them but smaller in one argument; their indices."""
        known = {shown_call(call) for call in self.calls}
        found = []
        for call in smaller(self.calls[index]):
            shown = shown_call(call)
            if shown not in known:
                known.add(shown)
                self.calls.append(call)
                found.append(len(self.calls) - 1)
        return found

    def document(self) -> dict[str, Any]:
        """How many there are, and what was lost."""
        return {
            "seen": self.recorder.seen,
            "kept": len(self.recorder.calls),
            "uncopyable": self.recorder.uncopyable,
            "unbuilt": self.unbuilt,
            "calls": len(self.calls),
        }

    def wears_out(self, call: Call) -> bool:
        """Whether a call changes its arguments or uses them up, so that each run needs fresh ones."""
        before = call.copies()
        if any(isinstance(value, Iterator) for value in before.values()):
            return True
        after = observe(self.swapper.function(call.target.key), call, WEAR_SECONDS).arguments
        return portrait(before) != portrait(after)

    def costs(self, seconds: float) -> dict[int, float]:
        """Seconds that each recorded call takes, by its index; those that do not end in time are left out."""
        deadline = time.monotonic() + seconds
        found = {}
        for index in range(len(self.recorder.calls)):
            left = deadline - time.monotonic()
            began = time.perf_counter()
            if left > 0 and "late" not in self.observe(index, left):
                found[index] = time.perf_counter() - began
        return found

    def observe(self, index: int, seconds: float) -> dict[str, Any]:
        """What the version now in place does on one call, as JSON."""
        call = self.calls[index]
        shown = {"index": index, "call": shown_call(call), "generated": call.generated}
        try:
            return {**shown, **observe(self.swapper.function(call.target.key), call, seconds).document()}
        except OutOfTimeError:
            return {**shown, "late": seconds}


def generated(target: Target, values: dict[str, Any], shared: dict[int, Any]) -> Call:
    """A call that no test made."""
    call = Call(target, values, shared, "")
    call.generated = True
    return call


def evaluated(function: types.FunctionType, expression: Mapping[str, Any]) -> dict[str, Any]:
    """Values of all parameters: the given expressions, in the module's names, or defaults. KeyError where one lacks."""
    names = {**function.__globals__}
    for alias, module in expression["modules"].items():
        names[alias] = importlib.import_module(module)
    given = dict(expression["arguments"])
    code = function.__code__
    wanted = parameters(code)
    if expression["receiver"] and wanted:
        given[wanted[0]] = expression["receiver"]
    values = defaults(function)
    values.update((name, eval(source, names)) for name, source in given.items())
    return {name: values[name] for name in wanted}


def defaults(function: types.FunctionType) -> dict[str, Any]:
    """What parameters are where nothing is given: their defaults, and nothing more for starred ones."""
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    found = function.__defaults__ or ()
    values = dict(zip(positional[len(positional) - len(found) :], found))
    values.update(function.__kwdefaults__ or {})
    rest = list(parameters(code)[code.co_argcount + code.co_kwonlyargcount :])
    if code.co_flags & 0x04:
        values[rest.pop(0)] = ()
    if code.co_flags & 0x08:
        values[rest.pop(0)] = {}
    return values


def smaller(call: Call) -> Iterable[Call]:
    """Calls with one argument made simpler: fewer items, shorter text, a smaller number, its default."""
    for name, value in call.values.items():
        if name not in METHODS:
            for other in simplifications(value):
                changed = Call(call.target, {**call.copies(), name: other}, call.shared, call.test)
                changed.generated = True
                changed.ending = call.ending
                yield changed


def simplifications(value: Any) -> Iterable[Any]:
    """Simpler values of the same type, simplest first (Zeller's delta debugging in steps of halves, then of one)."""
    if type(value) is int and value not in (0, 1):
        yield from (0, 1, value // 2)
    elif type(value) is float and value not in (0.0, 1.0):
        yield from (0.0, 1.0)
    elif type(value) in (str, bytes, list, tuple):
        yield from shorter(value)
        if type(value) in (list, tuple):
            for index, item in enumerate(value[:6]):
                for other in simplifications(item):
                    yield type(value)([*value[:index], other, *value[index + 1 :]])
    elif type(value) in (dict, set, frozenset) and value:
        items = list(value.items() if type(value) is dict else value)
        for part in shorter(items):
            yield type(value)(part)


def shorter(value: Any) -> Iterable[Any]:
    """Parts of a sequence: none of it, its halves, all but one."""
    size = len(value)
    if size:
        yield value[:0]
    if size > 2:
        yield value[: size // 2]
        yield value[size // 2 :]
    if 1 < size <= 12:
        for index in range(size):
            yield value[:index] + value[index + 1 :]
