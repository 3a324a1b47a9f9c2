"""The pieces of code that can be refined: functions, methods, classes, and a whole script."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from tree_sitter import Node

from burnish_analyzers.errors import NoSuchUnitError
from burnish_analyzers.source.line_index import Span
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.tree import SyntaxTree

DEFINITIONS = frozenset({"function_definition", "class_definition"})
# The nodes that can hold a statement; the walk enters no others, above all no expressions.
HOLDERS = frozenset(
    [
        "module",
        "block",
        "decorated_definition",
        "if_statement",
        "elif_clause",
        "else_clause",
        "for_statement",
        "while_statement",
        "try_statement",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "with_statement",
        "match_statement",
        "case_clause",
        "ERROR",
    ]
)
_OVERLOAD = re.compile(r"@\s*(?:\w+\s*\.\s*)*overload\s*$")
_BLANKS = " \t\f"
_ACCESSOR = re.compile(r"@\w+\.(setter|deleter)\b")


class UnitKind(StrEnum):
    """What a unit is."""

    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"
    SCRIPT = "script"


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One unit of one text. All spans are in code points, all lines 1-based and inclusive.

    `span` starts at the first non-blank character of the first decorator's line, so `indent`, the blanks before it, is
    outside; it ends with the last line of code, or of comments that are indented as the body, without its newline.
    `body_span` goes from the first statement or comment of the body to the same end. `decorators` are source texts
    with their "@", `parameters_text` has its parentheses. `occurrence` counts the units of that qualname before it.
    """

    qualname: str
    name: str
    kind: UnitKind
    span: Span
    start_line: int
    end_line: int
    body_span: Span
    indent: str = ""
    is_async: bool = False
    is_generator: bool = False
    decorators: tuple[str, ...] = ()
    occurrence: int = 0
    has_error: bool = False
    parameters_text: str = ""

    @property
    def is_overload(self) -> bool:
        """Whether this is a stub under `typing.overload`."""
        return any(_OVERLOAD.match(decorator) for decorator in self.decorators)


def units(source: Snapshot | SyntaxTree) -> tuple[Unit, ...]:
    """Every function, method and class of the text in source order; the script itself is not among them."""
    tree = source.tree if isinstance(source, Snapshot) else source
    seen: dict[str, int] = {}
    found = []
    for root in tree.roots:
        for scopes in _definitions(root, ()):
            unit = _unit(tree, scopes, occurrence=0)
            occurrence = seen.get(unit.qualname, 0)
            seen[unit.qualname] = occurrence + 1
            found.append(replace(unit, occurrence=occurrence) if occurrence else unit)
    return tuple(found)


def script_unit(snapshot: Snapshot) -> Unit:
    """The whole file, up to its last line that is not blank."""
    span = Span(0, len(snapshot.text.rstrip(_BLANKS + "\r\n")))
    return Unit(
        qualname="",
        name="",
        kind=UnitKind.SCRIPT,
        span=span,
        start_line=1,
        end_line=snapshot.lines.line_of(span.end) + 1,
        body_span=span,
        has_error=snapshot.tree.has_error,
    )


def unit_at(tree: SyntaxTree, text: str, span: Span) -> Unit | None:
    """The innermost unit that holds `span`, or None outside of all.

    Whole lines belong to units: a bare cursor anywhere on the `def` line, a decorator or a line of the body counts, and
    blanks at either end of a selection do not. A selection over several units gives the smallest that holds them all.
    `text` is the tree's text. The cost grows with the depth of the place, not with the length of the file.
    """
    selected = span.of(text)
    start = span.start + len(selected) - len(selected.lstrip(_BLANKS + "\r\n"))
    end = span.start + len(selected.rstrip(_BLANKS + "\r\n"))
    if start >= end:
        first = last = _first_character(tree, span.start)
    else:
        first, last = _first_character(tree, start), _first_character(tree, end - 1)
    start_byte, end_byte = tree.byte_of(first.start), tree.byte_of(last.end)
    root = tree.root_at(start_byte)
    node = root.descendant_for_byte_range(start_byte, end_byte)
    scopes = _enclosing(node)
    if not scopes or tree.root_at(max(start_byte, end_byte - 1)) != root:
        return None
    return _unit(tree, scopes, _occurrence(tree, scopes))


