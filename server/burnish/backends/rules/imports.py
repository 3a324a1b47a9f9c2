"""Imports that a rewrite needs: found in the module, or to be added."""

from __future__ import annotations

import libcst as cst

from burnish.backends.rules.tree import UnitTree


def importing(unit: UnitTree, module: str, name: str, node: cst.CSTNode) -> tuple[str, tuple[str, ...]] | None:
    """How to write ``module.name`` at `node`, and the imports to add for it; None where the names are taken."""
    statement = f"from {module} import {name}"
    if _is_imported(unit, name, statement, node):
        return name, ()
    if _is_imported(unit, module, f"import {module}", node):
        return f"{module}.{name}", ()
    if unit.facts.has_error or not unit.is_free(name):
        return None
    return name, (statement,)


def importing_module(unit: UnitTree, module: str, node: cst.CSTNode) -> tuple[str, ...] | None:
    """The imports to add so that ``module`` means the module at `node`; None where the name is taken."""
    statement = f"import {module}"
    if _is_imported(unit, module, statement, node):
        return ()
    return None if unit.facts.has_error or not unit.is_free(module) else (statement,)


def _is_imported(unit: UnitTree, name: str, statement: str, node: cst.CSTNode) -> bool:
    """Whether the module imports `name` by `statement` before `node` runs, and nothing else binds it."""
    if unit.facts.import_of(name) != statement:
        return False
    bindings = [each for each in unit.index.occurrences.get(name, ()) if each.binds]
    if not unit.script:
        return not bindings
    return (
        len(bindings) == 1
        and bindings[0].kind == "import"
        and bindings[0].scope is unit.index.module
        and unit.place(bindings[0].node) < unit.place(node)
    )


def add_to_script(text: str, imports: tuple[str, ...]) -> str:
    """A script's text with these imports at its top: below its docstring and the imports that it starts with."""
    if not imports:
        return text
    module = cst.parse_module(text)
    place = 0
    for number, statement in enumerate(module.body):
        if not _opens_module(statement, first=number == 0):
            break
        place = number + 1
    added = [cst.parse_statement(each) for each in imports]
    if place == 0 and module.body and isinstance(module.body[0], cst.BaseCompoundStatement):
        added.append(module.body[0].with_changes(leading_lines=[cst.EmptyLine(), *module.body[0].leading_lines]))
        return module.with_changes(body=[*added, *module.body[1:]]).code
    return module.with_changes(body=[*module.body[:place], *added, *module.body[place:]]).code


def _opens_module(statement: cst.CSTNode, *, first: bool) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    is_docstring = isinstance(statement.body[0], cst.Expr) and isinstance(
        statement.body[0].value, (cst.SimpleString, cst.ConcatenatedString)
    )
    return (first and is_docstring) or all(isinstance(each, (cst.Import, cst.ImportFrom)) for each in statement.body)
