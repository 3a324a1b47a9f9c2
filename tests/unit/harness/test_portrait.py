"""The deep comparison: what a caller can see counts, what it cannot does not."""

import collections
import copy
import functools
import io
import itertools
import json
import math
import operator
import random
import re
import threading
import uuid
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from burnish_analyzers.checks import comparison
from burnish_analyzers.checks.comparison import Difference, IncomparableError
from burnish_analyzers.harness.runner.portrait import portrait


def difference(old: object, new: object) -> Difference | None:
    """Of two values, by their portraits as they arrive in another process."""
    one, other = (json.loads(json.dumps(portrait(value))) for value in (old, new))
    return comparison.difference(one, other)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x, self.y = x, y


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


def adder(amount: int) -> Any:
    return lambda value: value + amount


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


class Text(str):
    note: object


class Data(bytes):
    note: object


class Whole(int):
    note: object


class Real(float):
    note: object


class Row(tuple[Any, ...]):
    note: object


class Items(list[Any]):
    note: object


class Table(dict[Any, Any]):
    note: object


class Bag(set[Any]):
    note: object


class Price(Decimal):
    note: object


class Tree(ElementTree.Element):
    note: object


class Quiet(list[Any]):
    """Shows nothing of what it holds."""

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0


class Colour(Enum):
    RED = 1
    BLUE = 2


class Level(IntEnum):
    LOW = 1
    HIGH = 2


def noted(value: Any, note: object) -> Any:
    value.note = note
    return value


def made(source: str, lines: int = 0, file: str = "made.py") -> Any:
    """`made` as defined by source code, in a function as a class or function made at run time is."""
    body = "\n".join("    " + line for line in source.splitlines())
    names: dict[str, Any] = {"__name__": "made"}
    exec(compile("\n" * lines + f"def make():\n{body}\n    return made\n", file, "exec"), names)
    return names["make"]()


def abc_made(lines: int) -> Any:
    source = "from abc import ABC, abstractmethod\nclass made(ABC):\n    @abstractmethod\n    def f(self): ..."
    return made(source + "\n    @property\n    def p(self): return super().__hash__()", lines)


def started(iterator: Any, steps: int = 1) -> Any:
    for _ in range(steps):
        next(iterator)
    return iterator


def held() -> Any:
    lock = threading.Lock()
    lock.acquire()
    return lock


