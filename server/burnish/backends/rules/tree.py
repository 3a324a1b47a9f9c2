"""One unit as a lossless tree, with what rules ask of it."""

from __future__ import annotations

import builtins
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from burnish.backends.rules.facts import ModuleFacts
from burnish.backends.rules.scopes import COMPREHENSIONS, Index, Occurrence, Scope

NodeT = TypeVar("NodeT", bound=cst.CSTNode)
Replacement = cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]
Statements = Sequence[cst.BaseStatement]
Loop = cst.For | cst.While

LINE_LENGTH = 88
"""What a rule may join into one line; the default of the field's formatters."""
_NEWLINE = re.compile(r"\r\n|\n|\r")
_BUILTINS = frozenset(dir(builtins))
_FRAME_READERS = ("eval", "exec", "locals", "vars", "globals", "dir")


@dataclass(frozen=True, kw_only=True)
class Edit:
    """Nodes with what stands in their place, and statements of blocks with what comes before and after them."""

    replace: Mapping[cst.CSTNode, Replacement] = field(default_factory=dict)
    before: Mapping[cst.CSTNode, Statements] = field(default_factory=dict)
    after: Mapping[cst.CSTNode, Statements] = field(default_factory=dict)


class UnitTree:
    """A unit parsed where it stands: at its indentation, with its newlines.

    `text` has the form of `Candidate.unit_text`. Raises `libcst.ParserSyntaxError` where LibCST cannot read it.
    """

    def __init__(self, text: str, *, indent: str = "", facts: ModuleFacts | None = None, script: bool = False) -> None:
        newline = _NEWLINE.search(text)
        self.text = text
        self.indent = indent
        self.facts = facts or ModuleFacts()
        self.script = script
        # An indented unit is parsed inside a block of its own indentation, so that no line of it, least of all one
        # inside a string, has to move.
        self._prefix = f"if True:{newline[0] if newline else chr(10)}{indent}" if indent else ""
        self.module = cst.parse_module(self.wrapped(text))
        self.index = Index(self.module)

    def wrapped(self, text: str) -> str:
        """A module of its own around `text`, which has the form of this unit's."""
        return self._prefix + text

    # Reading

    def find(self, node_type: type[NodeT]) -> list[NodeT]:
        """All nodes of exactly this type, in source order of their statements."""
        return [node for node in self.index.by_type[node_type] if isinstance(node, node_type)]

    def loops(self) -> list[Loop]:
        """All `for` and `while` statements, outer before inner; no `async for`."""
        loops: list[Loop] = [*(loop for loop in self.find(cst.For) if loop.asynchronous is None), *self.find(cst.While)]
        return sorted(loops, key=self.place)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node around `node`."""
        return self.index.parents.get(node)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around `node`, innermost first."""
        parent = self.parent(node)
        while parent is not None:
            yield parent
            parent = self.parent(parent)

    def place(self, node: cst.CSTNode) -> int:
        """The node's number in source order."""
        return self.index.spans[node][0]

    def contains(self, outer: cst.CSTNode, inner: cst.CSTNode) -> bool:
        """Whether `inner` is `outer` or lies within it."""
        start, end = self.index.spans[outer]
        return start <= self.place(inner) <= end

    def within(self, outer: cst.CSTNode, node_type: type[NodeT]) -> list[NodeT]:
        """The nodes of this type at or below `outer`."""
        return [node for node in self.find(node_type) if self.contains(outer, node)]

    def has(self, outer: cst.CSTNode, *node_types: type[cst.CSTNode]) -> bool:
        """Whether any node of these types is at or below `outer`."""
        return any(self.within(outer, node_type) for node_type in node_types)

    def statement_of(self, node: cst.CSTNode) -> cst.BaseStatement | None:
        """The statement of a block or module that holds `node`; None in an `elif` or a body on the line of its head."""
        for each in [node, *self.ancestors(node)]:
            if isinstance(each, cst.BaseStatement):
                return each if isinstance(self.parent(each), (cst.IndentedBlock, cst.Module)) else None
        return None

    def siblings(self, statement: cst.CSTNode) -> tuple[cst.BaseStatement, ...]:
        """All statements of the block that holds `statement`."""
        parent = self.parent(statement)
        if isinstance(parent, (cst.IndentedBlock, cst.Module)):
            return tuple(each for each in parent.body if isinstance(each, cst.BaseStatement))
        return ()

    def code(self, node: cst.CSTNode) -> str:
        """The source of `node`, in parentheses if it spans lines without any."""
        text = self.module.code_for_node(node).strip()
        if isinstance(node, cst.BaseExpression) and "\n" in text and not getattr(node, "lpar", ()):
            return f"({text})"
        return text

    def width(self, node: cst.CSTNode) -> int:
        """The number of columns before the statement `node`."""
        blocks = (each for each in self.ancestors(node) if isinstance(each, cst.IndentedBlock))
        indents = [self.module.default_indent if block.indent is None else block.indent for block in blocks]
        return sum(len(indent.expandtabs(4)) for indent in indents)

    def lines(self, node: cst.CSTNode) -> tuple[int, int]:
        """First and last line of `node`, 1-based, counted in `text`."""
        where = self._positions[node]
        shift = 1 if self._prefix else 0
        return where.start.line - shift, max(where.start.line, where.end.line) - shift

    @cached_property
    def _positions(self) -> Mapping[cst.CSTNode, cst.metadata.CodeRange]:
        wrapper = MetadataWrapper(self.module, unsafe_skip_copy=True)
        return wrapper.resolve(PositionProvider)

    @cached_property
    def comments(self) -> Counter[str]:
        """Every comment with its number of appearances."""
        return comments_of(self.wrapped(self.text))

    # Names

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope in which `node` is evaluated."""
        return self.index.scopes[node]

    def variable(self, name: str, scope: Scope) -> list[Occurrence]:
        """Every occurrence, wherever it is, of the variable that `name` means in `scope`; none if it is free there."""
        owner = scope.resolve(name)
        if owner is None:
            return []
        return [each for each in self.index.occurrences[name] if each.scope.resolve(name) is owner]

    def is_local(self, name: str, scope: Scope) -> bool:
        """Whether `name` is a variable of `scope`'s own function (or of the script) that no other function touches."""
        owner = scope.resolve(name)
        if owner is None or owner is not scope.frame or owner.kind == "class" or self.reads_frame(owner):
            return False
        uses = self.variable(name, scope)
        return all(each.scope.frame is owner and each.kind != "declaration" for each in uses)

    def needs_frame(self, node: cst.CSTNode) -> bool:
        """Whether `node` means something else in a function or comprehension of its own."""
        names = [name for name in self.within(node, cst.Name) if name.value in ("super", "__class__")]
        return bool(names) or self.reads_frame(self.scope(node))

    def reads_frame(self, scope: Scope) -> bool:
        """Whether the function may look at its variables by their names; those of a script, any function may."""
        return any(
            (each.scope.frame is scope.frame or scope.frame.kind == "module") and not self._evaluates_input(each.node)
            for name in _FRAME_READERS
            for each in self.index.occurrences.get(name, ())
        )

    def _evaluates_input(self, name: cst.Name) -> bool:
        """`eval(input())` parses one typed value; that somebody types a variable's name is left to the checks."""
        match self.parent(name):
            case cst.Call(func=cst.Name("eval") as func, args=[cst.Arg(value=cst.Call(args=[]) as reader)]):
                return func is name and self.code(reader.func).split(".")[-1] in ("input", "readline", "read")
            case _:
                return False

    def is_builtin(self, name: str, node: cst.CSTNode) -> bool:
        """Whether `name` at `node` is Python's own."""
        known = name in _BUILTINS and name not in self.facts.bound and not self.facts.is_open
        return known and self.scope(node).resolve(name) is None

    def calls_builtin(self, node: cst.CSTNode | None, *names: str) -> cst.Call | None:
        """`node` if it is a call of one of these builtins."""
        match node:
            case cst.Call(func=cst.Name(value)) if value in names and self.is_builtin(value, node):
                return node
            case _:
                return None

    def is_free(self, name: str) -> bool:
        """Whether a new variable of the unit may have this name: it means nothing here or in the module."""
        used = name in self.index.occurrences or name in self.facts.bound or name in _BUILTINS
        return name.isidentifier() and not used

    def is_variable(self, name: cst.Name) -> bool:
        """Whether `name` is a variable's, and not an attribute's or a keyword's."""
        return any(each.node is name for each in self.index.occurrences.get(name.value, ()))

    def is_target(self, node: cst.CSTNode) -> bool:
        """Whether `node` is an attribute or a subscript that is stored to or deleted."""
        return node in self.index.targets

    def repeats(self, node: cst.CSTNode, loop: Loop) -> bool:
        """Whether `node` is evaluated on each turn of `loop`: in its body or its condition, in no nested function."""
        if isinstance(loop, cst.For):
            inside = self.contains(loop.body, node)
        else:
            inside = self.contains(loop.body, node) or self.contains(loop.test, node)
        return inside and self.scope(node).frame is self.scope(loop).frame

    # Writing

    def statements(self, text: str) -> list[cst.BaseStatement]:
        """`text`, indented by four spaces, as statements in the indentation of the unit."""
        parsed = cst.parse_module(text).visit(_Indenter(self.block_indent))
        return [each for each in parsed.body if isinstance(each, cst.BaseStatement)]

    def statement(self, text: str, like: cst.BaseStatement | None = None) -> cst.BaseStatement:
        """One statement; with `like`, under the comments and blank lines above that one."""
        (made,) = self.statements(text)
        if like is not None:
            made = made.with_changes(leading_lines=leading_lines(like))
        return made

    def simple(self, text: str) -> list[cst.BaseSmallStatement]:
        """The small statements of one line."""
        (line,) = self.statements(text)
        return list(cst.ensure_type(line, cst.SimpleStatementLine).body)

    def block(self, body: list[cst.BaseStatement]) -> cst.IndentedBlock:
        """A block in the indentation of the unit."""
        return cst.IndentedBlock(body=body, indent=self.block_indent)

    @cached_property
    def block_indent(self) -> str | None:
        """How far a block of the unit is indented; None where that is the tree's default."""
        wrapper = 1 if self._prefix else 0
        blocks = self.find(cst.IndentedBlock)[wrapper:]
        if blocks:
            return blocks[0].indent
        return None if self.module.default_indent == "    " else "    "

    def edited(self, edit: Edit) -> str:
        """The unit's text after `edit`."""
        changed = {*edit.replace, *edit.before, *edit.after}
        paths = {each for node in changed for each in [node, *self.ancestors(node)]} - {*edit.replace}
        module = self.module.visit(_Editor(edit, paths))
        return module.code[len(self._prefix) :]


