"""A report for people, in the manner of the site: inputs of the examples, ``✓ Test passed``, then
the perf line; or what went wrong, where, and the command that shows just that again.

Top to bottom: what was judged, the build and its messages, the cases, the time, what was left out,
and last the verdict with the seed that replays the run.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from harness.model import CaseKind, Verdict
from harness.report import text as words
from harness.report.terminal import Part, Terminal, cells

if TYPE_CHECKING:
    from harness.model import BuildInfo, CaseResult, Diagnostic, Finding, Mismatch, Problem, Report

MAX_DIAGNOSTICS = 20
MAX_CODE = 200  # columns of a line of the submission's source or output
MAX_OUTPUT_LINES = 10
MAX_OTHER_CASES = 5
MAX_LEFT_OUT = 4  # names a reason, for a solution that failed anyway

_SEVERITY = {"error": "bold red", "warning": "bold yellow", "note": "cyan", "info": "cyan"}


def verdict_style(verdict: Verdict) -> str:
    if verdict is Verdict.ACCEPTED:
        return "bold green"
    return "bold yellow" if verdict is Verdict.SKIPPED else "bold red"


def render(
    report: Report, out: Terminal, *, problem: Problem | None = None, verbose: bool = False
) -> None:
    """Write the whole report. ``problem`` gives the inputs of its examples: all of them when
    ``verbose``, else those of an example that failed."""
    out.line((report.problem, "bold"), f": {report.solution}, {report.backend} backend")
    if verbose:
        for name, value in report.environment.items():
            out.line((f"{name}: {value}", "dim"))
    if report.build is not None:
        _build(report.build, out, verbose)
    if verbose and problem is not None:
        _examples(report, problem, out)
    _cases(report, problem, out, verbose)
    for finding in words.untold(report):
        _message(finding, out)
    _timing(report, out)
    _left_out(report, out, all_names=verbose or report.verdict is Verdict.ACCEPTED)
    verdict_line(report, out)


def verdict_line(report: Report, out: Terminal) -> None:
    """``accepted: every case that ran passed  (seed 7, 1.42 s)``."""
    about = f"seed {report.seed}, {words.seconds(report.seconds)}"
    if report.expected:
        wanted = words.joined([verdict.value for verdict in report.expected], "or")
        about = f"{'as expected' if report.as_expected else f'expected {wanted}'}, {about}"
    style = verdict_style(report.verdict)
    meaning = words.MEANING[report.verdict]
    out.line((report.verdict.value, style), f": {meaning}  ({about})")


# --- the build -------------------------------------------------------------------------------


def _build(build: BuildInfo, out: Terminal, verbose: bool) -> None:
    if verbose and build.command:
        out.line((f"$ {shlex.join(build.command)}", "dim"))
    if not any(diagnostic.severity == "error" for diagnostic in build.diagnostics):
        took = f"built in {words.seconds(build.seconds)}"
        out.line("build taken from the cache" if build.cached else took)
    if any("fast" in part and "math" in part for part in build.command):
        out.line(("built with fast math: results are less exact than CUDA's default", "yellow"))
    for diagnostic in build.diagnostics[:MAX_DIAGNOSTICS]:
        _diagnostic(diagnostic, out)
    more = len(build.diagnostics) - MAX_DIAGNOSTICS
    if more > 0:
        out.line(f"and {words.plural(more, 'more compiler message')} (--json FILE holds them all)")


def _diagnostic(diagnostic: Diagnostic, out: Terminal) -> None:
    _message(diagnostic, out)
    _code(diagnostic.source_line, diagnostic.column, out)


def _code(source: str, column: int, out: Terminal) -> None:
    """A source line with a caret below its column (from 1; 0 or beyond the line: no caret)."""
    source = source.rstrip("\r\n")
    if not source.strip():
        return
    start = max(0, column - MAX_CODE // 2) if len(source) > MAX_CODE else 0
    shown = source[start : start + MAX_CODE]
    before = shown[: column - 1 - start] if column > 0 else ""
    left = "... " if start else ""
    out.line(f"{left}{shown}{' ...' if start + MAX_CODE < len(source) else ''}", indent=4)
    if 0 < column <= len(source) + 1:
        # Tabs stay tabs, so that the caret stands right at any tab width.
        pad = "".join("\t" if c == "\t" else " " * cells(words.clean(c)) for c in before)
        out.line(" " * len(left), pad, ("^", "bold green"), indent=4)


# --- the cases -------------------------------------------------------------------------------


def _examples(report: Report, problem: Problem, out: Terminal) -> None:
    for case in report.cases:
        if case.kind is CaseKind.EXAMPLE and case.verdict is Verdict.ACCEPTED:
            _inputs(case, report, problem, out)
            _output(case, out)
            out.line((out.symbols.good, "green"), " Test passed", f"  {case.name}")


def _inputs(case: CaseResult, report: Report, problem: Problem | None, out: Terminal) -> None:
    example = words.example_for(case, report, problem) if problem is not None else None
    if example is not None and problem is not None:
        out.line(f"{case.name}:")
        for line in words.example_inputs(example, problem):
            out.line(line, indent=2)


def _cases(report: Report, problem: Problem | None, out: Terminal, verbose: bool) -> None:
    bad = words.failing(report)
    if report.verdict is Verdict.ACCEPTED and not bad:
        _first_output(report, out, verbose)
        out.line((out.symbols.good, "green"), " Test passed", f"  {words.what_passed(report)}")
        return
    if not bad or bad[0].verdict is not report.verdict:
        _headline(report.verdict, report.reason, "", out)
        shown = ""
    else:
        _failed_case(bad[0], report, problem, out)
        shown = _hint(bad[0])
        bad = bad[1:]
    if report.hint and report.hint != shown:
        out.labelled("hint", report.hint)
    for verdict in dict.fromkeys(case.verdict for case in bad):
        names = [words.titled(c.name, c.sizes) for c in bad if c.verdict is verdict]
        also = words.first_of(names, None if verbose else MAX_OTHER_CASES)
        out.line("also ", (verdict.value, verdict_style(verdict)), f": {also}")
    passed = words.passed(report)
    if passed:
        out.line(f"passed: {passed}")


def _headline(verdict: Verdict, reason: str, where: str, out: Terminal) -> None:
    symbol = out.symbols.skipped if verdict is Verdict.SKIPPED else out.symbols.bad
    parts: list[Part] = [(f"{symbol} {verdict.value}", verdict_style(verdict))]
    out.line(*parts, f"  {where}" if where else "")
    if reason:
        out.prose(reason, indent=2)


def _failed_case(case: CaseResult, report: Report, problem: Problem | None, out: Terminal) -> None:
    if case.kind is CaseKind.EXAMPLE:
        _inputs(case, report, problem, out)
    where = words.titled(case.name, case.sizes)
    if case.mismatch is None:
        _headline(case.verdict, case.reason, where, out)
    else:
        # The hint has a line of its own below the elements that it is about.
        reason = case.reason.removesuffix(case.mismatch.hint).removesuffix("; ")
        _headline(case.verdict, reason or words.wrong_elements(case.mismatch), where, out)
        _mismatch(case.mismatch, out)
    _output(case, out)
    if case.replay:
        out.line("to run just this case again:", indent=2)
        out.line((case.replay, "bold"), indent=4)


def _output(case: CaseResult, out: Terminal) -> None:
    if not case.output:
        return
    rows, more = words.head(case.output, MAX_OUTPUT_LINES, MAX_CODE)
    out.line("the submission printed:", indent=2)
    for row in rows:
        out.line(("| ", "dim"), row, indent=2)
    if more:
        out.line(f"and {words.plural(more, 'more line')}", indent=2)


def _first_output(report: Report, out: Terminal, verbose: bool) -> None:
    """What the first case printed that printed anything: somebody looks for it."""
    printed = [case for case in report.cases if case.output]
    told = verbose and any(case.kind is CaseKind.EXAMPLE for case in printed)
    if printed and not told:
        if len(report.cases) > 1:
            out.line(f"{words.titled(printed[0].name, printed[0].sizes)}:")
        _output(printed[0], out)


def _hint(case: CaseResult) -> str:
    return case.mismatch.hint if case.mismatch is not None else ""


def _mismatch(mismatch: Mismatch, out: Terminal) -> None:
    if mismatch.first:
        rows: list[tuple[Part, ...]] = [("element", "got", "expected", "allowed error")]
        for element in mismatch.first:
            got = "never written" if element.unwritten else words.number(element.got)
            expected = words.number(element.expected)
            place = words.element_name(mismatch.argument, element.index)
            rows.append((place, (got, "red"), (expected, "green"), words.error(element.allowed)))
        out.table(rows, indent=4)
    # Where all that is wrong is NaN or was never written, there is none.
    if mismatch.max_abs_error > 0 and mismatch.wrong > mismatch.unwritten:
        out.line(f"largest error: {words.error(mismatch.max_abs_error)}", indent=2)
    if mismatch.map:
        _map(mismatch, out)
    if mismatch.hint:
        out.labelled("hint", mismatch.hint, indent=2)


def _map(mismatch: Mismatch, out: Terminal) -> None:
    if len(set("".join(mismatch.map))) == 1:
        out.line(f"where in {mismatch.argument}: everywhere", indent=2)
        return
    rows, columns = mismatch.map_cell
    scale = "one element" if rows == columns == 1 else f"up to {rows} x {columns} elements"
    legend = [". right", "x wrong", *(["o never written"] if mismatch.unwritten else [])]
    out.line(f"where in {mismatch.argument} ({', '.join(legend)}; each is {scale}):", indent=2)
    for row in mismatch.map:
        parts: list[Part] = [(c, "red" if c in "xo" else "dim") for c in row]
        out.line(*parts, indent=4)


# --- the rest --------------------------------------------------------------------------------


def _message(item: Diagnostic | Finding, out: Terminal) -> None:
    """``file:line:column: warning: message``, as compilers write it and editors read it."""
    out.line(
        words.place(item.file, item.line, item.column),
        (item.severity, _SEVERITY.get(item.severity, "")),
        f": {words.one_line(item.message)}",
    )


def _timing(report: Report, out: Terminal) -> None:
    if report.timing is None:
        return
    line = words.speed(report.timing)
    out.line((line.replace("±", out.symbols.plus_minus), "bold"))
    for note in report.timing.notes:
        out.labelled("note", note, style="yellow")


def _left_out(report: Report, out: Terminal, *, all_names: bool) -> None:
    items = list(report.left_out)
    if not report.cases:
        return  # nothing ran, and the reason for that has been told
    if report.backend == "cpu":
        perf = [item for item in items if item.kind is CaseKind.PERF]
        items = [item for item in items if item not in perf]
        also = f"; accesses checked up to {words.sizes(report.checked)}" if report.checked else ""
        also += "".join(f"; perf case left out: {words.sizes(item.sizes)}" for item in perf)
        out.line(f"judged by the CPU backend (no GPU time is claimed){also}")
    for line in words.left_out(items, None if all_names else MAX_LEFT_OUT):
        out.prose(line, style="dim")
