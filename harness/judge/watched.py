"""A worker whose call of ``solve`` is watched by a tool, with its arena."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from harness.backends.base import Backend, Watcher
from harness.errors import JudgeError
from harness.model import Artifact, Outcome, Source
from harness.settings import Limits
from harness.worker.arena import Arena
from harness.worker.supervisor import Worker, WorkerLimits

# For a tool to write down what it saw, once the worker has ended.
FINISH_SECONDS = 60.0


@contextmanager
def watched(
    backend: Backend,
    watcher: Watcher,
    artifact: Artifact,
    source: Source,
    limits: Limits,
    busy: float = math.inf,
) -> Iterator[tuple[Worker, Arena]]:
    """A worker that has loaded ``artifact``; a call may take so much processor time (``busy``).
    Everything goes at the end, the worker's folder too.

    Raises JudgeError for a library that can't be loaded, and what ``Watcher.examine`` raises.
    """
    watch = watcher.watch
    with _alone(watch.alone), closing(Arena()) as arena:
        worker = Worker(
            backend.runner,
            {**backend.config(), **watch.config},
            arena,
            WorkerLimits(
                limits.case_seconds * watch.patience,
                limits.output_bytes,
                limits.memory_bytes,
                limits.processes,
                busy,
            ),
            prefix=watch.prefix,
        )
        with closing(worker):
            failed = worker.load(artifact.library)
            if failed is not None:
                watcher.examine(worker.folder, failed.output)
                raise JudgeError(f"{source.path}: {_why(failed)}")
            yield worker, arena


@contextmanager
def _alone(file: Path | None) -> Iterator[None]:
    """Hold a lock on ``file``, if there is one, for which others wait. A file system without locks
    does without."""
    with ExitStack() as stack:
        if file is not None:
            import fcntl

            with suppress(OSError):
                fcntl.flock(stack.enter_context(open(file, "rb")), fcntl.LOCK_EX)
        yield


def _why(failed: Outcome) -> str:
    """Why a library was not loaded: the runner's words, or the last of the tool's or process's."""
    said = failed.output.strip().splitlines()
    return failed.message or (said[-1] if said else f"the worker ended ({failed.status.value})")
