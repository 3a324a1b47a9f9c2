"""Queries over a syntax tree."""

from __future__ import annotations

from functools import cache

import tree_sitter_python
from tree_sitter import Language, Node, Query, QueryCursor

from burnish_analyzers.source.tree import SyntaxTree


def captures(tree: SyntaxTree, query: str) -> list[tuple[str, Node]]:
    """The captures of a tree-sitter query as names and nodes, over all of the text."""
    compiled = _compiled(query)
    return [
        (name, node)
        for root in tree.roots
        for name, nodes in QueryCursor(compiled).captures(root).items()
        for node in nodes
    ]


@cache
def _compiled(query: str) -> Query:
    return Query(Language(tree_sitter_python.language()), query)
