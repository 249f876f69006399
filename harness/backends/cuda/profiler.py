"""The cuda backend's profiler: the worker runs under Nsight Compute."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.backends.base import Counted, Watch
from harness.backends.cuda import ncu
from harness.backends.cuda.tools import Files, find_tool, newest
from harness.build import ptxas
from harness.counters import Resources
from harness.errors import JudgeError, ToolchainMissing
from harness.model import Artifact, BuildOptions, Source
from harness.wire import Counter, TracedKernel, TraceReply

_REPORT = "leetk-ncu"
_LOG = "leetk-ncu.log"
_DUMP = Path(__file__).with_name("ncu_dump.py")
_DUMP_SECONDS = 120.0
# Each launch runs some times, with instructions added, and saves what it overwrites.
_PATIENCE = 30.0


class NcuProfiler:
    """Counts by Nsight Compute's source view."""

    def __init__(self, options: BuildOptions, program: Path, module: Path) -> None:
        """``program`` is ncu, ``module`` the folder of its Python module."""
        self.watch = Watch(
            "Nsight Compute",
            options,
            prefix=ncu.command(program, _REPORT, _LOG),
            patience=_PATIENCE,
            # Its own lock lies in the folder for temporary files, which is the worker's here.
            alone=program,
        )
        self._module = module

    @staticmethod
    def find(options: BuildOptions) -> NcuProfiler:
        """With this machine's ncu. Raises ToolchainMissing."""
        program = find_tool("ncu")
        return NcuProfiler(options, program, find_module(program))

    def examine(self, folder: Path, said: str) -> None:
        """Raises ToolchainMissing where counters may not be read, else JudgeError for what ncu
        says is wrong."""
        log = folder / _LOG
        text = log.read_text("utf-8", "replace") if log.is_file() else said
        wrong = ncu.complaint(text)
        if wrong == ncu.PERMISSION:
            raise ToolchainMissing(wrong)
        if wrong:
            raise JudgeError(wrong)

    def counted(
        self, artifact: Artifact, source: Source, folder: Path, reply: TraceReply
    ) -> Counted:
        """What is in the report; nothing is where no kernel was launched."""
        report = folder / f"{_REPORT}.ncu-rep"
        if not report.is_file():
            return Counted((), (), {})
        files = Files(source)
        found = ncu.launches(read_report(report, self._module), files.own)
        return counted(found, files, spills(artifact.log))


def find_module(program: Path, opt: Path = Path("/opt/nvidia/nsight-compute")) -> Path:
    """The folder of the Python module that belongs to the ncu ``program``, which may be a script
    in a toolkit's folder that starts the newest one. Raises ToolchainMissing."""
    home = program.resolve().parent
    versions = newest(home.parent, "nsight-compute-*") + newest(opt, "*")
    for folder in (home, *versions):
        if (folder / "extras/python/ncu_report.py").is_file():
            return folder / "extras/python"
    raise ToolchainMissing(
        f"{program} has no Python module ncu_report beside it (extras/python): install Nsight "
        "Compute as NVIDIA packs it, and whole"
    )


def read_report(
    report: Path, module: Path, by_kernel: Sequence[str] = ncu.BY_KERNEL
) -> list[Mapping[str, Any]]:
    """What ``ncu_dump`` says of ``report``, with the metrics ``by_kernel``. Raises JudgeError."""
    names = (",".join(ncu.BY_INSTRUCTION), ",".join(by_kernel))
    command = [sys.executable, "-I", str(_DUMP), str(report), str(module), *names]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=_DUMP_SECONDS, check=True, cwd=report.parent
        )
        found: list[Mapping[str, Any]] = json.loads(done.stdout)
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines() or ["it crashed"]
        raise JudgeError(f"Nsight Compute's report cannot be read: {said[-1]}") from None
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise JudgeError(f"Nsight Compute's report cannot be read: {error}") from None
    return found


def counted(
    launches: Iterable[ncu.Launch], files: Files, spilled: Mapping[str, tuple[int, int]]
) -> Counted:
    """The launches added up by kernel. ``spilled``: bytes of spill stores and loads by a kernel's
    mangled name."""
    kernels: dict[str, TracedKernel] = {}
    counters: list[Counter] = []
    places: dict[int, tuple[str, int, int]] = {}
    resources: dict[str, Resources] = {}
    for launch in launches:
        kernels[launch.name] = _with(kernels.get(launch.name), launch)
        resources.setdefault(launch.name, _resources(launch, spilled))
        for access in launch.accesses:
            counters.append(_counter(launch.name, access))
            places[access.pc] = (files.shown(access.file), access.line, 0)
    return Counted(tuple(kernels.values()), tuple(counters), places, resources)


def _with(old: TracedKernel | None, launch: ncu.Launch) -> TracedKernel:
    x, y, z = launch.grid
    blocks = x * y * z
    if old is None:
        old = TracedKernel(launch.name, launch.grid, launch.block, 0, 0, 0, launch.dynamic_shared)
    return TracedKernel(
        *(old.name, old.grid, old.block),
        *(old.launches + 1, old.blocks + blocks, old.traced + blocks),
        old.shared,
    )


def _counter(kernel: str, access: ncu.Access) -> Counter:
    return Counter(
        *(kernel, access.pc, access.space, access.access, access.size),
        *(access.requests, access.lanes, access.sectors, access.wavefronts, access.ideal),
        stride=0,
    )


def _resources(launch: ncu.Launch, spilled: Mapping[str, tuple[int, int]]) -> Resources:
    return Resources(
        launch.registers,
        *spilled.get(launch.mangled, (0, 0)),
        launch.static_shared + launch.dynamic_shared,
        launch.occupancy,
        launch.bound,
        launch.arch,
    )


def spills(log: str) -> dict[str, tuple[int, int]]:
    """Bytes of spill stores and loads a thread by mangled name, from ``nvcc -Xptxas -v``."""
    return {used.mangled: (used.spill_stores, used.spill_loads) for used in ptxas.parse(log)}
