"""Deep comparison of what two calls did: strict about what a caller can see, blind to what it cannot.

Two values are the same when no reader could tell them apart: type, structure, order of mappings, NaN and signed zero,
exception arguments and causes, what closures and partials hold, and which parts are one object (aliasing).
"""

from __future__ import annotations

import collections
import functools
import io
import math
import operator
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

MOST_NODES = 200_000
ATOMS = (int, str, bytes, bool, type(None), range, slice, type(Ellipsis), type(NotImplemented), re.Pattern)
NAMED = (types.BuiltinFunctionType, types.ModuleType, type, types.MethodWrapperType, types.MethodDescriptorType)


class IncomparableError(Exception):
    """The two cannot be judged: neither same nor different would be honest."""


class Note(str):
    """Words about a value, shown without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


ALIASED = Note("one object met before")
ALIASED_ELSE = Note("another object met before")


class Difference:
    """Where two values part, and how."""

    def __init__(self, path: str, old: object, new: object) -> None:
        self.path = path
        self.old = old
        self.new = new


def difference(old: Any, new: Any) -> Difference | None:
    """None when the two are the same. Raises IncomparableError where nobody could say."""
    try:
        return Comparison().walk(old, new, "")
    except IncomparableError:
        raise
    except Exception as error:
        raise IncomparableError(f"{type(error).__name__} while comparing") from error


class Comparison:
    """One comparison; remembers which mutable object of one side stands for which of the other."""

    def __init__(self) -> None:
        self.partner: dict[int, int] = {}
        self.taken: dict[int, int] = {}
        self.kept: list[object] = []
        self.nodes = 0

    def walk(self, old: Any, new: Any, path: str) -> Difference | None:
        """The first difference below this pair."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise IncomparableError("too large to compare")
        if type(old) is not type(new) and not same_type_name(type(old), type(new)):
            return Difference(path, old, new)
        if isinstance(old, ATOMS) and type(old) in ATOMS:
            return None if old == new else Difference(path, old, new)
        if isinstance(old, (float, complex)) and type(old) in (float, complex):
            return None if same_number(old, new) else Difference(path, old, new)
        if isinstance(old, NAMED):
            return None if old is new or identity(old) == identity(new) else Difference(path, old, new)
        if mutable(old):
            known = id(old) in self.partner or id(new) in self.taken
            if known:
                paired = self.partner.get(id(old)) == id(new) and self.taken.get(id(new)) == id(old)
                seen = [
                    Note("an object met before" if met else "an object of its own")
                    for met in (id(old) in self.partner, id(new) in self.taken)
                ]
                return None if paired else Difference(path, *(seen if seen[0] != seen[1] else (ALIASED, ALIASED_ELSE)))
            self.partner[id(old)] = id(new)
            self.taken[id(new)] = id(old)
            self.kept += (old, new)
        return self.structure(old, new, path)

    def structure(self, old: Any, new: Any, path: str) -> Difference | None:
        """Two values of one type, looked into."""
        if isinstance(old, BaseException):
            return self.exceptions(old, new, path)
        if isinstance(old, (list, tuple, collections.deque)):
            return self.sequences(old, new, path) or self.states(old, new, path)
        if isinstance(old, (dict, types.MappingProxyType)):
            return self.mappings(old, new, path) or self.states(old, new, path)
        if isinstance(old, (set, frozenset)):
            return self.sets(old, new, path) or self.states(old, new, path)
        if isinstance(old, types.FunctionType):
            return self.functions(old, new, path)
        if isinstance(old, types.MethodType):
            return self.walk((old.__func__, old.__self__), (new.__func__, new.__self__), path)
        if isinstance(old, functools.partial):
            return self.walk((old.func, old.args, old.keywords), (new.func, new.args, new.keywords), path)
        if isinstance(old, (io.StringIO, io.BytesIO)):
            return None if old.closed and new.closed else self.walk(stream(old), stream(new), path)
        if isinstance(old, (bytearray, memoryview)):
            return None if bytes(old) == bytes(new) else Difference(path, old, new)
        if isinstance(old, (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)):
            return self.frames(old, new, path)
        if isinstance(old, Iterator):
            return self.iterators(old, new, path)
        return self.arrays(old, new, path) if is_array(old) else self.objects(old, new, path)

    def sequences(self, old: Any, new: Any, path: str) -> Difference | None:
        """Lists, tuples, deques."""
        if len(old) != len(new) or getattr(old, "maxlen", None) != getattr(new, "maxlen", None):
            return Difference(path, old, new)
        pairs = enumerate(zip(list(old), list(new)))
        return first(self.walk(a, b, f"{path}[{index}]") for index, (a, b) in pairs)

    def mappings(self, old: Any, new: Any, path: str) -> Difference | None:
        """Dictionaries, in order, since a reader can see the order."""
        if len(old) != len(new):
            return Difference(path, old, new)
        if getattr(old, "default_factory", None) is not getattr(new, "default_factory", None):
            return Difference(path + ".default_factory", old.default_factory, new.default_factory)
        for (old_key, old_value), (new_key, new_value) in zip(list(old.items()), list(new.items())):
            if self.walk(old_key, new_key, path):
                return Difference(path + " (keys in order)", list(old), list(new))
            if found := self.walk(old_value, new_value, f"{path}[{old_key!r:.60}]"):
                return found
        return None

    def sets(self, old: Any, new: Any, path: str) -> Difference | None:
        """Sets, in no order."""
        if len(old) != len(new):
            return Difference(path, old, new)
        if old == new and all(isinstance(item, ATOMS) for item in old):
            kinds = {(type(item), item) for item in old} == {(type(item), item) for item in new}
            return None if kinds else Difference(path, old, new)
        olds, news = (sorted(side, key=lambda item: (type(item).__qualname__, repr(item))) for side in (old, new))
        return Difference(path, old, new) if self.walk(olds, news, path) else None

    def exceptions(self, old: BaseException, new: BaseException, path: str) -> Difference | None:
        """Type (known equal), arguments, cause and attributes; not the traceback."""
        if found := self.walk(old.args, new.args, path + ".args"):
            return Difference(path, old, new) if isinstance(found.old, ATOMS) else found
        if found := self.walk(old.__cause__, new.__cause__, path + ".__cause__"):
            return found
        return self.states(old, new, path)

    def functions(self, old: types.FunctionType, new: types.FunctionType, path: str) -> Difference | None:
        """One function, or two that hold the same values and run the same code."""
        if old is new:
            return None
        made_here = "<locals>" in old.__qualname__ and "<locals>" in new.__qualname__
        if not made_here and identity(old) != identity(new):
            return Difference(path, old, new)
        if not same_code(old.__code__, new.__code__):
            raise IncomparableError("returns a function whose code was rewritten")
        if found := self.walk(cells(old), cells(new), path + " (closes over)"):
            return found
        return self.walk(old.__defaults__, new.__defaults__, path + ".__defaults__")

    def frames(self, old: Any, new: Any, path: str) -> Difference | None:
        """Generators and coroutines that were not drained: only whether they ended can be told."""
        states = [
            getattr(side, "gi_frame", getattr(side, "cr_frame", getattr(side, "ag_frame", None))) for side in (old, new)
        ]
        if (states[0] is None) != (states[1] is None):
            return Difference(path, old, new)
        if states[0] is None or old is new:
            return None
        raise IncomparableError("holds a running generator or coroutine")

    def iterators(self, old: Any, new: Any, path: str) -> Difference | None:
        """Iterators of a kind that can say how they would be built again; others by what is left of them."""
        hints = [operator.length_hint(side, -1) for side in (old, new)]
        if hints[0] != hints[1]:
            return Difference(path + " (items left)", hints[0], hints[1])
        if hints[0] < 0 and old is not new:
            raise IncomparableError(f"holds a {type(old).__name__} that cannot be looked into")
        return None

    def arrays(self, old: Any, new: Any, path: str) -> Difference | None:
        """numpy arrays and scalars, pandas frames, series and indexes, with dtype, shape and NaN."""
        if hasattr(old, "equals"):
            labels = [
                [getattr(side, name, None) for name in ("dtype", "dtypes", "index", "columns", "name")]
                for side in (old, new)
            ]
            same = old.equals(new) and all(str(a) == str(b) for a, b in zip(*labels))
            return None if same else Difference(path, old, new)
        if old.dtype != new.dtype or old.shape != new.shape:
            return Difference(path, old, new)
        return self.walk(old.tolist(), new.tolist(), path) and Difference(path, old, new)

    def objects(self, old: Any, new: Any, path: str) -> Difference | None:
        """Anything else: by its state where it shows one, else by its own equality."""
        states = state(old), state(new)
        if states[0] or states[1]:
            return self.walk(states[0], states[1], path)
        if getattr(type(old), "__eq__", None) is object.__dict__["__eq__"]:  # it compares by identity only
            return None
        return None if old == new else Difference(path, old, new)

    def states(self, old: Any, new: Any, path: str) -> Difference | None:
        """Attributes beside a container's or exception's own content."""
        states = state(old), state(new)
        return self.walk(states[0], states[1], path) if states[0] or states[1] else None


