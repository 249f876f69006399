"""What counters give rise to."""

from __future__ import annotations

from harness.counters import LineCounters

GLOBAL = LineCounters(3, "global", "load", 4, 8, 200, 32, 0, 16)
SHARED = LineCounters(3, "shared", "load", 8, 8, 256, 0, 24, 16)


def test_global_memory_takes_sectors_and_has_no_conflicts() -> None:
    assert (GLOBAL.taken, GLOBAL.conflicts) == (32, 0)
    assert (GLOBAL.each, GLOBAL.least, GLOBAL.active) == (4.0, 2.0, 25.0)


def test_wavefronts_that_the_width_needs_are_no_conflicts() -> None:
    assert (SHARED.taken, SHARED.conflicts) == (24, 8)
    assert (SHARED.each, SHARED.least) == (3.0, 2.0)


def test_a_line_that_was_not_reached_has_no_figures() -> None:
    never = LineCounters(3, "shared", "load", 4, 0, 0, 0, 0, 0)
    assert (never.each, never.least, never.active, never.conflicts) == (0.0, 0.0, 0.0, 0)
