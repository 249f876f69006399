"""The cpu backend's profiler: the library that was built for tracing counts by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from harness.backends.base import Counted, Watch
from harness.model import Artifact, BuildOptions, Source
from harness.wire import TraceReply

Places = Callable[[Artifact, Iterable[int]], Mapping[int, tuple[str, int, int]]]

# A traced call takes some 25 times as long as a plain one.
_PATIENCE = 25.0


class TracingProfiler:
    """Counts by hooks around each access."""

    def __init__(self, options: BuildOptions, places: Places) -> None:
        """``places`` finds the places of instructions in a library."""
        self.watch = Watch("hooks", replace(options, traced=True), patience=_PATIENCE)
        self._places = places

    def examine(self, folder: Path, said: str) -> None:
        """There is no tool that could fail."""

    def counted(
        self, artifact: Artifact, source: Source, folder: Path, reply: TraceReply
    ) -> Counted:
        """What the library said."""
        places = self._places(artifact, (counter.pc for counter in reply.counters))
        return Counted(reply.kernels, reply.counters, places)
