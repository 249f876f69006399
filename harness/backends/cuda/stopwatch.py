"""One sample of any work on the device, with a cold L2 cache.

The host is always late: between the first event and a kernel behind it an idle device would wait
for the launch, some 5 us that are no part of the kernel. So the flush is still running when event,
work and event are queued behind it, and the time that a pair of events with nothing between them
shows is taken off. What is left is Nsight Compute's duration of the kernel, within 2 % down to 3 us
on an H200 (benchmarks/ncu_check.py).

The host's clock sees what the events don't, such as work on a non-blocking stream: its time is that
of all that the device did, less the flush.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness import stats
from harness.backends.cuda.device import DEFAULT_STREAM, Runtime
from harness.backends.cuda.flush import Flush
from harness.backends.cuda.libcuda import open_libcuda

_EMPTY_PAIRS = 11

Clock = Callable[[], float]


@dataclass(frozen=True)
class Sample:
    """One timed call in milliseconds: between the events, and by the host's clock."""

    event: float
    host: float


class Stopwatch:
    """``overhead`` is what a pair of events shows of nothing, in milliseconds."""

    def __init__(self, runtime: Runtime, device: int, clock: Clock) -> None:
        self._runtime = runtime
        self._clock = clock
        self._before = runtime.eventCreate()
        self._start = runtime.eventCreate()
        self._end = runtime.eventCreate()
        self._persisting = _persisting_reset()
        self.flush = Flush(runtime, device)
        self.overhead = 0.0
        empty = [self.measure(lambda: None).event for _ in range(_EMPTY_PAIRS)]
        self.overhead = stats.median(empty)

    def measure(self, work: Callable[[], None]) -> Sample:
        """Run ``work`` once, from before it until the whole device is idle again."""
        runtime = self._runtime
        runtime.deviceSynchronize()
        self._persisting()
        begin = self._clock()
        runtime.eventRecord(self._before, DEFAULT_STREAM)
        self.flush.queue()
        runtime.eventRecord(self._start, DEFAULT_STREAM)
        work()
        runtime.eventRecord(self._end, DEFAULT_STREAM)
        runtime.deviceSynchronize()
        host = (self._clock() - begin) * 1e3
        flush = runtime.eventElapsedTime(self._before, self._start)
        event = runtime.eventElapsedTime(self._start, self._end)
        return Sample(max(event - self.overhead, 0.0), max(host - flush, 0.0))

    def close(self) -> None:
        """Free the events and the scratch memory."""
        for event in (self._before, self._start, self._end):
            self._runtime.eventDestroy(event)
        self.flush.close()


def _persisting_reset() -> Callable[[], object]:
    """The driver's call that ends L2 persistence, or nothing where it has none."""
    library = open_libcuda()
    reset: Callable[[], object] | None = getattr(library, "cuCtxResetPersistingL2Cache", None)
    return reset if reset is not None else lambda: None
