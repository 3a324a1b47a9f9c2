"""A list from whose front items are taken."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.effects import is_truth_test
from burnish.backends.rules.imports import importing
from burnish.backends.rules.kinds import kind_of_variable
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.scopes import Occurrence
from burnish.backends.rules.tree import Edit, Replacement, UnitTree
from burnish_analyzers.goal import Goal

_SAME_METHODS = ("append", "clear", "count", "extend", "index", "remove", "reverse")
_READERS = (
    "any",
    "all",
    "bool",
    "enumerate",
    "iter",
    "len",
    "list",
    "max",
    "min",
    "set",
    "sorted",
    "sum",
    "tuple",
    "zip",
)


def _find(unit: UnitTree) -> Iterator[Match]:
    for assign in unit.find(cst.Assign):
        match assign.targets:
            case [cst.AssignTarget(target=cst.Name() as name)] if _is_first_binding(unit, name):
                match = _match(unit, name)
                if match is not None:
                    yield match


def _is_first_binding(unit: UnitTree, name: cst.Name) -> bool:
    bindings = [each.node for each in unit.variable(name.value, unit.scope(name)) if each.binds]
    return bool(bindings) and min(bindings, key=unit.place) is name


def _match(unit: UnitTree, name: cst.Name) -> Match | None:
    scope = unit.scope(name)
    if kind_of_variable(unit, name.value, scope) != "list" or not unit.is_local(name.value, scope):
        return None
    imported = importing(unit, "collections", "deque", name)
    if imported is None:
        return None
    deque, imports = imported
    replace: dict[cst.CSTNode, Replacement] = {}
    for use in unit.variable(name.value, scope):
        change = _binding(unit, use, deque) if use.binds else _use(unit, use)
        if change is None:
            return None
        replace.update(change)
    front = [node for node in replace if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute)]
    if not any(isinstance(each, (cst.For, cst.While)) for node in front for each in unit.ancestors(node)):
        return None
    return Match(
        node=front[0],
        problem=f"Each step at the front of the list `{name.value}` moves all its items.",
        change=f"Make `{name.value}` a deque, which is quick at both ends.",
        edit=Edit(replace=replace),
        imports=imports,
    )


def _binding(unit: UnitTree, use: Occurrence, deque: str) -> dict[cst.CSTNode, Replacement] | None:
    """How to bind the name to a deque instead of a list."""
    target = unit.parent(use.node)
    assign = unit.parent(target) if target is not None else None
    if isinstance(target, cst.AugAssign):
        return {} if isinstance(target.operator, cst.AddAssign) else None
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return None
    value = assign.value
    if isinstance(value, cst.List) and not value.elements:
        return {value: cst.parse_expression(f"{deque}()")}
    made = unit.calls_builtin(value, "list")
    if made is not None:
        return {value: made.with_changes(func=cst.parse_expression(deque))}
    if isinstance(value, (cst.List, cst.ListComp)):
        return {value: cst.Call(func=cst.parse_expression(deque), args=[cst.Arg(value)])}
    return None


def _use(unit: UnitTree, use: Occurrence) -> dict[cst.CSTNode, Replacement] | None:
    """What changes where the list is used: nothing, an operation at the front, or None where a deque will not do."""
    node: cst.CSTNode = use.node
    parent = unit.parent(node)
    match parent:
        case cst.Attribute(attr=cst.Name(method)):
            call = unit.parent(parent)
            return _method(parent, call, method) if isinstance(call, cst.Call) and call.func is parent else None
        case cst.Arg():
            return {} if unit.calls_builtin(unit.parent(parent), *_READERS) else None
        case cst.ComparisonTarget(operator=cst.In() | cst.NotIn()):
            return {}
        case cst.For() | cst.CompFor():
            return {} if parent.iter is node else None
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index())]):
            return {} if parent.value is node else None
        case _:
            return {} if is_truth_test(unit, node) else None


def _method(attribute: cst.Attribute, call: cst.Call, method: str) -> dict[cst.CSTNode, Replacement] | None:
    arguments = [each.value for each in call.args]
    match method, arguments:
        case "pop", []:
            return {}
        case "pop", [cst.Integer("0")]:
            return {call: call.with_changes(func=attribute.with_changes(attr=cst.Name("popleft")), args=[])}
        case "insert", [cst.Integer("0"), _]:
            func = attribute.with_changes(attr=cst.Name("appendleft"))
            return {call: call.with_changes(func=func, args=call.args[1:])}
        case _:
            return {} if method in _SAME_METHODS else None


RULE = Rule(
    name="queue-deque",
    goals=(Goal.PERFORMANCE,),
    aspect="data structures",
    why="Taking from or putting to the front of a list moves all its items.",
    risk="The message of the error on an empty queue differs.",
    before="""\
def reachable(graph, start):
    seen = {start}
    queue = [start]
    while queue:
        node = queue.pop(0)
        for other in graph[node]:
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return seen
""",
    after="""\
def reachable(graph, start):
    seen = {start}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for other in graph[node]:
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return seen
""",
    find=_find,
)
