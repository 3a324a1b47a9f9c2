"""Sees which tests reach the unit, and keeps the calls they make of it.

The module that holds the unit is compiled with one more statement at the start of each function of interest, which
hands `locals()` to the recorder. Line numbers, docstrings, signatures and function kinds stay as they are, nothing is
traced, and only the unit pays. The change lives in memory: no source and no cached bytecode holds it.
"""

from __future__ import annotations

import ast
import builtins
import copy
import gc
import importlib.machinery
import os
import sys
import time
import types
from collections.abc import Iterator
from typing import Any, Union

FunctionNode = Union[ast.FunctionDef, ast.AsyncFunctionDef]
Key = tuple[str, int]
PROBE = "__burnish_probe__"
LOCALS = "__burnish_locals__"
VARARGS, VARKEYWORDS = 0x04, 0x08  # inspect.CO_VARARGS and CO_VARKEYWORDS
RECEIVERS = ("self", "cls")


class Target:
    """One function of the module: its key is where it stands among functions of the same path."""

    def __init__(self, key: Key, *, captured: bool, in_unit: bool) -> None:
        self.key = key
        self.captured = captured
        self.in_unit = in_unit
        self.code: types.CodeType | None = None
        self.shared: dict[int, Any] = {}
        self.kinds: dict[str, str] = {}

    def meet(self, code: types.CodeType) -> None:
        """The code that the function runs: what may not be copied for its calls, and how its arguments are given."""
        if self.code is not code:
            self.code = code
            self.shared = shared_objects(code)
            self.kinds = parameter_kinds(code, is_method="." in self.key[0])


class Call:
    """One call. `values`: copies of its arguments by parameter name, as they were on entry, or as they were made up.

    `sources` are arguments given as source code, evaluated anew for each run in `variables`. `ending`: how a generator
    is left after its first item, "close", "throw" or "send"; "" if it is drained. `test` made it; "" if none did.
    """

    def __init__(self, target: Target, values: dict[str, Any], shared: dict[int, Any], test: str) -> None:
        self.target = target
        self.values = values
        self.shared = shared
        self.test = test
        self.ending = ""
        self.sources: dict[str, str] = {}
        self.variables: dict[str, Any] = {}

    @property
    def generated(self) -> bool:
        """Whether no test made this very call."""
        return not self.test

    def copies(self) -> dict[str, Any]:
        """Fresh copies, so that one replay cannot see another. What is given as source may raise anything."""
        values = self.copied_values()
        values.update((name, eval(source, self.variables)) for name, source in self.sources.items())
        return values

    def copied_values(self) -> dict[str, Any]:
        """Copies of those that are not given as source."""
        return copy.deepcopy(self.values, dict(self.shared))

    def altered(self, changes: dict[str, Any]) -> Call:
        """The same call with other values for some parameters."""
        other = Call(self.target, {**self.copied_values(), **changes}, self.shared, "")
        other.sources = {name: source for name, source in self.sources.items() if name not in changes}
        other.variables = self.variables
        other.ending = self.ending
        return other


