"""What one refinement has seen so far: critiques, candidates and verdicts (Self-Refine, arXiv 2303.17651, Eq. 4)."""

from __future__ import annotations

from dataclasses import dataclass

from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.outcome import Verdict


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One remark of a critique. Lines are 1-based, inclusive, counted in the candidate's text."""

    aspect: str
    start_line: int
    end_line: int
    problem: str
    change: str
    evidence: str = ""
    severity: int = 1


@dataclass(frozen=True, kw_only=True)
class Critique:
    """FEEDBACK on one candidate: findings, a score 0-10 for each aspect, and whether to stop."""

    findings: tuple[Finding, ...] = ()
    scores: tuple[tuple[str, float], ...] = ()
    stop: bool = False


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What a refinement has cost. `cost` is in US dollars, 0 where no price is known."""

    requests: int = 0
    tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            requests=self.requests + other.requests,
            tokens=self.tokens + other.tokens,
            cost=self.cost + other.cost,
            seconds=self.seconds + other.seconds,
        )


@dataclass(frozen=True, kw_only=True)
class Step:
    """One round: a candidate, its verdict, and the critique of it where one was made."""

    candidate: Candidate
    verdict: Verdict
    critique: Critique | None = None


@dataclass(frozen=True, kw_only=True)
class History:
    """All steps in order; the first is y_0, the user's code."""

    steps: tuple[Step, ...]

    @property
    def original(self) -> Step:
        """y_0."""
        return self.steps[0]

    @property
    def latest(self) -> Step:
        """y_t."""
        return self.steps[-1]

    @property
    def best(self) -> Step:
        """The accepted step of the highest score; y_0 where none beat it. Quality is not monotone."""
        accepted = [step for step in self.steps[1:] if step.verdict.accepted]
        return max(accepted, key=lambda step: step.verdict.score, default=self.original)
