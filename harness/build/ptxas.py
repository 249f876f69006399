"""ptxas's resource report (``nvcc -Xptxas -v``): registers, spills and shared memory by kernel."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

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
    mangled: str = field(default="", compare=False)


def parse(text: str) -> tuple[KernelResources, ...]:
    """The kernels of a log, in its order. Lines that are not ptxas's are passed over."""
    found: list[KernelResources] = []
    mangled = ""
    stack = (0, 0, 0)
    for line in text.splitlines():
        if entry := _ENTRY.search(line):
            mangled, stack = entry[1], (0, 0, 0)
        elif frame := _STACK.search(line):
            stack = (int(frame[1]), int(frame[2]), int(frame[3]))
        elif mangled and (used := _USED.search(line)):
            shared = _SHARED.search(line)
            size = int(shared[1]) if shared else 0
            name, numbers = plain_name(mangled), _numbers(mangled)
            found.append(KernelResources(name, int(used[1]), *stack, size, numbers, mangled))
            mangled = ""
    return tuple(found)


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
