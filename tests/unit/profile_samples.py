"""Profiles built by hand, for the tests of their renderers."""

from __future__ import annotations

from dataclasses import replace

from harness.counters import KernelCounters, LineCounters, Profile, Resources

SOURCE = """\
// leetk: problem transpose
#include "tile.h"

constexpr int TILE = 16;

__global__ void turn(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[TILE][TILE];

    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;
    const int out_x = blockIdx.y * TILE + threadIdx.x;
    const int out_y = blockIdx.x * TILE + threadIdx.y;

    tile[threadIdx.y][threadIdx.x] = input[y * cols + x] + input[out_y];
    __syncthreads();

    output[out_y * rows + out_x] = tile[threadIdx.x][threadIdx.y];
    output[out_x * rows + out_y] = twice(output, 3);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    turn<<<dim3(16, 16), dim3(16, 16)>>>(input, output, rows, cols);
}
"""
HEADER = """\
#pragma once
__device__ float twice(const float* values, int index) {
    return 2 * values[index];
}
"""
SOURCES = {"turn.cu": SOURCE, "tile.h": HEADER}

LINES = (
    LineCounters(3, "global", "load", 4, 2048, 65536, 2048, 0, 2048, 0, "tile.h"),
    LineCounters(14, "global", "load", 4, 2048, 65536, 8192, 0, 8192, 4, "turn.cu", 56),
    LineCounters(14, "global", "load", 4, 2048, 65536, 2048, 0, 8192, 0, "turn.cu", 71),
    LineCounters(14, "shared", "store", 4, 2048, 65536, 0, 2048, 2048, 0, "turn.cu", banks=32),
    LineCounters(17, "global", "store", 4, 2048, 65536, 8192, 0, 8192, 0, "turn.cu"),
    LineCounters(17, "shared", "load", 4, 2048, 65536, 0, 16384, 2048, 0, "turn.cu", banks=4),
    LineCounters(18, "global", "store", 4, 2048, 65536, 16384, 0, 8192, 1024, "turn.cu"),
)
RESOURCES = Resources(64, 8, 16, 1024, 0.5, "registers", "sm_90")
KERNEL = KernelCounters("turn", (16, 16, 1), (16, 16, 1), 1, 256, 256, LINES, resources=RESOURCES)
TURN = Profile(
    *("transpose", "turn.cu", "cpu", {"rows": 256, "cols": 256}, 1, (KERNEL,)),
    environment={"compiler": "g++ 12.2.0"},
    bytes=524288.0,
)
SAMPLED = Profile(
    *("matmul", "gone.cu", "cuda", {"M": 512, "N": 512, "K": 512}, 7),
    kernels=(
        KernelCounters(
            *("multiply<16>", (1024, 1, 1), (256, 1, 1), 3, 3072, 1024),
            lines=(
                LineCounters(0, "global", "load", 16, 8, 128, 70, 0, 64),
                LineCounters(9, "global", "atomic", 4, 8, 8, 8, 0, 8, 0, "gone.cu"),
                LineCounters(11, "shared", "load", 8, 8, 200, 0, 40, 16, 0, "gone.cu"),
            ),
            dynamic_shared=512,
            resources=replace(
                RESOURCES, occupancy=0.0, limit="shared memory", spill_stores=0, spill_loads=0
            ),
        ),
    ),
    flops=268435456.0,
    bytes=3145728.0,
)
NOTHING = Profile("transpose", "empty.cu", "cpu", {"rows": 1, "cols": 1}, 1, ())
ALL = {"turn": TURN, "sampled": SAMPLED, "nothing": NOTHING}