class Recorder:
    """What the probes saw; calls are kept once it is told how many.

    `spawned` are the tests that started a process, in which no probe is seen; `benchmarks` those that time something.
    """

    def __init__(self) -> None:
        self.targets: list[Target] = []
        self.reached: set[str] = set()
        self.spawned: set[str] = set()
        self.benchmarks: set[str] = set()
        self.calls: list[Call] = []
        self.seen = 0
        self.uncopyable = 0
        self.test = ""
        self.busy = False
        self.most_calls = 0
        self.most_for_test = 0
        self.copy_seconds = 0.0
        self.kept_for_test: dict[str, int] = {}

    def keep_calls(self, most_calls: int, most_for_test: int, copy_seconds: float) -> None:
        """From now on keep up to `most_calls` calls, of one test up to `most_for_test`."""
        self.most_calls = most_calls
        self.most_for_test = most_for_test
        self.copy_seconds = copy_seconds

    def note_process(self) -> None:
        """The test at hand started a process."""
        self.spawned.add(self.test)

    def forget(self) -> None:
        """Let go of the original's code."""
        for target in self.targets:
            target.code = None

    @property
    def keys(self) -> list[Key]:
        """The outermost functions that are in the unit or hold it."""
        return [target.key for target in self.targets if target.captured]

    @property
    def full(self) -> bool:
        """Whether no further call would be kept."""
        return len(self.calls) >= self.most_calls or self.copy_seconds <= 0

    def probe(self, index: int, values: dict[str, Any]) -> None:
        """Called at the start of every run of target `index`."""
        target = self.targets[index]
        if target.in_unit:
            self.reached.add(self.test)
        if self.busy or not target.captured:
            return
        self.seen += bool(self.most_calls)
        if self.full or self.kept_for_test.get(self.test, 0) >= self.most_for_test:
            return
        self.busy = True
        began = time.perf_counter()
        try:
            self.keep(target, values, sys._getframe(1).f_code)
        finally:
            self.copy_seconds -= time.perf_counter() - began
            self.busy = False

    def keep(self, target: Target, values: dict[str, Any], code: types.CodeType) -> None:
        """Copy the arguments of one call, or count that they cannot be copied."""
        target.meet(code)
        try:
            names = parameters(code)
            copies = copy.deepcopy({name: values[name] for name in names}, dict(target.shared))
        except Exception:  # noqa: BLE001 - a class of the user's may raise anything when copied
            self.uncopyable += 1
            return
        self.calls.append(Call(target, copies, target.shared, self.test))
        self.kept_for_test[self.test] = self.kept_for_test.get(self.test, 0) + 1


def parameters(code: types.CodeType) -> tuple[str, ...]:
    """Names of all parameters, `*args` and `**kwargs` included, in the order of `co_varnames`."""
    count = code.co_argcount + code.co_kwonlyargcount
    return code.co_varnames[: count + bool(code.co_flags & VARARGS) + bool(code.co_flags & VARKEYWORDS)]


def parameter_kinds(code: types.CodeType, *, is_method: bool) -> dict[str, str]:
    """Each parameter with how it is given: "receiver", "positional", "any" way, "starred" or "double starred"."""
    names = parameters(code)
    first = code.co_argcount if code.co_flags & VARARGS else code.co_posonlyargcount
    found = {name: "positional" if place < first else "any" for place, name in enumerate(names)}
    rest = list(names[code.co_argcount + code.co_kwonlyargcount :])
    if code.co_flags & VARARGS:
        found[rest.pop(0)] = "starred"
    if code.co_flags & VARKEYWORDS:
        found[rest.pop(0)] = "double starred"
    if is_method and names and names[0] in RECEIVERS:
        found[names[0]] = "receiver"
    return found


def functions_of(code: types.CodeType) -> list[types.FunctionType]:
    """Every live function that runs this code, however it is decorated or stored."""
    return [item for item in gc.get_referrers(code) if isinstance(item, types.FunctionType) and item.__code__ is code]


def shared_objects(code: types.CodeType) -> dict[int, Any]:
    """What a copy of an argument must not copy, for `copy.deepcopy`'s memo: defaults and the module's own objects.

    A sentinel (``_missing = object()``) is recognised by identity; its copy would be another value.
    """
    shared: list[Any] = []
    for function in functions_of(code):
        shared += function.__defaults__ or ()
        shared += (function.__kwdefaults__ or {}).values()
        shared += function.__globals__.values()
    containers = (list, dict, set, bytearray)
    return {id(value): value for value in shared if not isinstance(value, containers)}


