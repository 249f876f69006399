"""Accesses that are looked at one by one: each planted fault is found at its line, and nothing is
found where there is none.

A line of ``faulty/*.cu`` that is at fault ends in a comment with the kinds of its findings. Both
folders' kernels transpose; some of the faulty ones are accepted by every plain run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.backends.base import Checker
from harness.backends.cpu.backend import CpuBackend
from harness.build.cache import VARIABLE
from harness.cases import plan_cases
from harness.catalog import find_problem, find_submissions
from harness.errors import JudgeError
from harness.judge import checks
from harness.judge.checks import Checks, _chosen
from harness.judge.findings import CHECKED
from harness.model import BuildOptions, Finding, Verdict
from harness.settings import Settings
from harness.source import read_source

HERE = Path(__file__).parent
ACCEPTED = [
    path
    for path in sorted(HERE.parent.glob("judged/*/accepted/*.cu"))
    if b"expect-finding-on-cpu" not in path.read_bytes()
]
LADDER = [
    rung
    for rung in find_submissions([HERE.parents[1] / "solutions"])
    if Verdict.SKIPPED not in rung.expected
]


def found_in(
    problem_name: str, path: Path, backend: CpuBackend | None = None
) -> tuple[Finding, ...]:
    problem, source = find_problem(problem_name), read_source(path)
    backend = backend or CpuBackend()
    options, cases = BuildOptions(), plan_cases(problem, 1)
    looking = Checks(problem, source, backend, Settings(seed=1), options, cases)
    # The one build that is needed. (The judge's own artifact is but a name for what is found.)
    (checker,) = CpuBackend().checkers(options)
    return looking.findings(backend.build(problem, source, checker.watch.options))


def planted(path: Path) -> dict[int, set[str]]:
    lines = enumerate(path.read_text().splitlines(), 1)
    marks = {number: line.partition("//")[2].split() for number, line in lines}
    return {n: set(mark) for n, mark in marks.items() if mark and set(mark) <= set(CHECKED)}


def by_line(findings: tuple[Finding, ...]) -> dict[int, set[str]]:
    lines: dict[int, set[str]] = defaultdict(set)
    for finding in findings:
        lines[finding.line].add(finding.kind)
    return dict(lines)


@pytest.mark.compiler
@pytest.mark.parametrize("path", sorted((HERE / "faulty").glob("*.cu")), ids=lambda p: p.stem)
def test_a_planted_fault_is_found_at_its_line(path: Path) -> None:
    expected = planted(path)
    assert expected, "no line is marked"
    found = found_in("transpose", path)
    assert by_line(found) == expected, [finding.message for finding in found]
    assert all(finding.file == str(path) for finding in found)


@pytest.mark.compiler
@pytest.mark.parametrize("path", sorted((HERE / "clean").glob("*.cu")), ids=lambda p: p.stem)
def test_no_false_alarm(path: Path) -> None:
    assert found_in("transpose", path) == ()


@pytest.mark.compiler
@pytest.mark.parametrize("path", ACCEPTED, ids=lambda p: p.stem)
def test_no_false_alarm_on_what_is_accepted(path: Path) -> None:
    assert found_in(path.parts[-3], path) == ()


@pytest.mark.compiler
@pytest.mark.parametrize("solution", LADDER, ids=lambda s: s.path.stem)
def test_no_false_alarm_on_the_ladder(solution) -> None:  # type: ignore[no-untyped-def]
    assert found_in(solution.problem, solution.path) == ()


def test_the_same_cases_in_every_run() -> None:
    """What is found is kept under their names: no seed of a run may be among them."""
    problem = find_problem("matmul")
    one, other = (tuple(_chosen(problem, plan_cases(problem, seed))) for seed in (1, 2))
    assert one == other


class BrokenBackend(CpuBackend):
    """Its checks can't be built: the disk is full, say."""

    def checkers(self, options: BuildOptions) -> Sequence[Checker]:
        raise JudgeError("the build folder can't be written: no space left on device")


@pytest.mark.compiler
def test_what_was_not_looked_at_is_told_and_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    path = HERE / "faulty" / "lost_update_of_a_variable.cu"
    kinds = [
        [finding.kind for finding in found_in("transpose", path, backend)]
        for backend in (BrokenBackend(), CpuBackend())
    ]
    assert kinds == [["unchecked"], ["race"]]


SLEEPER = """\
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < rows * cols) output[i % cols * rows + i / cols] = input[i];
    if (i < rows * cols) output[0] += 1;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    static int calls;
    if (++calls == 1) FIRST;
    transpose<<<(rows * cols + 63) / 64, 64>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
"""


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("first", "severities"),
    [
        ("usleep(500000)", {"race": "error"}),
        ("for (volatile int i = 0; i >= 0;)", {"unchecked": "warning"}),
        ("_exit(0)", {"unchecked": "warning"}),
    ],
)
def test_sleep_is_not_work_and_what_keeps_the_checks_away_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, severities: dict[str, str]
) -> None:
    monkeypatch.setattr(checks, "_CALL_SECONDS", 0.3)
    path = tmp_path / "sleeper.cu"
    path.write_text(SLEEPER.replace("FIRST", first))
    found = found_in("transpose", path)
    assert {finding.kind: finding.severity for finding in found} == severities
    text = "1 took more than 0.3 s" if "volatile" in first else "1 did not come to its end"
    assert "race" in severities or text in found[0].message
