"""Times ``solve`` on the device, by the rules of a fair benchmark.

One sample: put the arrays back, wait for the whole device, then inside the host clock's bracket
clear the L2 cache, an event, ``solve``, an event and a device-wide synchronise (stopwatch.py). The
events give the time; the host's clock tells the judge of work outside the events' stream.

- First calls are warm-up (lazy loading, clocks that rise) and are not counted.
- Every call starts from a poisoned output, and after every call some places of it are looked at,
  so a submission cannot skip calls. The arrays named in the plan's ``rotate`` hold the same values
  in another order at each call but the last, so it cannot replay an earlier answer either. The
  last call has the judge's own input; its output is what the judge compares.
- Sampling ends when the relative MAD is under 0.5 %, or the plan's time or count is used up, and
  never before the plan's least count.
- A submission that frees less than it allocates is called as seldom as the plan allows, and no
  more once memory runs short: what it leaves behind is no fault of the call that then fails.
- After a fault nothing is called of CUDA any more, not even to free; see ``device.py``.

All this happens in the submission's own process and is best effort; see the README.
"""

from __future__ import annotations

import ctypes
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from harness import stats
from harness.backends.cuda.baseline import BaselineMissing, baseline_work
from harness.backends.cuda.cublas import CublasError
from harness.backends.cuda.device import (
    DEFAULT_STREAM,
    ON_DEVICE,
    TO_HOST,
    DeviceFault,
    DeviceMemory,
    Runtime,
    api_error,
    synchronize_error,
)
from harness.backends.cuda.nvml import Monitor, Reading, open_monitor
from harness.backends.cuda.nvml import facts as card_facts
from harness.backends.cuda.nvml import notes as card_notes
from harness.backends.cuda.peak import peak_facts, roof_facts
from harness.backends.cuda.pristine import Pristine
from harness.backends.cuda.stopwatch import Clock, Sample, Stopwatch
from harness.timeline import mark
from harness.wire import ApiError, Call, TimePlan, TimeReply

_WARM_UP_SECONDS = 0.1
_WARM_UP_LEAST = 2
_WARM_UP_MOST = 200
_PROBES = 8
_PROBE_BYTES = 1024
# What a call may leave allocated without a word: a small buffer of its own.
_LEAK_BYTES = 1 << 20
# The device has been busy for a while by then, so a few calls will do.
_BASELINE_WARM_UP_SECONDS = 0.04


