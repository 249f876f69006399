"""Nsight Compute's command, and what its reports say of each instruction.

The figures are those of its source view, counted by instructions that it adds to the kernel, so
they are exact and don't depend on clocks or caches. ``memory_l2_theoretical_sectors_global`` summed
over a kernel is ``l1tex__t_sectors_pipe_lsu_mem_global_op_ld`` and ``_st``,
``memory_l1_wavefronts_shared`` is ``l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld`` and ``_st``,
and that less its ideal ``l1tex__data_bank_conflicts_pipe_lsu_mem_shared``: seen for 29 kernels at
three shapes each on an H200 (benchmarks/counters_check.py).

``inst_executed`` also counts warps in which an instruction's predicate held for no lane. Where
lanes were switched off, ``requests`` below says how the requests are found all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

EXECUTED = "inst_executed"
THREADS = "thread_inst_executed"
ACTIVE = "thread_inst_executed_true"
SIZE = "memory_access_size_type"  # bits
SECTORS = "memory_l2_theoretical_sectors_global"
WAVEFRONTS = "memory_l1_wavefronts_shared"
TAGS = "memory_l1_tag_requests_global"
BY_INSTRUCTION = (
    *(EXECUTED, THREADS, ACTIVE, SIZE, TAGS),
    *(SECTORS, f"{SECTORS}_ideal", WAVEFRONTS, f"{WAVEFRONTS}_ideal"),
)
# Warps' accesses in which a lane was active, by space and access.
TOTALS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("global", "load"): ("smsp__sass_inst_executed_op_global_ld.sum",),
    ("global", "store"): ("smsp__sass_inst_executed_op_global_st.sum",),
    ("global", "atomic"): (
        "smsp__sass_inst_executed_op_global_atom.sum",
        "smsp__sass_inst_executed_op_global_red.sum",
    ),
    ("shared", "load"): ("smsp__sass_inst_executed_op_shared_ld.sum",),
    ("shared", "store"): ("smsp__sass_inst_executed_op_shared_st.sum",),
    ("shared", "atomic"): ("smsp__sass_inst_executed_op_shared_atom.sum",),
}
GRID = tuple(f"launch__grid_dim_{axis}" for axis in "xyz")
BLOCK = tuple(f"launch__block_dim_{axis}" for axis in "xyz")
REGISTERS = "launch__registers_per_thread"
STATIC, DYNAMIC = (f"launch__shared_mem_per_block_{kind}" for kind in ("static", "dynamic"))
# Blocks that fit a multiprocessor by each bound, under the name that Resources has for it.
BOUNDS = {
    "registers": "launch__occupancy_limit_registers",
    "shared memory": "launch__occupancy_limit_shared_mem",
    "threads": "launch__occupancy_limit_warps",
    "blocks": "launch__occupancy_limit_blocks",
}
OCCUPANCY = "sm__maximum_warps_per_active_cycle_pct"
CAPABILITY = tuple(f"device__attribute_compute_capability_{part}" for part in ("major", "minor"))
_ASKED = (*(name for names in TOTALS.values() for name in names), *GRID, *BLOCK)
_ASKED += (REGISTERS, STATIC, DYNAMIC, *BOUNDS.values(), OCCUPANCY)
BY_KERNEL = (*_ASKED, *CAPABILITY)

PERMISSION = (
    "Nsight Compute may not read the GPU's counters (ERR_NVGPUCTRPERM): run as root, or put "
    "'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into a file in /etc/modprobe.d and "
    "restart; https://developer.nvidia.com/ERR_NVGPUCTRPERM"
)

# What an opcode accesses. Generic ones (LD, ST, ATOM) may access either space.
_OPCODES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "LDG": (("global", "load"),),
    "STG": (("global", "store"),),
    "ATOMG": (("global", "atomic"),),
    "REDG": (("global", "atomic"),),
    "RED": (("global", "atomic"),),
    "LDS": (("shared", "load"),),
    "LDSM": (("shared", "load"),),
    "STS": (("shared", "store"),),
    "STSM": (("shared", "store"),),
    "ATOMS": (("shared", "atomic"),),
    "LDGSTS": (("global", "load"), ("shared", "store")),
    "LD": (("global", "load"), ("shared", "load")),
    "ST": (("global", "store"), ("shared", "store")),
    "ATOM": (("global", "atomic"), ("shared", "atomic")),
}
_SASS = re.compile(r"(?:@!?U?P\w+\s+)?(\w+)")
_ERROR = "==ERROR=="
_APPLICATION = "application returned an error code"
_WARP = 32  # lanes
_WORD = 4  # bytes of a bank
_SECTOR = 32  # bytes


@dataclass(frozen=True)
class Access:
    """What one instruction did in one space, summed over the grid: see ``harness.wire.Counter``.
    ``pc`` is its address. ``estimated``: of its requests, only the sum with others' is known."""

    pc: int
    file: str
    line: int
    space: str
    access: str
    size: int
    requests: int
    lanes: int
    sectors: int
    wavefronts: int
    ideal: int
    estimated: bool = False


@dataclass(frozen=True)
class Launch:
    """One launch of a kernel. ``occupancy`` is from 0 to 1, ``bound`` what bounds it."""

    name: str
    mangled: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    registers: int
    static_shared: int
    dynamic_shared: int
    occupancy: float
    bound: str
    arch: str
    accesses: tuple[Access, ...]


