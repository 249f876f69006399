"""The child half of a backend, in the worker process.

The worker must start in milliseconds, so this module and what it imports know nothing of the
judge's side.
"""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from typing import Any, Protocol

from harness.wire import Call, RunOptions, RunReply, TimePlan, TimeReply, TraceReply


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

    def trace(self, call: Call, arena: mmap.mmap, arena_fd: int, options: RunOptions) -> TraceReply:
        """``run`` in a library that was built with ``BuildOptions.traced``, with its accesses to
        global and shared memory counted."""
        ...

    def time(self, call: Call, arena: mmap.mmap, arena_fd: int, plan: TimePlan) -> TimeReply:
        """Time ``solve`` by the rules of a fair benchmark."""
        ...


class LoadError(Exception):
    """A library that cannot be loaded or lacks ``solve``."""
