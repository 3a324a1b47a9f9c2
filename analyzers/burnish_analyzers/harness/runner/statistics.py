"""The little statistics that timing needs, with nothing but the standard library."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

RESAMPLES = 400
LEAST_VALUES = 3
MANY = 200
MOST_FREEDOM = 12  # the error of a median is known no better, however many values there are
LEAST_ERROR = 0.0005  # no clock and no machine is steadier than that
# What the same program's log ratio differs by from process to process, beyond what fresh copies of the code show.
PROCESS_SPREAD = 0.005
RESOLUTION_ALPHA = 0.05
Interval = tuple[float, float, float]


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def standard_error(values: Sequence[float]) -> float:
    """The bootstrap standard error of the median (Efron 1979). The seed is fixed: one set of values, one answer."""
    chance = random.Random(len(values))
    medians = [median(chance.choices(values, k=len(values))) for _ in range(RESAMPLES)]
    mean = sum(medians) / RESAMPLES
    return max(math.sqrt(sum((value - mean) ** 2 for value in medians) / (RESAMPLES - 1)), LEAST_ERROR)


def t_quantile(alpha: float, freedom: int) -> float:
    """Student's t that is exceeded in size with probability `alpha`, by bisection of Abramowitz and Stegun 26.7.3-4."""
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        if 1 - within(angle, freedom) > alpha:
            low = angle
        else:
            high = angle
    return math.sqrt(freedom) * math.tan(low)


def within(angle: float, freedom: int) -> float:
    """The probability that t is between plus and minus ``sqrt(freedom) * tan(angle)``."""
    cosine = math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for index in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * index / (index + 1)
    total *= math.sin(angle)
    return (angle + total) * 2 / math.pi if odd else total


def interval(processes: Sequence[Sequence[float]], alpha: float) -> Interval:
    """Centre, low and high of a quantity that was measured in some processes several times.

    A random-effects mean of the medians (DerSimonian and Laird 1986), with error rate `alpha`: processes that differ
    by more than their own errors widen it. Open where there are too few values to tell.
    """
    freedom = sum(min(len(values) - 1, MOST_FREEDOM) for values in processes)
    if not processes or min(map(len, processes)) < LEAST_VALUES:
        values = [value for process in processes for value in process]
        return median(values) if values else 0.0, -math.inf, math.inf
    centres = [median(values) for values in processes]
    variances = [standard_error(values) ** 2 for values in processes]
    spread = spread_between(centres, variances)
    weights = [1 / (variance + spread) for variance in variances]
    centre = mean(centres, weights)
    # t for what was estimated from few values, the normal distribution for what is known of processes.
    estimated, known = t_quantile(alpha, freedom) ** 2, t_quantile(alpha, MANY) ** 2
    squares = (weight**2 * (estimated * own + known * spread) for weight, own in zip(weights, variances))
    reach = math.sqrt(sum(squares)) / sum(weights)
    return centre, centre - reach, centre + reach


def resolution(processes: Sequence[Sequence[float]]) -> float:
    """The largest log ratio that something shows against itself: the farther end of the interval, or of few values."""
    _, low, high = interval(processes, RESOLUTION_ALPHA)
    if math.isfinite(low):
        return max(-low, high)
    return max((abs(value) for values in processes for value in values), default=0.0)


def spread_between(centres: Sequence[float], variances: Sequence[float]) -> float:
    """The variance between processes, from how much more they differ than their own errors explain."""
    weights = [1 / variance for variance in variances]
    centre = mean(centres, weights)
    excess = sum(weight * (value - centre) ** 2 for weight, value in zip(weights, centres)) - (len(centres) - 1)
    scale = sum(weights) - sum(weight**2 for weight in weights) / sum(weights)
    return max(PROCESS_SPREAD**2, excess / scale if len(centres) > 1 else 0.0)


def mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted mean."""
    return sum(value * weight for value, weight in zip(values, weights)) / sum(weights)
