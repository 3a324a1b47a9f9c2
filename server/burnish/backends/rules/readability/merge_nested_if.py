"""An `if` that holds nothing but another."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.conditions import operand
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import LINE_LENGTH, Edit, UnitTree, leading_lines
from burnish_analyzers.goal import Goal


def _find(unit: UnitTree) -> Iterator[Match]:
    for outer in unit.find(cst.If):
        inner = _only_statement(outer)
        if inner is None or outer.orelse is not None or inner.orelse is not None:
            continue
        test = f"{operand(unit, outer.test, of_and=True)} and {operand(unit, inner.test, of_and=True)}"
        if "\n" in test or unit.width(outer) + len(f"{_keyword(unit, outer)} {test}:") > LINE_LENGTH:
            continue
        lines = [*outer.leading_lines, *leading_lines(inner)]
        merged = outer.with_changes(test=cst.parse_expression(test), body=inner.body, leading_lines=lines)
        yield Match(
            node=outer,
            problem="The two conditions decide one thing on two levels.",
            change="Join them with `and`.",
            edit=Edit(replace={outer: merged}),
        )


def _only_statement(outer: cst.If) -> cst.If | None:
    match outer.body:
        case cst.IndentedBlock(body=[cst.If() as inner], header=header, footer=[]) if header.comment is None:
            return inner
        case _:
            return None


def _keyword(unit: UnitTree, branch: cst.If) -> str:
    return "elif" if isinstance(unit.parent(branch), cst.If) else "if"


RULE = Rule(
    name="merge-nested-if",
    goals=(Goal.READABILITY,),
    aspect="nesting",
    why="One condition on one level is read at once.",
    before="""\
def deliver(order):
    if order.paid:
        if order.address or order.pickup:
            order.ship()
""",
    after="""\
def deliver(order):
    if order.paid and (order.address or order.pickup):
        order.ship()
""",
    find=_find,
    order=35,
)
