"""Every rung of the ladders is accepted by every backend that works here, and says what it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.backends.base import Backend
from harness.catalog import find_problem
from harness.judge import Limits, Settings, judge
from harness.model import BuildOptions, Verdict
from harness.source import read_source
from harness.source.directives import directives

SOLUTIONS = Path(__file__).parent.parent / "solutions"
RUNGS = sorted(SOLUTIONS.glob("*.cu"))
BACKENDS = [pytest.param("cpu"), pytest.param("cuda", marks=pytest.mark.gpu)]
HEADER = ("Idea", "Change", "Cost|Why", "Expect", "Source")
# What the CPU backend has no words for, by what it names.
SKIPPED_ON_CPU = {
    "v8": "PTX",
    "v9": "__cvta_generic_to_shared",
}
# These say in an #error which GPU they need.
NEEDS = {"v7": "sm_80", "v8": "sm_80", "v9": "sm_90a"}


def test_nothing_else_lies_there() -> None:
    assert RUNGS
    assert sorted(SOLUTIONS.iterdir()) == RUNGS


@pytest.mark.parametrize("path", RUNGS, ids=lambda path: path.stem)
def test_header(path: Path) -> None:
    text = read_source(path).text
    found = directives(text, str(path))
    assert found.problem is not None
    may_be_skipped = path.stem in SKIPPED_ON_CPU
    assert found.expected == ((Verdict.ACCEPTED, Verdict.SKIPPED) if may_be_skipped else ())
    lines = [line for line in text.split("\n\n", 1)[0].splitlines() if line != "//"]
    if may_be_skipped:
        assert lines.pop(1).startswith("// leetk: expect ")
    assert lines[0] == f"// leetk: problem {found.problem}"
    keys = [line.removeprefix("// ").split(":")[0] for line in lines[1:]]
    assert len(keys) == len(HEADER)
    for key, wanted in zip(keys, HEADER, strict=True):
        assert re.fullmatch(wanted, key)


@pytest.mark.compiler
@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("path", RUNGS, ids=lambda path: path.stem)
def test_accepted(path: Path, name: str, backend_of: Callable[[str], Backend]) -> None:
    source = read_source(path)
    problem = find_problem(directives(source.text).problem or "")
    settings = Settings(seed=20, perf=False, limits=Limits(case_seconds=30.0))
    report = judge(problem, source, backend_of(name), settings, BuildOptions())
    if name == "cpu" and path.stem in SKIPPED_ON_CPU:
        assert report.verdict is Verdict.SKIPPED
        assert SKIPPED_ON_CPU[path.stem] in report.reason
        return
    if name == "cuda" and report.verdict is Verdict.COMPILE_ERROR and path.stem in NEEDS:
        assert NEEDS[path.stem] in report.reason
        pytest.skip(report.reason)
    assert report.verdict is Verdict.ACCEPTED, report.reason
    assert report.build is not None
    assert [d for d in report.build.diagnostics if d.severity != "note"] == []
