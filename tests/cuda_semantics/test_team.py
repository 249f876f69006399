"""One launch by several processes: the same results, atomics included, and a clear word where that
cannot be."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from programs import FOLDER, CpuPrograms

from harness.backends.cpu.backend import CpuBackend
from harness.catalog import find_problem
from harness.judge import Limits, Settings, judge
from harness.model import BuildOptions, Source, Verdict

TEAM = {"LEETK_PROCESSES": "3", "LEETK_TEAM_AT_ONCE": "1", "LD_BIND_NOW": "1"}

PROGRAM = """
#include <cstdio>
#include <set>
#include <unistd.h>

__global__ void count(int* bins, float* sum, int* largest, int* who, int* odd,
                      int modulus) {
    __shared__ int tile[64];
    tile[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
    __syncthreads();
    int value = tile[63 - threadIdx.x];
    atomicAdd(&bins[value % modulus], 1);
    atomicAdd(sum, 1.0f);
    atomicMax(largest, value);
    for (int old = *odd, assumed; value % 2;) {
        assumed = old;
        old = atomicCAS(odd, assumed, assumed + 1);
        if (old == assumed) break;
    }
    if (threadIdx.x == 0) who[blockIdx.x] = getpid();
    usleep(20);
}

int main() {
    int *bins, *largest, *who, *odd, host[7], most, odds, pids[600];
    float *sum, total;
    cudaMalloc(&bins, sizeof(host));
    cudaMalloc(&sum, sizeof(float));
    cudaMalloc(&largest, sizeof(int));
    cudaMalloc(&odd, sizeof(int));
    cudaMalloc(&who, sizeof(pids));
    cudaMemset(bins, 0, sizeof(host));
    cudaMemset(sum, 0, sizeof(float));
    cudaMemset(largest, 0, sizeof(int));
    cudaMemset(odd, 0, sizeof(int));
    count<<<600, 64>>>(bins, sum, largest, who, odd, 7);
    cudaMemcpy(host, bins, sizeof(host), cudaMemcpyDeviceToHost);
    cudaMemcpy(&total, sum, sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(&most, largest, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&odds, odd, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(pids, who, sizeof(pids), cudaMemcpyDeviceToHost);
    for (int n : host) printf("%d ", n);
    printf("%g %d %d, %zu processes\\n", total, most, odds, std::set<int>(pids, pids + 600).size());
}
"""


def run(program: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(program)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **TEAM, **environment},
    )


@pytest.fixture
def program(cpu_programs: CpuPrograms, tmp_path: Path) -> Path:
    source = tmp_path / "team.cu"
    source.write_text(PROGRAM)
    return cpu_programs.program(source)


@pytest.mark.compiler
@pytest.mark.parametrize("order", ["forward", "backward", "shuffled"])
def test_blocks_are_shared_and_atomics_are_right(program: Path, order: str) -> None:
    done = run(program, LEETK_ORDER=order, LEETK_SEED="3")
    bins = " ".join(str(len(range(i, 38400, 7))) for i in range(7))
    assert done.stdout == f"{bins} 38400 38399 19200, 3 processes\n", done.stderr
    alone = run(program, LEETK_ORDER=order, LEETK_PROCESSES="1")
    assert alone.stdout == done.stdout.replace("3 processes", "1 processes")


@pytest.mark.compiler
@pytest.mark.parametrize(
    "name",
    ["atomics", "cg_grid_sync", "grid_stride", "large_shared", "spin_lock", "warp_block_reduce"],
)
def test_programs_print_the_same(cpu_programs: CpuPrograms, name: str) -> None:
    program = cpu_programs.program(FOLDER / f"{name}.cu")
    done = run(program)
    assert (done.returncode, done.stdout) == (0, (FOLDER / f"{name}.expected").read_text())


@pytest.mark.compiler
def test_a_program_with_variables_works_alone(cpu_programs: CpuPrograms) -> None:
    """Each process would have its own copy of them."""
    for name in ("last_block", "look_back", "device_symbols"):
        done = run(cpu_programs.program(FOLDER / f"{name}.cu"))
        assert (done.returncode, done.stdout) == (0, (FOLDER / f"{name}.expected").read_text())


# From the second block on threads poll, so a block is put aside for the next one, which another
# process may have taken meanwhile: the block that was put aside must not be forgotten then.
POLLING = """
#include <cstdio>
__global__ void visit(int* visits) {
    if (blockIdx.x > 0) {
        for (int i = 0; i < 12; ++i) __nanosleep(1);
    }
    atomicAdd(&visits[blockIdx.x], 1);
}
int main() {
    int *visits, wrong = 0;
    cudaMallocManaged(&visits, 12 * sizeof(int));
    for (int launch = 0; launch < 120; ++launch) {
        const int blocks = 4 + launch % 8;
        for (int i = 0; i < blocks; ++i) visits[i] = 0;
        visit<<<blocks, 512>>>(visits);
        cudaDeviceSynchronize();
        for (int i = 0; i < blocks; ++i) wrong += visits[i] != 512;
    }
    printf("%d wrong\\n", wrong);
}
"""


@pytest.mark.compiler
def test_a_block_put_aside_for_one_that_is_gone_goes_on(
    cpu_programs: CpuPrograms, tmp_path: Path
) -> None:
    source = tmp_path / "polling.cu"
    source.write_text(POLLING)
    done = run(cpu_programs.program(source))
    assert done.stdout == "0 wrong\n", done.stderr


# Each block keeps memory of its own until the second kernel frees it.
KEEPING = """
#include <cstdlib>
__global__ void first(const float* in, float* out, float** kept, int rows, int cols) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < cols && y < rows && (threadIdx.x || threadIdx.y)) out[x * rows + y] = in[y * cols + x];
    __syncthreads();
    if (threadIdx.x || threadIdx.y) return;
    float* own = (float*)malloc(sizeof(float));
    *own = in[y * cols + x];
    kept[blockIdx.y * gridDim.x + blockIdx.x] = own;
}
__global__ void second(float* out, float** kept, int rows) {
    float* own = kept[blockIdx.y * gridDim.x + blockIdx.x];
    out[blockIdx.x * 16 * rows + blockIdx.y * 16] = *own;
    free(own);
}
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    float** kept;
    cudaMalloc(&kept, grid.x * grid.y * sizeof(float*));
    first<<<grid, block>>>(input, output, kept, rows, cols);
    second<<<grid, 1>>>(output, kept, rows);
    cudaFree(kept);
}
"""


@pytest.mark.compiler
def test_the_judge_calls_again_with_one_process(tmp_path: Path) -> None:
    path = tmp_path / "solution.cu"
    path.write_text(KEEPING)
    settings = Settings(1, sizes={"rows": 1500, "cols": 1400}, limits=Limits(case_seconds=60))
    source = Source(path, KEEPING)
    report = judge(find_problem("transpose"), source, CpuBackend(), settings, BuildOptions())
    assert report.verdict is Verdict.ACCEPTED, report.reason
