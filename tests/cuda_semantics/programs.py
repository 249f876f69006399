"""Builds the programs of this folder: for the CPU as the cpu backend does it, or with nvcc."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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
    *("-isystem", str(RUNTIME), "-include", "cuda_runtime.h"),
)
_RUNTIME = ("-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-w", "-I", str(RUNTIME))


class CpuPrograms:
    """Compiles against the runtime, whose objects it makes once, in ``folder``."""

    def __init__(self, folder: Path) -> None:
        toolchain = find_toolchain()
        if toolchain is None:
            pytest.skip("no C++ compiler")
        self._compiler = toolchain.command
        self._folder = folder
        # As compile.py links them: one before the solution, one right behind it, then the others.
        places = {"before": 0, "after": 1}
        sources = sorted(RUNTIME.rglob("*.cpp"), key=lambda p: (places.get(p.stem, 2), p))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            self._objects = list(pool.map(self._runtime_object, sources))

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
        self._run(*_SOLUTION, "-c", str(text), "-o", str(made))
        before, *behind = self._objects
        parts = (before, str(made), *behind)
        self._run(*options, *parts, *WRAPPED, "-lpthread", "-lm", "-o", str(target))
        return target

    def _runtime_object(self, source: Path) -> str:
        made = self._folder / ("-".join(source.relative_to(RUNTIME).parts) + ".o")
        self._run(*_RUNTIME, "-c", str(source), "-o", str(made))
        return str(made)

    def _run(self, *arguments: str) -> None:
        done = subprocess.run([*self._compiler, *arguments], capture_output=True, text=True)
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
