"""The child half of the cpu backend: calls a solution that was built for the CPU.

It runs in the worker process and must start in milliseconds, so it uses ctypes and nothing heavier.
The library holds the C++ runtime (``runtime/leetk``), which does all the work: it maps the buffers
from the arena, runs the kernels, and writes its reports into the arena's report area itself, so
that they survive a crash. ``RunReply.reports`` therefore stays empty.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import time
from collections.abc import Mapping
from typing import Any

from harness.backends.runner import LoadError
from harness.wire import (
    REPORT_BYTES,
    ApiError,
    Buffer,
    Call,
    Counter,
    RunOptions,
    RunReply,
    Scalar,
    TimePlan,
    TimeReply,
    TracedKernel,
    TraceReply,
)

# By the specs' type names. ctypes has no float16; it travels as its 16 bits.
_C_TYPES: Mapping[str, Any] = {
    "bool": ctypes.c_bool,
    "int8": ctypes.c_int8,
    "int16": ctypes.c_int16,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "uint8": ctypes.c_uint8,
    "uint16": ctypes.c_uint16,
    "uint32": ctypes.c_uint32,
    "uint64": ctypes.c_uint64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
}
_TEXT_BYTES = 512
_COUNTERS = 4096  # most_counters in runtime/leetk/requests.cpp
_ACCESSES = ("load", "store", "atomic")


# What leetk_check_accesses is told: entry.cpp.
_STALE = {"": 1, "all": 2, "some": 4}
_TURNS = {"threads": 3, "blocks": 5, "late": 6, "mixed": 7}


class CpuRunner:
    """Loads one library and calls it as often as asked."""

    def __init__(self) -> None:
        self._library: ctypes.CDLL | None = None
        self._solve: Any = None

    def open(self, config: Mapping[str, Any]) -> None:
        """Nothing takes time here."""

    def load(self, library: str, symbol: str) -> None:
        """Raises LoadError when the library can't be loaded, lacks ``symbol``, or breaks a rule
        that nvcc enforces and g++ doesn't (static shared memory)."""
        try:
            loaded = ctypes.CDLL(library, mode=os.RTLD_NOW | os.RTLD_LOCAL)
        except OSError as error:
            raise LoadError(f"the built library cannot be loaded: {error}") from error
        try:
            solve = loaded[symbol]
        except AttributeError as error:
            raise LoadError(f'no function {symbol} with extern "C" linkage') from error
        _declare(loaded)
        broken = ctypes.create_string_buffer(_TEXT_BYTES)
        if loaded.leetk_check(broken, _TEXT_BYTES):
            raise LoadError(_text(broken))
        solve.restype = None
        self._library, self._solve = loaded, solve

    def run(self, call: Call, arena: mmap.mmap, arena_fd: int, options: RunOptions) -> RunReply:
        """Call ``solve`` once. A fault ends this process, with a report in the arena."""
        library = self._loaded()
        # The runtime keeps this address until the next call; the worker keeps its maps.
        area = ctypes.addressof(ctypes.c_char.from_buffer(arena))
        library.leetk_open(area, REPORT_BYTES)
        arguments = [_argument(library, item, arena_fd) for item in call.arguments]
        library.leetk_processes(options.processes)
        if options.checked:
            how = _TURNS[options.turns] if options.turns else _STALE[options.stale]
            library.leetk_check_accesses(how)
        library.leetk_begin(options.order.encode(), options.seed, options.poison)
        start = time.perf_counter()
        self._solve(*arguments)
        code = library.leetk_end()
        seconds = time.perf_counter() - start
        ctypes.CDLL(None).fflush(None)
        library.leetk_unmap()
        return RunReply(seconds, _last_error(library) if code else None)

    def trace(self, call: Call, arena: mmap.mmap, arena_fd: int, options: RunOptions) -> TraceReply:
        """The same call, with its accesses counted. The library must have been built for it."""
        library = self._loaded()
        library.leetk_trace(1)
        try:
            reply = self.run(call, arena, arena_fd, options)
        finally:
            library.leetk_trace(0)
        return TraceReply(reply, _kernels(library), _counters(library))

    def time(self, call: Call, arena: mmap.mmap, arena_fd: int, plan: TimePlan) -> TimeReply:
        """A CPU's times say nothing about a GPU's, so none are taken."""
        raise NotImplementedError("the cpu backend does not time kernels")

    def _loaded(self) -> ctypes.CDLL:
        if self._library is None:
            raise RuntimeError("run before load")
        return self._library


