"""Moments of a run, written to a file for whoever looks for lost time.

Nothing happens unless the environment variable ``LEETK_TIMELINE`` names a file. Then each ``mark``
appends one line: nanoseconds of the monotonic clock (on Linux the same in all processes), the
process, and what happened. A worker does not get the judge's environment; it is told by ``follow``.
``benchmarks/gpu_timeline.py`` shows such a file.
"""

from __future__ import annotations

import os
import time

VARIABLE = "LEETK_TIMELINE"

_file: str = os.environ.get(VARIABLE, "")


def follow(file: str) -> None:
    """Write marks to ``file`` from now on; "" for nowhere."""
    global _file
    _file = file


def followed() -> str:
    """The file's absolute path, or "" when nobody looks."""
    return os.path.abspath(_file) if _file else ""


def mark(what: str) -> None:
    """Note that this happens now. Never raises for a file that cannot be written."""
    if not _file:
        return
    line = f"{time.monotonic_ns()} {os.getpid()} {what}\n"
    try:
        file = os.open(_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError:
        return
    # One write, so that lines of several processes stay whole.
    with open(file, "wb", buffering=0) as stream:
        stream.write(line.encode())
