"""From an address in a built library to the author's file, line and column.

What was inlined is unrolled: the innermost place that is not in the runtime's own headers counts.
One address is looked up by binutils' addr2line, which comes with g++ and starts at once; many, with
their columns, by the debug information itself, which is then read only once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.source.access import argument_columns

if TYPE_CHECKING:
    from harness.backends.cpu.dwarf import Lines, Place
    from harness.backends.cpu.rewrite import Rewritten

_TOOLS = ("addr2line", "llvm-addr2line", "eu-addr2line")
_SECONDS = 20

NOWHERE: Place = ("", 0, 0)


def locate(library: Path, pc: int, internal: str) -> tuple[str, int]:
    """``file, line`` of the offset ``pc`` in ``library``; ``("", 0)`` when it is not known.
    ``internal`` is the runtime's folder."""
    found = _by_tool(library, [pc])
    if found is not None:
        return _authors(found.get(pc, []), internal)[:2]
    lines = _lines(library)
    return NOWHERE[:2] if lines is None else _authors(lines.places(pc), internal)[:2]


def places(
    library: Path, pcs: Iterable[int], internal: str, read: Callable[[Path], str]
) -> dict[int, Place]:
    """The place of each of the offsets ``pcs`` in ``library``, ``NOWHERE`` where it is not known.
    ``internal`` is the runtime's folder; ``read`` gives a source's text, whose columns are wanted.
    """
    wanted = sorted(set(pcs))
    lines = _lines(library)
    if lines is None:
        found = _by_tool(library, wanted) or {}
        return {pc: _authors(found.get(pc, []), internal) for pc in wanted}
    columns = _Columns(read)
    placed = {pc: columns.original(_authors(lines.places(pc), internal)) for pc in wanted}
    return placed | dict(_arguments(placed, lines, columns))


def _arguments(
    placed: Mapping[int, Place], lines: Lines, columns: _Columns
) -> Iterator[tuple[int, Place]]:
    """g++ puts what a call's arguments load at the call's opening parenthesis. Where as many
    instructions lie there as there are accesses to arrays among the arguments, each is given the
    column of its own: they are evaluated from the last to the first."""
    groups: dict[tuple[Place, tuple[int, ...]], list[int]] = {}
    for pc in sorted(placed):
        groups.setdefault((placed[pc], lines.functions(pc)), []).append(pc)
    for (place, _), pcs in groups.items():
        if len(pcs) > 1:
            file, line, column = place
            own = argument_columns(columns.text(file, line), column)
            if len(own) == len(pcs):
                yield from zip(pcs, ((file, line, end) for end in reversed(own)), strict=True)


def _authors(candidates: Iterable[Place], internal: str) -> Place:
    for file, line, column in candidates:
        if line and file and not file.startswith(internal):
            return file.removeprefix("./"), line, column
    return NOWHERE


class _Columns:
    """The way back from the columns of what was compiled to the author's text."""

    def __init__(self, read: Callable[[Path], str]) -> None:
        self._read = read
        self._files: dict[str, Rewritten | None] = {}

    def original(self, place: Place) -> Place:
        file, line, column = place
        if not file or not column:
            return place
        rewritten = self._file(file)
        return file, line, 0 if rewritten is None else rewritten.column(line, column)

    def text(self, file: str, line: int) -> str:
        """A line of the author's, empty where there is none."""
        rewritten = self._file(file) if file else None
        rows = [] if rewritten is None else rewritten.original.split("\n")
        return rows[line - 1] if 0 < line <= len(rows) else ""

    def _file(self, file: str) -> Rewritten | None:
        """None for one that is gone since it was built."""
        if file not in self._files:
            from harness.backends.cpu.rewrite import rewrite
            from harness.errors import LeetkError

            try:
                self._files[file] = rewrite(self._read(Path(file)), file)
            except LeetkError:
                self._files[file] = None
        return self._files[file]


# --- by the debug information ------------------------------------------------------------------


def _lines(library: Path) -> Lines | None:
    """None where it can't be read."""
    from harness.backends.cpu import dwarf

    try:
        return dwarf.Lines(library)
    except dwarf.Unreadable:
        return None


# --- by a tool ---------------------------------------------------------------------------------


def _by_tool(library: Path, pcs: Sequence[int]) -> dict[int, list[Place]] | None:
    """The same without columns, None without a tool. One process for all."""
    tool = next((path for path in map(shutil.which, _TOOLS) if path), None)
    if tool is None:
        return None
    try:
        done = subprocess.run(
            [tool, "-a", "-i", "-e", str(library)],
            input="".join(f"{pc:#x}\n" for pc in pcs).encode(),
            capture_output=True,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    if done.returncode:
        return None
    return dict(_parsed(done.stdout.decode("utf-8", "surrogateescape").splitlines()))


def _parsed(lines: Iterable[str]) -> Iterator[tuple[int, list[Place]]]:
    """What ``addr2line -a -i`` prints: an address such as 0x00001f2c, then its places."""
    found: list[Place] = []
    for line in lines:
        if line.startswith("0x") and ":" not in line:
            found = []
            yield int(line, 16), found
            continue
        file, _, rest = line.rpartition(":")
        number = rest.split(" ")[0]
        if file and not file.startswith("??") and number.isdecimal():
            found.append((os.path.normpath(file), int(number), 0))
