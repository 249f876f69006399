"""The arrays as the judge made them, put back on the device before each timed call."""

from __future__ import annotations

from collections.abc import Sequence

from harness.backends.cuda.device import (
    DEFAULT_STREAM,
    ON_DEVICE,
    TO_DEVICE,
    DeviceMemory,
    Runtime,
    is_out_of_memory,
)
from harness.wire import Buffer, Call

# Far from the powers of two that tilings like, so that rotated data share no tile borders.
_GOLDEN = 0.6180339887


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
