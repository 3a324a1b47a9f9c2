"""What can be counted in a syntax tree: tokens, statements, decisions, nesting, parameters, functions.

One walk counts everything for every definition, so a file costs the same as its parts. Errors are walked over.
"""

from __future__ import annotations

import keyword
from dataclasses import dataclass, field

from tree_sitter import Node

from burnish_analyzers.source.tree import SyntaxTree

_NESTING = frozenset(
    {"if_statement", "for_statement", "while_statement", "try_statement", "with_statement", "match_statement"}
)
_CLAUSES = frozenset(
    {"elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause", "case_clause"}
)
_DEFINITIONS = frozenset({"function_definition", "class_definition"})
# Each is one decision more, as radon counts: `else` only after a loop or a `try`, `case` unless it is the last resort.
_DECISIONS = frozenset(
    {
        "if_statement",
        "elif_clause",
        "for_statement",
        "while_statement",
        "except_clause",
        "except_group_clause",
        "conditional_expression",
        "boolean_operator",
        "assert_statement",
        "else_clause",
        "for_in_clause",
        "if_clause",
        "case_clause",
    }
)
_DENSE = frozenset(
    {
        "conditional_expression",
        "list_comprehension",
        "set_comprehension",
        "dictionary_comprehension",
        "generator_expression",
        "lambda",
    }
)
_STRINGS = frozenset({"string", "concatenated_string"})
# Not counted as tokens: punctuation that depends on taste, and the insides of strings.
_NO_TOKENS = frozenset(
    {",", ";", ":", "->", "string_start", "string_content", "string_end", "escape_sequence", "line_continuation"}
)
_NO_PARAMETERS = frozenset({"keyword_separator", "positional_separator", "comment", "ERROR"})


@dataclass(frozen=True, kw_only=True)
class Structure:
    """The counts of one definition, with all that is nested in it, or of a whole text.

    `tokens` leaves out comments, docstrings, annotations, commas and colons, and takes a string for one. `statements`
    counts statements and clauses (`else`, `except`, ...), but no docstrings. `nesting` is how many compound
    statements or functions the deepest statement is in; `indentation` is the sum of that over all statements, and 2 for
    each conditional expression, comprehension or lambda around another. `parameters` leaves out `self` and `cls`.
    `decisions` are all, those of nested functions too. `cyclomatic` is what radon gives: 1 and the decisions of a
    function without those nested in it; for a class 1, its own decisions and the complexity of its methods.
    """

    tokens: int
    statements: int
    nesting: int
    indentation: int
    parameters: int
    function_units: int
    decisions: int
    cyclomatic: int


@dataclass(frozen=True, kw_only=True)
class Structures:
    """The counts of a text: of each definition by the byte at which its `def` or `class` starts, and of the whole.

    `prose` holds the bytes of comments and docstrings, from and to.
    """

    whole: Structure
    definitions: dict[int, Structure]
    prose: tuple[tuple[int, int], ...]


def structures(tree: SyntaxTree) -> Structures:
    """The counts of a text and of all definitions in it."""
    walk = _Walk()
    for root in tree.roots:
        walk.over(root)
    return Structures(whole=walk.finish(), definitions=walk.definitions, prose=tuple(walk.prose))


@dataclass(kw_only=True)
class _Counts:
    """The counts of a definition while the walk is inside it."""

    start: int = -1
    end: float = float("inf")
    is_function: bool = False
    silent_until: int = 0
    """Decisions before this byte (in decorators, parameters, base classes, assertions) do not count, as in radon."""
    open_ends: list[int] = field(default_factory=list)
    """Where the compound statements that are open end."""
    dense_ends: list[int] = field(default_factory=list)
    """Where the conditional expressions, comprehensions and lambdas that are open end."""
    tokens: int = 0
    statements: int = 0
    nesting: int = 0
    indentation: int = 0
    parameters: int = 0
    functions: int = 0
    decisions: int = 0
    complexity: int = 1

    def frozen(self) -> Structure:
        return Structure(
            tokens=self.tokens,
            statements=self.statements,
            nesting=self.nesting,
            indentation=self.indentation,
            parameters=self.parameters,
            function_units=self.functions + self.is_function,
            decisions=self.decisions,
            cyclomatic=self.complexity,
        )

    def add(self, inner: _Counts) -> None:
        """Take in a definition that is nested in this one."""
        depth = len(self.open_ends) + self.is_function
        self.tokens += inner.tokens
        self.statements += inner.statements
        self.nesting = max(self.nesting, inner.nesting + depth)
        self.indentation += inner.indentation + depth * inner.statements
        self.functions += inner.functions + inner.is_function
        self.decisions += inner.decisions
        # As in radon, a function's complexity is its own, a class's is that of its methods, a module's that of all.
        if self.start < 0:
            self.complexity += inner.complexity - 1
        elif not self.is_function and inner.is_function:
            self.complexity += inner.complexity


