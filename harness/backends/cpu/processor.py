"""Which instructions the solution may be compiled for: ``fmaf`` is a call without FMA."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

_NEEDED = frozenset(("avx2", "fma", "bmi2"))


@lru_cache(maxsize=1)
def options() -> tuple[str, ...]:
    """``-march=x86-64-v3`` where the processor has what that names; elsewhere nothing."""
    if os.uname().machine != "x86_64":
        return ()
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return ()
    return ("-march=x86-64-v3",) if set(flags.split()) >= _NEEDED else ()
