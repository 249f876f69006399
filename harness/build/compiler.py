"""Runs compilers as processes that can't outlive, flood, fill or stall their caller.

Each runs in a session of its own, so that its whole tree can be ended: the front ends of a killed
nvcc live on otherwise, and some change their process group. The limits on file size, address space
and processor time are set by ``/bin/sh`` before it becomes the compiler; a ``preexec_fn`` is not
safe beside threads. One loop watches all processes, and ends them when the caller is interrupted.
When the caller is killed, ``harness.guard`` ends them.
"""

from __future__ import annotations

import math
import os
import selectors
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from harness import family, guard
from harness.build.environment import compiler_environment
from harness.errors import CompileFailed, JudgeError, ToolchainMissing

# $1: 512-byte blocks, $2: KiB, $3: seconds. A system may refuse one of them; the rest still holds.
_SCRIPT = (
    "exec 2>/dev/null; ulimit -c 0; ulimit -f $1; ulimit -v $2; ulimit -t $3; shift 3; "
    'exec "$@" 2>&1'
)
_NAME = "leetk-compiler"
_TICK = 0.25


_INCOMPLETE = (
    "cannot execute '",
    "cannot execute \u2018",
    "error trying to exec",
    "cannot find crt",
)


@dataclass(frozen=True)
class Limits:
    """``seconds`` of wall time for everything that is run together, ``file_bytes`` for each file
    written, ``memory_bytes`` of address space for each process, ``output_bytes`` kept of each
    command's messages."""

    seconds: float = 120.0
    file_bytes: int = 256 << 20
    memory_bytes: int = 8 << 30
    output_bytes: int = 1 << 20


@dataclass(frozen=True)
class CompilerRun:
    """One finished command. ``code`` is the exit status, negative for a signal; ``output`` is
    stdout and stderr together, decoded with replacement and cut at the limit (``truncated``)."""

    command: tuple[str, ...]
    code: int
    output: str
    seconds: float
    timed_out: bool = False
    truncated: bool = False


def run_compiler(
    command: Sequence[str],
    *,
    seconds: float,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    max_output: int = 1 << 20,
    max_file_bytes: int = 256 << 20,
) -> CompilerRun:
    """Run one command to its end. Raises ToolchainMissing when it can't be started."""
    limits = Limits(seconds, max_file_bytes, output_bytes=max_output)
    return run_compilers([command], limits=limits, cwd=cwd, env=env, parallel=1)[0]


def run_compilers(
    commands: Sequence[Sequence[str]],
    *,
    limits: Limits,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    parallel: int = 2,
) -> tuple[CompilerRun, ...]:
    """Run commands side by side, ``parallel`` at a time, started in order. The results are in that
    order, too. When time is up, all that still run are ended; those not started count as timed
    out. Ctrl-C and any other exception end every process before they go on.

    Raises JudgeError when ``compilers_end_here`` has ended them.
    """
    found = [(tuple(command), _executable(command[0])) for command in commands]
    scope = _scope.get()
    with _Loop(found, limits, cwd, compiler_environment(cwd, env), parallel) as loop:
        if scope is None:
            return loop.run()
        with scope.holding(loop):
            return loop.run()


class _Scope:
    """The loops that were begun within one ``compilers_end_here``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loops: set[_Loop] = set()
        self._closed = False

    @contextmanager
    def holding(self, loop: _Loop) -> Iterator[None]:
        with self._lock:
            if self._closed:
                raise JudgeError(_ENDED)
            self._loops.add(loop)
        try:
            yield
        finally:
            with self._lock:
                self._loops.discard(loop)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for loop in self._loops:
                loop.end()


_scope: ContextVar[_Scope | None] = ContextVar("compilers", default=None)
_ENDED = "the compiler was ended, because the judging was"


@contextmanager
def compilers_end_here() -> Iterator[None]:
    """At the end of the block no compiler runs any more that was started in it, on whatever thread
    of ``parallel.background``: whoever ends a judging early doesn't wait for those."""
    scope = _Scope()
    token = _scope.set(scope)
    try:
        yield
    finally:
        _scope.reset(token)
        scope.close()