class _Walk:
    def __init__(self) -> None:
        self.definitions: dict[int, Structure] = {}
        self.prose: list[tuple[int, int]] = []
        self._open = [_Counts()]

    def over(self, root: Node) -> None:
        cursor = root.walk()
        while True:
            node = cursor.node
            if node is not None and self._enter(node) and cursor.goto_first_child():
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return

    def finish(self) -> Structure:
        while len(self._open) > 1:
            self._close()
        return self._open[0].frozen()

    def _close(self) -> None:
        inner = self._open.pop()
        self.definitions[inner.start] = inner.frozen()
        self._open[-1].add(inner)

    def _enter(self, node: Node) -> bool:
        """Count `node`; whether its children are to be visited."""
        kind, start = node.type, node.start_byte
        while start >= self._open[-1].end:
            self._close()
        counts = self._open[-1]
        for ends in (counts.open_ends, counts.dense_ends):
            while ends and start >= ends[-1]:
                ends.pop()
        if kind == "comment" or (kind == "expression_statement" and _is_prose(node)):
            self.prose.append((start, node.end_byte))
            return False
        if kind in _DEFINITIONS:
            self._open_definition(node)
            return True
        if kind.endswith("_statement") or kind in _CLAUSES:
            _count_statement(counts, node, kind)
        elif kind == "string" or (node.child_count == 0 and kind not in _NO_TOKENS):
            counts.tokens += 1
        if kind in _DENSE and node.is_named:
            counts.indentation += 2 * len(counts.dense_ends)
            counts.dense_ends.append(node.end_byte)
        if kind == "decorator":
            counts.silent_until = node.end_byte
        elif kind == "parameters" and counts.is_function:
            counts.parameters = _parameter_count(node)
        if kind in _DECISIONS and start >= counts.silent_until and _decides(node, kind):
            counts.decisions += 1
            counts.complexity += 1
        if kind == "assert_statement":
            counts.silent_until = node.end_byte
        return kind != "type"

    def _open_definition(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        self._open.append(
            _Counts(
                start=node.start_byte,
                end=node.end_byte,
                is_function=node.type == "function_definition",
                silent_until=body.start_byte if body is not None else 0,
                statements=1,
            )
        )


def _count_statement(counts: _Counts, node: Node, kind: str) -> None:
    depth = len(counts.open_ends) - (kind in _CLAUSES)
    counts.statements += 1
    counts.indentation += depth
    counts.nesting = max(counts.nesting, depth)
    if kind in _NESTING:
        counts.open_ends.append(node.end_byte)


def _is_prose(statement: Node) -> bool:
    """Whether a statement is only a string: a docstring, or one that serves as a comment."""
    return statement.child_count == 1 and statement.children[0].type in _STRINGS


def _parameter_count(parameters: Node) -> int:
    found = [child for child in parameters.named_children if child.type not in _NO_PARAMETERS]
    return len(found) - (bool(found) and found[0].text in (b"self", b"cls"))


def _decides(node: Node, kind: str) -> bool:
    parent = node.parent
    if kind == "else_clause":
        return parent is not None and parent.type in ("for_statement", "while_statement", "try_statement")
    if kind == "if_clause":
        return parent is None or parent.type != "case_clause"
    if kind == "case_clause":
        return not _is_irrefutable(node)
    return True


def _is_irrefutable(clause: Node) -> bool:
    """Whether a `case` takes all: `case _` or `case name`, without a guard."""
    patterns = [child for child in clause.named_children if child.type == "case_pattern"]
    text = (patterns[0].text or b"").decode() if len(patterns) == 1 else ""
    return text.isidentifier() and not keyword.iskeyword(text) and clause.child_by_field_name("guard") is None
