"""What is sure before a loop runs: that a name is bound there, that an expression cannot fail there."""

from __future__ import annotations

import libcst as cst

from burnish.backends.rules.effects import has_unknown_calls, is_private, only_reads
from burnish.backends.rules.kinds import kind_of, kind_of_variable
from burnish.backends.rules.scopes import Occurrence
from burnish.backends.rules.tree import UnitTree

_SEQUENCES = ("list", "tuple", "str")
_SIZED = (*_SEQUENCES, "dict", "set", "bytes", "frozenset")
_CONDITIONAL = (cst.Assert, cst.Annotation, cst.With, cst.Try, cst.TryStar, cst.Match, cst.Lambda, cst.FunctionDef)


def names_are_bound(unit: UnitTree, node: cst.CSTNode, place: cst.CSTNode) -> bool:
    """Whether every variable that `node` reads has a value for sure where the statement `place` begins."""
    names = [each for each in unit.within(node, cst.Name) if unit.is_variable(each)]
    return all(_is_bound(unit, name, place) for name in names)


def _is_bound(unit: UnitTree, name: cst.Name, place: cst.CSTNode) -> bool:
    uses = unit.variable(name.value, unit.scope(name))
    if not uses:
        return name.value in unit.facts.bound or unit.is_builtin(name.value, name)
    return all(each.kind != "delete" for each in uses) and any(
        each.kind == "parameter" or _binds_above(unit, each, place) for each in uses if each.binds
    )


def _binds_above(unit: UnitTree, binding: Occurrence, place: cst.CSTNode) -> bool:
    """Whether the binding has run wherever `place` is come to."""
    if binding.scope is not unit.scope(place):
        return False
    statement = unit.statement_of(binding.node)
    if isinstance(statement, cst.For):
        return unit.contains(statement.target, binding.node) and unit.contains(statement.body, place)
    if not isinstance(statement, cst.SimpleStatementLine) or isinstance(unit.parent(binding.node), cst.NamedExpr):
        return False
    if any(isinstance(each, cst.AnnAssign) and each.value is None for each in statement.body):
        return False
    siblings = unit.siblings(statement)
    return any(unit.contains(each, place) for each in siblings[siblings.index(statement) + 1 :])


def evaluates(unit: UnitTree, statement: cst.CSTNode, node: cst.BaseExpression) -> bool:
    """Whether to run `statement` is to evaluate, at least once, an expression that reads as `node` does."""
    code, scope = unit.code(node), unit.scope(node)
    return any(
        each is not node and unit.scope(each) is scope and unit.code(each) == code and not unit.is_target(each)
        for each in unit.within(statement, type(node))
        if _is_unconditional(unit, statement, each)
    )


def in_header(unit: UnitTree, loop: cst.For | cst.While, node: cst.BaseExpression) -> bool:
    """Whether the head of `loop` evaluates what `node` says, so that it happens before the first turn."""
    if isinstance(loop, cst.While) and unit.contains(loop.test, node) and _is_unconditional(unit, loop, node):
        return True
    return evaluates(unit, loop, node)


def _is_unconditional(unit: UnitTree, statement: cst.CSTNode, node: cst.CSTNode) -> bool:
    inner = node
    for each in [*unit.ancestors(node)]:
        if inner is statement:
            return True
        if not _comes_first(each, inner):
            return False
        inner = each
    return inner is statement


def _comes_first(outer: cst.CSTNode, part: cst.CSTNode) -> bool:
    """Whether `outer` evaluates its `part` always."""
    match outer:
        case cst.BooleanOperation():
            return part is outer.left
        case cst.IfExp() | cst.If() | cst.While():
            return part is outer.test
        case cst.For() | cst.CompFor():
            return part is outer.iter
        case cst.Comparison():
            return part is outer.left or part is outer.comparisons[0]
        case cst.ListComp() | cst.SetComp() | cst.DictComp():
            return part is outer.for_in
        case cst.GeneratorExp():
            return part is outer.for_in
        case _:
            return not isinstance(outer, _CONDITIONAL)


