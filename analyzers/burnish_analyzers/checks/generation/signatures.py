"""What the functions of a unit take: a receiver, and for each parameter the kinds of value that it may be."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from burnish_analyzers.checks.generation.annotations import (
    RECEIVERS,
    Types,
    expression,
    last_name,
    parameters,
)
from burnish_analyzers.checks.generation.usage import FunctionNode, guessed, kinds_named
from burnish_analyzers.checks.generation.values import Choice, Source, Values, mapped, one_of
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit

MOST_LITERALS = 60
KEPT = Choice(label="as recorded", sources=st.just(""))
# For each function and parameter, the types of recorded values, written as annotations.
Shapes = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, kw_only=True)
class Signature:
    """One function: `receiver` makes its first argument, None where it takes none or that has to be a recorded one."""

    qualname: str
    receiver: Source | None
    choices: dict[str, tuple[Choice, ...]]
    needs_recorded: bool


@dataclass(frozen=True, kw_only=True)
class Place:
    """A function in a module, and the class that holds it."""

    qualname: str
    node: FunctionNode
    owner: ast.ClassDef | None


def signatures(snapshot: Snapshot, unit: Unit, shapes: Shapes) -> tuple[Signature, ...]:
    """Those of the outermost functions that are in the unit or hold it; none where this Python cannot read the text."""
    try:
        module = ast.parse(snapshot.text)
    except (SyntaxError, ValueError):
        return ()
    found = []
    for place in places(module.body, "", None):
        first = min([place.node.lineno, *(decorator.lineno for decorator in place.node.decorator_list)])
        last = place.node.end_lineno or first
        inside = unit.start_line <= first and last <= unit.end_line
        if inside or (first <= unit.start_line and unit.end_line <= last):
            found.append(signature(place, types_of(module, place.node), shapes.get(place.qualname, {})))
    return tuple(found)


def places(body: Sequence[ast.stmt], holder: str, owner: ast.ClassDef | None) -> Iterator[Place]:
    """Every function that is in no other."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield Place(qualname=holder + node.name, node=node, owner=owner)
        elif isinstance(node, ast.ClassDef):
            yield from places(node.body, f"{holder}{node.name}.", node)
        elif isinstance(node, (ast.If, ast.Try)):
            yield from places([*node.body, *node.orelse], holder, owner)


def types_of(module: ast.Module, function: FunctionNode) -> Types:
    """The module's types, with the function's literals among the values."""
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    aliases: dict[str, ast.expr] = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Subscript, ast.BinOp, ast.Name))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return Types(values=Values(literals=frozenset(literals(function))), classes=classes, aliases=aliases)


def literals(function: FunctionNode) -> Iterator[str]:
    """Numbers and texts that a body names, without its docstring."""
    documented = ast.get_docstring(function, clean=False)
    found = [
        node.value
        for statement in function.body[documented is not None :]
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float, str, bytes)
    ]
    for value in list(dict.fromkeys(found))[:MOST_LITERALS]:
        yield repr(value)


def signature(place: Place, types: Types, shapes: Mapping[str, Sequence[str]]) -> Signature:
    """What one function takes."""
    function = place.node
    choices: dict[str, tuple[Choice, ...]] = {}
    for parameter, default in parameters(function):
        choices[parameter.arg] = types.choices(function, parameter, default)
    receiver, needs_recorded = None, False
    if place.owner and not any(last_name(decorator) == "staticmethod" for decorator in function.decorator_list):
        choices.pop(next(iter(choices), ""), None)
        receiver = receiver_of(place.owner, function, types)
        needs_recorded = receiver is None
    if function.args.vararg:
        choices[function.args.vararg.arg] = (starred(function.args.vararg, types),)
    if function.args.kwarg:
        keys = st.sampled_from(["'a'", "'b'"])
        choices[function.args.kwarg.arg] = (
            Choice(label="no more", sources=st.just("{}")),
            Choice(label="more", sources=mapped(keys, types.values.integers)),
        )
    for name, texts in shapes.items():
        if name in choices:
            choices[name] = (KEPT, *recorded_choices(texts, types), *choices[name])
        elif receiver is not None and name in RECEIVERS:
            needs_recorded = needs_recorded or place.qualname.endswith("__init__")
    return Signature(qualname=place.qualname, receiver=receiver, choices=choices, needs_recorded=needs_recorded)


def recorded_choices(texts: Sequence[str], types: Types) -> tuple[Choice, ...]:
    """Fresh values of the types that recorded values had."""
    found = {text: types.of(expression(text)) for text in texts if text}
    return tuple(
        Choice(label=f"{choice.label}, as recorded", sources=choice.sources)
        for choices in found.values()
        for choice in choices
    )


def receiver_of(owner: ast.ClassDef, function: FunctionNode, types: Types) -> Source | None:
    """Source of a method's first argument; None where nobody can say how its class is made."""
    if any(last_name(decorator) == "classmethod" for decorator in function.decorator_list):
        return st.just(owner.name)
    if function.name in ("__init__", "__new__") or owner.name not in types.classes:
        return None
    return types.construction(owner, 0)


def starred(parameter: ast.arg, types: Types) -> Choice:
    """Values of ``*parameter``: a tuple of any length."""
    name = parameter.arg
    items = types.of(parameter.annotation) or guessed(kinds_named(name.removesuffix("s")), types.values)
    some = [st.lists(choice.sources, max_size=4) for choice in items]
    mixed = st.lists(one_of(items), max_size=3)
    tuples = st.one_of(*some, mixed).map(lambda texts: f"({', '.join(texts)}{',' if len(texts) == 1 else ''})")
    return Choice(label="any number", sources=tuples)
