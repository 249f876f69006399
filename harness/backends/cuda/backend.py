"""The judge's half of the cuda backend."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.backends.base import Probe
from harness.errors import ToolchainMissing
from harness.model import Artifact, BuildOptions, Case, CaseData, Problem, Source
from harness.timeline import followed
from harness.wire import RunOptions, RuntimeReport

if TYPE_CHECKING:
    from harness.backends.base import Checker, Profiler
    from harness.backends.cuda.probe import Machine
    from harness.build.cache import Cache


class CudaBackend:
    """Builds with nvcc and judges on the first GPU that the driver shows."""

    name = "cuda"
    runner = "harness.backends.cuda.runner:CudaRunner"
    # Every write just outside an array begins in a zone, and 2 MiB of spare device memory lie
    # beyond the outer ones; each case is filled, copied and checked twice, zones included.
    red_zone = 1 << 18
    max_work = 1e11
    total_work = 1e13
    slots = 1
    can_time = True
    checks = False
    runs = (RunOptions(poison=0), RunOptions(poison=1))

    def __init__(self, nvcc: str = "") -> None:
        """``nvcc``: the user's ``--nvcc``, a program or a toolkit's folder, or ""."""
        self._nvcc = nvcc
        self._machine: Machine | None = None
        self._looking = threading.Lock()
        # A private cache goes with its object, and a library in it must outlast the build.
        self._caches: dict[bool, Cache] = {}

    def absent(self) -> bool:
        """Whether there is no driver's library. Wrong options are for ``probe`` to find."""
        from harness.backends.cuda.libcuda import open_libcuda

        return not self._nvcc and open_libcuda() is None

    def probe(self) -> Probe:
        """What is here. Raises UsageError for an ``nvcc`` that is none."""
        return self._look().probe

    def environment(self) -> Mapping[str, str]:
        """Facts for the report."""
        return self._look().probe.facts

    def build(
        self,
        problem: Problem,
        source: Source,
        options: BuildOptions,
        compiling: Callable[[], None] = lambda: None,
    ) -> Artifact:
        """Build with nvcc for ``options.arch``, else for the device's architecture.

        Raises CompileFailed, or ToolchainMissing when there is no nvcc or no architecture.
        """
        from harness.backends.cuda.build import build
        from harness.backends.cuda.toolkit import find_toolkit
        from harness.build.cache import Cache

        machine = self._look()
        toolkit = machine.toolkit
        if toolkit is None or (options.nvcc and options.nvcc != self._nvcc):
            toolkit = find_toolkit(options.nvcc or self._nvcc)
        arch = options.arch
        if not arch:
            if machine.driver is None:
                raise ToolchainMissing(
                    "there is no GPU to take the architecture from: name one, such as sm_90"
                )
            arch = machine.driver.devices[0].target(toolkit.version)
        if options.use_cache not in self._caches:
            self._caches[options.use_cache] = Cache(private=not options.use_cache)
        cache = self._caches[options.use_cache]
        return build(problem, source, options, toolkit, arch, cache)

    def remembered(
        self, options: BuildOptions, parts: Iterable[str], make: Callable[[], str]
    ) -> str:
        """Made each time: nothing is looked at beside the judging."""
        return make()

    def config(self) -> Mapping[str, Any]:
        """What the runner is opened with."""
        cublas = self._look().cublas
        return {
            "device": 0,
            "cublas": str(cublas) if cublas is not None else "",
            "timeline": followed(),
        }

    def locate(self, artifact: Artifact, report: RuntimeReport) -> tuple[str, int]:
        """Nothing runs on the CPU here whose place could be told."""
        return ("", 0)

    def prepare(self, problem: Problem, case: Case) -> CaseData | None:
        """A matmul-like case's data with the reference computed by cuBLAS in float64; None to use
        numpy."""
        from harness.backends.cuda.oracle import prepare

        machine = self._look()
        if machine.driver is None or machine.cublas is None or machine.driver.devices[0].exclusive:
            return None
        return prepare(problem, case, machine.cublas)

    def profiler(self, options: BuildOptions) -> Profiler:
        """Nsight Compute. Raises ToolchainMissing where it is not here."""
        from harness.backends.cuda.profiler import NcuProfiler

        return NcuProfiler.find(options)

    def checkers(self, options: BuildOptions) -> Sequence[Checker]:
        """The tools of compute-sanitizer. Raises ToolchainMissing where it is not here."""
        from harness.backends.cuda.sanitizer import find_checkers

        return find_checkers(options)

    def _look(self) -> Machine:
        # The perf case's data are made on another thread; a caller may also probe on one.
        with self._looking:
            if self._machine is None:
                from harness.backends.cuda.probe import look

                self._machine = look(self._nvcc)
            return self._machine
