"""From counters by instruction to counters by source line."""

from __future__ import annotations

from harness.counters import LineCounters
from harness.judge.merge import merge
from harness.wire import Counter

LOAD = Counter("k", 16, "global", "load", 4, 8, 256, 32, 0, 32, 4)
STORE = Counter("k", 32, "global", "store", 4, 8, 256, 128, 0, 32, 64)
SHARED = Counter("k", 48, "shared", "load", 4, 8, 256, 0, 64, 8, 0, banks=4)


def at(counter: Counter, pc: int, **changes: int) -> Counter:
    return Counter(**{**vars(counter), "pc": pc, **changes})


def test_lines_in_the_order_of_the_source() -> None:
    places = {16: ("a.cu", 9, 3), 32: ("a.cu", 7, 5), 48: ("a.cu", 9, 8)}
    assert merge([LOAD, STORE, SHARED], places.__getitem__) == (
        LineCounters(7, "global", "store", 4, 8, 256, 128, 0, 32, 64, "a.cu"),
        LineCounters(9, "global", "load", 4, 8, 256, 32, 0, 32, 4, "a.cu"),
        LineCounters(9, "shared", "load", 4, 8, 256, 0, 64, 8, 0, "a.cu", banks=4),
    )


def test_two_loads_of_one_line_keep_their_columns() -> None:
    places = {16: ("a.cu", 9, 20), 17: ("a.cu", 9, 12)}
    found = merge([LOAD, at(LOAD, 17, sectors=64)], places.__getitem__)
    assert [(line.column, line.sectors) for line in found] == [(12, 64), (20, 32)]


def test_copies_of_one_access_are_one() -> None:
    """An unrolled loop, or an inlined function: several instructions, one place."""
    counters = [LOAD, at(LOAD, 17, stride=8), at(LOAD, 18, banks=3)]
    (line,) = merge(counters, lambda pc: ("a.cu", 9, 12))
    assert line == LineCounters(9, "global", "load", 4, 24, 768, 96, 0, 96, 0, "a.cu", 0, 3)


def test_a_load_and_a_store_or_two_widths_are_told_apart_without_columns() -> None:
    counters = [LOAD, at(LOAD, 17, size=8), at(STORE, 18)]
    found = merge(counters, lambda pc: ("a.cu", 9, pc))
    assert [(line.access, line.size, line.column) for line in found] == [
        ("load", 4, 0),
        ("load", 8, 0),
        ("store", 4, 0),
    ]


def test_the_same_line_of_another_file_is_another() -> None:
    places = {16: ("a.cu", 9, 1), 17: ("b.h", 9, 2)}
    found = merge([LOAD, at(LOAD, 17)], places.__getitem__)
    assert [(line.file, line.column) for line in found] == [("a.cu", 0), ("b.h", 0)]


def test_what_has_no_place_is_kept() -> None:
    (line,) = merge([LOAD], lambda pc: ("", 0, 0))
    assert (line.file, line.line, line.requests) == ("", 0, 8)


def test_nothing_gives_nothing() -> None:
    assert merge([], lambda pc: ("", 0, 0)) == ()
