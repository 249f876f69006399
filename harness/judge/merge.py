"""From counters by instruction to counters by source line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from harness.counters import LineCounters
from harness.wire import Counter

Place = tuple[str, int, int]
"""``file, line, column``: columns from 1, 0 where it is not known."""

Key = tuple[str, int, str, str, int]
"""``file, line, space, access, size``: what a ``LineCounters`` is about."""


def merge(counters: Sequence[Counter], place: Callable[[int], Place]) -> tuple[LineCounters, ...]:
    """One entry for each line, space, access and width, in the order of the source. ``place`` is
    where an instruction's pc lies. Where such a line has accesses in several columns, there is one
    for each: loads of a and of b in ``c[i] = a[i] + b[i]``. A loop that the compiler unrolled, and
    the copies of an inlined function, lie in one."""
    groups: dict[Key, dict[int, LineCounters]] = {}
    for counter in counters:
        file, line, column = place(counter.pc)
        columns = groups.setdefault((file, line, *_kind(counter)), {})
        old = columns.get(column)
        new = _entry(counter, file, line, column)
        columns[column] = new if old is None else _sum(old, new)
    return tuple(line for key in sorted(groups) for line in _told_apart(groups[key]))


def _told_apart(columns: Mapping[int, LineCounters]) -> Iterator[LineCounters]:
    """By their columns, where there are several."""
    for column in sorted(columns):
        yield replace(columns[column], column=column if len(columns) > 1 else 0)


def _kind(counter: Counter) -> tuple[str, str, int]:
    return counter.space, counter.access, counter.size


def _entry(counter: Counter, file: str, line: int, column: int) -> LineCounters:
    return LineCounters(
        line,
        *_kind(counter),
        requests=counter.requests,
        lanes=counter.lanes,
        sectors=counter.sectors,
        wavefronts=counter.wavefronts,
        ideal=counter.ideal,
        stride=counter.stride,
        file=file,
        column=column,
        banks=counter.banks,
    )


def _sum(one: LineCounters, other: LineCounters) -> LineCounters:
    return replace(
        one,
        requests=one.requests + other.requests,
        lanes=one.lanes + other.lanes,
        sectors=one.sectors + other.sectors,
        wavefronts=one.wavefronts + other.wavefronts,
        ideal=one.ideal + other.ideal,
        stride=one.stride if one.stride == other.stride else 0,
        banks=max(one.banks, other.banks),
    )
