"""What the spec says that a call has to do and to move."""

from __future__ import annotations

from dataclasses import replace

from harness.analysis.work import with_work
from harness.catalog import find_problem
from harness.counters import Profile

EMPTY = Profile("matmul", "a.cu", "cpu", {"M": 16, "N": 16, "K": 64}, 1, ())


def test_operations_and_bytes_of_the_sizes_that_were_called() -> None:
    found = with_work(EMPTY, find_problem("matmul"))
    assert found.flops == 2 * 16 * 16 * 64
    assert found.bytes == 4 * (16 * 16 + 16 * 64 + 16 * 64)


def test_a_spec_that_counts_no_operations() -> None:
    problem = find_problem("transpose")
    found = with_work(replace(EMPTY, sizes={"rows": 3, "cols": 5}), problem)
    assert (found.flops, found.bytes) == (None, 8 * 15)


def test_a_spec_without_a_timed_case() -> None:
    assert with_work(EMPTY, replace(find_problem("matmul"), perf=None)) == EMPTY
