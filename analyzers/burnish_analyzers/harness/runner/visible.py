"""What of a value a reader can see, as plain parts that the deep comparison walks; nothing here changes a value."""

from __future__ import annotations

import collections
import copy
import hashlib
import itertools
import math
import re
import types
import warnings
from collections.abc import Callable, Mapping
from typing import Any

MOST_ITEMS = 200_000
EMPTY: dict[str, Any] = {}
VIEWED: tuple[Any, ...] = (EMPTY.keys(), EMPTY.values(), EMPTY.items())
DICT_VIEWS: tuple[type, ...] = tuple(type(each) for each in VIEWED)
SET_ITERATOR: type = type(iter(frozenset("")))
RANGE_ITERATORS: tuple[type, ...] = (type(iter(range(0))), type(iter(range(1 << 100))))
# A copy of one of these is made without using it up.
WHOLES: tuple[Any, ...] = (*VIEWED, [], (), "", "é", b"", bytearray(), frozenset(""), collections.deque())
DRAINABLE: tuple[type, ...] = (
    *(type(iter(whole)) for whole in WHOLES),
    *(type(reversed(whole)) for whole in WHOLES[:4]),  # the kinds whose reverse is not a plain `reversed`
)
CLASS_NOISE = frozenset(
    (
        "__dict__",
        "__weakref__",
        "__module__",
        "__qualname__",
        "__firstlineno__",
        "__static_attributes__",
        "__slotnames__",
        "_abc_impl",
        "__annotations_cache__",
        "__annotate_func__",
        "__annotate__",
    )
)
MOMENT = ("year", "month", "day", "hour", "minute", "second", "microsecond", "nanosecond", "fold")
REDUCERS = ("__reduce__", "__reduce_ex__", "__getstate__", "__getnewargs__", "__getnewargs_ex__")
ENUM_NOISE = ("_name_", "_value_", "__objclass__", "_sort_order_", "_hashed_value_")
# Generator, coroutine and so on, and how arguments are taken.
CALLING_FLAGS = 0x4 | 0x8 | 0x20 | 0x80 | 0x200

Parts = Callable[[Any], Any]


def moment(value: Any) -> Any:
    """A datetime or time as written, with its zone: not the instant, which other writings share."""
    fields = [getattr(value, name, None) for name in MOMENT]
    return (*fields, str(value.utcoffset()), value.tzname(), value.tzinfo)


def match(value: Any) -> Any:
    """A regular expression's match."""
    return value.re, value.string, value.pos, value.endpos, value.regs, value.groups()


def element(value: Any) -> Any:
    """An XML element with all below it."""
    return {
        "tag": value.tag,
        "attrib": dict(value.items()),
        "text": value.text,
        "tail": value.tail,
        "children": list(value),
    }


def lock(value: Any) -> Any:
    """Whether a lock is held."""
    return repr(value).partition(" ")[0]


# By name, so that the user's process need not import their modules. First values that never change...
VALUES: dict[tuple[str, str], Parts] = {
    ("decimal", "Decimal"): lambda value: tuple(value.as_tuple()),
    ("_decimal", "Decimal"): lambda value: tuple(value.as_tuple()),
    ("_pydecimal", "Decimal"): lambda value: tuple(value.as_tuple()),
    ("fractions", "Fraction"): lambda value: (value.numerator, value.denominator),
    ("uuid", "UUID"): lambda value: (value.int, value.is_safe),
    ("datetime", "datetime"): moment,
    ("datetime", "time"): moment,
    ("datetime", "date"): lambda value: (value.year, value.month, value.day),
    ("datetime", "timedelta"): lambda value: (
        value.days,
        value.seconds,
        value.microseconds,
        getattr(value, "nanoseconds", None),
    ),
    ("datetime", "timezone"): lambda value: (value.utcoffset(None), value.tzname(None)),
    ("zoneinfo", "ZoneInfo"): lambda value: value.key or value,
    ("pathlib", "PurePath"): str,
    ("pathlib._local", "PurePath"): str,
    ("enum", "Enum"): lambda value: (value._name_, value._value_),
    ("builtins", "range"): lambda value: (value.start, value.stop, value.step),
    ("builtins", "slice"): lambda value: (value.start, value.stop, value.step),
}
# ... then others.
OBJECTS: dict[tuple[str, str], Parts] = {
    ("re", "Match"): match,
    ("xml.etree.ElementTree", "Element"): element,
    ("random", "Random"): lambda value: value.getstate(),
    ("_thread", "lock"): lock,
    ("_thread", "RLock"): lock,
    ("builtins", "property"): lambda value: (value.fget, value.fset, value.fdel, value.__doc__),
    ("builtins", "classmethod"): lambda value: value.__func__,
    ("builtins", "staticmethod"): lambda value: value.__func__,
    ("weakref", "ReferenceType"): lambda value: value(),
}
FIXED = (tuple, frozenset, str, bytes, int, float, complex, type, BaseException, re.Pattern)
CALLED = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType, types.ModuleType)


def view(kind: type, table: Mapping[tuple[str, str], Parts]) -> Parts | None:
    """How values of this class, or of the nearest class above it in the table, are looked into."""
    names = ((base.__module__, base.__qualname__) for base in kind.__mro__)
    return next((table[name] for name in names if name in table), None)


def mutable(value: object) -> bool:
    """Whether it matters if two places hold one object or two equal ones."""
    if isinstance(value, FIXED + CALLED + DICT_VIEWS) or view(type(value), VALUES):
        return False
    frozen = getattr(type(value), "__dataclass_params__", None)
    return not (getattr(frozen, "frozen", False) and getattr(frozen, "eq", False))