def find_unit(snapshot: Snapshot, qualname: str | None, lines: tuple[int, int] | None = None) -> Unit:
    """The unit named `qualname`; without a name the one that holds the 1-based inclusive `lines`; else the script.

    Of several units of one name it is the last that is no overload stub and no setter or deleter of a property, unless
    `lines` tells which one.
    "outer.<locals>.inner" is accepted for "outer.inner". Raises NoSuchUnitError.
    """
    if qualname is None:
        return script_unit(snapshot) if lines is None else _unit_of_lines(snapshot, lines)
    wanted = qualname.replace(".<locals>", "")
    found = units(snapshot)
    named = [unit for unit in found if unit.qualname == wanted]
    if not named:
        near = difflib.get_close_matches(wanted, dict.fromkeys(unit.qualname for unit in found))
        near = near or [unit.qualname for unit in found if unit.name == wanted.rpartition(".")[2]][:3]
        hint = f"did you mean {' or '.join(f'`{name}`' for name in near)}? " if near else ""
        if snapshot.tree.has_error:
            hint += "a syntax error in the file may hide it, so correct that first. "
        raise NoSuchUnitError(f"There is no unit `{qualname}` in {_file(snapshot)}: {hint}{_listing(snapshot)}")
    if lines is not None:
        named = [unit for unit in named if unit.start_line <= lines[1] and lines[0] <= unit.end_line]
        if not named:
            raise NoSuchUnitError(f"`{qualname}` has no code in lines {lines[0]}-{lines[1]}: {_listing(snapshot)}")
    whole = [unit for unit in named if not unit.is_overload or lines]
    getters = [unit for unit in whole if not _ACCESSOR.match(unit.span.of(snapshot.text)) or lines]
    return (getters or whole or named)[-1]


def _unit_of_lines(snapshot: Snapshot, lines: tuple[int, int]) -> Unit:
    first, last = lines
    count = snapshot.lines.line_count
    if not 1 <= first <= last <= count:
        raise NoSuchUnitError(
            f"{_file(snapshot)} has no lines {first}-{last}: give a first and a last line between 1 and {count}."
        )
    span = Span(snapshot.lines.line_span(first - 1).start, snapshot.lines.line_span(last - 1).end)
    unit = unit_at(snapshot.tree, snapshot.text, span)
    if unit is None:
        raise NoSuchUnitError(
            f"No function or class holds lines {first}-{last} of {_file(snapshot)}: {_listing(snapshot)}"
        )
    return unit


def _file(snapshot: Snapshot) -> str:
    return str(snapshot.path) if snapshot.path is not None else "the document"


def _listing(snapshot: Snapshot) -> str:
    return f"`burnish measure {snapshot.path or 'FILE'}` lists all units."


