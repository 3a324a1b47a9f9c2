"""A string that grows on each turn of a loop."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.effects import last_use_above
from burnish.backends.rules.kinds import kind_of_variable
from burnish.backends.rules.naming import free_name
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import Edit, Loop, Statements, UnitTree
from burnish_analyzers.goal import Goal


def _find(unit: UnitTree) -> Iterator[Match]:
    for loop in unit.loops():
        names = {
            target.value for each in unit.within(loop, cst.AugAssign) if isinstance(target := each.target, cst.Name)
        }
        for name in sorted(names):
            pieces = _pieces(unit, loop, name)
            parts = free_name(unit, f"{name}_parts", f"{name}_pieces")
            if pieces and parts and _can_wait(unit, loop, name):
                yield _match(unit, loop, name, parts, pieces)


def _match(unit: UnitTree, loop: Loop, name: str, parts: str, pieces: dict[cst.CSTNode, cst.BaseExpression]) -> Match:
    start = _empty_start(unit, loop, name)
    replace: dict[cst.CSTNode, cst.CSTNode] = {
        line: line.with_changes(body=unit.simple(f"{parts}.append({unit.code(piece)})"))
        for line, piece in pieces.items()
    }
    if start is not None:
        replace[start] = start.with_changes(body=unit.simple(f"{parts} = []"))
    before: dict[cst.CSTNode, Statements] = {}
    if start is None:
        before[loop] = unit.statements(f"{parts} = [{name}]")
    return Match(
        node=loop,
        problem=f"`{name}` may be copied whole each time that it grows.",
        change=f"Collect the pieces in `{parts}` and join them once after the loop.",
        edit=Edit(replace=replace, before=before, after={loop: unit.statements(f'{name} = "".join({parts})')}),
    )


def _pieces(unit: UnitTree, loop: Loop, name: str) -> dict[cst.CSTNode, cst.BaseExpression]:
    """The lines ``name += piece`` of the loop with their pieces; none where it does anything else with `name`."""
    scope = unit.scope(loop)
    uses = [each for each in unit.variable(name, scope) if unit.contains(loop, each.node)]
    found: dict[cst.CSTNode, cst.BaseExpression] = {}
    for use in uses:
        growth = unit.parent(use.node)
        line = unit.parent(growth) if growth is not None else None
        match growth, line:
            case cst.AugAssign(operator=cst.AddAssign(), value=piece), cst.SimpleStatementLine(body=[_]):
                found[line] = piece
            case _:
                return {}
    is_string = kind_of_variable(unit, name, scope) == "str"
    return found if is_string and unit.is_local(name, scope) else {}


def _can_wait(unit: UnitTree, loop: Loop, name: str) -> bool:
    """Whether the string is complete early enough if it is joined after the loop."""
    outer = next((each for each in unit.ancestors(loop) if isinstance(each, (cst.For, cst.While))), None)
    if outer is not None and unit.repeats(loop, outer) and _pieces(unit, outer, name):
        return False  # the outer loop is the better place
    is_statement = unit.statement_of(loop) is loop
    in_try = any(isinstance(each, (cst.Try, cst.TryStar)) for each in unit.ancestors(loop))
    return is_statement and not in_try


def _empty_start(unit: UnitTree, loop: Loop, name: str) -> cst.SimpleStatementLine | None:
    """The line ``name = ""`` above the loop, if nothing in between speaks of `name`."""
    line = last_use_above(unit, loop, name)
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name())], value=cst.SimpleString('""' | "''"))]
        ):
            return line
        case _:
            return None


RULE = Rule(
    name="string-join",
    goals=(Goal.PERFORMANCE,),
    aspect="data structures",
    why="Strings cannot grow: each addition may copy all that is there.",
    risk="A piece that is no string raises its error only after the loop.",
    before="""\
def table(rows):
    text = ""
    for row in rows:
        text += f"{row}, "
        if row.last:
            text += "end"
    return text
""",
    after="""\
def table(rows):
    text_parts = []
    for row in rows:
        text_parts.append(f"{row}, ")
        if row.last:
            text_parts.append("end")
    text = "".join(text_parts)
    return text
""",
    find=_find,
)
