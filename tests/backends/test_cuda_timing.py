"""How a call is timed, exactly, on a fake device with a fake clock."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, pairwise

import pytest
from cuda_fakes import (
    ILLEGAL_ADDRESS,
    INVALID_VALUE,
    UNINITIALIZED,
    FakeArena,
    FakeRuntime,
    FakeRuntimeError,
    device_floats,
)

from harness.backends.cuda.device import DeviceFault, DeviceMemory
from harness.backends.cuda.nvml import Monitor, Reading, notes, open_monitor
from harness.backends.cuda.peak import roof_facts
from harness.backends.cuda.stopwatch import Sample
from harness.backends.cuda.timing import Bench, collect
from harness.wire import ApiError, TimePlan, TimeReply

N = 64


@pytest.fixture(autouse=True)
def no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake device runs no kernel, whatever the machine has."""
    monkeypatch.setattr("harness.backends.cuda.flush.open_libcuda", lambda: None)
    monkeypatch.setattr("harness.backends.cuda.stopwatch.open_libcuda", lambda: None)


class Setting:
    """A call C = A + 1 on 64 floats, and a device that it runs on."""

    def __init__(self, runtime: FakeRuntime | None = None, plan: TimePlan | None = None) -> None:
        self.runtime = FakeRuntime() if runtime is None else runtime
        self.plan = TimePlan() if plan is None else plan
        self.arena = FakeArena([("A", "in", (8, 8)), ("C", "out", (8, 8))])
        self.arena.floats("A")[:] = [float(i) for i in range(N)]
        self.memory = DeviceMemory(self.runtime)
        self.memory.upload(self.arena.call, self.arena.address)
        self.seen: list[list[float]] = []
        self.checks = 0
        self.left: ApiError | None = None
        self.held: int | None = 0
        self.monitor: Monitor = lambda: None

    def solve(self) -> None:
        """What a right submission does, without taking time."""
        a = device_floats(self.memory.address(self.arena.buffer("A")), N)
        c = device_floats(self.memory.address(self.arena.buffer("C")), N)
        self.seen.append(list(a))
        for i in range(N):
            c[i] = a[i] + 1

    def taking(self, seconds: float) -> Callable[[], None]:
        """``solve`` with a kernel of that length."""

        def work() -> None:
            self.solve()
            self.runtime.queue(seconds)

        return work

    def bench(self, work: Callable[[], None], cublas: str = "") -> TimeReply:
        def check() -> ApiError | None:
            self.checks += 1
            return self.left

        bench = Bench(
            self.runtime,
            self.memory,
            self.arena.call,
            self.plan,
            self.arena.address,
            work=work,
            check=check,
            allocated=lambda: self.held,
            cublas=cublas,
            clock=self.runtime.clock,
            monitor=self.monitor,
        )
        return bench.run()


def test_samples_are_the_time_of_the_kernel_and_first_calls_are_not_among_them() -> None:
    setting = Setting()
    durations = iter([0.9, 0.5] + [0.005] * 98)  # the first calls are slow

    def work() -> None:
        setting.solve()
        setting.runtime.queue(next(durations))

    reply = setting.bench(work)
    assert reply.samples_ms == pytest.approx([5.0] * 11)  # ten agree; the last is on the true input
    assert reply.host_ms == pytest.approx([5.0] * 11)
    assert reply.error is None
    assert setting.checks == len(setting.seen) == 13


@pytest.mark.fault(30, 31)
def test_warm_up_goes_on_until_clocks_had_time_to_rise() -> None:
    setting = Setting()
    reply = setting.bench(setting.taking(0.011))
    assert len(setting.seen) - len(reply.samples_ms) == 10  # the first count above 0.1 s


