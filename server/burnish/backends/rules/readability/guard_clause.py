"""A function, or a loop, whose rest is all in one `if`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.conditions import ends, is_readable_negated, negated
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import Edit, UnitTree
from burnish_analyzers.goal import Goal

_MIN_STATEMENTS = 3
_NESTS = (cst.If, cst.For, cst.While, cst.Try, cst.With)


def _find(unit: UnitTree) -> Iterator[Match]:
    for block in unit.find(cst.IndentedBlock):
        leave = _way_out(unit, block)
        last = block.body[-1]
        if leave is None or not isinstance(last, cst.If) or last.orelse is not None:
            continue
        if _is_long(last.body) and not ends(last.body) and is_readable_negated(last.test):
            guard = unit.statement(f"if {negated(unit, last.test)}:\n    {leave}\n", like=last)
            yield Match(
                node=last,
                problem="All that follows is one level deeper for a condition at its head.",
                change=f"Turn the condition round and `{leave}`.",
                edit=Edit(replace={last: cst.FlattenSentinel([guard, *last.body.body])}),
            )


def _way_out(unit: UnitTree, block: cst.IndentedBlock) -> str | None:
    """The statement that skips the rest of `block`, if it is a function's or a loop's body."""
    owner = unit.parent(block)
    if isinstance(owner, cst.FunctionDef):
        returns = (each for each in unit.within(block, cst.Return) if unit.scope(each) is unit.scope(block))
        return "return None" if any(each.value for each in returns) else "return"
    if isinstance(owner, (cst.For, cst.While)) and owner.body is block:
        return "continue"
    return None


def _is_long(body: cst.BaseSuite) -> bool:
    """Whether the level is worth saving: several statements, and more levels below."""
    if not isinstance(body, cst.IndentedBlock) or body.header.comment or body.footer:
        return False
    return len(body.body) >= _MIN_STATEMENTS and any(isinstance(each, _NESTS) for each in body.body)


RULE = Rule(
    name="guard-clause",
    goals=(Goal.READABILITY,),
    aspect="nesting",
    why="A case that is done with early need not be kept in mind.",
    before="""\
def send(mails, sender):
    for mail in mails:
        if mail.ready:
            mail.stamp()
            for address in mail.addresses:
                sender.send(mail, address)
            mail.close()
""",
    after="""\
def send(mails, sender):
    for mail in mails:
        if not mail.ready:
            continue
        mail.stamp()
        for address in mail.addresses:
            sender.send(mail, address)
        mail.close()
""",
    find=_find,
    order=45,
)
