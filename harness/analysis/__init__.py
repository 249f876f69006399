"""What tools say about a submission beyond its verdict.

An analysis is one file with a pure parser from a tool's text or trace, and a function from a
finished Report to ``Finding``s; its line in ``ANALYSES`` is all that registers it. A finding never
changes a verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from harness.analysis import ptxas
from harness.model import Finding, Report

ANALYSES: tuple[Callable[[Report], tuple[Finding, ...]], ...] = (ptxas.findings,)


def analysed(report: Report) -> Report:
    """The report with what every analysis found."""
    found = tuple(finding for analyse in ANALYSES for finding in analyse(report))
    return replace(report, findings=(*report.findings, *found)) if found else report