@pytest.mark.fault(26)
def test_work_beside_the_stream_shows_in_the_host_time_alone() -> None:
    setting = Setting()

    def work() -> None:
        setting.solve()
        setting.runtime.queue_aside(0.041)

    reply = setting.bench(work)
    assert max(reply.samples_ms) == 0.0
    assert min(reply.host_ms) == pytest.approx(41.0)


@pytest.mark.fault(28)
def test_the_cache_is_cleared_with_twice_its_size_before_every_sample() -> None:
    setting = Setting(FakeRuntime(l2=50 << 20), TimePlan(roof=False))
    flushes = []

    def work() -> None:
        flushes.append(len(setting.runtime.flushes))
        setting.solve()
        setting.runtime.queue(0.05)

    reply = setting.bench(work)
    assert set(setting.runtime.flushes) == {100 << 20}
    assert [after - before for before, after in pairwise(flushes)] == [1] * (len(flushes) - 1)
    assert reply.facts["l2_flush"] == "100 MiB written"


def test_neither_the_flush_nor_the_events_themselves_are_in_a_sample() -> None:
    setting = Setting(plan=TimePlan(roof=False))
    setting.runtime.flush_seconds = 0.03
    setting.runtime.event_seconds = 0.001

    def work() -> None:
        setting.solve()
        setting.runtime.now += 0.02  # a slow host, while the flush still runs
        setting.runtime.queue(0.05)

    reply = setting.bench(work)
    assert reply.samples_ms == pytest.approx([50.0] * 11)
    # As the host sees it: the kernel and the two events that go with it.
    assert reply.host_ms == pytest.approx([52.0] * 11)
    assert reply.facts["event_us"] == "1e+03"


def test_no_memory_to_clear_the_cache_is_said() -> None:
    setting = Setting(FakeRuntime(memory=16 << 20))
    reply = setting.bench(setting.taking(0.05))
    assert any("L2 cache was not cleared" in note for note in reply.notes)
    assert len(reply.samples_ms) == 11


def test_the_last_output_is_in_the_arena_and_belongs_to_the_judges_input() -> None:
    setting = Setting(plan=TimePlan(rotate=("A",)))
    reply = setting.bench(setting.taking(0.05))
    assert list(setting.arena.floats("C")) == [i + 1.0 for i in range(N)]
    assert list(setting.arena.floats("A")) == [float(i) for i in range(N)]
    assert setting.arena.zones("C") == b"\xab" * len(setting.arena.zones("C"))
    assert reply.notes == ()


@pytest.mark.fault(27)
def test_rotated_inputs_hold_the_same_values_in_another_order_each_time_but_the_last() -> None:
    setting = Setting(plan=TimePlan(rotate=("A",)))
    setting.bench(setting.taking(0.05))
    original = [float(i) for i in range(N)]
    assert all(sorted(values) == original for values in setting.seen)
    assert setting.seen[-1] == original
    assert original not in setting.seen[:-1]
    assert len({tuple(values) for values in setting.seen}) > len(setting.seen) // 2


def test_inputs_that_are_not_named_stay_in_order() -> None:
    setting = Setting()
    setting.bench(setting.taking(0.05))
    assert all(values == [float(i) for i in range(N)] for values in setting.seen)


@pytest.mark.fault(18, 27)
def test_a_replayed_answer_is_not_the_answer_to_the_last_input() -> None:
    setting = Setting(plan=TimePlan(rotate=("A",)))
    cached: list[float] = []

    def cheat() -> None:
        c = device_floats(setting.memory.address(setting.arena.buffer("C")), N)
        if not cached:
            setting.solve()
            cached.extend(c)
        c[:] = cached
        setting.runtime.queue(0.05)

    setting.bench(cheat)
    assert list(setting.arena.floats("C")) != [i + 1.0 for i in range(N)]


def test_a_submission_that_writes_only_while_it_warms_up_gives_no_sample() -> None:
    setting = Setting()

    def work() -> None:
        if len(setting.seen) < 2:
            setting.solve()
        else:
            setting.seen.append([])
        setting.runtime.queue(0.06)

    reply = setting.bench(work)
    assert reply.samples_ms == ()
    assert any("unwritten" in note for note in reply.notes)


