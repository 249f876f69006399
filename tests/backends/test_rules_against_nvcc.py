"""The samples of CUDA's compile-time rules, held against nvcc and the host compiler.

nvcc must accept exactly the samples that the rules and the host compiler together accept. What nvcc
says was noted (nvcc_record.py); one sample of each kind is given to it again where there is one.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import linked_runtime
import nvcc_record
import pytest
from nvcc_record import Sample

from harness.backends.cpu.rewrite import rewrite
from harness.backends.cpu.rules import check
from harness.backends.cpu.runtime_units import RUNTIME
from harness.backends.cpu.toolchain import find_toolchain
from harness.backends.cuda.toolkit import find_toolkit
from harness.errors import ToolchainMissing

pytestmark = pytest.mark.compiler

_HOST = ("-std=c++17", "-w", "-isystem", str(RUNTIME))
_CHECK = ("-fsyntax-only", "-include", "cuda_runtime.h")
_SECONDS = 120
SAMPLES = nvcc_record.samples()
RECORDED = nvcc_record.recorded()

Accepted = Callable[[Sample], tuple[bool, str]]


@pytest.fixture(scope="module")
def by_host(tmp_path_factory: pytest.TempPathFactory) -> Accepted:
    """Whether the host compiler accepts a sample as it is rewritten, and what it says."""
    toolchain = find_toolchain()
    if toolchain is None:
        pytest.skip("no C++ compiler")
    folder = tmp_path_factory.mktemp("samples")
    linked_runtime.precompile(toolchain.command, _HOST, folder)

    def compile_it(sample: Sample) -> tuple[bool, str]:
        place = folder / f"{sample.digest}.cpp"
        place.write_text(rewrite(sample.source, place.name).text, "utf-8")
        done = subprocess.run(
            [*toolchain.command, *_HOST, *_CHECK, place.name],
            cwd=folder,
            timeout=_SECONDS,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode == 0, done.stdout

    return compile_it


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_nvcc_agrees(sample: Sample, by_host: Accepted) -> None:
    nvcc = RECORDED.get(sample.digest)
    assert nvcc is not None, "nvcc was not asked: run tests/backends/nvcc_record.py"
    silent = not any(found.severity == "error" for found in check(sample.source, "a.cu"))
    accepted, output = by_host(sample)
    accepted_here = silent and accepted
    assert nvcc.accepted == (sample.kind == "fine")
    if sample.kind == "gap":
        assert accepted_here, "no gap any more: call the sample an error"
    else:
        assert nvcc.accepted == accepted_here, output
    if sample.kind == "error":
        assert set(nvcc.lines) <= sample.marked


def test_the_record_is_of_these_samples() -> None:
    assert set(RECORDED) == {sample.digest for sample in SAMPLES}


@pytest.mark.parametrize("kind", ["error", "fine", "host", "gap"])
def test_the_record_is_what_nvcc_says(kind: str, tmp_path: Path) -> None:
    try:
        toolkit = find_toolkit()
    except ToolchainMissing:
        pytest.skip("no nvcc")
    if toolkit.version[0] != nvcc_record.MAJOR:
        pytest.skip(f"the samples are for nvcc {nvcc_record.MAJOR}, this is {toolkit.release}")
    sample = next(sample for sample in SAMPLES if sample.kind == kind)
    assert nvcc_record.ask(str(toolkit.nvcc), sample, tmp_path) == RECORDED[sample.digest]
