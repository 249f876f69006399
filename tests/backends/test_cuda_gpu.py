"""The cuda backend on a real GPU: errors and where they were seen, red zones, times, references.

Everything goes through the real worker process. The verdicts of whole files are in
``tests/test_judged.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from harness import cases, compare
from harness.backends.cuda.backend import CudaBackend
from harness.catalog import find_problem
from harness.expr import parse
from harness.judge import judge
from harness.model import (
    Argument,
    BuildOptions,
    CaseData,
    DataRule,
    Outcome,
    Problem,
    Reference,
    Role,
    Status,
    Tolerance,
    Verdict,
)
from harness.settings import Settings
from harness.source import read_source
from harness.stats import median
from harness.wire import Call, RunOptions, TimePlan, TimeReply
from harness.worker.arena import Arena, plan_call
from harness.worker.supervisor import Worker, WorkerLimits

pytestmark = pytest.mark.gpu

SOLUTIONS = Path(__file__).parents[2] / "solutions"
SIZES = {"N": 1000}
N = parse("N")
PROBLEM = Problem(
    name="add_one",
    title="Add one",
    statement="",
    sizes={"N": (1, 1 << 28)},
    arguments=(
        Argument("A", "float32", Role.IN, (N,), DataRule("uniform", (-1.0, 1.0))),
        Argument("C", "float32", Role.OUT, (N,)),
        Argument("N", "int32", Role.SIZE),
    ),
    reference=Reference(einsum="n->n"),
    tolerance=Tolerance(0.0, 0.0),
    examples=(),
    tests=(),
    perf=None,
    path=Path("add_one.yaml"),
)

TEMPLATE = """#include <cassert>
#include <cuda_runtime.h>
__device__ void wait_ms(double ms) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %%0, %%%%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %%0, %%%%globaltimer;" : "=l"(now));
    } while (now - begin < ms * 1e6);
}
__global__ void add(const float* a, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + 1;
    %s
}
extern "C" void solve(const float* A, float* C, int N) {
    %s
}
"""
LAUNCH = "add<<<(N + 255) / 256, 256>>>(A, C, N);"


def text(kernel: str = "", host: str = LAUNCH) -> str:
    return TEMPLATE % (kernel, host)


class Gpu:
    """Builds a text, keeps one worker with it, and one filled arena."""

    def __init__(self, backend: CudaBackend, folder: Path) -> None:
        self.backend = backend
        self.folder = folder
        self.arena = Arena()
        self.worker: Worker | None = None
        self.call = Call((), 0)
        self.poison: dict[str, bytes] = {}
        self.data = CaseData({}, {}, {}, {})

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
        self.arena.close()

    def start(self, source: str, seconds: float = 20.0) -> None:
        path = self.folder / "solution.cu"
        path.write_text(source)
        artifact = self.backend.build(PROBLEM, read_source(path), BuildOptions())
        if self.worker is not None:
            self.worker.close()
        limits = WorkerLimits(seconds=seconds)
        self.worker = Worker(self.backend.runner, self.backend.config(), self.arena, limits)
        assert self.worker.load(artifact.library) is None

    def fill(self, n: int = SIZES["N"], variant: int = 0) -> None:
        sizes = {"N": n}
        case = cases.sized_case(PROBLEM, 5, sizes)
        self.data = cases.case_data(PROBLEM, case)
        self.call = plan_call(PROBLEM, self.data, sizes, self.backend.red_zone)
        self.poison = {b.name: compare.poison_pattern(b.dtype, variant) for b in self.call.buffers}
        self.arena.fill(self.call, self.data, self.poison)

    def run(self) -> Outcome:
        assert self.worker is not None
        return self.worker.run(self.call, RunOptions())

    def time(self, plan: TimePlan) -> TimeReply:
        assert self.worker is not None
        reply = self.worker.time(self.call, plan, 120.0)
        assert isinstance(reply, TimeReply), reply
        return reply

    def output(self) -> np.ndarray:  # type: ignore[type-arg]
        return self.arena.view(self.call.buffers[1]).copy()

    def is_right(self) -> bool:
        return bool(np.array_equal(self.output(), self.data.inputs["A"] + np.float32(1)))

    def is_unwritten(self) -> bool:
        return self.output().tobytes() == self.poison["C"] * self.output().size


@pytest.fixture(scope="module")
def backend() -> CudaBackend:
    return CudaBackend()


@pytest.fixture
def gpu(backend: CudaBackend, tmp_path: Path) -> Iterator[Gpu]:
    made = Gpu(backend, tmp_path)
    yield made
    made.close()


# --- one call ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 31, 1000, 1 << 20])
def test_a_right_kernel_is_right_and_touches_nothing_else(gpu: Gpu, n: int) -> None:
    gpu.start(text())
    for variant in (0, 1):
        gpu.fill(n, variant)
        outcome = gpu.run()
        assert outcome.status is Status.COMPLETED
        assert outcome.reply is not None
        assert outcome.reply.error is None
        assert gpu.is_right()
        assert gpu.arena.damage(gpu.call, gpu.poison) == ()


def test_sizes_may_shrink_and_grow_in_one_worker(gpu: Gpu) -> None:
    gpu.start(text())
    for n in (4096, 3, 70000, 5):
        gpu.fill(n)
        assert gpu.run().status is Status.COMPLETED
        assert gpu.is_right()
        assert gpu.arena.damage(gpu.call, gpu.poison) == ()


@pytest.mark.parametrize(("at", "byte"), [("n", 4000), ("n + 2", 4008), ("-1", -4)])
def test_writes_outside_an_array_are_seen_in_its_red_zones(gpu: Gpu, at: str, byte: int) -> None:
    gpu.start(text(f"if (i == 0) c[{at}] = 1;"))
    gpu.fill()
    assert gpu.run().status is Status.COMPLETED
    (damage,) = gpu.arena.damage(gpu.call, gpu.poison)
    assert (damage.buffer, damage.byte, damage.count) == ("C", byte, 1)


FAULTS = [
    ("if (i == 0) c[1ll << 40] = 1;", LAUNCH, {"cudaErrorIllegalAddress"}, "synchronize"),
    (
        "if (i == 0) *(float4*)(c + 1) = make_float4(1, 1, 1, 1);",
        LAUNCH,
        {"cudaErrorMisalignedAddress"},
        "synchronize",
    ),
    ("assert(i < 0);", LAUNCH, {"cudaErrorAssert"}, "synchronize"),
    ("__trap();", LAUNCH, {"cudaErrorLaunchFailure", "cudaErrorIllegalInstruction"}, "synchronize"),
    (
        "if (i == 0) c[1ll << 40] = 1;",
        LAUNCH + " cudaDeviceSynchronize(); cudaGetLastError();",
        {"cudaErrorIllegalAddress"},
        "synchronize",
    ),
    ("", LAUNCH + " cudaDeviceReset();", {"cudaErrorContextIsDestroyed"}, "after"),
    ("", LAUNCH + " cudaFree((void*)A);", {"cudaErrorInvalidValue"}, "after"),
]


@pytest.mark.fault(33, 42, 54)
@pytest.mark.parametrize(
    ("kernel", "host", "names", "where"),
    FAULTS,
    ids=["far write", "misaligned", "assert", "trap", "error cleared", "reset", "freed argument"],
)
def test_a_fault_is_told_by_name_and_the_next_worker_is_sound(
    gpu: Gpu, kernel: str, host: str, names: set[str], where: str
) -> None:
    gpu.start(text(kernel, host))
    gpu.fill()
    outcome = gpu.run()
    assert outcome.status is Status.COMPLETED, outcome
    assert outcome.reply is not None
    assert outcome.reply.error is not None
    assert outcome.reply.error.name in names
    assert outcome.reply.error.where == where
    gpu.start(text())
    gpu.fill()
    assert gpu.run().status is Status.COMPLETED
    assert gpu.is_right()


@pytest.mark.fault(43, 59)
@pytest.mark.parametrize(
    "host",
    [
        "add<<<1, 1500>>>(A, C, N);",
        "add<<<0, 256>>>(A, C, N);",
        "add<<<1, 256, 1 << 20>>>(A, C, N);",
    ],
    ids=["1500 threads", "no block", "1 MiB of shared memory"],
)
def test_a_launch_that_never_happened_is_told_from_inside_the_library(gpu: Gpu, host: str) -> None:
    gpu.start(text(host=host))
    gpu.fill()
    outcome = gpu.run()
    assert outcome.status is Status.COMPLETED
    assert outcome.reply is not None
    assert outcome.reply.error is not None
    assert outcome.reply.error.where == "launch"
    assert outcome.reply.error.name in ("cudaErrorInvalidConfiguration", "cudaErrorInvalidValue")
    assert gpu.is_unwritten()


def test_a_launch_error_does_not_stay_for_the_next_call(gpu: Gpu) -> None:
    gpu.start(text(host="add<<<1, N > 500 ? 1500 : 256>>>(A, C, N);"))
    gpu.fill(1000)
    first = gpu.run().reply
    assert first is not None
    assert first.error is not None
    gpu.fill(200)
    second = gpu.run().reply
    assert second is not None
    assert second.error is None
    assert gpu.is_right()


@pytest.mark.fault(26)
def test_work_on_another_stream_is_waited_for(gpu: Gpu) -> None:
    host = (
        "cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);"
        " add<<<(N + 255) / 256, 256, 0, s>>>(A, C, N);"
    )
    gpu.start(text("wait_ms(50);", host))
    gpu.fill()
    outcome = gpu.run()
    assert outcome.reply is not None
    assert outcome.reply.seconds > 0.045
    assert gpu.is_right()


@pytest.mark.fault(34)
def test_an_endless_kernel_runs_into_the_limit_and_the_device_is_free_again(gpu: Gpu) -> None:
    gpu.start(text("while (true) { if (c[0] == 123.0f) break; wait_ms(1); }"), seconds=2.0)
    gpu.fill()
    assert gpu.run().status is Status.TIMED_OUT
    gpu.start(text())
    gpu.fill()
    assert gpu.run().status is Status.COMPLETED
    assert gpu.is_right()


# --- timing ------------------------------------------------------------------------------------


@pytest.mark.fault(13)
def test_a_kernel_of_known_length_takes_that_long(gpu: Gpu) -> None:
    """At least: how much longer depends on what else the machine does (benchmarks/ncu_check.py)."""
    gpu.start(text("wait_ms(20);"))
    gpu.fill()
    reply = gpu.time(TimePlan(rotate=("A",)))
    assert len(reply.samples_ms) >= 10
    assert min(reply.samples_ms) >= 0.99 * 20.0
    assert min(reply.host_ms) >= 0.99 * 20.0
    assert gpu.is_right()
    assert gpu.arena.damage(gpu.call, gpu.poison) == ()
    assert reply.notes == ()


@pytest.mark.fault(26)
def test_work_beside_the_stream_shows_as_host_time(gpu: Gpu) -> None:
    host = (
        "static cudaStream_t s = nullptr;"
        " if (!s) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);"
        " add<<<(N + 255) / 256, 256, 0, s>>>(A, C, N);"
    )
    gpu.start(text("wait_ms(20);", host))
    gpu.fill()
    reply = gpu.time(TimePlan())
    assert median(reply.samples_ms) < 1.0
    assert median(reply.host_ms) > 19.0


@pytest.mark.fault(27)
def test_a_call_that_does_nothing_later_on_leaves_poison(gpu: Gpu) -> None:
    host = "static int calls = 0; if (++calls < 6) " + LAUNCH
    gpu.start(text("wait_ms(20);", host))
    gpu.fill()
    gpu.time(TimePlan())
    assert gpu.is_unwritten()


@pytest.mark.fault(18, 27)
def test_a_replayed_answer_is_wrong_for_the_last_input(gpu: Gpu) -> None:
    host = (
        "static float* kept = nullptr;"
        " if (!kept) { cudaMalloc(&kept, N * sizeof(float)); " + LAUNCH + " "
        "cudaMemcpy(kept, C, N * sizeof(float), cudaMemcpyDeviceToDevice); }"
        " else cudaMemcpy(C, kept, N * sizeof(float), cudaMemcpyDeviceToDevice);"
    )
    gpu.start(text(host=host))
    gpu.fill()
    gpu.time(TimePlan(rotate=("A",)))
    assert not gpu.is_right()
    assert not gpu.is_unwritten()


@pytest.mark.fault(42)
@pytest.mark.parametrize(
    ("kernel", "host", "said"),
    [
        ("", "if (++calls > 4) cudaDeviceReset(); " + LAUNCH, "solve called cudaDeviceReset"),
        ("", LAUNCH + " if (++calls > 4) cudaFree(C);", "solve freed its argument C"),
        (
            "if (n < 0) c[1ll << 40] = 1;",
            "if (++calls > 4) N = -N; add<<<4, 256>>>(A, C, N);",
            "outside every array",
        ),
        ("if (n < 0) __trap();", "if (++calls > 4) N = -N; add<<<4, 256>>>(A, C, N);", ""),
    ],
    ids=["reset", "freed argument", "far write", "trap"],
)
def test_a_fault_while_timing_is_in_the_reply(gpu: Gpu, kernel: str, host: str, said: str) -> None:
    gpu.start(text(kernel, "static int calls = 0; " + host))
    gpu.fill()
    reply = gpu.time(TimePlan())
    assert reply.error is not None
    assert reply.error.where != "launch"
    assert said in reply.error.message
    assert reply.samples_ms == ()


@pytest.mark.fault(41)
def test_a_leak_is_noted_and_no_fault(gpu: Gpu) -> None:
    host = "float* kept; cudaMalloc(&kept, 64 << 20); cudaMemset(kept, 0, 64 << 20); " + LAUNCH
    gpu.start(text(host=host))
    gpu.fill()
    reply = gpu.time(TimePlan())
    assert reply.error is None
    assert reply.notes == ("each call leaves 64.0 MiB of device memory allocated",)
    assert len(reply.samples_ms) >= 11
    assert gpu.is_right()


def test_the_copy_baseline_is_about_as_fast_as_memory(gpu: Gpu) -> None:
    gpu.start(text())
    gpu.fill(1 << 26)
    reply = gpu.time(TimePlan(baseline="copy"))
    gigabytes_a_second = 2 * 4 * (1 << 26) / median(reply.baseline_ms) / 1e6
    assert reply.baseline_name == "device copy"
    assert 50 < gigabytes_a_second < 50_000
    assert gpu.is_right()


# --- a whole judging ---------------------------------------------------------------------------


def test_a_solution_is_timed_and_compared_with_cublas(backend: CudaBackend) -> None:
    size = {"M": 2048, "N": 1536, "K": 1024}
    settings = Settings(seed=11, sizes=size)
    source = read_source(SOLUTIONS / "v2.cu")
    report = judge(find_problem("matmul"), source, backend, settings, BuildOptions())
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert report.timing is not None
    assert len(report.timing.samples_ms) >= 10
    assert report.timing.gflops is not None
    if backend.config()["cublas"]:
        assert report.timing.baseline is not None
        assert 0.01 < report.timing.baseline.ratio < 1.5


def test_the_reference_from_cublas_is_numpys(backend: CudaBackend) -> None:
    if not backend.config()["cublas"]:
        pytest.skip("needs cuBLAS")
    problem = find_problem("matmul")
    case = cases.perf_case(problem, 3, {"M": 2500, "N": 2000, "K": 2100})
    assert case is not None
    fast = backend.prepare(problem, case)
    assert fast is not None
    slow = cases.case_data(problem, case)
    np.testing.assert_allclose(fast.expected["C"], slow.expected["C"], rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(fast.slack["C"], slow.slack["C"], rtol=1e-4)
    assert all(np.array_equal(fast.inputs[name], slow.inputs[name]) for name in ("A", "B"))


def test_the_probe_says_what_is_here(backend: CudaBackend) -> None:
    facts = backend.environment()
    assert facts["device"].startswith(backend.probe().device)
    assert "runs CUDA" in facts["driver"]
    assert facts["nvcc"][0].isdigit()
