"""The import statements at the top level of a module: which there are, and where a new one goes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from burnish_analyzers.errors import SourceError
from burnish_analyzers.source.tree import SyntaxTree

_IMPORTS = ("import_statement", "import_from_statement")
_HEADER = (*_IMPORTS, "future_import_statement", "expression_statement", "comment")


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
    try:
        nodes = ast.parse(statement.strip()).body
    except SyntaxError:
        nodes = []
    found: list[Import] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [Import(None, alias.name, alias.asname) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found += [Import(module, alias.name, alias.asname) for alias in node.names]
        else:
            found = []
            break
    if not found:
        raise SourceError(f"`{statement}` is no import statement: give whole statements such as `import re`.")
    return tuple(found)


def module_imports(tree: SyntaxTree) -> frozenset[Import]:
    """What the module imports at its top level, whatever happens; not what stands under an `if` or a `try`."""
    found: set[Import] = set()
    for root in tree.roots:
        for node in root.named_children:
            if node.type in _IMPORTS and not node.has_error:
                found.update(parse_import(tree.source(node)))
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
    """Where new imports go, and how many blank lines belong before and after them."""
    children = [child for root in tree.roots for child in root.named_children]
    last: Node | None = None
    first_code: Node | None = None
    for child in children:
        if child.type not in _HEADER:
            first_code = child
            break
        if child.type != "comment" and (child.type != "expression_statement" or child == _docstring(children)):
            last = child
    return (0, 0, 0) if last is None and first_code is None else (0, 0, 0)


def _docstring(children: Sequence[Node]) -> Node | None:
    return None
