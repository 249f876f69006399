"""One call of ``solve`` looked at by everything that a backend has for finding faults."""

from __future__ import annotations

from harness.backends.base import Backend, Checker
from harness.cases import unanswered
from harness.compare import poison_pattern
from harness.judge.watched import FINISH_SECONDS, watched
from harness.model import Artifact, BuildOptions, Case, CaseData, Problem, Source, Status
from harness.settings import Limits
from harness.wire import Call, RuntimeReport
from harness.worker.arena import plan_call


def sanitize(
    problem: Problem,
    source: Source,
    backend: Backend,
    case: Case,
    options: BuildOptions,
    limits: Limits,
) -> tuple[tuple[RuntimeReport, ...], Call]:
    """What is found in a call of ``source`` on ``case``, each fault of a line once, by each of the
    backend's checkers, and the call. A checker that does not come to its end says so in a report of
    the kind ``unchecked``.

    Raises CompileFailed or Refused for a source that can't be built, ToolchainMissing where nothing
    can look for faults here, JudgeError for a tool that fails.
    """
    data = unanswered(problem, case)
    call = plan_call(problem, data, case.sizes, backend.red_zone)
    built: dict[BuildOptions, Artifact] = {}
    found: list[RuntimeReport] = []
    for checker in backend.checkers(options):
        wanted = checker.watch.options
        if wanted not in built:
            built[wanted] = backend.build(problem, source, wanted)
        found += _checked(source, backend, built[wanted], checker, call, data, limits)
    return tuple(found), call


def _checked(
    source: Source,
    backend: Backend,
    artifact: Artifact,
    checker: Checker,
    call: Call,
    data: CaseData,
    limits: Limits,
) -> tuple[RuntimeReport, ...]:
    with watched(backend, checker, artifact, source, limits) as (worker, arena):
        arena.fill(call, data, {b.name: poison_pattern(b.dtype, 0) for b in call.buffers})
        outcome = worker.run(call, checker.watch.run)
        ended = outcome.status is Status.COMPLETED and worker.finish(FINISH_SECONDS)
        checker.examine(worker.folder, outcome.output)
        found = checker.reports(artifact, source, call, worker.folder, outcome)
    if not ended and not found:
        message = f"{checker.watch.name} saw nothing, but solve did not come to its end under it"
        return (RuntimeReport("unchecked", message),)
    return found
