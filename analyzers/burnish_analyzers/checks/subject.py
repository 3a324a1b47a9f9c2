"""What a check is given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.baseline import Baseline
from burnish_analyzers.checks.outcome import CheckOutcome, Status, Timing
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.tasks import Version
from burnish_analyzers.harness.workbench import Workbench
from burnish_analyzers.metrics.measure import UnitMetrics
from burnish_analyzers.source.edits import replace_unit
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit, UnitKind, script_unit, units


@dataclass(frozen=True, kw_only=True)
class Subject:
    """One candidate for one unit of one document, with what is known of the original."""

    bench: Workbench
    goal: Goal
    baseline: Baseline
    candidate: Candidate

    @property
    def original(self) -> Snapshot:
        """The document as the user has it."""
        return self.bench.snapshot

    @property
    def unit(self) -> Unit:
        """The unit in the original."""
        return self.bench.unit

    @cached_property
    def changed(self) -> Snapshot:
        """The document with the candidate in the unit's place."""
        text = replace_unit(self.original, self.unit, self.candidate.unit_text, self.candidate.imports)
        return Snapshot.from_text(text, path=self.original.path)

    @cached_property
    def changed_unit(self) -> Unit | None:
        """The unit in the changed document; None where the candidate lost or renamed it."""
        return same_unit(self.changed, self.unit)

    @property
    def version(self) -> Version:
        """The changed document as the harness takes it."""
        return Version(text=self.changed.text, imports=self.candidate.imports)


def same_unit(snapshot: Snapshot, unit: Unit) -> Unit | None:
    """The unit of the same name and place among its namesakes."""
    if unit.kind is UnitKind.SCRIPT:
        return script_unit(snapshot)
    found = (other for other in units(snapshot) if other.qualname == unit.qualname)
    return next((other for other in found if other.occurrence == unit.occurrence), None)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A check's outcome, with what some checks measure on the way.

    `recorded_calls` of the `compared_calls` were made by tests. `mutants` and `caught`: how many deliberately broken
    versions were tried, and how many told from the original.
    """

    outcome: CheckOutcome
    timing: Timing | None = None
    metrics: tuple[UnitMetrics, UnitMetrics] | None = None
    compared_calls: int = 0
    recorded_calls: int = 0
    mutants: int = 0
    caught: int = 0


def answer(name: str, status: Status, detail: str) -> Answer:
    """An answer that is only an outcome."""
    return Answer(outcome=CheckOutcome(name=name, status=status, detail=detail))
