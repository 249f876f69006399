"""From addresses in an ELF library to places in the source, by its DWARF 4 debug information.

A place is ``file, line, column``, columns from 1 in bytes and 0 where the compiler gave none. An
address has several where functions were inlined: that of the code itself, which the line table
knows, then where each function around it was called from. addr2line knows all but the columns.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Place = tuple[str, int, int]
"""``file, line, column``."""

Range = tuple[int, int]
"""The first address and the one behind the last."""

_FUNCTION = "DW_TAG_subprogram"
_INLINED = "DW_TAG_inlined_subroutine"


class Unreadable(Exception):
    """No debug information that is understood here; another tool may do."""


@dataclass(frozen=True)
class _Unit:
    """One compiled file: ``starts`` are the addresses where the stretches of ``rows`` begin, None
    for code that has no line; ``functions``, outer ones first, with the place that an inlined one
    was called from."""

    starts: Sequence[int]
    rows: Sequence[Place | None]
    functions: Sequence[tuple[Sequence[Range], Place | None]]

    def places(self, pc: int) -> list[Place]:
        """From the innermost outwards."""
        index = bisect_right(self.starts, pc) - 1
        row = self.rows[index] if index >= 0 else None
        if row is None:
            return []
        calls = [place for index in self.around(pc) if (place := self.functions[index][1])]
        return [row, *reversed(calls)]

    def around(self, pc: int) -> tuple[int, ...]:
        """The functions that an address is in."""
        return tuple(
            index
            for index, (ranges, _) in enumerate(self.functions)
            if any(begin <= pc < end for begin, end in ranges)
        )


class Lines:
    """The debug information of ``library``. Raises Unreadable for what is no ELF file with DWARF,
    of a version that is known here."""

    def __init__(self, library: Path) -> None:
        from elftools.common.exceptions import DWARFError, ELFError
        from elftools.elf.elffile import ELFFile

        try:
            with library.open("rb") as stream:
                elf = ELFFile(stream)
                if not elf.has_dwarf_info():
                    raise Unreadable(f"{library} has no debug information")
                self._units = [_unit(dwarf, unit) for dwarf, unit in _units(elf)]
        except (OSError, ELFError, DWARFError, KeyError, IndexError, AttributeError) as error:
            raise Unreadable(f"{library}: {error}") from None

    def places(self, pc: int) -> list[Place]:
        """From the innermost function outwards; none for an address that is not known."""
        for unit in self._units:
            found = unit.places(pc)
            if found:
                return found
        return []

    def functions(self, pc: int) -> tuple[int, ...]:
        """What tells apart the copies that inlining made of one instruction's place."""
        for unit in self._units:
            if unit.places(pc):
                return unit.around(pc)
        return ()


def _units(elf: Any) -> Iterator[tuple[Any, Any]]:
    dwarf = elf.get_dwarf_info()
    for unit in dwarf.iter_CUs():
        if unit["version"] > 4:  # its ranges and tables of files are others
            raise Unreadable(f"DWARF {unit['version']}")
        yield dwarf, unit


def _unit(dwarf: Any, unit: Any) -> _Unit:
    program = dwarf.line_program_for_CU(unit)
    if program is None:
        return _Unit((), (), ())
    files = [_file(program, number) for number in range(len(program["file_entry"]) + 1)]
    table = dict(_rows(program, files))  # of rows with one address the last counts
    starts = sorted(table)
    top = unit.get_top_DIE()
    base = top.attributes["DW_AT_low_pc"].value if "DW_AT_low_pc" in top.attributes else 0
    functions = [
        (ranges, _call(die, files) if die.tag == _INLINED else None)
        for die in unit.iter_DIEs()  # parents come before what is in them
        if die.tag in (_FUNCTION, _INLINED) and (ranges := _ranges(dwarf, die, base))
    ]
    return _Unit(starts, [table[start] for start in starts], functions)


def _rows(program: Any, files: Sequence[str]) -> Iterator[tuple[int, Place | None]]:
    """Where each row begins; None where a sequence ends, unless another one begins there."""
    ends: list[int] = []
    begun: set[int] = set()
    for entry in program.get_entries():
        state = entry.state
        if state is None:
            continue
        if state.end_sequence:
            ends.append(state.address)
            continue
        begun.add(state.address)
        # Line 0 is code of the compiler's own, and a place like another.
        yield state.address, (files[state.file], state.line, state.column)
    for end in ends:
        if end not in begun:
            yield end, None


def _call(die: Any, files: Sequence[str]) -> Place:
    """Where an inlined function was called."""

    def number(name: str) -> int:
        found = die.attributes.get(f"DW_AT_call_{name}")
        return int(found.value) if found is not None else 0

    return files[number("file")], number("line"), number("column")


def _ranges(dwarf: Any, die: Any, base: int) -> list[Range]:
    found = die.attributes
    if "DW_AT_ranges" in found:
        return list(_listed(dwarf, found["DW_AT_ranges"].value, base))
    if "DW_AT_low_pc" not in found or "DW_AT_high_pc" not in found:
        return []
    low, high = found["DW_AT_low_pc"].value, found["DW_AT_high_pc"]
    return [(low, high.value if high.form == "DW_FORM_addr" else low + high.value)]


def _listed(dwarf: Any, offset: int, base: int) -> Iterator[Range]:
    """A list of ranges; each is relative to the unit's first address or to one in the list."""
    for entry in dwarf.range_lists().get_range_list_at_offset(offset):
        if hasattr(entry, "base_address"):
            base = entry.base_address
        else:
            yield base + entry.begin_offset, base + entry.end_offset


def _file(program: Any, number: int) -> str:
    """The name of a file of the table, which counts from 1, as do its folders; 0 is none."""
    if not number:
        return ""
    entry = program["file_entry"][number - 1]
    name = os.fsdecode(entry.name)
    if os.path.isabs(name) or not entry.dir_index:
        return os.path.normpath(name)
    folder = os.fsdecode(program["include_directory"][entry.dir_index - 1])
    return os.path.normpath(os.path.join(folder, name))
