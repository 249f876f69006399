"""What races of a read come to: where a GPU may read what was there before, and the answer is then
wrong, they decide.

In ``decisive/*.cu`` the line of the read ends in ``// decides``. All are right on the CPU, in any
order of the threads.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harness.backends.cpu.backend import CpuBackend
from harness.cases import plan_cases
from harness.catalog import find_problem
from harness.judge import Settings, judge
from harness.judge.checks import Checks
from harness.model import BuildOptions, Report, Verdict
from harness.source import read_source

pytestmark = pytest.mark.compiler
HERE = Path(__file__).parent


def judged(path: Path) -> Report:
    problem, source = find_problem("transpose"), read_source(path)
    return judge(problem, source, CpuBackend(), Settings(seed=1, perf=False), BuildOptions())


@pytest.mark.parametrize("path", sorted((HERE / "decisive").glob("*.cu")), ids=lambda p: p.stem)
def test_a_read_of_what_was_there_before_decides(path: Path) -> None:
    lines = path.read_text().splitlines()
    (line,) = (n for n, text in enumerate(lines, 1) if text.endswith("// decides"))
    report = judged(path)
    assert report.verdict is Verdict.NONDETERMINISTIC, report.reason
    decided = [finding for finding in report.findings if finding.severity == "error"]
    assert [finding.line for finding in decided] == [line]
    assert re.search(
        "where a GPU reads what was there before|take turns|at the same time|comes later",
        decided[0].message,
    )


MARKS = """\
#include <cuda_runtime.h>

// A thread looks whether its neighbour was done by somebody else, and does it once more if not.
__global__ void transpose(const float* input, float* output, int* marks, int rows, int cols) {
    const int i = blockIdx.x * 64 + threadIdx.x, count = rows * cols;
    if (i >= count) return;
    for (int k = i; k <= i + 1 && k < count; ++k) {
        if (marks[k] > i) continue;
        output[k % cols * rows + k / cols] = input[k];
        marks[k] = i + 1;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    int* marks;
    cudaMalloc(&marks, rows * cols * sizeof(int));
    cudaMemset(marks, 0, rows * cols * sizeof(int));
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, marks, rows, cols);
    cudaFree(marks);
}
"""


def test_a_read_that_does_no_harm_decides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "marks.cu"
    path.write_text(MARKS)
    report = judged(path)
    assert report.verdict is Verdict.ACCEPTED, report.reason
    races = [finding for finding in report.findings if finding.kind == "race"]
    assert "info" in {finding.severity for finding in races}, "the read of a mark"
    assert "error" not in {finding.severity for finding in races}


FIXED_POINT = """\
#include <cuda_runtime.h>

__device__ int more;

// The largest index with each remainder of 64, by plain updates of which some are lost, until a
// launch finds nothing to do.
__global__ void spread(int* largest, int count) {
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (i < count && largest[i % 64] < i) {
        largest[i % 64] = i;
        more = 1;
    }
}

__global__ void transpose(const float* in, float* out, const int* largest, int rows, int cols) {
    const int i = blockIdx.x * 32 + threadIdx.x, count = rows * cols;
    if (i < count && largest[i % 64] + 64 >= count) out[i % cols * rows + i / cols] = in[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const int count = rows * cols, blocks = (count + 31) / 32;
    int *largest, again = 1;
    cudaMalloc(&largest, 64 * sizeof(int));
    cudaMemset(largest, 0xff, 64 * sizeof(int));
    while (again) {
        again = 0;
        cudaMemcpyToSymbol(more, &again, sizeof again);
        spread<<<blocks, 32>>>(largest, count);
        cudaMemcpyFromSymbol(&again, more, sizeof again);
    }
    transpose<<<blocks, 32>>>(input, output, largest, rows, cols);
    cudaFree(largest);
}
"""


def test_lost_updates_that_are_done_again_decide_nothing(tmp_path: Path) -> None:
    path = tmp_path / "fixed_point.cu"
    path.write_text(FIXED_POINT)
    report = judged(path)
    assert report.verdict is Verdict.ACCEPTED, report.reason
    lost = [finding for finding in report.findings if "an update is lost" in finding.message]
    assert {finding.severity for finding in lost} == {"warning"}


LOCK = """\
#include <cuda_runtime.h>

// Blocks that add to one sum under a lock without a fence.
__device__ int lock, sum;

__global__ void transpose(const float* input, float* output, int* left, int rows, int cols) {
    const int i = blockIdx.x * 64 + threadIdx.x, count = rows * cols;
    if (i < count) output[i % cols * rows + i / cols] = input[i];
    if (threadIdx.x != 0) return;
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    sum += 1;
    *left = sum;
    atomicExch(&lock, 0);
}

__global__ void spoil(const int* left, float* output, int blocks) {
    if (*left != blocks) output[0] = 0;
    sum = 0;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    int* left;
    const int blocks = (rows * cols + 63) / 64;
    cudaMalloc(&left, sizeof(int));
    transpose<<<blocks, 64>>>(input, output, left, rows, cols);
    spoil<<<1, 1>>>(left, output, blocks);
    cudaFree(left);
}
"""


def test_a_lock_without_a_fence_decides_nothing(tmp_path: Path) -> None:
    """The old value would spoil the output, but on a GPU the new one mostly arrives."""
    path = tmp_path / "lock.cu"
    path.write_text(LOCK)
    report = judged(path)
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert "race" in {finding.kind for finding in report.findings}


PLAIN_FLAG = """\
#include <cuda_runtime.h>

__device__ int ready, turns;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int count = rows * cols;
    if (blockIdx.x == 0) {
        for (int i = threadIdx.x; i < count; i += 64) output[i % cols * rows + i / cols] = input[i];
        __syncthreads();
        __threadfence();
        if (threadIdx.x == 0) ready = 1;
    } else if (threadIdx.x == 0) {
        while (ready == 0) atomicAdd(&turns, 1);
        ready = 0;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<2, 64>>>(input, output, rows, cols);
}
"""


def test_a_plain_flag_is_told_what_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "plain_flag.cu"
    path.write_text(PLAIN_FLAG)
    problem, source = find_problem("transpose"), read_source(path)
    backend, options, planned = CpuBackend(), BuildOptions(), plan_cases(problem, 1)
    checks = Checks(problem, source, backend, Settings(seed=1), options, planned)
    found = checks.findings(backend.build(problem, source, options))
    (told,) = [f for f in found if "what a loop waits for has to be volatile" in f.message]
    assert (told.line, told.severity) == (13, "warning")
