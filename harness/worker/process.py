"""A worker's operating-system side: the process, its pipes, its folder and the arena's file.

Light, so that a command can start its first worker before it imports what a judge needs.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness import family, guard
from harness.scratch import Scratch

_BOOT = Path(__file__).with_name("boot.py")
# What a submission may see of the environment: no token of a CI runner is among it.
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT")
_ENVIRONMENT_PREFIXES = ("CUDA", "CUPY", "NVIDIA", "OMP_", "OPENBLAS_")

_ANSWER_SECONDS = 1.0


def memory_file() -> int:
    """A new, empty file that only those who inherit its descriptor can reach."""
    if sys.platform == "linux":
        fd = os.memfd_create("leetk-arena", os.MFD_CLOEXEC)
    else:
        with tempfile.TemporaryFile() as file:
            fd = os.dup(file.fileno())
    return fd


class WorkerProcess:
    """A process that waits for its first request on ``write_fd`` and answers on ``read_fd``. What
    it prints comes from ``stdout_fd``, which never blocks. It is the head of a process group and of
    a family (``harness.family``), which ends with it.

    It dies with the *thread* that made it (PR_SET_PDEATHSIG), so make it on the main thread.

    ``prefix`` is a command that runs it, such as a profiler's. What that writes to the current
    folder, the user's or the one for temporary files is in ``folder`` and goes with this object.
    """

    def __init__(self, arena_fd: int, prefix: Sequence[str] = ()) -> None:
        self.arena_fd = arena_fd
        self._folder = Scratch()
        folder = str(self._folder.path)
        self._mark = family.new_mark()
        self._prefixed = bool(prefix)
        child_read, self.write_fd = os.pipe()
        self.read_fd, child_write = os.pipe()
        options = {
            "path": [os.path.abspath(p) for p in sys.path if p],
            "read": child_read,
            "write": child_write,
            "arena": arena_fd,
            "parent": os.getpid(),
            "prefix": list(prefix),
        }
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_BOOT), json.dumps(options)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(child_read, child_write, arena_fd),
                start_new_session=True,
                cwd=folder,
                env=_environment()
                | {family.VARIABLE: self._mark}
                | (dict.fromkeys(("TMPDIR", "HOME"), folder) if prefix else {}),
            )
        except BaseException:
            os.close(self.write_fd)
            os.close(self.read_fd)
            self._folder.close()
            raise
        finally:
            os.close(child_read)
            os.close(child_write)
        guard.start()  # while the new process starts
        assert self.process.stdout is not None
        self.stdout_fd = self.process.stdout.fileno()
        os.set_blocking(self.stdout_fd, False)
        self._closed = False

    @property
    def folder(self) -> Path:
        """Its current folder."""
        return self._folder.path

    def hang_up(self) -> None:
        """Close the pipe of requests: a worker that waits for one then ends by itself."""
        if self.write_fd >= 0:
            os.close(self.write_fd)
            self.write_fd = -1

    def interrupt(self) -> None:
        """Kill the process group, from any thread. Nothing, once the process has been waited for:
        its number may be another's."""
        if self.process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def ask_where(self) -> None:
        """Have a runtime report where the call is, which ends the process, and wait a little for
        that. Not through a command that runs it: the signal would be the command's."""
        if self._prefixed or self.process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGUSR2)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_ANSWER_SECONDS)

    def kin(self) -> set[int]:
        """The processes that it started and that still live, in whatever group they are."""
        return family.family(self.process.pid, self._mark)

    def kill(self) -> None:
        """End the process and all that it started, and wait for the process."""
        family.end(self.process.pid, self._mark)
        self.process.wait()

    def close(self) -> None:
        """End it and remove what it left; the arena's file stays. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self.kill()
        self.hang_up()
        os.close(self.read_fd)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._folder.close()


def _environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if name in _ENVIRONMENT or name.startswith(_ENVIRONMENT_PREFIXES)
    }
