"""Cases over several slots: where the judging stops."""

from __future__ import annotations

import math
import threading
import time
from typing import Any, ClassVar, cast

import pytest

from harness import cases
from harness.judge.race import CaseRace
from harness.model import Case, CaseData, CaseKind, CaseResult, Verdict


class FakeSlot:
    """Every case runs into the limit; the first one ends after the second."""

    healthy = False
    artifact = object()
    deadline = math.inf
    second_is_over = threading.Event()
    asked: ClassVar[list[str]] = []  # of all slots

    def judge_case(self, case: Case, data: CaseData) -> CaseResult:
        self.asked.append(case.name)
        if case.name == "1":
            assert self.second_is_over.wait(10)
            time.sleep(0.05)  # for the other slot to look for another case
        else:
            self.second_is_over.set()
        return CaseResult(case.name, case.kind, case.sizes, Verdict.TIME_LIMIT)


def test_no_case_follows_one_that_timed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even while an earlier case still runs: each would cost its whole limit."""
    monkeypatch.setattr(cases, "case_data", lambda problem, case: CaseData({}, {}, {}, {}))
    planned = [Case(f"{n}", CaseKind.TEST, {"N": n}) for n in range(1, 5)]
    race = CaseRace(cast(Any, None), planned, math.inf, lambda event: None)
    race.run(cast(Any, [FakeSlot(), FakeSlot()]), cast(Any, object()))
    assert sorted(FakeSlot.asked) == ["1", "2"]
    assert [result.name for result in race.results] == ["1"]
    assert [case.name for case, _ in race.left] == ["2", "3", "4"]
