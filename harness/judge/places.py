"""Where in the source a runtime's reports belong."""

from __future__ import annotations

from dataclasses import replace

from harness.backends.base import Backend
from harness.model import Artifact, Outcome


def located(backend: Backend, artifact: Artifact, outcome: Outcome) -> Outcome:
    """The outcome with file and line in each report that has only an offset into the library."""
    reports = []
    for report in outcome.reports:
        if report.pc and not report.line:
            file, line = backend.locate(artifact, report)
            report = replace(report, file=file, line=line)
        reports.append(report)
    return replace(outcome, reports=tuple(reports))
