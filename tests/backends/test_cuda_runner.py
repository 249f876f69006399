"""The worker's half on a fake device: real libraries and real bytes, no GPU."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cuda_fakes import (
    ILLEGAL_ADDRESS,
    INVALID_VALUE,
    OUT_OF_MEMORY,
    UNINITIALIZED,
    FakeArena,
    FakeRuntime,
)

from harness.backends.cuda.device import DeviceMemory
from harness.backends.cuda.runner import CudaRunner
from harness.backends.runner import LoadError
from harness.wire import RunOptions, Scalar, TimePlan

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
]

# Host code in the place of kernels; the fake device's memory is host memory.
SOURCE = r"""
#include <cstdint>
static int error = 0;
extern "C" int leetk_peek_error(char* name, int, char* text, int) {
    name[0] = 'n'; name[1] = 0; text[0] = 't'; text[1] = 0;
    return error;
}
extern "C" void leetk_clear_error() { error = 0; }
extern "C" void set_error(int code) { error = code; }
static const void* const* watched;
static int freed = -1;
static int resets = 0;
extern "C" void leetk_watch(const void* const* arguments, int) {
    watched = arguments;
    freed = -1;
    resets = 0;
}
extern "C" int leetk_freed() { return freed; }
extern "C" int leetk_reset() { return resets; }
static long long held = 0;
extern "C" long long leetk_allocated() { return held; }

