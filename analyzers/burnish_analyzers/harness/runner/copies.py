"""Copies of a version's functions, each with code objects of its own.

An interpreter that specialises code keeps what it learnt in the code object, and how fast a code object runs depends by
a percent or more on where it lies in memory. Versions that are timed on copies made again and again are not told apart
by either. Module functions are made as a ``def`` makes them and put under their name: CPython 3.13 and later do not
specialise calls, say of a function by itself, of one whose ``__code__`` was assigned.
"""

from __future__ import annotations

import random
import types
from typing import Any

from .record import Key
from .swap import Swapper, Version

MOST_PADDING_BYTES = 8192


class Copy:
    """One copy of a version. `functions` are what to call, by key."""

    def __init__(self) -> None:
        self.functions: dict[Key, types.FunctionType] = {}
        self.codes: list[tuple[types.FunctionType, types.CodeType]] = []
        self.names: list[tuple[dict[str, Any], str, types.FunctionType]] = []
        self.padding = b""

    def place(self) -> None:
        """Whoever calls the unit runs this copy from now on."""
        for function, code in self.codes:
            function.__code__ = code
        for variables, name, function in self.names:
            variables[name] = function


class Copier:
    """Makes copies of versions for the live functions of a swapper."""

    def __init__(self, swapper: Swapper, chance: random.Random) -> None:
        self.swapper = swapper
        self.chance = chance
        self.named = {
            id(function)
            for key in swapper.keys
            for function in swapper.live[key]
            if function.__globals__.get(key[0]) is function and not function.__closure__
        }

    def copy(self, version: Version) -> Copy:
        """A new copy at another place in memory. Raises UnswappableError."""
        copy = Copy()
        copy.padding = bytes(self.chance.randrange(MOST_PADDING_BYTES))
        for key in self.swapper.keys:
            for live in self.swapper.live[key]:
                code = copied(self.swapper.code_for(version, key, live))
                copy.codes.append((live, code))
                made = live
                if id(live) in self.named:
                    made = defined(live, code)
                    copy.names.append((live.__globals__, key[0], made))
                copy.functions.setdefault(key, made)
        return copy


def copied(code: types.CodeType) -> types.CodeType:
    """The same code with nothing learnt yet, down to the functions in it."""
    constants = tuple(copied(item) if isinstance(item, types.CodeType) else item for item in code.co_consts)
    return code.replace(co_consts=constants)


def defined(function: types.FunctionType, code: types.CodeType) -> types.FunctionType:
    """A function like this one, as a ``def`` statement would make it, that runs `code`."""
    defaults, named = function.__defaults__ or (), function.__kwdefaults__ or {}
    given = [f"p{index}=defaults[{index}]" for index in range(len(defaults))]
    given += ["*"] * bool(named) + [f"{name}=named[{name!r}]" for name in named]
    text = f"def make(defaults, named):\n def made({', '.join(given)}): pass\n return made\n"
    make = next(item for item in compile(text, "<copies>", "exec").co_consts if isinstance(item, types.CodeType))
    constants = tuple(code if isinstance(item, types.CodeType) else item for item in make.co_consts)
    made = types.FunctionType(make.replace(co_consts=constants), function.__globals__)(defaults, named)
    made.__dict__.update(function.__dict__)
    made.__module__ = function.__module__
    assert isinstance(made, types.FunctionType)
    return made
