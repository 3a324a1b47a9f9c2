"""Deliberately broken versions of the unit: what the checks must be able to notice before their word counts."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from burnish_analyzers.checks.definition import docstring_span, functions
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit

MOST_MUTANTS = 8
RAISE = 'raise RuntimeError("Burnish broke this on purpose")'
SWAPPED = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "in": "not in",
    "not in": "in",
    "is": "is not",
    "is not": "is",
    "+": "-",
    "-": "+",
    "*": "+",
    "//": "*",
    "/": "*",
    "%": "*",
    "and": "or",
    "or": "and",
    "+=": "-=",
    "-=": "+=",
    "*=": "+=",
    "True": "False",
    "False": "True",
}
OPERATOR_PARENTS = frozenset({"comparison_operator", "binary_operator", "boolean_operator", "augmented_assignment"})


def raising_version(snapshot: Snapshot, unit: Unit) -> str:
    """The document with every function of the unit reduced to one `raise`."""
    text = snapshot.text
    for function in reversed(functions(snapshot, unit)):
        docstring = docstring_span(snapshot, function)
        start = docstring.end if docstring else function.body_span.start
        text = text[:start] + ("; " if docstring else "") + RAISE + text[function.body_span.end :]
    return text


def mutants(snapshot: Snapshot, unit: Unit) -> tuple[str, ...]:
    """Up to MOST_MUTANTS texts of the document, each with one small fault in the unit, of as many kinds as may be."""
    kinds: dict[str, list[str]] = {}
    text = snapshot.text
    for kind, start, end, replacement in faults(snapshot, unit):
        kinds.setdefault(kind, []).append(text[:start] + replacement + text[end:])
    found: list[str] = []
    while any(kinds.values()) and len(found) < MOST_MUTANTS:
        for waiting in kinds.values():
            if waiting and len(found) < MOST_MUTANTS:
                found.append(waiting.pop(0))
    return tuple(found)


def faults(snapshot: Snapshot, unit: Unit) -> Iterator[tuple[str, int, int, str]]:
    """Each possible fault in the unit's bodies: its kind, and the replacement of one span."""
    tree = snapshot.tree
    stack = list(tree.roots)
    while stack:
        node = stack.pop()
        span = tree.span(node)
        if span.end <= unit.body_span.start or span.start >= unit.body_span.end:
            continue
        stack += reversed(node.children)
        if not unit.body_span.contains(span):
            continue
        if fault := fault_of(node, tree.source(node)):
            kind, replaced, replacement = fault
            place = tree.span(replaced)
            yield kind, place.start, place.end, replacement


def fault_of(node: Node, source: str) -> tuple[str, Node, str] | None:
    """The fault that one node of the syntax tree lends itself to."""
    if node.type in ("true", "false") or (node.parent and node.parent.type in OPERATOR_PARENTS and not node.is_named):
        return (node.type, node, SWAPPED[source]) if source in SWAPPED else None
    if node.type == "integer" and source.isdigit():
        return "integer", node, str(int(source) + 1)
    if node.type in ("return_statement", "yield") and node.named_child_count and source not in ("return None",):
        keyword = "return" if node.type == "return_statement" else "yield"
        return (keyword, node, f"{keyword} None") if not source.startswith("yield from") else None
    if node.type == "not_operator" and node.named_children:
        return "not", node.children[0], ""
    return None
