"""Asynchronous copies on the cpu backend are made when they are waited for, no sooner: who reads
too early is wrong there, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.backends.base import Backend
from harness.catalog import find_problem
from harness.judge import Limits, Settings, judge
from harness.model import BuildOptions, Report, Verdict
from harness.source import read_source

pytestmark = pytest.mark.compiler

RUNG = Path(__file__).parent.parent.parent / "solutions" / "v6.cu"
WAIT = "__pipeline_wait_prior(STAGES - 2);"
BARRIER = "__syncthreads();"

GROUP_COPY = """
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void transpose(const float* in, float* out, int rows, int cols) {
    __shared__ float row[32];
    auto block = cg::this_thread_block();
    for (int x = 0; x < cols; x += 32) {
        const int count = min(32, cols - x);
        cg::memcpy_async(block, row, in + size_t(blockIdx.x) * cols + x, sizeof(float) * count);
        WAIT
        const int i = threadIdx.x;
        if (i < count) out[size_t(x + i) * rows + blockIdx.x] = row[i];
        block.sync();
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<rows, 32>>>(input, output, rows, cols);
}
"""


def judged(text: str, folder: Path, backend: Backend, problem: str = "matmul") -> Report:
    path = folder / "a.cu"
    path.write_text(text)
    settings = Settings(seed=5, perf=False, limits=Limits(case_seconds=30.0))
    source = read_source(path)
    return judge(find_problem(problem), source, backend, settings, BuildOptions())


@pytest.mark.parametrize(
    ("line", "instead"),
    [(WAIT, ""), (WAIT, "__pipeline_wait_prior(STAGES - 1);"), (BARRIER, "")],
    ids=["no wait", "waits for one too few", "no barrier"],
)
def test_a_ring_without_its_waits(
    line: str, instead: str, tmp_path: Path, backend_of: Callable[[str], Backend]
) -> None:
    text = RUNG.read_text()
    assert text.count(line) == 1
    report = judged(text.replace(line, instead), tmp_path, backend_of("cpu"))
    assert report.verdict in (Verdict.WRONG_ANSWER, Verdict.NONDETERMINISTIC), report.reason


def test_the_ring_as_it_is(tmp_path: Path, backend_of: Callable[[str], Backend]) -> None:
    report = judged(RUNG.read_text(), tmp_path, backend_of("cpu"))
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert [finding for finding in report.findings if finding.severity != "info"] == []


def test_a_groups_copy(tmp_path: Path, backend_of: Callable[[str], Backend]) -> None:
    text = GROUP_COPY.replace("WAIT", "cg::wait(block);")
    report = judged(text, tmp_path, backend_of("cpu"), "transpose")
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert report.findings == ()


def test_a_groups_copy_behind_a_barrier_alone(
    tmp_path: Path, backend_of: Callable[[str], Backend]
) -> None:
    text = GROUP_COPY.replace("WAIT", "block.sync();")
    report = judged(text, tmp_path, backend_of("cpu"), "transpose")
    assert report.verdict is Verdict.NONDETERMINISTIC
    assert "row[0] is read before anything was written there" in report.reason