def xml(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def found(pattern: str, text: str) -> Any:
    return re.search(pattern, text)


TYPED_TUPLE = "from typing import NamedTuple\nclass made(NamedTuple):\n    x: int"
NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
AMBIGUOUS = datetime(2024, 10, 27, 2, 30)

shared: list[int] = [0]

DIFFERENT = [
    (ValueError("a"), ValueError("b")),
    (KeyError(1), KeyError(2)),
    (ValueError("a"), TypeError("a")),
    (caused(ValueError("a"), KeyError(1)), caused(ValueError("a"), KeyError(2))),
    (caused(ValueError("a"), KeyError(1)), ValueError("a")),
    (adder(1), adder(2)),
    (functools.partial(max, 1), functools.partial(max, 2)),
    (io.StringIO("a"), io.StringIO("b")),
    (0.0, -0.0),
    (1, 1.0),
    (1, True),
    ([True], [1]),
    ({1}, {True}),
    ((1, 2), [1, 2]),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (collections.defaultdict(int), collections.defaultdict(list)),
    (collections.deque([1], 2), collections.deque([1], 3)),
    (Point(1, 2), Point(1, 3)),
    (Slotted(1), Slotted(2)),
    ([[0], [0]], [shared, shared]),
    (iter([1, 2]), iter([1, 2, 3])),
    (bytearray(b"a"), bytearray(b"b")),
    (math.nan, 0.0),
    (complex(0.0, -0.0), complex(0.0, 0.0)),
    (len, max),
    (int, float),
    ([].append, [1].append),
    ((1).__add__, (2).__add__),
    (range(0), range(1, 1)),
    (memoryview(b"ab"), memoryview(bytearray(b"ab"))),
    (OSError(2, "gone", "a"), OSError(2, "gone", "b")),
    (Decimal("2.50"), Decimal("2.5")),
    ([Decimal("0")], [Decimal("-0")]),
    ({Decimal("2.50")}, {Decimal("2.5")}),
    (Fraction(1, 2), Fraction(1, 3)),
    (NOON, NOON.astimezone(timezone(timedelta(hours=1)))),
    (NOON, NOON.replace(tzinfo=timezone(timedelta(0), "Z"))),
    (NOON, NOON.replace(tzinfo=ZoneInfo("Africa/Abidjan"))),
    (NOON, NOON.replace(tzinfo=None)),
    (AMBIGUOUS, AMBIGUOUS.replace(fold=1)),
    (time(12, tzinfo=UTC), time(13, tzinfo=timezone(timedelta(hours=1)))),
    (date(2024, 1, 1), date(2024, 1, 2)),
    (timedelta(1), timedelta(2)),
    (uuid.UUID(int=1), uuid.UUID(int=2)),
    (Path("a"), Path("b")),
    (Colour.RED, Colour.BLUE),
    (Level.LOW, Level.HIGH),
    (random.Random(1), random.Random(2)),
    (threading.Lock(), held()),
    (found("a", "ab"), found("a", "ac")),
    (found("a", "aa"), re.compile("a").search("aa", 1)),
    (found("(a)|b", "a"), found("a|(b)", "a")),
    (re.compile("a"), re.compile("a", re.IGNORECASE)),
    (re.compile("a"), re.compile(b"a")),
    (xml("<a/>"), xml("<b/>")),
    (xml("<a x='1'/>"), xml("<a x='2'/>")),
    (xml("<a>t</a>"), xml("<a>u</a>")),
    (xml("<a><b/>t</a>"), xml("<a><b/>u</a>")),
    (xml("<a><b><c/></b></a>"), xml("<a><b><d/></b></a>")),
    (operator.itemgetter(1), operator.itemgetter(2)),
    (Text("a"), Text("b")),
    (noted(Text("a"), 1), noted(Text("a"), 2)),
    (Data(b"a"), Data(b"b")),
    (noted(Data(b"a"), 1), noted(Data(b"a"), 2)),
    (Whole(1), Whole(2)),
    (noted(Whole(1), 1), noted(Whole(1), 2)),
    (Real(0.0), Real(-0.0)),
    (noted(Real(1), 1), noted(Real(1), 2)),
    (Row([1]), Row([2])),
    (noted(Row([1]), 1), noted(Row([1]), 2)),
    (Items([1]), Items([2])),
    (noted(Items([1]), 1), noted(Items([1]), 2)),
    (Quiet([1]), Quiet([2])),
    (Table(a=1), Table(a=2)),
    (noted(Table(a=1), 1), noted(Table(a=1), 2)),
    (Bag({1}), Bag({2})),
    (noted(Bag({1}), 1), noted(Bag({1}), 2)),
    (noted(Price(1), 1), noted(Price(1), 2)),
    (noted(Tree("a"), 1), noted(Tree("a"), 2)),
    (Tree("a"), Tree("b")),
    (collections.OrderedDict(a=1, b=2), collections.OrderedDict(b=2, a=1)),
    (made("class made:\n    x = 1"), made("class made:\n    x = 2")),
    (made("class made(int): pass"), made("class made(str): pass")),
    (made("class made:\n    x = 1")(), made("class made:\n    x = 2")()),
    (made("class made:\n    def f(self, x=1): pass"), made("class made:\n    def f(self, x=2): pass")),
    (made("def made(x=1): pass"), made("def made(x=2): pass")),
    (made("def made(*, x=1): pass"), made("def made(*, x=2): pass")),
    (made("y = 1\ndef made(): return y"), made("y = 2\ndef made(): return y")),
    (iter([1, 2]), iter([1, 3])),
    (iter((1, 2)), iter((1, 3))),
    (iter("ab"), iter("ac")),
    (iter(b"ab"), iter(b"ac")),
    (iter({1, 2}), iter({1, 3})),
    (iter({"a": 1}), iter({"b": 1})),
    (iter({"a": 1}.values()), iter({"a": 2}.values())),
    (iter({"a": 1}.items()), iter({"a": 2}.items())),
    (iter(range(3)), iter(range(1, 4))),
    (iter(range(10**30)), iter(range(1, 10**30 + 1))),
    (reversed([1, 2]), reversed([1, 3])),
    (enumerate([1]), enumerate([2])),
    (enumerate([1]), enumerate([1], 1)),
    (zip([1], [2], strict=True), zip([1], [3], strict=True)),
    (map(abs, [1]), map(abs, [2])),
    (map(abs, [1]), map(str, [1])),
    (filter(None, [1]), filter(None, [2])),
    ({"a": 1}.values(), {"a": 2}.values()),
    ({"a": 1}.keys(), {"b": 1}.keys()),
    ({"a": 1, "b": 2}.keys(), {"b": 2, "a": 1}.keys()),
    ({"a": 1}.items(), {"a": 2}.items()),
]
SAME = [
    (ValueError("a"), ValueError("a")),
    (math.nan, math.nan),
    ([math.nan], [math.nan]),
    (adder(1), adder(1)),
    (functools.partial(max, 1), functools.partial(max, 1)),
    (iter([1, 2]), iter([1, 2])),
    ({1, 2, 3}, {3, 2, 1}),
    (Point(1, 2), Point(1, 2)),
    (Slotted([1]), Slotted([1])),
    (io.StringIO("a"), io.StringIO("a")),
    ([shared, shared], [[0]] * 2),
    (collections.Counter("aab"), collections.Counter("aab")),
    (frozenset({(1, "a")}), frozenset({(1, "a")})),
    (object(), object()),
    (NOON, datetime(2024, 1, 1, 12, tzinfo=UTC)),
    (NOON.replace(tzinfo=ZoneInfo("Europe/Rome")), NOON.replace(tzinfo=ZoneInfo("Europe/Rome"))),
    (found("(a)", "ab"), found("(a)", "ab")),
    (xml("<a x='1'>t<b/>u</a>"), xml("<a x='1'>t<b/>u</a>")),
    (operator.itemgetter(1), operator.itemgetter(1)),
    (threading.Lock(), threading.Lock()),
    (random.Random(1), random.Random(1)),
    (noted(Text("a"), [1]), noted(Text("a"), [1])),
    (noted(Whole(1), [1]), noted(Whole(1), [1])),
    (noted(Tree("a"), [1]), noted(Tree("a"), [1])),
    (started(iter([1, 2])), iter([2])),
    (started(iter(range(3))), iter(range(1, 3))),
    (started(iter((0, 1, 2)), 2), iter((2,))),
    (iter({"b", "a"}), iter({"a", "b"})),
    (zip([1], "a", strict=True), zip([1], "a", strict=True)),
    (made("made = map(lambda x: x + 1, [1])"), made("made = map(lambda x: x + 1, [1])", 9)),
    (enumerate([1]), enumerate([1])),
    ({"a": 1}.values(), {"a": 1}.values()),
    (made("class made:\n    def f(self): return 1"), made("class made:\n    def f(self): return 1", 9, "b.py")),
    (made("class made:\n    x = 1")(), made("class made:\n    x = 1", 9)()),
    (made("def made(): return lambda: 1"), made("def made(): return lambda: 1", 9, "b.py")),
    (made("def made(n): return made(n - 1)"), made("def made(n): return made(n - 1)", 9)),
    (
        made("from enum import Enum\nclass made(Enum): A = 1").A,
        made("from enum import Enum\nclass made(Enum): A = 1").A,
    ),
    (made(TYPED_TUPLE)(1), made(TYPED_TUPLE, 9)(1)),
    (abc_made(1), abc_made(9)),
    ({frozenset({"a", "b"}), frozenset({"c"})}, {frozenset({"c"}), frozenset({"b", "a"})}),
]
DATACLASS = "from dataclasses import dataclass\n@dataclass\nclass made:\n    x: int\n    y: int = 2"
NAMED_TUPLE = "from collections import namedtuple\nmade = namedtuple('made', 'x y')"
SAME += [(made(DATACLASS)(1), made(DATACLASS, 9)(1)), (made(NAMED_TUPLE)(1, 2), made(NAMED_TUPLE, 9)(1, 2))]
INCOMPARABLE: list[Callable[[], object]] = [
    lambda: __import__("csv").reader([]),
    lambda: threading.local(),
    lambda: __import__("zlib").compressobj(),
    lambda: __import__("hashlib").sha256(b"a"),
]
IMMUTABLE: list[Callable[[], object]] = [
    lambda: Decimal("1.5"),
    lambda: Fraction(1, 3),
    lambda: date(2024, 1, 1),
    lambda: datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=2))),
    lambda: time(1),
    lambda: timedelta(1),
    lambda: timezone(timedelta(hours=2)),
    lambda: uuid.UUID(int=1),
    lambda: Path("a"),
    lambda: PurePosixPath("a"),
    lambda: complex(1, 2),
    lambda: range(1, 3),
    lambda: frozenset({1}),
    lambda: (Decimal(1), "a"),
    lambda: bytes([1, 2]),
    lambda: adder(1),
    lambda: Text("a"),
    lambda: Price(1),
]


