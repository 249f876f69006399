"""Builds the programs of this folder: for the CPU as the cpu backend does it, or with nvcc."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import linked_runtime
import pytest

import harness.backends.cpu
from harness.backends.cpu.job import WRAPPED
from harness.backends.cpu.rewrite import rewrite
from harness.backends.cpu.toolchain import find_toolchain

FOLDER = Path(__file__).parent
RUNTIME = Path(harness.backends.cpu.__file__).with_name("runtime")

# As runtime/README.md says.
_SOLUTION = (
    *("-std=c++17", "-O2", "-fPIC", "-g1", "-ffp-contract=fast", "-fwrapv", "-fno-strict-aliasing"),
    *("-fno-math-errno", "-fno-builtin-malloc", "-fno-builtin-free", "-fstack-clash-protection"),
    *("-fstack-protector-strong", "-fvisibility=hidden", "-fno-finite-loops"),
    *("-fsanitize=alignment", "-fno-sanitize-recover=alignment"),
    *("-isystem", str(RUNTIME)),
)


class CpuPrograms:
    """Compiles against the runtime, in ``folder``."""

    def __init__(self, folder: Path) -> None:
        toolchain = find_toolchain()
        if toolchain is None:
            pytest.skip("no C++ compiler")
        self._compiler = toolchain.command
        self._folder = folder
        self._objects = linked_runtime.objects(folder)
        linked_runtime.precompile(self._compiler, _SOLUTION, folder)

    def program(self, source: Path) -> Path:
        """An executable of a file with a ``main``."""
        return self._link(source, source.stem, ())

    def library(self, source: Path) -> Path:
        """A shared library of a file with a visible ``solve``."""
        return self._link(source, f"{source.stem}.so", ("-shared",))

    def _link(self, source: Path, name: str, options: Sequence[str]) -> Path:
        text = self._folder / f"{name}.cpp"
        text.write_text(rewrite(source.read_text(), str(source)).text)
        made, target = self._folder / f"{name}.o", self._folder / name
        self._run(*_SOLUTION, "-include", "cuda_runtime.h", "-c", str(text), "-o", str(made))
        before, *behind = self._objects
        parts = (before, str(made), *behind)
        self._run(*options, *parts, *WRAPPED, "-lpthread", "-lm", "-o", str(target))
        return target

    def _run(self, *arguments: str) -> None:
        command = [*self._compiler, *arguments]
        done = subprocess.run(command, cwd=self._folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def output_of(program: Path, **environment: str) -> str:
    """What the program prints; it must end well and say nothing on stderr but findings."""
    done = subprocess.run(
        [str(program)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr}"
    return done.stdout
