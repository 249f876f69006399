"""A profile's kernels and what ptxas says of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.analysis import resources
from harness.analysis.resources import PtxasLog, ptxas_log, with_resources
from harness.backends.cuda.toolkit import Toolkit
from harness.build.ptxas import KernelResources
from harness.catalog import find_problem
from harness.counters import KernelCounters, Profile, Resources
from harness.errors import CompileFailed, ToolchainMissing
from harness.model import BuildOptions
from harness.source import read_source

KERNEL = KernelCounters("matmul", (4, 4, 1), (16, 16, 1), 1, 16, 16, (), dynamic_shared=1024)
PROFILE = Profile("matmul", "a.cu", "cpu", {}, 1, (KERNEL,))
LOG = """\
ptxas info    : Compiling entry function '_Z6matmulPKfS0_Pfiii' for 'sm_90'
    0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 2048 bytes smem
ptxas info    : Compiling entry function '_Z1kILi16EEvPf' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 16 registers
ptxas info    : Compiling entry function '_Z1kILi32EEvPf' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers
"""


def test_static_and_dynamic_shared_memory_are_added() -> None:
    (kernel,) = with_resources(PROFILE, LOG, "sm_90").kernels
    assert kernel.resources == Resources(64, 4, 8, 3072, 0.5, "registers", "sm_90")


def test_what_is_known_already_stays() -> None:
    known = Resources(1, 0, 0, 0, 1.0, "threads", "sm_80")
    given = replace(PROFILE, kernels=(replace(KERNEL, resources=known),))
    assert with_resources(given, LOG, "sm_90") == given


@pytest.mark.parametrize(("log", "arch"), [("", "sm_90"), (LOG, "sm_999")])
def test_without_a_report_nothing_changes(log: str, arch: str) -> None:
    assert with_resources(PROFILE, log, arch) == PROFILE


@pytest.mark.parametrize(
    ("name", "registers"),
    [
        ("k<16>", 16),
        ("k<32>", 32),
        ("ns::k<32>", 32),
        ("k<TILE>", None),
        ("k", None),
        ("other", None),
    ],
)
def test_instances_of_a_template_are_told_apart_or_left_out(
    name: str, registers: int | None
) -> None:
    given = replace(PROFILE, kernels=(replace(KERNEL, name=name),))
    (kernel,) = with_resources(given, LOG, "sm_90").kernels
    assert (kernel.resources.registers if kernel.resources else None) == registers


def test_bools_among_a_templates_arguments_are_ones_and_zeros() -> None:
    both = [
        KernelResources("matmul", 20, numbers=("1", "0")),
        KernelResources("matmul", 30, numbers=("1", "1")),
    ]
    for name, registers in (("matmul<true, false>", 20), ("matmul<true, true>", 30)):
        found = resources.resources(replace(KERNEL, name=name), both, "sm_90")
        assert found is not None and found.registers == registers


def test_instances_that_take_the_same_need_not_be_told_apart() -> None:
    both = [KernelResources("matmul", 20, numbers=("1",)), KernelResources("matmul", 20)]
    found = resources.resources(KERNEL, both, "sm_90")
    assert found is not None and found.registers == 20


# --- nvcc --------------------------------------------------------------------------------------


def log_of(tmp_path: Path) -> PtxasLog:
    path = tmp_path / "a.cu"
    path.write_text('extern "C" void solve(const float* input, float* output, int rows, int cols);')
    return ptxas_log(find_problem("transpose"), read_source(path), BuildOptions(use_cache=False))


def test_without_an_nvcc_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(option: str) -> None:
        raise ToolchainMissing("no nvcc found")

    monkeypatch.setattr("harness.backends.cuda.toolkit.find_toolkit", nowhere)
    assert log_of(tmp_path) == PtxasLog("sm_90")


def test_an_nvcc_that_fails_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise CompileFailed("a.cu:1: no\nand more")

    toolkit = Toolkit(Path("nvcc"), (13, 0), "", "")
    monkeypatch.setattr("harness.backends.cuda.toolkit.find_toolkit", lambda option: toolkit)
    monkeypatch.setattr("harness.backends.cuda.build.build", fails)
    found = log_of(tmp_path)
    assert found.text == ""
    assert found.note == "no registers and occupancy, as nvcc fails: a.cu:1: no"
