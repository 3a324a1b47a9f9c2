"""Portraits of values: all that a reader could see of one, as JSON, so that another process can compare two of them.

Two values have equal portraits when no reader could tell them apart: type, structure, order of mappings, NaN and signed
zero, exception arguments and causes, what closures and partials hold, and which parts are one object (aliasing).

A node is a list. ``["=", type, text]`` is a value that shows as its text, ``["ref", n]`` the n-th mutable object met
before, ``["code", digest]`` the code of a function, ``["?", why]`` what nobody could compare, and
``[kind, type, [[label, node], ...]]`` anything with parts; its kind is "list", "map", "set", "value" or "object".
"""

from __future__ import annotations

import collections
import functools
import hashlib
import io
import json
import re
import sys
import types
from collections.abc import Iterable, Mapping
from typing import Any

from .arrays import array_parts, is_array
from .visible import (
    DICT_VIEWS,
    DRAINABLE,
    OBJECTS,
    RANGE_ITERATORS,
    VALUES,
    attributes,
    builtin_value,
    cells,
    class_parts,
    code_digest,
    identity,
    items,
    left,
    mutable,
    number,
    reduced,
    reduces_in_python,
    state,
    view,
)

Node = list[Any]
Parts = Iterable[tuple[str, Any]]

MOST_NODES = 200_000
MOST_DEPTH = 120
MOST_TEXT = 2_000
MOST_LISTED = 300
HIDDEN = ("filename", "filename2", "name", "path")  # what an error keeps beside its arguments
ATOMS = (int, str, bytes, bool, type(None), type(Ellipsis), type(NotImplemented), re.Pattern)
BOUND = (types.BuiltinFunctionType, types.MethodWrapperType)
NAMED = (
    types.ModuleType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)


class UnclearError(Exception):
    """No honest portrait can be drawn: neither same nor different would be true."""


def portrait(value: Any, known: Mapping[int, str] | None = None) -> Node:
    """The portrait of a value. `known` names objects, by id, that are the same in every process that is compared."""
    try:
        return Portrayer(known or {}).node(value)
    except UnclearError as error:
        return ["?", str(error)]
    except Exception as error:  # noqa: BLE001 - looking at the user's values may run their code
        return ["?", f"{type(error).__name__} while comparing"]


