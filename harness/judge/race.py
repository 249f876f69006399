"""All planned cases over the slots, a thread for each slot.

The verdict must not depend on which slot was faster: results are kept by the case's number, and
where to stop (a time limit, too many faults, the run's own limit) is decided in that order.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from harness import cases
from harness.judge.slot import Slot
from harness.model import Artifact, Case, CaseResult, Problem, Verdict
from harness.settings import Event

# A submission that keeps faulting has shown what it does; each fault costs a fresh worker.
MAX_FAULTS = 3


class CaseRace:
    """``results`` in the cases' order up to the one that stopped it; ``left`` what was not run,
    with the reason."""

    def __init__(
        self,
        problem: Problem,
        planned: Sequence[Case],
        deadline: float,
        emit: Callable[[Event], None],
    ) -> None:
        self._problem = problem
        self._planned = planned
        self._deadline = deadline
        self._emit = emit
        self._lock = threading.Lock()
        self._next = 0
        self._done: dict[int, tuple[CaseResult, bool]] = {}
        self._error: BaseException | None = None
        self.results: list[CaseResult] = []
        self.left: list[tuple[Case, str]] = []

    def run(self, slots: Sequence[Slot], artifact: Artifact) -> None:
        """Judge until nothing is left to do. Raises what a slot raised (JudgeError, Refused)."""
        for slot in slots:
            slot.deadline = self._deadline
        threads = [
            threading.Thread(target=self._work, args=(slot, artifact), daemon=True)
            for slot in slots[1:]
        ]
        for thread in threads:
            thread.start()
        self._work(slots[0], artifact)  # here, since Ctrl-C arrives on this thread
        if self._error is not None:
            for slot in slots[1:]:
                slot.interrupt()
        for thread in threads:
            thread.join()
        if self._error is not None:
            raise self._error
        self._settle()

    def _work(self, slot: Slot, artifact: Artifact) -> None:
        try:
            while (number := self._take()) is not None:
                case = self._planned[number]
                if slot.artifact is None:
                    slot.load(artifact)  # should it fail here, the case tries again and says so
                result = slot.judge_case(case, cases.case_data(self._problem, case))
                with self._lock:
                    self._done[number] = (result, slot.healthy)
                    self._emit(
                        Event("case", case.name, len(self._done), len(self._planned), result)
                    )
        except BaseException as error:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        with self._lock:
            self._error = self._error or error

    def _take(self) -> int | None:
        """The next case's number, or None when there is no reason to go on."""
        with self._lock:
            if self._error is not None or self._next >= len(self._planned):
                return None
            if self._seen_enough() or time.monotonic() > self._deadline:
                return None
            number = self._next
            self._next += 1
            self._emit(
                Event("case", self._planned[number].name, len(self._done), len(self._planned))
            )
            return number

    def _seen_enough(self) -> bool:
        """Whether the judging stops at a case that is done or running: cases are taken in order,
        so none that follows would count."""
        faults = sum(not healthy for _, healthy in self._done.values())
        timed_out = any(r.verdict is Verdict.TIME_LIMIT for r, _ in self._done.values())
        return timed_out or faults >= MAX_FAULTS

    def _stop(self) -> tuple[int, str] | None:
        """After which case to stop, and why, as far as results are known without a gap."""
        faults = 0
        for number in range(len(self._planned)):
            if number not in self._done:
                return None
            result, healthy = self._done[number]
            faults += not healthy
            if result.verdict is Verdict.TIME_LIMIT:
                return number, "an earlier case ran into the time limit"
            if faults >= MAX_FAULTS:
                return number, f"after {MAX_FAULTS} faults"
        return None

    def _settle(self) -> None:
        stop = self._stop()
        last, why = stop if stop is not None else (len(self._planned), "the run's time was used up")
        for number, case in enumerate(self._planned):
            if number <= last and number in self._done:
                self.results.append(self._done[number][0])
            else:
                self.left.append((case, why))
