"""What a definition promises to its callers, read from the text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tree_sitter import Node

from burnish_analyzers.source.line_index import Span
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.tree import SyntaxTree
from burnish_analyzers.source.units import Unit, UnitKind, units

CONTAINERS = frozenset(
    {
        "Any",
        "object",
        "list",
        "tuple",
        "set",
        "dict",
        "List",
        "Tuple",
        "Set",
        "Dict",
        "Sequence",
        "Iterable",
        "Iterator",
    }
    | {"Collection", "Container", "Mapping", "Optional", "Union", "None", "typing", "collections", "abc"}
)
DOCSTRING = re.compile(r'[rRuU]?("""|\'\'\'|"|\')')


def head(snapshot: Snapshot, unit: Unit) -> str:
    """Decorators, kind, name, parameters with defaults, and annotations, in one line whatever their layout."""
    span = Span(unit.span.start, unit.body_span.start)
    return flat(snapshot, span) + (" (generator)" if unit.is_generator else "")


def flat(snapshot: Snapshot, span: Span) -> str:
    """Source text with its layout, comments and trailing commas taken out; literal text and tuples stay as they are."""
    text = ""
    kept: list[str] = []
    at = span.start
    for node in _atoms(snapshot, span):
        place = snapshot.tree.span(node)
        text += snapshot.text[at : place.start]
        if node.type != "comment":
            text += f"\0{len(kept)}\0"
            kept.append(place.of(snapshot.text))
        at = place.end
    text = re.sub(r"\s+", " ", text + snapshot.text[at : span.end])
    text = re.sub(r",? ?([)\]}])", r"\1", re.sub(r"([(\[{]) ", r"\1", text)).strip()
    return re.sub(r"\0(\d+)\0", lambda match: kept[int(match[1])], text)


def _atoms(snapshot: Snapshot, span: Span) -> Iterator[Node]:
    """The outermost strings, tuples and comments in a span, in order."""
    stack = [snapshot.tree.holding(span)]
    while stack:
        node = stack.pop()
        place = snapshot.tree.span(node)
        if place.end <= span.start or place.start >= span.end:
            continue
        if node.type in ("string", "tuple", "comment") and span.contains(place):
            yield node
        else:
            stack += reversed(node.children)


def members(snapshot: Snapshot, unit: Unit) -> tuple[Unit, ...]:
    """The unit, and if it is a class, the methods and classes in it that are not inside a function."""
    if unit.kind is not UnitKind.CLASS:
        return (unit,)
    inside = [other for other in units(snapshot) if holds(unit, other)]
    return tuple(other for other in inside if other.kind in (UnitKind.METHOD, UnitKind.CLASS))


def functions(snapshot: Snapshot, unit: Unit) -> tuple[Unit, ...]:
    """The outermost functions in the unit; the unit itself if it is one."""
    inside = [other for other in units(snapshot) if other.kind is not UnitKind.CLASS and holds(unit, other)]
    return tuple(one for one in inside if not any(one is not other and holds(other, one) for other in inside))


def holds(outer: Unit, inner: Unit) -> bool:
    """Whether one unit is another or lies inside it."""
    return outer.span.contains(inner.span)


def docstring_span(snapshot: Snapshot, unit: Unit) -> Span | None:
    """Where the docstring of a function or class stands, quotes included."""
    body = unit.body_span.of(snapshot.text)
    match = DOCSTRING.match(body)
    end = body.find(match[1], match.end()) if match else -1
    if match is None or end < 0:
        return None
    start = unit.body_span.start
    return Span(start=start, end=start + end + len(match[1]))


def open_parameters(snapshot: Snapshot, unit: Unit) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of parameters whose type the text leaves open, and of those whose items' type it leaves open."""
    kind: set[str] = set()
    items: set[str] = set()
    for function in functions(snapshot, unit):
        for node in parameters(function):
            if node.annotation is None:
                kind.add(node.arg)
            if node.annotation is None or vague(ast.unparse(node.annotation)):
                items.add(node.arg)
    return tuple(sorted(kind)), tuple(sorted(items))


def parameters(function: Unit) -> tuple[ast.arg, ...]:
    """Its parameters in order, starred ones left out; none where they use newer syntax than this Python's."""
    try:
        definition = ast.parse(f"def f{function.parameters_text}: pass").body[0]
    except SyntaxError:
        return ()
    assert isinstance(definition, ast.FunctionDef)
    return (*definition.args.posonlyargs, *definition.args.args, *definition.args.kwonlyargs)


def vague(annotation: str) -> bool:
    """Whether an annotation names nothing but containers and types that can be anything (``list``, ``Sequence[T]``)."""
    return all(name in CONTAINERS or len(name) < 2 for name in re.findall(r"\w+", annotation))


def identifiers(tree: SyntaxTree) -> frozenset[str]:
    """Every name that the text reads or binds, without attributes and keywords of calls."""
    found = set()
    stack = list(tree.roots)
    while stack:
        node = stack.pop()
        stack += node.children
        parent = node.parent
        if node.type == "identifier" and not (
            parent
            and (
                (parent.type == "attribute" and parent.child_by_field_name("attribute") == node)
                or (parent.type == "keyword_argument" and parent.child_by_field_name("name") == node)
            )
        ):
            found.add(tree.source(node))
    return frozenset(found)
