"""Compilers for the tests of the runtime's headers, and programs linked with the runtime."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path

import linked_runtime

from harness.backends import cpu
from harness.backends.cpu.job import WRAPPED
from harness.backends.cpu.toolchain import find_toolchain

FOLDER = Path(__file__).parent
RUNTIME = Path(cpu.__file__).with_name("runtime")

_STRICT = ("-std=c++17", "-Wall", "-Wextra", "-Werror", "-I", str(RUNTIME), "-fsyntax-only")
_OPTIONS = ("-std=c++17", "-O1", "-fPIC", "-g1", "-fno-strict-aliasing", "-I", str(RUNTIME))


def compilers() -> tuple[str, ...]:
    """The host's compilers: the one that judges, and clang where there is one."""
    toolchain = find_toolchain()
    first = toolchain.command[0] if toolchain else ""
    found = (first, shutil.which("clang++") or "")
    return tuple(dict.fromkeys(name for name in found if name))


def errors_of(compiler: str, text: str, folder: Path) -> str:
    """What a compiler says of a text, all warnings on: nothing when all is well."""
    source = folder / "text.cpp"
    source.write_text(text)
    done = subprocess.run([compiler, *_STRICT, str(source)], capture_output=True, text=True)
    assert (done.returncode == 0) == (not done.stderr)
    return done.stderr


class Programs:
    """Programs of this folder, made in ``folder``."""

    def __init__(self, compiler: str, folder: Path) -> None:
        self._compiler = compiler
        self._folder = folder
        self._objects = linked_runtime.objects(folder)

    def output(self, name: str) -> str:
        """Runs the program of a file and returns what it prints."""
        done = self._start(name)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def last_words(self, name: str, argument: str) -> str:
        """Runs a program that must end by SIGABRT and returns what it wrote to stderr."""
        done = self._start(name, argument)
        assert done.returncode == -signal.SIGABRT
        return done.stderr

    def _start(self, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        program = self._folder / Path(name).stem
        if not program.exists():
            language = ("-include", "cuda_runtime.h", "-x", "c++", str(FOLDER / name), "-x", "none")
            before, *behind = self._objects
            self._run(before, *language, *behind, *WRAPPED, "-lpthread", "-lm", "-o", str(program))
        command = [str(program), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def _run(self, *arguments: str) -> None:
        command = [self._compiler, *_OPTIONS, *arguments]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
