"""The device as the worker uses it: CuPy's runtime half, raw allocations, errors with names.

Only ``cupy_backends.cuda.api.runtime`` is imported, the layer of CuPy that wraps the CUDA runtime:
it loads in 0.03 s where ``import cupy`` takes 0.7 s, and it needs the driver and the CuPy wheel
alone, neither NVRTC nor cuBLAS. Memory comes straight from cudaMalloc, as a pool would round and
recycle it and hide a write past the end.

After a fault the context is dead and so is every handle in it; using or destroying one may crash.
Whoever sees a fault therefore calls nothing of CUDA any more: a ``DeviceFault`` goes straight into
the reply, and the process ends soon after.
"""

from __future__ import annotations

import ctypes
import importlib
import mmap
from typing import Protocol, cast

from harness.wire import REPORT_BYTES, ApiError, Buffer, Call

# cudaMemcpyKind
TO_DEVICE = 1
TO_HOST = 2
ON_DEVICE = 3

DEFAULT_STREAM = 0

_INVALID_VALUE = 1
_OUT_OF_MEMORY = 2
# The context is gone: cudaDeviceReset, or a handle of it that has died with it.
_RESET = {4, 201, 400, 709}

_HINTS = {
    1: "more than 1024 threads a block, or a call given a wrong pointer or size?",
    2: "the device's memory is used up",
    9: "more than 1024 threads a block, or a grid of zero or too many blocks?",
    98: "the kernel is not in the library for this GPU",
    209: "the library was built for another architecture than this GPU's",
    700: "a thread used an address outside every array: is an index guard missing?",
    701: "the block needs more registers or shared memory than there are",
    702: "the kernel ran longer than the driver lets it",
    710: "an assert in a kernel failed",
    715: "a thread ran into an instruction that this GPU does not have",
    716: "an access wider than its address allows, such as float4 at an index that is no "
    "multiple of 4?",
    717: "a pointer to shared or local memory was used as one to global memory, or the reverse",
    719: "a kernel crashed: an access through a wild pointer, or a stack overflow?",
}


class Runtime(Protocol):
    """What is used of CuPy's runtime module. Addresses and handles are integers."""

    CUDARuntimeError: type[Exception]

    def setDevice(self, device: int) -> None: ...
    def deviceSynchronize(self) -> None: ...
    def deviceGetAttribute(self, attribute: int, device: int) -> int: ...
    def deviceGetPCIBusId(self, device: int) -> str: ...
    def memGetInfo(self) -> tuple[int, int]: ...
    def malloc(self, size: int) -> int: ...
    def free(self, pointer: int) -> None: ...
    def memcpy(self, target: int, source: int, size: int, kind: int) -> None: ...
    def memcpyAsync(self, target: int, source: int, size: int, kind: int, stream: int) -> None: ...
    def memsetAsync(self, pointer: int, value: int, size: int, stream: int) -> None: ...
    def eventCreate(self) -> int: ...
    def eventDestroy(self, event: int) -> None: ...
    def eventRecord(self, event: int, stream: int) -> None: ...
    def eventElapsedTime(self, start: int, end: int) -> float: ...


def import_runtime() -> Runtime:
    """CuPy's runtime module. Raises ImportError."""
    try:
        runtime = importlib.import_module("cupy_backends.cuda.api.runtime")
    except ModuleNotFoundError:
        runtime = importlib.import_module("cupy.cuda.runtime")
    return cast(Runtime, runtime)


class DeviceFault(Exception):
    """A CUDA call of the judge failed because of what the submission did."""

    def __init__(self, error: ApiError) -> None:
        super().__init__(f"{error.name}: {error.message}")
        self.error = error


def api_error(error: Exception, where: str) -> ApiError:
    """An ApiError from CuPy's CUDARuntimeError, whose text is ``name: message``."""
    code = int(getattr(error, "status", 0))
    name, _, message = str(error).partition(": ")
    return explained(code, name, message, where)