@pytest.mark.fault(27)
def test_a_skipped_call_is_caught_and_its_unwritten_output_handed_to_the_judge() -> None:
    setting = Setting(plan=TimePlan(rotate=("A",)))
    calls = count()

    def cheat() -> None:
        if next(calls) != 7:
            setting.solve()
        setting.runtime.queue(0.05)

    reply = setting.bench(cheat)
    assert len(reply.samples_ms) < 10
    assert any("unwritten" in note for note in reply.notes)
    assert bytes(setting.arena.floats("C")) == b"\xab" * (4 * N)
    assert list(setting.arena.floats("A")) == [float(i) for i in range(N)]


def test_arrays_are_put_back_from_the_arena_where_device_memory_is_short() -> None:
    setting = Setting()
    setting.runtime.memory = setting.runtime.allocated  # nothing is left
    reply = setting.bench(setting.taking(0.05))
    assert list(setting.arena.floats("C")) == [i + 1.0 for i in range(N)]
    assert len(reply.samples_ms) == 11


def test_all_that_was_allocated_is_given_back() -> None:
    setting = Setting(plan=TimePlan(baseline="copy"))
    before = setting.runtime.allocated
    setting.bench(setting.taking(0.05))
    assert setting.runtime.allocated == before
    assert setting.runtime.calls == ["eventDestroy 1", "eventDestroy 2", "eventDestroy 3"]


class Leaking(Setting):
    """Each call leaves 3 MiB allocated; ``taken`` is what other processes took."""

    def __init__(self, runtime: FakeRuntime | None = None) -> None:
        super().__init__(runtime, TimePlan(rotate=("A",)))
        self.calls = 0

    def work(self) -> None:
        self.solve()
        self.runtime.queue(0.001)
        self.runtime.malloc(3 << 20)
        self.held = (self.held or 0) + (3 << 20)
        self.calls += 1


@pytest.mark.fault(41)
def test_a_leak_is_noted_and_the_calls_are_as_few_as_the_plan_allows() -> None:
    setting = Leaking()
    reply = setting.bench(setting.work)
    assert reply.notes == ("each call leaves 3.0 MiB of device memory allocated",)
    assert len(reply.samples_ms) == 11
    assert setting.calls == 3 + 11  # two that show the leak come after the first


@pytest.mark.fault(41)
def test_a_leak_ends_before_the_memory_does_and_is_no_fault() -> None:
    arrays, cache, calls = 2 * 2 + 2 + 1, 32, 9
    setting = Leaking(FakeRuntime(memory=(arrays + cache + 3 * calls) << 20))
    reply = setting.bench(setting.work)
    assert reply.error is None
    assert len(reply.samples_ms) < 10
    assert reply.facts["stopped"] == "device memory"
    assert reply.notes == (
        "each call leaves 3.0 MiB of device memory allocated, and that ran short after "
        f"{len(reply.samples_ms)} samples",
    )
    assert list(setting.arena.floats("C")) == [i + 1.0 for i in range(N)]


def test_memory_that_others_take_and_buffers_that_are_kept_are_no_leak() -> None:
    setting = Setting()
    calls = count()

    def work() -> None:
        setting.solve()
        setting.runtime.queue(0.05)
        setting.runtime.memory -= 5 << 20  # another process
        if next(calls) < 2:
            setting.held = (setting.held or 0) + (64 << 20)

    assert setting.bench(work).notes == ()


@pytest.mark.parametrize(
    ("fault", "where"), [(ILLEGAL_ADDRESS, "synchronize"), (UNINITIALIZED, "after")]
)
def test_a_fault_while_timing_is_the_submissions(fault: tuple[int, str], where: str) -> None:
    setting = Setting()

    def work() -> None:
        setting.runtime.fault = fault

    with pytest.raises(DeviceFault) as caught:
        setting.bench(work)
    assert (caught.value.error.code, caught.value.error.where) == (fault[0], where)


