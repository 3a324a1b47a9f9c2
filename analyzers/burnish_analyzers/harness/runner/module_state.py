"""What a function may change in its module: variables, attributes of objects that it names, and of classes."""

from __future__ import annotations

import collections
import copy
import functools
import os
import types
from collections.abc import Iterator
from typing import Any

MOST_TRACKED = 10_000
CACHED = type(functools.lru_cache(len))
PLAIN = (int, float, complex, str, bytes, bool, type(None), list, dict, set, tuple, frozenset, bytearray)
CONTAINERS = (collections.Counter, collections.defaultdict, collections.OrderedDict, collections.deque)


class ModuleState:
    """Taken before a call; says what is there after it, and puts back what was."""

    def __init__(self, function: types.FunctionType) -> None:
        self.places = list(places(function))
        self.before = [(name, copied(variables[name])) for _, variables, name in self.places]

    def now(self) -> dict[str, Any]:
        """Copies of what is there, by what to call it; of the environment only what is other than before."""
        found = {}
        for (label, variables, name), (_, old) in zip(self.places, self.before):
            if name in variables:
                value = variables[name]
                found[label] = changes(old, value) if isinstance(variables, Environment) else copied(value)
        return found

    def restore(self) -> None:
        """Put everything back, containers and objects in place, since others may hold them."""
        for (_, variables, name), (_, value) in zip(self.places, self.before):
            put_back(variables, name, value)


def changes(old: dict[str, str], new: dict[str, str]) -> dict[str, str | None]:
    """What is new in a mapping, and None for what is gone."""
    return {name: new.get(name) for name in sorted({*old, *new}) if old.get(name) != new.get(name)}


class Attributes:
    """Those of an object or class, as a place to read and write by name."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __contains__(self, name: str) -> bool:
        return name in vars(self.owner)

    def __getitem__(self, name: str) -> Any:
        return vars(self.owner)[name]

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self.owner, name, value)


class Environment:
    """The process' environment variables, as a place that holds one dict."""

    def __contains__(self, name: str) -> bool:
        return True

    def __getitem__(self, name: str) -> dict[str, str]:
        return dict(os.environ)

    def __setitem__(self, name: str, value: dict[str, str]) -> None:
        if dict(os.environ) != value:
            os.environ.clear()
            os.environ.update(value)


def places(function: types.FunctionType) -> Iterator[tuple[str, Any, str]]:
    """(what to call it, what holds it, its name there) for all that the function may change in its module."""
    variables = function.__globals__
    own = variables.get("__name__")
    yield "os.environ", Environment(), "os.environ"
    for name in sorted(names_reached(function)):
        value = variables.get(name)
        if name in variables and not name.startswith("__"):
            if is_tracked(value):
                yield name, variables, name
            elif not isinstance(value, (type, types.FunctionType)) and type(value).__module__ == own:
                for attribute, held in list(getattr(value, "__dict__", {}).items()):
                    if is_tracked(held):
                        yield f"{name}.{attribute}", Attributes(value), attribute
    for name, value in list(variables.items()):
        if isinstance(value, type) and value.__module__ == own:
            for attribute, held in list(vars(value).items()):
                if is_tracked(held) and not attribute.startswith("__"):
                    yield f"{name}.{attribute}", Attributes(value), attribute


def names_reached(function: types.FunctionType) -> set[str]:
    """Global names that a function, or one of its module's that it names, may read or write."""
    variables, found = function.__globals__, set()
    waiting, seen = [function.__code__], {function.__code__}
    while waiting:
        names = names_used(waiting.pop())
        found |= names
        for name in names:
            code = getattr(variables.get(name), "__code__", None)
            if isinstance(code, types.CodeType) and code.co_filename == function.__code__.co_filename:
                waiting += [code] if code not in seen else []
                seen.add(code)
    return found


def is_tracked(value: Any) -> bool:
    """Whether a value is plain data, and not so much that copies would take long."""
    if type(value) not in (*PLAIN, *CONTAINERS):
        return False
    return not hasattr(value, "__len__") or len(value) <= MOST_TRACKED


def names_used(code: types.CodeType) -> set[str]:
    """Global names that a function or one inside it may read or write."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= names_used(constant)
    return found


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


def put_back(variables: Any, name: str, value: Any) -> None:
    """One value as it was, in place where it is a container of the same kind."""
    now: Any = variables[name] if name in variables else None  # noqa: SIM401 - not all of them are mappings
    if now is value:
        return
    if isinstance(variables, Environment) or type(now) is not type(value):
        variables[name] = value
    elif isinstance(now, (list, bytearray)):
        now[:] = value
    elif isinstance(now, (dict, set)):
        now.clear()
        now.update(value)
    elif isinstance(now, collections.deque):
        now.clear()
        now.extend(value)
    else:
        variables[name] = value