@pytest.mark.parametrize(("old", "new"), DIFFERENT, ids=lambda value: repr(value)[:30])
def test_what_a_caller_can_tell_apart_differs(old: object, new: object) -> None:
    assert difference(old, new) is not None
    assert difference(new, old) is not None


@pytest.mark.parametrize(("old", "new"), SAME, ids=lambda value: repr(value)[:30])
def test_what_a_caller_cannot_tell_apart_is_the_same(old: object, new: object) -> None:
    assert difference(old, new) is None


def test_a_function_with_other_code_is_neither_same_nor_different() -> None:
    with pytest.raises(IncomparableError):
        difference(adder(1), (lambda: lambda value: value - 1)())


@pytest.mark.parametrize("make", INCOMPARABLE)
def test_what_shows_nothing_of_itself_is_neither(make: Callable[[], object]) -> None:
    with pytest.raises(IncomparableError, match="compare"):
        difference([make()], [make()])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def made(): return lambda: 1", "def made(): return lambda: 2"),
        ("def made(): return 1", "def made(): return True"),
        ("def made(): return 0.0", "def made(): return -0.0"),
        ("def made(a, b): return a", "def made(b, a): return b"),
        ("def made(*a): return a", "def made(a): return a"),
        ("class made:\n    def f(self): return 1", "class made:\n    def f(self): return 2"),
        ("made = map(lambda x: 1, [])", "made = map(lambda x: 2, [])"),
    ],
)
def test_other_code_anywhere_in_a_function_is_neither(old: str, new: str) -> None:
    with pytest.raises(IncomparableError, match="rewritten"):
        difference(made(old), made(new))


