"""Sums and ratios of a profile that its renderers share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.counters import KernelCounters, LineCounters, Profile

SECTOR = 32  # bytes
SPACES = ("global", "shared")
ACCESSES = ("load", "store", "atomic")

_WORTH_A_WORD = 1.25  # times what is needed at least
_AMONG_THE_WORST = 0.5  # of the most that a line of the kernel wastes
_SECTORS_A_WAVEFRONT = 4  # that the L1 cache delivers in the time of one


@dataclass(frozen=True)
class Total:
    """All accesses of one kind of one kernel. ``lanes`` are the single threads' accesses,
    ``requested`` the bytes that they ask for. The rest is as in ``LineCounters``."""

    space: str
    access: str
    requests: int = 0
    lanes: int = 0
    requested: int = 0
    sectors: int = 0
    wavefronts: int = 0
    ideal: int = 0
    conflicts: int = 0

    @property
    def moved(self) -> int:
        """Bytes of the sectors: what goes between a multiprocessor and its L1 cache."""
        return self.sectors * SECTOR


def total(kernel: KernelCounters, space: str, access: str) -> Total:
    """All of them; of a sample where the kernel was sampled."""
    lines = [line for line in kernel.lines if (line.space, line.access) == (space, access)]
    return Total(
        space,
        access,
        requests=sum(line.requests for line in lines),
        lanes=sum(line.lanes for line in lines),
        requested=sum(line.lanes * line.size for line in lines),
        sectors=sum(line.sectors for line in lines),
        wavefronts=sum(line.wavefronts for line in lines),
        ideal=sum(line.ideal for line in lines),
        conflicts=sum(line.conflicts for line in lines),
    )


def totals(kernel: KernelCounters) -> Iterator[Total]:
    """One for each kind of access, also where there is none."""
    for space in SPACES:
        for access in ACCESSES:
            yield total(kernel, space, access)


@dataclass(frozen=True)
class Traffic:
    """What a whole call asks of global memory: ``loaded`` values and ``requested`` bytes by loads,
    ``moved`` bytes by all accesses, in whole sectors. ``estimated`` where a sample was counted and
    the rest is taken to be like it."""

    loaded: int
    requested: int
    moved: int
    estimated: bool


def traffic(profile: Profile) -> Traffic:
    """Summed over the kernels."""
    loaded = requested = moved = 0.0
    for kernel in profile.kernels:
        scale = kernel.blocks / kernel.traced if kernel.traced else 1
        loads = total(kernel, "global", "load")
        loaded += scale * loads.lanes
        requested += scale * loads.requested
        moved += scale * sum(total(kernel, "global", access).moved for access in ACCESSES)
    estimated = any(kernel.traced < kernel.blocks for kernel in profile.kernels)
    return Traffic(round(loaded), round(requested), round(moved), estimated)


@dataclass(frozen=True)
class Intensity:
    """FLOP a byte: over what global loads request, over what moves in sectors, and the most that a
    call of these sizes can have, which moves no byte twice. None where that is not known."""

    requested: float | None
    moved: float | None
    most: float | None


def intensity(profile: Profile) -> Intensity | None:
    """None where the spec counts no operations."""
    flops = profile.flops
    if flops is None:
        return None

    def over(count: float | None) -> float | None:
        return flops / count if count else None

    found = traffic(profile)
    return Intensity(over(found.requested), over(found.moved), over(profile.bytes))


def is_costly(line: LineCounters) -> bool:
    """Whether it takes noticeably more than it needs."""
    return line.taken > _WORTH_A_WORD * line.ideal


def worst(kernel: KernelCounters) -> set[LineCounters]:
    """Of the costly ones those that waste about as much time as the one that wastes most."""
    costly = [line for line in kernel.lines if is_costly(line)]
    most = max(map(_waste, costly), default=0.0)
    return {line for line in costly if _waste(line) >= _AMONG_THE_WORST * most}


def _waste(line: LineCounters) -> float:
    """In wavefronts."""
    more = line.taken - line.ideal
    return more / _SECTORS_A_WAVEFRONT if line.space == "global" else more