def comments_of(text: str) -> Counter[str]:
    """Every comment in a text that parses, with its number of appearances."""
    if "#" not in text:
        return Counter()
    tokens = tokenize.generate_tokens(io.StringIO(text, newline="").readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def leading_lines(statement: cst.BaseStatement) -> list[cst.EmptyLine]:
    """The comments and blank lines above a statement."""
    return list(getattr(statement, "leading_lines", ()))


def binding_loop(unit: UnitTree, use: Occurrence) -> cst.CSTNode | None:
    """The innermost `for` statement or comprehension around a variable's use that binds the variable by its target."""
    for each in unit.ancestors(use.node):
        if isinstance(each, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            return None
        clauses: list[cst.For | cst.CompFor] = [each] if isinstance(each, cst.For) else []
        if isinstance(each, COMPREHENSIONS):
            clauses = [clause for clause in unit.within(each, cst.CompFor) if unit.scope(clause).node is each]
        binds = any(name.value == use.name for clause in clauses for name in unit.within(clause.target, cst.Name))
        # What the loop goes over is evaluated before it binds anything.
        if binds and not unit.contains(clauses[0].iter, use.node):
            return each
    return None


def is_comprehension(node: cst.CSTNode) -> bool:
    """Whether `node` is a list, set or dict comprehension or a generator expression."""
    return isinstance(node, COMPREHENSIONS)


class _Indenter(cst.CSTTransformer):
    def __init__(self, indent: str | None) -> None:
        super().__init__()
        self.indent = indent

    def leave_IndentedBlock(self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock) -> cst.BaseSuite:  # noqa: N802
        return updated_node.with_changes(indent=self.indent)


class _Editor(cst.CSTTransformer):
    """Edits nodes by identity, and enters nothing but the paths to them."""

    def __init__(self, edit: Edit, paths: set[cst.CSTNode]) -> None:
        super().__init__()
        self.edit = edit
        self.paths = paths

    def on_visit(self, node: cst.CSTNode) -> bool:
        return node in self.paths

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Replacement:  # type: ignore[override]
        new = self.edit.replace.get(original_node, updated_node)
        before = self.edit.before.get(original_node, ())
        after = self.edit.after.get(original_node, ())
        if not (before or after) or not isinstance(new, cst.CSTNode):
            return new
        if before:
            blank, rest = _split_leading(new)
            if isinstance(before[0], cst.BaseCompoundStatement):
                rest = [*blank, *rest]
            before = (before[0].with_changes(leading_lines=blank), *before[1:])
            new = new.with_changes(leading_lines=rest)
        return cst.FlattenSentinel([*before, new, *after])


def _split_leading(statement: cst.CSTNode) -> tuple[list[cst.EmptyLine], list[cst.EmptyLine]]:
    """The blank lines above a statement, and what follows from its first comment on."""
    lines = list(getattr(statement, "leading_lines", ()))
    comment = next((place for place, line in enumerate(lines) if line.comment), len(lines))
    return lines[:comment], lines[comment:]