def _definitions(node: Node, scopes: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
    """Each definition under `node`, as the chain of definitions from the outermost to itself."""
    for child in node.named_children:
        if _name(child):
            yield (*scopes, child)
            yield from _definitions(child, (*scopes, child))
        elif child.type in HOLDERS:
            yield from _definitions(child, scopes)


def _enclosing(node: Node | None) -> tuple[Node, ...]:
    """The definitions around and including `node`, the outermost first; a decorator is inside what it decorates."""
    chain: list[Node] = []
    while node is not None:
        definition = node.child_by_field_name("definition") if node.type == "decorated_definition" else node
        if definition is not None and _name(definition) and definition not in chain[-1:]:
            chain.append(definition)
        node = node.parent
    return tuple(reversed(chain))


def _occurrence(tree: SyntaxTree, scopes: tuple[Node, ...]) -> int:
    """How many units of the same qualname start before this one, found without a walk over the whole file."""
    before = scopes[-1].start_byte
    holders = list(tree.roots)
    for depth in range(1, len(scopes) + 1):
        wanted = _qualname(scopes[:depth])
        holders = [
            definition
            for holder in holders
            for definition in _named(tree, holder, _name(scopes[depth - 1]))
            if definition.start_byte <= before and _qualname(_enclosing(definition)) == wanted
        ]
    return len(holders) - 1


def _named(tree: SyntaxTree, holder: Node, name: str) -> Iterator[Node]:
    """The definitions called `name` inside `holder`."""
    for keyword in (b"def", b"class"):
        pattern = re.compile(keyword + rb"[ \t\f]+" + re.escape(name.encode()) + rb"\b")
        for end in tree.find(pattern, holder.start_byte, holder.end_byte):
            node = holder.descendant_for_byte_range(end - 1, end)
            if node is not None and node.parent is not None and _name(node.parent) == name:
                yield node.parent


def _name(node: Node) -> str:
    """The name of a definition; "" for any other node, and for a definition whose name is not typed yet."""
    if node.type not in DEFINITIONS:
        return ""
    name = node.child_by_field_name("name")
    return name.text.decode("utf-8", "replace") if name is not None and name.text else ""


def _qualname(scopes: tuple[Node, ...]) -> str:
    return ".".join(_name(scope) for scope in scopes)


def _kind(scopes: tuple[Node, ...]) -> UnitKind:
    if scopes[-1].type == "class_definition":
        return UnitKind.CLASS
    inside_class = len(scopes) > 1 and scopes[-2].type == "class_definition"
    return UnitKind.METHOD if inside_class else UnitKind.FUNCTION


def _unit(tree: SyntaxTree, scopes: tuple[Node, ...], occurrence: int) -> Unit:
    node = scopes[-1]
    parent = node.parent
    outer = parent if parent is not None and parent.type == "decorated_definition" else node
    start = tree.offset_of(outer.start_byte)
    end = _end(tree, outer)
    parameters = node.child_by_field_name("parameters")
    body = _body_start(node)
    return Unit(
        qualname=_qualname(scopes),
        name=_name(node),
        kind=_kind(scopes),
        span=Span(start, end),
        start_line=tree.lines.line_of(start) + 1,
        end_line=tree.lines.line_of(end) + 1,
        body_span=Span(min(end, tree.offset_of(body)), end),
        indent=tree.text[tree.lines.line_span(tree.lines.line_of(start)).start : start],
        is_async=any(child.type == "async" for child in node.children[:1]),
        is_generator=node.type == "function_definition" and _yields(node),
        decorators=tuple(_decorator(tree, child) for child in outer.named_children if child.type == "decorator"),
        occurrence=occurrence,
        has_error=outer.has_error,
        parameters_text=tree.source(parameters) if parameters is not None else "",
    )


def _decorator(tree: SyntaxTree, node: Node) -> str:
    """The source of a decorator, without the comment after it that the parser counts in."""
    expression = next((child for child in node.named_children if child.type != "comment"), node)
    return Span(tree.offset_of(node.start_byte), tree.offset_of(expression.end_byte)).of(tree.text)


def _end(tree: SyntaxTree, node: Node) -> int:
    """The end of the last line of `node`. Statements never share a line with what follows a definition."""
    span = tree.span(node)
    last = span.start + len(span.of(tree.text).rstrip(_BLANKS + "\r\n"))
    return tree.lines.line_span(tree.lines.line_of(last)).end


def _body_start(definition: Node) -> int:
    """The byte of the body's first statement, or of a comment on a line of its own before it."""
    body = definition.child_by_field_name("body")
    if body is None:
        return definition.end_byte
    colon = next((child for child in reversed(definition.children) if child.type == ":"), None)
    for child in definition.children:
        after_colon = colon is None or child.start_byte >= colon.end_byte
        if (
            child.type == "comment"
            and after_colon
            and colon is not None
            and child.start_point.row > colon.end_point.row
        ):
            return child.start_byte
    return body.start_byte


def _yields(function: Node) -> bool:
    """Whether a `yield` belongs to this function itself."""
    if b"yield" not in (function.text or b""):
        return False
    pending = list(function.named_children)
    while pending:  # not recursive: expressions can be very deep
        node = pending.pop()
        if node.type == "yield":
            return True
        if node.type not in DEFINITIONS and node.type != "lambda":
            pending += node.named_children
    return False


def _first_character(tree: SyntaxTree, offset: int) -> Span:
    """The first character that is not blank on the line of `offset`; nothing on a blank line."""
    line = tree.lines.line_span(tree.lines.line_of(offset))
    content = line.of(tree.text)
    start = line.start + len(content) - len(content.lstrip(_BLANKS))
    return Span(start, min(start + 1, line.end))
