"""The little statistics that timing needs, with nothing but the standard library."""

from __future__ import annotations

import random
from collections.abc import Sequence

RESAMPLES = 2_000


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def bootstrap_interval(values: Sequence[float], alpha: float) -> tuple[float, float]:
    """A percentile bootstrap interval of the median with error rate `alpha` (Efron 1979).

    The seed is fixed: one set of values gives one answer.
    """
    chance = random.Random(len(values))
    medians = sorted(median(chance.choices(values, k=len(values))) for _ in range(RESAMPLES))
    edge = int(RESAMPLES * alpha / 2)
    return medians[edge], medians[-1 - edge]
