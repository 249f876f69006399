"""The cpu backend's checker: a library that looks at each access (runtime/leetk/watch.cpp).

What it finds comes as reports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from harness.backends.base import Watch
from harness.model import Artifact, BuildOptions, Outcome, Source
from harness.source.access import takes_address
from harness.wire import Call, RunOptions, RuntimeReport

Places = Callable[[Artifact, Iterable[int]], Mapping[int, tuple[str, int, int]]]

# A checked call takes some 25 times as long as a plain one.
_PATIENCE = 25.0
_END = re.compile(r"^index (\d+) is out of range of [^\[]*\[\1\]")


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
        return tuple(
            _placed(report, places) for report in reports if not _is_end(report, places, source)
        )


def _is_end(
    report: RuntimeReport, places: Mapping[int, tuple[str, int, int]], source: Source
) -> bool:
    """Whether the index is that of an end, whose address is taken and which is not accessed:
    ``&t[16][0]`` of ``t[16][17]``, where the compiler looks at the first index as if it were."""
    ends = _END.search(report.message) if report.kind == "index_out_of_range" else None
    file, line, column = places.get(report.pc, ("", 0, 0))
    lines = source.text.split("\n")
    if ends is None or not 0 < line <= len(lines) or Path(file).name != source.path.name:
        return False
    return takes_address(lines[line - 1], column)


def _placed(report: RuntimeReport, places: Mapping[int, tuple[str, int, int]]) -> RuntimeReport:
    if report.pc and not report.line:
        file, line, _ = places[report.pc]
        report = replace(report, file=file, line=line)
    if report.other:
        file, line, _ = places[report.other]
        report = replace(report, other_file=file, other_line=line)
    return report
