"""Calls that no test made, bred from those it did: one argument at a time goes to an edge of its kind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .record import Call
from .show import shown_call

MOST_VARIATIONS = 150
ITERABLES = (list, tuple, str, range, dict, set, frozenset)


class Openness:
    """Names of parameters whose own type, and the type of whose items, the text leaves open."""

    def __init__(self, kind: Iterable[str], items: Iterable[str]) -> None:
        self.kind = frozenset(kind)
        self.items = frozenset(items)


def variations(calls: Sequence[Call], open_parameters: Openness) -> list[Call]:
    """Up to MOST_VARIATIONS calls, no two alike, spread over the recorded ones.

    Where the text says nothing of a parameter's type, it is also given as a bare iterator; where it says nothing of the
    type of its items, also with items that cannot be hashed. A caller may do either.
    """
    found: list[Call] = []
    seen: set[str] = set()
    sources = [bred(call, open_parameters) for call in calls]
    while sources and len(found) < MOST_VARIATIONS:
        alive = []
        for source in sources:
            for call in source:
                text = shown_call(call)
                if text not in seen:
                    seen.add(text)
                    found.append(call)
                    break
            else:
                continue
            alive.append(source)
        sources = alive
    return found[:MOST_VARIATIONS]


def bred(call: Call, open_parameters: Openness) -> Iterator[Call]:
    """Each call that differs from this one in a single argument."""
    for name in call.values:
        if name in ("self", "cls"):
            continue
        original = call.copies()[name]
        for other in edges(original):
            yield changed(call, name, other)
        if name in open_parameters.kind and isinstance(original, ITERABLES):
            yield changed(call, name, iter(list(original)))
        if name in open_parameters.items and type(original) in (list, tuple) and original:
            yield changed(call, name, type(original)([item] for item in original))


def changed(call: Call, name: str, value: Any) -> Call:
    """The same call with another value for one parameter."""
    other = Call(call.target, {**call.copies(), name: value}, call.shared, call.test)
    other.generated = True
    return other


def edges(value: Any) -> list[Any]:
    """Values of the same kind at the edges of what is likely: empty, one, doubled, reversed, zero, odd text."""
    if type(value) is bool:
        return [not value]
    if type(value) is int:
        return [0, 1, -1, value + 1, -value]
    if type(value) is float:
        return [0.0, -0.0, -value, value + 0.5, value / 3, value * 1.1 + 0.007, math.nan, math.inf]
    if type(value) is str:
        return ["", " ", value + value, value[:1], value.upper(), value + "\u00e9\U0001f600\n"]
    if type(value) is bytes:
        return [b"", value + value, value[:1], value + b"\xff\x00"]
    if type(value) in (list, tuple):
        return [value[:0], value[:1], value + value, value[::-1], value[1:]]
    if type(value) is dict:
        return [{}, dict(list(value.items())[:1]), dict(reversed(list(value.items())))]
    if type(value) in (set, frozenset):
        return [type(value)(), type(value)(list(value)[:1])]
    if type(value) is range:
        return [range(0), range(value.start, value.start + 1)]
    return []
