"""A call that runs into its time limit: the verdict says what was running, and where."""

from pathlib import Path

import pytest

from harness.backends.cpu.backend import CpuBackend
from harness.catalog import find_problem
from harness.judge import Limits, Settings, checks, judge
from harness.model import BuildOptions, Source, Verdict

TEXT = """#include <unistd.h>
__device__ volatile int flag;
__device__ int turn; static volatile int ready;
template <int N>
__global__ void product(const float* A, const float* B, float* C, int M, int N_, int K) {
    KERNEL
}
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    HOST
    product<4><<<1, 64>>>(A, B, C, M, N, K);
}
"""
KERNEL_SAYS = "kernel product<4>, launched at solution.cu:10, was running"


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("kernel", "host", "said", "line"),
    [
        ("while (flag == 0) {}", "", KERNEL_SAYS, 6),
        ("while (atomicAdd(&turn, 0) == 0) {}", "", KERNEL_SAYS, 6),
        ("if (M > 0) for (;;) {}", "", f"{KERNEL_SAYS} an endless loop that does nothing", 0),
        ("C[0] = 1;", "while (ready == 0) {}", "host code was running", 9),
        ("C[0] = 1;", "sleep(600);", "host code was running", 9),
        ("C[0] = 1;", "for (;;) cudaDeviceSynchronize();", "host code was running", 9),
    ],
    ids=["poll", "atomic", "nothing", "host polls", "host sleeps", "host calls"],
)
def test_where_the_time_went(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kernel: str,
    host: str,
    said: str,
    line: int,
) -> None:
    monkeypatch.setattr(checks, "_CALL_SECONDS", 0.5)
    monkeypatch.setattr(checks, "_WAIT_SECONDS", 1.0)
    text = TEXT.replace("KERNEL", kernel).replace("HOST", host)
    path = tmp_path / "solution.cu"
    path.write_text(text)
    report = judge(
        find_problem("matmul"),
        Source(path, text),
        CpuBackend(),
        Settings(1, limits=Limits(case_seconds=0.5)),
        BuildOptions(),
    )
    assert report.verdict is Verdict.TIME_LIMIT
    reason = next(case.reason for case in report.cases if case.reason)
    assert f"; {said}" in reason
    assert (f", at {path}:{line}" in reason) == bool(line)
    assert not line or reason.endswith(f":{line}")
    assert not [finding for finding in report.findings if finding.kind == "running"]
