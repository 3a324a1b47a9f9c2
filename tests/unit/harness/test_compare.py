"""The deep comparison: what a caller can see counts, what it cannot does not."""

import collections
import copy
import functools
import io
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish_analyzers.harness.runner.compare import IncomparableError, difference

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
