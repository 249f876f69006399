"""A ``Profile`` for people: the author's source with its figures beside the lines, a sentence for
each line that costs more than it needs, and the sums.

A line is marked ``!`` where it costs noticeably more than it needs, ``!!`` where it is among the
worst of its kernel, so that output without colours says it, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from harness.report import text as words
from harness.report.annotate import annotated
from harness.report.figures import Total, intensity, is_costly, totals, traffic
from harness.report.problems import sentence
from harness.report.profile_json import to_json

if TYPE_CHECKING:
    from harness.counters import KernelCounters, Profile, Resources
    from harness.report.terminal import Part, Terminal

__all__ = ["render", "to_json"]


def render(profile: Profile, out: Terminal, sources: Mapping[str, str] | None = None) -> None:
    """Write the profile. ``sources`` are the texts of the files that its lines name, where they can
    be read."""
    sizes = words.sizes(profile.sizes)
    out.line((f"{profile.problem}: {profile.solution}", "bold"), f", {sizes}")
    if not profile.right:
        out.line(("its output is wrong here", "yellow"), ": leetk run says more")
    if not profile.kernels:
        out.line("solve launched no kernel")
    for kernel in profile.kernels:
        out.blank()
        _head(kernel, out)
        annotated(kernel, profile.solution, sources or {}, out)
        costly = [line for line in kernel.lines if is_costly(line)]
        if costly:
            out.blank()
        for line in costly:
            out.prose(sentence(line, sources or {}), indent=2)
        _totals(kernel, out)
    if profile.kernels:
        out.blank()
        _intensity(profile, out)
    out.prose(
        f"counted by the {profile.backend} backend"
        f"{' (no GPU time is claimed)' if profile.backend == 'cpu' else ''}. each, ideal: what one "
        "request of a warp takes and what it needs, sectors of 32 bytes in global memory and "
        "wavefronts in shared memory.",
        style="dim",
    )


def count(value: float) -> str:
    """``16,384``, ``6.4``."""
    return f"{value:,.0f}" if value == int(value) or value >= 1000 else f"{value:.3g}"


# --- the head ----------------------------------------------------------------------------------


def _head(kernel: KernelCounters, out: Terminal) -> None:
    grid, block = (_extent(extent) for extent in (kernel.grid, kernel.block))
    dynamic = f", {kernel.dynamic_shared}" if kernel.dynamic_shared else ""
    often = f", launched {kernel.launches} times" if kernel.launches > 1 else ""
    out.line((kernel.name, "bold"), f"<<<{grid}, {block}{dynamic}>>>{often}")
    if kernel.traced < kernel.blocks:
        sample = f"a sample: the figures are those of {kernel.traced:,} of {kernel.blocks:,} blocks"
        out.line((sample, "yellow"), indent=2)
    if kernel.resources is not None:
        out.prose(_resources(kernel.resources), indent=2)


def _extent(extent: tuple[int, int, int]) -> str:
    used = list(extent)
    while len(used) > 1 and used[-1] == 1:
        used.pop()
    return str(used[0]) if len(used) == 1 else f"({', '.join(map(str, used))})"


def _resources(taken: Resources) -> str:
    spills = "no spills"
    if taken.spill_stores or taken.spill_loads:
        spills = (
            f"spills of {taken.spill_stores:,} bytes stored and {taken.spill_loads:,} loaded a "
            "thread"
        )
    if taken.occupancy == 0:
        occupancy = f"no block fits a multiprocessor (bounded by {taken.limit})"
    elif taken.occupancy == 1:
        occupancy = "theoretical occupancy 100 %"
    else:
        occupancy = f"theoretical occupancy {taken.occupancy:.0%} (bounded by {taken.limit})"
        occupancy = occupancy.replace("%", " %")
    return (
        f"{taken.arch}: {words.plural(taken.registers, 'register')} a thread, {spills}, "
        f"{taken.shared:,} bytes of shared memory a block; {occupancy}"
    )


# --- the sums ----------------------------------------------------------------------------------

_GLOBAL = ("totals", "requests", "sectors", "ideal", "bytes requested", "bytes moved")
_SHARED = ("totals", "requests", "wavefronts", "ideal", "conflicts")
_NOUNS = {"load": "loads", "store": "stores", "atomic": "atomics"}


def _totals(kernel: KernelCounters, out: Terminal) -> None:
    found = [total for total in totals(kernel) if total.requests]
    in_global = [_global_row(total) for total in found if total.space == "global"]
    in_shared = [_shared_row(total) for total in found if total.space == "shared"]
    for head, rows in ((_GLOBAL, in_global), (_SHARED, in_shared)):
        if rows:
            out.blank()
            _numbers([head, *rows], out)


def _global_row(total: Total) -> tuple[str, ...]:
    figures = (total.requests, total.sectors, total.ideal, total.requested, total.moved)
    return (f"global {_NOUNS[total.access]}", *(f"{figure:,}" for figure in figures))


def _shared_row(total: Total) -> tuple[str, ...]:
    figures = (total.requests, total.wavefronts, total.ideal, total.conflicts)
    return (f"shared {_NOUNS[total.access]}", *(f"{figure:,}" for figure in figures))


def _numbers(rows: list[tuple[str, ...]], out: Terminal) -> None:
    """A table whose first column is words and whose others are numbers, right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells: list[Part] = [
            (f"{cell:<{width}}" if index == 0 else f"{cell:>{width}}", "" if number else "bold")
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        out.row(tuple(cells), widths, indent=2)


# --- arithmetic intensity ----------------------------------------------------------------------


def _intensity(profile: Profile, out: Terminal) -> None:
    found, ratios = traffic(profile), intensity(profile)
    about = " (bytes are estimated from the sample)" if found.estimated else ""
    loads = f"global loads ask for {found.loaded:,} values, {found.requested:,} bytes"
    moves = f"global accesses move {found.moved:,} bytes in whole sectors"
    least = "" if profile.bytes is None else f"a call has to move {count(profile.bytes)} bytes"
    if ratios is None or profile.flops is None:
        out.prose("; ".join(part for part in (loads, moves, least) if part) + about)
        return
    out.line(("arithmetic intensity", "bold"), f" of {count(profile.flops)} FLOP{about}")
    rows: list[tuple[Part, ...]] = [
        (f"{count(ratio)} FLOP/byte", why)
        for ratio, why in (
            (ratios.requested, loads),
            (ratios.moved, moves),
            (ratios.most, f"at most: {least}, each once"),
        )
        if ratio is not None
    ]
    out.table(rows, indent=2)
