"""Each renderer's whole output for each kind of report, compared with files in tests/golden.

After a change that is meant: ``LEETK_UPDATE_GOLDEN=1 pytest tests/unit/test_report_golden.py``,
then read the diff.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
import report_samples as samples

from harness.model import Report
from harness.report import Batch, renderer
from harness.report.console import render
from harness.report.summary import Summary
from harness.report.terminal import Terminal

GOLDEN = Path(__file__).parent.parent / "golden"
WIDTH = 100


def compare(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("LEETK_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path} is missing: run with LEETK_UPDATE_GOLDEN=1"
    assert text == path.read_text(encoding="utf-8")


def console(report: Report, *, verbose: bool = False) -> str:
    stream = io.StringIO()
    render(report, Terminal(stream, width=WIDTH), problem=samples.PROBLEM, verbose=verbose)
    return stream.getvalue()


@pytest.mark.parametrize("name", samples.ALL)
def test_console(name: str) -> None:
    compare(f"{name}.txt", console(samples.ALL[name]))


@pytest.mark.parametrize("name", ["accepted_cpu", "wrong_answer"])
def test_console_verbose(name: str) -> None:
    compare(f"{name}.verbose.txt", console(samples.ALL[name], verbose=True))


@pytest.mark.parametrize("name", samples.ALL)
@pytest.mark.parametrize("form", ["json", "junit", "github"])
def test_machine_formats(name: str, form: str) -> None:
    extension = {"json": "json", "junit": "xml", "github": "github"}[form]
    batch = Batch((samples.ALL[name],), 7, 1, single=True)
    compare(f"{name}.{extension}", renderer(form)(batch))


def test_summary() -> None:
    stream = io.StringIO()
    reports = samples.CHECKED
    summary = Summary(Terminal(stream, width=WIDTH), [(r.solution, r.problem) for r in reports])
    for report in reports:
        summary.row(report)
    summary.close(reports, 7, verbose=False)
    compare("check.txt", stream.getvalue())


@pytest.mark.parametrize("form", ["json", "junit", "github"])
def test_summary_for_machines(form: str) -> None:
    extension = {"json": "json", "junit": "xml", "github": "github"}[form]
    compare(f"check.{extension}", renderer(form)(Batch(samples.CHECKED, 7, 1)))
