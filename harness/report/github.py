"""GitHub workflow commands: ``::error file=solutions/v3.cu,line=14,col=9::message``.

They make GitHub show a message beside the line of a change that it is about. One for each verdict
that was not expected, one for each compiler message and finding that has a place in a file.
Format: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from harness.model import Verdict
from harness.report.text import (
    MEANING,
    clean,
    failing,
    findings,
    titled,
    usage_fault,
    verdict_name,
)

if TYPE_CHECKING:
    from harness.model import Report
    from harness.report import Batch

_COMMANDS = {"error": "error", "warning": "warning"}
_NAMED_PLACE = re.compile(r"(?:^|\s)(?P<file>\S+?):(?P<line>\d+)(?::\d+)?: ")
_FAULTLESS = (Verdict.SKIPPED, Verdict.JUDGE_ERROR)


def render(batch: Batch) -> str:
    """The annotations of all reports, one a line; empty when there is nothing to say."""
    lines: list[str] = []
    for report in batch.reports:
        lines += _annotations(report)
    return "".join(line + "\n" for line in dict.fromkeys(lines))


def _annotations(report: Report) -> list[str]:
    lines = []
    if not report.as_expected:
        fault = usage_fault(report)
        if fault is not None:
            title = f"leetk: {verdict_name(report)}"
            return [annotation("error", fault.message, fault.file, fault.line, title=title)]
        level = "warning" if report.verdict is Verdict.SKIPPED else "error"
        title = f"leetk: {report.problem}: {report.verdict.value}"
        lines.append(annotation(level, _verdict_text(report), *_place(report), title=title))
    diagnostics = report.build.diagnostics if report.build else ()
    # A solution that is meant to fail is no news: its messages would mark a green run with red.
    quiet = bool(report.expected) and report.as_expected
    for item in diagnostics:
        if item.severity in _COMMANDS and item.file and not quiet:
            level = _COMMANDS[item.severity]
            lines.append(annotation(level, item.message, item.file, item.line, item.column))
    for finding in findings(report):
        if finding.file and not quiet:
            level = _COMMANDS.get(finding.severity, "notice")
            lines.append(
                annotation(level, finding.message, finding.file, finding.line, finding.column)
            )
    return lines


def _place(report: Report) -> tuple[str, int, int]:
    """Where in the solution's files the verdict's reason lies: the first error of the compiler, the
    place that the reason or else a finding names; line 0 where nothing is known."""
    diagnostics = report.build.diagnostics if report.build else ()
    for item in diagnostics:
        if item.severity == "error" and item.file and item.line:
            return item.file, item.line, item.column
    named = _NAMED_PLACE.search(report.reason)
    if named is not None and Path(named["file"]).name == Path(report.solution).name:
        return report.solution, int(named["line"]), 0
    if report.verdict not in (*_FAULTLESS, Verdict.ACCEPTED):
        for finding in findings(report):
            if finding.file and finding.line and finding.severity in _COMMANDS:
                return finding.file, finding.line, finding.column
    return report.solution, 0, 0


def _verdict_text(report: Report) -> str:
    parts = [report.reason or MEANING[report.verdict]]
    if report.expected:
        wanted = " or ".join(verdict.value for verdict in report.expected)
        parts.insert(0, f"expected {wanted}, got {report.verdict.value}:")
    bad = failing(report)
    if bad and report.verdict not in _FAULTLESS:
        parts.append(f"[{titled(bad[0].name, bad[0].sizes)}]")
        if bad[0].replay:
            parts.append(f"\nReplay: {bad[0].replay}")
    return " ".join(parts)


def annotation(
    level: str, message: str, file: str, line: int = 0, column: int = 0, *, title: str = ""
) -> str:
    """One workflow command. ``line`` and ``column`` count from 1, 0 when unknown."""
    properties = [f"file={_property(_relative(file))}"]
    if line > 0:
        properties.append(f"line={line}")
        if column > 0:
            properties.append(f"col={column}")
    if title:
        properties.append(f"title={_property(title)}")
    return f"::{level} {','.join(properties)}::{_data(message)}"


def _relative(file: str) -> str:
    """Annotations find their file only by a path from the repository's root, where CI starts."""
    path = Path(os.path.abspath(file))
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return file


def _data(text: str) -> str:
    return clean(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
