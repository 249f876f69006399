"""JUnit XML, the format that CI servers read: one ``testsuite`` a submission, one ``testcase`` a
judged case.

A submission without cases (it did not compile, or was skipped) has one test case named after the
stage where it ended. A solution that is meant to fail has one test case, which passes when the
verdict is the expected one: its failing cases are what it was written for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from harness.model import Verdict
from harness.report.text import (
    MEANING,
    clean,
    element_name,
    error,
    number,
    place,
    sizes,
    titled,
    usage_fault,
    verdict_name,
    wrong_elements,
)

if TYPE_CHECKING:
    from harness.model import CaseResult, Mismatch, Report
    from harness.report import Batch

# What clean() leaves but XML 1.0 forbids.
_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(batch: Batch) -> str:
    """The whole document."""
    root = ET.Element("testsuites", name="leetk")
    for report in batch.reports:
        root.append(_suite(report))
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    root.set("time", f"{sum(report.seconds for report in batch.reports):.3f}")
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(report: Report) -> ET.Element:
    suite = ET.Element("testsuite", name=_xml(report.solution))
    properties = ET.SubElement(suite, "properties")
    facts = {
        "problem": report.problem,
        "backend": report.backend,
        "verdict": report.verdict.value,
        "seed": str(report.seed),
    }
    for name, value in facts.items():
        ET.SubElement(properties, "property", name=name, value=_xml(value))
    cases = _expectation(report) if report.expected else _cases(report)
    suite.extend(cases)
    for item in report.left_out if not report.expected else ():
        case = _case_element(report, titled(item.name, item.sizes), 0.0)
        ET.SubElement(case, "skipped", message=_xml(item.why))
        suite.append(case)
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(key, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("time", f"{report.seconds:.3f}")
    return suite


def _expectation(report: Report) -> list[ET.Element]:
    wanted = " or ".join(verdict.value for verdict in report.expected)
    case = _case_element(report, f"expected {wanted}", report.seconds)
    if not report.as_expected:
        message = f"got {report.verdict.value}: {report.reason or MEANING[report.verdict]}"
        _outcome(case, report.verdict, message, _diagnostics(report))
    return [case]


def _cases(report: Report) -> list[ET.Element]:
    elements = []
    for result in report.cases:
        case = _case_element(report, titled(result.name, result.sizes), result.seconds)
        if result.verdict is not Verdict.ACCEPTED:
            message = result.reason or MEANING[result.verdict]
            _outcome(case, result.verdict, message, _details(result))
        if result.output:
            ET.SubElement(case, "system-out").text = _xml(result.output)
        elements.append(case)
    told = any(result.verdict is report.verdict for result in report.cases)
    if not told or not elements:
        elements.insert(0, _whole(report))
    return elements


def _whole(report: Report) -> ET.Element:
    """What was decided about the submission as a whole, not by one of its cases."""
    name = "build" if report.verdict is Verdict.COMPILE_ERROR else "judge"
    case = _case_element(report, name, report.build.seconds if report.build else 0.0)
    if report.verdict is not Verdict.ACCEPTED:
        message = report.reason or MEANING[report.verdict]
        # Red, not grey: what must be mended is no test that was left out.
        verdict = Verdict.JUDGE_ERROR if usage_fault(report) else report.verdict
        _outcome(case, verdict, message, _diagnostics(report), kind=verdict_name(report))
    return case


def _case_element(report: Report, name: str, seconds: float) -> ET.Element:
    return ET.Element(
        "testcase",
        classname=_xml(f"{report.problem}.{report.solution}"),
        name=_xml(name),
        time=f"{seconds:.3f}",
    )


def _outcome(
    case: ET.Element, verdict: Verdict, message: str, details: str, *, kind: str = ""
) -> None:
    tag = {Verdict.SKIPPED: "skipped", Verdict.JUDGE_ERROR: "error"}.get(verdict, "failure")
    element = ET.SubElement(case, tag, message=_xml(message), type=kind or verdict.value)
    element.text = _xml(details) or None


def _diagnostics(report: Report) -> str:
    lines = []
    for item in report.build.diagnostics if report.build else ():
        where = place(item.file, item.line, item.column)
        lines.append(f"{where}{item.severity}: {item.message}")
        if item.source_line:
            lines.append(f"    {item.source_line}")
    return "\n".join(lines)


def _details(result: CaseResult) -> str:
    lines = [f"sizes: {sizes(result.sizes)}"] if result.sizes else []
    if result.mismatch is not None:
        lines += _mismatch_lines(result.mismatch)
    for finding in result.findings:
        where = place(finding.file, finding.line, finding.column)
        lines.append(f"{where}{finding.severity}: {finding.message}")
    if result.replay:
        lines.append(f"replay: {result.replay}")
    return "\n".join(lines)


def _mismatch_lines(mismatch: Mismatch) -> list[str]:
    lines = [wrong_elements(mismatch)]
    if mismatch.wrong > mismatch.unwritten:
        lines[0] += f" (largest error {error(mismatch.max_abs_error)})"
    for element in mismatch.first:
        got = "never written" if element.unwritten else number(element.got)
        lines.append(
            f"{element_name(mismatch.argument, element.index)}: got {got}, "
            f"expected {number(element.expected)}, allowed error {error(element.allowed)}"
        )
    lines += mismatch.map
    if mismatch.hint:
        lines.append(f"hint: {mismatch.hint}")
    return lines


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", clean(text))
