"""Counters and resources of the solutions that are compared: what tells why one is faster, and all
that there is to compare without a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness import cases
from harness.analysis.resources import PtxasLog, ptxas_log, with_resources
from harness.analysis.work import with_work
from harness.backends.base import Backend
from harness.build import ptxas
from harness.contest import Compiled, Contest, Standing
from harness.errors import LeetkError
from harness.judge.profile import profile
from harness.model import BuildOptions, Case, Problem, Source, Verdict
from harness.settings import Limits

# Of these there is nothing that runs.
_NOT_COUNTED = (Verdict.COMPILE_ERROR, Verdict.JUDGE_ERROR, Verdict.SKIPPED)


def with_counters(
    contest: Contest,
    problem: Problem,
    sources: Sequence[Source],
    backend: Backend,
    options: BuildOptions,
    limits: Limits,
    sizes: Mapping[str, int],
) -> Contest:
    """The contest with each solution's profile, counted by ``backend`` at ``sizes``. A solution
    that it can't count keeps its place, with the reason."""
    case = cases.sized_case(problem, contest.seed, sizes)
    standings = tuple(
        _counted(standing, problem, source, backend, options, limits, case)
        for standing, source in zip(contest.standings, sources, strict=True)
    )
    return replace(contest, standings=standings, counted_sizes=dict(case.sizes))


def _counted(
    standing: Standing,
    problem: Problem,
    source: Source,
    backend: Backend,
    options: BuildOptions,
    limits: Limits,
    case: Case,
) -> Standing:
    if standing.verdict in _NOT_COUNTED and not standing.timing:
        return replace(standing, no_profile=standing.reason)
    log = ptxas_log(problem, source, options)
    standing = replace(standing, compiled=_compiled(log))
    try:
        made = profile(problem, source, backend, case, options, limits)
    except LeetkError as error:
        return replace(standing, no_profile=str(error).partition("\n")[0])
    made = with_work(with_resources(made, log.text, log.arch), problem)
    return replace(standing, profile=made)


def _compiled(log: PtxasLog) -> Compiled | None:
    kernels = ptxas.parse(log.text)
    if not kernels:
        return None
    spills = max(kernel.spill_stores + kernel.spill_loads for kernel in kernels)
    return Compiled(max(kernel.registers for kernel in kernels), spills)
