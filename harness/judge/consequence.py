"""What a race comes to when its threads come in another order.

The CPU backend runs threads one after the other. On a GPU nothing says which of two comes first, so
small cases are called again in ways that CUDA allows too:

- where a race of a read was found, each such read finds what was there before (runtime/leetk/
  stale.cpp);
- where there are atomic or volatile accesses, threads and blocks take turns at them, or one block
  comes late (runtime/leetk/turns.cpp).

Where the answer is then wrong, that decides the verdict. A call that does not end may only be
slow: a search that never sees the flag that would end it early.
Where it is right all the same, as in a breadth-first search that marks a neighbour twice, a race is
left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from harness import cases
from harness.backends.base import Checker
from harness.compare import poison_pattern
from harness.judge.evaluate import Judgement, decide, examine
from harness.judge.findings import finding_of
from harness.model import Artifact, Case, Finding, Outcome, Problem, Source, Status, Verdict
from harness.source.lexer import tokens
from harness.wire import Call, RuntimeReport
from harness.worker.arena import Arena
from harness.worker.supervisor import Worker

_TURNS = re.compile(r"^atomic|^volatile$|^__ldc[gv]$|^__threadfence")
# The ways in which they are taken, with their seeds, and what each shows.
_AT_ACCESSES = (
    "when {who} take turns at their atomic and volatile accesses, as they may on a GPU, the output "
    "is wrong: {reason}: is there a check, and then an act on it, that should be one atomic "
    "operation?"
)
_MIXED = (
    "when blocks run at the same time, as they do on a GPU, the output is wrong: {reason}: is "
    "there a check, and then an act on it, that should be one atomic operation, or a flag that is "
    "raised before its value?"
)
_LATE = (
    "when one block comes later than the others, as it may on a GPU, the output is wrong: "
    "{reason}: does a block go on before all that it needs is there?"
)
# Of the processor's time, for all of them.
_SECONDS = 2.0
_WAYS = (
    ("threads", 0, _AT_ACCESSES.replace("{who}", "threads")),
    ("blocks", 0, _AT_ACCESSES.replace("{who}", "blocks")),
    *((way, seed, told) for seed in range(6) for way, told in (("mixed", _MIXED), ("late", _LATE))),
)
# Wrong answers that another order of threads brings about. What a call fails by is no proof: it may
# be too much for a worker.
_WRONG = frozenset((Verdict.WRONG_ANSWER, Verdict.OUTPUT_NOT_WRITTEN))
_CONSEQUENCE = "where a GPU reads what was there before, the output is wrong"
_ENDLESS = (
    "where a GPU reads what was there before, solve may not come to its end: what a loop waits for "
    "has to be volatile, or read by an atomic function"
)


class Consequence:
    """Of the races of one submission. ``blamed``: the reports that it comes to blame."""

    def __init__(
        self, problem: Problem, checker: Checker, artifact: Artifact, source: Source
    ) -> None:
        self._problem = problem
        self._checker = checker
        self._artifact = artifact
        self._source = source
        self._calls: list[tuple[Call, Case, tuple[RuntimeReport, ...]]] = []
        self._ended = False
        self._case = ""
        self._places: set[tuple[str, int]] = set()
        self._endless: set[tuple[str, int]] = set()  # of reads in a call that did not end
        self.blamed: dict[RuntimeReport, tuple[Call, Case]] = {}
        self._harmless: set[str] = set()  # cases whose answer is right with old values, too

    def suspect(self, call: Call, case: Case, reports: Iterable[RuntimeReport]) -> None:
        """A call that gave these reports and came to its end."""
        suspects = (r for r in reports if r.kind == "race" and (r.read or r.plain_update))
        self._calls.append((call, case, tuple(suspects)))

    def try_old_values(self, worker: Worker, arena: Arena) -> None:
        """Make calls with suspects again, until one is wrong or the worker has ended; all of them
        where there is something volatile, of which old values are found, too."""
        lags = any(token.text == "volatile" for token in tokens(self._source.text))
        for call, case, suspects in self._calls:
            if not suspects and not lags:
                continue
            for which in ("all", "some") if suspects else ("all",):
                found, outcome = self._again(worker, arena, call, case, stale=which)
                if found.verdict in _WRONG and self._is_sound(worker, arena, call, case):
                    self._blame(worker, call, case, suspects, outcome)
                if outcome.status is Status.TIMED_OUT:
                    self._endless = {(r.file, r.line) for r in suspects if r.read}
                if found.verdict is not Verdict.ACCEPTED:
                    return
            self._harmless.add(case.name)

    def try_turns(self, worker: Worker, arena: Arena) -> list[Finding]:
        """Make all calls again, until one is wrong or the worker has ended."""
        line = self._first_turn()
        if not line or self._ended:
            return []
        begun = worker.busy
        for way, seed, message in _WAYS:
            for number, (call, case, _) in enumerate(self._calls):
                if worker.busy - begun > _SECONDS:
                    return []
                at = seed * len(self._calls) + number
                found, outcome = self._again(worker, arena, call, case, turns=way, seed=at)
                if outcome.status is not Status.COMPLETED:
                    return []
                if found.verdict is not Verdict.ACCEPTED:
                    wrong = found.verdict in _WRONG and self._is_sound(worker, arena, call, case)
                    told = message.format(reason=found.reason)
                    path = str(self._source.path)
                    return [Finding("race", "error", told, path, line, case=case.name)] * wrong
        return []

    def _is_sound(self, worker: Worker, arena: Arena, call: Call, case: Case) -> bool:
        """Whether a further call without any trial is right: else it is not the trial that made
        one wrong, but a call of before, whose answer was kept."""
        return self._again(worker, arena, call, case)[0].verdict is Verdict.ACCEPTED

    def weigh(self, report: RuntimeReport, call: Call, case: Case) -> Finding:
        """The report as a finding, with what its race comes to."""
        text = self._source.text
        if report.plain_update and case.name in self._harmless and not self._places:
            # A loop to a fixed point, for one: what is lost is done again.
            report = replace(report, lost=False)
        finding = replace(finding_of(report, call, text), case=case.name)
        if report.kind == "race" and report.read and (report.file, report.line) in self._endless:
            return replace(finding, severity="warning", message=f"{finding.message}; {_ENDLESS}")
        if report.kind != "race" or (report.file, report.line) not in self._places:
            return finding
        if not (report.read or report.plain_update):
            return finding
        told = f"{finding.message}; {_CONSEQUENCE}"
        return replace(finding, severity="error", message=told, case=self._case)

    def _again(
        self,
        worker: Worker,
        arena: Arena,
        call: Call,
        case: Case,
        *,
        stale: str = "",
        turns: str = "",
        seed: int = 0,
    ) -> tuple[Judgement, Outcome]:
        data = cases.case_data(self._problem, case)
        poison = {b.name: poison_pattern(b.dtype, 0) for b in call.buffers}
        arena.fill(call, data, poison)
        run = replace(self._checker.watch.run, stale=stale, turns=turns, seed=seed)
        outcome = worker.run(call, run)
        attempt = examine(arena, call, data, poison, outcome)
        self._ended = outcome.status is not Status.COMPLETED
        return decide(self._problem, call, data, [attempt]), outcome

    def _blame(
        self,
        worker: Worker,
        call: Call,
        case: Case,
        suspects: tuple[RuntimeReport, ...],
        outcome: Outcome,
    ) -> None:
        checker, folder = self._checker, worker.folder
        again = checker.reports(self._artifact, self._source, call, folder, outcome)
        # With old values two threads may write the same thing, which is no race.
        blamed = [report for report in again if report.stale] or suspects
        self._places = {(report.file, report.line) for report in blamed}
        self.blamed = {report: (call, case) for report in blamed}
        self._case = case.name

    def _first_turn(self) -> int:
        """The line of the first atomic or volatile access, 0 if there seems to be none."""
        found = (t.line for t in tokens(self._source.text) if _TURNS.search(t.text))
        return next(found, 0)
