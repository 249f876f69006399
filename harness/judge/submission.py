"""One submission against one problem, from source to report.

The order is the architecture: a worker starts while the compiler runs and the first cases' data are
made; each case is laid into the arena, called in each of the backend's ways, and decided from what
the arena holds; the worst case decides the verdict. A worker that faulted is replaced.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from harness import __version__, cases
from harness.backends.base import Backend
from harness.build.compiler import compilers_end_here
from harness.errors import CompileFailed, JudgeError, ReferenceFault, Refused
from harness.judge.checks import Checks
from harness.judge.evaluate import Attempt, decide, first_of_each
from harness.judge.findings import CERTAIN, CHECKED, UNCHECKED, VERDICTS, leading
from harness.judge.plan import in_background, left_out, make_plan
from harness.judge.race import CaseRace
from harness.judge.slot import Slot
from harness.model import (
    Artifact,
    BuildInfo,
    BuildOptions,
    Case,
    CaseData,
    CaseKind,
    CaseResult,
    Finding,
    LeftOut,
    Outcome,
    Problem,
    Report,
    Source,
    Status,
    Timing,
    Verdict,
)
from harness.parallel import cores
from harness.settings import Event, Settings
from harness.timeline import mark
from harness.wire import Call
from harness.worker.arena import plan_call
from harness.worker.process import WorkerProcess


def judge(
    problem: Problem,
    source: Source,
    backend: Backend,
    settings: Settings,
    options: BuildOptions,
    emit: Callable[[Event], None] = lambda event: None,
    started: Sequence[WorkerProcess] = (),
) -> Report:
    """Judge ``source`` against ``problem``. Never raises for what a submission does; raises
    ToolchainMissing or SpecError for what is not its fault and needs the user. ``started`` are
    processes for the first workers; the caller closes those that are not used."""
    begin = time.monotonic()
    submission = _Submission(problem, source, backend, settings, options, emit, started)
    try:
        with compilers_end_here():
            report = submission.judge()
    finally:
        submission.close()
        mark("slots are closed")
    report = replace(report, seconds=time.monotonic() - begin)
    emit(Event("done", report.verdict.value))
    return report


class _Submission:
    """The state of one judging: its slots and what was found so far."""

    def __init__(
        self,
        problem: Problem,
        source: Source,
        backend: Backend,
        settings: Settings,
        options: BuildOptions,
        emit: Callable[[Event], None],
        started: Sequence[WorkerProcess],
    ) -> None:
        self.problem = problem
        self.source = source
        self.backend = backend
        self.settings = settings
        self.options = options
        self.emit = emit
        self.results: list[CaseResult] = []
        self.left_out: list[LeftOut] = []
        self.timing: Timing | None = None
        self.planned: tuple[Case, ...] = ()
        self.found: list[Finding] = []  # by the checks
        self.checked: Mapping[str, int] = {}
        self.started = list(started)
        self.slots: list[Slot] = []
        self.checks: Checks | None = None

    def close(self) -> None:
        if self.checks is not None:
            self.checks.close()
        for slot in self.slots:
            slot.close()

    def judge(self) -> Report:
        mark("judge begins")
        plan = make_plan(self.problem, self.backend, self.settings)
        self.left_out.extend(plan.left_out)
        self.planned = plan.cases
        if self.settings.sanitize:
            self.backend.checkers(self.options)  # raises now what is missing
        self.emit(Event("build", str(self.source.path)))
        for _ in range(max(1, min(self.backend.slots, len(plan.cases)))):
            started = self.started.pop(0) if self.started else None
            slot = Slot(self.problem, self.source, self.backend, self.settings, started)
            self.slots.append(slot)
        for slot in self.slots:
            slot.processes = max(1, cores() // len(self.slots))
        mark("worker is spawned")
        perf = plan.perf
        perf_data = in_background(self._perf_data, perf) if perf is not None else None
        checks = Checks(
            *(self.problem, self.source, self.backend, self.settings, self.options), plan.cases
        )
        self.checks = checks
        try:
            artifact = self.backend.build(self.problem, self.source, self.options, checks.begin)
        except CompileFailed as error:
            build = BuildInfo(error.command, error.seconds, False, error.diagnostics)
            return self._report(Verdict.COMPILE_ERROR, str(error), build)
        except Refused as error:
            return self._report(Verdict.SKIPPED, str(error), None)
        build = BuildInfo(
            artifact.command,
            artifact.seconds,
            artifact.cached,
            artifact.diagnostics,
            artifact.log,
        )
        try:
            failed = self.slots[0].load(artifact)
            mark("worker is ready")
            if failed is not None:
                return self._report_load(failed, build)
            self._judge_cases(artifact, plan.cases)
            mark("cases are judged")
            self._look(checks, artifact)
            mark("checks are over")
            if perf is not None and perf_data is not None:
                self._judge_perf(perf, perf_data)
        except (JudgeError, ReferenceFault) as error:
            return self._report(Verdict.JUDGE_ERROR, str(error), build)
        except Refused as error:
            return self._report(Verdict.SKIPPED, str(error), build)
        return self._conclude(build)

    def _leave_out(self, case: Case, why: str) -> None:
        self.left_out.append(left_out(case, why))

    def _perf_data(self, case: Case) -> CaseData:
        prepared = self.backend.prepare(self.problem, case)
        data = cases.case_data(self.problem, case) if prepared is None else prepared
        call = plan_call(self.problem, data, case.sizes, self.backend.red_zone)
        self.slots[0].arena.ahead(call.arena_bytes)
        mark("arena has its memory")
        return data

    # --- cases ---------------------------------------------------------------------------------

    def _judge_cases(self, artifact: Artifact, planned: Sequence[Case]) -> None:
        """Judge all cases on all slots. Where the judging stops is decided in the cases' order,
        whichever slot was faster, so the same submission gives the same report."""
        limit = self.settings.limits.total_seconds
        race = CaseRace(self.problem, planned, time.monotonic() + limit, self.emit)
        race.run(self.slots, artifact)
        self.results.extend(race.results)
        for case, why in race.left:
            self._leave_out(case, why)

    def _look(self, checks: Checks, artifact: Artifact) -> None:
        """What looking at each access finds: in small cases, and in the one that is reported."""
        self.found += checks.findings(artifact)
        if not any(finding.kind == UNCHECKED for finding in self.found):
            self.checked = checks.largest
        if any(result.verdict is not Verdict.ACCEPTED for result in self.results):
            # What ends a call, or takes its time, has been told.
            self.found = [finding for finding in self.found if finding.kind != UNCHECKED]
        wrong = [result for result in self.results if result.verdict in _EXPLAINED]
        worst = min(wrong, key=lambda result: result.verdict.severity, default=None)
        case = next((c for c in self.planned if worst and c.name == worst.name), None)
        if worst is not None and case is not None:
            here = checks.look_at(case)
            told = {(finding.kind, finding.file, finding.line) for finding in here}
            others = [f for f in self.found if (f.kind, f.file, f.line) not in told]
            self.found = [*here, *checks.sanitized(case), *others]
            self._explain(worst, here)
        else:
            self.found += checks.sanitized(None)
            self._convict()

    def _explain(self, worst: CaseResult, here: Sequence[Finding]) -> None:
        """The reason begins with what was found in that case, or in others; it is not harmless."""
        self.found = [
            replace(f, severity="warning") if f.severity == "info" and f.kind in CHECKED else f
            for f in self.found
        ]
        cause, elsewhere = leading(here), leading(self.found)
        told = _told(cause) if cause is not None else ""
        if cause is None and elsewhere is not None:
            cause, told = elsewhere, f"seen in another case: {_told(elsewhere)}"
        if cause is not None and cause.kind in _ORDERED_BY_BARRIERS:
            known = (*worst.findings, *self.found)
            barrier = next((f for f in known if f.kind == _LEFT_BARRIER), None)
            told = told if barrier is None else f"{_told(barrier)}; {told}"
        if cause is not None and _is_end(cause, worst):
            self.found.remove(cause)
        elif cause is not None and cause.message not in worst.reason:
            self._replace(worst, worst.verdict, f"{told}; {worst.reason}")

    def _convict(self) -> None:
        """A write out of bounds decides, also in memory that nobody compares (the submission's
        own), and so do host memory in a kernel and an update of an output that is lost on a
        GPU. The case that is wrong is the one where it was seen."""
        for finding in self.found:
            if self.results and (finding.kind in CERTAIN or finding.severity == "error"):
                verdict = VERDICTS.get(finding.kind, Verdict.WRONG_ANSWER)
                seen = [result for result in self.results if result.name == finding.case]
                where = "" if seen or not finding.case else f"seen in the case {finding.case}: "
                self._replace((seen or self.results)[0], verdict, f"{where}{_told(finding)}")
                return

    def _replace(self, result: CaseResult, verdict: Verdict, reason: str) -> None:
        self.results[self.results.index(result)] = replace(result, verdict=verdict, reason=reason)

    # --- perf ----------------------------------------------------------------------------------

    def _judge_perf(self, case: Case, made: Callable[[], CaseData]) -> None:
        if any(result.verdict is not Verdict.ACCEPTED for result in self.results):
            self._leave_out(case, "timed only when everything before it is accepted")
            return
        self.emit(Event("perf", case.name))
        data = made()
        mark("perf data are here")
        result = self.slots[0].judge_case(case, data)
        mark("perf case is judged")
        if result.verdict is Verdict.ACCEPTED:
            result, self.timing = self.slots[0].time_case(case, data, result)
        mark("perf case is timed")
        self.results.append(result)
        self.emit(Event("perf", case.name, 1, 1, result))

    # --- the report ----------------------------------------------------------------------------

    def _report_load(self, outcome: Outcome, build: BuildInfo) -> Report:
        if outcome.status is Status.LOAD_FAILED:
            return self._report(Verdict.COMPILE_ERROR, outcome.message, build)
        decided = decide(self.problem, Call((), 0), _NO_DATA, [Attempt(outcome, {})])
        reason = f"while the library was loaded (a static constructor?): {decided.reason}"
        return self._report(decided.verdict, reason, build)

    def _conclude(self, build: BuildInfo) -> Report:
        if not self.results:
            why = self.left_out[0].why if self.left_out else "there was no case to run"
            return self._report(Verdict.SKIPPED, f"nothing was judged: {why}", build)
        verdict = Verdict.worst(result.verdict for result in self.results)
        worst = next(result for result in self.results if result.verdict is verdict)
        if verdict is Verdict.ACCEPTED:
            return self._report(verdict, "", build)
        # The first cases are the smallest, and one number may show no pattern.
        mismatches = ((r, r.mismatch) for r in self.results if r.verdict is verdict and r.mismatch)
        hint = ""
        for result, mismatch in mismatches:
            if mismatch.hint:
                where = "" if result is worst else f"in {_title(result)}: "
                hint = f"{where}{mismatch.hint}"
                break
        return replace(self._report(verdict, f"{worst.name}: {worst.reason}", build), hint=hint)

    def _report(self, verdict: Verdict, reason: str, build: BuildInfo | None) -> Report:
        findings = [*self.source.warnings, *self.found]
        for result in self.results:
            findings.extend(result.findings)
        unique = tuple(first_of_each(findings))
        if self.settings.strict and verdict is Verdict.ACCEPTED:
            verdict, reason = self._strictly(unique, build)
        return Report(
            problem=self.problem.name,
            solution=str(self.source.path),
            backend=self.backend.name,
            verdict=verdict,
            reason=reason,
            seed=self.settings.seed,
            environment=_environment(self.backend),
            build=build,
            cases=tuple(self.results),
            left_out=tuple(self.left_out),
            timing=self.timing,
            findings=unique,
            checked=self.checked,
        )

    def _strictly(
        self, findings: Sequence[Finding], build: BuildInfo | None
    ) -> tuple[Verdict, str]:
        """Under --strict what is only suspected is fatal."""
        for finding in findings:
            if finding.severity != "info":
                verdict = VERDICTS.get(finding.kind, Verdict.WRONG_ANSWER)
                return verdict, f"strict: {finding.message}"
        for diagnostic in build.diagnostics if build else ():
            if diagnostic.severity == "warning":
                place = f"{diagnostic.file}:{diagnostic.line}"
                return Verdict.COMPILE_ERROR, f"strict: {place}: {diagnostic.message}"
        return Verdict.ACCEPTED, ""


# A barrier that some threads never came to, and what may come of that alone.
_LEFT_BARRIER = "exited_before_barrier"
_ORDERED_BY_BARRIERS = frozenset(("race", "uninitialised_read"))
# Where what the checks find is the cause rather than one fault more.
_EXPLAINED = (
    Verdict.WRONG_ANSWER,
    Verdict.NONDETERMINISTIC,
    Verdict.OUTPUT_NOT_WRITTEN,
    Verdict.OUT_OF_BOUNDS,
    Verdict.RUNTIME_ERROR,
)
_NO_DATA = CaseData({}, {}, {}, {})


def _is_end(finding: Finding, result: CaseResult) -> bool:
    """Whether the finding is the access at which the case ended: its reason says so already."""
    outside = finding.kind.startswith("out_of_bounds") and result.verdict is Verdict.OUT_OF_BOUNDS
    return outside and result.reason.endswith(f", at {finding.file}:{finding.line}")


def _told(finding: Finding) -> str:
    return f"{finding.file}:{finding.line}: {finding.message}"


def _title(result: CaseResult) -> str:
    """``example 1``, or the sizes: ``M=17 N=19 K=31``."""
    if result.kind is CaseKind.EXAMPLE:
        return result.name
    return " ".join(f"{name}={value}" for name, value in result.sizes.items())


def _environment(backend: Backend) -> dict[str, str]:
    return {
        "leetk": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        **backend.environment(),
    }
