"""All processes that came from one, for whoever must count or end them.

A process group is not enough: what a submission starts may leave the group and the session, and
lose its parent. Where there is a /proc, a process belongs to the family of a *leader* when it is of
the leader's session, descends from such a one, or has the family's mark among its variables, which
a fork keeps. Elsewhere only the process group is known.

Nothing here is a wall: a process that wipes its variables and leaves on purpose is not found. See
SECURITY.md.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

VARIABLE = "LEETK_FAMILY"
# All marks of this process begin with it. secrets would cost a start some milliseconds.
JUDGE = os.urandom(8).hex()
_SECONDS = 5.0
_PAUSE = 0.001
_START = 19  # of ``_fields``: ticks since the boot
_HAS_BOOT = hasattr(time, "CLOCK_BOOTTIME")


def new_mark() -> str:
    """A value of the environment variable ``VARIABLE`` that no other family has."""
    return f"{JUDGE}-{os.urandom(8).hex()}"


def family(leader: int, mark: str = "") -> set[int]:
    """The living processes of the leader's family but the leader; none without a /proc."""
    wanted = f"{VARIABLE}={mark}".encode()
    first = 0
    with suppress(OSError, ValueError, IndexError):
        first = int(_fields(leader)[_START])
    # Whoever is older than the leader does not come from it.
    living = {process.pid: process for process in _living() if process.start >= first}
    found = {
        process.pid
        for process in living.values()
        if process.session == leader or (mark and wanted in _variables(process.pid))
    }
    return _with_descendants(found | {leader}, living) - {leader}


def families(judge: str) -> set[int]:
    """The living processes of all families whose marks begin with ``judge``."""
    wanted = f"{VARIABLE}={judge}-".encode()
    living = {process.pid: process for process in _living()}
    found = {pid for pid in living if any(value.startswith(wanted) for value in _variables(pid))}
    # A compiler or a worker is the head of a session; who wiped its variables is in it still.
    sessions = {living[pid].session for pid in found} - {0}
    found |= {pid for pid, process in living.items() if process.session in sessions}
    return _with_descendants(found, living)


def end(leader: int, mark: str = "") -> None:
    """SIGKILL to the leader's process group and its family, until nobody is left. The leader
    stays for its parent to wait for."""
    rest = family(leader, mark)  # before the links to their parents are cut
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    _kill(rest, lambda: family(leader, mark))


def end_all(judge: str) -> None:
    """SIGKILL to all ``families`` of a judge, until nobody is left."""
    _kill(families(judge), lambda: families(judge))


def _kill(rest: set[int], look: Callable[[], set[int]]) -> None:
    begin = time.monotonic()
    # One that cannot die (it waits for a device) must not hold up the judge for ever.
    while rest and time.monotonic() - begin < _SECONDS:
        for pid in rest:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_PAUSE)
        rest = look()


def older(pids: Iterable[int], begin: float) -> set[int]:
    """Those of the processes that started before ``begin``, seconds of the monotonic clock."""
    ticks = os.sysconf("SC_CLK_TCK")
    # Start times count from the boot, suspended time included.
    boot = time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic() if _HAS_BOOT else 0.0
    found = set()
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            started = int(_fields(pid)[_START]) / ticks
            if started < begin + boot - 1 / ticks:
                found.add(pid)
    return found


def private_bytes(pid: int) -> int:
    """Resident bytes of a process that no file or shared memory backs; 0 where that is unknown."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            fields = file.read().split()
        return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def cpu_seconds(pid: int) -> float | None:
    """Processor time of a process so far; None where that is unknown."""
    try:
        fields = _fields(pid)
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return None


class _Process(NamedTuple):
    """``start`` in ticks since the boot."""

    pid: int
    parent: int
    session: int
    start: int


def _living() -> Iterator[_Process]:
    for pid in _numbers():
        with suppress(OSError, ValueError, IndexError):
            fields = _fields(pid)
            if fields[0] not in "ZX":
                yield _Process(pid, int(fields[1]), int(fields[3]), int(fields[_START]))


def _with_descendants(found: set[int], living: Mapping[int, _Process]) -> set[int]:
    grown = True
    while grown:
        more = {
            process.pid
            for process in living.values()
            if process.parent in found and process.pid not in found
        }
        found = found | more
        grown = bool(more)
    return found


def _fields(pid: int) -> list[str]:
    """/proc/PID/stat from the process's state on: proc(5)."""
    # Of all processes, each time that a worker ends: a file object would take as long again.
    file = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    try:
        text = os.read(file, 4096)
    finally:
        os.close(file)
    return text[text.rindex(b")") + 2 :].decode().split()


def _numbers() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    except OSError:
        return []


def _variables(pid: int) -> list[bytes]:
    with suppress(OSError):
        return Path("/proc", str(pid), "environ").read_bytes().split(b"\0")
    return []
