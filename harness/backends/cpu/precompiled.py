"""The runtime's headers, precompiled: to read them is most of what compiling a solution costs.

g++ takes ``cuda_runtime.h.gch`` for ``-include cuda_runtime.h`` where that lies in its current
folder, was made by the same compiler and fits the other options, and else the header itself; the
object is the same. It is made beside the first solution that needs it, or ahead (prebuilt.py).

For instrumented builds alone. What g++ restores from such a file includes where its dump of calls
goes, so that a build with ``callgraph.DUMP_OPTION`` would leave an empty one and no rule about
calls would hold. clang++ does without: it would have to be told, and checks less of what it takes.
"""

from __future__ import annotations

from pathlib import Path

from harness.backends.cpu.job import language_options
from harness.backends.cpu.runtime_units import RUNTIME
from harness.backends.cpu.toolchain import Toolchain
from harness.build.cache import Cache
from harness.build.compiler import CompilerRun
from harness.model import BuildOptions

_HEADER = "cuda_runtime.h"
_NAME = f"{_HEADER}.gch"
# A folder and a name under which no compiler finds it that runs meanwhile.
_SOURCE = "precompiled"
_MADE = f"{_SOURCE}/made"


class Headers:
    """Those for one compiler and one kind of build. ``key`` is the cache's; empty where there are
    none."""

    def __init__(self, toolchain: Toolchain, options: BuildOptions, runtime_key: str) -> None:
        words = (*toolchain.command, *language_options(toolchain, options))
        self._command = (*words, "-isystem", str(RUNTIME), "-x", "c++-header")
        wanted = (options.traced or options.checked) and not toolchain.clang
        self.key = Cache.key(("headers", runtime_key, *words)) if wanted else ""

    def command(self, work: Path) -> tuple[str, ...]:
        """Makes them in ``work``."""
        source = work / _SOURCE / _HEADER
        source.parent.mkdir(exist_ok=True)
        # One that includes the runtime's: what is read first itself is no system header.
        source.write_text(f"#include <{_HEADER}>\n", "utf-8")
        return (*self._command, f"{_SOURCE}/{_HEADER}", "-o", _MADE)

    def keep(self, cache: Cache, run: CompilerRun, work: Path) -> None:
        """Put what ``run`` made into the cache; without them nothing but time is lost."""
        if run.code == 0:
            cache.put(self.key, {_NAME: work / _MADE})


def offer(entry: Path, work: Path) -> None:
    """Have a compiler that runs in ``work`` find the headers of this entry."""
    (work / _NAME).symlink_to(entry / _NAME)


def withdraw(run: CompilerRun, work: Path) -> bool:
    """Whether headers were offered to a run that failed for them: then they are no more."""
    words = ("PCH", "precompiled header", ".gch")
    if run.code == 0 or not (work / _NAME).is_symlink() or not any(w in run.output for w in words):
        return False
    (work / _NAME).unlink()
    return True
