"""The types of recorded values, written as annotations, so that fresh values of the same shape can be made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .record import Call

MOST_ITEMS = 20
MOST_SHAPES = 6
DEEPEST = 4
SCALARS = (int, float, complex, str, bytes, bool)
SEQUENCES = (list, set, frozenset)
STANDARD = ("datetime", "decimal", "fractions", "pathlib", "uuid", "collections")
ITERATORS: tuple[type, ...] = (type(iter([])), type(iter(())), type(iter("")), type(iter(range(0))))


def shapes(calls: Iterable[Call]) -> dict[str, dict[str, list[str]]]:
    """By function and parameter, the shapes of its recorded values, "" for those that cannot be written."""
    found: dict[str, dict[str, list[str]]] = {}
    for call in calls:
        parameters = found.setdefault(call.target.key[0], {})
        for name, value in call.values.items():
            known = parameters.setdefault(name, [])
            if len(known) < MOST_SHAPES and (text := shape(value, 0)) not in known:
                known.append(text)
    return found


def shape(value: Any, depth: int) -> str:
    """One value's type as an annotation; "" where it is none that source code could make."""
    kind = type(value)
    if value is None or kind in SCALARS or kind is range:
        return "None" if value is None else kind.__name__
    if depth > DEEPEST:
        return ""
    if kind in SEQUENCES:
        items = union(list(value)[:MOST_ITEMS], depth)
        return f"{kind.__name__}[{items}]" if items else ""
    if kind is tuple:
        parts = [shape(item, depth + 1) for item in value[:MOST_ITEMS]]
        return (f"tuple[{', '.join(parts)}]" if parts else "tuple[int, ...]") if all(parts) else ""
    if kind is dict:
        keys, values = (union(list(part)[:MOST_ITEMS], depth) for part in (value.keys(), value.values()))
        return f"dict[{keys}, {values}]" if keys and values else ""
    if kind in ITERATORS:
        return "Iterator[int]"
    return kind.__name__ if kind.__module__.partition(".")[0] in STANDARD else ""


def union(values: Iterable[Any], depth: int) -> str:
    """The shape of items: one of several where they differ, and of nothing in particular where there are none."""
    found = list(dict.fromkeys(shape(value, depth + 1) for value in values))
    if not found:
        return "int"
    return " | ".join(found) if all(found) else ""