def check_machine(run: CompilerRun, limits: Limits, cwd: Path) -> None:
    """Raise for a run that failed for want of time, memory or disk, rather than by its source.

    Raises JudgeError for a full disk and ToolchainMissing for half a compiler, which are never the
    submission's fault, and CompileFailed for the limits.
    """
    if run.timed_out:
        raise _failed(run, f"the compiler took more than {limits.seconds:g} s and was ended")
    if run.code == 0:
        return
    text = run.output
    if _mentions(text, ("No space left on device", "Disk quota exceeded")):
        raise JudgeError(f"the disk is full: the compiler can't write to {cwd}; free some space")
    if _mentions(text, _INCOMPLETE):
        line = next(line for line in text.splitlines() if _mentions(line, _INCOMPLETE))
        raise ToolchainMissing(f"{run.command[0]} is not wholly installed: {line.strip()}")
    if _mentions(text, ("File size limit exceeded", "File too large")):
        megabytes = limits.file_bytes >> 20
        raise _failed(
            run, f"the built file would exceed {megabytes} MiB (a large initialised array?)"
        )
    if run.code == -signal.SIGKILL or _mentions(text, ("Killed signal", "Killed (program")):
        raise _failed(run, "the compiler was killed, most likely because memory ran out")
    if _mentions(text, ("out of memory", "virtual memory exhausted", "bad_alloc", "memory exh")):
        gigabytes = limits.memory_bytes >> 30
        raise _failed(run, f"the compiler ran out of memory (its limit is {gigabytes} GiB)")


def _failed(run: CompilerRun, message: str) -> CompileFailed:
    return CompileFailed(message, command=run.command, seconds=run.seconds)


def _mentions(text: str, phrases: Iterable[str]) -> bool:
    return any(phrase in text for phrase in phrases)


def _executable(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise ToolchainMissing(f"{name}: no such compiler; install it or check the path")
    return os.path.abspath(path)


class _Loop:
    """Starts the commands and watches them, in a thread of its own: an interrupt reaches only the
    main thread, so it can't come between the start of a process and the note of its number."""

    def __init__(
        self,
        commands: Sequence[tuple[tuple[str, ...], str]],
        limits: Limits,
        cwd: Path,
        environment: Mapping[str, str],
        parallel: int,
    ) -> None:
        self.commands = commands
        self.limits = limits
        self.cwd = cwd
        self.environment = environment
        self.parallel = max(1, parallel)
        self.waiting = list(range(len(commands)))
        self.live: dict[int, _Process] = {}
        self.runs: dict[int, CompilerRun] = {}
        self.failure: BaseException | None = None
        self.thread = threading.Thread(target=self._run, name="leetk-compilers", daemon=True)
        # Not Thread.join: before Python 3.13 an interrupt there makes a live thread look ended.
        self.done = threading.Event()
        self.wake, self.waker = os.pipe()

    def __enter__(self) -> _Loop:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.end()
        os.close(self.wake)
        os.close(self.waker)

    def run(self) -> tuple[CompilerRun, ...]:
        """Start the loop and wait until it is through: the runs, in the commands' order. Raises
        what went wrong in the loop."""
        self.thread.start()
        self.done.wait()
        if self.failure is not None:
            raise self.failure
        if len(self.runs) < len(self.commands):
            raise JudgeError(_ENDED)
        return tuple(self.runs[index] for index in range(len(self.commands)))

    def end(self) -> None:
        """End all processes and wait for that, however impatient the user is."""
        os.write(self.waker, b"x")
        if self.thread.ident is None:  # interrupted between its creation and its first step
            self.done.wait(1.0)
        while self.thread.ident is not None and not self.done.is_set():
            with suppress(KeyboardInterrupt):
                self.done.wait()

    def _run(self) -> None:
        deadline = time.monotonic() + self.limits.seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.wake, selectors.EVENT_READ)
            try:
                while (self.waiting or self.live) and not self._turn(selector, deadline):
                    pass
            except BaseException as error:
                self.failure = error
            finally:
                for process in self.live.values():
                    process.kill()
                self.done.set()

    def _turn(self, selector: selectors.BaseSelector, deadline: float) -> bool:
        """Start, read, finish what can be; true when the loop was told to end."""
        while self.waiting and len(self.live) < self.parallel:
            index = self.waiting.pop(0)
            command, executable = self.commands[index]
            self.live[index] = _Process(
                command, executable, self.limits, self.cwd, self.environment, selector
            )
        # A process that has closed its output is about to end: look again soon.
        patience = _TICK if any(process.open for process in self.live.values()) else 0.001
        for key, _ in selector.select(max(0.0, min(patience, deadline - time.monotonic()))):
            if key.data is None:
                return True
            key.data.read()
        expired = time.monotonic() >= deadline
        for index, process in list(self.live.items()):
            ended = process.ended()
            if expired or ended:
                self.runs[index] = process.finish(timed_out=not ended)
                del self.live[index]
        if expired:
            for index in self.waiting:
                command = self.commands[index][0]
                self.runs[index] = CompilerRun(command, -signal.SIGKILL, "", 0.0, timed_out=True)
            self.waiting.clear()
        return False