def cannot_fail(unit: UnitTree, node: cst.BaseExpression, loop: cst.CSTNode) -> bool:
    """Whether `node`, whose names are bound, gives a value and has no effect wherever `loop` begins."""
    match node:
        case cst.BinaryOperation():
            return kind_of(unit, node) == "int"
        case cst.Call(args=[cst.Arg(value=cst.Name() as counted)]):
            return kind_of(unit, counted) in _SIZED
        case cst.Attribute(value=cst.Name(module)):
            imported = unit.facts.import_of(module) == f"import {module}"
            return imported and unit.scope(node).resolve(module) is None
        case cst.Subscript(value=cst.Name() as base, slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
            return _is_in_bounds(unit, base, index, loop)
        case _:
            return False


def _is_in_bounds(unit: UnitTree, base: cst.Name, index: cst.BaseExpression, place: cst.CSTNode) -> bool:
    """Whether a `for` around `place` counts the positions of the list `base` with the variable in `index`."""
    match index:
        case cst.Name() as counter:
            pass
        case cst.BinaryOperation(left=cst.Name() as counter, operator=cst.Subtract(), right=cst.Integer("1")):
            pass  # at worst the last item
        case _:
            return False
    loop = _counting_loop(unit, counter, place)
    stop = _stop_of(unit, loop.iter) if loop is not None else None
    if loop is None or stop is None or kind_of_variable(unit, base.value, unit.scope(base)) not in _SEQUENCES:
        return False
    counted = unit.calls_builtin(stop, "len")
    if counted is not None:
        return unit.code(stop) == f"len({base.value})" and _keeps_length_in(unit, base, loop)
    return _has_size(unit, base, stop)


def _counting_loop(unit: UnitTree, counter: cst.Name, place: cst.CSTNode) -> cst.For | None:
    """The loop around `place` that alone binds `counter`."""
    uses = unit.variable(counter.value, unit.scope(counter))
    for each in unit.ancestors(place):
        if isinstance(each, cst.For) and unit.contains(each.body, place):
            bindings = [use.node for use in uses if use.binds and unit.contains(each, use.node)]
            if isinstance(each.target, cst.Name) and bindings == [each.target]:
                return each
    return None


def _stop_of(unit: UnitTree, iterable: cst.BaseExpression) -> cst.BaseExpression | None:
    """``n`` in ``range(n)`` and ``range(1, n)``."""
    call = unit.calls_builtin(iterable, "range")
    match call.args if call else ():
        case [cst.Arg(value=stop, star="")] | [cst.Arg(value=cst.Integer()), cst.Arg(value=stop, star="")]:
            return stop
        case _:
            return None


def _keeps_length_in(unit: UnitTree, base: cst.Name, loop: cst.For) -> bool:
    scope = unit.scope(base)
    inside = [each for each in unit.variable(base.value, scope) if unit.contains(loop, each.node)]
    hidden = is_private(unit, base.value, scope) or not has_unknown_calls(unit, loop)
    return hidden and all(_keeps_length(unit, each) for each in inside)


def _keeps_length(unit: UnitTree, use: Occurrence) -> bool:
    """Whether this use only reads the list, or stores a single item."""
    item = unit.parent(use.node)
    if isinstance(item, cst.Subscript) and item.value is use.node and unit.is_target(item):
        is_item = len(item.slice) == 1 and isinstance(item.slice[0].slice, cst.Index)
        return is_item and not isinstance(unit.parent(item), cst.Del)
    return only_reads(unit, use)


def _has_size(unit: UnitTree, base: cst.Name, size: cst.BaseExpression) -> bool:
    """Whether `base` is a list that is made with `size` items and keeps them."""
    if not isinstance(size, (cst.Name, cst.Integer)) or (isinstance(size, cst.Name) and not _is_fixed(unit, size)):
        return False
    scope = unit.scope(base)
    uses = unit.variable(base.value, scope)
    others = [each for each in uses if not each.binds and not isinstance(unit.parent(each.node), cst.Return)]
    made = [_size_of(unit, each.node) for each in uses if each.binds]
    return (
        unit.is_local(base.value, scope)
        and made == [unit.code(size)]
        and all(_keeps_length(unit, each) for each in others)
    )


def _is_fixed(unit: UnitTree, name: cst.Name) -> bool:
    """Whether the local variable has one value only."""
    scope = unit.scope(name)
    return unit.is_local(name.value, scope) and sum(each.binds for each in unit.variable(name.value, scope)) == 1


def _size_of(unit: UnitTree, binding: cst.Name) -> str | None:
    """The source of the number of items that a list is made with."""
    target = unit.parent(binding)
    assign = unit.parent(target) if target is not None else None
    match assign:
        case cst.Assign(value=cst.BinaryOperation(left=cst.List(elements=[cst.Element()]), right=size, operator=sign)):
            return unit.code(size) if isinstance(sign, cst.Multiply) else None
        case cst.Assign(value=cst.ListComp(for_in=cst.CompFor(iter=iterable, ifs=[], inner_for_in=None))):
            call = unit.calls_builtin(iterable, "range")
            return unit.code(call.args[0].value) if call and len(call.args) == 1 and not call.args[0].star else None
        case _:
            return None
