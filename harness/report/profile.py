"""A ``Profile`` for people and for machines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.counters import KernelCounters, LineCounters, Profile
    from harness.report.terminal import Part, Terminal

_WORTH_A_WORD = 1.25  # times what is needed at least


def render(profile: Profile, out: Terminal) -> None:
    """A table for each kernel, and a sentence for each line that costs more than it needs."""
    sizes = " ".join(f"{name}={value}" for name, value in profile.sizes.items())
    out.line((f"{profile.problem}: {profile.solution}", "bold"), f", {sizes}")
    if not profile.kernels:
        out.line("solve launched no kernel")
    for kernel in profile.kernels:
        out.blank()
        _kernel(kernel, out)
    out.line(
        f"counted by the {profile.backend} backend (no GPU time is claimed); "
        "global memory moves in sectors of 32 bytes, shared memory in wavefronts"
    )


def _kernel(kernel: KernelCounters, out: Terminal) -> None:
    grid, block = (_extent(extent) for extent in (kernel.grid, kernel.block))
    often = f", launched {kernel.launches} times" if kernel.launches > 1 else ""
    out.line((kernel.name, "bold"), f"<<<{grid}, {block}>>>{often}")
    if kernel.traced < kernel.blocks:
        out.line(f"a sample: {kernel.traced} of {kernel.blocks} blocks", indent=2)
    rows: list[tuple[Part, ...]] = [
        tuple(
            (word, "bold") for word in ("line", "access", "requests", "took", "at least", "lanes")
        )
    ]
    for line in kernel.lines:
        unit = "sectors" if line.space == "global" else "wavefronts"
        style = "yellow" if _is_costly(line) else ""
        rows.append(
            (
                (str(line.line), style),
                f"{line.space} {line.access}, {line.size} bytes",
                str(line.requests),
                (f"{line.taken} {unit}", style),
                str(line.ideal),
                f"{line.lanes / line.requests:.1f}",
            )
        )
    out.table(rows, indent=2)
    for line in kernel.lines:
        if _is_costly(line):
            out.prose(sentence(line), indent=2)


def _extent(extent: tuple[int, int, int]) -> str:
    used = list(extent)
    while len(used) > 1 and used[-1] == 1:
        used.pop()
    return str(used[0]) if len(used) == 1 else f"({', '.join(map(str, used))})"


def _is_costly(line: LineCounters) -> bool:
    return line.taken > _WORTH_A_WORD * line.ideal


def sentence(line: LineCounters) -> str:
    """What is wrong with a line's accesses, and why."""
    each, least = line.taken / line.requests, line.ideal / line.requests
    apart = f": neighbouring threads are {abs(line.stride)} bytes apart" if line.stride else ""
    if line.space == "global":
        return (
            f"line {line.line}: a warp's {line.access} touches {each:.3g} sectors instead of "
            f"{least:.3g}{apart}"
        )
    return (
        f"line {line.line}: a warp's {line.access} takes {each:.3g} wavefronts instead of "
        f"{least:.3g}, because several of its words lie in one bank{apart}"
    )


def to_json(profile: Profile) -> str:
    """The profile as JSON, one object; its keys stay within a ``schema_version``."""
    kernels = [
        {
            "name": kernel.name,
            "grid": list(kernel.grid),
            "block": list(kernel.block),
            "launches": kernel.launches,
            "blocks": kernel.blocks,
            "blocks_counted": kernel.traced,
            "lines": [_line(line) for line in kernel.lines],
            "totals": _totals(kernel),
        }
        for kernel in profile.kernels
    ]
    whole = {
        "schema_version": 1,
        "problem": profile.problem,
        "solution": profile.solution,
        "backend": profile.backend,
        "sizes": dict(profile.sizes),
        "seed": profile.seed,
        "environment": dict(profile.environment),
        "kernels": kernels,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _line(line: LineCounters) -> dict[str, object]:
    shared = line.space == "shared"
    return {
        "file": line.file,
        "line": line.line,
        "space": line.space,
        "access": line.access,
        "bytes": line.size,
        "requests": line.requests,
        "lanes": line.lanes,
        "sectors": None if shared else line.sectors,
        "ideal_sectors": None if shared else line.ideal,
        "wavefronts": line.wavefronts if shared else None,
        "conflicts": line.conflicts if shared else None,
    }


def _totals(kernel: KernelCounters) -> dict[str, int]:
    totals: dict[str, int] = {}
    for line in kernel.lines:
        unit = "sectors" if line.space == "global" else "wavefronts"
        for name, value in (("requests", line.requests), (unit, line.taken)):
            key = f"{line.space}_{line.access}_{name}"
            totals[key] = totals.get(key, 0) + value
        if line.space == "shared":
            key = f"shared_{line.access}_conflicts"
            totals[key] = totals.get(key, 0) + line.conflicts
    return totals
