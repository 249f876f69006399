"""Words and numbers that all renderers share. Plain strings only: no colour, no rich.

Text that comes from a submission (its output, its source lines, its file name) is never trusted:
``clean`` makes control characters and bidirectional overrides visible, so that it can neither
steer a terminal nor show a line as something that it is not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.model import CaseKind, Role, Verdict

if TYPE_CHECKING:
    from harness.model import (
        CaseResult,
        Example,
        Finding,
        LeftOut,
        Mismatch,
        Problem,
        Report,
        Timing,
    )

MEANING = {
    Verdict.ACCEPTED: "every case that ran passed",
    Verdict.WRONG_ANSWER: "an output differs from the right one by more than the tolerance",
    Verdict.OUTPUT_NOT_WRITTEN: "elements of an output were never written",
    Verdict.INPUT_MODIFIED: "solve changed an input, which is read-only",
    Verdict.OUT_OF_BOUNDS: "solve wrote outside an array",
    Verdict.NONDETERMINISTIC: "on the same input it gives, or may give, different outputs",
    Verdict.RUNTIME_ERROR: "the program crashed or a CUDA call failed",
    Verdict.TIME_LIMIT: "it did not end within the time allowed",
    Verdict.MEMORY_LIMIT: "it used more memory than allowed",
    Verdict.OUTPUT_LIMIT: "it printed more than allowed",
    Verdict.COMPILE_ERROR: "the file does not compile",
    Verdict.SUSPICIOUS_TIMING: "the clocks contradict each other, so the time cannot be trusted",
    Verdict.JUDGE_ERROR: "the judge failed; this says nothing about the solution",
    Verdict.SKIPPED: "not judged; this says nothing about the solution",
}
"""What each verdict means, for the last line of a report."""

_USAGE = "usage"  # the kind of such a finding

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufeff]"
)


def clean(text: str) -> str:
    """``text`` with control characters, bidirectional overrides and lone surrogates written as
    escapes such as ``\\x1b``; tabs and newlines stay, a carriage return becomes a newline."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def one_line(text: str) -> str:
    """``clean`` text with every run of white space as one blank."""
    return " ".join(clean(text).split())


def head(text: str, lines: int, width: int) -> tuple[list[str], int]:
    """The first lines of a text, long ones cut to ``width`` and marked, and how many are left."""
    rows = clean(text).rstrip("\n").split("\n")
    cut = [row if len(row) <= width else row[:width] + " ..." for row in rows[:lines]]
    return cut, max(0, len(rows) - lines)


def plural(count: int, noun: str) -> str:
    """``1 case``, ``2 cases``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def joined(words: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def first_of(words: Sequence[str], most: int | None) -> str:
    """All of them ``joined``, or the first ``most`` ``and 3 more``."""
    more = len(words) - most if most is not None else 0
    return joined([*words[:most], f"{more} more"] if more > 1 else words)


def sizes(values: Mapping[str, int]) -> str:
    """``M=2 N=3``."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def shape(values: Iterable[int]) -> str:
    """``2x3``."""
    return "x".join(str(value) for value in values)


def titled(name: str, values: Mapping[str, int]) -> str:
    """A case's name with its sizes named: ``fuzz 2x3`` is ``fuzz M=2 N=3``."""
    text = sizes(values)
    kind, blank, last = name.rpartition(" ")
    if last == shape(values.values()):
        return f"{kind}{blank}{text}"
    return f"{name} ({text})" if text else name


