"""The checks know what streams, events and the host wait for: who forgets to wait is found,
although all work is done at once here, and who waits is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.backends.cpu.backend import CpuBackend
from harness.cases import plan_cases
from harness.catalog import find_problem
from harness.judge.checks import Checks
from harness.model import BuildOptions, Finding
from harness.settings import Settings
from harness.source import read_source

pytestmark = pytest.mark.compiler

# transpose in two steps: `copy` into a buffer, `turn` from there. CHANGE is what a case is about.
HEAD = """
#include <cuda_runtime.h>

__global__ void copy(const float* from, float* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

__global__ void turn(const float* from, float* to, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) to[i % cols * rows + i / cols] = from[i];
}

__global__ void raise(volatile int* flag) { *flag = 1; }

static void turn_on_host(const float* from, float* to, int rows, int cols) {
    for (int i = 0; i < rows * cols; ++i) to[i % cols * rows + i / cols] = from[i];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const int n = rows * cols, blocks = (n + 127) / 128;
    const size_t bytes = n * sizeof(float);
    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEvent_t done;
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    float *buffer, *pinned, *pinned_too, *managed;
    cudaMalloc(&buffer, bytes);
    cudaMallocHost(&pinned, bytes);
    cudaMallocHost(&pinned_too, bytes);
    cudaMallocManaged(&managed, bytes);
    (void)managed;
"""
TAIL = """
    cudaDeviceSynchronize();
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaEventDestroy(done);
    cudaFree(buffer);
    cudaFree(managed);
    cudaFreeHost(pinned);
    cudaFreeHost(pinned_too);
}
"""

# What is right with WAIT, and wrong without it.
WAITS = {
    "an event between two streams": (
        """
    copy<<<blocks, 128, 0, one>>>(input, buffer, n);
    cudaEventRecord(done, one);
    WAIT
    turn<<<blocks, 128, 0, two>>>(buffer, output, rows, cols);
""",
        "cudaStreamWaitEvent(two, done, 0);",
    ),
    "the later stream is given work first": (
        """
    cudaMemsetAsync(output, 0, bytes, two);
    cudaEventRecord(done, two);
    WAIT
    copy<<<blocks, 128, 0, one>>>(input, buffer, n);
    turn<<<blocks, 128, 0, one>>>(buffer, output, rows, cols);
""",
        "cudaStreamWaitEvent(one, done, 0);",
    ),
    "a buffer that is used again": (
        """
    copy<<<blocks, 128, 0, one>>>(input, buffer, n);
    turn<<<blocks, 128, 0, one>>>(buffer, output, rows, cols);
    cudaEventRecord(done, one);
    WAIT
    cudaMemsetAsync(buffer, 0, bytes, two);
""",
        "cudaStreamWaitEvent(two, done, 0);",
    ),
    "the default stream after another": (
        """
    copy<<<blocks, 128, 0, one>>>(input, buffer, n);
    WAIT
    turn<<<blocks, 128>>>(buffer, output, rows, cols);
""",
        "cudaStreamSynchronize(one);",
    ),
    "another stream after the default one": (
        """
    copy<<<blocks, 128>>>(input, buffer, n);
    WAIT
    turn<<<blocks, 128, 0, one>>>(buffer, output, rows, cols);
""",
        "cudaStreamSynchronize(0);",
    ),
    "waits for the wrong stream": (
        """
    copy<<<blocks, 128, 0, one>>>(input, buffer, n);
    cudaStreamSynchronize(two);
    WAIT
    cudaMemcpyAsync(pinned, buffer, bytes, cudaMemcpyDeviceToHost, two);
    cudaStreamSynchronize(two);
    turn_on_host(pinned, pinned_too, rows, cols);
    cudaMemcpy(output, pinned_too, bytes, cudaMemcpyHostToDevice);
""",
        "cudaStreamSynchronize(one);",
    ),
    "pinned memory that the host reads": (
        """
    cudaMemcpyAsync(pinned, input, bytes, cudaMemcpyDeviceToHost, one);
    WAIT
    turn_on_host(pinned, pinned_too, rows, cols);
    cudaMemcpy(output, pinned_too, bytes, cudaMemcpyHostToDevice);
""",
        "cudaStreamSynchronize(one);",
    ),
    "pinned memory that the host writes again": (
        """
    cudaMemcpy(pinned, input, bytes, cudaMemcpyDeviceToHost);
    turn_on_host(pinned, pinned_too, rows, cols);
    cudaMemcpyAsync(output, pinned_too, bytes, cudaMemcpyHostToDevice, one);
    WAIT
    for (int i = 0; i < n; ++i) pinned_too[i] = 0.0f;
