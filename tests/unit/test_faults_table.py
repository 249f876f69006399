"""docs/faults.md: no fault without a fixture or test, no empty row, nothing written by hand."""

from __future__ import annotations

import re

import fault_table
import pytest
from fault_table import (
    RESULTS,
    Result,
    cell,
    document,
    faults,
    fixtures,
    holds_anywhere,
    read_results,
    shown_by,
)

NUMBERS = range(1, 60)


def test_every_fault_is_shown_by_something() -> None:
    assert [fault.number for fault in faults()] == list(NUMBERS)
    missing = sorted(set(NUMBERS) - set(shown_by()))
    assert not missing, f"no fixture and no test shows {missing}"
    assert set(shown_by()) <= set(NUMBERS)


def test_the_document_is_what_the_runs_gave() -> None:
    """After a change: python tests/fault_table.py"""
    known = {column: read_results(path) for column, path in RESULTS.items()}
    assert fault_table.DOCUMENT.read_text(encoding="utf-8") == document(known)


def test_the_document_names_only_what_is_there() -> None:
    text = fault_table.DOCUMENT.read_text(encoding="utf-8")
    names = set(fixtures()) | set(fault_table.tests())
    rows = re.findall(r"^\| (\d+) \|.*?\|.*?\| (.*?) \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    assert [int(row[0]) for row in rows] == list(NUMBERS)
    for number, shown, cpu, gpu in rows:
        assert shown.strip() and cpu.strip() and gpu.strip(), f"row {number} is empty somewhere"
        for name in re.findall(r"`([^`]+)`", shown):
            assert name in names or f"judged/{name}" in names, f"row {number}: there is no {name}"


@pytest.mark.parametrize("column", RESULTS)
def test_the_results_are_of_tests_that_are_there_and_hold(column: str) -> None:
    """A fault that has a fixture or test which runs on the CPU has its result; those of the GPU may
    be older than the newest fixture."""
    machine, results = read_results(RESULTS[column])
    names = set(fixtures()) | set(fault_table.tests())
    assert {result.name for result in results} <= names
    assert [result.name for result in results if result.outcome == "failed"] == []
    if column == "cpu":
        assert machine
        for fault in faults():
            assert cell(fault.number, fault.cpu, results, "cuda") != fault_table.UNKNOWN, fault


def test_what_needs_no_device_holds_without_it() -> None:
    ran = [Result("test_x.py::test_y", (1, 2), "", "passed"), Result("a.cu", (3,), "cpu", "passed")]
    assert holds_anywhere(1, ran) and not holds_anywhere(3, ran)
    assert not holds_anywhere(2, [*ran, Result("test_x.py::test_z", (2,), "", "failed")])


def test_no_row_waits_for_a_run() -> None:
    assert fault_table.UNKNOWN not in fault_table.DOCUMENT.read_text(encoding="utf-8")


def test_a_cell() -> None:
    ran = [
        Result("judged/a.cu", (1,), "cpu", "passed", "accepted"),
        Result("judged/b.cu", (1, 2), "cpu", "passed", "wrong_answer"),
        Result("test_x.py::test_y", (1, 3), "", "passed"),
        Result("test_x.py::test_z", (4,), "", "failed"),
        Result("judged/a.cu", (5,), "cuda", "skipped"),
    ]
    assert cell(1, "", ran, "cuda") == "`accepted`, `wrong_answer`"
    assert cell(2, "", ran, "cuda") == "`wrong_answer`"
    assert cell(2, "", ran, "cpu") == fault_table.UNKNOWN
    assert cell(3, "", ran, "cpu") == "passed"
    assert cell(3, "not here", ran, "cpu") == "not here"
    assert cell(4, "", ran, "cpu") == "**failed: test_x.py::test_z**"
    assert cell(5, "", ran, "cpu") == fault_table.UNKNOWN
