"""The comments of a text, found with tree-sitter."""

from __future__ import annotations

import re
from dataclasses import dataclass

from burnish_analyzers.metrics.queries import captures
from burnish_analyzers.source.tree import SyntaxTree

# What tools read: linters, type checkers, formatters, coverage. The colon keeps prose such as "type of x" out.
_PRAGMA = re.compile(
    r"\#\s*(?:noqa\b|type:|pylint:|flake8:|ruff:|mypy:|pyright:|pragma:|fmt:|yapf:|isort:|nosec\b|doctest:|-\*-|!)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Comment:
    """One `#` comment: its text from the "#" to the end of the line without trailing blanks, and its 1-based line."""

    text: str
    line: int

    @property
    def is_pragma(self) -> bool:
        """Whether a tool reads it, as in `# noqa`, `# type: ignore`, `# pragma: no cover` and `# fmt: off`."""
        return any(_PRAGMA.match(part) for part in re.findall(r"#[^#]*", self.text))


def comments(source: str | SyntaxTree) -> tuple[Comment, ...]:
    """Every comment in the order of the text. A "#" in a string is none, and docstrings are strings."""
    tree = SyntaxTree.parse(source) if isinstance(source, str) else source
    spans = sorted(tree.span(node) for _, node in captures(tree, "(comment) @comment"))
    return tuple(Comment(text=span.of(tree.text).rstrip(), line=tree.lines.line_of(span.start) + 1) for span in spans)
