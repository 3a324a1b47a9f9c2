"""`best = min(best, value)` on each turn of a loop."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.effects import is_pure
from burnish.backends.rules.naming import temporary_name
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import Edit, UnitTree
from burnish_analyzers.goal import Goal

_SIGNS = {"min": "<", "max": ">"}


def _find(unit: UnitTree) -> Iterator[Match]:
    for assign in unit.find(cst.Assign):
        call = unit.calls_builtin(assign.value, *_SIGNS)
        line = unit.parent(assign)
        if call is None or len(assign.targets) != 1 or not isinstance(line, cst.SimpleStatementLine):
            continue
        if len(line.body) == 1 and unit.statement_of(assign) is line and _is_repeated(unit, line):
            new = _comparison(unit, assign.targets[0].target, call)
            if new is not None:
                # The comments above and behind the line stay with it.
                new = [new[0].with_changes(leading_lines=line.leading_lines), *new[1:]]
                yield _match(unit, line, new)


def _match(unit: UnitTree, line: cst.SimpleStatementLine, new: list[cst.BaseStatement]) -> Match:
    return Match(
        node=line,
        problem="Each turn of the loop calls a function for one comparison, and stores even what did not change.",
        change="Compare, and store only a better value.",
        edit=Edit(replace={line: cst.FlattenSentinel(new)}),
    )


def _is_repeated(unit: UnitTree, line: cst.CSTNode) -> bool:
    loops = (each for each in unit.ancestors(line) if isinstance(each, (cst.For, cst.While)))
    return any(unit.repeats(line, loop) for loop in loops)


def _comparison(unit: UnitTree, target: cst.BaseExpression, call: cst.Call) -> list[cst.BaseStatement] | None:
    """The statements for ``target = min(target, value)`` or ``target = min(value, target)``."""
    if len(call.args) != 2 or any(each.star or each.keyword for each in call.args):
        return None
    where, (first, second) = unit.code(target), (unit.code(each.value) for each in call.args)
    if (first == where) == (second == where) or not _is_settled(unit, target):
        return None
    value = call.args[1 if first == where else 0].value
    if not (isinstance(target, cst.Name) or is_pure(unit, value)) or unit.has(
        value, cst.NamedExpr, cst.Await, cst.Yield
    ):
        return None
    sign = _SIGNS[cst.ensure_type(call.func, cst.Name).value]
    simple = isinstance(value, (cst.Name, cst.Integer))
    name = unit.code(value) if simple else temporary_name(unit, target, "candidate", "contender", "new_value")
    if name is None:
        return None
    # min() and max() give the first of equal values, and the first where a comparison is false, as with NaN.
    test = f"{name} {sign} {where}" if first == where else f"not {where} {sign} {name}"
    lines = f"if {test}:\n    {where} = {name}\n"
    return unit.statements(lines if simple else f"{name} = {unit.code(value)}\n{lines}")


def _is_settled(unit: UnitTree, target: cst.BaseExpression) -> bool:
    """Whether `target` means the same place before and after evaluating a harmless value."""
    if isinstance(target, cst.Name):
        uses = unit.variable(target.value, unit.scope(target))
        return all(each.scope.frame is unit.scope(target).frame for each in uses if each.binds)
    return isinstance(target, (cst.Subscript, cst.Attribute)) and is_pure(unit, target)


RULE = Rule(
    name="min-max-compare",
    goals=(Goal.PERFORMANCE,),
    aspect="inner loops",
    why="A call of min() or max() with two values costs several times the comparison that it makes.",
    risk="Objects whose comparison or item assignment has effects of its own.",
    before="""\
def cheapest(offers, limits):
    best = 10**9
    for offer in offers:
        best = min(best, offer.price * offer.amount)
    return best
""",
    after="""\
def cheapest(offers, limits):
    best = 10**9
    for offer in offers:
        candidate = offer.price * offer.amount
        if candidate < best:
            best = candidate
    return best
""",
    find=_find,
    order=60,
)
