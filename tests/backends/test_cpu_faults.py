"""Faults that the cpu backend must show each time, though a GPU may hide them."""

from pathlib import Path

import pytest

from harness.backends.cpu.backend import CpuBackend
from harness.catalog import find_problem
from harness.judge import Limits, Settings, judge
from harness.model import BuildOptions, Source, Verdict

KERNEL = """
__global__ void product(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    BODY
}
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 block(16, 16), grid((K + 15) / 16, (M + 15) / 16);
    product<<<LAUNCH>>>(A, B, C, M, N, K);
}
"""
RIGHT = """if (row >= M || col >= K) return;
    float sum = 0;
    for (int n = 0; n < N; n++) sum += A[row * N + n] * B[n * K + col];
    C[row * K + col] = sum;"""


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("body", "launch", "verdict"),
    [
        (RIGHT, "grid, block", Verdict.ACCEPTED),
        (RIGHT.replace("sum = 0", "sum"), "grid, block", Verdict.WRONG_ANSWER),
        (RIGHT, "block, grid", Verdict.OUTPUT_NOT_WRITTEN),
    ],
    ids=["none", "a sum without a start", "grid and block exchanged"],
)
def test_verdict(tmp_path: Path, body: str, launch: str, verdict: Verdict) -> None:
    path = tmp_path / "solution.cu"
    text = KERNEL.replace("BODY", body).replace("LAUNCH", launch)
    path.write_text(text)
    for seed in (1, 2, 3):
        report = judge(
            find_problem("matmul"),
            Source(path, text),
            CpuBackend(),
            Settings(seed, limits=Limits(case_seconds=30)),
            BuildOptions(),
        )
        assert report.verdict is verdict, report.reason
