"""Work on large arrays in spans, on every core. numpy lets go of the interpreter in its loops."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")
Span = tuple[int, int]


def spans(total: int, length: int) -> list[Span]:
    """``total`` things as (begin, end) of at most ``length`` each; the cut does not depend on the
    machine."""
    return [(begin, min(begin + length, total)) for begin in range(0, total, max(length, 1))]


def each(work: Callable[[int, int], Result], parts: Sequence[Span]) -> list[Result]:
    """``work(begin, end)`` for every span, results in order."""
    workers = min(len(parts), cores())
    if workers <= 1:
        return [work(begin, end) for begin, end in parts]
    with ThreadPoolExecutor(workers, thread_name_prefix="leetk-array") as pool:
        return list(pool.map(lambda part: work(*part), parts))


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