@pytest.mark.parametrize("make", IMMUTABLE)
def test_whether_an_immutable_value_is_one_object_is_no_difference(make: Callable[[], object]) -> None:
    one = make()
    assert difference([one, one], [make(), make()]) is None
    assert difference([make(), make()], [one, one]) is None


@pytest.mark.parametrize("make", [list, dict, set, bytearray, object, lambda: Point(1, 2), lambda: iter([1])])
def test_whether_a_mutable_value_is_one_object_is_a_difference(make: Callable[[], object]) -> None:
    one = make()
    assert difference([one, one], [make(), make()]) is not None
    assert difference([make(), make()], [one, one]) is not None


def iterators() -> list[Any]:
    pairs = zip([1], [2], strict=True)
    return [iter([1, 2]), iter({1: 2}), pairs, enumerate("a"), map(abs, [1]), iter(range(2)), iter({3}), reversed([4])]


def test_comparing_uses_no_iterator_up() -> None:
    old, new = iterators(), iterators()
    for _ in range(2):
        assert difference(old, new) is None
    assert [list(each) for each in old] == [[1, 2], [1], [(1, 2)], [(0, "a")], [1], [0, 1], [3], [4]]


def test_an_endless_iterator_is_compared() -> None:
    assert difference(itertools.repeat(1), itertools.repeat(1)) is None
    assert difference(itertools.repeat(1), itertools.repeat(2)) is not None


