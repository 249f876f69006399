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