def test_an_allocation_that_is_gone_is_found_at_the_next_restore() -> None:
    setting = Setting()
    a = setting.arena.buffer("A")

    def work() -> None:
        setting.solve()
        pointer = setting.memory.address(a) - FakeArena.ZONE - DeviceMemory.SPARE
        setting.runtime.free(pointer)

    with pytest.raises(DeviceFault) as caught:
        setting.bench(work)
    assert caught.value.error.code == INVALID_VALUE[0]
    assert caught.value.error.where == "after"
    assert "free one of its arguments" in caught.value.error.message


def test_a_launch_error_beside_a_right_answer_is_passed_on_with_the_samples() -> None:
    setting = Setting()
    setting.left = ApiError(9, "cudaErrorInvalidConfiguration", "invalid configuration argument")
    reply = setting.bench(setting.taking(0.05))
    assert reply.error == setting.left
    assert len(reply.samples_ms) == 11


# --- the stopping rule ---


def test_sampling_stops_at_the_least_count_when_samples_agree() -> None:
    taken = collect(lambda number: Sample(5.0, 5.0), TimePlan(samples=10), lambda: 0.0)
    assert len(taken) == 10


def test_sampling_stops_at_the_most_when_they_never_agree() -> None:
    plan = TimePlan(samples=10, max_samples=30, seconds=1e9)
    taken = collect(lambda number: Sample(5.0 + number, 0.0), plan, lambda: 0.0)
    assert len(taken) == 30


@pytest.mark.fault(30, 31)
def test_sampling_stops_when_the_time_is_spent_but_not_below_the_least_count() -> None:
    ticks = count()
    plan = TimePlan(samples=10, max_samples=100, seconds=3.0)
    taken = collect(lambda number: Sample(5.0 + number, 0.0), plan, lambda: float(next(ticks)))
    assert len(taken) == 12  # the clock is read at the start and from the tenth sample on
    slow = collect(lambda number: Sample(5.0 + number, 0.0), plan, lambda: float(next(ticks)) * 1e6)
    assert len(slow) == 10


# --- baselines ---


def test_the_copy_baseline_copies_the_outputs_bytes_from_an_input() -> None:
    setting = Setting(plan=TimePlan(baseline="copy"))
    copies: list[int] = []
    original = setting.runtime.memcpyAsync

    def timed_copy(target: int, source: int, size: int, kind: int, stream: int) -> None:
        original(target, source, size, kind, stream)
        a = setting.memory.address(setting.arena.buffer("A"))
        c = setting.memory.address(setting.arena.buffer("C"))
        if (target, source) == (c, a):
            copies.append(size)
            setting.runtime.queue(0.002)

    setting.runtime.memcpyAsync = timed_copy  # type: ignore[method-assign]
    reply = setting.bench(setting.taking(0.05))
    assert reply.baseline_name == "device copy"
    assert reply.baseline_ms == pytest.approx([2.0] * 10)
    assert set(copies) == {4 * N}
    assert list(setting.arena.floats("C")) == [i + 1.0 for i in range(N)]  # not the baseline's


@pytest.mark.parametrize(
    ("library", "why"),
    [
        ("", "cuBLAS, which is not installed"),
        ("/nowhere/libcublas.so.13", "/nowhere/libcublas.so.13 cannot be loaded"),
    ],
)
def test_without_cublas_the_reply_says_so(library: str, why: str) -> None:
    setting = Setting(plan=TimePlan(baseline="matmul:8,8,8"))
    setting.arena = FakeArena([("A", "in", (8, 8)), ("B", "in", (8, 8)), ("C", "out", (8, 8))])
    setting.memory.upload(setting.arena.call, setting.arena.address)
    reply = setting.bench(setting.taking(0.05), library)
    assert reply.baseline_ms == ()
    assert why in reply.baseline_note


