"""Nsight Compute and compute-sanitizer on a real GPU: the figures of seed 002, each planted fault
with its line, and no finding in a right solution."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import cli
from harness.backends.cuda import ncu, sanitizer
from harness.backends.cuda.backend import CudaBackend
from harness.backends.cuda.profiler import NcuProfiler
from harness.backends.cuda.tools import find_tool
from harness.cases import sized_case
from harness.catalog import Submission, find_problem, find_submissions
from harness.counters import KernelCounters
from harness.errors import JudgeError, ToolchainMissing
from harness.judge.profile import profile
from harness.judge.sanitize import sanitize
from harness.model import BuildOptions
from harness.settings import Limits
from harness.source import read_source
from harness.wire import RuntimeReport

pytestmark = pytest.mark.gpu

REPOSITORY = Path(__file__).parents[2]
SOLUTIONS = REPOSITORY / "solutions"
PLANTED = REPOSITORY / "tests" / "sanitizer"


def needs(tool: str) -> pytest.MarkDecorator:
    try:
        find_tool(tool)
    except ToolchainMissing as error:
        return pytest.mark.skip(reason=str(error))
    return pytest.mark.usefixtures("tidy")


@pytest.fixture
def tidy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is left behind in the folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield
    assert os.listdir(folder) == []


def counted(path: Path, **sizes: int) -> tuple[KernelCounters, ...]:
    problem = find_problem("transpose")
    case = sized_case(problem, 1, sizes)
    source = read_source(path)
    return profile(problem, source, CudaBackend(), case, BuildOptions(), Limits()).kernels


@needs("ncu")
@pytest.mark.parametrize(
    ("name", "loads", "stores", "sectors"),
    [
        ("transpose_v1", (0, 0), (0, 0), 32768),
        ("transpose_v3", (16384, 14336), (2048, 0), 8192),
        ("transpose_v5", (4096, 2048), (4096, 2048), 8192),
    ],
)
def test_the_figures_of_the_ladder(
    name: str, loads: tuple[int, int], stores: tuple[int, int], sectors: int
) -> None:
    (kernel,) = counted(SOLUTIONS / f"{name}.cu", rows=256, cols=256)
    for access, expected in (("load", loads), ("store", stores)):
        lines = [n for n in kernel.lines if (n.space, n.access) == ("shared", access)]
        assert (sum(n.wavefronts for n in lines), sum(n.conflicts for n in lines)) == expected
    (stored,) = (n for n in kernel.lines if (n.space, n.access) == ("global", "store"))
    assert (stored.requests, stored.sectors, stored.size) == (2048, sectors, 4)
    assert stored.file == str(SOLUTIONS / f"{name}.cu")
    assert kernel.resources is not None
    assert 0 < kernel.resources.occupancy <= 1


@needs("ncu")
def test_the_command(capfd: pytest.CaptureFixture[str]) -> None:
    path = str(SOLUTIONS / "transpose_v3.cu")
    words = ["profile", "transpose", path, "--size", "rows=64", "--size", "cols=64"]
    assert cli.invoke([*words, "--backend", "cuda", "--json", "-"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["backend"] == "cuda"
    assert report["kernels"][0]["totals"]["shared_load_conflicts"] == 896


@needs("ncu")
def test_a_solve_that_fails_under_the_profiler(tmp_path: Path) -> None:
    path = tmp_path / "crash.cu"
    path.write_text(
        "__global__ void k(float* p) { p[1ll << 40] = 1; }\n"
        'extern "C" void solve(const float* in, float* out, int rows, int cols) {\n'
        "  k<<<1, 32>>>(out);\n}\n"
    )
    with pytest.raises(JudgeError, match="leetk run says more"):
        counted(path, rows=8, cols=8)


@needs("ncu")
def test_a_solve_without_a_kernel(tmp_path: Path) -> None:
    path = tmp_path / "empty.cu"
    path.write_text('extern "C" void solve(const float* in, float* out, int rows, int cols) {}\n')
    assert counted(path, rows=8, cols=8) == ()


@needs("ncu")
def test_a_metric_that_ncu_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ncu, "BY_INSTRUCTION", (*ncu.BY_INSTRUCTION, "no_such_metric"))
    assert "no_such_metric" in " ".join(NcuProfiler.find(BuildOptions()).watch.prefix)
    with pytest.raises(JudgeError, match="no_such_metric"):
        counted(SOLUTIONS / "transpose_v1.cu", rows=8, cols=8)


# --- compute-sanitizer ---


def sanitized(problem_name: str, path: Path, **sizes: int) -> tuple[RuntimeReport, ...]:
    problem = find_problem(problem_name)
    case = sized_case(problem, 1, sizes)
    source = read_source(path)
    return sanitize(problem, source, CudaBackend(), case, BuildOptions(), Limits())[0]


@pytest.mark.fault(53, 55, 56, 57)
@needs("compute-sanitizer")
@pytest.mark.parametrize("name", sorted(path.stem for path in PLANTED.glob("*.cu")))
def test_a_planted_fault_is_found_with_its_line(name: str) -> None:
    path = PLANTED / f"{name}.cu"
    if name == "uninitialised_shared":
        program = find_tool("compute-sanitizer")
        if not sanitizer.sees_shared(program):
            pytest.skip("this version's initcheck does not look at shared memory")
    expected = {
        (match[1], number)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if (match := re.search(r"// finding: (\w+)", line))
    }
    found = sanitized("transpose", path, rows=5, cols=13)
    assert {(report.kind, report.line) for report in found} == expected
    (report,) = found
    assert report.file == str(path)
    assert report.kernel == "measured"
    assert report.thread
    assert report.block
    if name in ("read_by_one", "write_by_one"):
        assert (report.buffer, report.byte, report.size) == (
            "input" if name == "read_by_one" else "output",
            260,
            260,
        )


RUNGS = find_submissions([SOLUTIONS])


@needs("compute-sanitizer")
@pytest.mark.parametrize("rung", RUNGS, ids=[rung.path.stem for rung in RUNGS])
def test_a_right_solution_has_no_finding(rung: Submission) -> None:
    sizes = {"rows": 45, "cols": 70} if rung.problem == "transpose" else {"M": 33, "N": 45, "K": 50}
    assert sanitized(rung.problem, rung.path, **sizes) == ()


@needs("compute-sanitizer")
@pytest.mark.parametrize("name", sorted(path.stem for path in (PLANTED / "right").glob("*.cu")))
def test_what_only_looks_like_a_fault(name: str) -> None:
    assert sanitized("transpose", PLANTED / "right" / f"{name}.cu", rows=5, cols=13) == ()


@needs("compute-sanitizer")
def test_an_overrun_that_would_end_in_the_next_array(tmp_path: Path) -> None:
    """Allocations lie 512 bytes apart: without padding, this reads the output, as initcheck sees
    it."""
    path = tmp_path / "far.cu"
    path.write_text((PLANTED / "read_by_one.cu").read_text().replace("i + 1]", "i + 128]"))
    found = sanitized("transpose", path, rows=5, cols=13)
    assert ("out_of_bounds_read", "input") in {(report.kind, report.buffer) for report in found}
