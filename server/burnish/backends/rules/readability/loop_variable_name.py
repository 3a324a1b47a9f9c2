"""One letter for an item of a collection that has a name."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.naming import loop_name, singular
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.scopes import Occurrence
from burnish.backends.rules.tree import Edit, UnitTree, binding_loop
from burnish_analyzers.goal import Goal


def _find(unit: UnitTree) -> Iterator[Match]:
    loops: list[cst.For | cst.CompFor] = [*unit.find(cst.For), *unit.find(cst.CompFor)]
    for loop in loops:
        target, plural = _item_and_collection(unit, loop)
        if target is None or len(target.value) > 1 or target.value == "_":
            continue
        home = loop if isinstance(loop, cst.For) else unit.scope(loop).node
        uses = _uses(unit, target, home)
        name = loop_name(unit, home, singular(plural))
        if uses and name:
            yield Match(
                node=target,
                problem=f"`{target.value}` does not say that it is one of `{plural}`.",
                change=f"Name it `{name}`.",
                edit=Edit(replace={use.node: use.node.with_changes(value=name) for use in uses}),
            )


def _item_and_collection(unit: UnitTree, loop: cst.For | cst.CompFor) -> tuple[cst.Name | None, str]:
    """``x`` and "items" in ``for x in items``, ``for x in self.items`` or ``for i, x in enumerate(items)``."""
    target: cst.BaseExpression = loop.target
    collection = loop.iter
    counted = unit.calls_builtin(collection, "enumerate")
    if counted is not None and counted.args and isinstance(target, cst.Tuple) and len(target.elements) == 2:
        target, collection = target.elements[1].value, counted.args[0].value
    if isinstance(collection, cst.Attribute):
        collection = collection.attr
    plural = collection.value if isinstance(collection, cst.Name) else ""
    return (target if isinstance(target, cst.Name) else None), plural


def _uses(unit: UnitTree, target: cst.Name, home: cst.CSTNode) -> list[Occurrence]:
    """All uses of the variable in its loop; none where it lives on outside, or another function sees it."""
    scope = unit.scope(target)
    uses = unit.variable(target.value, scope)
    owner = scope.resolve(target.value)
    if owner is None or owner.kind == "class" or unit.reads_frame(scope):
        return []
    if any(each.scope.frame is not owner.frame or each.kind == "declaration" for each in uses):
        return []
    loops = [binding_loop(unit, each) for each in uses]
    inside = [each for each in uses if unit.contains(home, each.node)]
    # A loop inside that binds the same name again would go on with the new one.
    nested = any(loop is not home for loop, each in zip(loops, uses, strict=True) if unit.contains(home, each.node))
    return [] if None in loops or nested else inside


RULE = Rule(
    name="loop-variable-name",
    goals=(Goal.READABILITY,),
    aspect="names",
    why="An item is best called by the singular of its collection's name.",
    before="""\
def mails(users, orders):
    sent = [o.mail for o in orders]
    for u in users:
        sent.append(u.mail)
    return sent
""",
    after="""\
def mails(users, orders):
    sent = [order.mail for order in orders]
    for user in users:
        sent.append(user.mail)
    return sent
""",
    find=_find,
    order=80,
)
