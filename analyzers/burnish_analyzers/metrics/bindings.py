"""Where a text binds names, found with tree-sitter, so that an error elsewhere does not matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from tree_sitter import Node

from burnish_analyzers.metrics.queries import captures
from burnish_analyzers.source.tree import SyntaxTree

_QUERY = """
(function_definition name: (identifier) @function)
(function_definition parameters: (parameters) @parameters)
(lambda parameters: (lambda_parameters) @parameters)
(for_statement left: (_) @loop)
(for_in_clause left: (_) @loop)
(assignment left: (_) @variable)
(augmented_assignment left: (_) @variable)
(named_expression name: (identifier) @variable)
(as_pattern alias: (as_pattern_target) @variable)
(case_clause (case_pattern) @pattern)
"""
# Targets that hold further targets; attributes and subscripts bind no name, and are not among them.
_TARGETS = frozenset(
    {
        "pattern_list",
        "tuple_pattern",
        "list_pattern",
        "list_splat_pattern",
        "dictionary_splat_pattern",
        "as_pattern_target",
        "tuple",
        "list",
        "expression_list",
        "parenthesized_expression",
        "list_splat",
    }
)


class NameKind(StrEnum):
    """How a name is bound for the first time."""

    VARIABLE = "variable"
    PARAMETER = "parameter"
    LOOP = "loop"
    FUNCTION = "function"


@dataclass(frozen=True, kw_only=True)
class Binding:
    """One place that binds a name.

    `node` is the identifier. `origin` is the whole construct that binds it: the assignment, the loop head or clause,
    the definition; it holds what is known of the value.
    """

    name: str
    kind: NameKind
    node: Node
    origin: Node


def bindings(tree: SyntaxTree) -> tuple[Binding, ...]:
    """Every binding of the text in source order; no attributes, imports, classes or type parameters."""
    found = [
        Binding(name=identifier.text.decode(), kind=kind, node=identifier, origin=node.parent or node)
        for capture, node in captures(tree, _QUERY)
        for kind, bound_by in [_CAPTURES[capture]]
        for identifier in bound_by(node)
        if identifier.text
    ]
    return tuple(sorted(found, key=lambda binding: binding.node.start_byte))


def _targets(node: Node) -> Iterator[Node]:
    if node.type == "identifier":
        yield node
    elif node.type in _TARGETS:
        for child in node.named_children:
            yield from _targets(child)


def _parameters(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type in ("default_parameter", "typed_default_parameter"):
            name = child.child_by_field_name("name")
            if name is not None:
                yield from _targets(name)
        elif child.type == "typed_parameter":
            yield from _targets(child.named_children[0])
        else:
            yield from _targets(child)


def _captures(node: Node) -> Iterator[Node]:
    """What a `case` pattern binds: lone names, `*rest`, `**rest` and `as name`; "_" is no binding there."""
    for child in node.named_children:
        if child.type == "dotted_name":
            # A dotted name is a value, and the first name of a class pattern is a class.
            if child.named_child_count == 1 and node.type != "class_pattern" and child.text != b"_":
                yield child.named_children[0]
        elif child.type == "identifier":
            if node.type in ("splat_pattern", "as_pattern"):
                yield child
        else:
            yield from _captures(child)


_CAPTURES: dict[str, tuple[NameKind, Callable[[Node], Iterator[Node]]]] = {
    "function": (NameKind.FUNCTION, _targets),
    "parameters": (NameKind.PARAMETER, _parameters),
    "loop": (NameKind.LOOP, _targets),
    "variable": (NameKind.VARIABLE, _targets),
    "pattern": (NameKind.VARIABLE, _captures),
}
