"""The runtime's objects and precompiled headers, made when leetk was installed, so that nobody
waits for them later.

``pip install -e .`` does it (``hatch_build.py``), into a folder beside this file that is laid out
like a cache and is found by the same keys: after a change of the runtime or of the compiler they
are simply not found, and the first run makes them. A wheel is the same for all machines and comes
without.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from harness.backends.cpu import precompiled, runtime_objects, runtime_units
from harness.backends.cpu.build import runtime_key
from harness.backends.cpu.toolchain import find_toolchain
from harness.build.cache import Cache
from harness.build.compiler import Limits, run_compilers
from harness.model import BuildOptions

FOLDER = Path(__file__).with_name("prebuilt")


def get(key: str, folder: Path = FOLDER) -> Path | None:
    """The folder with the objects of that key, or None."""
    return Cache(folder).get(key) if folder.is_dir() else None


def make(folder: Path = FOLDER) -> None:
    """Compile the objects for the compiler of this machine, if there is one.

    Raises JudgeError or ToolchainMissing.
    """
    toolchain = find_toolchain()
    if toolchain is None:
        return
    folder.mkdir(exist_ok=True)
    cache = Cache(folder)
    key = runtime_key(toolchain, cache)
    work = cache.work_folder()
    try:
        if cache.get(key) is None:
            units, limits = runtime_units.units(), Limits()
            runs = runtime_objects.compile_units(units, toolchain, limits, work)
            cache.put(key, runtime_objects.finish(units, runs, toolchain, limits, work))
        headers = precompiled.Headers(toolchain, BuildOptions(checked=True), key)
        if headers.key and cache.get(headers.key) is None:
            (run,) = run_compilers([headers.command(work)], limits=Limits(), cwd=work)
            headers.keep(cache, run, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    make()
