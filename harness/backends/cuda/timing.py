"""Times ``solve`` on the device, by the rules of a fair benchmark.

One sample: put the arrays back, overwrite the L2 cache, wait for the whole device, then inside the
host clock's bracket an event, ``solve``, an event and a device-wide synchronise. The events give
the time; the host's clock tells the judge of work that went on outside the events' stream.

- First calls are warm-up (lazy loading, clocks that rise) and are not counted.
- Every call starts from a poisoned output, and after every call some places of it are looked at,
  so a submission cannot skip calls. The arrays named in the plan's ``rotate`` hold the same values
  in another order at each call but the last, so it cannot replay an earlier answer either. The
  last call has the judge's own input; its output is what the judge compares.
- Sampling ends when the relative MAD is under 0.5 %, or the plan's time or count is used up, and
  never before the plan's least count.

All this happens in the submission's own process and is best effort; see the README.
"""

from __future__ import annotations

import ctypes
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness import stats
from harness.backends.cuda.baseline import BaselineMissing, baseline_work
from harness.backends.cuda.cublas import CublasError
from harness.backends.cuda.device import (
    DEFAULT_STREAM,
    ON_DEVICE,
    TO_DEVICE,
    TO_HOST,
    DeviceFault,
    DeviceMemory,
    Runtime,
    api_error,
    is_out_of_memory,
    synchronize_error,
)
from harness.wire import ApiError, Buffer, Call, TimePlan, TimeReply

_WARM_UP_SECONDS = 0.1
_WARM_UP_LEAST = 2
_WARM_UP_MOST = 200
_L2_CACHE_SIZE = 38  # cudaDevAttrL2CacheSize
_LEAST_FLUSH = 32 << 20
_PROBES = 8
_PROBE_BYTES = 1024
# Below this a drop of free device memory a call is the driver's own bookkeeping.
_LEAK_BYTES = 1 << 20
# Far from the powers of two that tilings like, so that rotated data share no tile borders.
_GOLDEN = 0.6180339887

Clock = Callable[[], float]


@dataclass(frozen=True)
class Sample:
    """One timed call in milliseconds: between the events, and by the host's clock."""

    event: float
    host: float


def collect(take: Callable[[int], Sample], plan: TimePlan, clock: Clock) -> list[Sample]:
    """Samples until they agree; ``take`` gets the sample's number, from 0."""
    begin = clock()
    samples: list[Sample] = []
    while len(samples) < plan.max_samples:
        samples.append(take(len(samples)))
        if len(samples) < plan.samples:
            continue
        settled = stats.is_settled([sample.event for sample in samples], plan.samples)
        if settled or clock() - begin >= plan.seconds:
            break
    return samples


class Stopwatch:
    """Takes one sample of any work, with a cold L2 cache."""

    def __init__(self, runtime: Runtime, device: int, clock: Clock) -> None:
        self._runtime = runtime
        self._clock = clock
        self._start = runtime.eventCreate()
        self._end = runtime.eventCreate()
        self._turn = 0
        l2 = runtime.deviceGetAttribute(_L2_CACHE_SIZE, device)
        self.flushed = max(2 * l2, _LEAST_FLUSH)
        try:
            self._scratch = runtime.malloc(self.flushed)
        except runtime.CUDARuntimeError as error:
            if not is_out_of_memory(error):
                raise
            self._scratch = self.flushed = 0
        self._persisting = _persisting_reset()

    def chill(self) -> None:
        """Overwrite the L2 cache and wait until the whole device is idle."""
        self._turn += 1
        if self._scratch:
            value = self._turn & 0xFF
            self._runtime.memsetAsync(self._scratch, value, self.flushed, DEFAULT_STREAM)
        self._runtime.deviceSynchronize()
        self._persisting()

    def measure(self, work: Callable[[], None]) -> Sample:
        """Run ``work`` once, from before it until the whole device is idle again."""
        runtime = self._runtime
        begin = self._clock()
        runtime.eventRecord(self._start, DEFAULT_STREAM)
        work()
        runtime.eventRecord(self._end, DEFAULT_STREAM)
        runtime.deviceSynchronize()
        host = (self._clock() - begin) * 1e3
        return Sample(runtime.eventElapsedTime(self._start, self._end), host)

    def close(self) -> None:
        """Free the events and the scratch memory."""
        for event in (self._start, self._end):
            self._runtime.eventDestroy(event)
        if self._scratch:
            self._runtime.free(self._scratch)


