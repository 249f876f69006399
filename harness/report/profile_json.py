"""A ``Profile`` as JSON, described by ``profile.schema.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.figures import intensity, totals
from harness.report.json import Json, dumps, plain_text

if TYPE_CHECKING:
    from harness.counters import KernelCounters, LineCounters, Profile, Resources

SCHEMA_VERSION = 1


def to_json(profile: Profile) -> str:
    """One object; its keys stay within a ``schema_version``."""
    ratios = intensity(profile)
    return dumps(
        {
            "schema_version": SCHEMA_VERSION,
            "problem": plain_text(profile.problem),
            "solution": plain_text(profile.solution),
            "backend": profile.backend,
            "sizes": dict(profile.sizes),
            "seed": profile.seed,
            "environment": {plain_text(k): plain_text(v) for k, v in profile.environment.items()},
            "output_right": profile.right,
            "flops": profile.flops,
            "bytes": profile.bytes,
            "intensity": None if ratios is None else vars(ratios),
            "kernels": [_kernel(kernel) for kernel in profile.kernels],
        }
    )


def _kernel(kernel: KernelCounters) -> dict[str, Json]:
    return {
        "name": plain_text(kernel.name),
        "grid": list(kernel.grid),
        "block": list(kernel.block),
        "dynamic_shared": kernel.dynamic_shared,
        "launches": kernel.launches,
        "blocks": kernel.blocks,
        "blocks_counted": kernel.traced,
        "resources": None if kernel.resources is None else _resources(kernel.resources),
        "lines": [_line(line) for line in kernel.lines],
        "totals": _totals(kernel),
    }


def _resources(taken: Resources) -> dict[str, Json]:
    return {
        "arch": taken.arch,
        "registers": taken.registers,
        "spill_stores": taken.spill_stores,
        "spill_loads": taken.spill_loads,
        "shared": taken.shared,
        "occupancy": taken.occupancy,
        "limit": taken.limit,
    }


def _line(line: LineCounters) -> dict[str, Json]:
    shared = line.space == "shared"
    return {
        "file": plain_text(line.file),
        "line": line.line,
        "column": line.column,
        "space": line.space,
        "access": line.access,
        "bytes": line.size,
        "requests": line.requests,
        "lanes": line.lanes,
        "stride": line.stride,
        "sectors": None if shared else line.sectors,
        "ideal_sectors": None if shared else line.ideal,
        "wavefronts": line.wavefronts if shared else None,
        "ideal_wavefronts": line.ideal if shared else None,
        "conflicts": line.conflicts if shared else None,
        "banks": line.banks if shared and line.banks else None,
    }


def _totals(kernel: KernelCounters) -> dict[str, int]:
    """``global_load_sectors`` and its kin, for each kind of access, also where there is none."""
    found: dict[str, int] = {}
    for total in totals(kernel):
        kind = f"{total.space}_{total.access}"
        found[f"{kind}_requests"] = total.requests
        if total.space == "global":
            found[f"{kind}_sectors"] = total.sectors
            found[f"{kind}_bytes_requested"] = total.requested
            found[f"{kind}_bytes_moved"] = total.moved
        else:
            found[f"{kind}_wavefronts"] = total.wavefronts
            found[f"{kind}_conflicts"] = total.conflicts
    return found
