"""What a race of a read comes to where the read finds what was there before.

On a GPU nothing says which of the two comes first. The CPU backend runs threads one by one,
so each read finds the newest value, and the outputs are right whatever the order. A call in which
such a race was found is made again with the old values (runtime/leetk/stale.cpp): where its answer
is wrong, or it does not end, the race decides the verdict. Where it is right all the same, as in a
breadth-first search that marks a neighbour twice, the race is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from harness import cases
from harness.backends.base import Checker
from harness.compare import poison_pattern
from harness.errors import LeetkError
from harness.judge.evaluate import decide, examine
from harness.model import Artifact, Case, Finding, Problem, Source, Status, Verdict
from harness.wire import Call, RuntimeReport
from harness.worker.arena import Arena
from harness.worker.supervisor import Worker

_Place = tuple[str, int]


class Consequence:
    """Of the races of one submission. ``ended``: the worker has ended in a trial."""

    def __init__(
        self, problem: Problem, checker: Checker, artifact: Artifact, source: Source
    ) -> None:
        self._problem = problem
        self._checker = checker
        self._artifact = artifact
        self._source = source
        self._case = ""
        self._why = ""
        self._places: set[_Place] = set()
        self.ended = False

    def try_out(
        self,
        worker: Worker,
        arena: Arena,
        call: Call,
        case: Case,
        reports: Iterable[RuntimeReport],
    ) -> None:
        """Call ``solve`` on ``case`` again, if the call that gave ``reports`` had a race that may
        decide. One race that does is enough."""
        suspects = [report for report in reports if report.kind == "race" and report.read]
        if self._places or not suspects:
            return
        try:
            data = cases.case_data(self._problem, case)
        except LeetkError:
            return  # the judge tells of it
        poison = {b.name: poison_pattern(b.dtype, 0) for b in call.buffers}
        arena.fill(call, data, poison)
        outcome = worker.run(call, replace(self._checker.watch.run, stale=True))
        attempt = examine(arena, call, data, poison, outcome)
        folder = worker.folder
        again = self._checker.reports(self._artifact, self._source, call, folder, outcome)
        self.ended = outcome.status is not Status.COMPLETED
        if decide(self._problem, call, data, [attempt]).verdict is Verdict.ACCEPTED:
            return
        # Of a call that did not come to its end there are no reports; and with old values two
        # threads may write the same thing, which is no race.
        blamed = [report for report in again if report.stale] or suspects
        self._places = {(report.file, report.line) for report in blamed}
        self._case = case.name
        self._why = "solve does not come to its end" if self.ended else "the output is wrong"

    def convict(self, report: RuntimeReport, finding: Finding) -> Finding:
        """The finding of a race with what it comes to."""
        if (
            not report.read
            or report.kind != "race"
            or (report.file, report.line) not in self._places
        ):
            return finding
        told = f"{finding.message}; where a GPU reads what was there before, {self._why}"
        return replace(finding, severity="error", message=told, case=self._case)
