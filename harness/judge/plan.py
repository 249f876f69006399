"""Which cases are run, which are left out and why."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness import cases
from harness.backends.base import Backend
from harness.model import Case, CaseData, LeftOut, Problem
from harness.parallel import background
from harness.settings import Settings

_AFTER_SECONDS = 0.2


@dataclass(frozen=True)
class Plan:
    """``cases`` in the order in which they are run, the ``perf`` case if it is timed, and what is
    left out from the start."""

    cases: tuple[Case, ...]
    perf: Case | None
    left_out: tuple[LeftOut, ...]


def make_plan(problem: Problem, backend: Backend, settings: Settings) -> Plan:
    """The cases that the user asked for, within the backend's means."""
    planned: list[Case] = []
    left: list[LeftOut] = []
    work = 0.0
    for case in _wanted(problem, settings):
        if case.work > backend.max_work:
            left.append(left_out(case, f"more work than the {backend.name} backend takes on"))
        elif work + case.work > backend.total_work:
            left.append(left_out(case, "the run's share of work was used up"))
        else:
            work += case.work
            planned.append(case)
    perf, why = _perf(problem, backend, settings)
    if perf is not None and why:
        left.append(left_out(perf, why))
    return Plan(tuple(planned), None if why else perf, tuple(left))


def left_out(case: Case, why: str) -> LeftOut:
    return LeftOut(case.name, case.kind, case.sizes, why)


def _wanted(problem: Problem, settings: Settings) -> Sequence[Case]:
    if settings.sizes:
        return (cases.sized_case(problem, settings.seed, settings.sizes),)
    wanted = cases.plan_cases(problem, settings.seed)
    if settings.only:
        return [case for case in wanted if case.name == settings.only]
    return wanted


def _perf(problem: Problem, backend: Backend, settings: Settings) -> tuple[Case | None, str]:
    """The perf case, and why it is not timed ("" when it is)."""
    perf = cases.perf_case(problem, settings.seed, settings.sizes)
    if perf is None or settings.only or (settings.sizes and not backend.can_time):
        return None, ""
    if not backend.can_time:
        return perf, f"the {backend.name} backend judges correctness and never claims a GPU time"
    return perf, "" if settings.perf else "--no-perf"


def in_background(make: Callable[[Case], CaseData], case: Case) -> Callable[[], CaseData]:
    """Run on a daemon thread: the perf case's data may take seconds, and a submission that fails
    before it is timed must not wait for them. The compiler goes first: what starts it and this
    thread's numpy would share one interpreter lock."""

    def work() -> CaseData:
        time.sleep(_AFTER_SECONDS)
        return make(case)

    return background(work)