def builtin_value(value: Any) -> Any:
    """What an instance of a subclass of a simple builtin is worth, whatever the subclass says; else None."""
    if isinstance(value, str):
        return "".join((value,))
    if isinstance(value, bytes):
        return b"".join((value,))
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    return complex.__pos__(value) if isinstance(value, complex) else None


def items(value: Any) -> list[Any]:
    """A builtin container's own items, whatever its subclass says; those of a mapping in pairs."""
    for kind in (collections.OrderedDict, dict):
        if isinstance(value, kind):
            return list(kind.items(value))
    kinds = (list, tuple, set, frozenset, collections.deque)
    found = next((kind for kind in kinds if isinstance(value, kind)), None)
    return list(found.__iter__(value)) if found else list(value.items())


def state(value: Any) -> Mapping[str, Any]:
    """Attributes, from `__dict__` and slots, sorted by name."""
    found = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                name = mangled(kind, name)
                if hasattr(value, name):
                    found[name] = getattr(value, name)
    return {name: found[name] for name in sorted(found)}


def mangled(kind: type, name: str) -> str:
    """A slot's name as the class stores it."""
    private = name.startswith("__") and not name.endswith("__")
    return f"_{kind.__name__.lstrip('_')}{name}" if private else name


def class_parts(kind: type) -> dict[str, Any]:
    """What a class defines, sorted by name."""
    found = {name: item for name, item in vars(kind).items() if name not in CLASS_NOISE}
    return {name: found[name] for name in sorted(found)}


def reduces_in_python(kind: type) -> bool:
    """Whether taking such a value apart would run Python code, which may do anything."""
    found = (getattr(kind, name, None) for name in REDUCERS)
    return any(isinstance(item, types.FunctionType) for item in found)


def reduced(value: Any) -> Any:
    """What a value would be built again from, beside its attributes. TypeError where it does not say."""
    parts = quietly_reduced(value) if type(value).__module__ == "itertools" else value.__reduce_ex__(4)
    if isinstance(parts, str):
        return parts
    maker, arguments, attributes, *more = (*parts, None, None, None)[:5]
    listed = [None if item is None else list(item) for item in more]
    if getattr(maker, "__name__", "") in ("__newobj__", "__newobj_ex__", "_reconstructor"):
        beside = None if state(value) else attributes
        nothing = not arguments[1:] and beside is None and listed == [None, None]
        return None if nothing else (arguments[1:], beside, listed)
    return maker, arguments, attributes, listed


def quietly_reduced(value: Any) -> Any:
    """The same from what warns that it will no longer say so in a later Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return value.__reduce_ex__(4)


def left(iterator: Any) -> Any:
    """What an iterator over a builtin container still has, without using it up. ValueError where that is too much."""
    if isinstance(iterator, RANGE_ITERATORS):
        return rest_of_range(iterator)
    found = list(itertools.islice(copy.copy(iterator), MOST_ITEMS + 1))
    if len(found) > MOST_ITEMS:
        raise ValueError("too many items")
    return frozenset(found) if isinstance(iterator, SET_ITERATOR) else found


def rest_of_range(iterator: Any) -> tuple[int, ...]:
    """The first, last and second last number that is left, however many there are."""
    _, (whole,), *place = iterator.__reduce__()
    rest = whole[place[0] if place and place[0] else 0 :]
    if not rest:
        return ()
    return (rest[0],) if rest[0] == rest[-1] else (rest[0], rest[-1], rest[-2])


def cells(function: types.FunctionType) -> list[tuple[Any, ...]]:
    """What a function closes over, in the order in which its code counts; an empty cell is told apart from None."""
    held: list[tuple[Any, ...]] = []
    for cell in function.__closure__ or ():
        try:
            held.append((cell.cell_contents,))
        except ValueError:
            held.append(())
    return held


def number(value: Any) -> str:
    """A float or complex to the bit, as far as a program can see: NaN is NaN, 0.0 is not -0.0."""
    if isinstance(value, complex):
        return f"{number(value.real)} and {number(value.imag)}j"
    return "nan" if math.isnan(value) else repr(value)


def code_digest(code: types.CodeType) -> str:
    """SHA-256 of what code does and how it is called, whatever its local names, line numbers and file."""
    return hashlib.sha256(repr(running(code)).encode()).hexdigest()


def running(code: types.CodeType) -> tuple[object, ...]:
    """What code runs and how it is called."""
    named = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    counts = code.co_posonlyargcount, code.co_argcount, code.co_kwonlyargcount
    caught = getattr(code, "co_exceptiontable", b"")
    constants = [constant(item) for item in code.co_consts]
    return code.co_code, code.co_names, named, counts, code.co_flags & CALLING_FLAGS, caught, constants


def constant(value: Any) -> object:
    """A constant of code, told apart from equal ones of other types."""
    if isinstance(value, types.CodeType):
        return running(value)
    if isinstance(value, tuple):
        return "tuple", [constant(item) for item in value]
    if isinstance(value, frozenset):
        return "frozenset", sorted((type(item).__name__, repr(item)) for item in value)
    if isinstance(value, slice):
        return "slice", [constant(item) for item in (value.start, value.stop, value.step)]
    return type(value).__name__, repr(value)


def identity(value: Any) -> tuple[str, str]:
    """Where a named thing was defined."""
    return str(getattr(value, "__module__", "")), str(getattr(value, "__qualname__", getattr(value, "__name__", "")))


def attributes(value: Any) -> dict[str, Any]:
    """What was set on a value whose own parts are known: not what an enumeration keeps for itself."""
    found = getattr(value, "__dict__", {})
    return {name: found[name] for name in sorted(found) if name not in ENUM_NOISE}
