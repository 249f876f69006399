"""The judge's side of a worker: start it, talk to it, watch it, end it.

One loop waits for whatever comes first: a reply, output, the end of the process, the time limit or
the memory limit. The pipes are drained all the time, so a submission that prints without end
cannot block itself (FAULTS 37, 44). A worker is a process group of its own and is always ended as
a group, so nothing that the submission started outlives it.
"""

from __future__ import annotations

import math
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.errors import JudgeError
from harness.family import cpu_seconds, older, private_bytes
from harness.model import Outcome, Status
from harness.wire import (
    Call,
    RunOptions,
    TimePlan,
    TimeReply,
    TraceReply,
    run_reply_from,
    time_reply_from,
    trace_reply_from,
)
from harness.worker.arena import Arena
from harness.worker.process import WorkerProcess
from harness.worker.protocol import FrameReader, ProtocolError, send

_TICK_SECONDS = 0.05
# Between two looks at what the worker has started: reading all of /proc costs some milliseconds.
_KIN_SECONDS = 0.2
_KIN_SHARE = 20  # and such a look may cost this share of the time at most
_START_SECONDS = 120.0
# What reading a reply raises that is not what the worker's own code sends.
_FORGED = (KeyError, TypeError, ValueError, AttributeError, OverflowError)


@dataclass(frozen=True)
class WorkerLimits:
    """``seconds`` for one call, ``busy`` of them of the process's own processor time,
    ``output_bytes`` printed by it, ``memory_bytes`` of private resident memory and ``processes``
    that it may have started and that still live."""

    seconds: float = 10.0
    output_bytes: int = 1 << 20
    memory_bytes: int = 8 << 30
    processes: int = 64
    busy: float = math.inf


