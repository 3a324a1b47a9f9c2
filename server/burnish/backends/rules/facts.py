"""What a rule may know of the module around its unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from burnish_analyzers.source.tree import SyntaxTree

_SCOPES = ("function_definition", "class_definition", "lambda")
_COMPREHENSIONS = ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
_TARGET_FIELDS = {
    "assignment": "left",
    "augmented_assignment": "left",
    "for_statement": "left",
    "named_expression": "name",
    "as_pattern": "alias",
    "type_alias_statement": "left",
}
# Modules whose star import binds no builtin's name, or only these.
_TAME_STARS = {
    "math": frozenset(["pow"]),
    **dict.fromkeys(["bisect", "collections", "copy", "decimal", "fractions", "functools", "heapq"], frozenset[str]()),
    **dict.fromkeys(["itertools", "queue", "random", "re", "string", "sys", "time", "typing"], frozenset[str]()),
}
_PATTERNS = (
    "identifier",
    "pattern_list",
    "tuple_pattern",
    "list_pattern",
    "list_splat_pattern",
    "as_pattern_target",
    "expression_list",
    "tuple",
    "list",
)


@dataclass(frozen=True, kw_only=True)
class ModuleFacts:
    """Names of the module around a unit. A syntax error elsewhere costs only what it hides.

    `bound` are the names that the module, or a function around the unit, binds; `imports` maps such a name to the one
    statement that imports it and nothing else. `is_open` tells that a star import may bind any name, `has_error` that a
    syntax error may hide a binding.
    """

    bound: frozenset[str] = frozenset()
    imports: tuple[tuple[str, str], ...] = ()
    is_open: bool = False
    has_error: bool = False

    @classmethod
    def of(cls, module_text: str, offset: int = 0) -> ModuleFacts:
        """The facts for the unit that starts at the code point `offset` of `module_text`."""
        tree = SyntaxTree.parse(module_text)
        bound: set[str] = set()
        imports: dict[str, str] = {}
        is_open = False
        for root in tree.roots:
            for node in _own_nodes(root):
                bound.update(_bindings(node))
                imports.update(_imports(node))
                if node.type == "wildcard_import":
                    tame = _TAME_STARS.get(_text(node.parent.child_by_field_name("module_name")) if node.parent else "")
                    bound |= tame or frozenset()
                    is_open = is_open or tame is None
        bound |= _globals(module_text, tree) | _enclosing(tree, offset)
        return cls(bound=frozenset(bound), imports=tuple(imports.items()), is_open=is_open, has_error=tree.has_error)

    def import_of(self, name: str) -> str | None:
        """The statement that binds `name`, where the module imports it."""
        return dict(self.imports).get(name)


def _own_nodes(root: Node) -> Iterator[Node]:
    """`root` and what lies below it in the same scope; a nested definition is met but not entered."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if node is root or node.type not in (*_SCOPES, *_COMPREHENSIONS):
            waiting.extend(node.named_children)


def _text(node: Node | None) -> str:
    return node.text.decode("utf-8", "surrogatepass") if node is not None and node.text is not None else ""


def _bindings(node: Node) -> Iterator[str]:
    if node.type in ("function_definition", "class_definition"):
        yield _text(node.child_by_field_name("name"))
    elif node.type in _TARGET_FIELDS:
        yield from _pattern_names(node.child_by_field_name(_TARGET_FIELDS[node.type]))
    elif node.type in ("import_statement", "import_from_statement", "future_import_statement"):
        yield from (bound for bound, _ in _imported(node))
    elif node.type in ("case_pattern", "delete_statement"):
        yield from (_text(each) for each in _own_nodes(node) if each.type == "identifier")


def _pattern_names(target: Node | None) -> Iterator[str]:
    if target is None or target.type not in _PATTERNS:
        return
    if target.type == "identifier":
        yield _text(target)
    for child in target.named_children:
        yield from _pattern_names(child)


def _imported(node: Node) -> Iterator[tuple[str, str]]:
    """Each name that an import statement binds, and what it stands for."""
    for name in node.children_by_field_name("name"):
        if name.type == "aliased_import":
            yield _text(name.child_by_field_name("alias")), _text(name)
        elif node.type == "import_statement":
            yield _text(name).split(".")[0], _text(name)
        else:
            yield _text(name), _text(name)


def _imports(node: Node) -> Iterator[tuple[str, str]]:
    """Imports at the module's own level, each with a statement that does only this import."""
    if node.parent is None or node.parent.type != "module":
        return
    if node.type == "import_statement":
        yield from ((bound, f"import {what}") for bound, what in _imported(node))
    elif node.type == "import_from_statement":
        module = _text(node.child_by_field_name("module_name"))
        yield from ((bound, f"from {module} import {what}") for bound, what in _imported(node))


def _globals(module_text: str, tree: SyntaxTree) -> set[str]:
    """Names that functions declare global, so may bind in the module."""
    if "global" not in module_text:
        return set()
    waiting = list(tree.roots)
    names: set[str] = set()
    while waiting:
        node = waiting.pop()
        if node.type == "global_statement":
            names.update(_text(child) for child in node.named_children)
        waiting.extend(node.named_children)
    return names


def _enclosing(tree: SyntaxTree, offset: int) -> set[str]:
    """What the functions around `offset` bind, their parameters among it."""
    byte = tree.byte_of(offset)
    node = tree.root_at(byte).descendant_for_byte_range(byte, byte)
    names: set[str] = set()
    while node is not None:
        body = node.child_by_field_name("body")
        if node.type == "function_definition" and body is not None and node.start_byte < byte:
            for part in (body, node.child_by_field_name("parameters")):
                for inner in _own_nodes(part) if part is not None else ():
                    names.update(_bindings(inner))
                    if inner.type == "identifier" and part is not body:
                        names.add(_text(inner))
        node = node.parent
    return names
