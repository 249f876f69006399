"""The seam between the judge and what runs CUDA.

A backend has two halves. The *parent half* (``Backend``) probes and builds in the judge's process.
The *child half* (``Runner``) loads and calls the submission in a worker process; it is named by
``runner`` as ``module:Class`` and imported only there. A new backend is one folder with both and a
line in ``harness/backends/__init__.py``.
"""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from harness.model import Artifact, BuildOptions, Case, CaseData, Problem, Source
from harness.wire import Call, RunOptions, RunReply, RuntimeReport, TimePlan, TimeReply


@dataclass(frozen=True)
class Missing:
    """Something that a backend lacks; ``remedy`` is the exact command or step that brings it."""

    what: str
    remedy: str


@dataclass(frozen=True)
class Probe:
    """Whether a backend can work here. ``usable`` is false if anything in ``missing`` is needed;
    ``optional`` lists what would add something. ``facts`` are shown by ``leetk doctor``."""

    usable: bool
    device: str
    missing: tuple[Missing, ...] = ()
    optional: tuple[Missing, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


class Backend(Protocol):
    """The parent half.

    ``red_zone`` is the least size in bytes of the zones on both sides of each buffer (a multiple of
    the page). ``max_work`` bounds the ``Case.work`` that is tried for a case, ``total_work`` the
    whole run's. ``slots`` is how many cases may run side by side. ``can_time`` says whether the
    perf case is timed. ``runs`` are the ways in which each case is called; all must agree.
    """

    name: str
    runner: str
    red_zone: int
    max_work: float
    total_work: float
    slots: int
    can_time: bool
    runs: tuple[RunOptions, ...]

    def probe(self) -> Probe: ...

    def environment(self) -> Mapping[str, str]:
        """Facts for the report: compiler, device, driver, versions."""
        ...

    def build(self, problem: Problem, source: Source, options: BuildOptions) -> Artifact:
        """Build the submission.

        Raises CompileFailed (the submission's fault), Refused (a feature that is not supported)
        or ToolchainMissing.
        """
        ...

    def config(self) -> Mapping[str, Any]:
        """What the runner is opened with (JSON)."""
        ...

    def locate(self, artifact: Artifact, report: RuntimeReport) -> tuple[str, int]:
        """``file, line`` of a report's ``pc`` in the library, ``("", 0)`` if unknown."""
        ...

    def prepare(self, problem: Problem, case: Case) -> CaseData | None:
        """The case's data by a faster way than numpy (a GPU), or None to use numpy."""
        ...


class Runner(Protocol):
    """The child half, in the worker process. Whatever it raises is a judge error, apart from
    LoadError."""

    def open(self, config: Mapping[str, Any]) -> None:
        """Start what takes time (import CuPy, make a context) while the compiler still runs."""
        ...

    def load(self, library: str, symbol: str) -> None:
        """Load the submission. Raises LoadError with a message for the user."""
        ...

    def run(self, call: Call, arena: mmap.mmap, arena_fd: int, options: RunOptions) -> RunReply:
        """Call ``solve`` once and wait for the device. The buffers' whole regions, red zones
        included, are read from the arena before and are in it afterwards."""
        ...

    def time(self, call: Call, arena: mmap.mmap, arena_fd: int, plan: TimePlan) -> TimeReply:
        """Time ``solve`` by the rules of a fair benchmark."""
        ...


class LoadError(Exception):
    """A library that cannot be loaded or lacks ``solve``."""