""",
        "cudaStreamSynchronize(one);",
    ),
    "managed memory that the host reads": (
        """
    turn<<<blocks, 128>>>(input, managed, rows, cols);
    WAIT
    for (int i = 0; i < n; ++i) pinned[i] = managed[i];
    cudaMemcpy(output, pinned, bytes, cudaMemcpyHostToDevice);
""",
        "cudaDeviceSynchronize();",
    ),
    "a copy of what another stream writes": (
        """
    turn<<<blocks, 128, 0, one>>>(input, buffer, rows, cols);
    cudaEventRecord(done, one);
    WAIT
    cudaMemcpy(output, buffer, bytes, cudaMemcpyDeviceToDevice);
""",
        "cudaEventSynchronize(done);",
    ),
    "a synchronous copy to the host": (
        """
    turn<<<blocks, 128, 0, one>>>(input, buffer, rows, cols);
    WAIT
    cudaMemcpy(pinned, buffer, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(output, pinned, bytes, cudaMemcpyHostToDevice);
""",
        "while (cudaStreamQuery(one) == cudaErrorNotReady) {}",
    ),
    "a query whose answer isn't looked at": (
        """
    cudaMemcpyAsync(pinned, input, bytes, cudaMemcpyDeviceToHost, one);
    cudaEventRecord(done, one);
    cudaEventQuery(done);
    WAIT
    turn_on_host(pinned, pinned_too, rows, cols);
    cudaMemcpy(output, pinned_too, bytes, cudaMemcpyHostToDevice);
""",
        "while (cudaEventQuery(done) == cudaErrorNotReady) {}",
    ),
    "memory that is freed on another stream": (
        """
    float* pool;
    cudaMallocAsync(&pool, bytes, one);
    copy<<<blocks, 128, 0, one>>>(input, pool, n);
    turn<<<blocks, 128, 0, one>>>(pool, output, rows, cols);
    cudaEventRecord(done, one);
    WAIT
    cudaFreeAsync(pool, two);
""",
        "cudaStreamWaitEvent(two, done);",
    ),
}

# Nothing is missing.
RIGHT = {
    "a host that polls what a kernel writes": """
    int* flag;
    cudaMallocManaged(&flag, sizeof(int));
    *flag = 0;
    turn<<<blocks, 128, 0, one>>>(input, managed, rows, cols);
    raise<<<1, 1, 0, one>>>(flag);
    while (*(volatile int*)flag == 0) {}
    for (int i = 0; i < n; ++i) pinned[i] = managed[i];
    cudaMemcpy(output, pinned, bytes, cudaMemcpyHostToDevice);
    cudaFree(flag);
""",
    "another thread of the host": """
    std::thread other([&] {
        turn<<<blocks, 128, 0, one>>>(input, managed, rows, cols);
        cudaStreamSynchronize(one);
        for (int i = 0; i < n; ++i) pinned_too[i] = managed[i];
    });
    for (int i = 0; i < n; ++i) pinned[i] = 0.0f;
    other.join();
    for (int i = 0; i < n; ++i) pinned[i] = managed[i];
    cudaMemcpy(output, pinned, bytes, cudaMemcpyHostToDevice);
""",
    "two buffers in turns": """
    float* staging[] = {pinned, pinned_too};
    cudaEvent_t sent[2];
    cudaEventCreate(&sent[0]);
    cudaEventCreate(&sent[1]);
    cudaMemcpy(managed, input, bytes, cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
    for (int row = 0; row < rows; ++row) {
        float* own = staging[row % 2];
        if (row > 1) cudaEventSynchronize(sent[row % 2]);
        for (int i = 0; i < cols; ++i) own[i] = managed[row * cols + i];
        cudaMemcpyAsync(buffer + row * cols, own, cols * sizeof(float), cudaMemcpyDefault, one);
        cudaEventRecord(sent[row % 2], one);
    }
    turn<<<blocks, 128, 0, one>>>(buffer, output, rows, cols);
    cudaEventDestroy(sent[0]);
    cudaEventDestroy(sent[1]);
""",
    "copies of columns in two streams": """
    cudaMemcpy(buffer, input, bytes, cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
    const size_t pitch = cols * sizeof(float), left = cols / 2 * sizeof(float);
    cudaMemcpy2DAsync(pinned, pitch, buffer, pitch, left, rows, cudaMemcpyDefault, one);
    cudaMemcpy2DAsync((char*)pinned + left, pitch, (char*)buffer + left, pitch, pitch - left, rows,
                      cudaMemcpyDefault, two);
    cudaStreamSynchronize(one);
    cudaStreamSynchronize(two);
    turn_on_host(pinned, pinned_too, rows, cols);
    cudaMemcpy(output, pinned_too, bytes, cudaMemcpyHostToDevice);
""",
    "blocking streams and the default one": """
    cudaStream_t blocking;
    cudaStreamCreate(&blocking);
    copy<<<blocks, 128>>>(input, pinned, n);
    copy<<<blocks, 128, 0, blocking>>>(pinned, buffer, n);
    turn<<<blocks, 128>>>(buffer, output, rows, cols);
    cudaStreamDestroy(blocking);
""",
    "the default stream of each thread": """
    copy<<<blocks, 128, 0, cudaStreamPerThread>>>(input, buffer, n);
    turn<<<blocks, 128, 0, cudaStreamLegacy>>>(buffer, output, rows, cols);
""",
    "streams that are destroyed at once": """
    cudaStream_t other;
    cudaEvent_t copied;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreate(&copied);
    copy<<<blocks, 128, 0, other>>>(input, buffer, n);
    cudaEventRecord(copied, other);
    cudaStreamWaitEvent(one, copied);
    cudaEventDestroy(copied);
    cudaStreamDestroy(other);
    turn<<<blocks, 128, 0, one>>>(buffer, output, rows, cols);
""",
    "an event that was never recorded": """
    cudaStreamWaitEvent(one, done);
    cudaEventSynchronize(done);
    turn<<<blocks, 128, 0, one>>>(input, output, rows, cols);
""",
    "an event that is recorded again": """
    copy<<<blocks, 128, 0, one>>>(input, buffer, n);
    cudaEventRecord(done, one);
    cudaStreamWaitEvent(two, done);
    turn<<<blocks, 128, 0, two>>>(buffer, output, rows, cols);
    cudaEventRecord(done, two);
    cudaStreamWaitEvent(one, done);
    cudaMemsetAsync(buffer, 0, bytes, one);
""",
    "pageable memory": """
    float* plain = new float[2 * n];
    cudaMemcpyAsync(plain, input, bytes, cudaMemcpyDeviceToHost, one);
    turn_on_host(plain, plain + n, rows, cols);
    cudaMemcpyAsync(output, plain + n, bytes, cudaMemcpyHostToDevice, one);
    delete[] plain;
""",
    "a host function between two copies": """
    static float *from, *to;
    static int height, width;
    from = pinned, to = pinned_too, height = rows, width = cols;
    cudaMemcpyAsync(pinned, input, bytes, cudaMemcpyDeviceToHost, one);
    cudaLaunchHostFunc(one, [](void*) { turn_on_host(from, to, height, width); }, nullptr);
    cudaMemcpyAsync(output, pinned_too, bytes, cudaMemcpyHostToDevice, one);
""",
    "a host that polls what a host function writes": """
    static std::atomic<bool> ready;
    ready = false;
    turn<<<blocks, 128, 0, one>>>(input, output, rows, cols);
    cudaLaunchHostFunc(one, [](void*) { ready = true; }, nullptr);
    while (!ready) {}
""",
    "a kernel that is chosen at run time": """
    void (*kernels[])(const float*, float*, int, int) = {turn, nullptr};
    const int which = cols > 0 ? 0 : 1;
    kernels[which]<<<blocks, 128>>>(input, output, rows, cols);
""",
}


def found_in(text: str, folder: Path) -> tuple[Finding, ...]:
    path = folder / "a.cu"
    needed = [name for name in ("atomic", "thread") if f"std::{name}" in text]
    includes = "".join(f"#include <{name}>\n" for name in needed)
    path.write_text(includes + HEAD + text + TAIL)
    problem, source, backend = find_problem("transpose"), read_source(path), CpuBackend()
    options = BuildOptions()
    cases = [case for case in plan_cases(problem, 5) if case.work < 1000]
    looking = Checks(problem, source, backend, Settings(seed=5), options, cases)
    (checker,) = backend.checkers(options)
    return looking.findings(backend.build(problem, source, checker.watch.options))


@pytest.mark.parametrize("name", WAITS)
def test_what_does_not_wait_decides(name: str, tmp_path: Path) -> None:
    text, wait = WAITS[name]
    decided = {
        f.kind for f in found_in(text.replace("WAIT", ""), tmp_path) if f.severity == "error"
    }
    assert decided == {"race"}
    assert found_in(text.replace("WAIT", wait), tmp_path) == ()


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_no_finding(name: str, tmp_path: Path) -> None:
    assert found_in(RIGHT[name], tmp_path) == ()
