"""What the memory accesses of a submission's kernels cost, by source line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class LineCounters:
    """The loads or stores (``access``) of one line to one ``space`` (global, shared), of ``size``
    bytes a lane. ``requests`` are a warp's instructions, ``lanes`` the sum of their active lanes.
    Global memory has ``sectors`` of 32 bytes, shared memory ``wavefronts``; ``ideal`` is how many
    these requests need at least. ``stride``: bytes from lane to lane, 0 if that varies."""

    line: int
    space: str
    access: str
    size: int
    requests: int
    lanes: int
    sectors: int
    wavefronts: int
    ideal: int
    stride: int = 0
    file: str = ""

    @property
    def conflicts(self) -> int:
        """Wavefronts more than the width of the accesses needs: bank conflicts."""
        return max(self.wavefronts - self.ideal, 0)

    @property
    def taken(self) -> int:
        """Sectors or wavefronts, whichever the space has."""
        return self.sectors if self.space == "global" else self.wavefronts


@dataclass(frozen=True)
class KernelCounters:
    """One kernel. ``grid`` and ``block`` of its first launch; ``traced`` of ``blocks`` were
    counted."""

    name: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    launches: int
    blocks: int
    traced: int
    lines: tuple[LineCounters, ...]


@dataclass(frozen=True)
class Profile:
    """The counters of one call of ``solve``."""

    problem: str
    solution: str
    backend: str
    sizes: Mapping[str, int]
    seed: int
    kernels: tuple[KernelCounters, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