def _persisting_reset() -> Callable[[], object]:
    """The driver's call that ends L2 persistence, or nothing where it has none."""
    try:
        reset: Callable[[], object] = ctypes.CDLL("libcuda.so.1").cuCtxResetPersistingL2Cache
    except (OSError, AttributeError):
        return lambda: None
    return reset


class Pristine:
    """The arrays as the judge made them, to put back before each call.

    They are kept on the device; where memory is short they are copied from the arena each time.
    """

    def __init__(
        self,
        runtime: Runtime,
        memory: DeviceMemory,
        call: Call,
        arena: int,
        rotate: Sequence[str] = (),
    ) -> None:
        self._runtime = runtime
        self._memory = memory
        self._call = call
        self._rotate = frozenset(rotate)
        self._owned: list[int] = []
        self._sources: dict[str, tuple[int, int]] = {}
        for buffer in call.buffers:
            self._sources[buffer.name] = self._keep(buffer, arena + buffer.offset)

    def restore(self, turn: int) -> None:
        """Put every array back. ``turn`` 0: exactly; otherwise the arrays of ``rotate`` start at
        another of their elements each turn and go on from their first after their last."""
        for buffer in self._call.buffers:
            turned = turn if buffer.name in self._rotate and buffer.role == "in" else 0
            self._put(buffer, _shift(buffer, turned))

    def restore_inputs(self) -> None:
        """Put the inputs back exactly and leave the outputs as they are."""
        for buffer in self._call.buffers:
            if buffer.role == "in":
                self._put(buffer, 0)

    def close(self) -> None:
        """Free the copies."""
        while self._owned:
            self._runtime.free(self._owned.pop())

    def _keep(self, buffer: Buffer, arena: int) -> tuple[int, int]:
        """Address and cudaMemcpyKind of a copy that lasts."""
        try:
            pointer = self._runtime.malloc(max(buffer.nbytes, 1))
        except self._runtime.CUDARuntimeError as error:
            if not is_out_of_memory(error):
                raise
            return arena, TO_DEVICE
        self._owned.append(pointer)
        self._runtime.memcpy(pointer, self._memory.address(buffer), buffer.nbytes, ON_DEVICE)
        return pointer, ON_DEVICE

    def _put(self, buffer: Buffer, shift: int) -> None:
        source, kind = self._sources[buffer.name]
        target = self._memory.address(buffer)
        rest = buffer.nbytes - shift
        self._runtime.memcpyAsync(target, source + shift, rest, kind, DEFAULT_STREAM)
        if shift:
            self._runtime.memcpyAsync(target + rest, source, shift, kind, DEFAULT_STREAM)


def _shift(buffer: Buffer, turn: int) -> int:
    """By how many bytes to rotate; a whole number of elements, 0 for turn 0."""
    count = 1
    for size in buffer.shape:
        count *= size
    if turn == 0 or count < 2:
        return 0
    item = buffer.nbytes // count
    return item * max(1, int(turn * _GOLDEN * count) % count)


