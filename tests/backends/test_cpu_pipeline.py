"""Asynchronous copies on the cpu backend are made when they are waited for, no sooner: who reads
too early is wrong there, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.backends.base import Backend
from harness.catalog import find_problem
from harness.judge import Limits, Settings, judge
from harness.model import BuildOptions, Report, Verdict
from harness.source import read_source

pytestmark = pytest.mark.compiler

RUNG = Path(__file__).parent.parent.parent / "solutions" / "v6.cu"
WAIT = "__pipeline_wait_prior(STAGES - 2);"
BARRIER = "__syncthreads();"


def judged(text: str, folder: Path, backend: Backend) -> Report:
    path = folder / "a.cu"
    path.write_text(text)
    settings = Settings(seed=5, perf=False, limits=Limits(case_seconds=30.0))
    source = read_source(path)
    return judge(find_problem("matmul"), source, backend, settings, BuildOptions())


@pytest.mark.parametrize(
    ("line", "instead"),
    [(WAIT, ""), (WAIT, "__pipeline_wait_prior(STAGES - 1);"), (BARRIER, "")],
    ids=["no wait", "waits for one too few", "no barrier"],
)
def test_a_ring_without_its_waits(
    line: str, instead: str, tmp_path: Path, backend_of: Callable[[str], Backend]
) -> None:
    text = RUNG.read_text()
    assert text.count(line) == 1
    report = judged(text.replace(line, instead), tmp_path, backend_of("cpu"))
    assert report.verdict in (Verdict.WRONG_ANSWER, Verdict.NONDETERMINISTIC), report.reason


def test_the_ring_as_it_is(tmp_path: Path, backend_of: Callable[[str], Backend]) -> None:
    report = judged(RUNG.read_text(), tmp_path, backend_of("cpu"))
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert [finding for finding in report.findings if finding.severity != "info"] == []
