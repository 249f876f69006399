"""Accesses to arrays by the columns that compilers give them."""

from __future__ import annotations

import pytest

from harness.source.access import argument_columns, expression, takes_address

LINE = "x = fmaf(A[row * N + n], p->B.x[n * (K + col[2])][1], f(é)[3], (a)[0]);"


@pytest.mark.parametrize(
    ("end", "found"),
    [
        ("A[row * N + n]", "A[row * N + n]"),
        ("col[2]", "col[2]"),
        ("p->B.x[n * (K + col[2])]", "p->B.x[n * (K + col[2])]"),
        ("p->B.x[n * (K + col[2])][1]", "p->B.x[n * (K + col[2])][1]"),
        ("f(é)[3]", "f(é)[3]"),
        ("(a)[0]", ""),
        ("fmaf(", ""),
    ],
)
def test_the_access_that_ends_at_a_column(end: str, found: str) -> None:
    column = len(LINE[: LINE.index(end)].encode()) + len(end.encode())
    assert expression(LINE, column) == found


@pytest.mark.parametrize(("line", "column"), [("", 3), ("]", 1), ("a)]]", 4), ("a[i]", 99)])
def test_odd_columns_do_no_harm(line: str, column: int) -> None:
    assert expression(line, column) in ("", "a[i]")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("s = fmaf(A[row * N + n], B[n][k], s);", ["A[row * N + n]", "B[n][k]"]),
        ("s = fmaf( a , b[ f(1, 2) ] , -c[0]);", ["b[ f(1, 2) ]"]),
        ("s = max(a[0],", []),
        ("s = f();", []),
        ("s = x;", []),
    ],
)
def test_arguments_that_are_accesses(line: str, found: list[str]) -> None:
    opening = line.find("(") + 1
    columns = argument_columns(line, opening)
    assert [expression(line, column) for column in columns] == found


def test_a_column_that_is_no_call_has_no_arguments() -> None:
    assert argument_columns("f(a[0], b[0])", 3) == []
    assert argument_columns("", 0) == argument_columns("f(", 2) == []


@pytest.mark.parametrize(
    ("line", "yes"),
    [
        ("float* end = &t[16][0];", True),
        ("for (; p != & t[16][0]; ++p)", True),
        ("while (p < &t[16] [i[2]] && q)", True),
        ("return &t[16][0];", True),
        ("float* end = &t[16][0], *next = end;", True),
        ("x = t[16][0];", False),
        ("x = y & t[16][0];", False),
        ("x = y && t[16][0];", False),
        ("x = *&t[16][0];", False),
        ("x = (&t[16][0])[1];", False),
        ("atomicAdd(&t[16][0], 1);", False),
        ("p = &t[16]->x;", False),
        ("p = &t[16][0].x;", False),
        ("x &= t[16][0];", False),
        ("p = &t[16][", False),
    ],
)
def test_whether_an_access_is_an_address_alone(line: str, yes: bool) -> None:
    assert takes_address(line, line.index("t[16]") + len("t[16]")) is yes
