"""ptxas's report, recorded from nvcc 13.0, and the finding that it gives rise to."""

from dataclasses import replace

import pytest

from harness.analysis import analysed
from harness.build.ptxas import KernelResources, parse, plain_name
from harness.model import BuildInfo, Report, Verdict

LOG = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z6matmulPKfS0_Pfiii' for 'sm_90'
ptxas info    : Function properties for _Z6matmulPKfS0_Pfiii
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 38 registers, used 1 barriers, 2048 bytes smem
ptxas info    : Compile time = 11.231 ms
ptxas info    : Compiling entry function '_ZN2ns5greedILi4EEEvPf' for 'sm_90'
ptxas info    : Function properties for _ZN2ns5greedILi4EEEvPf
    1072 bytes stack frame, 24 bytes spill stores, 36 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers, 1072 bytes cumulative stack size
"""


def test_kernels_with_their_registers_spills_and_shared_memory() -> None:
    assert parse(LOG) == (
        KernelResources("matmul", registers=38, shared=2048),
        KernelResources(
            *("greed", 255, 1072, 24, 36),
            numbers=("4",),
        ),
    )


@pytest.mark.parametrize("text", ["", "nothing of ptxas\n", "ptxas info : Used 3 registers"])
def test_other_text_gives_nothing(text: str) -> None:
    assert parse(text) == ()


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("_Z6matmulPKf", "matmul"),
        ("_ZN2ns5greedILi4EEEvPf", "greed"),
        ("_ZN12_GLOBAL__N_15innerEPf", "inner"),
        ("_ZL6kerneli", "kernel"),
        ("plain", "plain"),
    ],
)
def test_a_mangled_name_reads_as_it_was_written(mangled: str, name: str) -> None:
    assert plain_name(mangled) == name


def test_a_spill_is_said_and_decides_nothing() -> None:
    build = BuildInfo(("nvcc",), 1.0, False, log=LOG)
    report = Report("matmul", "v.cu", "cuda", Verdict.ACCEPTED, "", 1, build=build)
    found = analysed(report)
    assert found.verdict is Verdict.ACCEPTED
    assert [f.severity for f in found.findings] == ["info"]
    assert "greed spills 24 bytes" in found.findings[0].message
    assert analysed(replace(report, build=None)).findings == ()
