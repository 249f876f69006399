"""The history for people and as JSON: the times of each machine by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from harness.report import text as words
from harness.report.json import dumps

if TYPE_CHECKING:
    from harness.history import Entry
    from harness.report.terminal import Terminal

_HEAD = ("number", "UTC", "solution", "source", "time", "of the library", "since before")


def render(entries: Sequence[Entry], changes: Mapping[int, float], out: Terminal) -> None:
    """A table for each machine, problem and sizes, the oldest first. ``changes``: by number, the
    time over that of the same solution before."""
    groups: dict[tuple[str, str, str], list[Entry]] = {}
    for one in entries:
        groups.setdefault((str(one.machine), one.problem, one.sizes), []).append(one)
    for number, ((machine, problem, sizes), rows) in enumerate(groups.items()):
        if number:
            out.blank()
        out.line((f"{problem}, {sizes}", "bold"), f"  ({machine})")
        out.table([_HEAD, *[_row(one, changes) for one in rows]], indent=2)


def to_json(entries: Sequence[Entry], changes: Mapping[int, float]) -> str:
    """A list of objects, the oldest first; ``change`` is the time over the one before, or null."""
    return dumps([{**asdict(one), "change": changes.get(one.number)} for one in entries])


def _row(one: Entry, changes: Mapping[int, float]) -> tuple[str, ...]:
    change = changes.get(one.number)
    return (
        f"#{one.number}",
        one.moment,
        Path(one.solution).name,
        one.source[:7],
        words.milliseconds(one.median_ms),
        f"{one.library_ms / one.median_ms:.2f} of {one.library}"
        if one.library_ms and one.median_ms
        else "-",
        "-" if change is None else f"{100 * (change - 1):+.1f} %",
    )
