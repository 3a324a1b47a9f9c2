"""Puts another version's code into the live functions of a module, and takes it out again.

Assigning `__code__` keeps every reference (imports, decorators, bound methods, recursion) and the module's own classes,
so that values made by the tests still fit.
"""

from __future__ import annotations

import ast
import gc
import os
import sys
import types
from collections.abc import Sequence
from typing import Any, Union

from .record import Key, code_objects

Definition = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef]


class UnswappableError(Exception):
    """This version cannot take the place of the original in a live process; the message says why."""


class Version:
    """One text of the module, compiled, and the statements that it imports beyond the original."""

    def __init__(self, text: str, path: str, imports: Sequence[str] = ()) -> None:
        self.text = text
        self.path = path
        self.codes = code_objects(compile(text, path, "exec", dont_inherit=True))
        self.imports = [compile(statement, path, "exec", dont_inherit=True) for statement in imports]


class Swapper:
    """The live functions of a module that was loaded from a text, and the code that each version gives those of `keys`.

    `keys` are the outermost functions that are in the unit or hold it.
    """

    def __init__(self, loaded: Version, keys: Sequence[Key]) -> None:
        self.loaded = loaded
        self.keys = keys
        self.live = live_functions(loaded)
        self.current: Version | None = None  # what runs at first has probes in it
        self.prepared: list[Version] = []
        self.names = {name for name, _ in loaded.codes}
        self.definitions = set(definitions(ast.parse(loaded.text).body, ""))

    def function(self, key: Key) -> types.FunctionType:
        """A live function. Raises UnswappableError where none is left."""
        if not self.live.get(key):
            raise UnswappableError(f"no live function of {key[0]} is left after the tests")
        return self.live[key][0]

    @property
    def is_loaded(self) -> bool:
        """Whether the module has been imported."""
        return any(self.live.get(key) for key in self.keys)

    def use(self, version: Version) -> None:
        """Every function of the unit runs this version from now on. Raises UnswappableError, having changed nothing."""
        if version is self.current:
            return
        found = [(function, self.code_for(version, key, function)) for key in self.keys for function in self.live[key]]
        self.current = version
        for function, code in found:
            function.__code__ = code
        if version not in self.prepared:
            self.prepared.append(version)
            for variables in {id(function.__globals__): function.__globals__ for function, _ in found}.values():
                self.prepare(version, variables)

    def prepare(self, version: Version, variables: dict[str, Any]) -> None:
        """Give a module the imports, and the functions and classes outside of others, that only this version has."""
        for statement in version.imports:
            exec(statement, variables)
        if not {name for name, _ in version.codes} <= self.names:
            for (holder, name), node in definitions(ast.parse(version.text).body, "").items():
                if (holder, name) not in self.definitions:
                    define(holder, node, version.path, variables)

    def forget(self) -> None:
        """Let go of the original, so that what runs now cannot ask it."""
        self.loaded = Version("", self.loaded.path)

    def code_for(self, version: Version, key: Key, function: types.FunctionType) -> types.CodeType:
        """What a function runs in a version."""
        code = version.codes.get(key)
        if code is None:
            raise UnswappableError(f"{key[0]} is not in this version")
        if code.co_freevars != function.__code__.co_freevars:
            raise UnswappableError(f"{key[0]} closes over other variables than the original")
        return code


def live_functions(loaded: Version) -> dict[Key, list[types.FunctionType]]:
    """Every live function of a module's text, however it is decorated or stored, by its key."""
    places = {(code.co_firstlineno, code.co_name): key for key, code in loaded.codes.items()}
    found: dict[Key, list[types.FunctionType]] = {key: [] for key in loaded.codes}
    real = os.path.realpath(loaded.path)
    files: dict[str, bool] = {}
    for item in gc.get_objects():
        if type(item) is types.FunctionType:
            code = item.__code__
            file = code.co_filename
            if file not in files:
                files[file] = os.path.realpath(file) == real
            if files[file] and (code.co_firstlineno, code.co_name) in places:
                found[places[code.co_firstlineno, code.co_name]].append(item)
    return found


def definitions(body: Sequence[ast.stmt], holder: str) -> dict[tuple[str, str], Definition]:
    """Functions and classes in a body, and in the classes of it, by (qualname of what holds them, name)."""
    found: dict[tuple[str, str], Definition] = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[holder, node.name] = node
        if isinstance(node, ast.ClassDef):
            found.update(definitions(node.body, f"{holder}.{node.name}" if holder else node.name))
    return found


def define(holder: str, node: Definition, path: str, variables: dict[str, Any]) -> None:
    """Run one definition as if it stood in the module, or in a class of it."""
    names = dict(variables) if holder else variables
    exec(compile(ast.Module([node], []), path, "exec", dont_inherit=True), variables, names)
    if holder:
        place: Any = sys.modules[variables["__name__"]]
        for name in holder.split("."):
            place = getattr(place, name)
        setattr(place, node.name, names[node.name])
