"""The frames on the control pipes, however they are cut and whoever sends them."""

import json
import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.wire import Buffer, Call, RunOptions, Scalar, call_from, encode
from harness.worker.protocol import MAX_FRAME, FrameReader, ProtocolError, send


def frame(message: object) -> bytes:
    body = json.dumps(message).encode()
    return struct.pack("<I", len(body)) + body


@given(st.lists(st.dictionaries(st.text(), st.integers() | st.text()), max_size=5), st.data())
def test_messages_survive_any_cut(messages: list[dict[str, object]], data: st.DataObject) -> None:
    stream = b"".join(frame(m) for m in messages)
    reader, got = FrameReader(), []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        got += reader.feed(stream[:cut])
        stream = stream[cut:]
    assert got == messages


@pytest.mark.parametrize(
    "data",
    [struct.pack("<I", MAX_FRAME + 1), struct.pack("<I", 3) + b"abc", frame([1, 2]), frame("x")],
    ids=["too long", "no JSON", "a list", "a string"],
)
def test_a_broken_frame_is_refused(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        FrameReader().feed(data)


@given(st.binary(max_size=64))
def test_any_bytes_give_messages_or_a_protocol_error(data: bytes) -> None:
    try:
        assert all(isinstance(m, dict) for m in FrameReader().feed(data))
    except ProtocolError:
        pass


@pytest.mark.fault(44)
def test_send_writes_a_frame_that_is_larger_than_the_pipe() -> None:
    read_fd, write_fd = os.pipe()
    message = {"text": "x" * 300_000}
    reader = FrameReader()
    if os.fork() == 0:
        os.close(read_fd)
        send(write_fd, message)
        os._exit(0)
    os.close(write_fd)
    got = []
    while data := os.read(read_fd, 4096):
        got += reader.feed(data)
    os.close(read_fd)
    os.wait()
    assert got == [message]


def test_a_call_comes_back_as_it_was() -> None:
    call = Call(
        (Buffer("A", "float32", (2, 3), "in", 4096, 24, 4096, 4072), Scalar("n", "int32", 3)), 16384
    )
    assert call_from(json.loads(encode({"call": call}))["call"]) == call
    assert RunOptions(**json.loads(encode({"o": RunOptions("shuffled", 7)}))["o"]).seed == 7
