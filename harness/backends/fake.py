"""A backend for tests: the "CUDA" source is Python and ``solve`` gets numpy views of the arena.

It runs through the real worker process, arena and protocol, so the judge's tests are exact and need
no compiler::

    def solve(A, B, C, M, N, K):
        C[...] = A @ B
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from harness.backends.base import Checker, Probe, Profiler
from harness.backends.runner import LoadError
from harness.errors import CompileFailed, Refused, ToolchainMissing
from harness.model import (
    Artifact,
    BuildOptions,
    Case,
    CaseData,
    Diagnostic,
    Problem,
    Source,
)
from harness.wire import (
    ApiError,
    Buffer,
    Call,
    RunOptions,
    RunReply,
    RuntimeReport,
    Scalar,
    TimePlan,
    TimeReply,
    TraceReply,
)


class FakeBackend:
    """The parent half. ``times`` makes the perf case return these samples (milliseconds) and
    ``host_times`` as the host's clock."""

    name = "fake"
    runner = "harness.backends.fake:FakeRunner"
    red_zone = 4096
    max_work = 1e7
    total_work = 1e9
    slots = 1
    checks = False
    runs = (RunOptions("forward", poison=0), RunOptions("shuffled", seed=1, poison=1))

    def __init__(
        self, times: tuple[float, ...] = (), host_times: tuple[float, ...] | None = None
    ) -> None:
        self.can_time = bool(times)
        self.watchers: tuple[Checker, ...] = ()
        self._config = {"times": times, "host_times": times if host_times is None else host_times}

    def absent(self) -> bool:
        return False

    def probe(self) -> Probe:
        return Probe(True, "a fake device")

    def environment(self) -> Mapping[str, str]:
        return {"device": "fake"}

    def build(
        self,
        problem: Problem,
        source: Source,
        options: BuildOptions,
        compiling: Callable[[], None] = lambda: None,
    ) -> Artifact:
        if "#refuse" in source.text:
            raise Refused("a fake feature", str(source.path), 1, "use another backend")
        try:
            compile(source.text, str(source.path), "exec")
        except SyntaxError as error:
            line = error.lineno or 0
            found = Diagnostic(str(source.path), line, error.offset or 0, "error", error.msg)
            raise CompileFailed(error.msg, diagnostics=(found,)) from error
        return Artifact(source.path.resolve(), ("fake",), 0.0, False)

    def remembered(
        self, options: BuildOptions, parts: Iterable[str], make: Callable[[], str]
    ) -> str:
        return make()

    def config(self) -> Mapping[str, Any]:
        return self._config

    def locate(self, artifact: Artifact, report: RuntimeReport) -> tuple[str, int]:
        return str(artifact.library), report.pc

    def prepare(self, problem: Problem, case: Case) -> CaseData | None:
        return None

    def profiler(self, options: BuildOptions) -> Profiler:
        raise ToolchainMissing("the fake backend counts nothing")

    def checkers(self, options: BuildOptions) -> Sequence[Checker]:
        return self.watchers


class FakeRunner:
    """The child half. The solution may set the global ``leetk_error`` to a dict of ApiError's
    fields, and sees ``leetk_arena`` to misbehave with."""

    def open(self, config: Mapping[str, Any]) -> None:
        self._config = config
        self._globals: dict[str, Any] = {}

    def load(self, library: str, symbol: str) -> None:
        with open(library, encoding="utf-8") as file:
            exec(compile(file.read(), library, "exec"), self._globals)
        if symbol not in self._globals:
            raise LoadError(f"{symbol} is not defined")

    def run(self, call: Call, arena: mmap.mmap, arena_fd: int, options: RunOptions) -> RunReply:
        begin = time.perf_counter()
        self._globals.update(leetk_error=None, leetk_arena=arena, leetk_options=options)
        solve: Callable[..., None] = self._globals["solve"]
        solve(*(_value(argument, arena) for argument in call.arguments))
        error = self._globals["leetk_error"]
        return RunReply(time.perf_counter() - begin, ApiError(**error) if error else None)

    def trace(self, call: Call, arena: mmap.mmap, arena_fd: int, options: RunOptions) -> TraceReply:
        raise NotImplementedError("only the cpu backend traces kernels")

    def time(self, call: Call, arena: mmap.mmap, arena_fd: int, plan: TimePlan) -> TimeReply:
        self.run(call, arena, arena_fd, RunOptions())
        samples, host = tuple(self._config["times"]), tuple(self._config["host_times"])
        if "leetk_times" in self._globals:  # a function of how often it was timed before
            self._timed = getattr(self, "_timed", 0) + 1
            samples = host = tuple(self._globals["leetk_times"](self._timed - 1))
        name = plan.baseline.partition(":")[0]
        return TimeReply(samples, host, name, samples if name else ())


def _value(argument: Buffer | Scalar, arena: mmap.mmap) -> Any:
    if isinstance(argument, Scalar):
        return argument.value
    import numpy as np

    dtype = np.dtype(argument.dtype)
    count = argument.nbytes // dtype.itemsize
    flat = np.frombuffer(arena, dtype=dtype, count=count, offset=argument.offset)
    return flat.reshape(argument.shape)