class _Ended(Exception):
    """The worker will not answer; ``outcome`` says how it ended."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.status)
        self.outcome = outcome


class Worker:
    """One worker process. After an Outcome that is not COMPLETED it is dead; start another."""

    def __init__(
        self,
        runner: str,
        config: Mapping[str, Any],
        arena: Arena,
        limits: WorkerLimits,
        started: WorkerProcess | None = None,
        prefix: Sequence[str] = (),
    ):
        """``started`` is a process that was started before, with this arena's file; ``prefix`` a
        command that runs a new one."""
        self._limits = limits
        self._arena = arena
        self._started = started or WorkerProcess(arena.fd, prefix)
        self._process = self._started.process
        self._reader = FrameReader()
        self._output = bytearray()
        self._printed = 0
        self._next_id = 0
        self._opened = False
        self._kin: set[int] = set()
        self._next_look = time.monotonic() + _KIN_SECONDS
        self._write_fd, self._read_fd = self._started.write_fd, self._started.read_fd
        self._stdout_fd = self._started.stdout_fd
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._read_fd, selectors.EVENT_READ)
        self._selector.register(self._stdout_fd, selectors.EVENT_READ)
        self._open_id = self._send({"op": "open", "runner": runner, "config": dict(config)})

    @property
    def alive(self) -> bool:
        return self._process.returncode is None and self._process.poll() is None

    def load(self, library: Path, symbol: str = "solve") -> Outcome | None:
        """Load the submission. None when that went well."""
        try:
            self._await_open()
            reply = self._ask({"op": "load", "library": str(library), "symbol": symbol})
        except _Ended as ended:
            return ended.outcome
        if reply.get("failed") == "load":
            message = str(reply.get("message", ""))
            return Outcome(Status.LOAD_FAILED, 0.0, message=message, output=self._take_output())
        return None

    def run(self, call: Call, options: RunOptions, seconds: float | None = None) -> Outcome:
        """Call ``solve`` once on what lies in the arena; ``seconds`` instead of the worker's own
        limit."""
        begin = time.monotonic()
        try:
            reply = self._ask({"op": "run", "call": call, "options": options}, seconds)
            record = run_reply_from(reply["reply"])
        except _Ended as ended:
            return replace(ended.outcome, reports=self._arena.reports())
        except _FORGED:
            return self._forged(time.monotonic() - begin)
        return Outcome(
            Status.COMPLETED,
            time.monotonic() - begin,
            reply=record,
            reports=self._arena.reports() + record.reports,
            output=self._take_output(),
        )

    def trace(self, call: Call, options: RunOptions, seconds: float) -> TraceReply | Outcome:
        """Call ``solve`` once with its accesses counted. An Outcome when it failed."""
        begin = time.monotonic()
        try:
            return trace_reply_from(
                self._ask({"op": "trace", "call": call, "options": options}, seconds)
            )
        except _Ended as ended:
            return replace(ended.outcome, reports=self._arena.reports())
        except _FORGED:
            return self._forged(time.monotonic() - begin)

    def time(self, call: Call, plan: TimePlan, seconds: float) -> TimeReply | Outcome:
        """Time ``solve``; ``seconds`` is the limit for all samples. An Outcome when it failed."""
        begin = time.monotonic()
        try:
            reply = self._ask({"op": "time", "call": call, "plan": plan}, seconds)
            return replace(
                time_reply_from(reply["reply"]),
                worker_seconds=float(reply["seconds"]),
                judge_seconds=time.monotonic() - begin,
            )
        except _Ended as ended:
            return replace(ended.outcome, reports=self._arena.reports())
        except _FORGED:
            return self._forged(time.monotonic() - begin)

    @property
    def busy(self) -> float:
        """Seconds of processor time that the process has used; 0 where that is unknown."""
        return cpu_seconds(self._process.pid) or 0.0

    def interrupt(self) -> None:
        """Kill the process from another thread; whoever waits for it learns that it is gone."""
        self._started.interrupt()

    @property
    def folder(self) -> Path:
        """The process's current folder, until ``close``."""
        return self._started.folder

    def finish(self, seconds: float) -> bool:
        """Have the process end by itself, so that the command that runs it can write down what it
        saw. False when it did not within ``seconds``; it is killed then."""
        self._started.hang_up()
        end = time.monotonic() + seconds
        while self.alive:
            self._drain()
            if time.monotonic() > end:
                self._started.kill()
                return False
            time.sleep(_TICK_SECONDS)
        return True

    def close(self) -> None:
        """End the process group and remove what it left. Safe to call twice."""
        self._selector.close()
        self._started.close()

    # --- inside --------------------------------------------------------------------------------

    def _send(self, request: Mapping[str, Any]) -> int:
        self._next_id += 1
        try:
            send(self._write_fd, {**request, "id": self._next_id})
        except OSError:
            pass  # the worker is gone: waiting for its reply tells how
        return self._next_id

    def _await_open(self) -> None:
        if not self._opened:
            self._wait(self._open_id, _START_SECONDS, may_fail=False)
            self._opened = True

    def _ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        self._output.clear()
        self._printed = 0
        number = self._send(request)
        return self._wait(number, self._limits.seconds if seconds is None else seconds)

    def _wait(self, number: int, seconds: float, *, may_fail: bool = True) -> dict[str, Any]:
        """The reply to request ``number``. Raises _Ended, or JudgeError when the worker's own
        code failed."""
        begin = time.monotonic()
        busy = self._limits.busy
        if busy < math.inf:
            busy += self.busy
        while True:
            elapsed = time.monotonic() - begin
            if elapsed >= seconds:
                if not may_fail:
                    self._started.kill()
                    raise JudgeError(f"the worker did not start within {seconds:.0f} s")
                self._started.ask_where()
                self._end(Status.TIMED_OUT, elapsed)
            ready = self._selector.select(min(_TICK_SECONDS, seconds - elapsed))
            fds = {key.fd for key, _ in ready}
            if self._stdout_fd in fds:
                self._drain()
                if self._printed > self._limits.output_bytes:
                    self._end(Status.OUTPUT, time.monotonic() - begin)
            if self._read_fd in fds:
                reply = self._receive(number, begin)
                if reply is not None:
                    self._drain()
                    self._look_at_kin(begin)
                    return reply
            if not ready or elapsed > _TICK_SECONDS:
                self._look_at_kin(begin)
                if busy < math.inf and self.busy > busy:
                    self._end(Status.TIMED_OUT, time.monotonic() - begin)
                if self._memory() > self._limits.memory_bytes:
                    self._end(Status.MEMORY, time.monotonic() - begin)
                # What it said before it ended is read first.
                if self._read_fd not in fds and self._process.poll() is not None:
                    self._gone(begin)

    def _look_at_kin(self, begin: float) -> None:
        """End a worker that has started too many processes. Looks now and then only."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._kin = self._started.kin()
        after = time.monotonic()
        self._next_look = after + max(_KIN_SECONDS, _KIN_SHARE * (after - now))
        if len(self._kin) > self._limits.processes:
            # What earlier calls left behind is not this one's, however many calls a worker gets.
            for pid in older(self._kin, begin):
                self._kin.discard(pid)
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
        if len(self._kin) > self._limits.processes:
            message = f"it started {len(self._kin)} processes; {self._limits.processes} may live"
            self._end(Status.PROCESSES, after - begin, message)

    def _receive(self, number: int, begin: float) -> dict[str, Any] | None:
        data = os.read(self._read_fd, 1 << 16)
        if not data:
            self._gone(begin)
        try:
            messages = self._reader.feed(data)
        except ProtocolError:
            self._end(Status.EXITED, time.monotonic() - begin, "it wrote to the judge's pipe")
        for message in messages:
            if message.get("id") == number:
                if message.get("failed") == "judge":
                    self._started.kill()
                    raise JudgeError(f"the worker failed: {message.get('message', '')}")
                return message
        return None

    def _gone(self, begin: float) -> None:
        """The far end closed its pipe: wait for the process itself and raise how it ended."""
        try:
            self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            self._end(Status.EXITED, time.monotonic() - begin, "it closed the judge's pipe")
        code = self._process.returncode
        status = Status.SIGNALLED if code < 0 else Status.EXITED
        self._end(status, time.monotonic() - begin, code=abs(code))

    def _end(self, status: Status, seconds: float, message: str = "", code: int = 0) -> None:
        self._started.kill()
        self._drain()
        raise _Ended(
            Outcome(status, seconds, code=code, message=message, output=self._take_output())
        )

    def _forged(self, seconds: float) -> Outcome:
        self._started.kill()
        return Outcome(
            Status.EXITED,
            seconds,
            message="its completion record is not sound",
            output=self._take_output(),
        )

    def _drain(self) -> None:
        keep = self._limits.output_bytes
        # Bounded: a submission's own thread may print faster than this loop reads.
        for _ in range(64):
            try:
                data = os.read(self._stdout_fd, 1 << 16)
            except (BlockingIOError, ValueError):
                return
            if not data:
                self._unregister_stdout()
                return
            self._printed += len(data)
            self._output += data[: max(0, keep - len(self._output))]
            if self._printed > keep:
                return

    def _unregister_stdout(self) -> None:
        if self._stdout_fd in self._selector.get_map():
            self._selector.unregister(self._stdout_fd)

    def _take_output(self) -> str:
        text = self._output.decode("utf-8", "replace")
        self._output.clear()
        return text

    def _memory(self) -> int:
        """Private resident bytes of the worker and what it started; 0 where /proc is not there.
        The arena, which is shared, does not count."""
        return sum(private_bytes(pid) for pid in (self._process.pid, *self._kin))
