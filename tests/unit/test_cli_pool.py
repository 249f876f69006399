"""Several submissions side by side: in order, and one that cannot be judged stops nothing."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

from harness.catalog import Submission
from harness.commands.options import Options
from harness.commands.pool import Job, judge_jobs
from harness.model import Verdict


def jobs(count: int) -> list[Job]:
    return [
        Job(Submission(Path(f"{number}.cu"), "matmul", ()), "no such backend", Options(), 7)
        for number in range(count)
    ]


def test_reports_come_in_order_whatever_happens() -> None:
    reports = list(judge_jobs(jobs(3), 2))
    assert [report.solution for report in reports] == ["0.cu", "1.cu", "2.cu"]
    assert {report.verdict for report in reports} == {Verdict.SKIPPED}  # a usage error
    assert multiprocessing.active_children() == []


def test_leaving_early_ends_the_processes() -> None:
    reports = judge_jobs(jobs(3), 2)
    next(reports)
    assert multiprocessing.active_children() != []
    reports.close()
    assert multiprocessing.active_children() == []
