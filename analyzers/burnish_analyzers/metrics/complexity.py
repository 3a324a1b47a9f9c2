"""Halstead's measures and the maintainability index, by radon.

radon reads code with the Python that runs Burnish, so code with a syntax error, or newer than that Python, has none
of these. Cyclomatic complexity comes from `structure`, which counts as radon does and reads all. radon is imported at
first use: the language server starts without it.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

_INDENTED = re.compile(r"[ \t]+(?=\S)")
_LATER_DEFINITION = re.compile(r"[\n\r]([ \t]*)(?:@|async[ \t]+def\b|def\b|class\b)")
_HEADER = "if True:\n"
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, kw_only=True)
class Halstead:
    """Halstead's volume in bits, difficulty and effort, of radon's operators and operands."""

    volume: float
    difficulty: float
    effort: float


class HalsteadReader:
    """The measures of the parts of one text, each counted when it is asked for."""

    def __init__(self, text: str) -> None:
        self._module = _parsed(text)
        self._definitions = {} if self._module is None else {node.lineno: node for node in _definitions(self._module)}

    @property
    def can_read(self) -> bool:
        """Whether this Python understands the text."""
        return self._module is not None

    def of_definition(self, line: int | None = None) -> Halstead | None:
        """The measures of the definition whose `def` or `class` is on the 1-based `line`, or of the first of all."""
        return _measured(self._definitions.get(line or min(self._definitions, default=0)))

    def of_text(self) -> Halstead | None:
        """The measures of the whole text."""
        return _measured(self._module)


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two for an expression that is too deep
        return None


def _definitions(module: ast.Module) -> Iterator[_Definition]:
    """Every definition, without a look into expressions."""
    pending: list[ast.AST] = [module]
    while pending:
        node = pending.pop()
        if isinstance(node, _Definition):
            yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            statements = getattr(node, block, [])
            if isinstance(statements, list):
                pending += statements


def _measured(node: ast.AST | None) -> Halstead | None:
    if node is None:
        return None
    from radon.metrics import halstead_visitor_report
    from radon.visitors import HalsteadVisitor

    try:
        report = halstead_visitor_report(HalsteadVisitor.from_ast(node))
    except RecursionError:
        return None
    return Halstead(volume=report.volume, difficulty=report.difficulty, effort=report.effort)


def maintainability_index(volume: float, cyclomatic: int, logical_lines: int, comment_ratio: float) -> float:
    """radon's maintainability index, 0-100, of Halstead's volume, complexity, statements, and comments a line of
    code."""
    from radon.metrics import mi_compute

    return float(mi_compute(volume, cyclomatic, logical_lines, 100 * comment_ratio))


def as_module(text: str) -> tuple[str, int]:
    """A unit's text as a text that parses by itself, and where in it the unit starts.

    A unit that is indented in its file is put under an `if`, for taking its indentation off would change its strings.
    Its first line may have the indentation or, as in a unit's span, not.
    """
    first = _INDENTED.match(text)
    if first is not None:
        return _HEADER + text, len(_HEADER)
    # Without decorators, the first line is the only one at the unit's own depth, and needs no other.
    second = _LATER_DEFINITION.search(text) if text.startswith("@") else None
    if second is None or not second[1]:
        return text, 0
    start = f"{_HEADER}{second[1]}"
    return start + text, len(start)
