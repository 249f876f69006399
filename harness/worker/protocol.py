"""Frames on the control pipes: a little-endian uint32 length, then that many bytes of JSON.

The far end may be a process that a submission has taken over, so nothing here trusts it: a frame
that is too long or no JSON object is a ``ProtocolError``, and numbers are checked where they are
used. Standard library only, since the worker imports it.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from typing import Any

from harness.wire import encode

MAX_FRAME = 4 << 20
_HEADER = struct.Struct("<I")


class ProtocolError(Exception):
    """The far end sent something that is no frame."""


def send(fd: int, message: Mapping[str, Any]) -> None:
    """Write one frame, whole. Raises OSError (BrokenPipeError when the far end is gone)."""
    body = encode(message)
    view = memoryview(_HEADER.pack(len(body)) + body)
    while view:
        view = view[os.write(fd, view) :]


class FrameReader:
    """Turns the bytes that arrive into messages, however they are cut."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[dict[str, Any]]:
        """The messages completed by ``data``. Raises ProtocolError."""
        self._buffer += data
        messages: list[dict[str, Any]] = []
        while len(self._buffer) >= _HEADER.size:
            (length,) = _HEADER.unpack_from(self._buffer)
            if length > MAX_FRAME:
                raise ProtocolError(f"a frame of {length} bytes")
            end = _HEADER.size + length
            if len(self._buffer) < end:
                break
            messages.append(_decode(bytes(self._buffer[_HEADER.size : end])))
            del self._buffer[:end]
        return messages


def _decode(body: bytes) -> dict[str, Any]:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("a frame that is no JSON") from error
    if not isinstance(message, dict):
        raise ProtocolError("a frame that is no JSON object")
    return message
