"""Conditions: their truth values turned round, joined and told to be booleans."""

from __future__ import annotations

import libcst as cst

from burnish.backends.rules.kinds import kind_of
from burnish.backends.rules.tree import UnitTree

# Only these have an exact opposite: with NaN neither `a < b` nor `a >= b` holds.
_OPPOSITES: tuple[tuple[type[cst.BaseCompOp], str], ...] = (
    (cst.Equal, "!="),
    (cst.NotEqual, "=="),
    (cst.In, "not in"),
    (cst.NotIn, "in"),
    (cst.Is, "is not"),
    (cst.IsNot, "is"),
)
_LOOSE = (cst.BooleanOperation, cst.IfExp, cst.Lambda, cst.NamedExpr)


def negated(unit: UnitTree, test: cst.BaseExpression) -> str:
    """The source of what is true where `test` is false, without `not` where there is an exact opposite."""
    match test:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            return unit.code(inner)
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)]):
            for kind, sign in _OPPOSITES:
                if isinstance(operator, kind):
                    return f"{unit.code(left)} {sign} {unit.code(right)}"
    return f"not {operand(unit, test)}"


def operand(unit: UnitTree, test: cst.BaseExpression, *, of_and: bool = False) -> str:
    """The source of `test` as an operand of `not`, or of `and`, in parentheses where it needs them."""
    joined = of_and and isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And)
    loose = isinstance(test, _LOOSE) and not joined and not test.lpar
    return f"({unit.code(test)})" if loose else unit.code(test)


def is_boolean(unit: UnitTree, test: cst.BaseExpression) -> bool:
    """Whether the value of `test` is True or False, and not only taken for one."""
    match test:
        case cst.Comparison():
            return True
        case cst.BooleanOperation():
            return is_boolean(unit, test.left) and is_boolean(unit, test.right)
        case _:
            return kind_of(unit, test) == "bool"


def ends(body: cst.BaseSuite) -> bool:
    """Whether nothing runs on after `body`: its last statement leaves the block."""
    last = body.body[-1] if body.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, (cst.Return, cst.Raise, cst.Continue, cst.Break))
