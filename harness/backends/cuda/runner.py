"""The child half of the cuda backend: loads the built library and calls it on device memory.

What is read after a call, and in which order: a device-wide synchronise (kernels on any stream,
faults), then the last error of the *library's own* CUDA runtime, through the functions that the
judge links into every build (see ``peek.cpp``). CuPy's runtime is another copy and never sees a
launch that the submission got wrong. The same functions tell of a freed argument and of a reset.

Who is to blame for a failed CUDA call of the judge's: before the library is loaded nobody but the
machine, so it raises (a judge error); afterwards the submission, so it becomes an ApiError.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import struct
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from harness.backends.cuda.cublas import preload
from harness.backends.cuda.device import (
    DeviceFault,
    DeviceMemory,
    ExactMemory,
    Runtime,
    api_error,
    arena_address,
    explained,
    import_runtime,
    is_out_of_memory,
    synchronize_error,
)
from harness.backends.runner import LoadError
from harness.timeline import follow, mark
from harness.wire import (
    ApiError,
    Buffer,
    Call,
    RunOptions,
    RunReply,
    Scalar,
    TimePlan,
    TimeReply,
    TraceReply,
)

_TEXT_BYTES = 256
# A report that is none: the address of an array, in ``byte``. Written if the config says ``exact``.
ARGUMENT = {"kind": "argument", "message": ""}

_SCALARS: Mapping[str, Callable[[Any], Any]] = {
    "bool": ctypes.c_bool,
    "int8": ctypes.c_int8,
    "uint8": ctypes.c_uint8,
    "int16": ctypes.c_int16,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
    # A __half is passed as the 16 bits that it is.
    "float16": lambda value: ctypes.c_uint16(struct.unpack("<H", struct.pack("<e", value))[0]),
}


class Submission:
    """The loaded library: ``solve`` and the judge's own functions in it."""

    def __init__(self, path: str, symbol: str) -> None:
        """Raises LoadError."""
        try:
            library = ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL)
        except OSError as error:
            raise LoadError(f"the built library cannot be loaded: {error}") from error
        try:
            self._function = library[symbol]
            self._peek = library["leetk_peek_error"]
            self._clear = library["leetk_clear_error"]
            self._watch = library["leetk_watch"]
            self._freed = library["leetk_freed"]
            self._resets = library["leetk_reset"]
            self._allocated = library["leetk_allocated"]
        except AttributeError as error:
            raise LoadError(
                f'the library has no function {symbol}: declare it extern "C" and not static'
            ) from error
        self._function.restype = None
        self._allocated.restype = ctypes.c_longlong
        self._watched: tuple[list[str], Any] = ([], None)

    def watch(self, arrays: Mapping[str, int]) -> None:
        """Notice from now on when one of these arguments (name to address) is freed, or the device
        reset."""
        addresses = (ctypes.c_void_p * len(arrays))(*arrays.values())
        self._watched = (list(arrays), addresses)
        self._watch(addresses, len(arrays))

    def trespass(self) -> ApiError | None:
        """What the submission did to what belongs to its caller, if it did."""
        if self._resets():
            message = "solve called cudaDeviceReset, which takes away the memory of its caller"
            return ApiError(709, "cudaErrorContextIsDestroyed", message, "after")
        index = self._freed()
        names, _ = self._watched
        if 0 <= index < len(names):
            message = f"solve freed its argument {names[index]}, which belongs to its caller"
            return ApiError(1, "cudaErrorInvalidValue", message, "after")
        return None

    def allocated(self) -> int | None:
        """Bytes of device memory that the submission holds; None when they were lost count of."""
        held: int = self._allocated()
        return held if held >= 0 else None

    def call(self, arguments: list[Any]) -> None:
        """Call ``solve``; ``arguments`` are ctypes values."""
        self._function(*arguments)

    def clear_error(self) -> None:
        """Forget the last error of the library's runtime, such as an earlier call's."""
        self._clear()

    def error(self) -> ApiError | None:
        """The last error of the library's runtime, left as it is."""
        name = ctypes.create_string_buffer(_TEXT_BYTES)
        message = ctypes.create_string_buffer(_TEXT_BYTES)
        code = self._peek(name, _TEXT_BYTES, message, _TEXT_BYTES)
        if code == 0:
            return None
        text = message.value.decode(errors="replace")
        return explained(code, name.value.decode(errors="replace"), text, "launch")


