"""The cpu backend's checker: a library that looks at each access (runtime/leetk/watch.cpp).

What it finds comes as reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from harness.backends.base import Watch
from harness.model import Artifact, BuildOptions, Outcome, Source
from harness.wire import Call, RunOptions, RuntimeReport

Places = Callable[[Artifact, Iterable[int]], Mapping[int, tuple[str, int, int]]]

# A checked call takes some 25 times as long as a plain one.
_PATIENCE = 25.0


class AccessChecker:
    """Finds races, reads of what was never written, and accesses outside their buffer."""

    def __init__(self, options: BuildOptions, places: Places) -> None:
        """``places`` finds the places of instructions in a library."""
        self.watch = Watch(
            "the CPU backend's checks",
            replace(options, checked=True),
            run=RunOptions(checked=True),
            patience=_PATIENCE,
        )
        self._places = places

    def examine(self, folder: Path, said: str) -> None:
        """There is no tool that could fail."""

    def reports(
        self, artifact: Artifact, source: Source, call: Call, folder: Path, outcome: Outcome
    ) -> tuple[RuntimeReport, ...]:
        """The library's reports with their places."""
        reports = outcome.reports
        pcs = {pc for report in reports for pc in (report.pc, report.other) if pc}
        places = self._places(artifact, pcs) if pcs else {}
        return tuple(_placed(report, places) for report in reports)


def _placed(report: RuntimeReport, places: Mapping[int, tuple[str, int, int]]) -> RuntimeReport:
    if report.pc and not report.line:
        file, line, _ = places[report.pc]
        report = replace(report, file=file, line=line)
    if report.other:
        file, line, _ = places[report.other]
        report = replace(report, other_file=file, other_line=line)
    return report
