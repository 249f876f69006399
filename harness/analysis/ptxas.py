"""ptxas's resource report (``nvcc -Xptxas -v``): registers, spills and shared memory by kernel."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.model import Finding, Report

_ENTRY = re.compile(r"Compiling entry function '(\S+)'")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")


@dataclass(frozen=True)
class KernelResources:
    """What one kernel takes, as ptxas says: registers a thread, bytes of stack, spill stores and
    spill loads a thread, bytes of static shared memory a block. ``numbers`` are those among its
    template arguments, which tell the instances of a template apart."""

    kernel: str
    registers: int = 0
    stack: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    shared: int = 0
    numbers: tuple[str, ...] = ()


def parse(text: str) -> tuple[KernelResources, ...]:
    """The kernels of a log, in its order. Lines that are not ptxas's are passed over."""
    found: list[KernelResources] = []
    kernel = ""
    numbers: tuple[str, ...] = ()
    stack = (0, 0, 0)
    for line in text.splitlines():
        if entry := _ENTRY.search(line):
            kernel, numbers, stack = plain_name(entry[1]), _numbers(entry[1]), (0, 0, 0)
        elif frame := _STACK.search(line):
            stack = (int(frame[1]), int(frame[2]), int(frame[3]))
        elif kernel and (used := _USED.search(line)):
            shared = _SHARED.search(line)
            size = int(shared[1]) if shared else 0
            found.append(KernelResources(kernel, int(used[1]), *stack, size, numbers))
            kernel = ""
    return tuple(found)


def findings(report: Report) -> tuple[Finding, ...]:
    """A finding for each kernel that spills registers."""
    if report.build is None:
        return ()
    return tuple(
        Finding(
            "register_spill",
            "info",
            f"kernel {r.kernel} spills {r.spill_stores} bytes a thread to local memory (it uses "
            f"{r.registers} registers): keep fewer values alive at once, or smaller tiles a thread",
            file=report.solution,
        )
        for r in parse(report.build.log)
        if r.spill_stores
    )


def plain_name(mangled: str) -> str:
    """The last name of a mangled one: ``_Z6matmulPKf`` and ``_ZN2ns6matmulEv`` are ``matmul``."""
    position = 2 if mangled.startswith("_Z") else len(mangled)
    if mangled[position : position + 1] == "N":
        position += 1
    name = mangled
    while length := re.compile(r"L?(\d+)").match(mangled, position):
        position = length.end() + int(length[1])
        name = mangled[length.end() : position]
    return name


def _numbers(mangled: str) -> tuple[str, ...]:
    """The numbers among a template's arguments: ``_Z1kILi16ELin1EEvPf`` has 16 and -1."""
    return tuple(text.replace("n", "-") for text in re.findall(r"L[a-z](n?\d+)E", mangled))
