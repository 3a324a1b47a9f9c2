"""What a check says of a candidate."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Status(StrEnum):
    """A check's answer. A skipped or errored check is never shown as passed."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERRORED = "errored"


class Evidence(StrEnum):
    """How strongly the checks guard this unit, best first."""

    STRONG = "strong"
    MODERATE = "moderate"
    WEAK = "weak"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Counterexample:
    """One observation on which the original and the candidate differ, as a person would read it."""

    call: str
    expected: str
    actual: str


@dataclass(frozen=True, kw_only=True)
class CheckOutcome:
    """The answer of one check; `detail` is one sentence for people."""

    name: str
    status: Status
    detail: str
    counterexample: Counterexample | None = None
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Exponent:
    """Time grows like size ** exponent, with its interval at 95 %."""

    exponent: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Growth:
    """Seconds of one call at several sizes of its arguments, and how they grow."""

    before: Exponent
    after: Exponent
    sizes: tuple[int, ...]
    seconds_before: tuple[float, ...]
    seconds_after: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class PeakBytes:
    """The most memory that one call takes beyond its arguments."""

    before: int
    after: int


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Old seconds over new seconds (above 1 is faster), with its interval.

    `resolution`: the largest ratio that the old version shows against itself here and now, at 95 %: no smaller
    difference is claimed. `processes` that were timed. What was not measured is None.
    """

    ratio: float
    low: float
    high: float
    confidence: float
    verdict: Literal["faster", "slower", "same", "cannot tell"]
    clock: str
    workloads: int
    processes: int = 1
    resolution: float | None = None
    peak_bytes: PeakBytes | None = None
    growth: Growth | None = None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """All checks of one candidate.

    `score` orders accepted candidates of one refinement (higher is better; y_0 scores 0); its unit is the goal's:
    log of the speed-up's lower bound, or points of the readability score.
    """

    accepted: bool
    checks: tuple[CheckOutcome, ...]
    score: float
    evidence: Evidence
    timing: Timing | None = None
    metrics_before: dict[str, float] | None = None
    metrics_after: dict[str, float] | None = None

    @property
    def failure(self) -> CheckOutcome | None:
        """The first check that did not hold, or None."""
        bad = (Status.FAILED, Status.ERRORED)
        return next((check for check in self.checks if check.status in bad), None)
