"""One letter for the length of a collection that has a name."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.naming import free_name, singular
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import Edit, UnitTree
from burnish_analyzers.goal import Goal


def _find(unit: UnitTree) -> Iterator[Match]:
    for assign in unit.find(cst.Assign):
        match assign.targets, unit.calls_builtin(assign.value, "len"):
            case [cst.AssignTarget(target=cst.Name() as target)], cst.Call(args=[cst.Arg(value=counted)]):
                plural = _last_name(counted)
                one = singular(plural)
                name = free_name(unit, f"{one}_count") if one else None
                scope = unit.scope(target)
                uses = unit.variable(target.value, scope)
                once = sum(each.binds for each in uses) == 1
                if name and once and len(target.value) == 1 and unit.is_local(target.value, scope):
                    yield Match(
                        node=assign,
                        problem=f"`{target.value}` does not say that it counts `{plural}`.",
                        change=f"Name it `{name}`.",
                        edit=Edit(replace={each.node: each.node.with_changes(value=name) for each in uses}),
                    )


def _last_name(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


RULE = Rule(
    name="count-name",
    goals=(Goal.READABILITY,),
    aspect="names",
    why="A count that says of what needs no look at where it came from.",
    before="""\
def mean(prices):
    n = len(prices)
    return sum(prices) / n if n else 0.0
""",
    after="""\
def mean(prices):
    price_count = len(prices)
    return sum(prices) / price_count if price_count else 0.0
""",
    find=_find,
    order=82,
)
