"""A CUDA device made of host memory and a clock that only moves when told to.

``FakeRuntime`` has the functions of CuPy's runtime module that the backend uses. Memory is real
(ctypes buffers), so the code under test moves real bytes; time is not, so its figures are exact.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable

from harness.wire import PAGE, REPORT_BYTES, Buffer, Call, Scalar


class FakeRuntimeError(RuntimeError):
    """As CuPy's CUDARuntimeError: ``status`` and a text ``name: message``."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


OUT_OF_MEMORY = (2, "cudaErrorMemoryAllocation: out of memory")
ILLEGAL_ADDRESS = (700, "cudaErrorIllegalAddress: an illegal memory access was encountered")
UNINITIALIZED = (201, "cudaErrorDeviceUninitialized: invalid device context")
INVALID_VALUE = (1, "cudaErrorInvalidValue: invalid argument")


class FakeRuntime:
    """One device. Work is queued with ``queue`` (the default stream) or ``queue_aside`` (a
    non-blocking one); seconds."""

    CUDARuntimeError = FakeRuntimeError

    def __init__(self, memory: int = 1 << 30, l2: int = 1 << 20) -> None:
        self.now = 0.0
        self.memory = memory
        self.l2 = l2
        self.attributes: dict[int, int] = {}
        self.calls: list[str] = []
        self.fault: tuple[int, str] | None = None
        self.flushes: list[int] = []
        self.flush_seconds = 0.0  # what each takes
        self.event_seconds = 0.0  # what a pair of events with nothing between them shows
        self._stream = 0.0
        self._aside = 0.0
        self._events: dict[int, float] = {}
        self._blocks: dict[int, ctypes.Array[ctypes.c_char]] = {}

    # --- for tests ---

    def clock(self) -> float:
        return self.now

    def queue(self, seconds: float) -> None:
        self._stream = max(self._stream, self.now) + seconds

    def queue_aside(self, seconds: float) -> None:
        self._aside = max(self._aside, self.now) + seconds

    @property
    def allocated(self) -> int:
        return sum(len(block) for block in self._blocks.values())

    # --- the runtime ---

    def setDevice(self, device: int) -> None:
        self.calls.append(f"setDevice {device}")

    def deviceSynchronize(self) -> None:
        self._raise_fault()
        self.now = max(self.now, self._stream, self._aside)

    def deviceGetAttribute(self, attribute: int, device: int) -> int:
        return {38: self.l2, **self.attributes}.get(attribute, 0)

    def memGetInfo(self) -> tuple[int, int]:
        return self.memory - self.allocated, self.memory

    def malloc(self, size: int) -> int:
        self._raise_fault()
        if size > self.memory - self.allocated:
            raise FakeRuntimeError(*OUT_OF_MEMORY)
        block = ctypes.create_string_buffer(max(size, 1))
        self._blocks[ctypes.addressof(block)] = block
        return ctypes.addressof(block)

    def free(self, pointer: int) -> None:
        self._raise_fault()
        if pointer == 0:
            self.calls.append("free 0")
        elif self._blocks.pop(pointer, None) is None:
            raise FakeRuntimeError(*INVALID_VALUE)

    def memcpy(self, target: int, source: int, size: int, kind: int) -> None:
        self._raise_fault()
        for pointer, device in ((target, kind in (1, 3)), (source, kind in (2, 3))):
            if device and not self._owns(pointer, size):
                raise FakeRuntimeError(*INVALID_VALUE)
        ctypes.memmove(target, source, size)

    def memcpyAsync(self, target: int, source: int, size: int, kind: int, stream: int) -> None:
        assert stream == 0
        self.memcpy(target, source, size, kind)

    def memsetAsync(self, pointer: int, value: int, size: int, stream: int) -> None:
        self._raise_fault()
        assert self._owns(pointer, size)
        self.flushes.append(size)
        self.queue(self.flush_seconds)
        ctypes.memset(pointer, value, size)

    def eventCreate(self) -> int:
        handle = len(self._events) + 1
        self._events[handle] = -1.0
        return handle

    def eventDestroy(self, event: int) -> None:
        self._raise_fault()
        self.calls.append(f"eventDestroy {event}")

    def eventRecord(self, event: int, stream: int) -> None:
        self._raise_fault()
        self._events[event] = max(self._stream, self.now)
        self.queue(self.event_seconds)

    def eventElapsedTime(self, start: int, end: int) -> float:
        return (self._events[end] - self._events[start]) * 1e3

    def _owns(self, pointer: int, size: int) -> bool:
        return any(
            at <= pointer and pointer + size <= at + len(b) for at, b in self._blocks.items()
        )

    def _raise_fault(self) -> None:
        if self.fault is not None:
            raise FakeRuntimeError(*self.fault)


class FakeArena:
    """An arena laid out for float32 arrays, filled by hand: zones and outputs with ``0xAB``."""

    ZONE = PAGE

    def __init__(self, arrays: list[tuple[str, str, tuple[int, ...]]], *scalars: Scalar) -> None:
        """``arrays``: (name, role, shape) in the order of the arguments; scalars come last."""
        offset = REPORT_BYTES
        arguments: list[Buffer | Scalar] = []
        for name, role, shape in arrays:
            count = 1
            for size in shape:
                count *= size
            back = self.ZONE + (-4 * count) % PAGE
            start = offset + self.ZONE
            arguments.append(
                Buffer(name, "float32", shape, role, start, 4 * count, self.ZONE, back)
            )
            offset += self.ZONE + 4 * count + back
        self.call = Call((*arguments, *scalars), offset)
        self.map = mmap.mmap(-1, offset)
        self.map[:] = b"\xab" * offset
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.map))

    def buffer(self, name: str) -> Buffer:
        return next(b for b in self.call.buffers if b.name == name)

    def floats(self, name: str) -> ctypes.Array[ctypes.c_float]:
        """The array in the arena, not a copy."""
        buffer = self.buffer(name)
        return (ctypes.c_float * (buffer.nbytes // 4)).from_address(self.address + buffer.offset)

    def zones(self, name: str) -> bytes:
        """Both red zones."""
        buffer = self.buffer(name)
        end = buffer.offset + buffer.nbytes
        front = bytes(self.map[buffer.offset - buffer.front : buffer.offset])
        return front + bytes(self.map[end : end + buffer.back])


def device_floats(pointer: int, count: int) -> ctypes.Array[ctypes.c_float]:
    """Device memory as floats."""
    return (ctypes.c_float * count).from_address(pointer)


Work = Callable[[], None]