def number(value: float) -> str:
    """Nine significant digits, enough to tell any two float32 apart."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{value:.9g}"


def error(value: float) -> str:
    """An absolute error: three significant digits are enough."""
    return f"{value:.3g}"


def seconds(value: float) -> str:
    """``0.004 s``, ``1.42 s``, ``75 s``."""
    if value >= 20:
        return f"{value:.0f} s"
    return f"{value:.2f} s" if value >= 0.1 else f"{value:.3f} s"


def milliseconds(value: float) -> str:
    """Four significant digits without an exponent: ``50.76 ms``, ``0.01234 ms``."""
    digits = 0 if value <= 0 else 3 - math.floor(math.log10(value))
    return f"{value:.{min(max(digits, 0), 6)}f} ms"


def mebibytes(count: int) -> str:
    """``416 MiB``, ``320.4 MiB``; smaller amounts in bytes."""
    if count < 1 << 20:
        return plural(count, "byte")
    return f"{count / (1 << 20):.1f}".removesuffix(".0") + " MiB"


def speed(timing: Timing) -> str:
    """The perf line: ``8192x6144x4096: 50.76 ms (median of 11, ±0.1 %), 8123 GFLOP/s, ...``.

    A problem that counts operations is quoted in GFLOP/s, else in GB/s.
    """
    median = timing.median_ms
    spread = f", ±{_percent(timing.mad_ms / median)}" if median > 0 else ""
    parts = [f"{milliseconds(median)} (median of {len(timing.samples_ms)}{spread})"]
    if timing.gflops is not None:
        parts.append(f"{_rate(timing.gflops)} GFLOP/s")
    elif timing.gbps is not None:
        parts.append(f"{_rate(timing.gbps)} GB/s")
    if timing.peak_fraction is not None:
        parts.append(f"{timing.peak_fraction:.2f} of the {timing.bound} limit")
    if timing.baseline is not None:
        parts.append(f"{timing.baseline.ratio:.2f} of {timing.baseline.name}")
    label = shape(timing.sizes.values())
    return (f"{label}: " if label else "") + ", ".join(parts)


def _percent(share: float) -> str:
    percent = 100 * share
    return f"{percent:.1f} %" if percent >= 0.05 or percent == 0 else f"{percent:.1g} %"


def _rate(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def passed(report: Report) -> str:
    """``12 of 12 examples and tests, 30 of 30 fuzzed shapes``: what ran and passed, out of all
    that was planned."""
    groups = (
        ("examples and tests", (CaseKind.EXAMPLE, CaseKind.TEST)),
        ("fuzzed shapes", (CaseKind.FUZZ,)),
    )
    parts = []
    for noun, kinds in groups:
        ran = [case for case in report.cases if case.kind in kinds]
        planned = len(ran) + sum(left.kind in kinds for left in report.left_out)
        good = sum(case.verdict is Verdict.ACCEPTED for case in ran)
        if planned:
            parts.append(f"{good} of {planned} {noun}")
    return ", ".join(parts)


def what_passed(report: Report) -> str:
    """``passed``; of a run of one case of given sizes all of its sizes, ``M=3 N=6144 K=4096``,
    because those that were not given come from the perf case."""
    ran = [case for case in report.cases if case.kind is not CaseKind.PERF]
    planned = len(ran) + sum(item.kind is not CaseKind.PERF for item in report.left_out)
    if planned == 1 and ran and ran[0].kind is CaseKind.TEST:
        return sizes(ran[0].sizes)
    return passed(report)


def left_out(items: Sequence[LeftOut], most: int | None = None) -> list[str]:
    """One line for each reason, naming the cases that were left out for it: all of them, or the
    first ``most`` and how many more there are."""
    by_reason: dict[str, list[str]] = {}
    for item in items:
        by_reason.setdefault(item.why, []).append(titled(item.name, item.sizes))
    lines = []
    for why, names in by_reason.items():
        lines.append(f"left out: {first_of(names, most)} ({why})")
    return lines


def wrong_elements(mismatch: Mismatch) -> str:
    """``12 of 64 elements of C are wrong``, or were never written."""
    whole = f"{mismatch.wrong} of {plural(mismatch.total, 'element')} of {mismatch.argument}"
    if mismatch.unwritten == mismatch.wrong:
        return f"{whole} {'was' if mismatch.wrong == 1 else 'were'} never written"
    return f"{whole} {'is' if mismatch.wrong == 1 else 'are'} wrong"


def element_name(argument: str, index: Iterable[int]) -> str:
    """``C[0][16]``."""
    return argument + "".join(f"[{i}]" for i in index)


def untold(report: Report) -> tuple[Finding, ...]:
    """The findings that the reasons of the report's cases have not told."""
    reasons = [report.reason, *(case.reason for case in report.cases)]
    return tuple(f for f in findings(report) if not any(f.message in r for r in reasons))


