"""Several solutions of one problem side by side: what ``leetk compare`` measures and its renderers
show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.counters import Profile
from harness.model import Timing, Verdict
from harness.stats import Difference


@dataclass(frozen=True)
class Ratio:
    """A solution's time over another's: the median of the rounds' ratios, and the interval that it
    lies in (stats.median_interval, 99 %)."""

    median: float
    low: float
    high: float
    difference: Difference


@dataclass(frozen=True)
class Compiled:
    """The most that any kernel of a solution takes, by ptxas: registers a thread, and bytes of
    spill stores and loads a thread."""

    registers: int
    spills: int


@dataclass(frozen=True)
class Standing:
    """One solution. ``reason`` is empty for one that was accepted. ``timing`` pools the samples of
    all rounds, ``rounds_ms`` are the rounds' medians; ``ratio`` is to the first solution of the
    contest, None for itself. All of these only where a GPU was there to time. ``profile``: its
    counters, at a small size, or why there are none in ``no_profile``. ``compiled``: None where
    there is no nvcc."""

    solution: str
    verdict: Verdict
    reason: str = ""
    timing: Timing | None = None
    rounds_ms: tuple[float, ...] = ()
    ratio: Ratio | None = None
    profile: Profile | None = None
    no_profile: str = ""
    compiled: Compiled | None = None


@dataclass(frozen=True)
class Library:
    """The library's way of doing the same, timed in the same rounds. ``median_ms`` of all samples,
    ``rounds_ms`` of each round."""

    name: str
    median_ms: float
    rounds_ms: tuple[float, ...]


@dataclass(frozen=True)
class Reference:
    """An earlier time on this machine, to hold others against: ``name`` such as ``#12 v2.cu``."""

    name: str
    median_ms: float


@dataclass(frozen=True)
class Contest:
    """What was compared: on ``backend``, at ``sizes`` (where it was timed) and ``counted_sizes``
    (where accesses were counted). ``rounds`` 0: nothing was timed."""

    problem: str
    backend: str
    sizes: Mapping[str, int]
    seed: int
    rounds: int
    standings: tuple[Standing, ...]
    library: Library | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    counted_sizes: Mapping[str, int] = field(default_factory=dict)
    reference: Reference | None = None

    @property
    def timed(self) -> bool:
        return any(standing.timing is not None for standing in self.standings)

    @property
    def accepted(self) -> bool:
        return all(standing.verdict is Verdict.ACCEPTED for standing in self.standings)
