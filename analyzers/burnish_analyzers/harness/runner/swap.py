"""Puts another version's code into the live functions of a module, and takes it out again.

Assigning `__code__` keeps every reference (imports, decorators, bound methods, recursion) and the module's own classes,
so that values made by the tests still fit.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterator, Sequence

from .record import Call, code_objects, functions_of


class UnswappableError(Exception):
    """This version cannot take the place of the original in a live process; the message says why."""


class Version:
    """One text of the module, compiled."""

    def __init__(self, text: str, path: str, imports: Sequence[str] = ()) -> None:
        self.codes = code_objects(compile(text, path, "exec", dont_inherit=True))
        self.imports = [compile(statement, path, "exec", dont_inherit=True) for statement in imports]


class Swapper:
    """The live functions behind recorded calls, and the code that each version gives them."""

    def __init__(self, calls: Sequence[Call], original: Version) -> None:
        self.functions: dict[tuple[str, int], types.FunctionType] = {}
        for call in calls:
            key = call.target.key
            if key not in self.functions and call.target.code is not None:
                live = functions_of(call.target.code)
                if not live:
                    raise UnswappableError(f"no live function of {key[0]} is left after the tests")
                self.functions[key] = live[0]
        self.use(original)

    def function(self, call: Call) -> types.FunctionType:
        """The function that a recorded call is of."""
        return self.functions[call.target.key]

    def use(self, version: Version) -> None:
        """Every function runs this version from now on."""
        for key, function in self.functions.items():
            code = version.codes.get(key)
            if code is None:
                raise UnswappableError(f"{key[0]} is not in this version")
            if code.co_freevars != function.__code__.co_freevars:
                raise UnswappableError(f"{key[0]} closes over other variables than the original")
        for key, function in self.functions.items():
            while version.imports:
                exec(version.imports.pop(), function.__globals__)
            function.__code__ = version.codes[key]

    @contextlib.contextmanager
    def using(self, version: Version, original: Version) -> Iterator[None]:
        """This version for a while, then the original again."""
        self.use(version)
        try:
            yield
        finally:
            self.use(original)
