"""Many submissions for people: a row each as it is judged, then the whole report of each that did
not end as expected, then the count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from harness.model import Verdict
from harness.report import console
from harness.report import text as words
from harness.report.terminal import Part, Terminal, cells

if TYPE_CHECKING:
    from harness.model import Report

_VERDICT_WIDTH = max(len(verdict.value) for verdict in Verdict)


class Summary:
    """The table of a ``check``. ``names`` are the paths and problems of all submissions, so that
    the columns are as wide as they need to be before the first row is known."""

    def __init__(self, out: Terminal, names: Sequence[tuple[str, str]]) -> None:
        self._out = out
        paths = max(cells(words.clean(path)) for path, _ in names)
        problems = max(cells(words.clean(problem)) for _, problem in names)
        mark = max(len(out.symbols.good), len(out.symbols.bad), len(out.symbols.skipped))
        self._widths = [mark, paths, problems, _VERDICT_WIDTH, 7, 0]

    def row(self, report: Report) -> None:
        """Print one submission's row."""
        self._out.row(self._cells(report), self._widths)

    def close(self, reports: Sequence[Report], seed: int, *, verbose: bool) -> None:
        """Print what went wrong, then the count."""
        out = self._out
        for report in reports:
            # A usage error's row has said it all.
            if not report.as_expected and not words.usage_fault(report):
                out.blank()
                console.render(report, out, verbose=verbose)
        good = sum(report.as_expected for report in reports)
        out.blank()
        style = "bold green" if good == len(reports) else "bold red"
        backends = words.joined(sorted({report.backend for report in reports}))
        out.line(
            (f"{good} of {words.plural(len(reports), 'solution')} as expected", style),
            f"  ({backends} backend, seed {seed})",
        )

    def _cells(self, report: Report) -> tuple[Part, ...]:
        symbols = self._out.symbols
        if report.as_expected:
            mark: Part = (symbols.good, "green")
        elif report.verdict is Verdict.SKIPPED and not words.usage_fault(report):
            mark = (symbols.skipped, "yellow")
        else:
            mark = (symbols.bad, "red")
        return (
            mark,
            report.solution,
            report.problem,
            (words.verdict_name(report), console.verdict_style(report.verdict)),
            words.seconds(report.seconds),
            self._about(report),
        )

    def _about(self, report: Report) -> str:
        if report.expected and report.as_expected:
            return "as expected"
        if report.expected:
            wanted = words.joined([verdict.value for verdict in report.expected], "or")
            return f"expected {wanted}"
        if report.verdict is not Verdict.ACCEPTED:
            return words.one_line(report.reason)
        if report.timing is not None:
            return words.speed(report.timing).replace("±", self._out.symbols.plus_minus)
        return words.passed(report)
