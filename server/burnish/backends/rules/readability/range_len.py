"""`for i in range(len(items))`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.effects import has_unknown_calls, only_reads
from burnish.backends.rules.kinds import kind_of_variable
from burnish.backends.rules.naming import loop_name, singular
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.scopes import Occurrence
from burnish.backends.rules.tree import Edit, Replacement, UnitTree, binding_loop
from burnish_analyzers.goal import Goal

_MAPPING_METHODS = ("get", "items", "keys", "setdefault", "update", "values")


def _find(unit: UnitTree) -> Iterator[Match]:
    for loop in unit.loops():
        if isinstance(loop, cst.For) and isinstance(loop.target, cst.Name):
            items = _counted(unit, loop.iter)
            if items is not None and _is_stable_sequence(unit, loop, items.value):
                match = _match(unit, loop, loop.target, items)
                if match is not None:
                    yield match


def _counted(unit: UnitTree, iterable: cst.BaseExpression) -> cst.Name | None:
    """``items`` in ``range(len(items))`` or ``range(0, len(items))``."""
    call = unit.calls_builtin(iterable, "range")
    match call.args if call else ():
        case [cst.Arg(value=length)] | [cst.Arg(value=cst.Integer("0")), cst.Arg(value=length)]:
            counted = unit.calls_builtin(length, "len")
            if counted and len(counted.args) == 1 and isinstance(counted.args[0].value, cst.Name):
                return counted.args[0].value
    return None


def _is_stable_sequence(unit: UnitTree, loop: cst.For, name: str) -> bool:
    """Whether `name` seems no mapping, and is only read while the loop runs."""
    scope = unit.scope(loop)
    uses = unit.variable(name, scope)
    inside = [each for each in uses if unit.contains(loop, each.node)]
    kind = kind_of_variable(unit, name, scope)
    if not uses or kind in ("dict", "set") or any(_is_mapping_use(unit, each) for each in uses):
        return False
    own = kind in ("str", "tuple") or unit.is_local(name, scope) or not has_unknown_calls(unit, loop)
    return own and all(each.kind == "load" and only_reads(unit, each) for each in inside)


def _is_mapping_use(unit: UnitTree, use: Occurrence) -> bool:
    parent = unit.parent(use.node)
    return isinstance(parent, cst.Attribute) and parent.attr.value in _MAPPING_METHODS


def _match(unit: UnitTree, loop: cst.For, index: cst.Name, items: cst.Name) -> Match | None:
    scope = unit.scope(loop)
    uses = [each for each in unit.variable(index.value, scope) if each.node is not index]
    inside = [each for each in uses if unit.contains(loop, each.node)]
    if not unit.is_local(index.value, scope) or any(each.binds for each in inside):
        return None
    reads = [read for each in inside if (read := _item_read(unit, each, items.value)) is not None]
    name = loop_name(unit, loop, singular(items.value), "item", "element")
    if not reads or name is None or not all(unit.contains(loop.body, each) for each in reads):
        return None
    replace: dict[cst.CSTNode, Replacement] = {read: cst.Name(name) for read in reads}
    needs_index = len(inside) > len(reads) or not all(binding_loop(unit, each) for each in uses if each not in inside)
    if needs_index:
        if not unit.is_builtin("enumerate", loop):
            return None
        replace[loop.iter] = cst.parse_expression(f"enumerate({items.value})")
        target = cst.parse_expression(f"({index.value}, {name})")
        replace[index] = cst.ensure_type(target, cst.Tuple).with_changes(lpar=[], rpar=[])
    else:
        replace[loop.iter] = cst.Name(items.value)
        replace[index] = cst.Name(name)
    return Match(
        node=loop,
        problem=f"The loop counts positions to get at the items of `{items.value}`.",
        change=f"Go over `{items.value}` itself{' with enumerate()' if needs_index else ''}.",
        edit=Edit(replace=replace),
    )


def _item_read(unit: UnitTree, use: Occurrence, items: str) -> cst.Subscript | None:
    """The expression ``items[index]`` around a use of the index, if that is what it is for."""
    element = unit.parent(use.node)
    read = unit.parent(unit.parent(element)) if isinstance(element, cst.Index) else None  # type: ignore[arg-type]
    match read:
        case cst.Subscript(value=cst.Name(value), slice=[cst.SubscriptElement()]) if value == items:
            return read if not unit.is_target(read) else None
        case _:
            return None


RULE = Rule(
    name="range-len",
    goals=(Goal.READABILITY, Goal.PERFORMANCE),
    aspect="loops",
    why="Positions are a detour: a loop over the items says what it is about.",
    risk="A mapping from 0, 1, 2, … would be gone over by its keys; a call in the loop may change the list.",
    before="""\
def total(prices, limits):
    result = 0
    for i in range(len(prices)):
        if prices[i] > 0:
            result += prices[i]
    for i in range(len(limits)):
        result = min(result, limits[i] - i)
    return result
""",
    after="""\
def total(prices, limits):
    result = 0
    for price in prices:
        if price > 0:
            result += price
    for i, limit in enumerate(limits):
        result = min(result, limit - i)
    return result
""",
    find=_find,
    order=20,
)
