"""Every rule over real code: the standard library's functions, as they come with this interpreter."""

from __future__ import annotations

import ast
import io
import sysconfig
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnish.backends.rules.facts import ModuleFacts
from burnish.backends.rules.registry import rules_for
from burnish.backends.rules.rewriting import Surroundings, rewrite
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import UnitKind, units

LIBRARY = Path(sysconfig.get_path("stdlib"))
FILES = sorted(path for path in LIBRARY.glob("[a-z]*.py") if 4_000 < path.stat().st_size < 40_000)[::4]


def functions(path: Path) -> Iterator[tuple[str, Surroundings]]:
    snapshot = Snapshot.read(path)
    facts = ModuleFacts.of(snapshot.text)
    for unit in units(snapshot):
        if unit.kind in (UnitKind.FUNCTION, UnitKind.METHOD):
            yield unit.span.of(snapshot.text), Surroundings(indent=unit.indent, facts=facts)


def comments(text: str, indent: str) -> Counter[str]:
    wrapped = f"if True:\n{indent}{text}" if indent else text
    tokens = tokenize.generate_tokens(io.StringIO(wrapped).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def is_valid(text: str, indent: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library's own
        return bool(ast.parse(f"if True:\n{indent}{text}" if indent else text))


@pytest.mark.parametrize("goal", list(Goal))
def test_rewrites_are_valid_keep_comments_and_leave_nothing_to_do(goal: Goal) -> None:
    rewritten = 0
    for path in FILES:
        for text, where in functions(path):
            done = rewrite(rules_for(goal), text, where)
            if not done.rules:
                assert done.text == text
                continue
            rewritten += 1
            assert is_valid(done.text, where.indent), (path.name, done)
            assert not comments(text, where.indent) - comments(done.text, where.indent), (path.name, done)
            again = rewrite(rules_for(goal), done.text, where.after(done.text, done.imports))
            assert again.rules == (), (path.name, done)
    assert rewritten >= 5


@pytest.mark.parametrize("goal", list(Goal))
def test_whole_files_as_scripts(goal: Goal) -> None:
    for path in FILES[::9]:
        text = Snapshot.read(path).text
        where = Surroundings(facts=ModuleFacts.of(text), script=True)
        done = rewrite(rules_for(goal), text, where)
        assert is_valid(done.text, "")
        assert not comments(text, "") - comments(done.text, "")
