"""Ends what a judge had started when the judge itself is killed and can end nothing any more.

A small process waits on a pipe that nobody but the judge holds open. When the judge ends as it
should, it kills the guard; when the pipe closes otherwise, the guard ends every process that bears
the judge's mark (``harness.family``) and removes the folders that the judge left. The system's own
means, PR_SET_PDEATHSIG, is for one process and not for its children: a compiler would die and its
front end run on. While all is well the guard is a shell, which starts in a millisecond and takes
no memory; only then does it become Python.

Linux alone, as the marks are read in /proc.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from contextlib import suppress

if __name__ == "__main__":  # ``python -I -S guard.py MARK``: neither site nor this package's path
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from harness import family, scratch

# The end of the input without a line means that the judge is gone.
_SCRIPT = 'read -r line || exec "$@"'
# It looks up TMPDIR for the folders; nothing else of the judge's is its business.
_VARIABLES = ("PATH", "TMPDIR", "TEMP", "TMP")

_lock = threading.Lock()
_started = False
_process: subprocess.Popen[bytes] | None = None


def start() -> None:
    """Have a guard for this process, and remove what a judge left that died with its guard, as
    when the machine went down. Nothing, the second time."""
    global _process, _started
    with _lock:
        if _started:
            return
        _started = True
        scratch.sweep()
        if sys.platform != "linux" or not sys.executable:
            return
        command = [sys.executable, "-I", "-S", os.path.abspath(__file__), family.JUDGE]
        with suppress(OSError):
            _process = subprocess.Popen(
                ["/bin/sh", "-c", _SCRIPT, "leetk-guard", *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # Ctrl-C is for the judge, which ends in order, and needs the guard until then.
                start_new_session=True,
                cwd="/",
                env={name: os.environ[name] for name in _VARIABLES if name in os.environ},
            )
            atexit.register(_stop, os.getpid())


def _stop(owner: int) -> None:
    if _process is not None and os.getpid() == owner:
        _process.kill()
        _process.wait()


def clean_up(judge: str) -> None:
    """End the judge's processes and remove its folders."""
    family.end_all(judge)
    scratch.sweep()


if __name__ == "__main__":
    clean_up(sys.argv[1])
