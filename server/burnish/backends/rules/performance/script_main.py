"""Loops on the top level of a script."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from burnish.backends.rules.effects import is_pure
from burnish.backends.rules.naming import free_name
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.scopes import Scope
from burnish.backends.rules.scripts import (
    BLANK,
    Statement,
    bound_by,
    is_bound_before_read,
    is_reflective,
    main_function,
    statements_of,
    without_blank_lines,
)
from burnish.backends.rules.tree import Edit, UnitTree
from burnish_analyzers.goal import Goal

_DEFINITIONS = (cst.FunctionDef, cst.ClassDef)


def _find(unit: UnitTree) -> Iterator[Match]:
    name = free_name(unit, "main", "run_script")
    loops = [each for each in unit.loops() if unit.scope(each) is unit.index.module]
    if name is None or not loops or is_reflective(unit) or "__main__" in unit.text:
        return
    plan = _plan(unit, statements_of(unit.module))
    if plan is None or not any(unit.contains(each, loops[0]) for each in plan.moved):
        return
    yield Match(
        node=loops[0],
        problem="Loops on the top level look up every variable by its name in the module's dictionary.",
        change=f"Put them in a function `{name}`, whose variables have fixed places.",
        edit=Edit(replace={unit.module: unit.module.with_changes(body=_layout(unit, name, plan))}),
    )


@dataclass(frozen=True)
class _Plan:
    """Which statements stay on the top level, and which become the function's body; both in source order."""

    kept: list[Statement]
    moved: list[Statement]


def _plan(unit: UnitTree, statements: Sequence[Statement]) -> _Plan | None:
    kept = _can_stay(unit, statements)
    while True:
        moved_names = bound_by(unit, [each for each in statements if each not in kept])
        drawn = {each for each in kept if _names_in(unit, each) & moved_names}
        if not drawn:
            break
        kept -= drawn
    plan = _Plan([each for each in statements if each in kept], [each for each in statements if each not in kept])
    return plan if plan.moved and _keeps_meaning(unit, plan, moved_names) else None


def _can_stay(unit: UnitTree, statements: Sequence[Statement]) -> set[Statement]:
    """Definitions and imports, and the constants that the script begins with."""
    kept: set[Statement] = set()
    in_head = True
    for number, each in enumerate(statements):
        is_definition = isinstance(each, _DEFINITIONS) or _is_import(each)
        in_head = in_head and (is_definition or _is_constant(unit, each) or (number == 0 and _is_docstring(each)))
        if is_definition or in_head:
            kept.add(each)
    return kept


def _is_import(statement: Statement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(each, (cst.Import, cst.ImportFrom)) for each in statement.body
    )


def _is_docstring(statement: Statement) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString())]):
            return True
        case _:
            return False


def _is_constant(unit: UnitTree, statement: Statement) -> bool:
    """Whether `statement` gives the one value that a name ever has, from nothing but literals and such names."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value)]):
            bindings = [each for each in unit.variable(name, unit.index.module) if each.binds]
            literal = is_pure(unit, value) and not unit.has(value, cst.Call)
            return (
                len(bindings) == 1
                and literal
                and all(_is_of_module(unit, each) for each in unit.within(value, cst.Attribute))
            )
        case _:
            return False


def _is_of_module(unit: UnitTree, attribute: cst.Attribute) -> bool:
    """Whether this is an attribute along a path that starts with an imported name."""
    node: cst.BaseExpression = attribute
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name) and unit.facts.import_of(node.value) is not None


def _names_in(unit: UnitTree, statement: Statement) -> set[str]:
    """The script's variables that `statement` reads or binds."""
    module: Scope = unit.index.module
    return {
        name.value
        for name in unit.within(statement, cst.Name)
        if unit.is_variable(name) and unit.scope(name).resolve(name.value) is module
    }


def _keeps_meaning(unit: UnitTree, plan: _Plan, moved_names: set[str]) -> bool:
    first = unit.place(plan.moved[0])
    hoisted = [each for each in plan.kept if unit.place(each) > first]
    star = any(isinstance(each.names, cst.ImportStar) for each in unit.find(cst.ImportFrom))
    risky = moved_names if star else moved_names & set(dir(builtins))
    return (
        not any(isinstance(each, cst.ClassDef) for each in plan.moved)
        and not any(_has_star(each) for each in plan.moved)
        and all(_can_come_first(unit, plan, each) for each in hoisted)
        and all(is_bound_before_read(unit, name) for name in risky)
        and not any(name.startswith("__") for name in moved_names)
    )


def _has_star(statement: Statement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and any(
        isinstance(each, cst.ImportFrom) and isinstance(each.names, cst.ImportStar) for each in statement.body
    )


def _can_come_first(unit: UnitTree, plan: _Plan, statement: Statement) -> bool:
    """Whether a definition or import can run before the code that stands above it."""
    if isinstance(statement, _DEFINITIONS):
        parameters = statement.params if isinstance(statement, cst.FunctionDef) else None
        defaults = [each.default for each in unit.within(parameters, cst.Param) if each.default] if parameters else []
        if statement.decorators or not parameters or not all(is_pure(unit, each) for each in defaults):
            return False
    names = bound_by(unit, [statement])
    return not any(
        each.node in unit.index.spans and unit.place(each.node) < unit.place(statement)
        for name in names
        for each in unit.variable(name, unit.index.module)
        if any(unit.contains(one, each.node) for one in plan.moved)
    )


def _layout(unit: UnitTree, name: str, plan: _Plan) -> list[Statement]:
    function, call = main_function(unit, name, plan.moved)
    function = function.with_changes(leading_lines=[BLANK, BLANK] if plan.kept else [])
    kept = [without_blank_lines(each) if each is plan.kept[0] else each for each in plan.kept]
    return [*kept, function, call.with_changes(leading_lines=[BLANK, BLANK])]


RULE = Rule(
    name="script-main",
    goals=(Goal.PERFORMANCE,),
    aspect="variables",
    why="A function's variables are found by their place, those of a module by their name in a dictionary.",
    risk="Code that imports the script no longer finds the variables.",
    before="""\
import math

LIMIT = 1000

def is_square(number):
    return math.isqrt(number) ** 2 == number

total = 0
for number in range(LIMIT):
    if is_square(number):
        total += number
print(total)
""",
    after="""\
import math

LIMIT = 1000

def is_square(number):
    return math.isqrt(number) ** 2 == number


def main():
    total = 0
    for number in range(LIMIT):
        if is_square(number):
            total += number
    print(total)


main()
""",
    find=_find,
    script=True,
    order=90,
)