def test_a_running_generator_is_neither() -> None:
    with pytest.raises(IncomparableError):
        difference((n for n in [1]), (n for n in [2]))


def test_a_value_that_holds_itself_ends() -> None:
    old: list[object] = [1]
    old.append(old)
    new: list[object] = [1]
    new.append(new)
    assert difference(old, new) is None


def test_a_value_too_deep_to_walk_is_neither() -> None:
    def nested() -> list[Any]:
        value: list[Any] = []
        for _ in range(100_000):
            value = [value]
        return value

    old, new = nested(), nested()
    with pytest.raises(IncomparableError):
        difference(old, new)


leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.decimals()
    | st.fractions()
    | st.dates()
    | st.datetimes(timezones=st.none() | st.timezones())
    | st.times()
    | st.timedeltas()
    | st.uuids()
    | st.complex_numbers()
    | st.sampled_from([Colour.RED, Level.LOW, Path("a"), re.compile("a"), range(3)])
)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(), inner)
        | st.builds(Point, inner, inner)
        | st.builds(Slotted, inner)
        | st.builds(noted, st.builds(Text, st.text()), inner)
        | st.builds(noted, st.builds(Items, st.lists(inner)), inner)
        | st.builds(lambda items: iter(items), st.lists(inner))
        | st.builds(lambda one, many: zip(one, enumerate(many), strict=False), st.lists(inner), st.lists(inner))
        | st.builds(functools.partial, st.just(max), inner)
    )


anything = st.recursive(leaves, containers, max_leaves=12)
WRAPPERS: list[Callable[[Any], Any]] = [
    lambda leaf: [0, leaf],
    lambda leaf: (leaf, 0),
    lambda leaf: {"a": 0, "b": leaf},
    lambda leaf: Point(0, leaf),
    Slotted,
    lambda leaf: noted(Text("a"), leaf),
    lambda leaf: noted(Row([1]), leaf),
    lambda leaf: Items([leaf]),
    lambda leaf: iter([0, leaf]),
    lambda leaf: enumerate([leaf]),
    lambda leaf: zip([0], (leaf,), strict=True),
    lambda leaf: {"a": leaf}.values(),
    lambda leaf: functools.partial(max, leaf),
    lambda leaf: ValueError(leaf),
    lambda leaf: adder(leaf),
    lambda leaf: collections.deque([leaf]),
    lambda leaf: collections.OrderedDict(a=leaf),
]


@given(anything)
def test_a_value_is_the_same_as_its_deep_copy(value: object) -> None:
    assert difference(value, copy.deepcopy(value)) is None


@given(st.tuples(leaves, leaves), st.lists(st.sampled_from(WRAPPERS), max_size=4))
def test_a_value_with_one_leaf_changed_differs(pair: tuple[Any, Any], wrappers: list[Callable[[Any], Any]]) -> None:
    old, new = pair
    assume((type(old), repr(old)) != (type(new), repr(new)))
    for wrap in wrappers:
        old, new = wrap(old), wrap(new)
    assert difference(old, new) is not None


@given(plain)
def test_a_value_is_the_same_as_its_copy(value: object) -> None:
    assert difference(value, copy.deepcopy(value)) is None


@given(st.lists(st.integers(), min_size=1), st.data())
def test_one_changed_item_is_found_at_its_place(values: list[int], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(values) - 1))
    changed = [value + (place == index) for place, value in enumerate(values)]
    found = difference(values, changed)
    assert found is not None
    assert found.path == f"[{index}]"
