"""A project of one file, and fakes of `burnish.refinement` and `burnish.diagnosis` that answer what a test wants."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from burnish.configuration import Settings
from burnish.engine.history import History, Step, Usage
from burnish.engine.refinement import Claim, Made, Progress, Receipt, Refinement, Report
from burnish.receipts import digest
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.outcome import CheckOutcome, Counterexample, Evidence, Status, Timing, Verdict
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit

OLD = "def total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n"
NEW = "def total(items):\n    return sum(items)\n"
DIFF = "--- a/code.py\n+++ b/code.py\n@@ -1 +1 @@\n-old\n+new\n"
TIMING = Timing(ratio=1.84, low=1.79, high=1.9, confidence=0.95, verdict="faster", clock="CPU clock", workloads=6)
RECEIPT = Receipt(
    claim=Claim(
        path="code.py",
        qualname="total",
        occurrence=0,
        goal=Goal.PERFORMANCE,
        original=OLD.rstrip(),
        candidate=NEW.rstrip(),
        imports=(),
        examples=None,
    ),
    made=Made(at="2026-01-02T03:04:05+00:00", burnish="0.1.0", python="3.11.2", platform="Linux"),
    evidence=Evidence.MODERATE,
    checks=(
        CheckOutcome(name="syntax", status=Status.PASSED, detail="It parses.", seconds=0.01),
        CheckOutcome(name="static", status=Status.SKIPPED, detail="Not asked for."),
        CheckOutcome(
            name="equivalence",
            status=Status.FAILED,
            detail="1 of 3 calls differs.",
            counterexample=Counterexample(call="total([])", expected="0", actual="TypeError()"),
        ),
    ),
    timing=TIMING,
    metrics_before={"cyclomatic_complexity": 3.0, "lines": 5.0, "kept": 1.0},
    metrics_after={"cyclomatic_complexity": 1.0, "lines": 2.0, "kept": 1.0},
    hashes={
        "unit": digest(OLD.rstrip()),
        "candidate": digest(NEW.rstrip()),
        **dict.fromkeys(("module", "changed_module", "tests", "interpreter", "platform"), "ab"),
    },
    test_files={"test_code.py": "ab"},
    protection=("landlock",),
)


@dataclass(frozen=True, kw_only=True)
class Request:
    """As in `burnish.refinement`."""

    snapshot: Snapshot
    unit: Unit
    goal: Goal
    settings: Settings
    root: Path | None


@dataclass(kw_only=True)
class FakeRefinement:
    """What the fake was asked, and what it answers. `before_answer` runs while the command waits."""

    new_text: str = NEW
    message: str = "Faster."
    failure: BaseException | None = None
    accepted: bool | None = True
    evidence: Evidence = Evidence.MODERATE
    before_answer: Callable[[], object] = lambda: None
    diagnoses: tuple[Any, ...] = ()
    requests: list[Request] = field(default_factory=list)
    checked_goals: list[bool] = field(default_factory=list)
    candidates: list[str] = field(default_factory=list)
    compared: list[tuple[str, str]] = field(default_factory=list)
    settings: list[Settings] = field(default_factory=list)

    def refine(self, request: Request, report: Report, cancelled: Any = None) -> Refinement:
        """A proposal of `new_text`; none where it is empty."""
        self.work(report)
        self.requests.append(request)
        return self.refinement(request)

    def refinement(self, request: Request) -> Refinement:
        """What `refine` answers."""
        verdict = Verdict(accepted=True, checks=RECEIPT.checks[:2], score=0.0, evidence=Evidence.MODERATE)
        rejected = replace(verdict, accepted=False, checks=RECEIPT.checks)
        steps = (
            Step(candidate=Candidate(iteration=0, origin="original", unit_text=OLD), verdict=verdict),
            Step(candidate=Candidate(iteration=1, origin="rules:sum", unit_text=NEW), verdict=rejected),
        )
        return Refinement(
            status="proposal" if self.new_text else "none",
            message=self.message,
            goal=request.goal,
            snapshot=request.snapshot,
            unit=request.unit,
            history=History(steps=steps),
            new_text=self.new_text,
            diff=DIFF if self.new_text else "",
            stop_reason="All rounds are used.",
            usage=Usage(requests=2, tokens=900, cost=0.0125, seconds=3.4),
            receipt=replace(RECEIPT, evidence=self.evidence),
        )

    def verify(self, request: Request, candidate_text: str, report: Report, *, check_goal: bool = False) -> Any:
        """The verdict `accepted`."""
        self.work(report)
        self.requests.append(request)
        self.candidates.append(candidate_text)
        self.checked_goals.append(check_goal)
        return Verification(accepted=self.accepted, message=self.message, receipt=RECEIPT)

    def judged(self, request: Request, candidate: Candidate, report: Report, *, check_goal: bool) -> Any:
        """The same of a candidate."""
        return self.verify(request, candidate.unit_text, report, check_goal=check_goal)

    def compare_timing(
        self, old: tuple[Snapshot, Unit], new: tuple[Snapshot, Unit], settings: Settings, root: Path, report: Report
    ) -> Timing:
        """TIMING."""
        self.work(report)
        self.compared.append((old[1].qualname, new[1].qualname))
        self.settings.append(settings)
        return TIMING

    def diagnose(self, settings: Settings, root: Path | None) -> tuple[Any, ...]:
        """`diagnoses`."""
        self.settings.append(settings)
        return self.diagnoses

    def work(self, report: Report) -> None:
        """Report the same progress twice, then fail if that is wanted."""
        for _ in range(2):
            report(Progress(step="tests", detail="1.84× faster", done=12, total=40))
        self.before_answer()
        if self.failure is not None:
            raise self.failure


@dataclass(frozen=True, kw_only=True)
class Verification:
    """As in `burnish.refinement`."""

    accepted: bool | None
    message: str
    receipt: Receipt


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """As in `burnish.diagnosis`."""

    name: str
    ok: bool
    detail: str


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeRefinement:
    """The fake in the place of `burnish.refinement`."""
    answers = FakeRefinement()
    module = ModuleType("burnish.refinement")
    vars(module).update(
        Request=Request,
        refine=answers.refine,
        verify=answers.verify,
        judged=answers.judged,
        compare_timing=answers.compare_timing,
    )
    monkeypatch.setitem(sys.modules, "burnish.refinement", module)
    diagnosis = ModuleType("burnish.diagnosis")
    vars(diagnosis).update(diagnose=answers.diagnose)
    monkeypatch.setitem(sys.modules, "burnish.diagnosis", diagnosis)
    return answers


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """code.py in a project that is the current folder, with no BURNISH_* variable set."""
    for variable in [name for name in os.environ if name.startswith("BURNISH_")]:
        monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    path = tmp_path / "code.py"
    path.write_text(OLD + "\n\nclass Shop:\n    def total(self):\n        return 0\n", encoding="utf-8")
    return path
