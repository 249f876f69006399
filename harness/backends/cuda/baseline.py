"""What a library does with the same arrays on the same device, to compare a time with.

``matmul:M,N,K`` is cuBLAS SGEMM in strict float32 on the call's own A and B; ``copy`` is a
device-to-device copy of as many bytes as the output has, the limit of anything that moves them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from harness.backends.cuda.cublas import Cublas, CublasError
from harness.backends.cuda.device import DEFAULT_STREAM, ON_DEVICE, DeviceMemory, Runtime
from harness.wire import Buffer, Call


class BaselineMissing(Exception):
    """There is nothing to compare with here; ``str(error)`` says why."""


@dataclass(frozen=True)
class BaselineWork:
    """``work`` queues the library's work once; ``close`` gives back what it holds."""

    name: str
    work: Callable[[], None]
    close: Callable[[], None] = field(default=lambda: None)


def baseline_work(
    plan: str,
    runtime: Runtime,
    memory: DeviceMemory,
    call: Call,
    cublas: str,
    open_cublas: Callable[[Path], Cublas] = Cublas,
) -> BaselineWork:
    """The work that ``TimePlan.baseline`` names. It overwrites the output. ``cublas`` is the
    library's path or "". Raises BaselineMissing."""
    kind, _, sizes = plan.partition(":")
    inputs = [b for b in call.buffers if b.role == "in"]
    outputs = [b for b in call.buffers if b.role != "in"]
    if kind == "copy":
        return _copy(runtime, memory, inputs, outputs)
    if kind == "matmul":
        m, n, k = (int(size) for size in sizes.split(","))
        _require_matrices(inputs, outputs, (m * n, n * k, m * k))
        if not cublas:
            raise BaselineMissing(
                "no comparison with cuBLAS, which is not installed (leetk doctor says how)"
            )
        return _matmul(memory, inputs, outputs, (m, n, k), lambda: open_cublas(Path(cublas)))
    raise BaselineMissing(f"no baseline is called {kind}")


def _copy(
    runtime: Runtime, memory: DeviceMemory, inputs: list[Buffer], outputs: list[Buffer]
) -> BaselineWork:
    target = outputs[0]
    source = next((b for b in inputs if b.nbytes >= target.nbytes), None)
    if source is None:
        raise BaselineMissing("no input is as large as the output, so there is no copy to time")
    pointers = memory.address(target), memory.address(source)

    def work() -> None:
        runtime.memcpyAsync(*pointers, target.nbytes, ON_DEVICE, DEFAULT_STREAM)

    return BaselineWork("device copy", work)


def _require_matrices(
    inputs: list[Buffer], outputs: list[Buffer], counts: tuple[int, int, int]
) -> None:
    arrays = [*inputs[:2], *outputs[:1]]
    sizes = [4 * count for count in counts]
    if [b.nbytes for b in arrays] != sizes or any(b.dtype != "float32" for b in arrays):
        raise BaselineMissing("the cuBLAS baseline is for two float32 matrices and their product")


def _matmul(
    memory: DeviceMemory,
    inputs: list[Buffer],
    outputs: list[Buffer],
    sizes: tuple[int, int, int],
    open_cublas: Callable[[], Cublas],
) -> BaselineWork:
    pointers = [memory.address(b) for b in (*inputs[:2], *outputs[:1])]
    try:
        library = open_cublas()
    except CublasError as error:
        raise BaselineMissing(f"no comparison with cuBLAS: {error}") from error

    def work() -> None:
        library.sgemm(*sizes, *pointers)

    return BaselineWork("cuBLAS SGEMM", work, library.close)
