"""The calls on which versions are compared: recorded from the tests, bred from those, and made from source code."""

from __future__ import annotations

import importlib
import json
import time
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .observe import OutOfTimeError, observe, time_limit
from .portrait import portrait
from .record import VARARGS, VARKEYWORDS, Call, Recorder, Target, parameters
from .shapes import shapes
from .show import shown_call
from .simpler import smaller
from .swap import Swapper, UnswappableError
from .variations import Openness, variations

WEAR_SECONDS = 10.0
Step = Mapping[str, Any]


class Calls:
    """All calls of one unit, in an order that another process with the same tests would give them too.

    `added`: for each step that was followed, as text, the indices of its calls, None for those that are none.
    """

    def __init__(self, swapper: Swapper, recorder: Recorder, open_parameters: Openness) -> None:
        self.swapper = swapper
        self.recorder = recorder
        self.calls: list[Call] = list(recorder.calls)
        self.calls += variations(recorder.calls, open_parameters)
        self.known = {shown_call(call): index for index, call in enumerate(self.calls)}
        self.added: dict[str, list[int | None]] = {}
        self.scopes: dict[tuple[int, tuple[str, ...]], dict[str, Any]] = {}

    def follow(self, steps: Sequence[Step]) -> None:
        """Add what the steps ask for that were not followed before: ``simpler`` than a call, or ``expressions``."""
        for step in steps:
            if (text := json.dumps(step)) not in self.added:
                asked = smaller(self.calls[step["simpler"]]) if "simpler" in step else self.made(step["expressions"])
                self.added[text] = [None if call is None else self.index_of(call) for call in asked]

    def index_of(self, call: Call) -> int:
        """Where a call stands that may be known."""
        index = self.known.setdefault(shown_call(call), len(self.calls))
        if index == len(self.calls):
            self.calls.append(call)
        return index

    def made(self, expressions: Iterable[Mapping[str, Any]]) -> Iterator[Call | None]:
        """Calls with arguments given as source code; None where their function is not there."""
        targets = {target.key[0]: target for target in reversed(self.recorder.targets) if target.captured}
        for expression in expressions:
            target = targets.get(expression["function"])
            try:
                yield self.call(target, expression) if target else None
            except UnswappableError:
                yield None

    def call(self, target: Target, expression: Mapping[str, Any]) -> Call | None:
        """One call: its arguments are given, or those of a recorded call, or defaults; None where one is missing."""
        function = self.swapper.function(target.key)
        target.meet(function.__code__)
        values = defaults(function) if expression["base"] is None else self.calls[expression["base"]].values
        call = Call(target, dict(values), target.shared, "")
        names = parameters(function.__code__)
        given = {name: source for name, source in expression["arguments"].items() if name in names}
        if expression["receiver"]:
            given[names[0]] = expression["receiver"]
        if set(names) - given.keys() - values.keys():
            return None
        call.sources = given
        call.variables = self.variables(function, tuple(expression["modules"]))
        return call

    def variables(self, function: types.FunctionType, modules: tuple[str, ...]) -> dict[str, Any]:
        """What a source may name: all that the function's module does, and some standard modules."""
        key = (id(function.__globals__), modules)
        if key not in self.scopes:
            named = {name: importlib.import_module(name) for name in modules}
            self.scopes[key] = {**function.__globals__, **named}
        return self.scopes[key]

    def document(self, steps: Sequence[Step]) -> dict[str, Any]:
        """How many there are, of which shapes, what was lost, and the indices of the calls of each step."""
        recorded: dict[str, list[int]] = {}
        for index, call in enumerate(self.recorder.calls):
            recorded.setdefault(call.target.key[0], []).append(index)
        return {
            "seen": self.recorder.seen,
            "uncopyable": self.recorder.uncopyable,
            "recorded": recorded,
            "shapes": shapes(self.recorder.calls),
            "calls": len(self.calls),
            "added": [self.added[json.dumps(step)] for step in steps],
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
            with time_limit(seconds):
                call.copies()
        except OutOfTimeError:
            return {**shown, "unmade": "it takes too long"}
        except Exception as error:  # noqa: BLE001 - making an object of the user's may raise anything
            return {**shown, "unmade": type(error).__name__}
        try:
            return {**shown, **observe(self.swapper.function(call.target.key), call, seconds).document()}
        except OutOfTimeError:
            return {**shown, "late": seconds}


def defaults(function: types.FunctionType) -> dict[str, Any]:
    """What parameters are where nothing is given: their defaults, and nothing more for starred ones."""
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    found = function.__defaults__ or ()
    values = dict(zip(positional[len(positional) - len(found) :], found))
    values.update(function.__kwdefaults__ or {})
    rest = list(parameters(code)[code.co_argcount + code.co_kwonlyargcount :])
    if code.co_flags & VARARGS:
        values[rest.pop(0)] = ()
    if code.co_flags & VARKEYWORDS:
        values[rest.pop(0)] = {}
    return values
