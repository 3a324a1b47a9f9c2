"""Calls that no test made, bred from those it did: one argument at a time becomes another value of its kind."""

from __future__ import annotations

import dis
import math
import random
import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .record import RECEIVERS, Call
from .show import shown_call, shown_value

MOST_VARIATIONS = 300
MOST_BORROWED = 3
MOST_LOOKED_AT = 50
MOST_LEFT_EARLY = 5
# What follows a ``yield`` whose value is dropped, and one that is part of a ``yield from``.
LEAVES_IT = ("POP_TOP", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE", "SEND")
NO_OPERATION = ("RESUME", "CACHE", "NOP", "EXTENDED_ARG")
GENERATOR = 0x20  # inspect.CO_GENERATOR
SMALL_SIZES = (2, 3, 4, 4, 5, 6)
ITERABLES = (list, tuple, str, range, dict, set, frozenset)


class Openness:
    """Names of parameters whose own type, and the type of whose items, the text leaves open."""

    def __init__(self, kind: Iterable[str], items: Iterable[str]) -> None:
        self.kind = frozenset(kind)
        self.items = frozenset(items)


def variations(calls: Sequence[Call], open_parameters: Openness) -> list[Call]:
    """Up to MOST_VARIATIONS calls, no two alike, spread evenly over the recorded ones and their arguments.

    Where the text says nothing of a parameter's type, it is also given as a bare iterator; where it says nothing of the
    type of its items, also with items that cannot be hashed. A caller may do either.
    """
    found: dict[str, Call] = {}
    for call in interleaved(left_early(calls), *(bred(call, calls, open_parameters) for call in calls)):
        found.setdefault(shown_call(call), call)
        if len(found) == MOST_VARIATIONS:
            break
    return list(found.values())


def bred(call: Call, calls: Sequence[Call], open_parameters: Openness) -> Iterator[Call]:
    """Each call that differs from this one in a single argument, one of each argument in turn."""

    def with_other(name: str) -> Iterator[Call]:
        return (call.altered({name: value}) for value in others(call, name, calls, open_parameters))

    return interleaved(*(with_other(name) for name in call.values if name not in RECEIVERS))


def left_early(calls: Sequence[Call]) -> Iterator[Call]:
    """Generators that are closed, thrown into or sent to after their first item, for a few calls that make one."""
    made = [call for call in calls if call.target.code is not None and call.target.code.co_flags & GENERATOR]
    for call in made[:MOST_LEFT_EARLY]:
        for ending in ("close", "throw", *(("send",) if uses_what_is_sent(call.target.code) else ())):
            other = call.altered({})
            other.ending = ending
            yield other


def uses_what_is_sent(code: types.CodeType | None) -> bool:
    """Whether a ``yield`` of a generator has a value that something is done with."""
    operations = [item.opname for item in dis.get_instructions(code) if item.opname not in NO_OPERATION] if code else []
    return any(this == "YIELD_VALUE" and after not in LEAVES_IT for this, after in zip(operations, operations[1:]))


def others(call: Call, name: str, calls: Sequence[Call], open_parameters: Openness) -> Iterator[Any]:
    """Other values for one parameter: edges of its own value's kind, and values that it had in other calls."""
    original = call.copies()[name]
    yield from edges(original)
    if name in open_parameters.kind and isinstance(original, ITERABLES):
        yield iter(list(original))
    if name in open_parameters.items and type(original) in (list, tuple) and original:
        yield type(original)([item] for item in original)
    borrowed = [other for other in calls if other is not call and name in other.values]
    for other in random.Random(0).sample(borrowed, min(MOST_BORROWED, len(borrowed))):
        yield other.copies()[name]


def edges(value: Any) -> Iterator[Any]:
    """Values of the same kind: empty, one, doubled, reversed, zero, odd text, in another order, with one other item."""
    if type(value) is bool:
        yield not value
    elif type(value) is int:
        yield from (0, 1, -1, value + 1, -value)
    elif type(value) is float:
        yield from (0.0, -0.0, -value, value + 0.5, value / 3, value * 1.1 + 0.007, math.nan, math.inf)
    elif type(value) is str:
        yield from ("", " ", value + value, value[:1], value.upper(), value + "\u00e9\U0001f600\n")
        yield from map("".join, samples(value))
    elif type(value) is bytes:
        yield from (b"", value + value, value[:1], value + b"\xff\x00")
        yield from map(bytes, samples(value))
    elif type(value) is list:
        yield from ([], value[:1], value + value, value[::-1], value[1:])
        yield from interleaved(samples(value), with_one_changed(value))
    elif type(value) is tuple:
        yield from ((), value[:1], value + value, value[::-1], value[1:])
        yield from map(tuple, interleaved(samples(value), with_one_changed(value)))
    elif type(value) is dict:
        items = list(value.items())
        yield from ({}, dict(items[:1]), dict(reversed(items)))
        yield from (dict(zip(value, values)) for values in with_one_changed(list(value.values())))
    elif type(value) in (set, frozenset):
        yield from (type(value)(), type(value)(list(value)[:1]))
    elif type(value) is range:
        yield from (range(0), range(value.start, value.start + 1))


def samples(value: Sequence[Any]) -> Iterator[list[Any]]:
    """A few short draws from the items, in which some come again and in another order; the same each time."""
    distinct: dict[str, Any] = {}
    for item in value[:MOST_LOOKED_AT]:
        distinct.setdefault(shown_value(item), item)
    pool = list(distinct.values())[:3]
    if len(pool) > 1:
        dice = random.Random(0)
        for size in SMALL_SIZES:
            yield dice.choices(pool, k=size)
        yield dice.sample(list(value), len(value))


def with_one_changed(value: Sequence[Any]) -> Iterator[list[Any]]:
    """The first, middle and last item gone to each of its edges, the rest as it was; records keep their length."""
    for index in dict.fromkeys((0, len(value) // 2, len(value) - 1)):
        if 0 <= index < len(value):
            item = value[index]
            changed_items = map(type(item), with_one_changed(item)) if type(item) is tuple else edges(item)
            for other in changed_items:
                yield [*value[:index], other, *value[index + 1 :]]


def interleaved(*sources: Iterator[Any]) -> Iterator[Any]:
    """One of each in turn, until all are used up."""
    waiting = list(sources)
    while waiting:
        for source in tuple(waiting):
            for item in source:
                yield item
                break
            else:
                waiting.remove(source)
