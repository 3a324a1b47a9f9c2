"""Units agree with `ast`, and replies land, in code that nobody wrote for this: a sample of the standard library."""

from __future__ import annotations

import ast
import sysconfig
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnish_analyzers.source.reply import fit_reply
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import UnitKind, unit_at, units

FOLDER = Path(sysconfig.get_paths()["stdlib"])
FILES = sorted(path for path in FOLDER.glob("*.py") if path.stat().st_size < 60_000)[::2][:60]

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def definitions(node: ast.AST, scopes: tuple[Definition, ...] = ()) -> Iterator[tuple[Definition, ...]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Definition):
            yield (*scopes, child)
            yield from definitions(child, (*scopes, child))
        else:
            yield from definitions(child, scopes)


def described(scopes: tuple[Definition, ...]) -> tuple[str, str, int, bool]:
    node = scopes[-1]
    kind = UnitKind.FUNCTION
    if isinstance(node, ast.ClassDef):
        kind = UnitKind.CLASS
    elif len(scopes) > 1 and isinstance(scopes[-2], ast.ClassDef):
        kind = UnitKind.METHOD
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return ".".join(scope.name for scope in scopes), kind, first, isinstance(node, ast.AsyncFunctionDef)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_names_kinds_and_lines(path: Path) -> None:
    snapshot = Snapshot.read(path)
    expected = sorted(definitions(ast.parse(path.read_bytes())), key=lambda scopes: scopes[-1].lineno)
    found = units(snapshot)
    assert [(u.qualname, u.kind, u.start_line, u.is_async) for u in found] == [described(scopes) for scopes in expected]
    for unit, scopes in zip(found, expected, strict=True):
        end = scopes[-1].end_lineno
        assert end is not None
        beyond = [snapshot.lines.line_span(line).of(snapshot.text).strip() for line in range(end, unit.end_line)]
        assert all(not line or line.startswith("#") for line in beyond)
        assert unit_at(snapshot.tree, snapshot.text, unit.body_span) is not None


def test_the_sample_is_large_enough() -> None:
    assert len(FILES) == 60


@pytest.mark.parametrize("path", FILES[::6], ids=lambda path: path.stem)
def test_a_reply_that_changes_nothing_changes_nothing(path: Path) -> None:
    snapshot = Snapshot.read(path)
    for unit in units(snapshot)[::8]:
        own = unit.span.of(snapshot.text)
        whole = textwrap.dedent(unit.indent + own)
        for reply in (own, unit.indent + own, whole, textwrap.indent(whole, "\t"), snapshot.text):
            assert fit_reply(snapshot, unit, reply) == (own, ())
