"""CpuRunner and the C++ runtime together: what is reported when a solution does wrong."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from calls import COUNT, Ended, call_solve
from programs import FOLDER, CpuPrograms

from harness.wire import RunOptions

pytestmark = pytest.mark.compiler

FAULTS = FOLDER / "runner" / "faults.cu"
ACTS = re.findall(r"\w+", FAULTS.read_text().split("enum Act {")[1].split("}")[0])

# The act, the signal that ends the process, the report's kind, and words of its message.
FATAL = [
    ("write_past", "SIGSEGV", "out_of_bounds_write", "byte 4256 of out, which has 256 bytes"),
    ("write_far_past", "SIGSEGV", "out_of_bounds_write", "of out"),
    ("write_absurdly_far", "SIGSEGV", "illegal_access", "a kernel"),
    ("write_before", "SIGSEGV", "out_of_bounds_write", "4 bytes before the start of out"),
    ("null_in_kernel", "SIGSEGV", "illegal_access", "null pointer"),
    ("null_in_host", "SIGSEGV", "signal", "host code wrote to address 0x0: a null pointer"),
    ("host_reads", "SIGSEGV", "host_access", "host code read device memory (in, byte 12)"),
    ("host_copies", "SIGSEGV", "host_access", "host code read device memory (in, byte 0)"),
    ("split_barrier", "SIGABRT", "divergent_barrier", "16 at faults.cu:"),
    ("endless_recursion", "SIGSEGV", "stack_overflow", "a thread's stack"),
    ("host_recursion", "SIGSEGV", "stack_overflow", "the host stack"),
    ("static_past", "SIGABRT", "out_of_bounds_write", "past the end of its __shared__ variables"),
    ("static_far_past", "SIGSEGV", "out_of_bounds_write", "the __shared__ variables"),
    ("dynamic_past", "SIGSEGV", "out_of_bounds_write", "byte 128 of dynamic shared memory"),
    ("dynamic_before", "SIGABRT", "out_of_bounds_write", "before the start of its dynamic"),
    ("dynamic_unasked", "SIGSEGV", "out_of_bounds_write", "byte 0 of dynamic shared memory"),
    (
        "host_pointer",
        "SIGABRT",
        "illegal_access",
        "kernel read points or refers to host",
    ),
    (
        "host_array",
        "SIGABRT",
        "illegal_access",
        "kernel read points or refers to host",
    ),
    ("alloc_past", "SIGABRT", "out_of_bounds_write", "past the end of"),
    ("alloc_before", "SIGABRT", "out_of_bounds_write", "before the start of"),
    ("frees_argument", "SIGABRT", "api", "out was freed"),
    ("uses_freed", "SIGSEGV", "illegal_access", "which was freed"),
    ("local_past", "SIGABRT", "out_of_bounds_write", "past the end of a local array"),
    ("unset_pointer", "SIGABRT", "illegal_access", "never set"),
    (
        "host_static",
        "SIGABRT",
        "illegal_access",
        "kernel read points or refers to host memory",
    ),
    ("device_symbol", "SIGABRT", "illegal_access", "a __device__ variable by its name"),
    ("builtin_in_host", "SIGSEGV", "host_access", "host code read threadIdx"),
    ("shuffle_split", "SIGABRT", "deadlock", "16 threads wait in __shfl_sync at faults.cu:"),
    ("two_operations", "SIGABRT", "deadlock", "in __syncwarp at faults.cu:"),
    (
        "unnamed_lane",
        "SIGABRT",
        "api",
        "lane 8 of a warp calls __shfl_sync with the mask 0x000000ff",
    ),
    ("different_masks", "SIGABRT", "deadlock", "(thread 0,0,0 the first) for threads that wait"),
    ("missing_block", "SIGABRT", "deadlock", "2 of the grid's 3 blocks wait at grid.sync()"),
    ("plain_grid_sync", "SIGABRT", "api", "not launched by cudaLaunchCooperativeKernel"),
    ("grid_and_block", "SIGABRT", "divergent_barrier", "(__syncthreads, grid.sync())"),
    ("heap_past", "SIGABRT", "out_of_bounds_write", "past the end of 100 bytes from malloc"),
    ("heap_before", "SIGABRT", "out_of_bounds_write", "before the start of memory from malloc"),
    ("heap_left_past", "SIGABRT", "out_of_bounds_write", "past the end of 100 bytes from malloc"),
    ("heap_freed_twice", "SIGABRT", "illegal_access", "frees what was freed before"),
    ("heap_frees_argument", "SIGABRT", "illegal_access", "that malloc or new in a kernel did not"),
    ("heap_in_host", "SIGSEGV", "host_access", "memory from malloc in a kernel"),
    ("heap_freed_by_host", "SIGABRT", "host_access", "host code frees memory from malloc"),
    ("heap_used_up", "SIGSEGV", "illegal_access", "the device's heap has 8388608 bytes"),
]
# Acts that end the process without a word of the runtime's.
SILENT = [("aborts", "SIGABRT"), ("throws", "SIGABRT"), ("exits_in_kernel", "")]


@pytest.fixture(scope="module")
def faults(cpu_programs: CpuPrograms) -> Path:
    return cpu_programs.library(FAULTS)


@pytest.fixture(scope="module")
def orders(cpu_programs: CpuPrograms) -> Path:
    return cpu_programs.library(FOLDER / "runner" / "orders.cu")


def act(library: Path, name: str) -> Ended:
    return call_solve(library, ACTS.index(name))


@pytest.mark.parametrize(("name", "died", "kind", "words"), FATAL, ids=lambda value: str(value))
def test_a_fault_is_reported(faults: Path, name: str, died: str, kind: str, words: str) -> None:
    ended = act(faults, name)
    assert ended.kinds == [kind]
    report = ended.reports[0]
    assert report.fatal
    assert words in report.message
    assert ended.signal == died


@pytest.mark.parametrize(("name", "died"), SILENT)
def test_what_the_supervisor_has_to_notice(faults: Path, name: str, died: str) -> None:
    ended = act(faults, name)
    assert ended.reports == ()
    assert ended.signal == died
    assert ended.error == ""


def test_traps_and_divisions_name_themselves(faults: Path) -> None:
    assert act(faults, "traps").kinds == ["trap"]
    ended = act(faults, "division")
    # Arm's processors give 0 without a trap.
    assert ended.kinds in ([], ["trap"])


def test_a_misaligned_vector_access_is_reported(faults: Path) -> None:
    ended = act(faults, "misaligned")
    assert ended.kinds == ["illegal_access"]
    assert ended.reports[0].fatal
    assert ended.reports[0].message.startswith("misaligned address")
    # g++ checks the copy of a whole vector; under clang++ the processor does.
    assert ended.signal in ("SIGABRT", "SIGSEGV")


def test_a_report_says_who_did_it(faults: Path) -> None:
    report = act(faults, "write_past").reports[0]
    assert (report.kernel, report.thread, report.block) == ("write", (0, 0, 0), (0, 0, 0))
    assert (report.buffer, report.byte, report.size) == ("out", 4 * (COUNT + 1000), 4 * COUNT)
    assert report.pc > 0
    divergent = act(faults, "split_barrier").reports[0]
    lines = FAULTS.read_text().splitlines()
    assert "__syncthreads" in lines[divergent.line - 1]
    assert divergent.file.endswith("faults.cu")


def test_a_read_past_the_end_is_served_with_poison(faults: Path) -> None:
    ended = act(faults, "read_past")
    assert ended.signal == ""
    assert ended.kinds == ["out_of_bounds_read"]
    assert not ended.reports[0].fatal
    assert math.isnan(ended.out[0]) and math.isnan(ended.out[1])
    assert len(act(faults, "read_past_twice").reports) == 1


def test_threads_that_leave_before_a_barrier_are_noted(faults: Path) -> None:
    ended = act(faults, "early_return")
    assert ended.kinds == ["exited_before_barrier"]
    assert not ended.reports[0].fatal
    assert ended.reports[0].thread == (40, 0, 0)
    assert ended.out[:40] == (1.0,) * 40


def test_lanes_that_leave_before_a_warp_operation_are_noted(faults: Path) -> None:
    ended = act(faults, "reads_ended_lane")
    assert ended.kinds == ["exited_before_barrier"]
    assert not ended.reports[0].fatal
    assert ended.reports[0].thread == (20, 0, 0)
    assert ended.out[:16] == (1.0,) * 16
    # Undefined in CUDA: poison, so that it shows where it matters.
    assert all(math.isnan(value) for value in ended.out[16:20])


def test_a_deadlock_names_both_places(faults: Path) -> None:
    report = act(faults, "shuffle_split").reports[0]
    lines = FAULTS.read_text().splitlines()
    shuffle, barrier = (int(n) for n in re.findall(r"faults\.cu:(\d+)", report.message))
    assert "__shfl_sync" in lines[shuffle - 1]
    assert "__syncthreads" in lines[barrier - 1]
    assert (report.line, report.kernel) == (shuffle, "half_shuffles")


REFUSED = [
    ("too_many", "cudaErrorInvalidValue", "1500"),
    ("over_bounds", "cudaErrorInvalidValue", "__launch_bounds__ say 32"),
    ("dead_stream", "cudaErrorInvalidResourceHandle", "a stream that doesn't exist"),
    ("too_cooperative", "cudaErrorCooperativeLaunchTooLarge", "264 of them fit"),
]


@pytest.mark.parametrize(("name", "error", "words"), REFUSED)
def test_a_refused_launch_is_the_last_error(
    faults: Path, name: str, error: str, words: str
) -> None:
    ended = act(faults, name)
    assert ended.error == error
    assert ended.kinds == ["api"]
    assert words in ended.reports[0].message
    assert ended.out == (-1.0,) * COUNT


def test_nothing_to_report(faults: Path) -> None:
    ended = act(faults, "nothing")
    assert (ended.signal, ended.code, ended.error, ended.reports) == ("", 0, "", ())


def test_a_missing_barrier_shows_in_another_order(orders: Path) -> None:
    runs = [call_solve(orders, 0, [RunOptions(order)]).out for order in ("forward", "backward")]
    assert runs[0] != runs[1]
    same = [call_solve(orders, 2, [RunOptions(order, 3)]).out for order in ("forward", "shuffled")]
    assert same[0] == same[1] == tuple(float(COUNT - 1 - i) for i in range(COUNT))


def test_a_seed_decides_the_shuffle(orders: Path) -> None:
    first, again, other = (
        call_solve(orders, 0, [RunOptions("shuffled", seed)]).out for seed in (1, 1, 2)
    )
    assert list(map(str, first)) == list(map(str, again))
    assert list(map(str, first)) != list(map(str, other))


@pytest.mark.parametrize(("act_number", "place"), [(1, 5), (4, 0)])
def test_unwritten_memory_differs_between_poisons(
    orders: Path, act_number: int, place: int, tmp_path: Path
) -> None:
    bits = set()
    for poison in (0, 1):
        out = call_solve(orders, act_number, [RunOptions(poison=poison)]).out
        assert math.isnan(out[place])
        bits.add(out[place].hex() if not math.isnan(out[place]) else _bits(out[place]))
    assert len(bits) == 2


def _bits(value: float) -> str:
    import struct

    return struct.pack("<d", value).hex()


def test_allocations_are_kept_from_call_to_call(orders: Path) -> None:
    ended = call_solve(orders, 3, [RunOptions(), RunOptions("backward", poison=1), RunOptions()])
    assert ended.reports == ()
    assert ended.out == tuple(float(i) for i in range(COUNT))


def test_too_much_static_shared_memory_is_refused(cpu_programs: CpuPrograms) -> None:
    library = cpu_programs.library(FOLDER / "runner" / "too_much_shared.cu")
    ended = call_solve(library, 0)
    assert ended.error.startswith("LoadError: big uses too much shared data (49156 bytes")
