"""What a build depends on of leetk itself: the runtime's files and the code that rewrites and
compiles. A version number would do for a released leetk, but not for one that is being worked on.
Where the runtime lies counts, too: objects and precompiled headers name its files, and a report
leaves out what lies in them.

Files are read again when their size or time of change is another; what they hold decides.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.build.cache import Cache

_HERE = Path(__file__).parent
_RUNTIME = _HERE / "runtime"
_SUFFIXES = (".py", ".txt")
_NO_CODE = {"__pycache__", "runtime", "prebuilt"}
_CODE = (_HERE, _HERE.parents[1] / "source", _HERE.parents[1] / "build")


def runtime(cache: Cache) -> str:
    """Changes with any file of the runtime, with its place and with the way it is compiled."""
    files = _digest((*_below(_RUNTIME), str(_HERE / "runtime_units.py")), cache)
    return Cache.key((files, str(_RUNTIME)))


def rewriter(cache: Cache) -> str:
    """Changes with the code between a solution's text and its object."""
    found = (path for folder in _CODE for path in _below(folder) if path.endswith(_SUFFIXES))
    return _digest(tuple(found), cache)


def _below(folder: Path) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - _NO_CODE)
        for name in sorted(names):
            yield os.path.join(parent, name)


def _digest(paths: Sequence[str], cache: Cache) -> str:
    stats = [(path, os.stat(path)) for path in paths]
    states = (f"{path} {status.st_size} {status.st_mtime_ns}" for path, status in stats)
    return cache.text(("fingerprint", *states), lambda: _read(paths))


def _read(paths: Sequence[str]) -> str:
    parts: list[str | bytes] = []
    for path in paths:
        with open(path, "rb") as stream:
            parts += (os.path.relpath(path, _HERE), stream.read())
    return Cache.key(parts)
