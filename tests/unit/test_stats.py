"""Exact values, by hand."""

from __future__ import annotations

import math

import pytest

from harness import stats


def test_median() -> None:
    assert stats.median([3.0]) == 3.0
    assert stats.median([9.0, 1.0, 5.0]) == 5.0
    assert stats.median([4.0, 1.0, 3.0, 2.0]) == 2.5


@pytest.mark.fault(31)
def test_mad_ignores_one_slow_sample() -> None:
    assert stats.mad([10.0, 10.0, 10.0, 10.0, 500.0]) == 0.0
    assert stats.mad([1.0, 2.0, 3.0, 4.0, 100.0]) == 1.0
    assert stats.relative_mad([1.0, 2.0, 3.0, 4.0, 100.0]) == pytest.approx(1 / 3)
    assert stats.relative_mad([0.0, 0.0, 0.0]) == 0.0
    assert stats.relative_mad([-1.0, 0.0, 1.0]) == math.inf


def test_quantiles_interpolate() -> None:
    values = [40.0, 10.0, 30.0, 20.0]
    assert stats.quantile(values, 0.0) == 10.0
    assert stats.quantile(values, 1.0) == 40.0
    assert stats.quantile(values, 0.5) == 25.0
    assert stats.quantile(values, 0.25) == 17.5
    assert stats.quantile([5.0], 0.9) == 5.0
    low, high = stats.interval([float(i) for i in range(101)])
    assert (low, high) == (pytest.approx(5.0), pytest.approx(95.0))


def test_spread() -> None:
    assert stats.spread([2.0, 2.0]) == 0.0
    assert stats.spread([1.0, 2.0, 3.0]) == 1.0
    assert stats.spread([-1.0, 0.0, 1.0]) == math.inf


def test_stopping_rule() -> None:
    steady = [1.0, 1.001] * 5
    assert stats.is_settled(steady)
    assert not stats.is_settled(steady[:9])
    assert not stats.is_settled([1.0, 1.1] * 5)
    assert stats.is_settled([1.0, 1.1] * 5, limit=0.1)


def test_without_values() -> None:
    for function in (stats.median, stats.mad):
        with pytest.raises(ValueError, match="no values"):
            function([])
    with pytest.raises(ValueError, match="no values"):
        stats.quantile([], 0.5)
    with pytest.raises(ValueError, match="between 0 and 1"):
        stats.quantile([1.0], 1.5)


def test_the_interval_of_a_median_by_the_binomial_distribution() -> None:
    twelve = [float(i) for i in range(1, 13)]
    # P(at most 1 of 12 below the median) = 13 / 4096; twice that is 0.6 %, with 2 it is 3.9 %.
    assert stats.median_interval(twelve) == (2.0, 11.0)
    assert stats.median_interval(twelve, 0.95) == (3.0, 10.0)
    assert stats.median_interval(list(reversed(twelve))) == (2.0, 11.0)
    # With 7 the whole range holds it with 98.4 % only.
    assert stats.median_interval([float(i) for i in range(7)]) == (0.0, 6.0)
    assert stats.median_interval([4.0]) == (4.0, 4.0)
    with pytest.raises(ValueError, match="no values"):
        stats.median_interval([])


@pytest.mark.parametrize(
    ("ratios", "said"),
    [
        ([1.0] * 12, "SAME"),
        ([1.004, 0.996] * 6, "SAME"),
        ([1.03, 1.025] * 6, "SLOWER"),
        ([0.97, 0.975] * 6, "FASTER"),
        ([1.0, 1.2] * 6, "UNCLEAR"),
        # One round in twelve with other work on the GPU says nothing.
        ([1.0] * 11 + [3.0], "SAME"),
        ([1.03] * 11 + [0.5], "SLOWER"),
        ([1.012] * 12, "SLOWER"),
        ([1.008] * 12, "SAME"),
    ],
)
def test_difference(ratios: list[float], said: str) -> None:
    assert stats.difference(ratios).value == said