class Bench:
    """One timed call: samples of ``work``, the output of the last, samples of the baseline."""

    def __init__(
        self,
        runtime: Runtime,
        memory: DeviceMemory,
        call: Call,
        plan: TimePlan,
        arena: int,
        *,
        work: Callable[[], None],
        check: Callable[[], ApiError | None],
        device: int = 0,
        cublas: str = "",
        clock: Clock = time.perf_counter,
    ) -> None:
        """``work`` calls the submission; ``check`` returns the launch error that it left, or raises
        DeviceFault. ``arena`` is the address of the arena, whose regions are on the device."""
        self._runtime = runtime
        self._memory = memory
        self._call = call
        self._plan = plan
        self._arena = arena
        self._work = work
        self._check = check
        self._device = device
        self._cublas = cublas
        self._clock = clock
        self._random = random.Random()
        self._error: ApiError | None = None

    def run(self) -> TimeReply:
        """Measure. Raises DeviceFault for what the submission did to the device."""
        watch: Stopwatch | None = None
        pristine: Pristine | None = None
        try:
            watch = Stopwatch(self._runtime, self._device, self._clock)
            pristine = Pristine(
                self._runtime, self._memory, self._call, self._arena, self._plan.rotate
            )
            return self._measure(watch, pristine)
        except self._runtime.CUDARuntimeError as error:
            raise DeviceFault(api_error(error, "after")) from error
        finally:
            self._close(watch, pristine)

    def _close(self, *parts: Stopwatch | Pristine | None) -> None:
        for part in parts:
            try:
                if part is not None:
                    part.close()
            except self._runtime.CUDARuntimeError:
                continue  # a device that faulted frees nothing; the process is about to end

    def _measure(self, watch: Stopwatch, pristine: Pristine) -> TimeReply:
        turn = self._warm_up(watch, pristine)
        free_before, _ = self._runtime.memGetInfo()
        samples, written = self._samples(watch, pristine, turn)
        free_after, _ = self._runtime.memGetInfo()
        notes = [*_flush_notes(watch), *_leak_notes(free_before - free_after, len(samples))]
        if not written:
            pristine.restore_inputs()
            notes.append("a timed call left its output unwritten")
        self._memory.download(self._call, self._arena)
        name, baseline, why = self._baseline(watch) if written else ("", [], "")
        return TimeReply(
            samples_ms=tuple(sample.event for sample in samples),
            host_ms=tuple(sample.host for sample in samples),
            baseline_name=name,
            baseline_ms=tuple(sample.event for sample in baseline),
            baseline_note=why,
            error=self._error,
            notes=tuple(notes),
            facts={"l2_flush": f"{watch.flushed >> 20} MiB"},
        )

    def _warm_up(self, watch: Stopwatch, pristine: Pristine) -> int:
        """Calls that are not counted, at least two; the number of the next turn."""
        begin = self._clock()
        turn = 1
        while turn <= _WARM_UP_MOST:
            self._take(watch, pristine, turn)
            turn += 1
            if turn > _WARM_UP_LEAST and self._clock() - begin >= _WARM_UP_SECONDS:
                break
        return turn

    def _samples(
        self, watch: Stopwatch, pristine: Pristine, turn: int
    ) -> tuple[list[Sample], bool]:
        """The samples, the last on the judge's own input; and whether every call wrote its
        output, else the last sample is of the call that did not."""
        written = True

        def take(number: int) -> Sample:
            nonlocal written
            sample = self._take(watch, pristine, turn + number)
            written = self._looks_written()
            if not written:
                raise _Unwritten
            return sample

        samples: list[Sample] = []
        try:
            samples = collect(take, self._plan, self._clock)
            samples.append(self._take(watch, pristine, 0))
        except _Unwritten:
            pass
        return samples, written

    def _take(self, watch: Stopwatch, pristine: Pristine, turn: int) -> Sample:
        pristine.restore(turn)
        watch.chill()
        try:
            sample = watch.measure(self._work)
        except self._runtime.CUDARuntimeError as error:
            raise DeviceFault(synchronize_error(error)) from error
        # An error that a right answer was computed in spite of decides nothing: it is passed on.
        self._error = self._check() or self._error
        return sample

    def _looks_written(self) -> bool:
        """Whether no place looked at in the outputs still holds its poison, which the arena has
        until the end."""
        for buffer in self._call.buffers:
            size = min(_PROBE_BYTES, buffer.nbytes)
            if buffer.role != "out" or size < 16:
                continue
            found = ctypes.create_string_buffer(size)
            for _ in range(_PROBES):
                at = self._random.randrange(buffer.nbytes - size + 1)
                pointer = self._memory.address(buffer) + at
                self._runtime.memcpy(ctypes.addressof(found), pointer, size, TO_HOST)
                if found.raw == ctypes.string_at(self._arena + buffer.offset + at, size):
                    return False
        return True

    def _baseline(self, watch: Stopwatch) -> tuple[str, list[Sample], str]:
        """Name and samples of the library's baseline; or why there is none."""
        if not self._plan.baseline:
            return "", [], ""
        try:
            baseline = baseline_work(
                self._plan.baseline, self._runtime, self._memory, self._call, self._cublas
            )
        except BaselineMissing as missing:
            return "", [], str(missing)

        def take(number: int) -> Sample:
            watch.chill()
            return watch.measure(baseline.work)

        try:
            begin = self._clock()
            for number in range(_WARM_UP_MOST):
                take(number)
                if number + 1 >= _WARM_UP_LEAST and self._clock() - begin >= _WARM_UP_SECONDS:
                    break
            return baseline.name, collect(take, self._plan, self._clock), ""
        except (CublasError, self._runtime.CUDARuntimeError) as error:
            # The submission's own figures are in already: a library's failure takes none away.
            return "", [], f"no comparison with {baseline.name}: {error}"
        finally:
            baseline.close()


class _Unwritten(Exception):
    """A timed call left its output as it was."""


def _flush_notes(watch: Stopwatch) -> list[str]:
    if watch.flushed:
        return []
    return ["device memory is short: the L2 cache was not cleared between samples"]


def _leak_notes(lost: int, calls: int) -> list[str]:
    if calls == 0 or lost < calls * _LEAK_BYTES:
        return []
    return [f"each call leaves {lost / calls / 2**20:.1f} MiB of device memory allocated"]
