"""``leetk profile`` on the cpu backend: its figures are those of Nsight Compute on an H200
(benchmarks/counters_check.py compares them)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from harness import cli
from harness.analysis.resources import PtxasLog
from harness.backends.cpu.backend import CpuBackend
from harness.backends.cpu.toolchain import find_toolchain
from harness.backends.cuda.toolkit import find_toolkit
from harness.cases import sized_case
from harness.catalog import find_problem
from harness.counters import Profile
from harness.errors import ToolchainMissing
from harness.judge.profile import profile
from harness.model import BuildOptions
from harness.settings import Limits
from harness.source import read_source
from harness.source.access import expression

REPOSITORY = Path(__file__).parents[2]
FIXTURES = REPOSITORY / "tests" / "counters"
EXPECTED = json.loads((FIXTURES / "expected.json").read_text())

_TOOLCHAIN = find_toolchain()
CLANG = _TOOLCHAIN is not None and _TOOLCHAIN.clang


def counted(problem_name: str, path: Path, **sizes: int) -> Profile:
    problem = find_problem(problem_name)
    case = sized_case(problem, 1, sizes)
    source = read_source(path)
    return profile(problem, source, CpuBackend(), case, BuildOptions(), Limits(60))


def totals(found: Profile) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for kernel in found.kernels:
        for line in kernel.lines:
            key = f"{line.space} {line.access}"
            sums[f"{key} requests"] += line.requests
            sums[f"{key} lanes"] += line.lanes
            if line.space == "global":
                sums[f"{key} sectors"] += line.sectors
            else:
                sums[f"{key} wavefronts"] += line.wavefronts
                sums[f"{key} conflicts"] += line.conflicts
    return dict(sums)


@pytest.mark.compiler
@pytest.mark.skipif(CLANG, reason="clang orders code otherwise, and a request in 200 is split")
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_counts(name: str) -> None:
    assert (
        totals(counted("transpose", FIXTURES / f"{name}.cu", rows=100, cols=60)) == EXPECTED[name]
    )


def test_every_fixture_has_its_counts() -> None:
    assert {path.stem for path in FIXTURES.glob("*.cu")} == set(EXPECTED)


# v5's shared loads of 16 bytes: requests and wavefronts, an eighth of what Nsight Compute counted
# on an H200 for sums of 512 terms. Of v5's four a term two are of rows of A that 16 lanes share,
# and take half.
@pytest.mark.compiler
@pytest.mark.skipif(CLANG, reason="clang orders code otherwise, and a request in 200 is split")
def test_vectors_that_neighbours_share() -> None:
    found = totals(counted("matmul", REPOSITORY / "solutions" / "v5.cu", M=512, N=64, K=512))
    assert found["shared load requests"] == 262_144 // 8
    assert found["shared load wavefronts"] == 786_432 // 8
    assert found["shared load conflicts"] == 0


# Seed 002's figures for 256 x 256, confirmed by Nsight Compute.
SHARED = {
    "transpose_v3.cu": ((16384, 14336), (2048, 0)),
    "transpose_v5.cu": ((4096, 2048), (4096, 2048)),
}


@pytest.mark.compiler
@pytest.mark.parametrize("name", sorted(SHARED))
def test_bank_conflicts_of_the_ladder(name: str) -> None:
    found = totals(counted("transpose", REPOSITORY / "solutions" / name, rows=256, cols=256))
    loads, stores = SHARED[name]
    assert (found["shared load wavefronts"], found["shared load conflicts"]) == loads
    assert (found["shared store wavefronts"], found["shared store conflicts"]) == stores
    assert found["global store sectors"] == 8192


@pytest.mark.compiler
def test_the_naive_transpose_stores_in_16_sectors() -> None:
    path = REPOSITORY / "solutions" / "transpose_v1.cu"
    found = totals(counted("transpose", path, rows=256, cols=256))
    assert found["global store requests"] == 2048
    assert found["global store sectors"] == 32768
    assert found["global load sectors"] == 8192


@pytest.mark.compiler
def test_the_tiled_matmul_has_no_conflicts() -> None:
    """512 warps, 8 tiles of 16: each warp loads two elements and stores them, then reads 2 x 16."""
    found = counted("matmul", REPOSITORY / "solutions" / "v2.cu", M=128, N=128, K=128)
    sums = totals(found)
    assert sums["global load requests"] == 512 * 8 * 2
    assert sums["shared store wavefronts"] == 512 * 8 * 2
    assert sums["shared load wavefronts"] == 512 * 8 * 16 * 2
    assert sums["shared load conflicts"] == sums["shared store conflicts"] == 0
    assert sums["global store lanes"] == 128 * 128
    (kernel,) = found.kernels
    assert (kernel.grid, kernel.block) == ((8, 8, 1), (16, 16, 1))
    assert kernel.traced == kernel.blocks == 64


@pytest.mark.compiler
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(REPOSITORY / "solutions" / "transpose_v3.cu")
    words = ["profile", "transpose", path, "--size", "rows=64", "--size", "cols=64"]
    assert cli.invoke(words) == 0
    out = capsys.readouterr().out
    assert "transpose_tile<<<(4, 4), (16, 16)>>>" in out
    assert "4 banks, 8 lanes each: 8 wavefronts instead of 1" in out
    assert cli.invoke([*words, "--json", "-"]) == 0
    report = json.loads(capsys.readouterr().out)
    (kernel,) = report["kernels"]
    assert kernel["totals"]["shared_load_conflicts"] == 896
    assert {line["line"] for line in kernel["lines"]} == {22, 30}
    assert kernel["lines"][0]["file"] == path


@pytest.mark.compiler
def test_resources_from_an_nvcc_without_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        find_toolkit()
    except ToolchainMissing:
        pytest.skip("needs an nvcc")
    path = str(REPOSITORY / "solutions" / "v3.cu")
    words = ["profile", "matmul", path, *("--size", "M=16"), "--backend", "cpu", "--json", "-"]
    assert cli.invoke(words) == 0
    (kernel,) = json.loads(capsys.readouterr().out)["kernels"]
    taken = kernel["resources"]
    assert taken["arch"] == "sm_90"
    assert taken["shared"] == 4 * (16 * 16 + 16 * 64)
    assert 16 <= taken["registers"] <= 128
    assert 0 < taken["occupancy"] <= 1


@pytest.mark.compiler
def test_without_resources_the_rest_is_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = PtxasLog("sm_90", note="no registers and occupancy, as nvcc fails: it is broken")
    monkeypatch.setattr("harness.analysis.resources.ptxas_log", lambda *_: broken)
    path = str(REPOSITORY / "solutions" / "v2.cu")
    words = ["profile", "matmul", path, *("--size", "M=16"), "--backend", "cpu", "--json", "-"]
    assert cli.invoke(words) == 0
    out, err = capsys.readouterr()
    (kernel,) = json.loads(out)["kernels"]
    assert kernel["resources"] is None
    assert kernel["totals"]["global_load_requests"] > 0
    assert err == f"leetk: {broken.note}\n"


@pytest.mark.compiler
@pytest.mark.skipif(CLANG, reason="clang has other columns")
def test_two_loads_of_one_line_are_told_apart() -> None:
    """``fmaf(tile_a[ty][i], tile_b[i][tx], sum)``, whose loads g++ gives one column. A warp has two
    rows of 16 threads: it reads a word of either row of A, and a row of B."""
    path = REPOSITORY / "solutions" / "v2.cu"
    (kernel,) = counted("matmul", path, M=16, N=16, K=16).kernels
    loads = [line for line in kernel.lines if (line.space, line.access) == ("shared", "load")]
    text = path.read_text().splitlines()[loads[0].line - 1]
    assert [expression(text, line.column) for line in loads] == ["tile_a[ty][i]", "tile_b[i][tx]"]
    assert [line.banks for line in loads] == [2, 16]


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("int x = ;", 1, "compile_error"),
        ('extern "C" void solve(const float*, float*, int, int) { *(int*)8 = 1; }', 1, "leetk run"),
    ],
)
def test_what_cannot_be_counted_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, code: int, words: str
) -> None:
    path = tmp_path / "x.cu"
    solve = 'extern "C" void solve(const float* input, float* output, int rows, int cols) { }'
    path.write_text(text if "solve" in text else f"{text}\n{solve}")
    assert cli.invoke(["profile", "transpose", str(path)]) == code
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


MACROS = """
#define EDGE 16
#define GRID dim3((cols + EDGE - 1) / EDGE, (rows + EDGE - 1) / EDGE)
#define LAUNCH(k, ...) k<<<GRID, dim3(EDGE, EDGE)>>>(__VA_ARGS__)
#define LAUNCH_OF(k, T, ...) k##_of<T, EDGE><<<GRID, dim3(EDGE, EDGE)>>>(__VA_ARGS__)
template <class T, int N>
__global__ void copy_of(const T* in, T* out, int rows, int cols) {
    int x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}
__global__ void again(const float* in, float* out, int rows, int cols) {
    int x = blockIdx.x * EDGE + threadIdx.x, y = blockIdx.y * EDGE + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    LAUNCH_OF(copy, float, input, output, rows, cols);
    LAUNCH(again, input, output, rows, cols);
}
"""


@pytest.mark.compiler
def test_kernels_that_a_macro_launches_have_their_own_names(tmp_path: Path) -> None:
    path = tmp_path / "macros.cu"
    path.write_text(MACROS)
    names = [kernel.name for kernel in counted("transpose", path, rows=16, cols=16).kernels]
    assert names == ["copy_of<float, 16>", "again"]
