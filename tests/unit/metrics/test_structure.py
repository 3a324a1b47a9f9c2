"""The counts of the syntax tree, against radon where both can read."""

import argparse
import ast
import dataclasses
import difflib
import textwrap
import typing
from pathlib import Path
from types import ModuleType

import pytest
from radon.visitors import ComplexityVisitor

from burnish_analyzers.metrics.structure import Structure, structures
from burnish_analyzers.source.tree import SyntaxTree


def first(text: str) -> Structure:
    found = structures(SyntaxTree.parse(textwrap.dedent(text))).definitions
    return found[min(found)]


@pytest.mark.parametrize("module", [argparse, dataclasses, difflib, typing, textwrap])
def test_cyclomatic_complexity_is_radons(module: ModuleType) -> None:
    text = Path(str(module.__file__)).read_text(encoding="utf-8")
    tree = SyntaxTree.parse(text)
    found = structures(tree)
    ours = {tree.lines.line_of(tree.offset_of(byte)) + 1: counts for byte, counts in found.definitions.items()}
    parsed = ast.parse(text)
    for node in ast.walk(parsed):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            visitor = ComplexityVisitor.from_ast(node)
            theirs = visitor.functions[0].complexity if visitor.functions else visitor.classes[0].real_complexity
            assert ours[node.lineno].cyclomatic == theirs, f"{node.name} on line {node.lineno}"
    assert found.whole.cyclomatic == ComplexityVisitor.from_ast(parsed).total_complexity


def test_what_radon_cannot_read_or_misses_is_counted() -> None:
    assert first("def f[T](x: T):\n    if x: return f'{x['key']}'\n").cyclomatic == 2
    assert first("def f():\n    try: pass\n    except* OSError: pass\n    except* ValueError: pass\n").cyclomatic == 3
    assert first("def f(x):\n    if x:\n        return )\n    for y in x: pass\n").cyclomatic == 3


def test_decisions_of_nested_functions_are_counted_but_not_in_cyclomatic_complexity() -> None:
    counts = first("def f(x):\n    def g():\n        if x: pass\n    if x: pass\n")
    assert (counts.decisions, counts.cyclomatic, counts.function_units) == (2, 2, 2)


def test_nesting_and_indentation() -> None:
    counts = first(
        """
        def f(x):
            first = 1
            if x:
                second = 2
                with x:
                    third = 3
            elif x.y:
                fourth = 4
        """
    )
    assert counts.nesting == 2
    assert counts.indentation == 0 + 0 + 1 + 1 + 2 + 0 + 1
    assert counts.statements == 1 + 7


def test_expressions_in_each_other_are_indentation() -> None:
    assert first("def f(x):\n    return [y for y in x]\n").indentation == 0
    assert first("def f(x):\n    return [[z for z in y] for y in x]\n").indentation == 2


def test_methods_are_not_nested_but_inner_functions_are() -> None:
    assert first("class A:\n    def f(self):\n        return 1\n").nesting == 0
    assert first("def f():\n    def g():\n        return 1\n").nesting == 1


@pytest.mark.parametrize(
    ("header", "count"),
    [
        ("def f():", 0),
        ("def f(self, a, b=1):", 2),
        ("def f(cls):", 0),
        ("def f(a, /, b, *, c: int = 1, **d):", 4),
        ("async def f(*args: int):", 1),
    ],
)
def test_parameters(header: str, count: int) -> None:
    assert first(f"{header}\n    g = lambda x, y, z: x\n").parameters == count


@pytest.mark.parametrize(
    "padded",
    [
        "def f(x):\n    # why\n    return x + 1  # so\n",
        'def f(x):\n    """What it gives."""\n    return x + 1\n',
        "def f(x: int) -> int:\n    return x + 1\n",
        "def f(\n    x,\n):\n\n    return x + \\\n        1;\n",
    ],
)
def test_what_is_not_code_is_not_counted(padded: str) -> None:
    assert first(padded) == first("def f(x):\n    return x + 1\n")


def test_a_string_is_one_token_but_its_expressions_count() -> None:
    plain, formatted = first("def f():\n    return 'a\\nb'\n"), first("def f():\n    return f'{x}'\n")
    assert plain.tokens < formatted.tokens


def test_a_very_deep_expression_is_walked() -> None:
    whole = structures(SyntaxTree.parse("x = " + "y + " * 5000 + "y")).whole
    assert whole.tokens == 10003
