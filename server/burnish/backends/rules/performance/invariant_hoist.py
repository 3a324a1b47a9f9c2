"""An expression that gives the same value on each turn of a loop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.certainty import cannot_fail, evaluates, in_header, names_are_bound
from burnish.backends.rules.effects import has_unknown_calls, is_private, only_reads, rebinds
from burnish.backends.rules.kinds import kind_of
from burnish.backends.rules.naming import free_name
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import Edit, Loop, UnitTree
from burnish_analyzers.goal import Goal

_WORDS: dict[type[cst.BaseBinaryOp], str] = {
    cst.Add: "plus",
    cst.Subtract: "minus",
    cst.Multiply: "times",
    cst.Power: "pow",
    cst.Modulo: "mod",
    cst.FloorDivide: "div",
}
_MAX_NAME = 16
_FRESH = (cst.List, cst.ListComp, cst.BinaryOperation, cst.Dict, cst.DictComp)


def _find(unit: UnitTree) -> Iterator[Match]:
    groups: dict[tuple[Loop, str], list[cst.BaseExpression]] = defaultdict(list)
    for node_type in (cst.Subscript, cst.Attribute, cst.BinaryOperation, cst.Call):
        for node in unit.find(node_type):
            loop = _outermost_invariant(unit, node)
            if loop is not None:
                groups[loop, unit.code(node)].append(node)
    nodes = {node for group in groups.values() for node in group}
    for (loop, code), group in groups.items():
        # What is part of a larger invariant moves out along with it.
        whole = [node for node in group if not any(each in nodes for each in unit.ancestors(node))]
        name = free_name(unit, *_names_for(unit, group[0]))
        if whole and name:
            yield Match(
                node=whole[0],
                problem=f"`{code}` is evaluated anew on each turn of the loop, with the same result.",
                change=f"Evaluate it once before the loop, as `{name}`.",
                edit=Edit(
                    replace={node: cst.Name(name) for node in [*whole, *_in_head(unit, loop, whole[0])]},
                    before={loop: unit.statements(f"{name} = {code}")},
                ),
            )


def _in_head(unit: UnitTree, loop: Loop, node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Where the head of the `for` reads the same once more."""
    if not isinstance(loop, cst.For):
        return []
    code, scope = unit.code(node), unit.scope(loop)
    return [
        each for each in unit.within(loop.iter, type(node)) if unit.code(each) == code and unit.scope(each) is scope
    ]