def collect(take: Callable[[int], Sample | None], plan: TimePlan, clock: Clock) -> list[Sample]:
    """Samples until they agree; ``take`` gets the sample's number, from 0, and may end it all with
    None."""
    begin = clock()
    samples: list[Sample] = []
    while len(samples) < plan.max_samples:
        sample = take(len(samples))
        if sample is None:
            break
        samples.append(sample)
        if len(samples) < plan.samples:
            continue
        settled = stats.is_settled([sample.event for sample in samples], plan.samples)
        if settled or clock() - begin >= plan.seconds:
            break
    return samples


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
        allocated: Callable[[], int | None] = lambda: None,
        device: int = 0,
        cublas: str = "",
        clock: Clock = time.perf_counter,
        monitor: Monitor | None = None,
    ) -> None:
        """``work`` calls the submission; ``check`` returns the launch error that it left, or raises
        DeviceFault; ``allocated`` is how many bytes of device memory it holds, None if unknown.
        ``arena`` is the address of the arena, whose regions are on the device. ``monitor`` None:
        NVML."""
        self._runtime = runtime
        self._memory = memory
        self._call = call
        self._plan = plan
        self._arena = arena
        self._work = work
        self._check = check
        self._allocated = allocated
        self._device = device
        self._cublas = cublas
        self._clock = clock
        self._monitor = monitor if monitor is not None else open_monitor(runtime, device)
        self._readings: list[Reading] = []
        self._random = random.Random()
        self._error: ApiError | None = None
        self._held: int | None = None  # what the submission held after the last call
        self._growth = 0  # what the last call left allocated, 0 where that is little or unknown
        self._grown = 0  # calls in a row that left something
        self._short = False
        self._sound = True

    def run(self) -> TimeReply:
        """Measure. Raises DeviceFault for what the submission did to the device."""
        try:
            watch = Stopwatch(self._runtime, self._device, self._clock)
            pristine = Pristine(
                self._runtime, self._memory, self._call, self._arena, self._plan.rotate
            )
            reply = self._measure(watch, pristine)
        except self._runtime.CUDARuntimeError as error:
            raise DeviceFault(api_error(error, "after")) from error
        if self._sound:
            with suppress(self._runtime.CUDARuntimeError):
                watch.close()
                pristine.close()
        return reply

    def _measure(self, watch: Stopwatch, pristine: Pristine) -> TimeReply:
        turn = self._warm_up(watch, pristine)
        mark("timing is warm")
        held = self._held
        samples, written = self._samples(watch, pristine, turn)
        mark("samples are taken")
        notes = [
            *_flush_notes(watch),
            *self._leak_notes(held, len(samples)),
            *card_notes(self._readings),
        ]
        if not written:
            pristine.restore_inputs()
            notes.append("a timed call left its output unwritten")
        self._memory.download(self._call, self._arena)
        name, baseline, why = self._baseline(watch) if written else ("", [], "")
        facts = {"l2_flush": watch.flush.how, "event_us": f"{watch.overhead * 1e3:.3g}"}
        facts |= peak_facts(self._runtime, self._device) | card_facts(self._readings)
        if self._sound and self._plan.roof:
            facts |= self._roof(watch, float(facts.get("clock_mhz", "0")))
        if self._short:
            facts["stopped"] = "device memory"
        return TimeReply(
            samples_ms=tuple(sample.event for sample in samples),
            host_ms=tuple(sample.host for sample in samples),
            baseline_name=name,
            baseline_ms=tuple(sample.event for sample in baseline),
            baseline_note=why,
            error=self._error,
            notes=tuple(notes),
            facts=facts,
        )

    def _warm_up(self, watch: Stopwatch, pristine: Pristine) -> int:
        """Calls that are not counted, at least two; the number of the next turn."""
        begin = self._clock()
        turn = 1
        while turn <= _WARM_UP_MOST:
            self._take(watch, pristine, turn)
            turn += 1
            enough = self._leaks() or self._clock() - begin >= _WARM_UP_SECONDS
            if turn > _WARM_UP_LEAST and enough:
                break
        return turn

    def _samples(
        self, watch: Stopwatch, pristine: Pristine, turn: int
    ) -> tuple[list[Sample], bool]:
        """The samples, the last on the judge's own input; and whether every call wrote its
        output, else the last call made is the one that did not."""
        written = True
        plan = self._plan
        if self._leaks():
            plan = replace(plan, max_samples=plan.samples)

        def take(number: int) -> Sample | None:
            nonlocal written
            if self._runs_short():
                return None
            sample = self._take(watch, pristine, turn + number)
            reading = self._monitor()
            if reading is not None:
                self._readings.append(reading)
            written = self._looks_written()
            return sample if written else None

        samples = collect(take, plan, self._clock)
        if written:
            samples.append(self._take(watch, pristine, 0))
        return samples, written

    def _leaks(self) -> bool:
        # One call alone may allocate what later ones use again.
        return self._grown >= 2

    def _runs_short(self) -> bool:
        """Whether there may be no memory for two calls more, of which one must still be made."""
        if self._leaks():
            free, _ = self._runtime.memGetInfo()
            self._short = free < 2 * self._growth
        return self._short

    def _leak_notes(self, before: int | None, calls: int) -> list[str]:
        """``before``: what was held before the first of the calls."""
        if not calls or before is None or self._held is None:
            return []
        if self._held - before < calls * _LEAK_BYTES:
            return []
        each = (self._held - before) / calls
        note = f"each call leaves {each / 2**20:.1f} MiB of device memory allocated"
        return [f"{note}, and that ran short after {calls} samples" if self._short else note]

    def _take(self, watch: Stopwatch, pristine: Pristine, turn: int) -> Sample:
        pristine.restore(turn)
        try:
            sample = watch.measure(self._work)
        except self._runtime.CUDARuntimeError as error:
            raise DeviceFault(synchronize_error(error)) from error
        # An error that a right answer was computed in spite of decides nothing: it is passed on.
        self._error = self._check() or self._error
        self._look_for_leaks()
        return sample

    def _look_for_leaks(self) -> None:
        before, self._held = self._held, self._allocated()
        growth = 0 if before is None or self._held is None else self._held - before
        self._growth = growth if growth >= _LEAK_BYTES else 0
        self._grown = self._grown + 1 if self._growth else 0

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
            return watch.measure(baseline.work)

        try:
            begin = self._clock()
            for number in range(_WARM_UP_MOST):
                take(number)
                enough = self._clock() - begin >= _BASELINE_WARM_UP_SECONDS
                if number + 1 >= _WARM_UP_LEAST and enough:
                    break
            mark("baseline is warm")
            samples = collect(take, self._plan, self._clock)
        except (CublasError, self._runtime.CUDARuntimeError) as error:
            # The submission's own figures are in already: a library's failure takes none away.
            self._sound = False
            return "", [], f"no comparison with {baseline.name}: {error}"
        baseline.close()
        return baseline.name, samples, ""

    def _roof(self, watch: Stopwatch, clock_mhz: float) -> dict[str, str]:
        """What the device reaches at best, measured now."""
        runtime = self._runtime
        held: dict[str, int] = {}

        def copy_ms(size: int) -> float:
            if not held:
                held.update(to=runtime.malloc(size), source=runtime.malloc(size))
            return watch.measure(
                lambda: runtime.memcpyAsync(
                    held["to"], held["source"], size, ON_DEVICE, DEFAULT_STREAM
                )
            ).event

        found = roof_facts(runtime, self._device, clock_mhz, copy_ms)
        with suppress(runtime.CUDARuntimeError):
            for pointer in held.values():
                runtime.free(pointer)
        return found


def _flush_notes(watch: Stopwatch) -> list[str]:
    if watch.flush.nbytes:
        return []
    return ["device memory is short: the L2 cache was not cleared between samples"]
