"""The runtime's headers precompiled: taken by g++, without a trace in what it makes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from harness.backends.cpu import prebuilt, precompiled
from harness.backends.cpu.backend import CpuBackend
from harness.backends.cpu.build import runtime_key
from harness.backends.cpu.compile import _compile_command, _write
from harness.backends.cpu.job import make_job
from harness.backends.cpu.toolchain import find_toolchain, required_toolchain
from harness.build.cache import VARIABLE, Cache
from harness.catalog import find_problem
from harness.model import BuildOptions
from harness.source import read_source

SOLUTIONS = Path(__file__).parents[2] / "solutions"
GCC = (found := find_toolchain()) is not None and not found.clang

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(not GCC, reason="no g++: other compilers do without"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache entry of those for a checked build, made by a build in an empty cache."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(folder))
        patch.setattr(prebuilt, "get", lambda key: None)
        build("v1.cu")
    (file,) = folder.glob("*/cuda_runtime.h.gch")
    return file.parent


def build(name: str) -> Path:
    problem, source = find_problem("matmul"), read_source(SOLUTIONS / name)
    return CpuBackend().build(problem, source, BuildOptions(checked=True)).library


def compiled(name: str, work: Path, headers: Path | None) -> tuple[bytes, str]:
    """The object of a checked build, and which headers g++ says that it read."""
    work.mkdir()
    problem, source = find_problem("matmul"), read_source(SOLUTIONS / name)
    options = BuildOptions(checked=True)
    job = make_job(problem, source, [], options, required_toolchain(), Cache(work / "cache"))
    _write(job, work)
    if headers is not None:
        precompiled.offer(headers, work)
    command = [*_compile_command(job, work), "-H"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=True)
    return (work / "solution.o").read_bytes(), done.stderr


@pytest.mark.parametrize("name", ["v1.cu", "v5.cu"])
def test_the_object_is_the_same(name: str, made: Path, tmp_path: Path) -> None:
    plain, read = compiled(name, tmp_path / "plain", None)
    assert "cuda_runtime.h.gch" not in read
    quick, read = compiled(name, tmp_path / "quick", made)
    assert read.startswith("! ./cuda_runtime.h.gch\n")  # as it marks one that it takes
    assert quick == plain


@pytest.mark.parametrize("kept", [0, 100, 50_000, 5_000_000])
def test_one_that_is_cut_off_costs_only_time(
    kept: int, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoilt = tmp_path / "spoilt"
    spoilt.mkdir()
    whole = (made / "cuda_runtime.h.gch").read_bytes()
    (spoilt / "cuda_runtime.h.gch").write_bytes(whole[:kept])
    runtime = prebuilt.get
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    key = runtime_key(required_toolchain(), Cache())
    monkeypatch.setattr(prebuilt, "get", lambda k: runtime(k) if k == key else spoilt)
    assert build("v1.cu").exists()


def test_plain_builds_do_without() -> None:
    """Their dump of calls would be empty."""
    toolchain = required_toolchain()
    assert precompiled.Headers(toolchain, BuildOptions(), "key").key == ""
    assert precompiled.Headers(toolchain, BuildOptions(checked=True), "key").key
    assert precompiled.Headers(toolchain, BuildOptions(traced=True), "key").key
