"""What a judging is told (limits, seed, which cases) and the progress that it tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.model import CaseResult


@dataclass(frozen=True)
class Limits:
    """``case_seconds`` for one call of solve, ``total_seconds`` for all cases together: what hasn't
    begun by then is left out. ``output_bytes`` and ``memory_bytes`` for one call; ``processes``
    that a submission may have running."""

    case_seconds: float = 10.0
    total_seconds: float = 300.0
    output_bytes: int = 1 << 20
    memory_bytes: int = 8 << 30
    processes: int = 64


@dataclass(frozen=True)
class Settings:
    """What to judge. ``sizes``: judge one case of these sizes instead of the planned ones (missing
    sizes come from the perf case). ``only``: names a planned case to judge alone. ``sanitize``:
    look for faults in one case by the backend's tools, where it doesn't do so anyway."""

    seed: int
    sizes: Mapping[str, int] = field(default_factory=dict)
    perf: bool = True
    strict: bool = False
    limits: Limits = Limits()
    only: str = ""
    sanitize: bool = False


@dataclass(frozen=True)
class Event:
    """Progress. ``stage``: build, case, perf, done."""

    stage: str
    detail: str
    done: int = 0
    total: int = 0
    result: CaseResult | None = None
