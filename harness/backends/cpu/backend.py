"""The judge's half of the cpu backend."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.backends.base import Probe
from harness.model import Artifact, BuildOptions, Case, CaseData, Problem, Source
from harness.wire import RunOptions, RuntimeReport

if TYPE_CHECKING:
    from harness.backends.base import Checker, Profiler
    from harness.backends.cpu.toolchain import Toolchain
    from harness.build.cache import Cache


class CpuBackend:
    """Builds with the host's C++ compiler and runs the threads of a block as fibers."""

    name = "cpu"
    runner = "harness.backends.cpu.runner:CpuRunner"
    red_zone = 16384
    max_work = 2e8
    total_work = 2e9
    slots = min(os.cpu_count() or 1, 4)
    can_time = False
    checks = True
    runs = (RunOptions("forward", poison=0), RunOptions("shuffled", seed=1, poison=1))

    def __init__(self) -> None:
        self._caches: dict[bool, Cache] = {}

    def absent(self) -> bool:
        """A CPU is always here."""
        return False

    def probe(self) -> Probe:
        """Whether there is a compiler; nothing is compiled."""
        from harness.backends.base import Missing
        from harness.backends.cpu import toolchain
        from harness.errors import ToolchainMissing

        try:
            found = toolchain.find_toolchain()
        except ToolchainMissing as error:
            wrong = Missing(str(error), "unset CXX, or set it to a C++ compiler")
            return Probe(False, _device(), (wrong,))
        if found is None:
            return Probe(False, _device(), (toolchain.no_compiler(),))
        return Probe(True, _device())

    def environment(self) -> Mapping[str, str]:
        """The compiler's version and the number of processors."""
        from harness.backends.cpu import toolchain
        from harness.errors import ToolchainMissing

        facts = {"processors": str(os.cpu_count() or 1)}
        try:
            found = toolchain.find_toolchain()
        except ToolchainMissing:
            found = None
        if found is not None:
            text = self._version(found) or "of unknown version"
            facts["compiler"] = f"{' '.join(found.command)}: {text}"
        return facts

    def build(
        self,
        problem: Problem,
        source: Source,
        options: BuildOptions,
        compiling: Callable[[], None] = lambda: None,
    ) -> Artifact:
        """Build with the host's compiler.

        Raises CompileFailed, Refused, or ToolchainMissing with the command that brings a compiler.
        """
        from harness.backends.cpu.build import build
        from harness.backends.cpu.toolchain import required_toolchain

        cache = self._cache(options)
        return build(problem, source, options, required_toolchain(), cache, compiling)

    def remembered(
        self, options: BuildOptions, parts: Iterable[str], make: Callable[[], str]
    ) -> str:
        """In the cache."""
        return self._cache(options).text(parts, make)

    def config(self) -> Mapping[str, Any]:
        """The runner needs nothing to start."""
        return {}

    def locate(self, artifact: Artifact, report: RuntimeReport) -> tuple[str, int]:
        """The author's file and line of a report's ``pc``."""
        from harness.backends.cpu.locate import locate
        from harness.backends.cpu.runtime_units import RUNTIME

        return locate(artifact.library, report.pc, str(RUNTIME))

    def places(self, artifact: Artifact, pcs: Iterable[int]) -> Mapping[int, tuple[str, int, int]]:
        """The author's file, line and column of each of these offsets into the library; ``("", 0,
        0)`` where it is not known. Quicker than ``locate`` for many."""
        from harness.backends.cpu.locate import places
        from harness.backends.cpu.runtime_units import RUNTIME
        from harness.source.read import read_text

        return places(artifact.library, pcs, str(RUNTIME), read_text)

    def prepare(self, problem: Problem, case: Case) -> CaseData | None:
        """None: numpy computes the references."""
        return None

    def profiler(self, options: BuildOptions) -> Profiler:
        """Hooks in the built library."""
        from harness.backends.cpu.profiler import TracingProfiler

        return TracingProfiler(options, self.places)

    def checkers(self, options: BuildOptions) -> Sequence[Checker]:
        """Hooks in the built library."""
        from harness.backends.cpu.checker import AccessChecker

        return (AccessChecker(options, self.places),)

    def _version(self, compiler: Toolchain) -> str:
        """What it says of itself, asked once and then remembered beside what it has built."""
        from harness.backends.cpu.toolchain import version

        for cache in self._caches.values():
            return cache.text(("compiler", compiler.identity), lambda: version(compiler))
        return version(compiler)

    def _cache(self, options: BuildOptions) -> Cache:
        """The user's cache, or one for this process; kept, because a temporary folder goes with
        its object."""
        from harness.build.cache import Cache

        if options.use_cache not in self._caches:
            self._caches[options.use_cache] = Cache(private=not options.use_cache)
        return self._caches[options.use_cache]


def _device() -> str:
    return f"{os.uname().machine} host, {os.cpu_count() or 1} processors"
