"""How easy code is to read: one number, and what it is made of.

Everything that a reader has to take in is a burden: each token, statement, decision, level of nesting, name that says
nothing, and column past the edge. The burdens are added up, and the score falls from 100 as their sum grows. So the
score is monotone in each of them, and whether a change raises it does not depend on the code around the change.

Comments and docstrings count neither for nor against the code, nor do annotations, blank lines or the way lines are
broken: none of them can buy a better score. Burdens count names, not shares of names, so that more good names cannot
hide bad ones. Halstead's difficulty is left out, since it falls when operands are added; tokens stand in for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"size": 1.0, "length": 3.0, "complexity": 8.0, "nesting": 3.0, "naming": 20.0, "long_lines": 0.5}
)
"""What one token, statement, decision, level of a statement, vague name and column past the edge weigh, in tokens."""
HALF_SCORE_BURDEN = 600.0
"""The burden at which the score is 50; about that of a function of 40 lines."""


class Burdens(Protocol):
    """What the score is made from, as in `UnitMetrics`."""

    @property
    def tokens(self) -> int: ...
    @property
    def statements(self) -> int: ...
    @property
    def decisions(self) -> int: ...
    @property
    def indentation(self) -> int: ...
    @property
    def vague_names(self) -> float: ...
    @property
    def excess_columns(self) -> int: ...


@dataclass(frozen=True, kw_only=True)
class Readability:
    """A score from 0 (worst) to 100, and the points that each part costs: together they make up 100."""

    score: float
    lost: Mapping[str, float]


def readability_score(metrics: Burdens) -> Readability:
    """The score of a unit."""
    counts = {
        "size": metrics.tokens,
        "length": metrics.statements,
        "complexity": metrics.decisions,
        "nesting": metrics.indentation,
        "naming": metrics.vague_names,
        "long_lines": metrics.excess_columns,
    }
    burdens = {part: WEIGHTS[part] * count for part, count in counts.items()}
    total = sum(burdens.values())
    points_per_burden = 100 / (HALF_SCORE_BURDEN + total)
    lost = {part: burden * points_per_burden for part, burden in burdens.items()}
    return Readability(score=HALF_SCORE_BURDEN * points_per_burden, lost=MappingProxyType(lost))
