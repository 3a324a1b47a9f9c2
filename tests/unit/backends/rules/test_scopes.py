"""Which variable a name means."""

from __future__ import annotations

import libcst as cst
import pytest

from burnish.backends.rules.effects import is_pure
from burnish.backends.rules.facts import ModuleFacts
from burnish.backends.rules.kinds import kind_of_variable
from burnish.backends.rules.naming import singular
from burnish.backends.rules.scopes import Scope
from burnish.backends.rules.tree import UnitTree


def scope_of(unit: UnitTree, function: str) -> Scope:
    definition = next(each for each in unit.find(cst.FunctionDef) if each.name.value == function)
    return unit.scope(definition.body)


@pytest.mark.parametrize(
    ("body", "bound"),
    [
        ("a, (b, *c) = d", "a b c"),
        ("a.b = c[d] = e", ""),
        ("for a in b: pass", "a"),
        ("with a as b, c as (d, e): pass", "b d e"),
        ("import a.b, c as d", "a d"),
        ("from a import b, c as d", "b d"),
        ("def a(b): c = 1", "a"),
        ("class A(B): c = 1", "A"),
        ("[a for a in b if (c := a)]", "c"),
        ("try: pass\n    except A as b: pass", "b"),
        ("a: int = 1", "a"),
        ("a += 1", "a"),
        ("del a", "a"),
        ("lambda a: b", ""),
        ("match a:\n        case [b, *c] | {'d': b, **c}: pass\n        case C(d=e) as f: pass", "b c e f"),
        ("f(a=b)", ""),
        ("global a\n    a = 1", "a"),
    ],
)
def test_finds_what_a_function_binds(body: str, bound: str) -> None:
    unit = UnitTree(f"def f():\n    {body}\n")
    assert scope_of(unit, "f").bound == set(bound.split())


def test_resolves_as_python_does() -> None:
    unit = UnitTree(
        "x = 0\n"
        "def outer(y=x):\n"
        "    x = 1\n"
        "    class C:\n"
        "        x = 2\n"
        "        def method(self):\n"
        "            return x\n"
        "    def inner():\n"
        "        global x\n"
        "        x = 3\n"
        "    def nearer():\n"
        "        nonlocal x\n"
        "        x = 4\n"
        "    return [x for x in x]\n",
        script=True,
    )
    outer, module = scope_of(unit, "outer"), unit.index.module
    assert scope_of(unit, "method").resolve("x") is outer
    assert scope_of(unit, "inner").resolve("x") is module
    assert scope_of(unit, "nearer").resolve("x") is outer
    assert len(unit.variable("x", outer)) == 5  # bound, read in the method, declared, bound, gone over
    assert len(unit.variable("x", module)) == 4  # bound, the default, declared, bound


def test_facts_hold_names_imports_and_what_a_function_around_binds() -> None:
    head = "import os.path, sys as s\nfrom a import (b, c as d)\nif s:\n    e = 1\n"
    text = f"{head}def f(min, *g):\n    h = 1\n    def k(): pass\n"
    facts = ModuleFacts.of(text, text.index("def k"))
    assert facts.bound == {"os", "s", "b", "d", "e", "f", "min", "g", "h", "k"}
    assert facts.import_of("d") == "from a import c as d"
    assert facts.import_of("os") == "import os.path"
    assert not facts.is_open
    assert ModuleFacts.of("from a import *\n").is_open
    assert not ModuleFacts.of("from collections import *\n").is_open
    assert ModuleFacts.of("def f(): global g\n").bound == {"f", "g"}
    assert ModuleFacts.of("x = (\n\ndef f(): pass\n").has_error


@pytest.mark.parametrize(
    ("statements", "kind"),
    [
        ("x = ''\n    x += unknown()", "str"),
        ("x = ''\n    x = x + unknown()", "str"),
        ("x = []\n    x = x + [1]", "list"),
        ("x = [0] * n", "list"),
        ("x = unknown().split()", "list"),
        ("x = 1\n    x = ''", None),
        ("x = 1\n    x /= 2", None),
        ("x = 0\n    x += 1", "int"),
        ("x = 0\n    x += unknown()", None),
        ("for x in range(3): pass", "int"),
        ("for x in n: pass", None),
        ("x = n", None),
        ("x, y = [], []", None),
        ("x: list[int] = n", "list"),
        ("x = y = []", "list"),
        ("x = len(n) % 7", "int"),
        ("x = not n", "bool"),
    ],
)
def test_tells_the_kind_of_a_variable_only_where_it_is_certain(statements: str, kind: str | None) -> None:
    unit = UnitTree(f"def f(n):\n    {statements}\n")
    assert kind_of_variable(unit, "x", scope_of(unit, "f")) == kind


@pytest.mark.parametrize(
    ("code", "pure"),
    [
        ("a + b[c].d", True),
        ("len(a) > 0 and not b", True),
        ("a()", False),
        ("len(a())", False),
        ("(a := b)", False),
        ("[a for a in b]", False),
        ("lambda: a", False),
    ],
)
def test_takes_for_pure_only_what_changes_nothing(code: str, pure: bool) -> None:
    unit = UnitTree(f"def f(a, b, c):\n    return {code}\n")
    (statement,) = unit.find(cst.Return)
    assert statement.value is not None
    assert is_pure(unit, statement.value) is pure


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("users", "user"),
        ("entries", "entry"),
        ("boxes", "box"),
        ("classes", "class"),
        ("open_orders", "open_order"),
        ("user_list", "user"),
        ("children", "child"),
        ("status", None),
        ("data", None),
        ("class", None),
        ("xs", None),
        ("this", None),
    ],
)
def test_forms_the_singular(plural: str, one: str | None) -> None:
    assert singular(plural) == one
