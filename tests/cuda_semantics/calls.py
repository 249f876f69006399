"""Calls ``solve(const float* in, float* out, int n, int act)`` of a built library by CpuRunner, in
a process of its own that may die."""

from __future__ import annotations

import json
import mmap
import os
import signal
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.wire import (
    PAGE,
    REPORT_BYTES,
    Buffer,
    Call,
    RunOptions,
    RuntimeReport,
    Scalar,
    call_from,
    report_from,
)

ROOT = Path(__file__).parents[2]
RED = 4 * PAGE
COUNT = 64
_NBYTES = 4 * COUNT
_IN = REPORT_BYTES + RED
_OUT = _IN + PAGE + 2 * RED
_TOTAL = _OUT + PAGE + RED
_UNWRITTEN = -1.0  # what the output holds before


@dataclass(frozen=True)
class Ended:
    """How a child ended: ``signal`` is "" and ``error`` CUDA's name of the last error where it
    ended well. ``out`` is the last call's output."""

    signal: str
    code: int
    error: str
    reports: tuple[RuntimeReport, ...]
    out: tuple[float, ...]

    @property
    def kinds(self) -> list[str]:
        return [report.kind for report in self.reports]


def call_solve(library: Path, act: int, options: Sequence[RunOptions] = (RunOptions(),)) -> Ended:
    """Calls ``solve`` once for each of ``options``, in one child."""
    buffers = (
        Buffer("in", "float32", (COUNT,), "in", _IN, _NBYTES, RED, RED),
        Buffer("out", "float32", (COUNT,), "out", _OUT, _NBYTES, RED, RED),
    )
    call = Call((*buffers, Scalar("n", "int32", COUNT), Scalar("act", "int32", act)), _TOTAL)
    with tempfile.TemporaryFile() as file:
        file.truncate(_TOTAL)
        with mmap.mmap(file.fileno(), _TOTAL) as arena:
            struct.pack_into(f"<{COUNT}f", arena, _IN, *range(COUNT))
            struct.pack_into(f"<{COUNT}f", arena, _OUT, *[_UNWRITTEN] * COUNT)
            job = {"library": str(library), "fd": file.fileno(), "call": asdict(call)}
            job["options"] = [asdict(option) for option in options]
            done = subprocess.run(
                [sys.executable, __file__, json.dumps(job)],
                capture_output=True,
                text=True,
                timeout=60,
                pass_fds=(file.fileno(),),
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
            out = struct.unpack_from(f"<{COUNT}f", arena, _OUT)
            reports = _reports(arena)
    died = signal.Signals(-done.returncode).name if done.returncode < 0 else ""
    return Ended(died, done.returncode, done.stdout.strip(), reports, out)


def _reports(arena: mmap.mmap) -> tuple[RuntimeReport, ...]:
    (used,) = struct.unpack_from("<I", arena, 0)
    lines = arena[4 : 4 + used].decode().splitlines()
    return tuple(report_from(json.loads(line)) for line in lines)


def _child(job: dict[str, object]) -> None:
    from harness.backends.cpu.runner import CpuRunner
    from harness.backends.runner import LoadError

    call = call_from(json.loads(json.dumps(job["call"])))
    fd = int(str(job["fd"]))
    runner = CpuRunner()
    runner.open({})
    try:
        runner.load(str(job["library"]), "solve")
    except LoadError as error:
        sys.stdout.write(f"LoadError: {error}")
        return
    arena = mmap.mmap(fd, call.arena_bytes)
    options = job["options"]
    assert isinstance(options, list)
    for option in options:
        reply = runner.run(call, arena, fd, RunOptions(**option))
    sys.stdout.write(reply.error.name if reply.error else "")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    _child(json.loads(sys.argv[1]))
