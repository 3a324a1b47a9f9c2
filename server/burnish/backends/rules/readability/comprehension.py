"""A loop that only appends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from burnish.backends.rules.conditions import operand
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import LINE_LENGTH, Edit, UnitTree, binding_loop
from burnish_analyzers.goal import Goal

_UNFIT = (cst.Await, cst.Yield, cst.NamedExpr, cst.Lambda, cst.StarredElement)


@dataclass(frozen=True)
class _Append:
    """What the loop appends, to which list, and under which condition."""

    item: cst.BaseExpression
    list_name: str
    test: cst.BaseExpression | None = None


def _find(unit: UnitTree) -> Iterator[Match]:
    for loop in unit.loops():
        if not isinstance(loop, cst.For) or loop.orelse is not None:
            continue
        append = _append(loop.body)
        start = _empty_list(unit, loop, append.list_name) if append else None
        if append is None or start is None or not _keeps_meaning(unit, loop, append):
            continue
        text = _comprehension(unit, loop, append)
        line = unit.code(start).replace("[]", text)
        if "\n" in text or unit.width(loop) + len(line) > LINE_LENGTH:
            continue
        yield Match(
            node=loop,
            problem=f"Three steps build `{append.list_name}`, where one expression says it.",
            change="Write a list comprehension.",
            edit=Edit(replace={_list_of(start): cst.parse_expression(text), loop: cst.RemoveFromParent()}),
        )


def _append(body: cst.BaseSuite) -> _Append | None:
    match body:
        case cst.IndentedBlock(body=[cst.If(orelse=None, body=inner, test=test)]):
            append = _append(inner)
            return _Append(append.item, append.list_name, test) if append and append.test is None else None
        case cst.IndentedBlock(
            body=[
                cst.SimpleStatementLine(
                    body=[
                        cst.Expr(
                            value=cst.Call(
                                func=cst.Attribute(value=cst.Name(list_name), attr=cst.Name("append")),
                                args=[cst.Arg(value=item, keyword=None, star="")],
                            )
                        )
                    ]
                )
            ]
        ):
            return _Append(item, list_name)
        case _:
            return None


def _empty_list(unit: UnitTree, loop: cst.For, name: str) -> cst.Assign | cst.AnnAssign | None:
    """The assignment of `[]` to the list right above the loop."""
    above = unit.siblings(loop)
    place = above.index(loop) if loop in above else 0
    match above[place - 1] if place else None:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value))], value=cst.List(elements=[])) as assign]
        ) if value == name:
            return assign
        case cst.SimpleStatementLine(
            body=[cst.AnnAssign(target=cst.Name(value), value=cst.List(elements=[])) as assign]
        ) if value == name:
            return assign
        case _:
            return None


def _list_of(start: cst.Assign | cst.AnnAssign) -> cst.List:
    return cst.ensure_type(start.value, cst.List)


def _keeps_meaning(unit: UnitTree, loop: cst.For, append: _Append) -> bool:
    """Whether nobody sees the list while it grows, or the loop's variables afterwards."""
    scope = unit.scope(loop)
    if scope.kind == "class" or unit.has(loop, *_UNFIT) or unit.needs_frame(loop):
        return False
    if any(each.asynchronous for each in unit.within(loop, cst.CompFor)):
        return False
    in_try = any(isinstance(each, (cst.Try, cst.TryStar)) for each in unit.ancestors(loop))
    seen = [each for each in unit.variable(append.list_name, scope) if unit.contains(loop, each.node)]
    own = all(each.scope.frame is scope for each in unit.variable(append.list_name, scope))
    return own and not in_try and len(seen) == 1 and _targets_end_here(unit, loop)


def _targets_end_here(unit: UnitTree, loop: cst.For) -> bool:
    scope = unit.scope(loop)
    for name in unit.within(loop.target, cst.Name):
        uses = unit.variable(name.value, scope)
        if not unit.is_local(name.value, scope) or not all(binding_loop(unit, each) for each in uses):
            return False
        if any(unit.contains(loop.iter, each.node) for each in uses):
            return False
    return not unit.has(loop.target, cst.Attribute, cst.Subscript)


def _comprehension(unit: UnitTree, loop: cst.For, append: _Append) -> str:
    iterable = operand(unit, loop.iter) if isinstance(loop.iter, (cst.IfExp, cst.Lambda)) else unit.code(loop.iter)
    if isinstance(loop.iter, cst.Tuple) and not loop.iter.lpar:
        iterable = f"({iterable})"
    test = "" if append.test is None else f" if {_test(unit, append.test)}"
    item = unit.code(append.item)
    if isinstance(append.item, cst.GeneratorExp) and not append.item.lpar:
        item = f"({item})"
    return f"[{item} for {unit.code(loop.target)} in {iterable}{test}]"


def _test(unit: UnitTree, test: cst.BaseExpression) -> str:
    return operand(unit, test) if isinstance(test, cst.IfExp) else unit.code(test)


RULE = Rule(
    name="comprehension",
    goals=(Goal.READABILITY, Goal.PERFORMANCE),
    aspect="loops",
    why="A list comprehension says in one line, and does without a call for each item, what the loop spells out.",
    before="""\
def names(users):
    found = []
    for user in users:
        if user.active:
            found.append(user.name)
    return found
""",
    after="""\
def names(users):
    found = [user.name for user in users if user.active]
    return found
""",
    find=_find,
    order=65,
)
