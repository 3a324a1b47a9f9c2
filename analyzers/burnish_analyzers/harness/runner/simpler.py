"""Calls that are like another one but simpler in one argument, for the search for the smallest counterexample."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from .record import RECEIVERS, Call

MOST_WITHIN = 6
MOST_FOR_ONE = 60
ITERATORS: tuple[type, ...] = (type(iter([])), type(iter(())))


def smaller(call: Call) -> Iterator[Call]:
    """One argument made simpler: fewer items, shorter text, a smaller number."""
    for name, value in call.copies().items():
        if name not in RECEIVERS:
            for other in itertools.islice(simplifications(value), MOST_FOR_ONE):
                yield call.altered({name: other})


def simplifications(value: Any) -> Iterable[Any]:
    """Simpler values of the same type, simplest first (Zeller's delta debugging in steps of halves, then of one)."""
    if type(value) is int and value not in (0, 1):
        yield from (0, 1, value // 2)
    elif type(value) is float and value not in (0.0, 1.0):
        yield from (0.0, 1.0)
    elif type(value) in (str, bytes, list, tuple):
        yield from shorter(value)
        if type(value) in (list, tuple):
            for index, item in enumerate(value[:MOST_WITHIN]):
                for other in simplifications(item):
                    yield type(value)([*value[:index], other, *value[index + 1 :]])
    elif type(value) in (dict, set, frozenset) and value:
        items = list(value.items() if type(value) is dict else value)
        for part in shorter(items):
            yield type(value)(part)
        if type(value) is dict:
            for key, item in items[:MOST_WITHIN]:
                for other in simplifications(item):
                    yield {**value, key: other}
    elif type(value) in ITERATORS:
        yield from map(iter, simplifications(list(value)))


def shorter(value: Any) -> Iterable[Any]:
    """Parts of a sequence: none of it, its halves, all but one."""
    size = len(value)
    if size:
        yield value[:0]
    if size > 2:
        yield value[: size // 2]
        yield value[size // 2 :]
    if 1 < size <= 12:
        for index in range(size):
            yield value[:index] + value[index + 1 :]
