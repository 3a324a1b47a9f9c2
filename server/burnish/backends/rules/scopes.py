"""Where names are bound and read: one walk over a LibCST tree, by Python's own scoping rules."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

import libcst as cst

Kind = Literal["load", "store", "delete", "parameter", "definition", "import", "declaration"]

COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
_TRIVIA = (
    *["whitespace", "leading_lines", "lines_after", "header", "footer", "trailing"],
    *["lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace"],
    *["comma", "semicolon", "equal", "dot", "first_colon", "second_colon"],
)
# Nodes below which some names are not plain reads.
_PREPARED: frozenset[type[cst.CSTNode]] = frozenset(
    (
        *(cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.CompFor, cst.NamedExpr, cst.AsName, cst.Del),
        *(cst.Attribute, cst.Arg, cst.Global, cst.Nonlocal, cst.Import, cst.ImportFrom),
        *(cst.MatchAs, cst.MatchStar, cst.MatchMapping, cst.MatchKeywordElement),
        *(cst.TypeAlias, cst.TypeVar, cst.TypeVarTuple, cst.ParamSpec),
    )
)


@cache
def _child_fields(node_type: type[cst.CSTNode]) -> tuple[str, ...]:
    names = (each.name for each in dataclasses.fields(node_type))
    return tuple(name for name in names if not name.startswith(_TRIVIA))


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The node's children without whitespace and punctuation; far cheaper than a LibCST visitor."""
    for name in _child_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from value


@dataclass(eq=False, slots=True)
class Scope:
    """A module, function, class or comprehension, and the names that it binds."""

    node: cst.CSTNode
    kind: Literal["module", "function", "class", "comprehension"]
    parent: Scope | None
    bound: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)

    def resolve(self, name: str) -> Scope | None:
        """The scope whose variable `name` means here; None where nothing in this tree binds it."""
        scope: Scope | None = self
        while scope:
            if name in scope.globals:
                return scope.root if name in scope.root.bound else None
            if name in scope.bound and name not in scope.nonlocals and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.parent
        return None

    @property
    def root(self) -> Scope:
        """The module."""
        return self if self.parent is None else self.parent.root

    @property
    def frame(self) -> Scope:
        """The function, class or module that a comprehension runs in; any other scope is its own."""
        return self.parent.frame if self.kind == "comprehension" and self.parent else self


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One appearance of a variable's name."""

    name: str
    node: cst.Name
    scope: Scope
    kind: Kind

    @property
    def binds(self) -> bool:
        """Whether it gives the variable a value, or takes it away."""
        return self.kind not in ("load", "declaration")