def first(found: Iterable[Difference | None]) -> Difference | None:
    """The first that is one."""
    return next((item for item in found if item is not None), None)


def same_type_name(old: type, new: type) -> bool:
    """Two classes made by running one definition twice."""
    return (old.__module__, old.__qualname__) == (new.__module__, new.__qualname__)


def same_number(old: complex, new: complex) -> bool:
    """Equal to the bit, as far as a program can see: NaN is NaN, 0.0 is not -0.0."""
    if isinstance(old, complex) and isinstance(new, complex):
        return same_number(old.real, new.real) and same_number(old.imag, new.imag)
    if math.isnan(old) or math.isnan(new):
        return math.isnan(old) and math.isnan(new)
    return old == new and math.copysign(1.0, old) == math.copysign(1.0, new)


def identity(value: Any) -> tuple[str, str]:
    """Where a named thing was defined."""
    return str(getattr(value, "__module__", "")), str(getattr(value, "__qualname__", getattr(value, "__name__", "")))


def mutable(value: object) -> bool:
    """Whether it matters if two places hold one object or two equal ones."""
    return not isinstance(value, (tuple, frozenset, str, bytes, types.FunctionType, types.MethodType, BaseException))


def state(value: Any) -> Mapping[str, Any]:
    """Attributes, from `__dict__` and slots, sorted by name."""
    found = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                found[name] = getattr(value, name)
    return {name: found[name] for name in sorted(found)}


def cells(function: types.FunctionType) -> list[Any]:
    """What a function closes over, in the order in which its code counts; an empty cell is told apart from None."""
    held = []
    for cell in function.__closure__ or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:
            held.append(Ellipsis)
    return held


def same_code(old: types.CodeType, new: types.CodeType) -> bool:
    """Whether two pieces of code do the same, whatever their local names and line numbers."""
    return old is new or (
        old.co_code == new.co_code and old.co_names == new.co_names and plain(old.co_consts) == plain(new.co_consts)
    )


def plain(constants: tuple[Any, ...]) -> list[Any]:
    """Constants with nested code reduced to what it runs, so that line numbers do not count."""
    return [(item.co_code, item.co_names) if isinstance(item, types.CodeType) else item for item in constants]


def stream(value: Any) -> tuple[Any, int]:
    """An in-memory stream's content and place."""
    return value.getvalue(), value.tell()


def is_array(value: Any) -> bool:
    """Whether this is a numpy or pandas value, known by its module so that neither need be imported."""
    root = type(value).__module__.partition(".")[0]
    return root in ("numpy", "pandas") and (hasattr(value, "dtype") or hasattr(value, "equals"))
