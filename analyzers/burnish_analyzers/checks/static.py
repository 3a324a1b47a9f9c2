"""Checks that run nothing: syntax, scope and interface, conservation, new diagnostics, metrics."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter

from burnish_analyzers.checks.definition import docstring_span, head, identifiers, members
from burnish_analyzers.checks.hazards import hazard
from burnish_analyzers.checks.outcome import CheckOutcome, Counterexample, Status
from burnish_analyzers.checks.subject import Answer, Subject, answer
from burnish_analyzers.goal import Goal
from burnish_analyzers.metrics.comments import comments
from burnish_analyzers.metrics.measure import UnitMetrics, measure_unit
from burnish_analyzers.source.imports import missing_imports
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit, UnitKind

LEAST_GAIN = 0.2
READABILITY_TOLERANCE = 15.0
COMPLEXITY_TOLERANCE = 4.0
VAGUE_TOLERANCE = {Goal.READABILITY: 0.0, Goal.PERFORMANCE: 1.0}


def check_syntax(subject: Subject) -> Answer:
    """The changed document parses, for the project's version of Python where this one can tell."""
    unit = subject.changed_unit
    if unit is None:
        return answer("syntax", Status.FAILED, f"The rewrite no longer defines {subject.unit.qualname}.")
    if unit.has_error:
        return answer("syntax", Status.FAILED, "The rewrite is not valid Python.")
    version = subject.bench.project.interpreter.version
    if parse_error(subject.original.text, version) is None:
        error = parse_error(subject.changed.text, version)
        if error is not None:
            return answer(
                "syntax", Status.FAILED, f"The rewrite is not valid Python {version[0]}.{version[1]}: {error}."
            )
    return answer("syntax", Status.PASSED, "It parses.")


def parse_error(text: str, version: tuple[int, int, int]) -> str | None:
    """What this interpreter's own parser says against a text, as near to `version` as it can judge."""
    try:
        ast.parse(text, feature_version=version[:2])
    except (SyntaxError, ValueError) as error:
        return str(error)
    return None


def check_interface(subject: Subject) -> Answer:
    """Name, parameters, defaults, annotations, decorators, function kind and public names are what they were."""
    old, new = subject.unit, subject.changed_unit
    assert new is not None  # the syntax check came first
    if old.kind is UnitKind.SCRIPT:
        return answer("interface", Status.SKIPPED, "A script has no interface.")
    before, after = heads(subject.original, old), heads(subject.changed, new)
    for qualname, expected in before.items():
        if after.get(qualname) != expected:
            return changed_interface(qualname, expected, after.get(qualname, "nothing"))
    added = [name for name in after if name not in before and not name.rpartition(".")[2].startswith("_")]
    if added:
        return changed_interface(added[0], "nothing", after[added[0]])
    if danger := hazard(subject.original, old, subject.changed, new):
        return answer("interface", Status.FAILED, danger)
    imported = missing_imports(subject.original.tree, subject.candidate.imports)
    added_names = {one.alias or one.name.partition(".")[0] for one in imported}
    hidden = added_names & (identifiers(subject.original.tree) | builtin_names())
    if hidden:
        return answer("interface", Status.FAILED, f"The import of {min(hidden)} would hide a name of the module.")
    return answer("interface", Status.PASSED, "Name, parameters, defaults, decorators and kind are unchanged.")


def changed_interface(qualname: str, expected: str, actual: str) -> Answer:
    """The answer for one member whose interface differs."""
    return Answer(
        outcome=CheckOutcome(
            name="interface",
            status=Status.FAILED,
            detail=f"The interface of {qualname} changed.",
            counterexample=Counterexample(call=f"the definition of {qualname}", expected=expected, actual=actual),
        )
    )


def heads(snapshot: Snapshot, unit: Unit) -> dict[str, str]:
    """What callers depend on in a unit and, for a class, in what it holds, by qualname."""
    return {
        other.qualname + (f"#{other.occurrence}" if other.occurrence else ""): head(snapshot, other)
        for other in members(snapshot, unit)
    }


def builtin_names() -> frozenset[str]:
    """Names that every module has without binding them."""
    return frozenset(dir(builtins))


def check_conservation(subject: Subject) -> Answer:
    """No comment, pragma or docstring is lost, and what waited still waits."""
    old, new = subject.unit, subject.changed_unit
    assert new is not None
    old_text, new_text = old.span.of(subject.original.text), new.span.of(subject.changed.text)
    lost = Counter(comment.text for comment in comments(old_text)) - Counter(c.text for c in comments(new_text))
    if lost:
        shown = "; ".join(sorted(lost))
        return answer("conservation", Status.FAILED, f"{lost.total()} comments are lost: {shown[:300]}")
    if docstrings(subject.original, old) - docstrings(subject.changed, new):
        return answer("conservation", Status.FAILED, "A docstring is changed or lost.")
    if re.search(r"\bawait\b", old_text) and not re.search(r"\bawait\b", new_text):
        return answer("conservation", Status.FAILED, "Nothing is awaited any more.")
    return answer("conservation", Status.PASSED, "Every comment, pragma and docstring is kept.")


def docstrings(snapshot: Snapshot, unit: Unit) -> Counter[str]:
    """The docstrings in a unit, as written."""
    spans = [docstring_span(snapshot, other) for other in members(snapshot, unit)]
    return Counter(span.of(snapshot.text) for span in spans if span)


def check_diagnostics(subject: Subject) -> Answer:
    """ruff finds no fault in the changed document that the original had not."""
    old = Counter(subject.bench.diagnostics(subject.original.text))
    new = Counter(subject.bench.diagnostics(subject.changed.text))
    added = sorted((new - old).elements())
    if added:
        code, message = added[0]
        return answer("diagnostics", Status.FAILED, f"ruff finds a new fault: {code} {message}.")
    return answer("diagnostics", Status.PASSED, "ruff finds no new fault.")


def check_metrics(subject: Subject) -> Answer:
    """The goal's measure rises, and no guard falls beyond its tolerance."""
    assert subject.changed_unit is not None
    old = measure_unit(subject.unit.span.of(subject.original.text))
    new = measure_unit(subject.changed_unit.span.of(subject.changed.text))
    problem = metrics_problem(subject.goal, old, new)
    shown = f"readability {old.readability:.1f} → {new.readability:.1f}, complexity {old.cyclomatic} → {new.cyclomatic}"
    status = Status.FAILED if problem else Status.PASSED
    detail = f"{problem} ({shown})." if problem else f"{shown[0].upper()}{shown[1:]}."
    return Answer(outcome=CheckOutcome(name="metrics", status=status, detail=detail), metrics=(old, new))


def metrics_problem(goal: Goal, old: UnitMetrics, new: UnitMetrics) -> str:
    """What the metrics hold against a rewrite for this goal, or ""."""
    if new.vague_names > old.vague_names + VAGUE_TOLERANCE[goal]:
        return "It has more names that say little"
    if goal is Goal.READABILITY:
        if new.readability < old.readability + LEAST_GAIN:
            return f"It is not easier to read by {LEAST_GAIN} points or more"
        return "It is more complex" if new.cyclomatic > old.cyclomatic else ""
    if new.readability < old.readability - READABILITY_TOLERANCE:
        return "It is much harder to read"
    return "It is much more complex" if new.cyclomatic > old.cyclomatic + COMPLEXITY_TOLERANCE else ""
