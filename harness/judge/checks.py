"""Small cases looked at access by access, beside the judging.

A solution that has to be compiled is compiled for this, too, while the judge goes on; what is found
is kept with what was built, so that a second run knows it at once. A checker says nothing of what
it did not see: its findings are warnings, and no verdict waits for it longer than for its calls.

What limits the calls is the processor's time, which a solution that sleeps does not use up and a
busy machine hardly stretches; of one that uses it up, or ends its process, ``unchecked`` tells.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace

from harness import cases
from harness.backends.base import Backend, Checker
from harness.compare import poison_pattern
from harness.errors import LeetkError
from harness.judge.consequence import Consequence
from harness.judge.findings import CHECKED, UNCHECKED, finding_of, plainest
from harness.judge.sanitize import sanitize
from harness.judge.watched import watched
from harness.model import (
    Artifact,
    BuildOptions,
    Case,
    CaseData,
    CaseKind,
    Finding,
    Problem,
    Source,
    Status,
)
from harness.parallel import background
from harness.settings import Settings
from harness.wire import Call, RuntimeReport
from harness.worker.arena import plan_call
from harness.worker.supervisor import Worker

_MOST_CASES = 10
_FIRST_CASES = 6
# Of the processor's time, and of the clock's.
_CALL_SECONDS = 4.0
_TOTAL_SECONDS = 4.0
_WAIT_SECONDS = 10.0
_TOTAL_WAIT = 30.0
_WORK = 1.15e6
_ELEMENT_WORK = 40.0  # a thread that has one costs as much as so many operations
# To be raised with each change of what is found, so that what was remembered before is not taken.
_EDITION = 17
# The data are the same in every run, so that what is found is, too.
_SEED = 1


class _Unfinished(Exception):
    """Checks that were cut off, by the machine or by the clock: another run may see more."""

    def __init__(self, found: tuple[Finding, ...]) -> None:
        super().__init__("unfinished")
        self.found = found


class Checks:
    """One submission's. ``begin`` may be called before ``findings``, where there is time."""

    def __init__(
        self,
        problem: Problem,
        source: Source,
        backend: Backend,
        settings: Settings,
        options: BuildOptions,
        planned: Sequence[Case],
    ) -> None:
        self._problem = problem
        self._source = source
        self._backend = backend
        self._settings = settings
        self._options = options
        self._planned = planned
        self._cases = tuple(_chosen(problem, planned))
        self._begun: Callable[[], tuple[Finding, ...]] | None = None
        self._worker: Worker | None = None
        self._closed = False

    @property
    def largest(self) -> Mapping[str, int]:
        """The sizes of the largest case that is looked at; none if there is none."""
        if not self._backend.checks or not self._cases:
            return {}
        return max(self._cases, key=lambda case: case.work).sizes

    def close(self) -> None:
        """End what was begun and is not waited for any more; its compiler has been ended."""
        self._closed = True
        if self._worker is not None:
            self._worker.interrupt()
        if self._begun is not None:
            with suppress(Exception):
                self._begun()

    def begin(self) -> None:
        """Build and run on a thread."""
        if self._begun is None and self._backend.checks and self._cases:
            self._begun = background(self._checked)

    def findings(self, artifact: Artifact) -> tuple[Finding, ...]:
        """What was found, for the solution that was built as ``artifact``. Waits for it."""
        if not self._backend.checks or not self._cases:
            return ()
        # What the data of these cases depend on, besides the spec's own files.
        names = map(repr, (*self._cases, self._problem.arguments))
        parts = (f"checks {_EDITION}", str(artifact.library), self._problem.name, *names)

        def make() -> str:
            found = self._begun() if self._begun is not None else self._checked()
            return json.dumps([asdict(finding) for finding in found])

        try:
            text = self._backend.remembered(self._options, parts, make)
        except _Unfinished as cut_off:
            return cut_off.found
        return tuple(Finding(**item) for item in json.loads(text))

    def look_at(self, case: Case) -> tuple[Finding, ...]:
        """What is found in a case that was judged wrong."""
        if not self._backend.checks:
            return ()
        with suppress(_Unfinished):
            return self._guarded([(case, cases.unanswered(self._problem, case))])
        return ()

    def sanitized(self, wrong: Case | None) -> tuple[Finding, ...]:
        """What the tools of a backend find that doesn't look at each run: in the case that was
        judged wrong, else in the smallest one with a tail, else in the smallest. Raises
        ToolchainMissing or JudgeError for a tool that can't work."""
        if self._backend.checks or not self._settings.sanitize or not self._planned:
            return ()
        tails = [c for c in self._planned if all(n > 3 and n % 4 for n in c.sizes.values())]
        case = wrong or min(tails or self._planned, key=lambda case: case.work)
        limits = self._settings.limits
        reports, call = sanitize(
            *(self._problem, self._source, self._backend, case, self._options), limits
        )
        return tuple(_finding(r, call, case, self._source.text) for r in plainest(reports))

    def _checked(self) -> tuple[Finding, ...]:
        return self._guarded((case, cases.unanswered(self._problem, case)) for case in self._cases)

    def _guarded(self, wanted: Iterable[tuple[Case, CaseData]]) -> tuple[Finding, ...]:
        """What can't be checked is no fault of the solution's. Raises _Unfinished, which is not for
        the next run to know."""
        found: list[Finding] = []
        try:
            for checker in self._backend.checkers(self._options):
                found += self._by(checker, wanted)
        except LeetkError as error:
            raise _Unfinished((*found, _unchecked(str(error)))) from None
        return tuple(dict.fromkeys(found))

    def _by(self, checker: Checker, wanted: Iterable[tuple[Case, CaseData]]) -> list[Finding]:
        artifact = self._backend.build(self._problem, self._source, checker.watch.options)
        found: dict[RuntimeReport, tuple[Call, Case]] = {}
        wrong = Consequence(self._problem, checker, artifact, self._source)
        cut_off = ""
        begin = time.monotonic()
        plain, patience = self._settings.limits.case_seconds, checker.watch.patience
        limits = replace(self._settings.limits, case_seconds=min(plain, _WAIT_SECONDS / patience))
        busy = min(plain * patience, _CALL_SECONDS)
        parts = self._backend, checker, artifact, self._source, limits, busy
        with watched(*parts) as (worker, arena):
            self._worker = worker
            loaded = worker.busy
            for case, data in wanted:
                late = time.monotonic() - begin > _TOTAL_WAIT
                if self._closed or late or worker.busy - loaded > _TOTAL_SECONDS:
                    cut_off = f"their time of {_TOTAL_SECONDS:g} s was used up before {case.name}"
                    break
                call = plan_call(self._problem, data, case.sizes, self._backend.red_zone)
                poison = {b.name: poison_pattern(b.dtype, 0) for b in call.buffers}
                arena.fill(call, data, poison)
                outcome = worker.run(call, checker.watch.run)
                reports = checker.reports(artifact, self._source, call, worker.folder, outcome)
                told_of = (r for r in reports if _counts(r) and not r.benign)
                found |= {report: (call, case) for report in told_of}
                if outcome.status is Status.TIMED_OUT:
                    cut_off = f"{case.name} took more than {busy:g} s"
                elif outcome.status is not Status.COMPLETED and not reports:
                    cut_off = f"{case.name} did not come to its end"
                if outcome.status is not Status.COMPLETED:
                    break
                wrong.suspect(call, case, reports)
            if not cut_off:
                wrong.try_old_values(worker, arena)
                found |= wrong.blamed
            told = [wrong.weigh(report, *found[report]) for report in plainest(found)]
            if not cut_off and all(finding.severity != "error" for finding in told):
                told += wrong.try_turns(worker, arena)
        if cut_off:
            raise _Unfinished((*told, _unchecked(cut_off, "warning")))
        return told


