"""Where reports for machines go: a file, replaced as a whole, or standard output.

Targets are checked before anything is judged: minutes of work must not end in "permission denied".
A file is written beside its target and renamed over it, so that a reader never sees half of one.
What is no regular file (a pipe, /dev/null) is written to as it is.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.commands.options import Options
    from harness.report import Batch

STDOUT = "-"


@dataclass(frozen=True)
class Targets:
    """Which formats go where: ``files`` maps a format's name to a path or ``-``."""

    files: tuple[tuple[str, str], ...]
    github: bool

    @property
    def stdout_taken(self) -> bool:
        """Whether standard output holds a report for a machine and nothing else."""
        return any(target == STDOUT for _, target in self.files)

    @property
    def human(self) -> TextIO:
        """The stream for people."""
        return sys.stderr if self.stdout_taken else sys.stdout

    def write(self, batch: Batch) -> None:
        """Render and write all of them. Raises UsageError."""
        from harness.report import renderer

        for name, target in self.files:
            text = renderer(name)(batch)
            if target == STDOUT:
                sys.stdout.write(text)
            else:
                replace_file(target, text, f"--{name}")
        if self.github:
            self.human.write(renderer("github")(batch))


def checked_targets(options: Options) -> Targets:
    """The targets of a run. Raises UsageError for one that cannot be written."""
    given = (("json", options.json), ("junit", options.junit))
    files = tuple((name, target) for name, target in given if target is not None)
    for name, target in files:
        if target != STDOUT:
            check_writable(target, f"--{name}")
    if len({os.path.realpath(target) for _, target in files}) < len(files):
        raise UsageError(f"--json and --junit both name {files[0][1]!r}; give each its own file")
    return Targets(files, options.github)


def check_writable(target: str, option: str) -> None:
    """Raise UsageError unless ``target`` can be made or replaced, found out by trying."""
    try:
        path = Path(os.path.realpath(target))
        if path.is_dir():
            raise UsageError(f"{option} {target}: is a directory; name a file in it")
        if not path.parent.is_dir():
            raise UsageError(f"{option} {target}: the folder {path.parent} does not exist")
        if path.exists() and not os.access(path, os.W_OK):
            raise UsageError(f"{option} {target}: permission denied")
        if not path.exists() or path.is_file():
            with tempfile.TemporaryFile(dir=path.parent):
                pass
    except (OSError, ValueError) as error:
        raise _unwritable(option, target, error) from error


def replace_file(target: str, text: str, option: str) -> None:
    """Write ``text`` to ``target`` in one step. Raises UsageError, leaving nothing half-written."""
    path = Path(os.path.realpath(target))
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
            return
        temporary = path.with_name(f".{path.name[:100]}.{os.getpid()}.tmp")
        try:
            temporary.write_text(text, encoding="utf-8")
            if path.exists():
                shutil.copymode(path, temporary)
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _unwritable(option, target, error) from error


def _unwritable(option: str, target: str, error: OSError | ValueError) -> UsageError:
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UsageError(f"{option} {target}: cannot be written: {why}")