class CudaRunner:
    """Runs and times ``solve`` on one device."""

    def __init__(self, runtime: Runtime | None = None) -> None:
        """``runtime`` stands in for CuPy's module in tests."""
        self._given = runtime
        self._config: Mapping[str, Any] = {}
        self._called = False

    def open(self, config: Mapping[str, Any]) -> None:
        """Import CuPy's runtime and make the context. ``config``: ``device`` (an index), ``cublas``
        (the library's path, or ""), ``timeline`` (a file for marks, or "") and ``exact`` (whether
        to use ``ExactMemory``)."""
        follow(str(config.get("timeline", "")))
        mark("worker has started")
        self._config = config
        cublas = str(config.get("cublas", ""))
        if cublas:
            preload(Path(cublas))
        self._runtime = self._given if self._given is not None else import_runtime()
        self._runtime.setDevice(int(config.get("device", 0)))
        # free(0) is CUDA's idiom for making the context now.
        self._runtime.free(0)
        memory = ExactMemory if config.get("exact") else DeviceMemory
        self._memory = memory(self._runtime)
        mark("worker has a context")

    def load(self, library: str, symbol: str) -> None:
        """Load the submission. Raises LoadError."""
        self._submission = Submission(library, symbol)
        try:
            self._runtime.deviceSynchronize()
        except self._runtime.CUDARuntimeError as error:
            raise LoadError(
                f"loading the library left the device unusable ({error}): what does a static "
                "constructor do?"
            ) from error
        mark("library is loaded")

    def run(self, call: Call, arena: mmap.mmap, arena_fd: int, options: RunOptions) -> RunReply:
        """Call ``solve`` once and wait for the device; see ``Runner``."""
        begin = time.perf_counter()
        address = arena_address(arena)
        try:
            self._upload(call, address)
            if self._config.get("exact"):
                self._tell_addresses(call, arena)
            arguments = self._prepare(call)
            begin = time.perf_counter()
            self._submission.call(arguments)
            error = self._settle()
            seconds = time.perf_counter() - begin
            self._download(call, address)
        except DeviceFault as fault:
            return RunReply(time.perf_counter() - begin, fault.error)
        mark("case has run")
        return RunReply(seconds, error)

    def trace(self, call: Call, arena: mmap.mmap, arena_fd: int, options: RunOptions) -> TraceReply:
        """``run``: a profiler that this process runs under does the counting."""
        return TraceReply(self.run(call, arena, arena_fd, options), (), ())

    def time(self, call: Call, arena: mmap.mmap, arena_fd: int, plan: TimePlan) -> TimeReply:
        """Time ``solve``; see ``harness.backends.cuda.timing``."""
        from harness.backends.cuda.timing import Bench

        mark("timing begins")
        address = arena_address(arena)
        try:
            self._upload(call, address)
            arguments = self._prepare(call)
            bench = Bench(
                self._runtime,
                self._memory,
                call,
                plan,
                address,
                work=lambda: self._submission.call(arguments),
                check=self._settle,
                allocated=self._submission.allocated,
                device=int(self._config.get("device", 0)),
                cublas=str(self._config.get("cublas", "")),
            )
            reply = bench.run()
        except DeviceFault as fault:
            self._memory.forget()
            return TimeReply((), (), error=fault.error)
        mark("timing has ended")
        return reply

    def _upload(self, call: Call, address: int) -> None:
        try:
            self._memory.upload(call, address)
        except self._runtime.CUDARuntimeError as error:
            own_fault = is_out_of_memory(error) and self._memory.too_large(call)
            if own_fault or not self._called:
                raise RuntimeError(
                    f"the device could not take the case's {call.arena_bytes >> 20} MiB: {error}"
                ) from error
            self._memory.forget()
            raise DeviceFault(api_error(error, "after")) from error

    def _tell_addresses(self, call: Call, arena: mmap.mmap) -> None:
        """Write where each array lies into the report area, where a crash leaves it."""
        lines = [
            json.dumps({**ARGUMENT, "buffer": b.name, "byte": self._memory.address(b)})
            for b in call.buffers
        ]
        text = "\n".join(lines).encode()
        struct.pack_into(f"<I{len(text)}s", arena, 0, len(text), text)

    def _download(self, call: Call, address: int) -> None:
        try:
            self._memory.download(call, address)
        except self._runtime.CUDARuntimeError as error:
            self._memory.forget()
            raise DeviceFault(api_error(error, "after")) from error

    def _settle(self) -> ApiError | None:
        """Wait for the whole device. The launch error that the submission left, or None. Raises
        DeviceFault when the device cannot be used any more."""
        try:
            self._runtime.deviceSynchronize()
        except self._runtime.CUDARuntimeError as error:
            self._memory.forget()
            raise DeviceFault(synchronize_error(error)) from error
        trespass = self._submission.trespass()
        if trespass is not None:
            raise DeviceFault(trespass)
        return self._submission.error()

    def _prepare(self, call: Call) -> list[Any]:
        """The arguments of ``solve``, and a clean slate for what is asked after it."""
        self._submission.clear_error()
        self._submission.watch({b.name: self._memory.address(b) for b in call.buffers})
        self._called = True
        return [
            ctypes.c_void_p(self._memory.address(a)) if isinstance(a, Buffer) else _scalar(a)
            for a in call.arguments
        ]


def _scalar(scalar: Scalar) -> Any:
    return _SCALARS[scalar.dtype](scalar.value)
