"""`else` after a branch that has left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from burnish.backends.rules.conditions import ends
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import Edit, UnitTree
from burnish_analyzers.goal import Goal


def _find(unit: UnitTree) -> Iterator[Match]:
    for branch in unit.find(cst.If):
        if branch.orelse is None or not ends(branch.body) or unit.statement_of(branch) is not branch:
            continue
        rest = _rest(branch.orelse)
        if rest is not None:
            alone = branch.with_changes(orelse=None)
            yield Match(
                node=branch,
                problem="The `else` adds a level to code that is reached only if the branch above has not left.",
                change="Leave the `else` out.",
                edit=Edit(replace={branch: cst.FlattenSentinel([alone, *rest])}),
            )


def _rest(orelse: cst.If | cst.Else) -> Sequence[cst.BaseStatement] | None:
    """What follows the branch; None where a comment would lose its line."""
    if isinstance(orelse, cst.If):
        return [orelse]
    body = orelse.body
    if not isinstance(body, cst.IndentedBlock) or body.header.comment or body.footer:
        return None
    first, *others = (each for each in body.body if isinstance(each, cst.BaseStatement))
    lines = [*orelse.leading_lines, *getattr(first, "leading_lines", ())]
    return [first.with_changes(leading_lines=lines), *others]


RULE = Rule(
    name="else-after-return",
    goals=(Goal.READABILITY,),
    aspect="nesting",
    why="After a return, raise, continue or break, all that follows is the other case already.",
    before="""\
def sign(number):
    if number < 0:
        return -1
    elif number > 0:
        return 1
    else:
        return 0
""",
    after="""\
def sign(number):
    if number < 0:
        return -1
    if number > 0:
        return 1
    return 0
""",
    find=_find,
    order=40,
)
