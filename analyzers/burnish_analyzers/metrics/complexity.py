"""Halstead's measures and the maintainability index, by radon.

radon reads code with the Python that runs Burnish, so code with a syntax error, or newer than that Python, has none
of these. Cyclomatic complexity comes from `structure`, which counts as radon does and reads all. radon is imported at
first use: the language server starts without it.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass

_INDENTED = re.compile(r"[ \t]+(?=\S)")
_DEFINITION_LINE = re.compile(r"^([ \t]+)(?:@|async[ \t]+def\b|def\b|class\b)", re.MULTILINE)
_HEADER = "if True:\n"


@dataclass(frozen=True, kw_only=True)
class Halstead:
    """Halstead's volume in bits, difficulty and effort, of radon's operators and operands."""

    volume: float
    difficulty: float
    effort: float


def halstead(text: str) -> dict[int, Halstead]:
    """The measures of each definition by the 1-based line of its `def` or `class`, and of the whole text at 0.

    Empty if this Python cannot read the text.
    """
    from radon.metrics import halstead_visitor_report
    from radon.visitors import HalsteadVisitor

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
        found: dict[int, Halstead] = {}
        for node in ast.walk(module):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                report = halstead_visitor_report(HalsteadVisitor.from_ast(node))
                line = 0 if isinstance(node, ast.Module) else node.lineno
                found[line] = Halstead(volume=report.volume, difficulty=report.difficulty, effort=report.effort)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    return found


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
    # Without decorators, the only line at the unit's own depth is the first, and that one is at column 0.
    second = _DEFINITION_LINE.search(text) if text.startswith("@") else None
    if second is None:
        return text, 0
    start = f"{_HEADER}{second[1]}"
    return start + text, len(start)