class Portrayer:
    """Draws one portrait; numbers the mutable objects and classes in the order in which it meets them."""

    def __init__(self, known: Mapping[int, str]) -> None:
        self.known = known
        self.numbers: dict[int, int] = {}
        self.kept: list[object] = []
        self.open: list[int] = []
        self.nodes = 0
        self.depth = 0
        self.unjudged = 0

    def node(self, value: Any) -> Node:
        """One value with all below it."""
        self.nodes += 1
        if self.nodes > MOST_NODES or self.depth > MOST_DEPTH:
            raise UnclearError("too large to compare")
        self.depth += 1
        try:
            return self.drawn(value)
        finally:
            self.depth -= 1

    def drawn(self, value: Any) -> Node:
        """The same without the count."""
        kind = type(value)
        if kind in ATOMS:
            return atom(kind, value)
        if kind in (float, complex):
            return ["=", named(kind), number(value)]
        if isinstance(value, NAMED):
            return ["=", named(kind), ".".join(identity(value))]
        if isinstance(value, type):
            return self.class_node(value)
        if mutable(value):
            if id(value) in self.numbers:
                return ["ref", self.numbers[id(value)]]
            self.meet(value)
        return self.structure(value)

    def meet(self, value: object) -> None:
        """Number an object; it is kept, so that its id stays its own."""
        self.numbers[id(value)] = len(self.numbers)
        self.kept.append(value)

    def parts(self, kind: str, value: Any, found: Parts, own: Parts = ()) -> Node:
        """A value with these parts: those of its class where it was made at run time, its content, its attributes."""
        cls = type(value)
        children = [["class", self.node(cls)]] if at_run_time(cls) else []
        children += self.listed(found)
        children += [[f".{label}", self.node(part)] for label, part in own]
        return [kind, named(cls), children]

    def listed(self, found: Parts) -> list[Any]:
        """Children by label; a long tail that is plain is told by a digest."""
        children: list[Any] = []
        tail: list[Any] = []
        before = self.unjudged
        for label, part in found:
            if len(children) < MOST_LISTED:
                children.append([label, self.node(part)])
                before = self.unjudged
            else:
                tail.append([label, self.node(part)])
        if tail and self.unjudged == before:
            digest = hashlib.sha256(json.dumps(tail).encode()).hexdigest()
            return [*children, ["", ["=", f"{len(tail)} more", digest]]]
        return children + tail

    def structure(self, value: Any) -> Node:
        """A value that is neither an atom nor a class."""
        if isinstance(value, BaseException):
            return self.exception(value)
        if isinstance(value, (list, tuple, collections.deque)):
            limit = [(".maxlen", value.maxlen)] if isinstance(value, collections.deque) else []
            found = [*limit, *((f"[{index}]", item) for index, item in enumerate(items(value)))]
            return self.parts("list", value, found, state(value).items())
        if isinstance(value, (dict, types.MappingProxyType)):
            return self.mapping(value)
        if isinstance(value, (set, frozenset)):
            return self.parts("set", value, self.in_order(items(value)), state(value).items())
        if isinstance(value, DICT_VIEWS):
            return self.parts("list", value, ((f"[{index}]", item) for index, item in enumerate([*value])))  # type: ignore[misc]
        if isinstance(value, types.FunctionType):
            return self.function(value)
        if isinstance(value, types.MethodType):
            return self.parts("object", value, (("__func__", value.__func__), ("__self__", value.__self__)))
        if isinstance(value, BOUND):
            bound = (("name", ".".join(identity(value))), ("__self__", value.__self__))
            return self.parts("object", value, bound)
        return self.looked_into(value)

    def in_order(self, found: Iterable[Any]) -> Parts:
        """The items of a set, in the order of their own portraits."""
        ranked = []
        for item in found:
            alone = Portrayer(self.known)
            ranked.append((json.dumps(alone.node(item)), item))
            self.nodes += alone.nodes
        ranked.sort(key=lambda pair: pair[0])
        return [("", item) for _, item in ranked]

    def mapping(self, value: Any) -> Node:
        """A dictionary, in order, since a reader can see the order."""
        found: list[tuple[str, Any]] = []
        if isinstance(value, collections.defaultdict):
            found.append((".default_factory", value.default_factory))
        for key, item in items(value):
            found += [("key", key), (f"[{shown_key(key)}]", item)]
        return self.parts("map", value, found, state(value).items())

    def exception(self, value: BaseException) -> Node:
        """Arguments, cause and attributes; not the traceback."""
        found: list[tuple[str, Any]] = [(".args", value.args), (".__cause__", value.__cause__)]
        if isinstance(value, (OSError, ImportError)):
            found += [(f".{name}", getattr(value, name, None)) for name in HIDDEN]
        return self.parts("object", value, found, state(value).items())

    def function(self, value: types.FunctionType) -> Node:
        """By name where it is known, else by its code, what it closes over, its defaults and attributes."""
        if id(value) in self.known:
            return ["=", "function", self.known[id(value)]]
        if id(value) in self.open:  # it closes over itself; otherwise nobody minds if two are one
            return ["ref", -1 - self.open[::-1].index(id(value))]
        self.unjudged += 1
        self.open.append(id(value))
        try:
            return self.opened(value)
        finally:
            self.open.pop()

    def opened(self, value: types.FunctionType) -> Node:
        """A function with what it holds."""
        name = "" if "<locals>" in value.__qualname__ else ".".join(identity(value))
        code: Node = ["code", code_digest(value.__code__)]
        children = [["code", code], [" (closes over)", self.node(cells(value))]]
        children += [[f".{label}", self.node(getattr(value, label))] for label in ("__defaults__", "__kwdefaults__")]
        children += [[f".{label}", self.node(part)] for label, part in state(value).items()]
        return ["object", f"function {name}".strip(), children]

    def class_node(self, value: type) -> Node:
        """A class by name; one that was made at run time also by its bases and what it defines."""
        if not at_run_time(value):
            return ["=", "type", ".".join(identity(value))]
        if id(value) in self.numbers:
            return ["ref", self.numbers[id(value)]]
        self.meet(value)
        bases = [["base", self.node(base)] for base in value.__bases__]
        defined = [[f".{name}", self.node(part)] for name, part in class_parts(value).items()]
        return ["object", f"class {value.__name__}", [*bases, *defined]]

    def looked_into(self, value: Any) -> Node:
        """A value that is neither a container nor a plain function."""
        if isinstance(value, functools.partial):
            found = [("func", value.func), ("args", value.args), ("keywords", value.keywords)]
            return self.parts("object", value, found, state(value).items())
        if isinstance(value, (io.StringIO, io.BytesIO)):
            content = None if value.closed else (value.getvalue(), value.tell())
            return self.parts("object", value, [("content", content)], state(value).items())
        if isinstance(value, (bytearray, memoryview)):
            shape = [getattr(value, name, None) for name in ("format", "shape", "readonly")]
            return self.parts("value", value, [("content", bytes(value)), ("shape", shape)], state(value).items())
        if isinstance(value, (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)):
            return self.frame(value)
        if isinstance(value, DRAINABLE + RANGE_ITERATORS):
            return self.parts("object", value, [(" (items left)", left(value))])
        if is_array(value):
            return self.parts("value", value, array_parts(value))
        return self.valued(value)

    def frame(self, value: Any) -> Node:
        """A generator or coroutine that was not drained: only whether it ended can be told."""
        frames = (getattr(value, name, None) for name in ("gi_frame", "cr_frame", "ag_frame"))
        if any(frame is not None for frame in frames):
            return self.unclear("holds a running generator or coroutine")
        return ["=", named(type(value)), "ended"]

    def valued(self, value: Any) -> Node:
        """Values whose visible parts are known, and subclasses of simple builtins."""
        if visible := view(type(value), VALUES):
            return self.parts("value", value, [("", visible(value))], attributes(value).items())
        plain = builtin_value(value)
        if plain is not None:
            return self.parts("value", value, [("", plain)], state(value).items())
        if visible := view(type(value), OBJECTS):
            return self.parts("object", value, [("", visible(value))], attributes(value).items())
        return self.object(value)

    def object(self, value: Any) -> Node:
        """Anything else: by its state and what it would be built again from."""
        held = state(value)
        found: list[tuple[str, Any]] = []
        if reduces_in_python(type(value)):
            if not held:
                return self.opaque(value)
        else:
            try:
                found = [("", reduced(value))]
            except TypeError:  # it holds what it does not show
                return self.opaque(value)
        return self.parts("object", value, found, held.items())

    def opaque(self, value: Any) -> Node:
        """A value that shows nothing of itself: its name, if it has one."""
        if id(value) in self.known:
            return ["=", named(type(value)), self.known[id(value)]]
        return self.unclear(f"holds a {type(value).__name__}, which cannot be compared")

    def unclear(self, why: str) -> Node:
        """A node that nobody can compare."""
        self.unjudged += 1
        return ["?", why]


def atom(kind: type, value: Any) -> Node:
    """A simple value as its text; a long one keeps its start and a digest."""
    text = hex(value) if kind is int and value.bit_length() > 1_000 else repr(value)
    if kind is re.Pattern:  # whose repr is cut short
        text = f"{value.pattern!r} with flags {value.flags}"
    if len(text) > MOST_TEXT:
        text = f"{text[:200]}... {len(text)} characters, SHA-256 {hashlib.sha256(text.encode()).hexdigest()}"
    return ["=", named(kind), text]


def named(kind: type) -> str:
    """How a type is called: builtins without their module."""
    module, name = identity(kind)
    return name if module == "builtins" else f"{module}.{name}"


def shown_key(key: Any) -> str:
    """A key in a path to a value in a mapping."""
    return repr(key)[:60] if type(key) in ATOMS else f"a {type(key).__name__}"


def at_run_time(kind: type) -> bool:
    """Whether a class was made by running a function, or cannot be found by its name: its name does not tell it."""
    return "<locals>" in kind.__qualname__ or not findable(kind)


@functools.lru_cache(maxsize=1_000)
def findable(kind: type) -> bool:
    """Whether a class stands in its module under its name."""
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, "__dict__", {}).get(name)
    return found is kind
