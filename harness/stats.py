"""The statistics of timing samples: few, exact, pure Python.

Medians and absolute deviations are used because a GPU's samples have a tail on one side (clocks,
other work): one slow sample moves a mean and leaves a median alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones. Raises ValueError without values."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def mad(values: Sequence[float]) -> float:
    """The median absolute deviation from the median, unscaled."""
    centre = median(values)
    return median([abs(value - centre) for value in values])


def relative_mad(values: Sequence[float]) -> float:
    """``mad / |median|``; infinite where the median is zero and the values differ."""
    centre, deviation = median(values), mad(values)
    if deviation == 0:
        return 0.0
    return deviation / abs(centre) if centre else math.inf


def quantile(values: Sequence[float], fraction: float) -> float:
    """The value below which ``fraction`` (0 to 1) of the values lie, linear between neighbours
    (Hyndman and Fan's type 7, numpy's default)."""
    if not values:
        raise ValueError("no values")
    if not 0 <= fraction <= 1:
        raise ValueError(f"a fraction lies between 0 and 1, not {fraction}")
    ordered = sorted(values)
    place = fraction * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def interval(values: Sequence[float], fraction: float = 0.9) -> tuple[float, float]:
    """The middle ``fraction`` of the values, as (low, high)."""
    outside = (1 - fraction) / 2
    return quantile(values, outside), quantile(values, 1 - outside)


def spread(values: Sequence[float]) -> float:
    """``(largest - smallest) / median``: how far the samples lie apart, relative."""
    centre = median(values)
    width = max(values) - min(values)
    if width == 0:
        return 0.0
    return width / abs(centre) if centre else math.inf


def is_settled(values: Sequence[float], least: int = 10, limit: float = 0.005) -> bool:
    """The stopping rule: at least ``least`` samples and a relative MAD of at most ``limit``."""
    return len(values) >= least and relative_mad(values) <= limit


def median_interval(values: Sequence[float], confidence: float = 0.99) -> tuple[float, float]:
    """Where the median that ``values`` were drawn from lies with at least this probability,
    whatever their distribution: from the k-th smallest to the k-th largest, by the binomial
    distribution (David and Nagaraja, Order Statistics, 7.1). The whole range where there are too
    few values for that (fewer than 8 for 0.99)."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    count = len(ordered)
    outside, k = 0.0, 0  # the probability that the median lies below the (k + 1)-th smallest
    for i in range(count // 2):
        outside += math.comb(count, i) / 2**count
        if 2 * outside > 1 - confidence:
            break
        k = i
    return ordered[k], ordered[count - 1 - k]


class Difference(str, Enum):
    """What the ratios of one thing's times to another's say."""

    FASTER = "FASTER"
    SAME = "SAME"
    SLOWER = "SLOWER"
    UNCLEAR = "UNCLEAR"


# What two builds of one source may differ by from where their arrays lie in memory.
SAME_WITHIN = 0.01
# An interval that reaches farther than this leaves it open whether they are the same.
_CLEAR_WITHIN = 0.03


def difference(ratios: Sequence[float]) -> Difference:
    """``ratios``: of paired times, above 1 for slower. SAME where the interval of the median
    touches 1 % around 1 and reaches no farther than 3 %."""
    low, high = median_interval(ratios)
    if low > 1 + SAME_WITHIN:
        return Difference.SLOWER
    if high < 1 / (1 + SAME_WITHIN):
        return Difference.FASTER
    clear = low >= 1 / (1 + _CLEAR_WITHIN) and high <= 1 + _CLEAR_WITHIN
    return Difference.SAME if clear else Difference.UNCLEAR
