"""How fast the cpu backend's runtime is: switches, threads, a tiled matmul, two cores, compiling.

Each figure is the least of several runs in one worker, as the machine's other work only ever adds
to it. Limits: 20 ns a switch between two threads of a block; 20 ns a thread for many small blocks
without barriers; 0.15 s for a 16x16 tiled matmul of 256x256x256 on one core; two processes at least
1.7 times as fast as one on 512x512x512; 0.6 s to compile a typical solution.

    python benchmarks/cpu_runtime.py [--rounds 5]
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from harness.backends.cpu.backend import CpuBackend  # noqa: E402
from harness.build.cache import VARIABLE  # noqa: E402
from harness.cases import case_data, sized_case  # noqa: E402
from harness.catalog import find_problem  # noqa: E402
from harness.compare import poison_pattern  # noqa: E402
from harness.model import BuildOptions, Source  # noqa: E402
from harness.source import read_source  # noqa: E402
from harness.wire import RunOptions  # noqa: E402
from harness.worker.arena import Arena, plan_call  # noqa: E402
from harness.worker.supervisor import Worker, WorkerLimits  # noqa: E402

TILED = REPOSITORY / "solutions" / "v2.cu"
# Transpose's signature; what is measured is the kernel.
SWITCHES = """
__global__ void turns(float* out, int n) {
    for (int i = 0; i < n; ++i) __syncthreads();
    if (out && threadIdx.x == 0) out[blockIdx.x] = n;
}
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    turns<<<rows, 256>>>(output, cols);
}
"""
THREADS = """
__global__ void copy(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    copy<<<(rows * cols + 31) / 32, 32>>>(input, output, rows * cols);
}
"""


class Solution:
    """A built solution with the data of one case, in a worker as the judge has it."""

    def __init__(self, problem: str, source: Source, **sizes: int) -> None:
        spec, backend = find_problem(problem), CpuBackend()
        artifact = backend.build(spec, source, BuildOptions())
        case = sized_case(spec, 1, sizes)
        data = case_data(spec, case)
        self.call = plan_call(spec, data, case.sizes, backend.red_zone)
        self.arena = Arena()
        poison = {buffer.name: poison_pattern(buffer.dtype, 0) for buffer in self.call.buffers}
        self.arena.fill(self.call, data, poison)
        limits = WorkerLimits(60)
        self.worker = Worker(backend.runner, backend.config(), self.arena, limits)
        self.worker.load(artifact.library)

    def seconds(self, processes: int = 1) -> float:
        outcome = self.worker.run(self.call, RunOptions(processes=processes))
        if outcome.reply is None or outcome.reply.error is not None:
            raise SystemExit(f"a call failed: {outcome}")
        return outcome.reply.seconds

    def close(self) -> None:
        self.worker.close()
        self.arena.close()


def least(run: Callable[[], float], rounds: int) -> float:
    return min(run() for _ in range(rounds))


def show(what: str, value: float, unit: str, limit: float, *, least_wanted: bool = False) -> None:
    met = value >= limit if least_wanted else value <= limit
    relation = "at least" if least_wanted else "at most"
    word = "met" if met else "MISSED"
    print(f"{what:<52}{value:9.3g} {unit:<6} {relation} {limit:g}: {word}")


def measure(rounds: int, scratch: Path) -> None:
    def written(name: str, text: str) -> Source:
        (scratch / name).write_text(text)
        return read_source(scratch / name)

    turns = Solution("transpose", written("switches.cu", SWITCHES), rows=20, cols=1000)
    switch = least(turns.seconds, rounds) / (20 * 1000 * 256)
    show("a switch between threads (256 a block)", switch * 1e9, "ns", 20)
    copy = Solution("transpose", written("threads.cu", THREADS), rows=1000, cols=1024)
    thread = least(copy.seconds, rounds) / (1000 * 1024)
    show("a thread (blocks of 32, no barrier)", thread * 1e9, "ns", 20)
    small = Solution("matmul", read_source(TILED), M=256, N=256, K=256)
    show("tiled matmul 256x256x256, one core", least(small.seconds, rounds), "s", 0.15)
    large = Solution("matmul", read_source(TILED), M=512, N=512, K=512)
    alone = least(large.seconds, rounds)
    both = least(lambda: large.seconds(2), rounds)
    ratio = alone / both
    show("two processes against one, 512x512x512", ratio, "x", 1.7, least_wanted=True)
    for solution in (turns, copy, small, large):
        solution.close()
    print(f"    {alone:.3f} s and {both:.3f} s; this machine has {os.cpu_count()} cores")

    CpuBackend().build(find_problem("matmul"), read_source(TILED), BuildOptions())
    source = TILED.read_text()
    number = iter(range(1000))

    def fresh() -> float:
        path = scratch / f"v2-{next(number)}.cu"
        path.write_text(source)
        begin = time.perf_counter()
        CpuBackend().build(find_problem("matmul"), read_source(path), BuildOptions())
        return time.perf_counter() - begin

    show("compiling and linking solutions/v2.cu", least(fresh, rounds), "s", 0.6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="runs of each (default 5)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="leetk-runtime-") as scratch:
        os.environ[VARIABLE] = str(Path(scratch) / "cache")
        measure(given.rounds, Path(scratch))


if __name__ == "__main__":
    main()