class _Process:
    """One running command."""

    def __init__(
        self,
        command: tuple[str, ...],
        executable: str,
        limits: Limits,
        cwd: Path,
        environment: Mapping[str, str],
        selector: selectors.BaseSelector,
    ) -> None:
        self.command = command
        self.limits = limits
        self.begin = time.monotonic()
        self.output = bytearray()
        self.truncated = False
        self.open = True
        self.mark = family.new_mark()
        guard.start()
        bounds = (
            str(max(1, limits.file_bytes // 512)),
            str(max(1, limits.memory_bytes // 1024)),
            str(math.ceil(limits.seconds) + 5),
        )
        try:
            self.popen = subprocess.Popen(
                ["/bin/sh", "-c", _SCRIPT, _NAME, *bounds, executable, *command[1:]],
                cwd=cwd,
                env={**environment, family.VARIABLE: self.mark},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise JudgeError(f"{command[0]}: cannot be started ({error.strerror})") from None
        assert self.popen.stdout is not None
        self.pipe = self.popen.stdout
        os.set_blocking(self.pipe.fileno(), False)
        self.selector = selector
        selector.register(self.pipe, selectors.EVENT_READ, self)

    def read(self) -> bool:
        """Take what is there; False at the end of the output."""
        while True:
            try:
                data = os.read(self.pipe.fileno(), 1 << 16)
            except BlockingIOError:
                return True
            if not data:
                self.open = False
                self.selector.unregister(self.pipe)
                return False
            room = self.limits.output_bytes - len(self.output)
            self.output += data[:room]
            self.truncated = self.truncated or len(data) > room

    def ended(self) -> bool:
        return self.popen.poll() is not None

    def finish(self, timed_out: bool) -> CompilerRun:
        """The result of a process that ended, or is ended now because its time is up."""
        if timed_out:
            self.kill()
        elif self.open and self.read():
            self.kill()  # something that it left behind still holds its output
        self._close()
        code = self.popen.wait()
        output = self.output.decode("utf-8", "replace")
        if code in (126, 127) and output.startswith(f"{_NAME}:"):
            raise ToolchainMissing(f"{self.command[0]}: cannot be run: {output.strip()}")
        seconds = time.monotonic() - self.begin
        return CompilerRun(self.command, code, output, seconds, timed_out, self.truncated)

    def kill(self) -> None:
        """End the process with all its descendants, in whatever group they are."""
        family.end(self.popen.pid, self.mark)
        self.popen.wait()
        self._close()

    def _close(self) -> None:
        if self.open:
            self.open = False
            self.selector.unregister(self.pipe)
        self.pipe.close()
