"""The device as the worker uses it: CuPy's runtime half, raw allocations, errors with names.

Only ``cupy_backends.cuda.api.runtime`` is imported, the layer of CuPy that wraps the CUDA runtime:
it loads in 0.03 s where ``import cupy`` takes 0.7 s, and it needs the driver and the CuPy wheel
alone, neither NVRTC nor cuBLAS. Memory comes straight from cudaMalloc, as a pool would round and
recycle it and hide a write past the end.
"""

from __future__ import annotations

import ctypes
import importlib
import mmap
from typing import Protocol, cast

from harness.wire import ApiError, Buffer, Call

# cudaMemcpyKind
TO_DEVICE = 1
TO_HOST = 2
ON_DEVICE = 3

DEFAULT_STREAM = 0

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
    if code in _RESET and where != "launch":
        hint = "did solve reset the device?"
    elif where == "after":
        hint = "did solve free one of its arguments?"
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
    """One allocation for each array argument, red zones included, kept from call to call.

    An allocation only grows, so that a run of small cases costs no cudaMalloc. Every call copies
    each region whole, so nothing of an earlier case is seen inside the red zones.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._regions: dict[str, tuple[int, int]] = {}
        (self._free_at_start, _) = runtime.memGetInfo()

    def address(self, buffer: Buffer) -> int:
        """The device address of the array's first byte."""
        pointer, _ = self._regions[buffer.name]
        return pointer + buffer.front

    def upload(self, call: Call, arena: int) -> None:
        """Make room for the call's regions and copy them from the arena at address ``arena``."""
        for buffer in call.buffers:
            size = _region_bytes(buffer)
            pointer = self._place(buffer.name, size)
            source = arena + buffer.offset - buffer.front
            self._runtime.memcpy(pointer, source, size, TO_DEVICE)

    def download(self, call: Call, arena: int) -> None:
        """Copy every region back to the arena at address ``arena``."""
        for buffer in call.buffers:
            pointer, _ = self._regions[buffer.name]
            target = arena + buffer.offset - buffer.front
            self._runtime.memcpy(target, pointer, _region_bytes(buffer), TO_HOST)

    def forget(self) -> None:
        """Drop the addresses without freeing them: after a fault they may not be ours any more."""
        self._regions.clear()

    def too_large(self, call: Call) -> bool:
        """Whether the call could not have fitted even before the submission ran."""
        return sum(_region_bytes(b) for b in call.buffers) > self._free_at_start

    def _place(self, name: str, size: int) -> int:
        pointer, capacity = self._regions.get(name, (0, 0))
        if capacity >= size:
            return pointer
        if pointer:
            del self._regions[name]
            self._runtime.free(pointer)
        pointer = self._runtime.malloc(size)
        self._regions[name] = (pointer, size)
        return pointer


def is_out_of_memory(error: Exception) -> bool:
    """Whether a CUDARuntimeError says that device memory is used up."""
    return getattr(error, "status", 0) == _OUT_OF_MEMORY


def _region_bytes(buffer: Buffer) -> int:
    return buffer.front + buffer.nbytes + buffer.back
