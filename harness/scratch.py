"""Temporary folders that a killed judge doesn't leave for ever.

Each is locked by its owner for as long as that lives (the system frees the lock of a dead process),
so a folder whose lock can be had belongs to nobody and may go. A number of a process in the name
would not do: it is another's some day, and means nothing in another container with the same /tmp.

Light, as the first worker is started before the judge's own imports.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

_PREFIX = "leetk-run-"
_TRIES = 8


class Scratch:
    """A new private folder, removed by ``close`` or at the end of this process; after that of a
    killed one by the next ``sweep``."""

    def __init__(self, parent: str | None = None) -> None:
        self._lock = -1
        for _ in range(_TRIES):
            self._folder = tempfile.TemporaryDirectory(
                prefix=_PREFIX, dir=parent, ignore_cleanup_errors=True
            )
            self.path = Path(self._folder.name)
            try:
                self._lock = _locked(self._folder.name)
            except (BlockingIOError, FileNotFoundError):
                pass  # between its making and its locking a sweep took it for a dead one's
            except OSError:
                return  # a file system without locks: no sweep gets one either
            else:
                if _is_at(self._lock, self._folder.name):
                    return
            self.close()
        raise OSError(errno.EBUSY, "others remove each new folder", self._folder.name)

    def close(self) -> None:
        """Safe to call twice."""
        self._folder.cleanup()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def sweep(parent: str | None = None) -> None:
    """Remove the folders of this user in ``parent`` (default: the one for temporary files) whose
    owner is dead."""
    with suppress(OSError), os.scandir(parent or tempfile.gettempdir()) as entries:
        for name in [entry.path for entry in entries if entry.name.startswith(_PREFIX)]:
            with suppress(OSError):
                _remove(name)


def _remove(name: str) -> None:
    fd = _locked(name)
    try:
        if os.fstat(fd).st_uid == os.getuid() and _is_at(fd, name):
            shutil.rmtree(name, ignore_errors=True)
    finally:
        os.close(fd)


def _locked(name: str) -> int:
    """A descriptor that holds the folder's lock. Raises OSError, BlockingIOError where somebody
    else holds it."""
    fd = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise
    return fd


def _is_at(fd: int, name: str) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.fstat(fd), os.lstat(name))
    return False
