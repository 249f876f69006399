"""Every ``.cu`` file here is a program for one feature of CUDA, and prints what its ``.expected``
says: with the cpu backend's runtime in every order of threads, and on a GPU."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from programs import FOLDER, CpuPrograms, output_of

PROGRAMS = sorted(FOLDER.glob("*.cu"))


def expected(source: Path) -> str:
    return source.with_suffix(".expected").read_text()


def test_each_program_says_what_it_prints() -> None:
    assert PROGRAMS
    assert {path.stem for path in PROGRAMS} == {path.stem for path in FOLDER.glob("*.expected")}


@pytest.mark.compiler
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_on_the_cpu(source: Path, cpu_programs: CpuPrograms) -> None:
    program = cpu_programs.program(source)
    for order in ("forward", "backward", "shuffled"):
        assert output_of(program, LEETK_ORDER=order, LEETK_SEED="7") == expected(source), order


@pytest.mark.gpu
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_on_a_gpu(source: Path, tmp_path: Path) -> None:
    from harness.backends.cuda.toolkit import find_toolkit

    program = tmp_path / source.stem
    toolkit = find_toolkit()
    options = ("-std=c++17", "-arch=native", *toolkit.link_flags())
    command = [str(toolkit.nvcc), *options, "-o", str(program), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    assert output_of(program) == expected(source)
