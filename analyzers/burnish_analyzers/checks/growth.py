"""Fits how time grows with size: seconds ~ size ** exponent."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from burnish_analyzers.checks.outcome import Exponent, Growth
from burnish_analyzers.harness.runner.statistics import median

RESAMPLES = 1_000
ALPHA = 0.05
LEAST_SIZES = 4
LEAST_DISTINCT = 3


def fitted(document: Mapping[str, Any] | None) -> Growth | None:
    """The growth of both versions from what the runner timed; None where nothing could be made larger."""
    if document is None or len(document["sizes"]) < LEAST_SIZES:
        return None
    sizes, before, after = document["sizes"], document["before"], document["after"]
    return Growth(
        before=exponent(sizes, before),
        after=exponent(sizes, after),
        sizes=tuple(sizes),
        seconds_before=tuple(map(median, before)),
        seconds_after=tuple(map(median, after)),
    )


def exponent(sizes: Sequence[int], rows: Sequence[Sequence[float]]) -> Exponent:
    """The slope of log seconds over log size in the upper half of the sizes, where what each call costs is drowned.

    Its interval is a bootstrap of the sizes and of the measurements at each.
    """
    half = min(len(sizes) // 2, len(sizes) - LEAST_SIZES)
    points = [
        (math.log(size), [math.log(max(seconds, 1e-9)) for seconds in row])
        for size, row in zip(sizes[half:], rows[half:], strict=True)
    ]
    chance = random.Random(len(points))
    slopes: list[float] = []
    while len(slopes) < RESAMPLES:
        drawn = [(size, chance.choice(row)) for size, row in chance.choices(points, k=len(points))]
        if len({size for size, _ in drawn}) >= LEAST_DISTINCT:
            slopes.append(slope(drawn))
    slopes.sort()
    edge = int(RESAMPLES * ALPHA / 2)
    middle = slope([(size, median(row)) for size, row in points])
    return Exponent(exponent=middle, low=min(slopes[edge], middle), high=max(slopes[-1 - edge], middle))


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The least-squares slope."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def shown(growth: Growth) -> str:
    """``time grows like n^2.0 before and n^1.0 after``."""
    before, after = growth.before, growth.after
    return f"time grows like n^{before.exponent:.1f} before and n^{after.exponent:.1f} after"
