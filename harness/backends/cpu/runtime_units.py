"""The runtime's C++ files as the few translation units that are compiled and linked.

A first run compiles them beside the solution, so their cost is a learner's first wait. Compiled one
by one most of it is starting compilers and reading the same headers; so files go together into one
unit each for what runs on every switch and access (optimised) and for the rest (not optimised,
which halves its cost). Files of one unit must not use the same name for different things in their
unnamed namespaces; a unit that fails is compiled file by file instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.backends.cpu.toolchain import Toolchain

RUNTIME = Path(__file__).with_name("runtime")

_OPTIONS = (
    *("-std=c++17", "-fPIC", "-pipe", "-g0", "-w"),
    *("-fvisibility=hidden", "-fno-exceptions", "-fno-rtti"),
)
_FAST = ("-O2",)
_SLOW = ("-O0",)
_HOT = frozenset(
    (
        "api/atomics.cpp",
        "api/heap.cpp",
        "api/warp.cpp",
        "leetk/blocks.cpp",
        "leetk/fiber.cpp",
        "leetk/heap.cpp",
        "leetk/lanes.cpp",
        "leetk/poison.cpp",
        "leetk/residency.cpp",
        "leetk/scheduler.cpp",
        "leetk/shared.cpp",
        "leetk/stacks.cpp",
        "leetk/team.cpp",
        "leetk/vtables.cpp",
        "leetk/warp.cpp",
    )
)
# Fast, too, but for leetk profile and the checks of accesses alone.
_TRACE = frozenset(
    (
        "leetk/conflict.cpp",
        "leetk/findings.cpp",
        "leetk/foreign.cpp",
        "leetk/order.cpp",
        "leetk/requests.cpp",
        "leetk/shadow.cpp",
        "leetk/trace.cpp",
        "leetk/stale.cpp",
        "leetk/stream_order.cpp",
        "leetk/turns.cpp",
        "leetk/watch.cpp",
    )
)
# Shares names with others in its unnamed namespace, or has a place of its own when it is linked.
_ALONE = frozenset(("leetk/memory.cpp", "leetk/before.cpp", "leetk/after.cpp"))
# The units that are linked right before the solution and right behind it.
AROUND = ("leetk-before", "leetk-after")


@dataclass(frozen=True)
class Unit:
    """One object file: its name, the runtime's files in it, and how to optimise them."""

    name: str
    files: tuple[str, ...]
    options: tuple[str, ...]

    @property
    def object(self) -> str:
        return f"{self.name}.o"

    def write(self, work: Path) -> None:
        """Write the unit's source into ``work``."""
        text = "".join(f'#include "{file}"\n' for file in self.files)
        (work / f"{self.name}.cpp").write_text(text, "utf-8")

    def command(self, toolchain: Toolchain) -> tuple[str, ...]:
        """The command that compiles it, to be run in the folder that it was written to."""
        options = (*_OPTIONS, *self.options, "-I", str(RUNTIME))
        source = f"{self.name}.cpp"
        return (*toolchain.command, *options, "-c", source, "-o", self.object)

    def apart(self) -> tuple[Unit, ...]:
        """A unit for each of its files."""
        return tuple(
            Unit(file.removesuffix(".cpp").replace("/", "-"), (file,), self.options)
            for file in self.files
        )


def units() -> tuple[Unit, ...]:
    """All units, the ones that take longest first."""
    sources = [file for file in files() if file.endswith(".cpp")]
    hot = [file for file in sources if file in _HOT]
    alone = [file for file in sources if file in _ALONE]
    trace = [file for file in sources if file in _TRACE]
    rest = [file for file in sources if file not in _HOT | _ALONE | _TRACE]
    return (
        *_by_folder("hot", hot, _FAST),
        *_by_folder("rest", rest, _SLOW),
        *_by_folder("trace", trace, _FAST),
        *Unit("alone", tuple(alone), _SLOW).apart(),
    )


def _by_folder(name: str, files: Sequence[str], options: tuple[str, ...]) -> Iterator[Unit]:
    folders = sorted({file.rpartition("/")[0] for file in files}, reverse=True)
    for folder in folders:
        members = tuple(file for file in files if file.rpartition("/")[0] == folder)
        yield Unit(f"{name}-{folder.replace('/', '-')}", members, options)


def files() -> list[str]:
    """All of the runtime's files, relative to its folder."""
    root = str(RUNTIME)
    found = (
        os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
        for folder, _, names in os.walk(root)
        for name in names
    )
    return sorted(found)