def explained(code: int, name: str, message: str, where: str) -> ApiError:
    """An ApiError whose message ends with what usually causes it."""
    if where == "after" and code == _OUT_OF_MEMORY:
        hint = "the device's memory is used up: does solve free what it allocates?"
    elif where == "after" and (code == _INVALID_VALUE or code not in _HINTS):
        hint = "did solve free one of its arguments, or reset the device?"
    else:
        hint = _HINTS.get(code, "")
    return ApiError(code, name, f"{message} ({hint})" if hint else message, where)


def synchronize_error(error: Exception) -> ApiError:
    """An ApiError for a failed device-wide synchronise after ``solve``: a fault of a kernel, or a
    device that was reset."""
    code = int(getattr(error, "status", 0))
    return api_error(error, "after" if code in _RESET else "synchronize")


def arena_address(arena: mmap.mmap) -> int:
    """Where the arena is mapped in this process. It stays valid as long as ``arena`` is open."""
    return ctypes.addressof(ctypes.c_char.from_buffer(arena))


class DeviceMemory:
    """The arena's regions in one allocation, as they lie in the arena, kept from call to call.

    One copy each way moves all arrays with their red zones, and a write that leaves one array's
    zones ends in another's. ``SPARE`` bytes on both sides take what goes farther, so that an
    overhang is told by the zone where it begins and not by a fault that depends on the card. The
    allocation only grows, so that a run of small cases costs no cudaMalloc.
    """

    SPARE = 2 << 20
    # What cudaMalloc rounds to anyhow; the next case of about this size then fits.
    _STEP = 2 << 20

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._pointer = 0
        self._capacity = 0
        (self._free_at_start, _) = runtime.memGetInfo()

    def address(self, buffer: Buffer) -> int:
        """The device address of the array's first byte."""
        return self._pointer + self.SPARE + buffer.offset - REPORT_BYTES

    def upload(self, call: Call, arena: int) -> None:
        """Make room for the call's regions and copy them from the arena at address ``arena``."""
        size = call.arena_bytes - REPORT_BYTES
        self._make_room(size)
        self._runtime.memcpy(self._pointer + self.SPARE, arena + REPORT_BYTES, size, TO_DEVICE)

    def download(self, call: Call, arena: int) -> None:
        """Copy every region back to the arena at address ``arena``."""
        size = call.arena_bytes - REPORT_BYTES
        self._runtime.memcpy(arena + REPORT_BYTES, self._pointer + self.SPARE, size, TO_HOST)

    def forget(self) -> None:
        """Drop the allocation without freeing it: after a fault it may not be ours any more."""
        self._pointer = self._capacity = 0

    def too_large(self, call: Call) -> bool:
        """Whether the call could not have fitted even before the submission ran."""
        return call.arena_bytes - REPORT_BYTES + 2 * self.SPARE > self._free_at_start

    def _make_room(self, size: int) -> None:
        if size <= self._capacity:
            return
        pointer = self._pointer
        self.forget()
        if pointer:
            self._runtime.free(pointer)
        capacity = size + -size % self._STEP
        self._pointer = self._runtime.malloc(capacity + 2 * self.SPARE)
        self._capacity = capacity


class ExactMemory(DeviceMemory):
    """Each array in an allocation of exactly its size, for tools that know where allocations end.

    Outputs are left as cudaMalloc gives them and nothing is copied back, so that a tool that looks
    for reads of memory that nobody wrote sees the submission's alone.
    """

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime)
        self._addresses: dict[str, int] = {}

    def address(self, buffer: Buffer) -> int:
        return self._addresses[buffer.name]

    def upload(self, call: Call, arena: int) -> None:
        for buffer in call.buffers:
            pointer = self._runtime.malloc(buffer.nbytes)
            self._addresses[buffer.name] = pointer
            if buffer.role != "out":
                source = arena + buffer.offset
                self._runtime.memcpy(pointer, source, buffer.nbytes, TO_DEVICE)

    def download(self, call: Call, arena: int) -> None:
        """Nothing: who uses this looks at the accesses, not at the results."""


def is_out_of_memory(error: Exception) -> bool:
    """Whether a CUDARuntimeError says that device memory is used up."""
    return getattr(error, "status", 0) == _OUT_OF_MEMORY
