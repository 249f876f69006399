"""The seam between the judge and what runs CUDA.

A backend has two halves. The *parent half* (``Backend``) probes and builds in the judge's process.
The *child half* (``Runner``, in ``runner.py``) loads and calls the submission in a worker process;
it is named by ``runner`` as ``module:Class`` and imported only there. A new backend is one folder
with both and a line in ``harness/backends/__init__.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from harness.model import Artifact, BuildOptions, Case, CaseData, Problem, Source
from harness.wire import RunOptions, RuntimeReport


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

    def absent(self) -> bool:
        """Whether one glance shows that its device is not here. Costs nothing; False is no
        promise."""
        ...

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
