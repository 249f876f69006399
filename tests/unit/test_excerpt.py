"""Which lines of a source a profile shows."""

from __future__ import annotations

from harness.report.excerpt import excerpt

SOURCE = """\
#include <cuda_runtime.h>

template <int N>
__device__ float first(
    const float* p) {
    return p[N];
}

__global__ void k(float* a) {
    int i = 0;
    // one
    // two
    // three
    // four
    // five
    a[i] = 1;
    if (i) {
        // six
        // seven
        // eight
        // nine
    }
    // ten
}
float after;
"""


def shown(*lines: int) -> list[int | str]:
    rows: list[int | str] = []
    for row in excerpt(SOURCE, lines):
        rows += [f"-{row.skipped}"] * bool(row.skipped) + [row.number]
    return rows


def test_a_long_function_has_its_head_its_end_and_what_is_near() -> None:
    assert shown(16) == [9, "-4", 14, 15, 16, 17, 18, "-5", 24]


def test_a_short_gap_is_filled() -> None:
    assert shown(12) == [9, 10, 11, 12, 13, 14, "-9", 24]


def test_the_head_of_a_template_is_whole() -> None:
    assert shown(6) == [3, 4, 5, 6, 7]


def test_between_functions_nothing_is_left_out() -> None:
    assert shown(6, 16)[:7] == [3, 4, 5, 6, 7, 9, "-4"]


def test_outside_a_function_its_neighbours_are_shown() -> None:
    assert shown(25) == [23, 24, 25, 26]


def test_lines_that_are_not_there_are_passed_over() -> None:
    assert shown(0, 99) == []
    assert excerpt("", [1]) != []


def test_texts_are_the_sources() -> None:
    assert excerpt(SOURCE, [16])[4].text == "    if (i) {"
    assert excerpt(SOURCE, [16])[3].text == "    a[i] = 1;"