class Index:
    """Every node of a tree by type, with its parent, scope and place; every occurrence of every name."""

    def __init__(self, root: cst.CSTNode) -> None:
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.scopes: dict[cst.CSTNode, Scope] = {}
        self.spans: dict[cst.CSTNode, tuple[int, int]] = {}
        self.by_type: dict[type[cst.CSTNode], list[cst.CSTNode]] = defaultdict(list)
        self.occurrences: dict[str, list[Occurrence]] = defaultdict(list)
        self.targets: set[cst.CSTNode] = set()
        self.module = Scope(root, "module", None)
        self._kinds: dict[cst.CSTNode, Kind | None] = {}
        self._walk(root, self.module)

    def _walk(self, node: cst.CSTNode, scope: Scope) -> None:
        start = self._open(node, scope)
        if isinstance(node, cst.Name):
            self._name(node, scope)
        elif isinstance(node, (cst.FunctionDef, cst.Lambda)):
            self._function(node, scope)
        elif isinstance(node, cst.ClassDef):
            self._class(node, scope)
        elif isinstance(node, COMPREHENSIONS):
            self._comprehension(node, scope)
        else:
            if type(node) in _PREPARED:
                self._prepare(node, scope)
            self._walk_all(node, children(node), scope)
        self._close(node, start)

    def _open(self, node: cst.CSTNode, scope: Scope) -> int:
        start = len(self.spans)
        self.spans[node] = (start, start)
        self.scopes[node] = scope
        self.by_type[type(node)].append(node)
        return start

    def _close(self, node: cst.CSTNode, start: int) -> None:
        self.spans[node] = (start, len(self.spans) - 1)

    def _walk_all(
        self, parent: cst.CSTNode, nodes: Iterator[cst.CSTNode] | Sequence[cst.CSTNode], scope: Scope
    ) -> None:
        for node in nodes:
            self.parents[node] = parent
            self._walk(node, scope)

    def _name(self, node: cst.Name, scope: Scope) -> None:
        kind = self._kinds.get(node, "load")
        if kind is None:
            return
        if kind in ("store", "delete", "parameter", "definition", "import"):
            # Only an assignment expression can store inside a comprehension, and not into it.
            owner = scope.frame if isinstance(self.parents.get(node), cst.NamedExpr) else scope
            owner.bound.add(node.value)
        self.occurrences[node.value].append(Occurrence(node.value, node, scope, kind))

    def _function(self, node: cst.FunctionDef | cst.Lambda, scope: Scope) -> None:
        inner = Scope(node, "function", scope)
        if isinstance(node, cst.FunctionDef):
            self._kinds[node.name] = "definition"
            self._walk_all(node, [*node.decorators, node.name], scope)
            if node.type_parameters:
                self._walk_all(node, [node.type_parameters], inner)
        self._parameters(node, scope, inner)
        if isinstance(node, cst.FunctionDef) and node.returns:
            self._walk_all(node, [node.returns], scope)
        self._walk_all(node, [node.body], inner)

    def _parameters(self, node: cst.FunctionDef | cst.Lambda, outer: Scope, inner: Scope) -> None:
        """Defaults and annotations belong to the scope outside."""
        self.parents[node.params] = node
        start = self._open(node.params, inner)
        for param in children(node.params):
            self.parents[param] = node.params
            param_start = self._open(param, inner)
            if isinstance(param, cst.Param):
                self._kinds[param.name] = "parameter"
                self._walk_all(param, [param.name], inner)
                rest = [part for part in (param.annotation, param.default) if part is not None]
                self._walk_all(param, rest, outer)
            self._close(param, param_start)
        self._close(node.params, start)

    def _class(self, node: cst.ClassDef, scope: Scope) -> None:
        self._kinds[node.name] = "definition"
        self._walk_all(node, [*node.decorators, node.name, *node.bases, *node.keywords], scope)
        inner = Scope(node, "class", scope)
        if node.type_parameters:
            self._walk_all(node, [node.type_parameters], inner)
        self._walk_all(node, [node.body], inner)

    def _comprehension(self, node: cst.CSTNode, scope: Scope) -> None:
        inner = Scope(node, "comprehension", scope)
        generator = getattr(node, "for_in")  # noqa: B009 - the four types share no base that declares it
        # The first iterable is evaluated outside; only then does the inner scope begin.
        self.parents[generator] = node
        self._compound_for(generator, scope, inner)
        self._walk_all(node, [child for child in children(node) if child is not generator], inner)

    def _compound_for(self, node: cst.CompFor, outer: Scope, inner: Scope) -> None:
        start = self._open(node, inner)
        self._walk_all(node, [node.iter], outer)
        self._mark(node.target, "store")
        rest = [part for part in (node.target, *node.ifs, node.inner_for_in) if part is not None]
        self._walk_all(node, rest, inner)
        self._close(node, start)

    def _prepare(self, node: cst.CSTNode, scope: Scope) -> None:
        """Notes which names below `node` are not plain reads."""
        match node:
            case cst.AssignTarget() | cst.AnnAssign() | cst.AugAssign() | cst.For() | cst.CompFor() | cst.NamedExpr():
                self._mark(node.target, "store")
            case cst.AsName():
                self._mark(node.name, "store")
            case cst.Del():
                self._mark(node.target, "delete")
            case cst.Attribute():
                self._kinds[node.attr] = None
            case cst.Arg(keyword=cst.Name() as keyword):
                self._kinds[keyword] = None
            case cst.Global() | cst.Nonlocal():
                names = scope.globals if isinstance(node, cst.Global) else scope.nonlocals
                names.update(item.name.value for item in node.names)
                self._kinds.update((item.name, "declaration") for item in node.names)
            case cst.Import() | cst.ImportFrom():
                self._import(node, scope)
            case _:
                self._prepare_rare(node)

    def _prepare_rare(self, node: cst.CSTNode) -> None:
        match node:
            case cst.MatchAs(name=cst.Name() as name) | cst.MatchStar(name=cst.Name() as name):
                self._kinds[name] = "store"
            case cst.MatchMapping(rest=cst.Name() as name):
                self._kinds[name] = "store"
            case cst.MatchKeywordElement():
                self._kinds[node.key] = None
            case cst.TypeAlias() | cst.TypeVar() | cst.TypeVarTuple() | cst.ParamSpec():
                self._kinds[node.name] = "definition"
            case _:
                pass

    def _import(self, node: cst.Import | cst.ImportFrom, scope: Scope) -> None:
        if isinstance(node, cst.ImportFrom):
            self._silence(node.module)
        if isinstance(node.names, cst.ImportStar):
            return
        for alias in node.names:
            self._silence(alias.name)
            bound: cst.CSTNode = alias.asname.name if alias.asname else alias.name
            while isinstance(bound, cst.Attribute):
                bound = bound.value
            if isinstance(bound, cst.Name) and not alias.asname:
                self._kinds[bound] = "import"

    def _silence(self, node: cst.CSTNode | None) -> None:
        """Names of modules are no variables."""
        while isinstance(node, cst.Attribute):
            self._kinds[node.attr] = None
            node = node.value
        if isinstance(node, cst.Name):
            self._kinds[node] = None

    def _mark(self, target: cst.CSTNode, kind: Kind) -> None:
        match target:
            case cst.Name():
                self._kinds[target] = kind
            case cst.Tuple() | cst.List():
                for element in target.elements:
                    self._mark(element.value, kind)
            case cst.StarredElement():
                self._mark(target.value, kind)
            case cst.Attribute() | cst.Subscript():
                self.targets.add(target)
            case _:
                pass
