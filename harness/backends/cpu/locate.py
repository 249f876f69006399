"""From an address in a built library to the author's file, line and column.

What was inlined is unrolled: the innermost place that is not in the runtime's own headers counts.
One address is looked up by binutils' addr2line, which comes with g++ and starts at once; many, with
their columns, by the debug information itself, which is then read only once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from harness.backends.cpu.dwarf import Place

_TOOLS = ("addr2line", "llvm-addr2line", "eu-addr2line")
_SECONDS = 20

NOWHERE: Place = ("", 0, 0)


def locate(library: Path, pc: int, internal: str) -> tuple[str, int]:
    """``file, line`` of the offset ``pc`` in ``library``; ``("", 0)`` when it is not known.
    ``internal`` is the runtime's folder."""
    found = _by_tool(library, [pc])
    if found is None:
        found = _by_dwarf(library, [pc]) or {}
    return _authors(found.get(pc, []), internal)[:2]


def places(
    library: Path, pcs: Iterable[int], internal: str, read: Callable[[Path], str]
) -> dict[int, Place]:
    """The place of each of the offsets ``pcs`` in ``library``, ``NOWHERE`` where it is not known.
    ``internal`` is the runtime's folder; ``read`` gives a source's text, whose columns are wanted.
    """
    wanted = sorted(set(pcs))
    found = _by_dwarf(library, wanted)
    if found is None:
        found = _by_tool(library, wanted) or {}
    authors = {pc: _authors(found.get(pc, []), internal) for pc in wanted}
    columns = _Columns(read)
    return {pc: columns.original(place) for pc, place in authors.items()}


def _authors(candidates: Iterable[Place], internal: str) -> Place:
    for file, line, column in candidates:
        if line and file and not file.startswith(internal):
            return file.removeprefix("./"), line, column
    return NOWHERE


class _Columns:
    """The way back from the columns of what was compiled to the author's."""

    def __init__(self, read: Callable[[Path], str]) -> None:
        self._read = read
        self._back: dict[str, Callable[[int, int], int]] = {}

    def original(self, place: Place) -> Place:
        file, line, column = place
        if not file or not column:
            return place
        if file not in self._back:
            self._back[file] = self._of(file)
        return file, line, self._back[file](line, column)

    def _of(self, file: str) -> Callable[[int, int], int]:
        from harness.backends.cpu.rewrite import rewrite
        from harness.errors import LeetkError

        try:
            return rewrite(self._read(Path(file)), file).column
        except LeetkError:  # gone since it was built
            return lambda line, column: 0


# --- by the debug information ------------------------------------------------------------------


def _by_dwarf(library: Path, pcs: Sequence[int]) -> dict[int, list[Place]] | None:
    """The places of each address from the innermost outwards; None where they can't be read."""
    from harness.backends.cpu import dwarf

    try:
        lines = dwarf.Lines(library)
    except dwarf.Unreadable:
        return None
    return {pc: lines.places(pc) for pc in pcs}


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
