"""Checks that run nothing, on candidates for small modules."""

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.baseline import Baseline
from burnish_analyzers.checks.outcome import Status
from burnish_analyzers.checks.static import check_conservation, check_interface, check_metrics, check_syntax
from burnish_analyzers.checks.subject import Subject
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.process import Limits
from burnish_analyzers.harness.project import Interpreter, Project
from burnish_analyzers.harness.workbench import Workbench
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit

PYTHON = Interpreter(
    path=Path("python"), version=(3, 11, 0), has_pytest=True, prefix=Path("/"), folders=(), source="a test"
)
MODULE = '''\
import json

deque = json


@property
def total(
    prices: list[float],  # in cents
    *,
    rate=0.2,
) -> float:
    """The sum."""
    # With tax.
    return sum(prices) * (1 + rate)  # noqa: X1


class Cart:
    """Holds prices."""

    def add(self, price):
        self.prices.append(price)

    async def load(self):
        return await self.store.read()

    def paint(self, colour="#ff0000", gap="  ", size=(1,)):
        return colour
'''


def subject(
    qualname: str, old: str, new: str, *, goal: Goal = Goal.READABILITY, imports: tuple[str, ...] = ()
) -> Subject:
    snapshot = Snapshot.from_text(MODULE, path=Path("/project/shop.py"))
    unit = find_unit(snapshot, qualname)
    text = unit.span.of(MODULE)
    assert old in text
    project = Project(root=Path("/project"), interpreter=PYTHON)
    bench = Workbench(project, snapshot, unit, limits=Limits(), cancelled=lambda: False)
    candidate = Candidate(iteration=1, origin="test", unit_text=text.replace(old, new), imports=imports)
    return Subject(bench=bench, goal=goal, baseline=Baseline(), candidate=candidate)


INTERFACE = [
    ("total", "rate=0.2", "rate=0.25", Status.FAILED),
    ("total", "rate=0.2", "tax=0.2", Status.FAILED),
    ("total", "rate=0.2,", "rate=0.2,  # a share", Status.PASSED),
    ("Cart.paint", '"#ff0000"', '"#00ff00"', Status.FAILED),
    ("Cart.paint", '"  "', '" "', Status.FAILED),
    ("Cart.paint", "(1,)", "(1)", Status.FAILED),
    ("total", "*,", "", Status.FAILED),
    ("total", "@property\n", "", Status.FAILED),
    ("total", "-> float", "-> int", Status.FAILED),
    ("total", "return sum(prices)", "yield sum(prices)", Status.FAILED),
    ("total", "    *,\n    rate=0.2,\n)", "*, rate=0.2)", Status.PASSED),
    ("Cart.load", "async def", "def", Status.FAILED),
    ("Cart", "def add(self, price)", "def add(self, price, count)", Status.FAILED),
    ("Cart", "    async def load", "    def clear(self):\n        pass\n\n    async def load", Status.FAILED),
    ("Cart", "    async def load", "    def _clear(self):\n        pass\n\n    async def load", Status.PASSED),
]


@pytest.mark.parametrize(("qualname", "old", "new", "status"), INTERFACE)
def test_interface(qualname: str, old: str, new: str, status: Status) -> None:
    outcome = check_interface(subject(qualname, old, new)).outcome
    assert outcome.status is status, outcome
    assert (outcome.counterexample is not None) is (status is Status.FAILED)


@pytest.mark.parametrize(
    "statement", ["from collections import deque", "from builtins2 import sum", "import json as sum"]
)
def test_an_import_may_hide_no_name(statement: str) -> None:
    outcome = check_interface(subject("total", "sum(", "sum(", imports=(statement,))).outcome
    assert outcome.status is Status.FAILED


CONSERVATION = [
    ("total", "    # With tax.\n", "", Status.FAILED),
    ("total", "  # noqa: X1", "", Status.FAILED),
    ("total", '"""The sum."""', '"""The total."""', Status.FAILED),
    ("total", "    # With tax.\n    return", "    return", Status.FAILED),
    ("total", "sum(prices) * (1 + rate)", "(1 + rate) * sum(prices)", Status.PASSED),
    ("Cart.load", "await self.store.read()", "self.store.read()", Status.FAILED),
    ("Cart", '"""Holds prices."""\n', "", Status.FAILED),
]


@pytest.mark.parametrize(("qualname", "old", "new", "status"), CONSERVATION)
def test_conservation(qualname: str, old: str, new: str, status: Status) -> None:
    assert check_conservation(subject(qualname, old, new)).outcome.status is status


def test_syntax() -> None:
    assert check_syntax(subject("total", "sum(prices)", "sum(prices")).outcome.status is Status.FAILED
    assert check_syntax(subject("total", "def total", "def totals")).outcome.status is Status.FAILED
    assert check_syntax(subject("total", "sum(prices)", "sum(iter(prices))")).outcome.status is Status.PASSED


def test_syntax_is_judged_for_the_project_s_python() -> None:
    newer = subject("Cart.add", "self.prices.append(price)", "match price:\n            case _:\n                pass")
    assert check_syntax(newer).outcome.status is Status.PASSED
    older = Project(root=Path("/project"), interpreter=replace(PYTHON, version=(3, 9, 0)))
    newer.bench.project = older
    assert check_syntax(newer).outcome.status is Status.FAILED


def test_metrics_ask_readability_for_a_gain_and_performance_for_no_great_loss() -> None:
    same = ("Cart.add", "self.prices.append(price)", "self.prices.append( price)")
    assert check_metrics(subject(*same)).outcome.status is Status.FAILED
    assert check_metrics(subject(*same, goal=Goal.PERFORMANCE)).outcome.status is Status.PASSED
    vague = ("Cart.add", "self.prices.append(price)", "q = price; z = q; self.prices.append(z)")
    assert check_metrics(subject(*vague, goal=Goal.PERFORMANCE)).outcome.status is Status.FAILED


def test_metrics_are_of_both_texts() -> None:
    metrics = check_metrics(subject("Cart.add", "self.prices.append(price)", "pass")).metrics
    assert metrics is not None
    before, after = cast("tuple[object, object]", metrics)
    assert before != after
