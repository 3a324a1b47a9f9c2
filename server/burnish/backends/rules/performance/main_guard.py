"""Loops right under `if __name__ == "__main__":`."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.naming import free_name
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.scripts import (
    BLANK,
    Statement,
    bound_by,
    is_bound_before_read,
    is_reflective,
    main_function,
    statements_of,
)
from burnish.backends.rules.tree import Edit, UnitTree
from burnish_analyzers.goal import Goal


def _find(unit: UnitTree) -> Iterator[Match]:
    name = free_name(unit, "main", "run_script")
    guards = [each for each in unit.module.body if isinstance(each, cst.If) and _is_guard(unit, each)]
    if name is None or len(guards) != 1 or unit.text.count("__main__") != 1 or is_reflective(unit):
        return
    (guard,) = guards
    loops = [each for each in unit.loops() if unit.scope(each) is unit.index.module and unit.contains(guard, each)]
    body = guard.body
    if not loops or not isinstance(body, cst.IndentedBlock) or not _is_closed(unit, guard, statements_of(body)):
        return
    function, call = main_function(unit, name, statements_of(body))
    yield Match(
        node=loops[0],
        problem="Loops under the guard look up every variable by its name in the module's dictionary.",
        change=f"Put them in a function `{name}`, whose variables have fixed places.",
        edit=Edit(
            replace={body: unit.block([call])},
            before={guard: [function.with_changes(leading_lines=[BLANK, BLANK])]},
        ),
    )


def _is_guard(unit: UnitTree, statement: cst.If) -> bool:
    test = unit.code(statement.test).replace("'", '"')
    return test == '__name__ == "__main__"' and statement.orelse is None


def _is_closed(unit: UnitTree, guard: cst.If, body: list[Statement]) -> bool:
    """Whether the variables that the guard binds are its own, and no other code's."""
    names = bound_by(unit, body)
    uses = [each for name in names for each in unit.variable(name, unit.index.module)]
    own = all(unit.contains(guard, each.node) for each in uses)
    settled = all(is_bound_before_read(unit, name) for name in names & set(dir(builtins)))
    return own and settled and not unit.has(guard.body, cst.ClassDef, cst.ImportStar)


RULE = Rule(
    name="main-guard",
    goals=(Goal.PERFORMANCE,),
    aspect="variables",
    why="A function's variables are found by their place, those of a module by their name in a dictionary.",
    risk="Code that runs the script and looks at its variables no longer finds them.",
    before="""\
def double(number):
    return 2 * number


if __name__ == "__main__":
    total = 0
    for number in range(1000):
        total += double(number)
    print(total)
""",
    after="""\
def double(number):
    return 2 * number


def main():
    total = 0
    for number in range(1000):
        total += double(number)
    print(total)


if __name__ == "__main__":
    main()
""",
    find=_find,
    script=True,
    order=90,
)
