"""One call of ``solve`` with its memory accesses counted, by source line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.backends.base import Backend
from harness.cases import case_data
from harness.compare import poison_pattern
from harness.counters import KernelCounters, LineCounters, Profile
from harness.errors import JudgeError
from harness.judge.evaluate import report_text
from harness.model import Artifact, BuildOptions, Case, Outcome, Problem, Source
from harness.settings import Limits
from harness.wire import Counter, RunOptions, RuntimeReport
from harness.worker.arena import Arena, plan_call
from harness.worker.supervisor import Worker, WorkerLimits

# A traced call takes some 25 times as long as a plain one.
_PATIENCE = 25


def profile(
    problem: Problem,
    source: Source,
    backend: Backend,
    case: Case,
    options: BuildOptions,
    limits: Limits,
) -> Profile:
    """Build ``source`` for tracing and call it on ``case`` once.

    Raises CompileFailed or Refused for a source that can't be built, JudgeError for a call that
    does not come to its end.
    """
    artifact = backend.build(problem, source, replace(options, traced=True))
    data = case_data(problem, case)
    call = plan_call(problem, data, case.sizes, backend.red_zone)
    arena = Arena()
    worker = Worker(
        backend.runner,
        backend.config(),
        arena,
        WorkerLimits(limits.case_seconds, limits.output_bytes, limits.memory_bytes),
    )
    try:
        failed = worker.load(artifact.library)
        if failed is not None:
            raise JudgeError(f"{source.path}: {failed.message}")
        arena.fill(call, data, {b.name: poison_pattern(b.dtype, 0) for b in call.buffers})
        reply = worker.trace(call, RunOptions(), limits.case_seconds * _PATIENCE)
    finally:
        worker.close()
        arena.close()
    if isinstance(reply, Outcome):
        raise JudgeError(f"{source.path}: {_why(reply)}; leetk run says more")
    kernels = tuple(
        KernelCounters(
            *(kernel.name, kernel.grid, kernel.block),
            *(kernel.launches, kernel.blocks, kernel.traced),
            _lines(backend, artifact, [c for c in reply.counters if c.kernel == kernel.name]),
            kernel.shared,
        )
        for kernel in reply.kernels
    )
    environment = dict(backend.environment())
    path, sizes = str(source.path), dict(case.sizes)
    return Profile(problem.name, path, backend.name, sizes, case.seed, kernels, environment)


def _why(outcome: Outcome) -> str:
    fatal = [report for report in outcome.reports if report.fatal]
    return report_text(fatal[0]) if fatal else f"solve did not end well ({outcome.status.value})"


def _lines(
    backend: Backend, artifact: Artifact, counters: Sequence[Counter]
) -> tuple[LineCounters, ...]:
    """One entry for each line, space, access and width, in the order of the source."""
    found: dict[tuple[str, int, str, str, int], LineCounters] = {}
    for counter in counters:
        file, line = backend.locate(artifact, RuntimeReport("counter", "", pc=counter.pc))
        key = (file, line, counter.space, counter.access, counter.size)
        old = found.get(key, LineCounters(*key[1:], 0, 0, 0, 0, 0, counter.stride, file))
        found[key] = replace(
            old,
            requests=old.requests + counter.requests,
            lanes=old.lanes + counter.lanes,
            sectors=old.sectors + counter.sectors,
            wavefronts=old.wavefronts + counter.wavefronts,
            ideal=old.ideal + counter.ideal,
            stride=old.stride if old.stride == counter.stride else 0,
            banks=max(old.banks, counter.banks),
        )
    return tuple(found[key] for key in sorted(found))
