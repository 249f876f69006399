"""One call of ``solve`` with its memory accesses counted, by source line."""

from __future__ import annotations

from dataclasses import replace

from harness.backends.base import Backend, Counted, Profiler
from harness.cases import case_data
from harness.compare import compare_output, poison_pattern
from harness.counters import KernelCounters, Profile
from harness.errors import JudgeError, SolutionFailed
from harness.judge.evaluate import report_text, running
from harness.judge.merge import merge
from harness.judge.places import located
from harness.judge.watched import FINISH_SECONDS, watched
from harness.model import Artifact, BuildOptions, Case, Outcome, Problem, Source, Status
from harness.settings import Limits
from harness.wire import ApiError, TraceReply
from harness.worker.arena import plan_call

# Counting takes some 25 times as long as a plain call, so only small sizes come to an end.
_SECONDS = 30.0


def profile(
    problem: Problem,
    source: Source,
    backend: Backend,
    case: Case,
    options: BuildOptions,
    limits: Limits,
) -> Profile:
    """Build ``source`` for counting and call it on ``case`` once.

    Raises CompileFailed or Refused for a source that can't be built, ToolchainMissing where nothing
    can count here, SolutionFailed for a call that does not come to its end, JudgeError for a tool
    that doesn't.
    """
    profiler = backend.profiler(options)
    artifact = backend.build(problem, source, profiler.watch.options)
    counted, right = _counted(problem, source, backend, case, profiler, artifact, limits)
    environment = dict(backend.environment())
    path, sizes = str(source.path), dict(case.sizes)
    kernels = _kernels(counted)
    made = Profile(problem.name, path, backend.name, sizes, case.seed, kernels, environment)
    return replace(made, right=right)


def _counted(
    problem: Problem,
    source: Source,
    backend: Backend,
    case: Case,
    profiler: Profiler,
    artifact: Artifact,
    limits: Limits,
) -> tuple[Counted, bool]:
    """What was counted, and whether the outputs are right."""
    data = case_data(problem, case)
    call = plan_call(problem, data, case.sizes, backend.red_zone)
    watch = profiler.watch
    with watched(backend, profiler, artifact, source, limits) as (worker, arena):
        poison = {b.name: poison_pattern(b.dtype, 0) for b in call.buffers}
        arena.fill(call, data, poison)
        reply = worker.trace(call, watch.run, _SECONDS)
        ended = isinstance(reply, TraceReply) and worker.finish(FINISH_SECONDS)
        profiler.examine(worker.folder, reply.output if isinstance(reply, Outcome) else "")
        if isinstance(reply, Outcome):
            raise SolutionFailed(f"{source.path}: {_why(located(backend, artifact, reply))}")
        if reply.reply.error is not None:
            raise SolutionFailed(f"{source.path}: {_fault(reply.reply.error)}; leetk run says more")
        if not ended:
            raise JudgeError(f"{watch.name} did not end within {FINISH_SECONDS:.0f} s")
        right = all(
            compare_output(
                argument, arena.view(buffer), data, problem.tolerance, poison[buffer.name]
            )
            is None
            for argument in problem.outputs
            for buffer in call.buffers
            if buffer.name == argument.name
        )
        return profiler.counted(artifact, source, worker.folder, reply), right


def _kernels(counted: Counted) -> tuple[KernelCounters, ...]:
    return tuple(
        KernelCounters(
            *(kernel.name, kernel.grid, kernel.block),
            *(kernel.launches, kernel.blocks, kernel.traced),
            merge(
                [c for c in counted.counters if c.kernel == kernel.name],
                lambda pc: counted.places.get(pc, ("", 0, 0)),
            ),
            kernel.shared,
            counted.resources.get(kernel.name),
        )
        for kernel in counted.kernels
    )


def _why(outcome: Outcome) -> str:
    fatal = [report for report in outcome.reports if report.fatal]
    if fatal:
        return f"{report_text(fatal[0])}; leetk run says more"
    if outcome.status in (Status.TIMED_OUT, Status.MEMORY):
        what = "time" if outcome.status is Status.TIMED_OUT else "memory"
        return (
            f"solve took too much {what} while its accesses were counted (after "
            f"{outcome.seconds:.3g} s): an endless loop, or too large a --size (256 is plenty)"
            f"{running(outcome)}"
        )
    return f"solve did not end well ({outcome.status.value}); leetk run says more"


def _fault(error: ApiError) -> str:
    return f"solve failed with {error.name} ({error.message})"
