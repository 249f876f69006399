"""Registers, spills, shared memory and occupancy of a profile's kernels, from ptxas.

ptxas needs no GPU: with an nvcc the cpu backend's profile has them, too. Without one, or where it
fails, the profile stays as it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.analysis.occupancy import multiprocessor, occupancy
from harness.build import ptxas
from harness.build.ptxas import KernelResources
from harness.counters import KernelCounters, Profile, Resources
from harness.errors import LeetkError, ToolchainMissing

if TYPE_CHECKING:
    from harness.model import BuildOptions, Problem, Source

ARCH = "sm_90"
"""What is compiled for where no other architecture is asked for."""


@dataclass(frozen=True)
class PtxasLog:
    """ptxas's report on a solution for ``arch``. Where there is none, ``text`` is empty and
    ``note`` says why in one line; it is empty, too, where there is merely no nvcc."""

    arch: str
    text: str = ""
    note: str = ""


def ptxas_log(problem: Problem, source: Source, options: BuildOptions) -> PtxasLog:
    """Compile ``source`` with nvcc for ``options.arch``, by default ``ARCH``. The build is the cuda
    backend's own, so that it comes from its cache, or goes there. Never raises for a build that
    fails."""
    from harness.backends.cuda.build import build
    from harness.backends.cuda.toolkit import find_toolkit
    from harness.build.cache import Cache

    arch = options.arch or ARCH
    try:
        toolkit = find_toolkit(options.nvcc)
    except ToolchainMissing:
        return PtxasLog(arch)
    try:
        cache = Cache(private=not options.use_cache)
        # With the "a" the same kernels come out, and those that use a Hopper's own instructions.
        target = options.arch or (f"{ARCH}a" if toolkit.version >= (12, 0) else ARCH)
        built = build(problem, source, replace(options, traced=False), toolkit, target, cache)
    except LeetkError as error:
        why = str(error).partition("\n")[0]
        return PtxasLog(arch, note=f"no registers and occupancy, as nvcc fails: {why}")
    return PtxasLog(arch, built.log)


def with_resources(profile: Profile, log: str, arch: str) -> Profile:
    """The profile with the resources of each kernel that ``log``, ptxas's report for ``arch``,
    names; those that are known already stay."""
    found = ptxas.parse(log)
    kernels = tuple(
        kernel if kernel.resources else replace(kernel, resources=resources(kernel, found, arch))
        for kernel in profile.kernels
    )
    return replace(profile, kernels=kernels)


def resources(
    kernel: KernelCounters, compiled: Sequence[KernelResources], arch: str
) -> Resources | None:
    """What ``kernel`` takes with the block and the dynamic shared memory of its first launch. None
    where it is not among the compiled ones, where it may be one of several, or for an architecture
    that is not known."""
    sm = multiprocessor(arch)
    used = _of(kernel.name, compiled)
    if sm is None or used is None:
        return None
    shared = used.shared + kernel.dynamic_shared
    threads = math.prod(kernel.block)
    taken = occupancy(sm, threads=threads, registers=used.registers, shared=shared)
    return Resources(
        registers=used.registers,
        spill_stores=used.spill_stores,
        spill_loads=used.spill_loads,
        shared=shared,
        occupancy=taken.share,
        limit=taken.limit,
        arch=arch,
    )


def _of(name: str, compiled: Sequence[KernelResources]) -> KernelResources | None:
    """The one kernel that ``name`` stands for: ``k``, ``ns::k`` or ``k<16, 4>``."""
    plain, _, arguments = name.partition("<")
    plain = plain.rpartition("::")[2].strip()
    found = [one for one in compiled if one.kernel == plain]
    if len(found) > 1:
        # ptxas's names have them as 1 and 0.
        arguments = re.sub(r"\btrue\b", "1", re.sub(r"\bfalse\b", "0", arguments))
        numbers = tuple(re.findall(r"-?\b\d+\b", arguments))
        found = [one for one in found if one.numbers == numbers]
    alike = {(one.registers, one.spill_stores, one.spill_loads, one.shared) for one in found}
    return found[0] if len(alike) == 1 else None
