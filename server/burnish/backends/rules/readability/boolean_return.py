"""`if test: return True`, `else: return False`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.conditions import bare, is_boolean, is_readable_negated, negated, plain
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import LINE_LENGTH, Edit, Replacement, UnitTree
from burnish_analyzers.goal import Goal


def _find(unit: UnitTree) -> Iterator[Match]:
    for branch in unit.find(cst.If):
        if unit.statement_of(branch) is not branch:
            continue
        other = _other_return(unit, branch)
        values = (_returned(branch.body), _returned(other) if other is not None else None)
        if values not in (("True", "False"), ("False", "True")):
            continue
        text = _value(unit, branch.test, positive=values[0] == "True")
        if text is None or unit.width(branch) + len(f"return {text}") > LINE_LENGTH:
            continue
        replace: dict[cst.CSTNode, Replacement] = {branch: unit.statement(f"return {text}", like=branch)}
        if isinstance(other, cst.SimpleStatementLine):
            replace[other] = cst.RemoveFromParent()
        yield Match(
            node=branch,
            problem="Two branches return what the condition already is.",
            change="Return the condition.",
            edit=Edit(replace=replace),
        )


def _other_return(unit: UnitTree, branch: cst.If) -> cst.CSTNode | None:
    """The body of the `else`, or the line right below the `if`."""
    if isinstance(branch.orelse, cst.Else):
        return branch.orelse.body
    if branch.orelse is not None:
        return None
    siblings = unit.siblings(branch)
    place = siblings.index(branch) + 1
    return siblings[place] if place < len(siblings) else None


def _returned(node: cst.CSTNode) -> str | None:
    """The name that is returned, where `node` does nothing else."""
    match node:
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.Name(value))]):
            return value
        case cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Return(value=cst.Name(value))])]):
            return value
        case _:
            return None


def _value(unit: UnitTree, test: cst.BaseExpression, *, positive: bool) -> str | None:
    """The source of a boolean that is true where `test` is, or where it is not."""
    if not positive and isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _value(unit, test.expression, positive=True)
    if not positive:
        return negated(unit, test) if is_readable_negated(test) else None
    if is_boolean(unit, test):
        return plain(unit, test)
    return f"bool({bare(unit, test)})" if unit.is_builtin("bool", test) else None


RULE = Rule(
    name="boolean-return",
    goals=(Goal.READABILITY,),
    aspect="conditions",
    why="A condition is a value already.",
    risk="A comparison of arrays or of symbols is no boolean.",
    before="""\
def is_adult(person):
    if person.age >= 18 and not person.is_robot:
        return True
    return False
""",
    after="""\
def is_adult(person):
    return person.age >= 18 and not person.is_robot
""",
    find=_find,
    order=30,
)
