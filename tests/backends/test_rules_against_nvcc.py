"""The samples of CUDA's compile-time rules, given to the real nvcc and to the host compiler.

nvcc must accept exactly the samples that the rules and the host compiler together accept. It
compiles and links as the cuda backend does; nothing runs, so no GPU is needed.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import linked_runtime
import pytest

from harness.backends.cpu.rewrite import rewrite
from harness.backends.cpu.rules import check
from harness.backends.cpu.runtime_units import RUNTIME
from harness.backends.cpu.toolchain import find_toolchain
from harness.backends.cuda.toolkit import find_toolkit
from harness.errors import ToolchainMissing

pytestmark = pytest.mark.compiler

_SAMPLE = re.compile(r"^== (?P<kind>error|fine|host|gap) (?P<name>.*)$", re.MULTILINE)
_NVCC = ("-O3", "-std=c++17", "-arch=sm_90", "-shared", "-Xcompiler=-fPIC", "-Xlinker=-z,defs")
_HOST = ("-std=c++17", "-w", "-isystem", str(RUNTIME))
_CHECK = ("-fsyntax-only", "-include", "cuda_runtime.h")
_SECONDS = 120


@dataclass(frozen=True)
class Sample:
    """A source and what is to become of it: see the head of cuda_rules.samples."""

    kind: str
    name: str
    source: str

    @property
    def marked(self) -> set[int]:
        """The lines that are at fault."""
        lines = enumerate(self.source.splitlines(), 1)
        return {number for number, line in lines if line.endswith("//!")}


@dataclass(frozen=True)
class Compiled:
    """What the compilers said. ``lines`` are those of nvcc's errors that name one."""

    nvcc: bool
    lines: set[int]
    host: bool
    output: str


def _samples() -> list[Sample]:
    text = Path(__file__).with_name("cuda_rules.samples").read_text("utf-8")
    found = list(_SAMPLE.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    pairs = zip(found, ends, strict=True)
    return [Sample(m["kind"], m["name"], text[m.end() + 1 : end]) for m, end in pairs]


Results = Callable[[Sample], Compiled]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Compiles a sample with both compilers."""
    try:
        toolkit = find_toolkit()
    except ToolchainMissing:
        pytest.skip("no nvcc")
    if toolkit.version[0] != 13:
        pytest.skip(f"the samples are for nvcc 13, this is {toolkit.release}")
    toolchain = find_toolchain()
    if toolchain is None:
        pytest.skip("no C++ compiler")
    host = toolchain.command
    folder = tmp_path_factory.mktemp("samples")
    linked_runtime.precompile(host, _HOST, folder)
    numbers = count()
    return lambda sample: _compile(
        sample, folder / f"sample{next(numbers)}.cu", str(toolkit.nvcc), host
    )


def _compile(sample: Sample, place: Path, nvcc: str, host: tuple[str, ...]) -> Compiled:
    place.write_text(sample.source, "utf-8")
    code, output = _run([nvcc, *_NVCC, place.name, "-o", f"{place.name}.so"], place.parent)
    named = re.findall(rf"{re.escape(place.name)}\((\d+)\): error", output)
    plain = place.with_suffix(".cpp")
    plain.write_text(rewrite(sample.source, place.name).text, "utf-8")
    host_code, host_output = _run([*host, *_HOST, *_CHECK, plain.name], place.parent)
    return Compiled(code == 0, {int(n) for n in named}, host_code == 0, output + host_output)


def _run(command: list[str], folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        command,
        cwd=folder,
        timeout=_SECONDS,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("sample", _samples(), ids=lambda sample: sample.name)
def test_nvcc_agrees(sample: Sample, results: Results) -> None:
    compiled = results(sample)
    silent = not any(found.severity == "error" for found in check(sample.source, "a.cu"))
    accepted_here = silent and compiled.host
    assert compiled.nvcc == (sample.kind == "fine"), compiled.output
    if sample.kind == "gap":
        assert accepted_here, "no gap any more: call the sample an error"
    else:
        assert compiled.nvcc == accepted_here, compiled.output
    if sample.kind == "error":
        assert compiled.lines <= sample.marked, compiled.output
