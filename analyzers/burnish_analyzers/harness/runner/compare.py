"""Deep comparison of what two calls did: strict about what a caller can see, blind to what it cannot.

Two values are the same when no reader could tell them apart: type, structure, order of mappings, NaN and signed zero,
exception arguments and causes, what closures and partials hold, and which parts are one object (aliasing).
"""

from __future__ import annotations

import collections
import functools
import io
import re
import types
from collections.abc import Iterable
from typing import Any

from .visible import (
    DICT_VIEWS,
    DRAINABLE,
    OBJECTS,
    RANGE_ITERATORS,
    VALUES,
    builtin_value,
    cells,
    class_parts,
    items,
    left,
    mutable,
    reduced,
    reduces_in_python,
    same_code,
    same_number,
    state,
    view,
)

MOST_NODES = 200_000
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
ENUM_NOISE = ("_name_", "_value_", "__objclass__", "_sort_order_", "_hashed_value_")
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
        self.defined: set[tuple[int, int]] = set()
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
        if isinstance(old, type):
            return self.classes(old, new, path)
        if mutable(old):
            if id(old) in self.partner or id(new) in self.taken:
                return self.aliases(old, new, path)
            self.partner[id(old)] = id(new)
            self.taken[id(new)] = id(old)
            self.kept += (old, new)
        return self.classes(type(old), type(new), path) or self.structure(old, new, path)

    def aliases(self, old: Any, new: Any, path: str) -> Difference | None:
        """Two objects of which one at least was met before: they must stand for each other."""
        if self.partner.get(id(old)) == id(new) and self.taken.get(id(new)) == id(old):
            return None
        seen = [
            Note("an object met before" if met else "an object of its own")
            for met in (id(old) in self.partner, id(new) in self.taken)
        ]
        return Difference(path, *(seen if seen[0] != seen[1] else (ALIASED, ALIASED_ELSE)))

    def met(self, old: Any, new: Any) -> bool:
        """Whether these two definitions are one, or were or are being compared already."""
        pair = id(old), id(new)
        if old is new or pair in self.defined:
            return True
        self.defined.add(pair)
        self.kept += (old, new)
        return False

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
        if isinstance(old, DICT_VIEWS):
            return self.walk([*old], [*new], path)  # type: ignore[misc]
        if isinstance(old, types.FunctionType):
            return self.functions(old, new, path)
        if isinstance(old, types.MethodType):
            return self.walk((old.__func__, old.__self__), (new.__func__, new.__self__), path)
        if isinstance(old, BOUND):
            return self.bound(old, new, path)
        return self.looked_into(old, new, path)

    def looked_into(self, old: Any, new: Any, path: str) -> Difference | None:
        """Two values of one type that is neither a container nor a plain function."""
        if isinstance(old, functools.partial):
            parts = [(side.func, side.args, side.keywords) for side in (old, new)]
            return self.walk(parts[0], parts[1], path) or self.states(old, new, path)
        if isinstance(old, (io.StringIO, io.BytesIO)):
            return self.walk(stream(old), stream(new), path) or self.states(old, new, path)
        if isinstance(old, (bytearray, memoryview)):
            return self.buffers(old, new, path)
        if isinstance(old, (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)):
            return self.frames(old, new, path)
        if isinstance(old, DRAINABLE + RANGE_ITERATORS):
            return self.walk(left(old), left(new), path + " (items left)")
        return self.arrays(old, new, path) if is_array(old) else self.valued(old, new, path)

    def valued(self, old: Any, new: Any, path: str) -> Difference | None:
        """Values whose visible parts are known, and subclasses of simple builtins."""
        parts = view(type(old), VALUES)
        if parts:
            nodes = self.nodes
            same = old is new or self.walk((parts(old),), (parts(new),), path) is None
            self.nodes = nodes  # one value, whatever its parts
            return self.states(old, new, path, parts) if same else Difference(path, old, new)
        plain = builtin_value(old), builtin_value(new)
        if plain[0] is not None:
            return (self.walk(*plain, path) and Difference(path, old, new)) or self.states(old, new, path)
        parts = view(type(old), OBJECTS)
        if parts:
            return self.walk(parts(old), parts(new), path) or self.states(old, new, path, parts)
        return self.objects(old, new, path)

    def buffers(self, old: Any, new: Any, path: str) -> Difference | None:
        """Bytes that can be changed, or a window on some."""
        shapes = [[getattr(side, name, None) for name in ("format", "shape", "readonly")] for side in (old, new)]
        same = bytes(old) == bytes(new) and shapes[0] == shapes[1]
        return self.states(old, new, path) if same else Difference(path, old, new)

    def bound(self, old: Any, new: Any, path: str) -> Difference | None:
        """Functions and methods of C: by name, and by what they are bound to."""
        if old is new:
            return None
        if identity(old) != identity(new):
            return Difference(path, old, new)
        return self.walk(old.__self__, new.__self__, path + ".__self__")

    def classes(self, old: type, new: type, path: str) -> Difference | None:
        """One class, or two that were made alike: by name, bases and what they define."""
        if self.met(old, new):
            return None
        if identity(old) != identity(new) or len(old.__bases__) != len(new.__bases__):
            return Difference(path, old, new)
        if found := self.walk(old.__bases__, new.__bases__, path + ".__bases__"):
            return found
        return self.walk(class_parts(old), class_parts(new), f"{path} (class {old.__name__})")

    def sequences(self, old: Any, new: Any, path: str) -> Difference | None:
        """Lists, tuples, deques."""
        olds, news = items(old), items(new)
        if len(olds) != len(news) or getattr(old, "maxlen", None) != getattr(new, "maxlen", None):
            return Difference(path, old, new)
        pairs = enumerate(zip(olds, news))
        return first(self.walk(a, b, f"{path}[{index}]") for index, (a, b) in pairs)

    def mappings(self, old: Any, new: Any, path: str) -> Difference | None:
        """Dictionaries, in order, since a reader can see the order."""
        olds, news = items(old), items(new)
        if len(olds) != len(news):
            return Difference(path, old, new)
        if isinstance(old, collections.defaultdict) and (
            found := self.walk(old.default_factory, new.default_factory, path + ".default_factory")
        ):
            return found
        for (old_key, old_value), (new_key, new_value) in zip(olds, news):
            if self.walk(old_key, new_key, path):
                return Difference(path + " (keys in order)", [key for key, _ in olds], [key for key, _ in news])
            if found := self.walk(old_value, new_value, f"{path}[{old_key!r:.60}]"):
                return found
        return None

    def sets(self, old: Any, new: Any, path: str) -> Difference | None:
        """Sets, in no order: equal items by pairs, others as they show."""
        olds, news = items(old), items(new)
        if len(olds) != len(news):
            return Difference(path, old, new)
        partners = {item: item for item in news}
        pairs = [(item, partners.pop(item)) for item in olds if item in partners]
        matched = {id(item) for item, _ in pairs}
        rest = [sorted(side, key=shown) for side in ([item for item in olds if id(item) not in matched], partners)]
        found = first(self.walk(a, b, path) for a, b in (*pairs, *zip(*rest)))
        return found and Difference(path, old, new)

    def exceptions(self, old: BaseException, new: BaseException, path: str) -> Difference | None:
        """Type (known equal), arguments, cause and attributes; not the traceback."""
        if found := self.walk(old.args, new.args, path + ".args"):
            return Difference(path, old, new) if isinstance(found.old, ATOMS) else found
        if found := self.walk(old.__cause__, new.__cause__, path + ".__cause__"):
            return found
        if isinstance(old, (OSError, ImportError)):
            hidden = [[getattr(side, name, None) for name in HIDDEN] for side in (old, new)]
            if self.walk(hidden[0], hidden[1], path):
                return Difference(path, old, new)
        return self.states(old, new, path)

    def functions(self, old: types.FunctionType, new: types.FunctionType, path: str) -> Difference | None:
        """One function, or two that hold the same values and run the same code."""
        if self.met(old, new):
            return None
        made_here = "<locals>" in old.__qualname__ and "<locals>" in new.__qualname__
        if not made_here and identity(old) != identity(new):
            return Difference(path, old, new)
        if not same_code(old.__code__, new.__code__):
            raise IncomparableError("returns a function whose code was rewritten")
        if found := self.walk(cells(old), cells(new), path + " (closes over)"):
            return found
        for name in ("__defaults__", "__kwdefaults__"):
            if found := self.walk(getattr(old, name), getattr(new, name), f"{path}.{name}"):
                return found
        return self.states(old, new, path)

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
        """Anything else: by its state and what it would be built again from, else by its own equality."""
        if found := self.states(old, new, path):
            return found
        if not reduces_in_python(type(old)):
            try:
                parts = reduced(old), reduced(new)
            except TypeError:  # it holds what it does not show
                return self.opaque(old, new, path)
            return self.walk(*parts, path)
        return None if state(old) else self.opaque(old, new, path)

    def opaque(self, old: Any, new: Any, path: str) -> Difference | None:
        """Values that can only be asked whether they are equal, if they have a say in it."""
        if old is new:
            return None
        if getattr(type(old), "__eq__", None) is object.__dict__["__eq__"]:
            raise IncomparableError(f"holds a {type(old).__name__}, which cannot be compared")
        return None if old == new else Difference(path, old, new)

    def states(self, old: Any, new: Any, path: str, known: object = None) -> Difference | None:
        """Attributes beside a value's own content; where its content is `known`, only those of `__dict__`."""
        states = [attributes(side) if known else state(side) for side in (old, new)]
        return self.walk(states[0], states[1], path) if states[0] or states[1] else None