def _outermost_invariant(unit: UnitTree, node: cst.BaseExpression) -> Loop | None:
    """The outermost loop that repeats `node` to no effect and before which a statement can stand."""
    if not _is_worthwhile(unit, node):
        return None
    found = None
    for loop in unit.ancestors(node):
        if isinstance(loop, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            break
        if isinstance(loop, (cst.For, cst.While)) and unit.repeats(node, loop):
            if not _is_invariant(unit, node, loop):
                break
            if unit.statement_of(loop) is loop and _is_sure(unit, node, loop):
                found = loop
    return found


def _is_worthwhile(unit: UnitTree, node: cst.BaseExpression) -> bool:
    """Whether `node` has a form that can move, where it is read again and again."""
    parent = unit.parent(node)
    if unit.is_target(node) or isinstance(parent, (cst.Del, cst.Annotation, cst.Decorator)):
        return False
    if isinstance(parent, (cst.For, cst.CompFor)) and parent.iter is node:
        return False
    match node:
        case cst.Subscript(value=base, slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
            return _is_path(base) and (isinstance(index, cst.Integer) or _is_index(unit, index))
        case cst.Attribute(value=base):
            called = isinstance(parent, cst.Call) and parent.func is node
            is_module = isinstance(parent, cst.Attribute) and unit.code(base) in dict(unit.facts.imports)
            return _is_path(base) and not called and not is_module
        case cst.BinaryOperation():
            return _is_arithmetic(unit, node) and unit.has(node, cst.Name)
        case cst.Call(args=[cst.Arg(value=cst.Name())]):
            return unit.calls_builtin(node, "len") is not None
        case _:
            return False


def _is_path(node: cst.CSTNode) -> bool:
    """Whether `node` is a name, or an attribute of one."""
    return isinstance(node, cst.Name) or (isinstance(node, cst.Attribute) and _is_path(node.value))


def _is_index(unit: UnitTree, node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) or _is_arithmetic(unit, node)


def _is_arithmetic(unit: UnitTree, node: cst.BaseExpression) -> bool:
    """Whether `node` only computes with integers, and cannot fail."""
    match node:
        case cst.Integer():
            return True
        case cst.Name():
            return kind_of(unit, node) == "int"
        case cst.BinaryOperation(operator=cst.Add() | cst.Subtract() | cst.Multiply()):
            return _is_arithmetic(unit, node.left) and _is_arithmetic(unit, node.right)
        case cst.BinaryOperation(operator=cst.Power() | cst.Modulo() | cst.FloorDivide(), right=cst.Integer(value)):
            return value.strip("0_") != "" and _is_arithmetic(unit, node.left)
        case _:
            return False


def _is_invariant(unit: UnitTree, node: cst.BaseExpression, loop: cst.BaseStatement) -> bool:
    """Whether `node` gives the same all the while that the statement `loop` runs."""
    names = [each for each in unit.within(node, cst.Name) if unit.is_variable(each)]
    for name in names:
        owner = unit.scope(name).resolve(name.value)
        if owner is not None and owner.kind == "comprehension":
            return False
        if rebinds(unit, loop, name.value):
            return False
    match node:
        case cst.BinaryOperation():
            return True
        case cst.Subscript(value=cst.Name(base)):
            return _keeps_items(unit, loop, base)
        case cst.Call(args=[cst.Arg(value=cst.Name(base))]):
            return _keeps_items(unit, loop, base)
        case cst.Subscript(value=cst.Attribute() as base):
            return _keeps_attributes(unit, loop, base) and _keeps_items_of(unit, loop, base)
        case cst.Attribute():
            return _keeps_attributes(unit, loop, node)
        case _:
            return False


def _keeps_items(unit: UnitTree, loop: cst.BaseStatement, name: str) -> bool:
    """Whether the container `name`, which no other name means, has the same items throughout the loop."""
    scope = unit.scope(loop)
    uses = unit.variable(name, scope)
    inside = [each for each in uses if unit.contains(loop, each.node)]
    if not uses or not all(each.kind == "load" and only_reads(unit, each) for each in inside):
        return False
    own = all(_is_own(unit, each.node) for each in uses if each.binds)
    return own and (is_private(unit, name, scope) or not has_unknown_calls(unit, loop))


def _is_own(unit: UnitTree, binding: cst.Name) -> bool:
    """Whether the name is bound to something new, or to an argument, and not to what another name means."""
    target = unit.parent(binding)
    assign = unit.parent(target) if target is not None else None
    value = (
        assign.value if isinstance(assign, cst.Assign) else target.value if isinstance(target, cst.AnnAssign) else None
    )
    if isinstance(value, cst.Call):
        return (
            kind_of(unit, value) is not None
        )  # what other calls give may be known elsewhere, or grow where it is read
    return isinstance(target, cst.Param) or isinstance(value, _FRESH)


def _keeps_attributes(unit: UnitTree, loop: cst.BaseStatement, node: cst.Attribute) -> bool:
    """Whether no attribute along the path `node` is stored to in the loop, and no unknown code runs that might."""
    path = {node.attr.value}
    root = unit.code(node).split(".")[0]
    if any(isinstance(each.value, cst.Name) and each.value.value == root for each in unit.within(loop, cst.Arg)):
        return False
    while isinstance(node.value, cst.Attribute):
        node = node.value
        path.add(node.attr.value)
    stored = {each.attr.value for each in unit.within(loop, cst.Attribute) if unit.is_target(each)}
    return not path & stored and not has_unknown_calls(unit, loop)


def _keeps_items_of(unit: UnitTree, loop: cst.BaseStatement, base: cst.Attribute) -> bool:
    """Whether all that the loop does with the container `base` is to read its items."""
    for each in unit.within(loop, cst.Attribute):
        if each.attr.value == base.attr.value:
            item = unit.parent(each)
            if not (isinstance(item, cst.Subscript) and item.value is each and not unit.is_target(item)):
                return False
    return True


def _is_sure(unit: UnitTree, node: cst.BaseExpression, loop: Loop) -> bool:
    """Whether to evaluate `node` before `loop` cannot fail where an empty loop would not have failed."""
    if not names_are_bound(unit, node, loop):
        return False
    return cannot_fail(unit, node, loop) or in_header(unit, loop, node) or _was_evaluated(unit, node, loop)


def _was_evaluated(unit: UnitTree, node: cst.BaseExpression, loop: Loop) -> bool:
    """Whether a statement above has evaluated the same, and nothing since then may have changed it."""
    place: cst.CSTNode | None = loop
    while place is not None:
        siblings = unit.siblings(place)
        for above in reversed(siblings[: next((i for i, each in enumerate(siblings) if each is place), 0)]):
            if not _is_invariant(unit, node, above):
                return False
            if evaluates(unit, above, node):
                return True
        place = next((each for each in unit.ancestors(place) if isinstance(each, cst.BaseStatement)), None)
        if not isinstance(place, (cst.If, cst.For, cst.While)) or not _is_invariant(unit, node, place):
            return False
        if evaluates(unit, place, node):
            return True
    return False


def _names_for(unit: UnitTree, node: cst.BaseExpression) -> list[str]:
    match node:
        case cst.Subscript(value=base, slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
            name = _last_name(base)
            wish = f"{name}_{_words(index)}"
            return [wish if len(wish) <= _MAX_NAME else "", f"{name}_item"]
        case cst.Attribute(value=base, attr=cst.Name(attr)):
            public = attr.strip("_")
            return [public, f"{_last_name(base)}_{public}"]
        case cst.Call(args=[cst.Arg(value=cst.Name(name))]):
            return [f"{name}_length", f"{name}_size"]
        case _:
            return [_words(node), "fixed_part", "fixed_term"]


def _last_name(node: cst.BaseExpression) -> str:
    return node.attr.value if isinstance(node, cst.Attribute) else cst.ensure_type(node, cst.Name).value


def _words(node: cst.BaseExpression) -> str:
    """An expression as part of a name; no identifier where it is too long."""
    match node:
        case cst.Name(value) | cst.Integer(value):
            return value
        case cst.BinaryOperation(left=cst.Name(left), right=cst.Name(right) | cst.Integer(right)):
            return f"{left}_{_WORDS.get(type(node.operator), '-')}_{right}"
        case _:
            return "-"


RULE = Rule(
    name="invariant-hoist",
    goals=(Goal.PERFORMANCE,),
    aspect="inner loops",
    why="What does not change in a loop need not be evaluated in it.",
    risk="Properties, operators and iterators may change what they do not seem to touch.",
    before="""\
def add(total: list, left: list, right: list):
    for i in range(len(total)):
        for j in range(len(total[i])):
            total[i][j] = left[i][j] + right[i][j]
""",
    after="""\
def add(total: list, left: list, right: list):
    for i in range(len(total)):
        total_i = total[i]
        for j in range(len(total_i)):
            total_i[j] = left[i][j] + right[i][j]
""",
    find=_find,
    order=55,
)