extern "C" void solve(const float* A, float* C, int n, float scale) {
    for (int i = 0; i < n; ++i) C[i] = scale * A[i];
}
extern "C" void past_the_end(const float*, float* C, int n, float) { C[n + 3] = 1; C[-2] = 1; }
extern "C" void bad_launch(const float*, float*, int, float) { error = 9; }
extern "C" void resets_the_device(const float*, float*, int, float) { ++resets; }
extern "C" void leaks(const float* A, float* C, int n, float scale) {
    solve(A, C, n, scale);
    held += 3 << 20;
}
extern "C" void loses_count(const float* A, float* C, int n, float scale) {
    solve(A, C, n, scale);
    held = -1;
}
extern "C" void frees_c(const float*, float* C, int, float) {
    for (int i = 0; i < 2; ++i) if (watched[i] == C) freed = i;
}
extern "C" void many(int8_t a, uint8_t b, int16_t c, int64_t d, double e, bool f, uint16_t half,
                     float* C) {
    C[0] = a; C[1] = b; C[2] = c; C[3] = d; C[4] = e; C[5] = f; C[6] = half;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("library")
    (folder / "fake.cpp").write_text(SOURCE)
    command = ["g++", "-shared", "-fPIC", "fake.cpp", "-o", "fake.so"]
    subprocess.run(command, cwd=folder, check=True)
    return str(folder / "fake.so")


Start = Callable[..., CudaRunner]


@pytest.fixture
def start(library: str) -> Start:
    def open_and_load(runtime: FakeRuntime, symbol: str = "solve") -> CudaRunner:
        runner = CudaRunner(runtime)
        runner.open({"device": 0, "cublas": ""})
        runner.load(library, symbol)
        return runner

    return open_and_load


def arena() -> FakeArena:
    made = FakeArena(
        [("A", "in", (4, 4)), ("C", "out", (4, 4))],
        Scalar("n", "int32", 16),
        Scalar("scale", "float32", 0.5),
    )
    made.floats("A")[:] = [float(i) for i in range(16)]
    return made


def run(runner: CudaRunner, made: FakeArena):  # type: ignore[no-untyped-def]
    return runner.run(made.call, made.map, -1, RunOptions())


def test_solve_gets_its_arguments_and_its_output_comes_back(start: Start) -> None:
    made, runtime = arena(), FakeRuntime()
    reply = run(start(runtime), made)
    assert reply.error is None
    assert reply.seconds >= 0
    assert list(made.floats("C")) == [0.5 * i for i in range(16)]
    for name in ("A", "C"):
        assert set(made.zones(name)) == {0xAB}
    assert runtime.calls[:2] == ["setDevice 0", "free 0"]


def test_writes_into_both_red_zones_come_back(start: Start) -> None:
    made = arena()
    assert run(start(FakeRuntime(), "past_the_end"), made).error is None
    c = made.buffer("C")
    wrong = [i for i, byte in enumerate(made.zones("C")) if byte != 0xAB]
    assert wrong[0] == c.front - 8
    assert wrong[-1] == c.front + 3 * 4 + 3


def test_memory_is_kept_and_only_grows(start: Start) -> None:
    runtime = FakeRuntime()
    runner = start(runtime)
    large = arena()
    run(runner, large)
    held = runtime.allocated
    small = FakeArena(
        [("A", "in", (2,)), ("C", "out", (2,))],
        Scalar("n", "int32", 2),
        Scalar("scale", "float32", 2.0),
    )
    small.floats("A")[:] = [3.0, 4.0]
    assert run(runner, small).error is None
    assert list(small.floats("C")) == [6.0, 8.0]
    assert set(small.zones("C")) == {0xAB}
    assert runtime.allocated == held


def test_every_scalar_type_arrives(start: Start) -> None:
    made = FakeArena([("C", "out", (7,))])
    scalars = (
        Scalar("a", "int8", -3),
        Scalar("b", "uint8", 200),
        Scalar("c", "int16", -1000),
        Scalar("d", "int64", 1 << 40),
        Scalar("e", "float64", 0.25),
        Scalar("f", "bool", True),
        Scalar("half", "float16", 1.5),
    )
    call = type(made.call)((*scalars, *made.call.arguments), made.call.arena_bytes)
    runner = start(FakeRuntime(), "many")
    assert runner.run(call, made.map, -1, RunOptions()).error is None
    assert list(made.floats("C")) == [-3, 200, -1000, float(1 << 40), 0.25, 1, 0x3E00]


def test_a_launch_error_is_read_from_the_library_and_the_output_still_comes_back(
    start: Start,
) -> None:
    made = arena()
    runner = start(FakeRuntime(), "bad_launch")
    error = run(runner, made).error
    assert (error.code, error.name, error.where) == (9, "n", "launch")
    assert "1024 threads" in error.message
    assert bytes(made.floats("C")) == b"\xab" * 64


def test_an_earlier_launch_error_is_not_held_against_the_next_call(
    start: Start, library: str
) -> None:
    import ctypes

    made = arena()
    runner = start(FakeRuntime())
    ctypes.CDLL(library).set_error(9)
    assert run(runner, made).error is None


class Faulty(FakeRuntime):
    """Fails in its ``n``-th synchronise from now on."""

    def __init__(self, fault: tuple[int, str]) -> None:
        super().__init__()
        self.pending = fault
        self.left = 1  # the one after loading

    def deviceSynchronize(self) -> None:
        if self.left == 0:
            self.fault = self.pending
        self.left -= 1
        super().deviceSynchronize()


@pytest.mark.parametrize(
    ("fault", "where", "hint"),
    [
        (ILLEGAL_ADDRESS, "synchronize", "outside every array"),
        (UNINITIALIZED, "after", "free one of its arguments, or reset the device?"),
    ],
)
def test_a_fault_after_solve_is_told_with_its_name_and_a_hint(
    start: Start, fault: tuple[int, str], where: str, hint: str
) -> None:
    made = arena()
    error = run(start(Faulty(fault)), made).error
    assert (error.code, error.where) == (fault[0], where)
    assert error.name == fault[1].split(":")[0]
    assert hint in error.message
    assert bytes(made.floats("C")) == b"\xab" * 64


class Freeing(FakeRuntime):
    """The first device-to-host copy finds its memory gone, as after cudaFree in ``solve``."""

    def memcpy(self, target: int, source: int, size: int, kind: int) -> None:
        if kind == 2:
            self.fault = INVALID_VALUE
        super().memcpy(target, source, size, kind)


@pytest.mark.fault(42)
def test_a_freed_argument_is_the_submissions_fault(start: Start) -> None:
    error = run(start(Freeing()), arena()).error
    assert (error.code, error.where) == (1, "after")
    assert "free one of its arguments, or reset the device?" in error.message


def test_an_argument_that_is_freed_inside_its_allocation_is_told_by_name(start: Start) -> None:
    runner = start(FakeRuntime(), "frees_c")
    error = run(runner, arena()).error
    assert error.where == "after"
    assert error.message == "solve freed its argument C, which belongs to its caller"


@pytest.mark.fault(42)
def test_a_reset_of_the_device_is_told(start: Start) -> None:
    error = run(start(FakeRuntime(), "resets_the_device"), arena()).error
    assert (error.code, error.where) == (709, "after")
    assert error.message.startswith("solve called cudaDeviceReset")


class Silent(Faulty):
    """After its fault it takes no call any more: a real context that is dead may crash in one."""

    def _raise_fault(self) -> None:
        assert "told" not in self.calls, "called after the fault"
        if self.fault is not None:
            self.calls.append("told")
        super()._raise_fault()


@pytest.mark.parametrize("fault", [ILLEGAL_ADDRESS, UNINITIALIZED])
@pytest.mark.parametrize("after", [0, 1, 2, 3, 9, 20])
def test_nothing_is_asked_of_a_device_that_faulted(
    start: Start, fault: tuple[int, str], after: int
) -> None:
    made, runtime = arena(), Silent(fault)
    runtime.left += after
    reply = start(runtime).time(made.call, made.map, -1, TimePlan(samples=3))
    assert "told" in runtime.calls
    assert reply.error is not None
    assert reply.error.code == fault[0]
    assert reply.samples_ms == ()


def test_what_the_calls_leave_allocated_is_the_librarys_count(start: Start) -> None:
    made = arena()
    plan = TimePlan(samples=3, max_samples=50)
    reply = start(FakeRuntime(), "leaks").time(made.call, made.map, -1, plan)
    assert reply.notes == ("each call leaves 3.0 MiB of device memory allocated",)
    assert len(reply.samples_ms) == 4
    made = arena()
    reply = start(FakeRuntime(), "loses_count").time(made.call, made.map, -1, plan)
    assert reply.notes == ()


def test_a_device_too_small_for_the_case_is_nobodys_fault(start: Start) -> None:
    runner = start(FakeRuntime(memory=4096))
    with pytest.raises(RuntimeError, match="the device could not take the case's"):
        run(runner, arena())


@pytest.mark.fault(41)
def test_memory_that_the_submission_took_is_its_fault(start: Start) -> None:
    runtime = FakeRuntime()
    runner = start(runtime)
    assert run(runner, arena()).error is None
    larger = FakeArena(
        [("A", "in", (1 << 20,)), ("C", "out", (1 << 20,))],
        Scalar("n", "int32", 16),
        Scalar("scale", "float32", 0.5),
    )
    runtime.memory = runtime.allocated
    error = run(runner, larger).error
    assert (error.code, error.where) == (OUT_OF_MEMORY[0], "after")


def test_a_cublas_that_is_gone_is_told_when_it_is_needed(library: str) -> None:
    runner = CudaRunner(FakeRuntime())
    runner.open({"cublas": "/nowhere/libcublas.so.13"})
    runner.load(library, "solve")
    assert run(runner, arena()).error is None


def test_a_library_without_solve_says_how_to_declare_it(start: Start) -> None:
    with pytest.raises(LoadError, match='declare it extern "C" and not static'):
        start(FakeRuntime(), "sovle")


def test_a_file_that_is_no_library_is_a_load_error(tmp_path: Path) -> None:
    runner = CudaRunner(FakeRuntime())
    runner.open({})
    (tmp_path / "x.so").write_text("no library")
    with pytest.raises(LoadError, match="cannot be loaded"):
        runner.load(str(tmp_path / "x.so"), "solve")


def test_a_static_constructor_that_breaks_the_device_is_a_load_error(
    start: Start,
) -> None:
    runtime = Faulty(UNINITIALIZED)
    runtime.left = 0
    with pytest.raises(LoadError, match="static constructor"):
        start(runtime)


def test_timing_goes_through_the_library_and_fills_the_arena(start: Start) -> None:
    made = arena()
    plan = TimePlan(samples=3, max_samples=3, seconds=0.0, baseline="copy")
    reply = start(FakeRuntime()).time(made.call, made.map, -1, plan)
    assert len(reply.samples_ms) == len(reply.host_ms) == 4
    assert reply.baseline_name == "device copy"
    assert list(made.floats("C")) == [0.5 * i for i in range(16)]


def test_a_launch_error_while_timing_is_in_the_reply(start: Start) -> None:
    made = arena()
    reply = start(FakeRuntime(), "bad_launch").time(made.call, made.map, -1, TimePlan())
    assert len(reply.samples_ms) < 10
    assert reply.error is not None
    assert reply.error.where == "launch"
    assert bytes(made.floats("C")) == b"\xab" * 64


def test_memory_says_what_could_not_have_fitted() -> None:
    runtime = FakeRuntime(memory=2 * DeviceMemory.SPARE + 10 * 4096)
    memory = DeviceMemory(runtime)
    assert not memory.too_large(arena().call)
    runtime.memory -= 5 * 4096
    assert DeviceMemory(runtime).too_large(arena().call)
