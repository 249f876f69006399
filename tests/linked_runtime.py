"""The cpu backend's runtime as programs of the tests link it: the objects that solutions get, too,
and its headers precompiled, because to read them is most of what compiling a small program costs.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from harness.backends.cpu import prebuilt, runtime_objects, runtime_units
from harness.backends.cpu.build import runtime_key
from harness.backends.cpu.toolchain import Toolchain, required_toolchain
from harness.build.cache import Cache
from harness.build.compiler import Limits

_HEADER = "cuda_runtime.h"


def objects(folder: Path) -> list[str]:
    """As compile.py links them: one before the solution, one right behind it, then the others.
    Made in ``folder`` where they were not made ahead."""
    toolchain = required_toolchain()
    cache = Cache()
    key = runtime_key(toolchain, cache)
    made = prebuilt.get(key) or cache.get(key) or _made(toolchain, key, cache, folder)
    around = [str(made / f"{name}.o") for name in runtime_units.AROUND]
    return around + sorted({str(path) for path in made.glob("*.o")} - set(around))


def _made(toolchain: Toolchain, key: str, cache: Cache, folder: Path) -> Path:
    units, limits = runtime_units.units(), Limits()
    runs = runtime_objects.compile_units(units, toolchain, limits, folder)
    return cache.put(key, runtime_objects.finish(units, runs, toolchain, limits, folder))


def precompile(compiler: Sequence[str], options: Sequence[str], folder: Path) -> None:
    """Make what g++ takes for ``-include cuda_runtime.h`` when it runs in ``folder`` with the same
    options; another compiler, or one with other options, reads the header itself."""
    begin = folder / "begin" / _HEADER
    begin.parent.mkdir()
    begin.write_text(f"#include <{_HEADER}>\n")
    made = f"{_HEADER}.gch"
    command = [*compiler, *options, "-x", "c++-header", str(begin), "-o", made]
    if not required_toolchain().clang:
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
