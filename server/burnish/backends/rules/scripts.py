"""The code on a script's top level, and what it takes to move it into a function."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from burnish.backends.rules.tree import UnitTree

# Modules that look things up in the main module by name.
_LOOKS_INTO_MAIN = ("doctest", "multiprocessing", "concurrent", "pickle", "timeit", "unittest")
BLANK = cst.EmptyLine(indent=False)

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def statements_of(module: cst.Module | cst.IndentedBlock) -> list[Statement]:
    """The statements of a module or block."""
    return [each for each in module.body if isinstance(each, (cst.SimpleStatementLine, cst.BaseCompoundStatement))]


def main_function(
    unit: UnitTree, name: str, body: Sequence[Statement]
) -> tuple[cst.FunctionDef, cst.SimpleStatementLine]:
    """``def name():`` around statements that stood on the top level, and its call."""
    first, *rest = (each.with_changes(leading_lines=[*map(_unindented, each.leading_lines)]) for each in body)
    shell, call = unit.statements(f"def {name}():\n    pass\n{name}()\n")
    function = cst.ensure_type(shell, cst.FunctionDef).with_changes(
        body=unit.block([without_blank_lines(first), *rest])
    )
    return function, cst.ensure_type(call, cst.SimpleStatementLine)


def is_reflective(unit: UnitTree) -> bool:
    """Whether anything may look at the module's variables from outside, or by name."""
    modules = {statement.split()[1].split(".")[0] for _, statement in unit.facts.imports}
    scopes = {unit.scope(node) for node in unit.find(cst.Name)}
    return (
        bool(modules.intersection(_LOOKS_INTO_MAIN))
        or bool(unit.find(cst.Global))
        or unit.facts.is_open
        or any(unit.reads_frame(scope) for scope in scopes)
    )


def bound_by(unit: UnitTree, statements: Sequence[Statement]) -> set[str]:
    """The script's variables that these statements bind."""
    module = unit.index.module
    return {
        name
        for name, uses in unit.index.occurrences.items()
        for each in uses
        if each.binds
        and each.scope.resolve(name) is module
        and any(unit.contains(one, each.node) for one in statements)
    }


def is_bound_before_read(unit: UnitTree, name: str) -> bool:
    """Whether no read of `name` can mean the builtin, or import, of that name."""
    uses = unit.variable(name, unit.index.module)
    first = min((each.node for each in uses if each.binds), key=unit.place)
    statement = unit.statement_of(first)
    if statement is None:
        return False
    block = unit.parent(statement)
    head = statement.iter if isinstance(statement, cst.For) else statement
    return block is not None and all(
        unit.contains(block, each.node)
        and unit.place(each.node) > unit.place(first)
        and not unit.contains(head, each.node)
        for each in uses
        if each.kind == "load"
    )


def _unindented(line: cst.EmptyLine) -> cst.EmptyLine:
    """A blank line stays blank in a block."""
    return line if line.comment else line.with_changes(indent=False)


def without_blank_lines(statement: Statement) -> Statement:
    """The statement with what stands above it from its first comment on."""
    lines = list(statement.leading_lines)
    while lines and lines[0].comment is None:
        lines.pop(0)
    return statement.with_changes(leading_lines=lines)
