"""The rules as critic and editor of the engine's loop."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from burnish.backends.rules import RulesBackend, all_rules, rules_for
from burnish.engine.history import History, Step
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.outcome import Evidence, Verdict
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit

TEXT = """\
def report(orders: list, banned: list):
    found = []
    for i in range(len(orders)):
        if orders[i] not in banned:
            if orders[i] > 0:
                found.append(orders[i])
    if found:
        return True
    else:
        return False
"""


def backend(goal: Goal, text: str = TEXT, name: str | None = "report", disabled: tuple[str, ...] = ()) -> RulesBackend:
    unit = find_unit(snapshot(text), name)
    return RulesBackend(goal=goal, unit=unit, module_text=text, disabled=frozenset(disabled))


def snapshot(text: str) -> Snapshot:
    return Snapshot.from_text(text)


def verdict(*, accepted: bool, score: float = 0.0) -> Verdict:
    return Verdict(accepted=accepted, checks=(), score=score, evidence=Evidence.STRONG)


def start(text: str) -> History:
    original = Candidate(iteration=0, origin="original", unit_text=text)
    return History(steps=(Step(candidate=original, verdict=verdict(accepted=True)),))


def run(rules: RulesBackend, text: str, judge: Callable[[Candidate], Verdict]) -> History:
    """The loop as the engine runs it, without a limit."""
    history = start(text)
    while not rules.critique(history).stop:
        candidate = rules.edit(history)
        assert candidate is not None
        assert candidate.unit_text not in [step.candidate.unit_text for step in history.steps]
        assert candidate.iteration == len(history.steps)
        history = History(steps=(*history.steps, Step(candidate=candidate, verdict=judge(candidate))))
    assert rules.edit(history) is None
    return history


def test_findings_say_where_and_what() -> None:
    critique = backend(Goal.READABILITY).critique(start(TEXT))
    lines = {finding.evidence: (finding.start_line, finding.end_line) for finding in critique.findings}
    assert lines["range-len"] == (3, 6)
    assert lines["merge-nested-if"] == (4, 6)
    assert lines["boolean-return"] == (7, 10)
    assert all(finding.problem.endswith(".") and finding.change.endswith(".") for finding in critique.findings)
    assert dict(critique.scores)["loops"] < dict(critique.scores)["names"] == 10.0
    assert not critique.stop


def test_lines_are_counted_in_the_unit() -> None:
    text = "class C:\n    def f(self, items):\n        for i in range(len(items)):\n            print(items[i])\n"
    rules = backend(Goal.READABILITY, text, "C.f")
    unit = find_unit(snapshot(text), "C.f")
    (finding,) = rules.critique(start(unit.span.of(text))).findings
    assert (finding.start_line, finding.end_line) == (2, 3)


def test_the_first_candidate_has_all_rules() -> None:
    history = run(backend(Goal.READABILITY), TEXT, lambda _: verdict(accepted=True, score=1.0))
    assert len(history.steps) == 2
    assert history.best.candidate.unit_text == (
        "def report(orders: list, banned: list):\n"
        "    found = [order for order in orders if order not in banned and order > 0]\n"
        "    return bool(found)\n"
    )
    assert history.best.candidate.origin.startswith("rules:range-len+")


def test_after_a_rejection_each_rule_is_tried_alone_and_kept_if_accepted() -> None:
    def judge(candidate: Candidate) -> Verdict:
        accepted = "bool(" not in candidate.unit_text
        return verdict(accepted=accepted, score=-float(len(candidate.unit_text)))

    history = run(backend(Goal.READABILITY), TEXT, judge)
    assert history.best.candidate.unit_text == (
        "def report(orders: list, banned: list):\n"
        "    found = [order for order in orders if order not in banned and order > 0]\n"
        "    if found:\n"
        "        return True\n"
        "    return False\n"
    )


@pytest.mark.parametrize("goal", list(Goal))
@pytest.mark.parametrize("accepted", [(), (1,), (2, 4), (3,)])
def test_stops_by_itself(goal: Goal, accepted: tuple[int, ...]) -> None:
    history = run(
        backend(goal), TEXT, lambda each: verdict(accepted=each.iteration in accepted, score=float(each.iteration))
    )
    assert len(history.steps) - 1 <= 2 * len(rules_for(goal)) + 1


def test_a_rejected_rule_that_is_alone_is_not_tried_again() -> None:
    text = "def f(items):\n    for i in range(len(items)):\n        print(items[i])\n"
    history = run(backend(Goal.READABILITY, text, "f"), text, lambda _: verdict(accepted=False))
    assert len(history.steps) == 2


def test_imports_travel_with_the_candidate() -> None:
    text = "def f(items):\n    queue = list(items)\n    while queue:\n        print(queue.pop(0))\n"
    history = run(backend(Goal.PERFORMANCE, text, "f"), text, lambda _: verdict(accepted=True, score=1.0))
    assert history.best.candidate.imports == ("from collections import deque",)


def test_a_script_carries_its_imports_itself() -> None:
    text = "total = 0\nfor _ in range(int(input())):\n    total += int(input())\nprint(total)"
    history = run(backend(Goal.PERFORMANCE, text, None), text, lambda _: verdict(accepted=True, score=1.0))
    assert history.best.candidate.imports == ()
    assert history.best.candidate.unit_text == (
        "import sys\nreadline = sys.stdin.readline\n\n\ndef main():\n    total = 0\n"
        "    for _ in range(int(readline())):\n        total += int(readline())\n    print(total)\n\n\nmain()"
    )


def test_disabled_rules_are_silent() -> None:
    critique = backend(Goal.READABILITY, disabled=("range-len",)).critique(start(TEXT))
    assert "range-len" not in {finding.evidence for finding in critique.findings}


@pytest.mark.parametrize(
    ("comment", "silent"),
    [
        ("# burnish: off", {"range-len", "merge-nested-if", "boolean-return"}),
        ("# burnish: off range-len, boolean-return", {"range-len", "boolean-return"}),
        ("# burnish: office hours", set()),
    ],
)
def test_a_comment_switches_rules_off(comment: str, silent: set[str]) -> None:
    text = TEXT.replace("found = []", f"found = []  {comment}")
    rules = backend(Goal.READABILITY, text)
    history = start(text)
    found = {finding.evidence for finding in rules.critique(history).findings}
    assert {"range-len", "merge-nested-if", "boolean-return"} - found == silent
    candidate = rules.edit(history)
    used = candidate.origin if candidate else ""
    assert not any(rule in used for rule in silent)


def test_code_that_it_cannot_read_has_no_findings() -> None:
    critique = backend(Goal.READABILITY).critique(start("def report(:\n"))
    assert critique.findings == ()
    assert critique.stop


def test_an_expression_nested_too_deeply_has_no_findings() -> None:
    text = f"def report(a):\n    return {'-' * 3000}a\n"
    assert backend(Goal.READABILITY).critique(start(text)).stop


def test_it_costs_nothing() -> None:
    rules = backend(Goal.READABILITY)
    assert (rules.name, rules.usage.requests, rules.usage.cost) == ("rules", 0, 0.0)


def test_rules_are_described_for_people() -> None:
    names = [rule.name for rule in all_rules()]
    assert len(names) == len(set(names)) >= 10
    for rule in all_rules():
        assert rule.why.endswith(".") and rule.aspect and (not rule.risk or rule.risk.endswith("."))
    assert all(len(rules_for(goal)) >= 5 for goal in Goal)


def test_the_tree_library_is_loaded_only_with_the_rules() -> None:
    code = "import sys, burnish.backends; sys.exit('libcst' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
