"""What is wrong with a line's memory accesses and why, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from harness.source.access import expression

if TYPE_CHECKING:
    from harness.counters import LineCounters

_VERBS = {"load": "read", "store": "write", "atomic": "update"}
_NOUNS = {"load": "load", "store": "store", "atomic": "atomic operation"}
_ROW_BYTES = 64  # what is further apart than this counts as lying in different rows
_FEW_BANKS = 8  # a column of a tile, which padding mends; two rows beside each other have 16
_WORD = 4  # bytes of one bank


def sentence(line: LineCounters, sources: Mapping[str, str]) -> str:
    """``line 31: a warp's 32 stores touch 16 sectors instead of 4: neighbouring threads write 1,024
    bytes apart``. ``sources`` are texts by file."""
    each, least = line.each, line.least
    who = f"{_place(line, sources)}: {_who(line)}"
    if line.space == "global":
        takes = f"{_verb(line, 'touch')} {each:.3g} sectors instead of {least:.3g}"
        return f"{who} {takes}{_apart(line, ': ')}"
    takes = f"{each:.3g} wavefronts instead of {least:.3g}"
    banks = _banks(line, each)
    if not banks:
        why = ", because several of its words lie in one bank"
        return f"{who} {_verb(line, 'take')} {takes}{why}{_apart(line, ': ')}{_advice(line)}"
    return f"{who} {_verb(line, 'hit')} {banks}: {takes}{_apart(line, '; ')}{_advice(line)}"


def access_name(line: LineCounters, sources: Mapping[str, str]) -> str:
    """What tells it apart from the line's others: ``a[i]`` or ``column 17``; often nothing."""
    if not line.column:
        return ""
    rows = sources.get(line.file, "").split("\n")
    text = rows[line.line - 1] if 0 < line.line <= len(rows) else ""
    return expression(text, line.column) or f"column {line.column}"


def _place(line: LineCounters, sources: Mapping[str, str]) -> str:
    if not line.line:
        return "a line that is not known"
    name = access_name(line, sources)
    return f"line {line.line}{', ' if name else ''}{name}"


def _active(line: LineCounters) -> int:
    """The lanes of each request, 0 where they vary."""
    return int(line.active) if line.active == int(line.active) else 0


def _who(line: LineCounters) -> str:
    noun, active = _NOUNS[line.access], _active(line)
    if not active:
        return f"a warp's {noun}s, {line.active:.1f} at a time,"
    return f"a warp's {active} {noun}{'s' if active > 1 else ''}"


def _verb(line: LineCounters, verb: str) -> str:
    third = verb + ("es" if verb.endswith("ch") else "s")
    return third if _active(line) == 1 else verb


def _apart(line: LineCounters, joint: str) -> str:
    """Why, where most neighbouring threads are the same way apart."""
    if not line.stride:
        return ""
    if abs(line.stride) <= line.size:
        if line.space == "shared":  # what meets in a bank is further apart than neighbours are
            return ""
        return f"{joint}they do not begin at a multiple of 32 bytes"
    verb = _VERBS[line.access]
    return f"{joint}neighbouring threads {verb} {abs(line.stride):,} bytes apart"


def _banks(line: LineCounters, each: float) -> str:
    """How the lanes lie in the banks, where that is known: ``4 banks, 8 lanes each``."""
    active = _active(line)
    if not line.banks or not active or line.size > _WORD or each != int(each):
        return ""
    banks = f"{line.banks} bank{'s' if line.banks > 1 else ''}"
    if line.banks * each == active:
        return f"{banks}, {each:.0f} lanes{' each' if line.banks > 1 else ''}"
    if active - line.banks == each - 1:
        return f"{banks}, one of them with {each:.0f} lanes"
    return (
        f"{banks}, up to {each:.0f} words in one"
        if line.banks > 1
        else f"{each:.0f} words of 1 bank"
    )


def _advice(line: LineCounters) -> str:
    """Lanes in different rows, of a length that is a multiple of the banks' number, lie on top of
    each other: the rows need another length. Lanes with gaps between them in a row need to lie
    closer."""
    if line.access == "atomic" or not line.banks or line.banks > _FEW_BANKS:
        return ""
    if line.size < abs(line.stride) < _ROW_BYTES:
        return "; let neighbouring threads take neighbouring elements"
    few = "one element"
    if 0 < abs(line.stride) <= line.size:  # short pieces of rows, each as wide as these banks
        few = f"{line.banks * _WORD} bytes"
    return f"; pad the tile by {few} a row, so that they spread over the banks"
