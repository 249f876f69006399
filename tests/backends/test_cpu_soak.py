"""5,000 launches in one worker: neither memory nor descriptors grow."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.backends.cpu.backend import CpuBackend
from harness.catalog import find_problem
from harness.model import BuildOptions, Source, Status
from harness.wire import Buffer, Call, RunOptions, Scalar
from harness.worker.arena import Arena
from harness.worker.supervisor import Worker, WorkerLimits

# 100 launches a call, with everything around them that holds memory or descriptors.
SOLUTION = """
#include <cstdio>
__constant__ float factor;
__device__ unsigned int visits;

template <int THREADS>
__global__ void turn(const float* in, float* out, int rows, int cols) {
    extern __shared__ float column[];
    __shared__ float row[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    row[threadIdx.x] = i < rows * cols ? in[i] : 0;
    column[threadIdx.x] = __shfl_down_sync(0xffffffff, row[threadIdx.x], 1);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&visits, 1u);
    if (i < rows * cols) out[i % cols * rows + i / cols] = row[threadIdx.x] * factor;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float one = 1, *scratch, *pool;
    size_t bytes = sizeof(float) * rows * cols;
    cudaMemcpyToSymbol(factor, &one, sizeof(one));
    for (int i = 0; i < 50; ++i) {
        cudaStream_t stream;
        cudaEvent_t begin;
        cudaStreamCreate(&stream);
        cudaEventCreate(&begin);
        cudaMalloc(&scratch, bytes);
        cudaMallocAsync(&pool, bytes, stream);
        cudaMemsetAsync(scratch, 0, bytes, stream);
        int blocks = (rows * cols + 63) / 64;
        turn<64><<<blocks, 64, 64 * sizeof(float), stream>>>(input, scratch, rows, cols);
        turn<64><<<blocks, 64, 64 * sizeof(float)>>>(input, output, rows, cols);
        cudaEventRecord(begin, stream);
        cudaStreamSynchronize(stream);
        cudaFreeAsync(pool, stream);
        cudaFree(scratch);
        cudaEventDestroy(begin);
        cudaStreamDestroy(stream);
    }
    printf("%d rows\\n", rows);
}
"""
ROWS, COLS = 37, 53
CALLS = 50


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    path = tmp_path / "solution.cu"
    path.write_text(SOLUTION)
    backend = CpuBackend()
    artifact = backend.build(find_problem("transpose"), Source(path, SOLUTION), BuildOptions())
    arena = Arena()
    arena.reserve(1 << 20)
    worker = Worker(backend.runner, backend.config(), arena, WorkerLimits(60))
    assert worker.load(artifact.library) is None
    yield worker
    worker.close()
    arena.close()


def _call() -> Call:
    red, size = 16384, 4 * ROWS * COLS
    padded = red - size % 4096 + 4096
    first = Buffer("input", "float32", (ROWS, COLS), "in", 1 << 17, size, red, padded)
    second = Buffer("output", "float32", (COLS, ROWS), "out", 1 << 18, size, red, padded)
    sizes = (Scalar("rows", "int32", ROWS), Scalar("cols", "int32", COLS))
    return Call((first, second, *sizes), 1 << 20)


def _state(worker: Worker) -> tuple[int, int, int]:
    """Descriptors, mappings and private resident bytes of the worker's process."""
    process = Path(f"/proc/{worker._process.pid}")
    maps = (process / "smaps_rollup").read_text().splitlines()
    private = sum(int(line.split()[1]) for line in maps if line.startswith("Private_"))
    mappings = len((process / "maps").read_text().splitlines())
    return len(os.listdir(process / "fd")), mappings, private << 10


@pytest.mark.compiler
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_worker_does_not_grow(worker: Worker) -> None:
    def launch_often(calls: int) -> None:
        for number in range(calls):
            order = "shuffled" if number % 2 else "forward"
            outcome = worker.run(_call(), RunOptions(order, seed=number, poison=number % 2))
            assert outcome.status is Status.COMPLETED, outcome
            assert outcome.reply is not None and outcome.reply.error is None
            assert outcome.output == f"{ROWS} rows\n"

    launch_often(10)  # what is made once and kept
    descriptors, mappings, private = _state(worker)
    launch_often(CALLS)
    after = _state(worker)
    assert after[0] == descriptors
    assert after[1] <= mappings + 4
    # A stack that the timer's tick meets takes a page more. 200 bytes a launch would not pass.
    assert after[2] <= private + (1 << 20)
