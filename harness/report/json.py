"""The JSON of a report, as ``schema.json`` beside this file describes it.

Every key is written by hand: a new field in the model must not change a published format by
accident. It is strict JSON, so numbers are finite: NaN and the infinities, which a wrong answer
may well hold, are the strings "NaN", "Infinity" and "-Infinity". It is pure ASCII, so that it can
be written to any stream.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from harness.model import (
        BuildInfo,
        CaseResult,
        Diagnostic,
        Element,
        Finding,
        LeftOut,
        Mismatch,
        Report,
        Timing,
    )
    from harness.report import Batch

SCHEMA_VERSION = 1

Json = Union[None, bool, int, float, str, "Sequence[Json]", "Mapping[str, Json]"]

_SURROGATE = re.compile("[\ud800-\udfff]")


def render(batch: Batch) -> str:
    """The text of one report (``leetk run``) or of all with a summary (``leetk check``)."""
    if batch.single:
        (report,) = batch.reports
        return dumps(report_json(report))
    return dumps(
        {
            "schema_version": SCHEMA_VERSION,
            "seed": batch.seed,
            "total": len(batch.reports),
            "as_expected": sum(report.as_expected for report in batch.reports),
            "exit_code": batch.exit_code,
            "reports": [report_json(report) for report in batch.reports],
        }
    )


def dumps(value: Json) -> str:
    """Strict, indented, ASCII, with a newline at the end."""
    return json.dumps(value, indent=2, allow_nan=False, ensure_ascii=True) + "\n"


def report_json(report: Report) -> dict[str, Json]:
    return {
        "schema_version": SCHEMA_VERSION,
        "problem": plain_text(report.problem),
        "solution": plain_text(report.solution),
        "backend": report.backend,
        "verdict": report.verdict.value,
        "reason": plain_text(report.reason),
        "hint": plain_text(report.hint),
        "expected": [verdict.value for verdict in report.expected],
        "as_expected": report.as_expected,
        "seed": report.seed,
        "seconds": _real(report.seconds),
        "environment": {plain_text(k): plain_text(v) for k, v in report.environment.items()},
        "build": None if report.build is None else _build(report.build),
        "cases": [_case(case) for case in report.cases],
        "left_out": [_left_out(item) for item in report.left_out],
        "timing": None if report.timing is None else _timing(report.timing),
        "findings": [_finding(finding) for finding in report.findings],
        "checked": dict(report.checked),
    }


def _build(build: BuildInfo) -> dict[str, Json]:
    return {
        "command": [plain_text(part) for part in build.command],
        "seconds": _real(build.seconds),
        "cached": build.cached,
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in build.diagnostics],
    }


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Json]:
    return {
        "file": plain_text(diagnostic.file),
        "line": diagnostic.line,
        "column": diagnostic.column,
        "severity": diagnostic.severity,
        "message": plain_text(diagnostic.message),
        "source_line": plain_text(diagnostic.source_line),
    }


def _case(case: CaseResult) -> dict[str, Json]:
    return {
        "name": plain_text(case.name),
        "kind": case.kind.value,
        "sizes": dict(case.sizes),
        "verdict": case.verdict.value,
        "reason": plain_text(case.reason),
        "seconds": _real(case.seconds),
        "max_abs_error": None if case.max_abs_error is None else _real(case.max_abs_error),
        "mismatch": None if case.mismatch is None else _mismatch(case.mismatch),
        "findings": [_finding(finding) for finding in case.findings],
        "output": plain_text(case.output),
        "replay": plain_text(case.replay),
    }


def _mismatch(mismatch: Mismatch) -> dict[str, Json]:
    return {
        "argument": plain_text(mismatch.argument),
        "shape": list(mismatch.shape),
        "wrong": mismatch.wrong,
        "unwritten": mismatch.unwritten,
        "total": mismatch.total,
        "max_abs_error": _real(mismatch.max_abs_error),
        "first": [_element(element) for element in mismatch.first],
        "map": list(mismatch.map),
        "map_cell": list(mismatch.map_cell),
        "hint": plain_text(mismatch.hint),
    }


def _element(element: Element) -> dict[str, Json]:
    return {
        "index": list(element.index),
        "got": None if element.unwritten else _real(element.got),
        "expected": _real(element.expected),
        "allowed": _real(element.allowed),
        "unwritten": element.unwritten,
    }


def _left_out(item: LeftOut) -> dict[str, Json]:
    return {
        "name": plain_text(item.name),
        "kind": item.kind.value,
        "sizes": dict(item.sizes),
        "why": plain_text(item.why),
    }


def _timing(timing: Timing) -> dict[str, Json]:
    baseline = timing.baseline
    return {
        "sizes": dict(timing.sizes),
        "median_ms": _real(timing.median_ms),
        "mad_ms": _real(timing.mad_ms),
        "samples_ms": [_real(sample) for sample in timing.samples_ms],
        "gflops": None if timing.gflops is None else _real(timing.gflops),
        "gbps": None if timing.gbps is None else _real(timing.gbps),
        "peak_fraction": None if timing.peak_fraction is None else _real(timing.peak_fraction),
        "bound": timing.bound or None,
        "clocks": plain_text(timing.clocks),
        "baseline": None
        if baseline is None
        else {
            "name": baseline.name,
            "median_ms": _real(baseline.median_ms),
            "ratio": _real(baseline.ratio),
        },
        "notes": [plain_text(note) for note in timing.notes],
    }


def _finding(finding: Finding) -> dict[str, Json]:
    return {
        "kind": finding.kind,
        "severity": finding.severity,
        "file": plain_text(finding.file),
        "line": finding.line,
        "column": finding.column,
        "message": plain_text(finding.message),
    }


def _real(value: float) -> Json:
    """A finite number, or the name of what is not one."""
    value = value if isinstance(value, int) else float(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def plain_text(value: str) -> str:
    """Lone surrogates (bytes of a file name that are no UTF-8) are not JSON."""
    return _SURROGATE.sub("\ufffd", value)
