"""What is read out of compute-sanitizer, on recorded logs (version 2025.3.1 on an H200, shortened;
``tests/sanitizer`` has the kernels), and the flow around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.backends.cuda import sanitizer
from harness.backends.cuda.sanitizer import Array
from harness.backends.cuda.tools import Files
from harness.errors import JudgeError
from harness.model import Artifact, BuildOptions, Outcome, Source, Status
from harness.wire import Buffer, Call, RuntimeReport

LOGS = Path(__file__).with_name("sanitizer_logs")
FILES = Files(Source(Path("/home/user/kernels/a.cu"), ""))


def log(name: str) -> str:
    return (LOGS / f"{name}.log").read_text()


def parse(name: str, *arrays: Array) -> RuntimeReport:
    (report,) = sanitizer.parse(log(name), arrays, FILES)
    assert report.file == f"/home/user/kernels/{name}.cu"
    assert report.kernel == "measured"
    return report


def test_a_read_past_the_end() -> None:
    found = parse("read_by_one", Array("input", 0x7FB144800000, 260))
    assert (found.kind, found.line) == ("out_of_bounds_read", 5)
    assert (found.thread, found.block) == ((0, 0, 0), (1, 0, 0))
    assert (found.buffer, found.byte, found.size, found.bytes) == ("input", 260, 260, 4)
    assert found.message == "a kernel read outside input"


def test_a_write_past_the_end() -> None:
    input_, output = Array("input", 0x7F80CE800000, 260), Array("output", 0x7F80CE800200, 260)
    found = parse("write_by_one", input_, output)
    assert (found.kind, found.line) == ("out_of_bounds_write", 5)
    assert (found.buffer, found.byte) == ("output", 260)


def test_an_address_that_belongs_to_no_argument() -> None:
    found = parse("write_by_one")
    assert (found.buffer, found.message) == ("", "a kernel wrote outside every array")


def test_a_misaligned_access() -> None:
    found = parse("misaligned", Array("input", 0x7FCD6A800000, 260))
    assert (found.kind, found.line, found.buffer, found.byte) == ("illegal_access", 5, "input", 4)
    assert found.message == "a kernel read 16 bytes at an address that is no multiple of 16"


def test_a_write_outside_shared_memory() -> None:
    found = parse("shared_overrun", Array("input", 0x400, 260))
    assert (found.kind, found.line, found.buffer) == ("out_of_bounds_write", 6, "")
    assert "__shared__" in found.message


def test_a_race_is_told_once_with_its_threads() -> None:
    found = parse("race")
    assert (found.kind, found.line) == ("race", 6)
    assert (found.thread, found.block) == ((32, 0, 0), (0, 0, 0))
    assert "read here and written by thread (31, 0, 0) at {other}, and" in found.message

    assert (found.other_file, found.other_line) == ("/home/user/kernels/race.cu", 5)


def test_a_race_without_its_bytes() -> None:
    records = log("race").split("========= \n")
    (found,) = sanitizer.parse(records[-2], (), FILES)
    assert (found.kind, found.line, found.thread) == ("race", 6, ())
    assert "by another thread at {other}" in found.message


def test_memory_that_nobody_wrote() -> None:
    found = parse("uninitialised_output", Array("output", 0x7FB6E2800200, 260))
    assert (found.kind, found.line, found.buffer, found.byte) == (
        "uninitialised_read",
        5,
        "output",
        0,
    )
    assert found.message.startswith("{where} is read before")
    assert parse("uninitialised_output").message.startswith("global memory is read before")


def test_a_barrier_in_a_branch() -> None:
    found = parse("divergent_barrier")
    assert (found.kind, found.line) == ("divergent_barrier", 7)


def test_nothing() -> None:
    assert sanitizer.parse(log("transpose_v4"), (), FILES) == ()
    assert sanitizer.complaint(log("transpose_v4")) == ""
    assert sanitizer.complaint(log("race")) == ""


def test_no_line_information() -> None:
    text = log("read_by_one").replace(" in /home/user/kernels/read_by_one.cu:5", "")
    (found,) = sanitizer.parse(text, (), FILES)
    assert (found.file, found.line, found.kernel) == ("", 0, "measured")


def test_the_authors_line_where_the_access_is_in_a_header() -> None:
    text = log("read_by_one").replace(
        "in /home/user/kernels/read_by_one.cu:5\n",
        "in /usr/local/cuda/include/cub/load.cuh:77\n"
        "=========         Device Frame: measured(const float *, float *, int)+0xb0 in "
        "/home/user/kernels/read_by_one.cu:9\n",
    )
    (found,) = sanitizer.parse(text, (), FILES)
    assert (found.file, found.line) == ("/home/user/kernels/read_by_one.cu", 9)


def test_a_device_that_is_not_supported(tmp_path: Path) -> None:
    tool = sanitizer.SanitizerTool("memcheck", ("compute-sanitizer",), BuildOptions())
    tool.examine(tmp_path, "")  # without a log: the worker says what was wrong
    (tmp_path / "leetk-sanitizer.log").write_text(
        "========= COMPUTE-SANITIZER\n========= Error: Device not supported. Please refer to the "
        "manual\n"
    )
    with pytest.raises(JudgeError, match="memcheck: Device not supported"):
        tool.examine(tmp_path, "")


def test_arrays_are_known_by_what_the_runner_tells(tmp_path: Path) -> None:
    tool = sanitizer.SanitizerTool("memcheck", ("compute-sanitizer",), BuildOptions())
    (tmp_path / "leetk-sanitizer.log").write_text(log("read_by_one"))
    buffer = Buffer("input", "float32", (65,), "in", 4096, 260, 0, 0)
    told = RuntimeReport("argument", "", buffer="input", byte=0x7FB144800000)
    outcome = Outcome(Status.COMPLETED, 0.1, reports=(told,))
    artifact = Artifact(tmp_path / "s.so", (), 0.0, False)
    source = Source(Path("/home/user/kernels/a.cu"), "")
    (found,) = tool.reports(artifact, source, Call((buffer,), 8192), tmp_path, outcome)
    assert found.buffer == "input"