def first(found: Iterable[Difference | None]) -> Difference | None:
    """The first that is one."""
    return next((item for item in found if item is not None), None)


def same_type_name(old: type, new: type) -> bool:
    """Two classes made by running one definition twice."""
    return (old.__module__, old.__qualname__) == (new.__module__, new.__qualname__)


def identity(value: Any) -> tuple[str, str]:
    """Where a named thing was defined."""
    return str(getattr(value, "__module__", "")), str(getattr(value, "__qualname__", getattr(value, "__name__", "")))


def stream(value: Any) -> Any:
    """An in-memory stream's content and place; None once it is closed."""
    return None if value.closed else (value.getvalue(), value.tell())


def shown(value: object) -> tuple[str, str]:
    """A key by which two like values come in one place."""
    return type(value).__qualname__, ADDRESS.sub("", repr(value))


def attributes(value: Any) -> dict[str, Any]:
    """What was set on a value whose own parts are known: not what an enumeration keeps for itself."""
    found = getattr(value, "__dict__", {})
    return {name: found[name] for name in sorted(found) if name not in ENUM_NOISE}


def is_array(value: Any) -> bool:
    """Whether this is a numpy or pandas value, known by its module so that neither need be imported."""
    root = type(value).__module__.partition(".")[0]
    return root in ("numpy", "pandas") and (hasattr(value, "dtype") or hasattr(value, "equals"))