def test_a_baseline_for_other_arrays_than_float32_matrices_is_left_out() -> None:
    setting = Setting(plan=TimePlan(baseline="matmul:8,8,8"))
    reply = setting.bench(setting.taking(0.05), "/x")
    assert "two float32 matrices" in reply.baseline_note


def test_a_library_that_fails_costs_the_comparison_and_not_the_figures() -> None:
    setting = Setting(plan=TimePlan(baseline="copy"))
    done = setting.runtime.memcpyAsync

    def fail_in_baseline(target: int, source: int, size: int, kind: int, stream: int) -> None:
        if source == setting.memory.address(setting.arena.buffer("A")):
            raise FakeRuntimeError(*INVALID_VALUE)
        done(target, source, size, kind, stream)

    setting.runtime.memcpyAsync = fail_in_baseline  # type: ignore[method-assign]
    reply = setting.bench(setting.taking(0.05))
    assert len(reply.samples_ms) == 11
    assert reply.baseline_ms == ()
    assert reply.baseline_note.startswith("no comparison with device copy: cudaErrorInvalidValue")


def test_the_card_is_asked_after_each_sample_that_counts() -> None:
    setting = Setting(plan=TimePlan(samples=10, max_samples=10))
    readings = iter([Reading(1980, 3201, 40)] * 7 + [Reading(1500, 3201, 61, ("power cap",))] * 3)
    setting.monitor = lambda: next(readings)
    reply = setting.bench(setting.taking(0.001))
    assert (reply.facts["clock_mhz"], reply.facts["celsius"]) == ("1980", "61")
    assert any("3 of 10 samples" in note and "power cap" in note for note in reply.notes)
    assert any("from 1500 to 1980 MHz" in note for note in reply.notes)
    assert len(reply.samples_ms) == 11  # flagged, and all of them kept


def test_a_card_that_tells_nothing_changes_nothing() -> None:
    reply = Setting().bench(Setting().taking(0.001))
    assert "clock_mhz" not in reply.facts
    assert notes([]) == []
    assert notes([Reading(1980, 3201, 40)] * 5) == []
    assert open_monitor(FakeRuntime(), 0)() is None  # there is no such device here


def test_the_roofline_is_a_copy_and_the_clock() -> None:
    runtime = FakeRuntime(memory=1 << 34)
    runtime.attributes = {16: 132, 75: 9, 76: 0}
    sizes: list[int] = []

    def copy_ms(size: int) -> float:
        sizes.append(size)
        return 0.125 if len(sizes) != 3 else 9.0

    facts = roof_facts(runtime, 0, 1980.0, copy_ms)
    # 256 MiB read and written in 0.125 ms; 132 multiprocessors, 128 FMA each in a clock.
    assert float(facts["copy_gbps"]) == pytest.approx(2 * 2**28 / 0.125e-3 / 1e9, rel=1e-5)
    assert float(facts["fp32_gflops"]) == pytest.approx(132 * 128 * 2 * 1.98, rel=1e-5)
    runtime.attributes[75] = 8  # an A100 has 64
    assert float(roof_facts(runtime, 0, 1980.0, copy_ms)["fp32_gflops"]) == pytest.approx(
        132 * 64 * 2 * 1.98, rel=1e-5
    )
    assert "fp32_gflops" not in roof_facts(runtime, 0, 0.0, copy_ms)
    small = FakeRuntime(memory=1 << 20)
    assert "copy_gbps" not in roof_facts(small, 0, 1980.0, copy_ms)


def test_what_the_roofline_needs_is_given_back() -> None:
    runtime = FakeRuntime(memory=1 << 30)
    setting = Setting(runtime)
    before = runtime.allocated
    setting.bench(setting.taking(0.001))
    assert runtime.allocated == before
