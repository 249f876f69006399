"""What the memory accesses of a submission's kernels cost, by source line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class LineCounters:
    """The accesses of one kind (``access``: load, store, atomic) of one line to one ``space``
    (global, shared), of ``size`` bytes a lane. ``column`` counts from 1 and is 0 where it is not
    known or the line has no other accesses of that kind. ``requests`` are a warp's instructions,
    ``lanes`` the sum of their active lanes. Global memory has ``sectors`` of 32 bytes, shared
    memory ``wavefronts``; ``ideal`` is how many these requests need at least. ``stride``: bytes
    from lane to lane for three of four, 0 if it varies more or is not known. ``banks``: the
    distinct banks of shared memory that the first request touches, 0 if that is not known."""

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
    column: int = 0
    banks: int = 0

    @property
    def conflicts(self) -> int:
        """Wavefronts more than the width of the accesses needs: bank conflicts."""
        return max(self.wavefronts - self.ideal, 0)

    @property
    def taken(self) -> int:
        """Sectors or wavefronts, whichever the space has."""
        return self.sectors if self.space == "global" else self.wavefronts

    @property
    def each(self) -> float:
        """Sectors or wavefronts that a request takes, on average."""
        return self.taken / self.requests if self.requests else 0.0

    @property
    def least(self) -> float:
        """Sectors or wavefronts that a request needs."""
        return self.ideal / self.requests if self.requests else 0.0

    @property
    def active(self) -> float:
        """Active lanes of a request, from 1 to 32."""
        return self.lanes / self.requests if self.requests else 0.0


@dataclass(frozen=True)
class Resources:
    """What one kernel takes of a multiprocessor, by ptxas or the driver. ``registers`` a thread;
    ``spill_stores`` and ``spill_loads`` in bytes a thread; ``shared`` in bytes a block, static and
    dynamic. ``occupancy`` is theoretical: the share, from 0 to 1, of the most warps that a
    multiprocessor of ``arch`` (such as sm_90) holds; ``limit`` says what bounds it: registers,
    shared memory, threads, blocks."""

    registers: int
    spill_stores: int
    spill_loads: int
    shared: int
    occupancy: float
    limit: str
    arch: str


@dataclass(frozen=True)
class KernelCounters:
    """One kernel. ``grid`` and ``block`` of its first launch, ``dynamic_shared`` its bytes;
    ``traced`` of ``blocks`` were counted. ``resources`` is None without an nvcc."""

    name: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    launches: int
    blocks: int
    traced: int
    lines: tuple[LineCounters, ...]
    dynamic_shared: int = 0
    resources: Resources | None = None


@dataclass(frozen=True)
class Profile:
    """The counters of one call of ``solve``. ``flops`` and ``bytes``: what the spec says that a
    call has to do and to move, None where it does not. ``right``: whether the outputs are."""

    problem: str
    solution: str
    backend: str
    sizes: Mapping[str, int]
    seed: int
    kernels: tuple[KernelCounters, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    flops: float | None = None
    bytes: float | None = None
    right: bool = True
