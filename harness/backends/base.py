"""The seam between the judge and what runs CUDA.

A backend has two halves. The *parent half* (``Backend``) probes and builds in the judge's process.
The *child half* (``Runner``, in ``runner.py``) loads and calls the submission in a worker process;
it is named by ``runner`` as ``module:Class`` and imported only there. A new backend is one folder
with both and a line in ``harness/backends/__init__.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from harness.model import Artifact, BuildOptions, Case, CaseData, Outcome, Problem, Source
from harness.wire import Call, Counter, RunOptions, RuntimeReport, TracedKernel, TraceReply

if TYPE_CHECKING:
    from harness.counters import Resources


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


@dataclass(frozen=True)
class Watch:
    """How one call of ``solve`` is watched, by what ``name`` says. ``options`` to build it with;
    how to ``run`` it; ``config`` to add to the runner's; ``prefix``, a command that runs the worker
    and may write to the worker's folder; how many times as long as a plain call it may take
    (``patience``); ``alone``, a file to hold a lock on meanwhile, where two such tools at a time
    would disturb each other."""

    name: str
    options: BuildOptions
    run: RunOptions = field(default_factory=RunOptions)
    config: Mapping[str, Any] = field(default_factory=dict)
    prefix: tuple[str, ...] = ()
    patience: float = 1.0
    alone: Path | None = None


@dataclass(frozen=True)
class Counted:
    """What a profiler counted: ``counters`` by instruction; ``places`` are the author's file, line
    and column (0 where it is not known) by ``Counter.pc``; ``resources`` by kernel, where known."""

    kernels: tuple[TracedKernel, ...]
    counters: tuple[Counter, ...]
    places: Mapping[int, tuple[str, int, int]]
    resources: Mapping[str, Resources] = field(default_factory=dict)


class Watcher(Protocol):
    """What watches one call: a build with hooks, or a tool that the worker runs under."""

    @property
    def watch(self) -> Watch: ...

    def examine(self, folder: Path, said: str) -> None:
        """Whether the tool itself worked. ``folder`` is the worker's, ``said`` what came from its
        standard output. Raises ToolchainMissing with the remedy where the tool may not do its work
        here, JudgeError where it failed."""
        ...


class Profiler(Watcher, Protocol):
    """Counts the memory accesses of a call, made by ``Runner.trace``."""

    def counted(
        self, artifact: Artifact, source: Source, folder: Path, reply: TraceReply
    ) -> Counted: ...


class Checker(Watcher, Protocol):
    """Looks for faults in a call, made by ``Runner.run``."""

    def reports(
        self, artifact: Artifact, source: Source, call: Call, folder: Path, outcome: Outcome
    ) -> tuple[RuntimeReport, ...]:
        """What it found, with its file and line, each fault of a line once. The worker may have
        died."""
        ...


class Backend(Protocol):
    """The parent half.

    ``red_zone`` is the least size in bytes of the zones on both sides of each buffer (a multiple of
    the page). ``max_work`` bounds the ``Case.work`` that is tried for a case, ``total_work`` the
    whole run's. ``slots`` is how many cases may run side by side. ``can_time`` says whether the
    perf case is timed. ``runs`` are the ways in which each case is called; all must agree.
    ``checks``: its ``checkers`` are quick enough to look at small cases in every judging.
    """

    name: str
    runner: str
    red_zone: int
    max_work: float
    total_work: float
    slots: int
    can_time: bool
    checks: bool
    runs: tuple[RunOptions, ...]

    def absent(self) -> bool:
        """Whether one glance shows that its device is not here. Costs nothing; False is no
        promise."""
        ...

    def probe(self) -> Probe: ...

    def environment(self) -> Mapping[str, str]:
        """Facts for the report: compiler, device, driver, versions."""
        ...

    def build(
        self,
        problem: Problem,
        source: Source,
        options: BuildOptions,
        compiling: Callable[[], None] = lambda: None,
    ) -> Artifact:
        """Build the submission. ``compiling`` is called when that takes a compiler, before it
        starts.

        Raises CompileFailed (the submission's fault), Refused (a feature that is not supported)
        or ToolchainMissing.
        """
        ...

    def config(self) -> Mapping[str, Any]:
        """What the runner is opened with (JSON)."""
        ...

    def remembered(
        self, options: BuildOptions, parts: Iterable[str], make: Callable[[], str]
    ) -> str:
        """A text that depends on ``parts`` alone, kept with what was built."""
        ...

    def locate(self, artifact: Artifact, report: RuntimeReport) -> tuple[str, int]:
        """``file, line`` of a report's ``pc`` in the library, ``("", 0)`` if unknown."""
        ...

    def prepare(self, problem: Problem, case: Case) -> CaseData | None:
        """The case's data by a faster way than numpy (a GPU), or None to use numpy."""
        ...

    def profiler(self, options: BuildOptions) -> Profiler:
        """What counts a call's memory accesses. Raises ToolchainMissing."""
        ...

    def checkers(self, options: BuildOptions) -> Sequence[Checker]:
        """What looks for faults in a call; each is to have a worker of its own. Raises
        ToolchainMissing."""
        ...
