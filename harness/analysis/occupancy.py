"""Theoretical occupancy: how many warps of a kernel one multiprocessor holds at once.

The limits are those of the CUDA Programming Guide, "Technical Specifications per Compute
Capability"; the rules of allocation those of NVIDIA's cuda_occupancy.h:

- registers go to whole warps, 256 at a time, out of the quarter of the register file that belongs
  to a warp's scheduler;
- shared memory goes to blocks, 128 bytes at a time (256 before 8.0), and from 8.0 on the system
  keeps 1 KiB of each block's for itself. All that can be shared memory is taken to be.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WARP = 32
MAX_THREADS = 1024  # a block
MAX_REGISTERS = 255  # a thread
_REGISTERS = 65536  # of 32 bits, a multiprocessor; the most of a block as well
_REGISTER_UNIT = 256
_SCHEDULERS = 4
_KIB = 1024


@dataclass(frozen=True)
class Multiprocessor:
    """What one multiprocessor holds: resident ``warps`` and ``blocks``, bytes of ``shared`` memory,
    how many of those one block may have (``shared_a_block``, by opting in), how many the system
    keeps of each block's (``reserved``), and in what ``unit`` they are given."""

    warps: int
    blocks: int
    shared: int
    shared_a_block: int
    reserved: int
    unit: int


@dataclass(frozen=True)
class Occupancy:
    """``blocks`` and ``warps`` that are resident at once, ``most`` the warps that could be, and
    what bounds them. No blocks: such a launch fails."""

    blocks: int
    warps: int
    most: int
    limit: str

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.warps / self.most


def _volta(warps: int, blocks: int, shared: int) -> Multiprocessor:
    """Volta and Turing: a block may have all of the shared memory."""
    return Multiprocessor(warps, blocks, shared * _KIB, shared * _KIB, 0, 256)


def _ampere(warps: int, blocks: int, shared: int) -> Multiprocessor:
    """Ampere and later: a block may have all but the 1 KiB that is kept of it."""
    return Multiprocessor(warps, blocks, shared * _KIB, (shared - 1) * _KIB, _KIB, 128)


_MULTIPROCESSORS = {
    70: _volta(64, 32, 96),
    72: _volta(64, 32, 96),
    75: _volta(32, 16, 64),
    80: _ampere(64, 32, 164),
    86: _ampere(48, 16, 100),
    87: _ampere(48, 16, 164),
    88: _ampere(48, 16, 100),
    89: _ampere(48, 24, 100),
    90: _ampere(64, 32, 228),
    100: _ampere(64, 32, 228),
    101: _ampere(48, 24, 228),
    103: _ampere(64, 32, 228),
    110: _ampere(48, 24, 228),
    120: _ampere(48, 24, 100),
    121: _ampere(48, 24, 100),
}


def multiprocessor(arch: str) -> Multiprocessor | None:
    """That of an architecture such as ``sm_90`` or ``sm_90a``, None for one that is not known."""
    match = re.fullmatch(r"(?:sm|compute)_(\d+)[af]?", arch)
    return _MULTIPROCESSORS.get(int(match[1])) if match else None


def occupancy(sm: Multiprocessor, *, threads: int, registers: int, shared: int) -> Occupancy:
    """For blocks of ``threads``, each with ``registers``, and ``shared`` bytes of shared memory a
    block, static and dynamic together."""
    warps = _up(threads, WARP) // WARP
    bounds = {
        "threads": sm.warps // warps if threads <= MAX_THREADS else 0,
        "registers": _by_registers(registers, warps),
        "shared memory": _by_shared(sm, shared),
        "blocks": sm.blocks,
    }
    blocks = min(bounds.values())
    # Of bounds that are equal the first: it is the one that is closest to all the warps.
    limit = next(name for name, bound in bounds.items() if bound == blocks)
    return Occupancy(blocks, blocks * warps, sm.warps, limit)


def _by_registers(registers: int, warps: int) -> int:
    a_warp = _up(registers * WARP, _REGISTER_UNIT)
    # The launch is checked as if each scheduler had as many of the block's warps as the others.
    if registers > MAX_REGISTERS or a_warp * _up(warps, _SCHEDULERS) > _REGISTERS:
        return 0
    if not a_warp:
        return _REGISTERS
    return _REGISTERS // _SCHEDULERS // a_warp * _SCHEDULERS // warps


def _by_shared(sm: Multiprocessor, shared: int) -> int:
    if shared > sm.shared_a_block:
        return 0
    taken = _up(shared + sm.reserved, sm.unit)
    return sm.shared // taken if taken else sm.shared


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
