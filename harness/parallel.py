"""Work on large arrays in spans, on every core. numpy lets go of the interpreter in its loops."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")
Span = tuple[int, int]


def spans(total: int, length: int) -> list[Span]:
    """``total`` things as (begin, end) of at most ``length`` each; the cut does not depend on the
    machine."""
    return [(begin, min(begin + length, total)) for begin in range(0, total, max(length, 1))]


def each(work: Callable[[int, int], Result], parts: Sequence[Span]) -> list[Result]:
    """``work(begin, end)`` for every span, results in order."""
    workers = min(len(parts), cores()) if len(parts) > 1 else 1
    if workers <= 1:
        return [work(begin, end) for begin, end in parts]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers, thread_name_prefix="leetk-array") as pool:
        return list(pool.map(lambda part: work(*part), parts))


def background(work: Callable[[], Result]) -> Callable[[], Result]:
    """Begin ``work`` on a thread. What comes back waits for it and returns its result, or raises
    what it raised."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    # With the context of whoever began it: see build.compiler.compilers_end_here.
    thread = Thread(target=copy_context().run, args=(run,), daemon=True)
    thread.start()

    def result() -> Result:
        thread.join()
        if errors:
            raise errors[0]
        return results[0]

    return result


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