def findings(report: Report) -> tuple[Finding, ...]:
    """The report's and its cases' findings in the order in which they came, one for each kind and
    place; where the place is not known, for each text but for its numbers."""
    found: dict[tuple[str, str, int, str], Finding] = {}
    for finding in (*report.findings, *(f for case in report.cases for f in case.findings)):
        text = "" if finding.line else re.sub(r"\d+", "#", finding.message)
        found.setdefault((finding.kind, finding.file, finding.line, text), finding)
    return tuple(found.values())


def usage_finding(text: str, path: Path) -> Finding:
    """What keeps a file from being judged, and is its author's to mend. ``text`` may begin with
    ``file:line:``, of the solution or of its problem's spec."""
    from harness.model import Finding

    match = re.match(r"(.+?):(\d+): (.+)", text, re.DOTALL)
    if match:
        return Finding(_USAGE, "error", match[3], match[1], int(match[2]))
    return Finding(_USAGE, "error", text.removeprefix(f"{path}: "), str(path))


def usage_fault(report: Report) -> Finding | None:
    """The finding of ``usage_finding``, where that is why a solution was not judged."""
    return next((f for f in report.findings if f.kind == _USAGE), None)


def verdict_name(report: Report) -> str:
    """The verdict, or ``usage error`` for a file that cannot be judged before it is mended."""
    return "usage error" if usage_fault(report) else report.verdict.value


def failing(report: Report) -> tuple[CaseResult, ...]:
    """The cases that did not pass, the one that decided the verdict first."""
    bad = [c for c in report.cases if c.verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED)]
    return tuple(sorted(bad, key=lambda case: case.verdict is not report.verdict))


def place(file: str, line: int, column: int) -> str:
    """``file:line:column: `` as far as it is known, to stand before a message; or nothing."""
    if not file:
        return ""
    parts = [file]
    if line > 0:
        parts += [str(line), *([str(column)] if column > 0 else [])]
    return ":".join(parts) + ": "


def example_for(case: CaseResult, report: Report, problem: Problem) -> Example | None:
    """The spec's example that a case came from: results keep the spec's order, and examples that
    did not run are told apart by their sizes."""
    remaining = list(problem.examples)
    for other in report.cases:
        if other.kind is not CaseKind.EXAMPLE:
            continue
        while remaining and dict(remaining[0].sizes) != dict(other.sizes):
            remaining.pop(0)
        if not remaining:
            return None
        if other is case:
            return remaining[0]
        remaining.pop(0)
    return None


def example_inputs(example: Example, problem: Problem, limit: int = 400) -> list[str]:
    """The arguments that ``solve`` gets, in their order: ``A = [[1.0, 2.0]]``, ``M = 1``."""
    lines = []
    for argument in problem.arguments:
        if argument.role is Role.SIZE:
            lines.append(f"{argument.name} = {example.sizes[argument.name]}")
        elif argument.role is not Role.OUT:
            value = example.inputs.get(argument.name, argument.value)
            lines.append(assignment(argument.name, value, argument.type, limit))
    return lines


def assignment(name: str, value: Any, dtype: str, limit: int = 400) -> str:
    """``A = [[1.0, 2.0]]``; what is longer than ``limit`` is cut, and says so."""
    text = literal(value, dtype)
    return f"{name} = {text if len(text) <= limit else text[:limit] + ' ... (cut)'}"


def literal(value: Any, dtype: str) -> str:
    """A nested list or array as the site prints it; ``dtype`` decides 1 or 1.0."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return f"[{', '.join(literal(item, dtype) for item in value)}]"
    if value is None:
        return "(random)"
    if dtype == "bool":
        return str(bool(value))
    return _float(float(value), dtype) if dtype.startswith("float") else str(int(value))


def _float(value: float, dtype: str) -> str:
    """The shortest that means the same number of this type: 1.8, not 1.7999999523162842."""
    import numpy as np

    return repr(float(str(np.dtype(dtype).type(value))))
