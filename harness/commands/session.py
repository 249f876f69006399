"""From what the user typed to a report: problem, source, backend, judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.errors import LeetkError, ToolchainMissing, UsageError

if TYPE_CHECKING:
    from harness.backends.base import Backend, Probe
    from harness.catalog import Submission
    from harness.commands.options import Options
    from harness.model import ExitCode, Finding, Problem, Report, Source, Verdict
    from harness.settings import Event
    from harness.worker.process import WorkerProcess

NO_PROBLEM = "-"
"""Stands for the problem of a file whose directive could not be read."""


@dataclass(frozen=True)
class Choice:
    """A backend that works here. ``note`` says why a better one was passed over, if it could have
    been expected."""

    backend: Backend
    note: Finding | None = None


def choose_backend(name: str, nvcc: str = "") -> Choice:
    """The backend of that name, or for ``auto`` the first that works here.

    Raises ToolchainMissing with the remedy, UsageError for an ``nvcc`` that is none.
    """
    from harness import backends
    from harness.backends.base import Probe

    passed_over: list[tuple[str, Probe]] = []
    for candidate in backends.names() if name == "auto" else (name,):
        backend = backends.backend(candidate, nvcc)
        if name == "auto" and backend.absent():
            passed_over.append((candidate, Probe(False, "")))
            continue
        probe = backend.probe()
        if probe.usable:
            return Choice(backend, _note(candidate, passed_over))
        passed_over.append((candidate, probe))
    raise ToolchainMissing(
        f"nothing to judge with: {_all_lack(passed_over)} (leetk doctor says more)"
    )


def _all_lack(passed_over: Sequence[tuple[str, Probe]]) -> str:
    """What would bring a backend here. Of several, those whose device is here come first, as what
    they lack can be installed, and the others are only named."""
    near = [item for item in passed_over if item[1].device]
    far = [item for item in passed_over if not item[1].device]
    told = [f"{name}: {_lacks(probe)}" for name, probe in near or far]
    return "; ".join(told + ([f"{name}: no device" for name, _ in far] if near else []))


def _lacks(probe: Probe) -> str:
    missing = [f"{m.what} ({m.remedy})" if m.remedy else m.what for m in probe.missing]
    return ", ".join(missing) or "not usable here"


def _note(chosen: str, passed_over: Sequence[tuple[str, Probe]]) -> Finding | None:
    """A machine without a GPU needs no explanation; one with a GPU that is not used does."""
    from harness.model import Finding

    for name, probe in passed_over:
        if probe.device:
            text = f"judged by the {chosen} backend, as {name} ({probe.device}) lacks: "
            return Finding("backend", "info", text + _lacks(probe))
    return None


def parse_sizes(items: Sequence[str], problem: Problem) -> dict[str, int]:
    """``("M=17", "N=19")`` to sizes. Raises UsageError for what the problem does not know or
    allow."""
    sizes: dict[str, int] = {}
    for item in items:
        name, equals, value = item.partition("=")
        name = name.strip()
        if "," in item or item.count("=") > 1:
            raise UsageError(f"--size {item}: {_each_size(problem)}")
        if not equals:
            raise UsageError(
                f"--size {item}: write NAME=VALUE, such as {_any_size(problem)}; "
                f"{_each_size(problem)}"
            )
        if name not in problem.sizes:
            known = ", ".join(problem.sizes) or "none"
            raise UsageError(f"--size {item}: {problem.name} has no size {name!r}; it has {known}")
        if name in sizes:
            raise UsageError(f"--size {item}: {name} is given twice")
        low, high = problem.sizes[name]
        try:
            sizes[name] = int(value)
        except ValueError:
            raise UsageError(f"--size {item}: {value!r} is not a whole number") from None
        if not low <= sizes[name] <= high:
            raise UsageError(f"--size {item}: {name} must be from {low} to {high}")
    return sizes


def _each_size(problem: Problem) -> str:
    names = list(problem.sizes)[:2]
    shown = " ".join(f"--size {name}={value}" for name, value in zip(names, (3, 4), strict=False))
    return f"give --size once for each size: {shown}"


def _any_size(problem: Problem) -> str:
    return next((f"{name}={high}" for name, (_, high) in problem.sizes.items()), "M=1024")


def judge_one(
    problem: Problem,
    source: Source,
    choice: Choice,
    options: Options,
    seed: int,
    emit: Callable[[Event], None],
    *,
    sizes: Mapping[str, int] | None = None,
    expected: tuple[Verdict, ...] = (),
    started: Sequence[WorkerProcess] = (),
) -> Report:
    """Judge one submission. ``expected`` is what its directive says, where that counts;
    ``started`` processes for its first workers."""
    from harness.analysis import analysed
    from harness.judge import judge
    from harness.model import Finding
    from harness.settings import Settings

    settings = Settings(
        seed=seed,
        sizes=dict(sizes or {}),
        perf=not options.no_perf,
        strict=options.strict,
        sanitize=options.sanitize,
        limits=options.limits(),
    )
    judged = judge(problem, source, choice.backend, settings, options.build(), emit, started)
    report = analysed(judged)
    notes = [] if choice.note is None else [choice.note]
    if options.fast_math and choice.backend.name == "cpu":
        text = "--fast-math changes nothing on the cpu backend, which has no less exact mathematics"
        notes.append(Finding("option", "info", text))
    return replace(report, expected=expected, findings=(*report.findings, *notes))


def failed_report(error: Exception, submission: Submission, backend: str, seed: int) -> Report:
    """The report of a submission that could not be judged, so that the others still are.

    What the user must mend (a file, its directive, a spec) is skipped with a finding of the kind
    ``USAGE``, and is never as expected.
    """
    from harness.model import Report, Verdict
    from harness.report.text import usage_finding

    expected: tuple[Verdict, ...] = submission.expected
    findings: tuple[Finding, ...] = ()
    if isinstance(error, LeetkError):
        reason, skipped = str(error), error.exit_code == ToolchainMissing.exit_code
        if error.exit_code == UsageError.exit_code:
            expected, findings, skipped = (), (usage_finding(reason, submission.path),), True
    else:
        reason, skipped = f"internal error: {type(error).__name__}: {error}", False
    return Report(
        submission.problem or NO_PROBLEM,
        str(submission.path),
        backend,
        Verdict.SKIPPED if skipped else Verdict.JUDGE_ERROR,
        reason,
        seed,
        findings=findings,
        expected=expected,
    )


def exit_code(reports: Sequence[Report]) -> ExitCode:
    """How to leave after these: the judge's own failure is the worst, then what the user must mend
    before it can be judged, then a verdict that was not expected, then what could not be judged
    here."""
    from harness.model import ExitCode, Verdict
    from harness.report.text import usage_fault

    codes = {
        Verdict.JUDGE_ERROR: ExitCode.JUDGE_ERROR,
        Verdict.SKIPPED: ExitCode.UNAVAILABLE,
    }
    found = {
        ExitCode.OK
        if report.as_expected
        else ExitCode.USAGE
        if usage_fault(report)
        else codes.get(report.verdict, ExitCode.NOT_ACCEPTED)
        for report in reports
    }
    worst = (
        ExitCode.JUDGE_ERROR,
        ExitCode.USAGE,
        ExitCode.NOT_ACCEPTED,
        ExitCode.UNAVAILABLE,
    )
    return next((code for code in worst if code in found), ExitCode.OK)
