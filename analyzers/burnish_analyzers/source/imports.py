"""The import statements at the top level of a module: which there are, and where a new one goes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from tree_sitter import Node

from burnish_analyzers.errors import SourceError
from burnish_analyzers.source.tree import SyntaxTree

IMPORT_NODES = ("import_statement", "import_from_statement", "future_import_statement")
FILE_COMMENT = re.compile(r"#!|#.*coding[:=]")


@dataclass(frozen=True)
class Import:
    """One name that one statement imports. `module` is None in `import name`, else dots and name after `from`."""

    module: str | None
    name: str
    alias: str | None = None

    @property
    def bound_name(self) -> str:
        """The name that the statement binds."""
        return self.alias or (self.name.partition(".")[0] if self.module is None else self.name)

    @property
    def statement(self) -> str:
        """The statement that imports this name alone."""
        alias = f" as {self.alias}" if self.alias else ""
        return (f"import {self.name}" if self.module is None else f"from {self.module} import {self.name}") + alias


def parse_import(statement: str) -> tuple[Import, ...]:
    """The names that an import statement imports. Raises SourceError for any other text."""
    found = _imported(statement)
    if not found:
        raise SourceError(f"`{statement}` is no import statement: give whole statements such as `import re`.")
    return found


def _imported(statement: str) -> tuple[Import, ...]:
    try:
        nodes = ast.parse(statement.strip()).body
    except SyntaxError:
        return ()
    found: list[Import] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [Import(None, alias.name, alias.asname) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found += [Import(module, alias.name, alias.asname) for alias in node.names]
        else:
            return ()
    return tuple(found)


def module_imports(tree: SyntaxTree) -> frozenset[Import]:
    """What the module imports at its top level, whatever happens; not what stands under an `if` or a `try`."""
    found: set[Import] = set()
    for root in tree.roots:
        for node in root.named_children:
            if node.type in IMPORT_NODES:
                found.update(_imported(tree.source(node)))
    # `import a.b` binds `a` as `import a` does.
    found |= {Import(None, one.bound_name) for one in found if one.module is None and one.alias is None}
    return frozenset(found)


def missing_imports(tree: SyntaxTree, statements: Iterable[str]) -> tuple[Import, ...]:
    """The names in `statements` that the module does not import yet, each once."""
    present = module_imports(tree)
    wanted = dict.fromkeys(one for statement in statements for one in parse_import(statement))
    return tuple(one for one in wanted if one not in present)


def add_imports(text: str, statements: Sequence[str], newline: str) -> str:
    """`text` with those of the import `statements` that it lacks, one name a line.

    They follow the last import before the first other code, else the docstring, else the comments at the file's head.
    """
    tree = SyntaxTree.parse(text)
    lines = [one.statement + newline for one in missing_imports(tree, statements)] if statements else []
    if not lines:
        return text
    offset, blank_before, blank_after = _insertion(tree)
    head, tail = text[:offset], text[offset:]
    if head and not head.endswith(("\n", "\r")):
        head += newline
    return "".join([head, newline * blank_before, *lines, newline * blank_after, tail])


def _insertion(tree: SyntaxTree) -> tuple[int, int, int]:
    """The offset at which new imports go, and how many blank lines belong before and after them."""
    children = [child for root in tree.roots for child in root.named_children]
    code = [child for child in children if child.type != "comment"]
    imports = [child for child in _header(code) if child.type in IMPORT_NODES]
    if imports:
        line = _last_line(tree, imports[-1], children)
        return _after_line(tree, line), 0, 0
    if code and _is_docstring(code[0]):
        line, blank_before = _last_line(tree, code[0], children), 1
    else:
        line, blank_before = _head_comments(tree, children)
    offset = _after_line(tree, line)
    following = tree.text[offset:]
    if not following.strip() or following.startswith(("\n", "\r")):
        return offset, blank_before, 0
    return offset, blank_before, 2 if re.match(r"@|def\b|async\b|class\b", following) else 1


def _header(code: Sequence[Node]) -> Iterator[Node]:
    """The statements before the first one that does the module's work."""
    for node in code:
        dunder = node.type == "expression_statement" and (node.text or b"").startswith(b"__")
        guarded = node.type in ("if_statement", "try_statement") and b"import" in (node.text or b"")
        if not (dunder or guarded or node.type in IMPORT_NODES or _is_docstring(node)):
            return
        yield node


def _is_docstring(node: Node) -> bool:
    children = node.named_children
    return node.type == "expression_statement" and len(children) == 1 and children[0].type.endswith("string")


def _last_line(tree: SyntaxTree, node: Node, children: Sequence[Node]) -> int:
    """The 0-based line on which `node` ends, and with it all that starts there after a semicolon."""
    line = tree.lines.line_of(tree.span(node).end)
    for child in children:
        span = tree.span(child)
        if tree.lines.line_of(span.start) == line and child.start_byte >= node.end_byte:
            line = tree.lines.line_of(max(span.start, span.end - 1))
    return line


def _head_comments(tree: SyntaxTree, children: Sequence[Node]) -> tuple[int, int]:
    """The last line of the comments that belong to the file, -1 without any, and the blank lines that follow them.

    Those are a shebang, an encoding line, and what is set off from the code by a blank line.
    """
    last, blank = -1, 0
    for child in takewhile(lambda child: child.type == "comment", children):
        line = tree.lines.line_of(tree.span(child).start)
        if line + 1 < tree.lines.line_count and not tree.lines.line_span(line + 1).of(tree.text).strip():
            last, blank = line, 1
        elif line < 2 and FILE_COMMENT.match(tree.source(child)):
            last = line
    return last, blank


def _after_line(tree: SyntaxTree, line: int) -> int:
    return tree.lines.line_start(line + 1)
