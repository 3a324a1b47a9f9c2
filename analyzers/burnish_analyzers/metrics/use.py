"""What a text shows of the names in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from tree_sitter import Node

from burnish_analyzers.metrics.bindings import Binding, NameKind

# Functions whose result is often called by two letters of their name, as in `mx = max(...)`.
_SHORTENED = frozenset({"sum", "max", "min", "len", "set", "str", "count"})
# Two-letter names that only the other one explains.
_PARTNERS = {"fr": ("to",), "st": ("en", "ed"), "en": ("st",), "ed": ("st",), "lb": ("ub",), "ub": ("lb",)}
_COORDINATES = {"x": "y", "y": "x"}


class Use:
    """What a text shows of the names in it; asked only for the few names that their letters leave open."""

    def __init__(self, text: str, by_name: Mapping[str, Sequence[Binding]]) -> None:
        self._text = text
        self._by_name = by_name

    @cached_property
    def _letters(self) -> frozenset[str]:
        """The letters that are names themselves."""
        return frozenset(name.lower() for name in self._by_name if len(name) == 1)

    def is_letter_row(self, part: str) -> bool:
        """Whether a short part only repeats letters that are names: `ABC` beside A, B and C."""
        return len(part) <= 4 and len(set(part)) == len(part) and self._letters.issuperset(part)

    def is_reader(self, name: str) -> bool:
        """Whether this is a function that reads input; those are named by initials: `lmi` for a list of map of int."""
        return any(
            re.search(rb"\b(?:input|stdin|readline)\b", bound.origin.text or b"")
            for bound in self._by_name[name]
            if bound.kind is NameKind.FUNCTION or b"lambda" in (bound.origin.text or b"")
        )

    def is_coordinate(self, name: str) -> bool:
        """Whether two letters stand for an x or a y of something: `px` beside `py`, `xc` beside `yc`."""
        if len(name) != 2:
            return False
        first, second = name[0].lower(), name[1].lower()
        if first in _COORDINATES and second in _COORDINATES:
            return True
        siblings = []
        if second in _COORDINATES:
            siblings.append(first + _COORDINATES[second])
        if first in _COORDINATES:
            siblings.append(_COORDINATES[first] + second)
        return any(other.lower() in siblings for other in self._by_name)

    def is_delta(self, name: str) -> bool:
        """Whether `dx` and its like hold a difference or a direction."""
        if len(name) != 2 or name[0] not in "dD" or not name[1].isalpha():
            return False
        if re.search(rf"\b{name[1]}\w?\s*\+\s*{name}\b", self._text, re.IGNORECASE):
            return True
        return any(_is_difference(value) or self._has_directions(value) for value in self._values(name))

    def explains(self, name: str, part: str) -> bool:
        """Whether the value of a two-letter name shows the word that it is short for."""
        if len(part) != 2 or part[0] == part[1] or part[1] == "s":
            return False
        if any(partner in self._by_name for partner in _PARTNERS.get(part, ())):
            return True
        words = {word for value in self._values(name) for word in _called(value)} & _SHORTENED
        for bound in self._by_name[name]:
            if bound.origin.type == "augmented_assignment":
                words.add("count" if (bound.origin.text or b"").endswith(b"1") else "sum")
        return any(word[0] == part[0] and part[1] in word[1:] for word in words)

    def _values(self, name: str) -> Iterator[Node]:
        """The expressions from which `name` gets its values."""
        for bound in self._by_name.get(name, ()):
            value = bound.origin.child_by_field_name("right") or bound.origin.child_by_field_name("value")
            if value is not None and bound.kind is not NameKind.FUNCTION and value.type != "lambda":
                yield value

    def _has_directions(self, value: Node) -> bool:
        """Whether `value` is made of a literal with negative numbers, itself or through a name."""
        for node in _descendants(value):
            if node.type in ("list", "tuple") and any(child.type == "unary_operator" for child in node.named_children):
                return True
            if node.type == "identifier" and node.text:
                values = self._values(node.text.decode())
                if any(_has_negative_item(other) for other in values):
                    return True
        return False


def _has_negative_item(value: Node) -> bool:
    return value.type in ("list", "tuple") and any(node.type == "unary_operator" for node in _descendants(value))


def _is_difference(value: Node) -> bool:
    operator = value.child_by_field_name("operator")
    return value.type == "binary_operator" and operator is not None and operator.type == "-"


def _called(value: Node) -> Iterator[str]:
    """The last names of the functions that an expression calls."""
    for node in _descendants(value):
        if node.type == "call":
            function = node.child_by_field_name("function")
            if function is not None and function.text:
                yield function.text.decode().rpartition(".")[2]


def _descendants(node: Node) -> Iterator[Node]:
    """`node` and all below it; not by recursion, for an expression can be deeper than Python's stack."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending += node.named_children
