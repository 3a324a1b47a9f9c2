"""The samples that are shipped: their outputs are true, and the rules have something to say on each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from burnish.backends.rules.facts import ModuleFacts
from burnish.backends.rules.registry import rules_for
from burnish.backends.rules.rewriting import Surroundings, rewrite
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit

EXAMPLES = Path(__file__).parents[4] / "examples"
SCRIPT = EXAMPLES / "scripts" / "repeats.py"


def run(script: Path, given: Path) -> str:
    with given.open(encoding="utf-8") as stream:
        done = subprocess.run([sys.executable, script], stdin=stream, capture_output=True, check=True, text=True)
    return done.stdout


@pytest.mark.parametrize("goal", list(Goal))
@pytest.mark.parametrize(
    ("module", "function"),
    [("newsletter", "subscribers"), ("warehouse", "back_orders"), ("warehouse", "boxes")],
)
def test_rules_change_the_sample_project(goal: Goal, module: str, function: str) -> None:
    snapshot = Snapshot.read(EXAMPLES / "shop" / "shop" / f"{module}.py")
    unit = find_unit(snapshot, function)
    where = Surroundings(facts=ModuleFacts.of(snapshot.text, unit.span.start))
    assert rewrite(rules_for(goal), unit.span.of(snapshot.text), where).rules


@pytest.mark.parametrize("given", sorted(SCRIPT.parent.glob("*.in")), ids=lambda path: path.stem)
def test_the_sample_script_prints_the_same_after_all_rules(given: Path, tmp_path: Path) -> None:
    text = Snapshot.read(SCRIPT).text
    done = rewrite(rules_for(Goal.PERFORMANCE), text, Surroundings(facts=ModuleFacts.of(text), script=True))
    assert {"membership-set", "input-readline", "script-main"} <= {*done.rules}
    faster = tmp_path / "faster.py"
    faster.write_text(done.text, encoding="utf-8")
    expected = given.with_suffix(".out").read_text(encoding="utf-8")
    assert run(SCRIPT, given) == run(faster, given) == expected
