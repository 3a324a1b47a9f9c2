"""`input()` line by line."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.imports import importing_module
from burnish.backends.rules.naming import free_name
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.scopes import COMPREHENSIONS
from burnish.backends.rules.tree import Edit, Replacement, UnitTree
from burnish_analyzers.goal import Goal

# Where the newline that input() takes off makes no difference.
_TOLERANT_CALLS = ("int", "float", "eval")
_TOLERANT_METHODS = ("split", "strip", "rstrip")


def _find(unit: UnitTree) -> Iterator[Match]:
    calls = _calls(unit)
    if not any(_is_repeated(unit, call) for call in calls) or _depends_on_input(unit):
        return
    name = free_name(unit, "readline", "read_line", "next_line")
    place = next((each for each in unit.module.body if not _is_import(each)), None)
    imports = importing_module(unit, "sys", place) if place is not None else None
    if name is None or place is None or imports is None:
        return
    replace: dict[cst.CSTNode, Replacement] = {}
    for call in calls:
        text = f"{name}()" if _tolerates_newline(unit, call) else f'{name}().rstrip("\\n")'
        replace[call] = cst.parse_expression(text)
    yield Match(
        node=calls[0],
        problem="input() does much besides reading a line, for each line.",
        change="Read the lines with `sys.stdin.readline`.",
        edit=Edit(replace=replace, before={place: unit.statements(f"{name} = sys.stdin.readline")}),
        imports=imports,
    )


def _calls(unit: UnitTree) -> list[cst.Call]:
    """All calls ``input()``; none if the name is used in any other way."""
    calls = []
    for use in unit.index.occurrences.get("input", ()):
        call = unit.calls_builtin(unit.parent(use.node), "input")
        if call is None or call.args:
            return []
        calls.append(call)
    return calls


def _is_repeated(unit: UnitTree, call: cst.Call) -> bool:
    """Whether the script makes the call again and again: in a loop, or in a function that it calls more than once."""
    around = [*unit.ancestors(call)]
    functions = [each for each in around if isinstance(each, cst.FunctionDef)]
    calls = [use.node for each in functions for use in unit.index.occurrences[each.name.value] if use.kind == "load"]
    return len(calls) > 1 or any(_is_in_loop(unit, node) for node in [call, *calls])


def _is_in_loop(unit: UnitTree, node: cst.CSTNode) -> bool:
    return any(isinstance(each, (cst.For, cst.While, *COMPREHENSIONS)) for each in unit.ancestors(node))


def _depends_on_input(unit: UnitTree) -> bool:
    """Whether the script handles the end of its input, or puts another stream in its place."""
    swaps = any(unit.is_target(each) and each.attr.value == "stdin" for each in unit.find(cst.Attribute))
    return swaps or bool(unit.find(cst.Try) or unit.find(cst.TryStar))


def _is_import(statement: cst.CSTNode) -> bool:
    """Whether `statement` belongs to the docstring and imports that the script starts with."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    texts = (cst.SimpleString, cst.ConcatenatedString)
    return all(
        isinstance(each, (cst.Import, cst.ImportFrom)) or (isinstance(each, cst.Expr) and isinstance(each.value, texts))
        for each in statement.body
    )


def _tolerates_newline(unit: UnitTree, call: cst.Call) -> bool:
    parent = unit.parent(call)
    match parent:
        case cst.Attribute(attr=cst.Name(method)):
            outer = unit.parent(parent)
            return isinstance(outer, cst.Call) and not outer.args and method in _TOLERANT_METHODS
        case cst.Arg():
            outer = unit.calls_builtin(unit.parent(parent), *_TOLERANT_CALLS)
            return outer is not None and len(outer.args) == 1
        case _:
            return False


RULE = Rule(
    name="input-readline",
    goals=(Goal.PERFORMANCE,),
    aspect="input and output",
    why="input() flushes, prompts and checks the terminal for each line.",
    risk="At the end of the input there is an empty line instead of an EOFError.",
    before="""\
n = int(input())
names = [input() for _ in range(n)]
print(*sorted(names))
""",
    after="""\
import sys
readline = sys.stdin.readline
n = int(readline())
names = [readline().rstrip("\\n") for _ in range(n)]
print(*sorted(names))
""",
    find=_find,
    script=True,
    order=70,
)