def _declare(library: ctypes.CDLL) -> None:
    """The runtime's C interface: ``runtime/leetk/entry.cpp``."""
    integer, wide, text = ctypes.c_int, ctypes.c_longlong, ctypes.c_char_p
    library.leetk_check.argtypes = (text, integer)
    library.leetk_check.restype = integer
    library.leetk_open.argtypes = (ctypes.c_void_p, wide)
    library.leetk_open.restype = None
    library.leetk_map.argtypes = (integer, wide, wide, wide, wide, text, integer)
    library.leetk_map.restype = ctypes.c_void_p
    library.leetk_unmap.argtypes = ()
    library.leetk_unmap.restype = None
    library.leetk_trace.argtypes = (integer,)
    library.leetk_trace.restype = None
    library.leetk_check_accesses.argtypes = (integer,)
    library.leetk_check_accesses.restype = None
    library.leetk_kernel.argtypes = (integer, ctypes.POINTER(ctypes.c_ulonglong))
    library.leetk_kernel.restype = text
    library.leetk_counter.argtypes = (
        integer,
        ctypes.POINTER(text),
        ctypes.POINTER(ctypes.c_ulonglong),
    )
    library.leetk_counter.restype = integer
    library.leetk_processes.argtypes = (integer,)
    library.leetk_processes.restype = None
    library.leetk_begin.argtypes = (text, ctypes.c_ulonglong, integer)
    library.leetk_begin.restype = None
    library.leetk_end.argtypes = ()
    library.leetk_end.restype = integer
    library.leetk_error_call.argtypes = ()
    library.leetk_error_call.restype = text
    library.leetk_peek_error.argtypes = (text, integer, text, integer)
    library.leetk_peek_error.restype = integer


def _kernels(library: ctypes.CDLL) -> tuple[TracedKernel, ...]:
    found: list[TracedKernel] = []
    numbers = (ctypes.c_ulonglong * 10)()
    while name := library.leetk_kernel(len(found), numbers):
        x, y, z, width, height, depth, *counts = (int(n) for n in numbers)
        text = name.decode("utf-8", "replace")
        found.append(TracedKernel(text, (x, y, z), (width, height, depth), *counts))
    return tuple(found)


def _counters(library: ctypes.CDLL) -> tuple[Counter, ...]:
    found = []
    kernel, numbers = ctypes.c_char_p(), (ctypes.c_ulonglong * 11)()
    for place in range(_COUNTERS):
        if library.leetk_counter(place, ctypes.byref(kernel), numbers):
            name = (kernel.value or b"").decode("utf-8", "replace")
            pc, size, kind, shared, *counts, banks, stride = (int(n) for n in numbers)
            counts += [ctypes.c_longlong(stride).value, banks]
            space = "shared" if shared else "global"
            found.append(Counter(name, pc, space, _ACCESSES[kind], size, *counts))
    return tuple(found)


def _argument(library: ctypes.CDLL, item: Buffer | Scalar, arena_fd: int) -> Any:
    if isinstance(item, Scalar):
        return _scalar(item)
    parts = item.offset, item.nbytes, item.front, item.back, item.name.encode()
    address = library.leetk_map(arena_fd, *parts, item.role == "in")
    if not address:
        raise MemoryError(f"cannot map {item.nbytes} bytes for {item.name}")
    return ctypes.c_void_p(address)


def _scalar(item: Scalar) -> Any:
    if item.dtype == "float16":
        import struct

        return ctypes.c_uint16(struct.unpack("<H", struct.pack("<e", item.value))[0])
    return _C_TYPES[item.dtype](item.value)


def _last_error(library: ctypes.CDLL) -> ApiError:
    name = ctypes.create_string_buffer(_TEXT_BYTES)
    message = ctypes.create_string_buffer(_TEXT_BYTES)
    code = library.leetk_peek_error(name, _TEXT_BYTES, message, _TEXT_BYTES)
    call = (library.leetk_error_call() or b"").decode("utf-8", "replace")
    return ApiError(code, _text(name), _text(message), call=call)


def _text(buffer: ctypes.Array[ctypes.c_char]) -> str:
    return buffer.value.decode("utf-8", "replace")
