"""A ``Contest`` as JSON. Keys stay within a ``schema_version``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.figures import totals
from harness.report.json import Json, dumps, plain_text

if TYPE_CHECKING:
    from harness.contest import Contest, Standing
    from harness.counters import KernelCounters

SCHEMA_VERSION = 1


def to_json(contest: Contest) -> str:
    """One object: times in milliseconds, ratios of times (above 1 for slower)."""
    library = contest.library
    return dumps(
        {
            "schema_version": SCHEMA_VERSION,
            "problem": plain_text(contest.problem),
            "backend": contest.backend,
            "sizes": dict(contest.sizes),
            "counted_sizes": dict(contest.counted_sizes),
            "seed": contest.seed,
            "rounds": contest.rounds,
            "environment": {plain_text(k): plain_text(v) for k, v in contest.environment.items()},
            "library": None
            if library is None
            else {
                "name": library.name,
                "median_ms": library.median_ms,
                "rounds_ms": list(library.rounds_ms),
            },
            "reference": None if contest.reference is None else vars(contest.reference),
            "solutions": [_standing(standing) for standing in contest.standings],
        }
    )


def _standing(standing: Standing) -> dict[str, Json]:
    timing, ratio = standing.timing, standing.ratio
    return {
        "solution": plain_text(standing.solution),
        "verdict": standing.verdict.value,
        "reason": plain_text(standing.reason),
        "median_ms": None if timing is None else timing.median_ms,
        "mad_ms": None if timing is None else timing.mad_ms,
        "samples": 0 if timing is None else len(timing.samples_ms),
        "rounds_ms": list(standing.rounds_ms),
        "gflops": None if timing is None else timing.gflops,
        "gbps": None if timing is None else timing.gbps,
        "peak_fraction": None if timing is None else timing.peak_fraction,
        "notes": [] if timing is None else [plain_text(note) for note in timing.notes],
        "library_ratio": None
        if timing is None or timing.baseline is None
        else timing.baseline.ratio,
        "ratio": None
        if ratio is None
        else {
            "median": ratio.median,
            "low": ratio.low,
            "high": ratio.high,
            "difference": ratio.difference.value,
        },
        "kernels": []
        if standing.profile is None
        else [_kernel(kernel) for kernel in standing.profile.kernels],
        "not_counted": plain_text(standing.no_profile),
        "most_registers": None if standing.compiled is None else standing.compiled.registers,
        "most_spills": None if standing.compiled is None else standing.compiled.spills,
    }


def _kernel(kernel: KernelCounters) -> dict[str, Json]:
    counted: dict[str, Json] = {}
    for total in totals(kernel):
        kind = f"{total.space}_{total.access}"
        counted[f"{kind}_requests"] = total.requests
        if total.space == "global":
            counted[f"{kind}_sectors"] = total.sectors
        else:
            counted[f"{kind}_wavefronts"] = total.wavefronts
            counted[f"{kind}_conflicts"] = total.conflicts
    taken = kernel.resources
    return {
        "name": plain_text(kernel.name),
        "blocks": kernel.blocks,
        "blocks_counted": kernel.traced,
        "registers": None if taken is None else taken.registers,
        "spill_stores": None if taken is None else taken.spill_stores,
        "spill_loads": None if taken is None else taken.spill_loads,
        "shared": None if taken is None else taken.shared,
        "occupancy": None if taken is None else taken.occupancy,
        "totals": counted,
    }
