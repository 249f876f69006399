"""The shared file in which arrays travel between the judge and a worker.

Layout (see ``harness.wire``): the report area, then for each array argument a front red zone, the
data and a back red zone. The judge writes all of it before a call and checks all of it afterwards,
so no byte's verdict depends on what the worker says.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness.model import CaseData, Problem, Role
from harness.parallel import each, spans
from harness.wire import PAGE, REPORT_BYTES, Buffer, Call, RuntimeReport, Scalar, report_from
from harness.worker.process import memory_file

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from harness.model import Array

    Words = NDArray[np.unsignedinteger[Any]]

MAX_REPORTS = 64
# What cudaMalloc gives on hardware: textures may ask for as much.
ALIGNMENT = 512


def plan_call(problem: Problem, data: CaseData, sizes: Mapping[str, int], red_zone: int) -> Call:
    """Lay out one call. ``red_zone`` is the least size of the zones on both sides of every array,
    in bytes, a multiple of the page."""
    offset = REPORT_BYTES
    arguments: list[Buffer | Scalar] = []
    for argument in problem.arguments:
        if not argument.role.is_array:
            value = data.scalars[argument.name]
            arguments.append(Scalar(argument.name, argument.type, value))
            continue
        shape = tuple(size.evaluate(sizes) for size in argument.shape)
        nbytes = int(np.prod(shape, dtype=np.int64)) * np.dtype(argument.type).itemsize
        # The array ends with its page, but for the alignment that cudaMalloc gives: a runtime that
        # protects the pages behind it then sees an overrun at the instruction that does it.
        padded = nbytes + (-nbytes) % ALIGNMENT
        front = red_zone + (-padded) % PAGE
        back = red_zone + padded - nbytes
        arguments.append(
            Buffer(
                name=argument.name,
                dtype=argument.type,
                shape=shape,
                role=argument.role.value,
                offset=offset + front,
                nbytes=nbytes,
                front=front,
                back=back,
            )
        )
        offset += front + nbytes + back
    return Call(tuple(arguments), offset)


@dataclass(frozen=True)
class Damage:
    """A red zone that was written to. ``byte`` is where, nearest to the array, from the array's
    first byte (negative: before it); ``count`` how many elements of the zone differ."""

    buffer: str
    byte: int
    count: int


class Arena:
    """The judge's side of the shared file. ``fd`` is what the worker inherits."""

    def __init__(self, shared: int | None = None) -> None:
        """``shared`` is the file, by a descriptor that stays the caller's; None for a new one."""
        self.fd = memory_file() if shared is None else os.dup(shared)
        self._size = REPORT_BYTES
        os.ftruncate(self.fd, self._size)
        self._map = mmap.mmap(self.fd, self._size)

    def reserve(self, size: int) -> None:
        """Make room for ``size`` bytes."""
        if size <= self._size:
            return
        os.ftruncate(self.fd, max(size, os.fstat(self.fd).st_size))
        self._size = size
        self._map = mmap.mmap(self.fd, size)

    def ahead(self, size: int) -> None:
        """Have the system find memory for ``size`` bytes now: a large case then waits less. May be
        called from any thread."""
        with suppress(OSError, AttributeError):
            os.posix_fallocate(self.fd, 0, size)

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def view(self, buffer: Buffer) -> Array:
        """The array itself, not a copy."""
        dtype = np.dtype(buffer.dtype)
        count = buffer.nbytes // dtype.itemsize
        flat = np.frombuffer(self._map, dtype=dtype, count=count, offset=buffer.offset)
        return flat.reshape(buffer.shape)

    def clear_reports(self) -> None:
        self._map[:4] = b"\0\0\0\0"

    def reports(self) -> tuple[RuntimeReport, ...]:
        """What the runtime wrote. Lines that make no sense are dropped: the process that wrote
        them may have been broken already."""
        (used,) = struct.unpack_from("<I", self._map, 0)
        text = self._map[4 : 4 + min(used, REPORT_BYTES - 4)].decode("utf-8", "replace")
        found: list[RuntimeReport] = []
        for line in text.splitlines()[:MAX_REPORTS]:
            try:
                found.append(report_from(json.loads(line)))
            except (ValueError, TypeError, AttributeError):
                continue
        return tuple(found)

    def fill(
        self,
        call: Call,
        data: CaseData,
        poison: Mapping[str, bytes],
        *,
        zero_outputs: bool = False,
    ) -> None:
        """Write inputs, poisoned outputs and poisoned red zones. ``poison``: one element's bytes
        by argument name. ``zero_outputs``: outputs begin as zeros instead, to see whether a
        submission leans on that."""
        self.reserve(call.arena_bytes)
        self.clear_reports()
        for place, buffer in enumerate(call.buffers):
            pattern = poison[buffer.name]
            for words in self._zones(buffer):
                words[...] = _zone_word(pattern, place)
            if buffer.role != Role.OUT.value:
                copy_array(self.view(buffer), data.inputs[buffer.name])
            else:
                words = self._words(buffer.offset, buffer.nbytes, len(pattern))
                _fill(words, 0 if zero_outputs else _word(pattern))

    def damage(self, call: Call, poison: Mapping[str, bytes]) -> tuple[Damage, ...]:
        """Every red zone that was written to, in the order of the arguments."""
        found: list[Damage] = []
        for place, buffer in enumerate(call.buffers):
            pattern = poison[buffer.name]
            front, back = self._zones(buffer)
            for zone, start, nearest in ((front, -buffer.front, -1), (back, buffer.nbytes, 0)):
                wrong = zone != _zone_word(pattern, place)
                if wrong.any():
                    at = np.flatnonzero(wrong)
                    byte = start + int(at[nearest]) * len(pattern)
                    found.append(Damage(buffer.name, byte, int(at.size)))
        return tuple(found)

    def _zones(self, buffer: Buffer) -> tuple[Words, Words]:
        item = np.dtype(buffer.dtype).itemsize
        return (
            self._words(buffer.offset - buffer.front, buffer.front, item),
            self._words(buffer.offset + buffer.nbytes, buffer.back, item),
        )

    def _words(self, start: int, nbytes: int, item: int) -> Words:
        return np.frombuffer(self._map, dtype=f"u{item}", count=nbytes // item, offset=start)


# Elements: large arrays are moved on all cores, small ones on the spot.
_SPAN = 1 << 20


def copy_array(target: Array, source: Array) -> None:
    """``target[...] = source`` for arrays of one shape in C order, on all cores."""
    to, of = target.reshape(-1), source.reshape(-1)

    def copy(begin: int, end: int) -> None:
        to[begin:end] = of[begin:end]

    each(copy, spans(to.size, _SPAN))


def _fill(words: Words, word: int) -> None:
    def fill(begin: int, end: int) -> None:
        words[begin:end] = word

    each(fill, spans(words.size, _SPAN))


def _zone_word(pattern: bytes, place: int) -> int:
    """What the red zones of the array number ``place`` hold: as good a poison, but another one than
    an output's and than other zones'. So an element that was read beyond an input is no element
    that was never written, and is seen where it is stored beyond an output."""
    return _word(pattern) ^ 0x11 * (1 + place % 14)


def _word(pattern: bytes) -> int:
    return int.from_bytes(pattern, sys.byteorder)
