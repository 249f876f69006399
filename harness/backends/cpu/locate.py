"""From an address in a built library to the author's file and line.

binutils' addr2line where there is one (it comes with g++), else pyelftools where it is installed.
What was inlined is unrolled: the innermost place that is not in the runtime's own headers counts.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_TOOLS = ("addr2line", "llvm-addr2line", "eu-addr2line")


def locate(library: Path, pc: int, internal: str) -> tuple[str, int]:
    """``file, line`` of the offset ``pc`` in ``library``; ``("", 0)`` when it is not known.
    ``internal`` is the runtime's folder."""
    places = _by_tool(library, pc)
    if places is None:
        places = _by_elftools(library, pc)
    for file, line in places:
        if line and file and not file.startswith(internal):
            return file.removeprefix("./"), line
    return "", 0


def _by_tool(library: Path, pc: int) -> list[tuple[str, int]] | None:
    """The places from the innermost inlined function outwards, None without a tool."""
    tool = next((path for path in map(shutil.which, _TOOLS) if path), None)
    if tool is None:
        return None
    try:
        done = subprocess.run(
            [tool, "-i", "-e", str(library), hex(pc)],
            capture_output=True,
            timeout=20,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    if done.returncode:
        return None
    return list(_parsed(done.stdout.decode("utf-8", "surrogateescape").splitlines()))


def _parsed(lines: Iterable[str]) -> Iterable[tuple[str, int]]:
    for line in lines:
        file, _, rest = line.rpartition(":")
        number = rest.split(" ")[0]
        if file and not file.startswith("??") and number.isdecimal():
            yield os.path.normpath(file), int(number)


def _by_elftools(library: Path, pc: int) -> list[tuple[str, int]]:
    try:
        elffile: Any = importlib.import_module("elftools.elf.elffile")
    except ImportError:
        return []
    try:
        with library.open("rb") as stream:
            elf = elffile.ELFFile(stream)
            if not elf.has_dwarf_info():
                return []
            return _line_of(elf.get_dwarf_info(), pc)
    except (OSError, ValueError, KeyError, AttributeError):
        return []


def _line_of(dwarf: Any, pc: int) -> list[tuple[str, int]]:
    for unit in dwarf.iter_CUs():
        program = dwarf.line_program_for_CU(unit)
        if program is None:
            continue
        previous = None
        for entry in program.get_entries():
            state = entry.state
            if state is None:
                continue
            if previous is not None and previous.address <= pc < state.address:
                return [(_file_of(program, previous.file), previous.line)]
            previous = None if state.end_sequence else state
    return []


def _file_of(program: Any, number: int) -> str:
    """The name in the program's file table, which counts from 0 since DWARF 5."""
    version = program["version"]
    entry = program["file_entry"][number if version >= 5 else number - 1]
    name = os.fsdecode(entry.name)
    folders = program["include_directory"]
    index = entry.dir_index if version >= 5 else entry.dir_index - 1
    if os.path.isabs(name) or not 0 <= index < len(folders):
        return name
    folder = os.fsdecode(folders[index])
    return os.path.normpath(name if folder in ("", ".") else os.path.join(folder, name))