def command(ncu: Path, report: str, log: str, more: Iterable[str] = ()) -> tuple[str, ...]:
    """What a command is to be preceded by. Clocks are left alone, each kernel is run again for each
    pass. The report is ``report``.ncu-rep; ``more`` are metrics to take as well."""
    metrics = ",".join((*BY_INSTRUCTION, *_ASKED, *more))
    return (
        *(str(ncu), "--export", report, "--force-overwrite", "--log-file", log),
        *("--clock-control", "none", "--replay-mode", "kernel", "--target-processes", "all"),
        *("--metrics", metrics),
    )


def complaint(log: str) -> str:
    """What ncu says is wrong, in its log or on its standard output; "" if nothing is. An error
    code of the application is not ncu's business."""
    if "ERR_NVGPUCTRPERM" in log:
        return PERMISSION
    marked = [line for line in log.splitlines() if line.startswith(_ERROR)]
    if any("LaunchFailed" in line for line in marked):
        return "a kernel failed while Nsight Compute watched it; leetk run says more"
    said = [line.removeprefix(_ERROR).strip() for line in marked if _APPLICATION not in line]
    if any("Failed to profile" in line for line in said):
        said.append("(a kernel that fails? leetk run says more)")
    return f"ncu: {' '.join(said)}" if said else ""


def launches(
    dump: Sequence[Mapping[str, Any]], own: Callable[[str], bool] = lambda file: True
) -> tuple[Launch, ...]:
    """The launches in what ``ncu_dump`` wrote. ``own`` says whether a file is the author's: what
    was inlined from another counts for the author's instruction before it."""
    return tuple(_launch(launch, own) for launch in dump)


def _launch(launch: Mapping[str, Any], own: Callable[[str], bool]) -> Launch:
    metrics: Mapping[str, float] = launch["metrics"]
    x, y, z = (int(metrics[name]) for name in GRID)
    width, height, depth = (int(metrics[name]) for name in BLOCK)
    return Launch(
        name=launch["name"],
        mangled=launch["mangled"],
        grid=(x, y, z),
        block=(width, height, depth),
        registers=int(metrics[REGISTERS]),
        static_shared=int(metrics[STATIC]),
        dynamic_shared=int(metrics[DYNAMIC]),
        occupancy=metrics[OCCUPANCY] / 100,
        bound=min(BOUNDS, key=lambda bound: metrics[BOUNDS[bound]]),
        arch="sm_{:.0f}{:.0f}".format(*(metrics[name] for name in CAPABILITY)),
        accesses=requests(_accesses(launch["instructions"], own), metrics),
    )


@dataclass(frozen=True)
class _Counted:
    """An access with what bounds its requests: ``least`` and ``most``."""

    access: Access
    least: int
    most: int


def _accesses(instructions: Sequence[Sequence[Any]], own: Callable[[str], bool]) -> list[_Counted]:
    found: list[_Counted] = []
    before = ("", 0)
    for pc, sass, file, line, values in instructions:
        place = (file, line)
        if own(file):
            before = place
        elif before[1]:
            place = before
        match = _SASS.match(sass)
        kinds = _OPCODES.get(match[1], ()) if match and values else ()
        for space, access in kinds:
            metric = SECTORS if space == "global" else WAVEFRONTS
            if len(kinds) == 1 or values.get(metric):
                found.append(_counted(pc, place, (space, access), values))
    return found


def _counted(
    pc: int, place: tuple[str, int], kind: tuple[str, str], values: Mapping[str, float]
) -> _Counted:
    space, _ = kind
    metric = SECTORS if space == "global" else WAVEFRONTS
    taken, ideal = (int(values.get(name, 0)) for name in (metric, f"{metric}_ideal"))
    found = Access(
        *(pc, *place, *kind),
        size=int(values.get(SIZE, 0)) // 8 or _WORD,
        requests=0,
        lanes=int(values[ACTIVE]),
        sectors=taken if space == "global" else 0,
        wavefronts=taken if space == "shared" else 0,
        ideal=ideal,
    )
    return _Counted(found, *_bounds(found, values))


def _bounds(access: Access, values: Mapping[str, float]) -> tuple[int, int]:
    """The least and the most requests that an instruction can have made."""
    executed, lanes, ideal = int(values[EXECUTED]), access.lanes, access.ideal
    if lanes == int(values[THREADS]):
        return executed, executed
    if access.space == "shared" and access.access != "atomic" and access.size <= _WORD:
        return ideal, ideal  # one wavefront for each
    whole = -(-lanes // _WARP)
    most = min(executed, lanes, ideal)
    if access.space == "shared":
        return min(whole, most), most
    # A request takes at most as many sectors as its lanes' bytes fill, and at least one tag.
    full = -(-ideal * _SECTOR // (_WARP * access.size))
    most = min(most, int(values.get(TAGS, most)))
    return min(max(whole, full), most), most


def requests(counted: Sequence[_Counted], metrics: Mapping[str, float]) -> tuple[Access, ...]:
    """The accesses with their requests: warps in which a lane was active. All of a kernel's of one
    kind are known. So one instruction that is not known has what the others leave; several share
    it between their bounds, which is an estimate."""
    found = [replace(item.access, requests=item.least) for item in counted]
    for kind, names in TOTALS.items():
        mine = [i for i, item in enumerate(found) if (item.space, item.access) == kind]
        rest = int(sum(metrics[name] for name in names)) - sum(found[i].requests for i in mine)
        unknown = [i for i in mine if counted[i].most > counted[i].least]
        room = sum(counted[i].most - counted[i].least for i in unknown)
        estimated = len(unknown) > 1 and 0 < rest < room
        for i in unknown:
            own = counted[i].most - counted[i].least
            part = min(own, max(0, round(rest * own / room)))
            found[i] = replace(found[i], requests=counted[i].least + part, estimated=estimated)
            rest, room = rest - part, room - own
    return tuple(found)
