"""`int(eval(input()))`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import Edit, UnitTree
from burnish_analyzers.goal import Goal

_READERS = ("input", "readline")


def _find(unit: UnitTree) -> Iterator[Match]:
    for call in unit.find(cst.Call):
        match call.args:
            case [cst.Arg(keyword=None, star="", value=cst.Call() as text)] if _reads_line(unit, text):
                if unit.calls_builtin(call, "eval") and _becomes_number(unit, call):
                    yield Match(
                        node=call,
                        problem="eval() compiles and runs as code what is typed in as a number.",
                        change="Give the text straight to the conversion.",
                        edit=Edit(replace={call: text}),
                    )


def _reads_line(unit: UnitTree, call: cst.Call) -> bool:
    return not call.args and unit.code(call.func).rpartition(".")[2] in _READERS


def _becomes_number(unit: UnitTree, call: cst.Call) -> bool:
    """Whether `call` is the argument of int() or float(), or an item of a comprehension that map() gives to them."""
    parent = unit.parent(call)
    if isinstance(parent, cst.Arg):
        return unit.calls_builtin(unit.parent(parent), "int", "float") is not None
    if not isinstance(parent, (cst.ListComp, cst.GeneratorExp)) or parent.elt is not call:
        return False
    argument = unit.parent(parent)
    mapping = unit.calls_builtin(unit.parent(argument), "map") if isinstance(argument, cst.Arg) else None
    match mapping:
        case cst.Call(args=[cst.Arg(value=cst.Name("int" | "float") as function), _]):
            return unit.is_builtin(function.value, function)
        case _:
            return False


RULE = Rule(
    name="eval-number",
    goals=(Goal.PERFORMANCE,),
    aspect="input and output",
    why="Compiling a line as code takes many times as long as reading a number, and runs whatever is typed.",
    risk="A typed expression such as 2*3, or 1.5 for int(), is refused.",
    before="""\
def read_all(count):
    return [int(eval(input())) for _ in range(count)]
""",
    after="""\
def read_all(count):
    return [int(input()) for _ in range(count)]
""",
    find=_find,
    order=40,
)
