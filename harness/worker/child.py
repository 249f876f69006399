"""The worker process: obeys the judge's requests with one backend's Runner.

It holds inputs and outputs but no expected answer, and it decides nothing. Whatever the submission
does to this process (crash, exit, hang, forged replies) shows in the parent as a missing
completion record or as wrong bytes in the arena.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import mmap
import os
import resource
import signal
import sys
import time
from collections.abc import Mapping
from typing import Any

from harness.backends.runner import LoadError, Runner
from harness.wire import RunOptions, TimePlan, call_from
from harness.worker.protocol import FrameReader, send

_PR_SET_PDEATHSIG = 1
# Threads and processes of the user beyond those that run already.
_MOST_TASKS = 4096


def become(options: Mapping[str, Any]) -> None:
    """Become the command in ``prefix``, which is to start the worker in its turn. It dies with the
    judge; the worker, whose parent it then is, sees the end of the judge by its pipe."""
    _die_with(options["parent"])
    inner = json.dumps({**options, "prefix": [], "parent": 0})
    command = [*options["prefix"], sys.executable, "-I", "-S", sys.argv[0], inner]
    os.execvp(command[0], command)


def main(read_fd: int, write_fd: int, arena_fd: int, parent: int) -> None:
    """Serve requests until the judge closes the pipe. ``parent`` is the judge's process, 0 where
    another one stands between."""
    _prepare_process((read_fd, write_fd, arena_fd), parent)
    session = _Session(arena_fd)
    reader = FrameReader()
    while data := os.read(read_fd, 1 << 16):
        for request in reader.feed(data):
            try:
                send(write_fd, _answer(session, request))
            except BrokenPipeError:
                os._exit(0)
    # Skip interpreter shutdown: the submission's destructors have no say any more.
    os._exit(0)


def _prepare_process(fds: tuple[int, ...], parent: int) -> None:
    # A child of the submission must not keep the judge's pipes open.
    for fd in fds:
        os.set_inheritable(fd, False)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _bound_processes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent:
        _die_with(parent)
    else:
        import threading

        threading.Thread(target=_leave_at_the_end, args=(fds[0],), daemon=True).start()


def _bound_processes() -> None:
    """Keep a fork bomb from growing faster than the judge can look. The system counts all of the
    user's threads, so there is room for those of others. Root is not bound."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        with open("/proc/loadavg", encoding="ascii") as file:
            running = int(file.read().split()[3].partition("/")[2])
        _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
        most = running + _MOST_TASKS
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


def _leave_at_the_end(read_fd: int) -> None:
    """End this process, whatever it is in, when the judge has closed its pipe."""
    import select

    watch = select.poll()
    watch.register(read_fd, 0)  # POLLHUP comes without being asked for
    watch.poll()
    os._exit(0)


def _answer(session: _Session, request: Mapping[str, Any]) -> dict[str, Any]:
    try:
        reply = session.handle(request)
    except LoadError as error:
        reply = {"failed": "load", "message": str(error)}
    except Exception as error:
        import traceback

        where = traceback.extract_tb(error.__traceback__)[-1]
        message = (
            f"{type(error).__name__}: {error} ({os.path.basename(where.filename)}:{where.lineno})"
        )
        reply = {"failed": "judge", "message": message}
    return {"id": request.get("id"), **reply}


class _Session:
    """One runner and the arena as it is mapped now."""

    def __init__(self, arena_fd: int) -> None:
        self._fd = arena_fd
        self._arena: mmap.mmap | None = None
        self._runner: Runner | None = None

    def handle(self, request: Mapping[str, Any]) -> dict[str, Any]:
        operation = request["op"]
        if operation == "open":
            module, _, name = str(request["runner"]).partition(":")
            runner: Runner = getattr(importlib.import_module(module), name)()
            runner.open(request["config"])
            self._runner = runner
            return {"ok": True}
        if self._runner is None:
            raise RuntimeError(f"{operation} before open")
        if operation == "load":
            self._runner.load(str(request["library"]), str(request["symbol"]))
            return {"ok": True}
        call = call_from(request["call"])
        arena = self._map(call.arena_bytes)
        if operation == "run":
            options = RunOptions(**request["options"])
            return {"reply": self._runner.run(call, arena, self._fd, options)}
        if operation == "trace":
            options = RunOptions(**request["options"])
            return vars(self._runner.trace(call, arena, self._fd, options))
        if operation == "time":
            plan = TimePlan(**request["plan"])
            begin = time.perf_counter()
            reply = self._runner.time(call, arena, self._fd, plan)
            # The judge's own clock must agree: a submission may have taken hold of this one.
            return {"reply": reply, "seconds": time.perf_counter() - begin}
        raise RuntimeError(f"unknown request {operation}")

    def _map(self, size: int) -> mmap.mmap:
        # An old map is kept while ctypes may still point into it: it goes with the process.
        if self._arena is None or len(self._arena) < size:
            self._arena = mmap.mmap(self._fd, size)
        return self._arena