def _finding(report: RuntimeReport, call: Call, case: Case, text: str) -> Finding:
    return replace(finding_of(report, call, text), case=case.name)


def _unchecked(why: str, severity: str = "info") -> Finding:
    """A warning where the solution is why."""
    return Finding(UNCHECKED, severity, f"not all accesses were looked at: {why}")


def _counts(report: RuntimeReport) -> bool:
    """What plain calls show, too, has been told."""
    exact = report.pc or report.kind == "index_out_of_range"
    return report.kind in CHECKED and report.line > 0 and bool(exact) and not report.idle


def _chosen(problem: Problem, planned: Sequence[Case]) -> Iterable[Case]:
    """Small cases with data that are always the same: the first ones, which are the spec's own,
    then the largest that there is work left for."""
    costs = [(c.work + _ELEMENT_WORK * cases.elements(problem, c.sizes), c) for c in planned]
    small = [(n, c) for n, c in costs if c.kind is not CaseKind.FUZZ and n <= _WORK]
    first, others = small[:_FIRST_CASES], small[_FIRST_CASES:]
    work, count = 0.0, 0
    for cost, case in (*first, *sorted(others, key=lambda pair: -pair[0])):
        if count < _MOST_CASES and work + cost <= _WORK:
            work, count = work + cost, count + 1
            yield replace(case, seed=_SEED)
