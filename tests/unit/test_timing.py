"""The figures of a report, from a worker's samples and facts."""

from __future__ import annotations

import pytest

from harness.cases import perf_case
from harness.catalog import find_problem
from harness.judge.timing import summarise
from harness.model import Timing
from harness.wire import TimeReply


def roofed(median: float, **facts: str) -> Timing:
    """A 8192x6144x4096 product on a card that copies 4,000 GB/s and does 60 TFLOP/s."""
    problem = find_problem("matmul")
    case = perf_case(problem, 1, {})
    assert case is not None
    facts = {"copy_gbps": "4000", "fp32_gflops": "60000", **facts}
    times = (median,) * 10
    timing, _ = summarise(problem, case, TimeReply(times, times, facts=facts))
    assert timing is not None
    return timing


def test_the_share_of_what_the_card_can_do() -> None:
    # 2 * 8192 * 6144 * 4096 FLOP at 60 TFLOP/s are 6.872 ms.
    timing = roofed(13.7439)
    assert timing.peak_fraction == pytest.approx(0.5, rel=1e-4) and timing.bound == "arithmetic"
    assert roofed(13.7439, copy_gbps="1").bound == "memory"
    assert roofed(13.7439, clock_mhz="1980", celsius="45").clocks == "1980 MHz, 45 °C"
    # Without the clock nothing is known of arithmetic, and a bound by memory alone would be none.
    assert roofed(13.7439, fp32_gflops="0").peak_fraction is None
