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
# These have one only between values of which none is incomparable.
_ORDERED_OPPOSITES: tuple[tuple[type[cst.BaseCompOp], str], ...] = (
    (cst.LessThan, ">="),
    (cst.GreaterThanEqual, "<"),
    (cst.GreaterThan, "<="),
    (cst.LessThanEqual, ">"),
)
_LOOSE = (cst.BooleanOperation, cst.IfExp, cst.Lambda, cst.NamedExpr)


def negated(unit: UnitTree, test: cst.BaseExpression) -> str:
    """The source of what is true where `test` is false, without `not` where there is an exact opposite."""
    compared = _compared_with_constant(unit, test)
    if compared is not None:
        value, positive = compared
        return negated(unit, value) if positive else unit.code(value)
    match test:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            return bare(unit, inner)
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)]):
            ordered = kind_of(unit, left) == kind_of(unit, right) and kind_of(unit, left) in ("int", "str")
            for kind, sign in (*_OPPOSITES, *(_ORDERED_OPPOSITES if ordered else ())):
                if isinstance(operator, kind):
                    return f"{unit.code(left)} {sign} {unit.code(right)}"
    return f"not {operand(unit, test)}"


def plain(unit: UnitTree, test: cst.BaseExpression) -> str:
    """The source of `test`, a boolean's comparison with True or False written as the boolean itself or its opposite."""
    compared = _compared_with_constant(unit, test)
    if compared is None:
        return bare(unit, test)
    value, positive = compared
    return unit.code(value) if positive else negated(unit, value)


def bare(unit: UnitTree, test: cst.BaseExpression) -> str:
    """The source of `test` without the parentheses around it that a whole condition or value does not need."""
    text = unit.code(test)
    is_needed = "\n" in text or "#" in text or not isinstance(test, (cst.Comparison, cst.BooleanOperation, cst.Name))
    return text if is_needed else unit.code(test.with_changes(lpar=[], rpar=[]))


def _compared_with_constant(unit: UnitTree, test: cst.BaseExpression) -> tuple[cst.BaseExpression, bool] | None:
    """What is known to be a boolean in ``found == True`` or ``found != False``, and whether `test` is the same."""
    match test:
        case cst.Comparison(
            left=value,
            comparisons=[
                cst.ComparisonTarget(operator=operator, comparator=cst.Name("True" | "False" as constant)),
            ],
        ) if kind_of(unit, value) == "bool":
            if isinstance(operator, (cst.Equal, cst.Is)):
                return value, constant == "True"
            return (value, constant == "False") if isinstance(operator, (cst.NotEqual, cst.IsNot)) else None
        case _:
            return None


def is_readable_negated(test: cst.BaseExpression) -> bool:
    """Whether the opposite of `test` needs no `not` around an `and` or `or` that has one inside already."""
    return not (isinstance(test, cst.BooleanOperation) and _has_negation(test))


def _has_negation(test: cst.BaseExpression) -> bool:
    match test:
        case cst.BooleanOperation():
            return _has_negation(test.left) or _has_negation(test.right)
        case cst.UnaryOperation(operator=cst.Not()):
            return True
        case cst.Comparison():
            return any(isinstance(each.operator, (cst.NotIn, cst.IsNot)) for each in test.comparisons)
        case _:
            return False


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