class Instrumenter(ast.NodeVisitor):
    """Finds the functions of interest by line and gives each its probe."""

    def __init__(self, recorder: Recorder, first_line: int, last_line: int) -> None:
        self.recorder = recorder
        self.first_line = first_line
        self.last_line = last_line
        self.path: list[str] = []
        self.depth = 0
        self.counts: dict[str, int] = {}

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Go into a class."""
        self.path.append(node.name)
        self.generic_visit(node)
        self.path.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Probe a function of interest, then go into it."""
        self.function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """The same for coroutines."""
        self.function(node)

    def function(self, node: FunctionNode) -> None:
        """One function: is it in the unit, and is it the outermost that holds or is in it?"""
        self.path.append(node.name)
        name = ".".join(self.path)
        occurrence = self.counts.get(name, 0)
        self.counts[name] = occurrence + 1
        start = min([node.lineno, *(item.lineno for item in node.decorator_list)])
        end = node.end_lineno or node.lineno
        in_unit = self.first_line <= start and end <= self.last_line
        holds_unit = start <= self.first_line and self.last_line <= end
        captured = self.depth == 0 and (in_unit or holds_unit)
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        self.path.pop()
        if in_unit or captured:
            index = len(self.recorder.targets)
            self.recorder.targets.append(Target((name, occurrence), captured=captured, in_unit=in_unit))
            insert_probe(node, index)


def insert_probe(node: FunctionNode, index: int) -> None:
    """Put the probe behind the docstring; it borrows the position of the first statement."""
    call = ast.parse(f"{PROBE}({index}, {LOCALS}())").body[0]
    place = 1 if ast.get_docstring(node, clean=False) is not None else 0
    model = node.body[min(place, len(node.body) - 1)]
    for part in ast.walk(call):
        ast.copy_location(part, model)
    node.body.insert(place, call)


def install(recorder: Recorder, path: str, first_line: int, last_line: int) -> None:
    """From now on the file at `path` is compiled with probes in the functions of lines `first_line` to `last_line`."""
    setattr(builtins, PROBE, recorder.probe)
    setattr(builtins, LOCALS, locals)
    real = os.path.realpath(path)
    plain = importlib.machinery.SourceFileLoader.source_to_code

    def source_to_code(self: Any, data: Any, path: Any, *rest: Any, **options: Any) -> types.CodeType:
        if not isinstance(path, (str, bytes, os.PathLike)) or os.path.realpath(os.fsdecode(path)) != real:
            return plain(self, data, path, *rest, **options)
        tree = ast.parse(data, filename=os.fsdecode(path))
        recorder.targets.clear()
        Instrumenter(recorder, first_line, last_line).visit(tree)
        return compile(tree, os.fsdecode(path), "exec", dont_inherit=True)

    def cache_bytecode(self: Any, source_path: Any, cache_path: Any, data: Any) -> None:
        if os.path.realpath(os.fsdecode(source_path)) != real:  # nobody is to find the probes, or the original, there
            plain_cache(self, source_path, cache_path, data)

    plain_cache = importlib.machinery.SourceFileLoader._cache_bytecode  # type: ignore[attr-defined]
    importlib.machinery.SourceFileLoader._cache_bytecode = cache_bytecode  # type: ignore[attr-defined]
    importlib.machinery.SourceFileLoader.source_to_code = source_to_code  # type: ignore[method-assign]


def code_objects(module: types.CodeType) -> dict[Key, types.CodeType]:
    """Every function's code in a compiled module, by the same keys as `Target.key`."""
    found: dict[Key, types.CodeType] = {}
    counts: dict[str, int] = {}

    def visit(code: types.CodeType, path: str) -> None:
        for constant in nested(code):
            name = f"{path}.{constant.co_name}" if path else constant.co_name
            if constant.co_flags & 0x02:  # CO_NEWLOCALS: a function, not a class body
                found[name, counts.setdefault(name, 0)] = constant
                counts[name] += 1
            visit(constant, name)

    visit(module, "")
    return found


def nested(code: types.CodeType) -> Iterator[types.CodeType]:
    """Functions and class bodies directly inside, in source order, through the scopes of type parameters (PEP 695)."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            if constant.co_name.startswith("<generic parameters"):
                yield from nested(constant)
            elif not constant.co_name.startswith("<"):
                yield constant
