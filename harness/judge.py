"""One submission against one problem, from source to report.

The order is the architecture: a worker starts while the compiler runs and the first cases' data are
made; each case is laid into the arena, called in each of the backend's ways, and decided from what
the arena holds; the worst case decides the verdict. A worker that faulted is replaced.
"""

from __future__ import annotations

import platform
import shlex
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from harness import __version__, cases, compare
from harness.backends.base import Backend
from harness.errors import CompileFailed, JudgeError, ReferenceFault, Refused
from harness.evaluate import Attempt, Judgement, decide, examine
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
from harness.plan import Ahead, in_background, left_out, make_plan
from harness.settings import Event, Limits, Settings
from harness.timing import summarise, time_plan
from harness.wire import Call, RunOptions, RunReply
from harness.worker.arena import Arena, plan_call
from harness.worker.supervisor import Worker, WorkerLimits

__all__ = ["Event", "Limits", "Settings", "judge"]

# A submission that keeps faulting has shown what it does; each fault costs a fresh worker.
_MAX_FAULTS = 3


def judge(
    problem: Problem,
    source: Source,
    backend: Backend,
    settings: Settings,
    options: BuildOptions,
    emit: Callable[[Event], None] = lambda event: None,
) -> Report:
    """Judge ``source`` against ``problem``. Never raises for what a submission does; raises
    ToolchainMissing or SpecError for what is not its fault and needs the user."""
    begin = time.monotonic()
    submission = _Submission(problem, source, backend, settings, options, emit)
    try:
        report = submission.judge()
    finally:
        submission.close()
    report = replace(report, seconds=time.monotonic() - begin)
    emit(Event("done", report.verdict.value))
    return report


class _Submission:
    """The state of one judging: the arena, the live worker and what was found so far."""

    def __init__(
        self,
        problem: Problem,
        source: Source,
        backend: Backend,
        settings: Settings,
        options: BuildOptions,
        emit: Callable[[Event], None],
    ) -> None:
        self.problem = problem
        self.source = source
        self.backend = backend
        self.settings = settings
        self.options = options
        self.emit = emit
        self.arena = Arena()
        self.worker: Worker | None = None
        self.artifact: Artifact | None = None
        self.results: list[CaseResult] = []
        self.left_out: list[LeftOut] = []
        self.timing: Timing | None = None
        self.faults = 0
        self.probed_zeros = False
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="leetk-data")

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.arena.close()

    def judge(self) -> Report:
        plan = make_plan(self.problem, self.backend, self.settings)
        self.left_out.extend(plan.left_out)
        self.emit(Event("build", str(self.source.path)))
        self.worker = self._new_worker()
        ahead = Ahead(self.pool, self.problem, plan.cases)
        perf = plan.perf
        perf_data = in_background(self._perf_data, perf) if perf is not None else None
        try:
            self.artifact = self.backend.build(self.problem, self.source, self.options)
        except CompileFailed as error:
            build = BuildInfo(error.command, error.seconds, False, error.diagnostics)
            return self._report(Verdict.COMPILE_ERROR, str(error), build)
        except Refused as error:
            return self._report(Verdict.SKIPPED, str(error), None)
        artifact = self.artifact
        build = BuildInfo(artifact.command, artifact.seconds, artifact.cached, artifact.diagnostics)
        try:
            failed = self._load()
            if failed is not None:
                return self._report_load(failed, build)
            self._judge_cases(ahead, len(plan.cases))
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
        return cases.case_data(self.problem, case) if prepared is None else prepared

    # --- the worker ----------------------------------------------------------------------------

    def _new_worker(self) -> Worker:
        limits = self.settings.limits
        return Worker(
            self.backend.runner,
            self.backend.config(),
            self.arena,
            WorkerLimits(limits.case_seconds, limits.output_bytes, limits.memory_bytes),
        )

    def _load(self) -> Outcome | None:
        """Make sure that a worker with the submission loaded is there; the Outcome if it can't
        be loaded."""
        assert self.artifact is not None
        if self.worker is None:
            self.worker = self._new_worker()
        outcome = self.worker.load(self.artifact.library)
        return self._located(outcome) if outcome is not None else None

    def _discard_worker(self) -> None:
        if self.worker is not None:
            self.worker.close()
            self.worker = None

    def _call(self, call: Call, options: RunOptions) -> Outcome:
        """Run one call in a live worker; a worker that faulted is thrown away."""
        if self.worker is None:
            failed = self._load()
            if failed is not None:
                return failed
        assert self.worker is not None
        outcome = self._located(self.worker.run(call, options))
        error = outcome.reply.error if outcome.reply is not None else None
        if outcome.status is not Status.COMPLETED or (
            error is not None and error.where != "launch"
        ):
            self._discard_worker()
        unsupported = [r for r in outcome.reports if r.kind == "unsupported"]
        if unsupported:
            report = unsupported[0]
            file = report.file or str(self.source.path)
            raise Refused(report.message, file, report.line, "run it with --backend cuda")
        return outcome

    def _located(self, outcome: Outcome) -> Outcome:
        """Give each report its file and line."""
        assert self.artifact is not None
        located = []
        for report in outcome.reports:
            if report.pc and not report.line:
                file, line = self.backend.locate(self.artifact, report)
                report = replace(report, file=file, line=line)
            located.append(report)
        return replace(outcome, reports=tuple(located))

    # --- cases ---------------------------------------------------------------------------------

    def _judge_cases(self, ahead: Ahead, total: int) -> None:
        limits = self.settings.limits
        begin = time.monotonic()
        stop = ""
        for done, (case, future) in enumerate(ahead):
            if not stop and time.monotonic() - begin > limits.total_seconds:
                stop = f"the whole run may take {limits.total_seconds:.0f} s"
            if stop:
                self._leave_out(case, stop)
                continue
            self.emit(Event("case", case.name, done, total))
            result = self._judge_case(case, future.result())
            self.results.append(result)
            self.emit(Event("case", case.name, done + 1, total, result))
            stop = self._reason_to_stop(result)

    def _reason_to_stop(self, result: CaseResult) -> str:
        if result.verdict is Verdict.TIME_LIMIT:
            return "an earlier case ran into the time limit"
        if self.worker is None:
            self.faults += 1
        return f"after {_MAX_FAULTS} faults" if self.faults >= _MAX_FAULTS else ""

    def _judge_case(self, case: Case, data: CaseData) -> CaseResult:
        begin = time.monotonic()
        call = plan_call(self.problem, data, case.sizes, self.backend.red_zone)
        attempts: list[Attempt] = []
        runs = self.backend.runs[:1] if case.kind is CaseKind.PERF else self.backend.runs
        for number, options in enumerate(runs):
            attempt = self._attempt(call, data, options, number)
            attempts.append(attempt)
            if attempt.outcome.status is not Status.COMPLETED or self.worker is None:
                break
        judgement = decide(self.problem, call, data, attempts)
        judgement = self._explain_accumulation(call, data, judgement)
        return CaseResult(
            name=case.name,
            kind=case.kind,
            sizes=dict(case.sizes),
            verdict=judgement.verdict,
            reason=judgement.reason,
            seconds=time.monotonic() - begin,
            max_abs_error=judgement.max_abs_error,
            mismatch=judgement.mismatch,
            findings=judgement.findings,
            output=attempts[0].outcome.output,
            replay=self._replay(case),
        )

    def _attempt(
        self, call: Call, data: CaseData, options: RunOptions, number: int, zeros: bool = False
    ) -> Attempt:
        poison = {b.name: compare.poison_pattern(b.dtype, number) for b in call.buffers}
        self.arena.fill(call, data, poison, zero_outputs=zeros)
        outcome = self._call(call, options)
        return examine(self.arena, call, data, poison, outcome)

    def _explain_accumulation(self, call: Call, data: CaseData, found: Judgement) -> Judgement:
        """A submission that adds to its output without clearing it is right where the output
        happens to start as zero: try just that, once, and say so."""
        suspects = (Verdict.WRONG_ANSWER, Verdict.NONDETERMINISTIC)
        if found.verdict not in suspects or self.probed_zeros or self.worker is None:
            return found
        self.probed_zeros = True
        attempt = self._attempt(call, data, self.backend.runs[0], 0, zeros=True)
        again = decide(self.problem, call, data, [attempt])
        if again.verdict is not Verdict.ACCEPTED:
            return found
        names = " and ".join(a.name for a in self.problem.outputs)
        hint = (
            f"right only when {names} starts as zero: the kernel adds to {names} without "
            f"clearing it first; set {names} to zero (cudaMemset) or write the sum with ="
        )
        mismatch = found.mismatch
        if mismatch is not None:
            mismatch = replace(mismatch, hint=hint)
        return replace(found, verdict=Verdict.WRONG_ANSWER, reason=hint, mismatch=mismatch)

    def _replay(self, case: Case) -> str:
        if case.kind is CaseKind.EXAMPLE:
            return ""
        sizes = " ".join(f"--size {name}={value}" for name, value in case.sizes.items())
        return (
            f"leetk run {self.problem.name} {shlex.quote(str(self.source.path))} "
            f"--backend {self.backend.name} {sizes} --seed {self.settings.seed}"
        )

    # --- perf ----------------------------------------------------------------------------------

    def _judge_perf(self, case: Case, future: Future[CaseData]) -> None:
        if any(result.verdict is not Verdict.ACCEPTED for result in self.results):
            self._leave_out(case, "timed only when everything before it is accepted")
            return
        self.emit(Event("perf", case.name))
        data = future.result()
        result = self._judge_case(case, data)
        if result.verdict is Verdict.ACCEPTED:
            result = self._time(case, data, result)
        self.results.append(result)
        self.emit(Event("perf", case.name, 1, 1, result))

    def _time(self, case: Case, data: CaseData, result: CaseResult) -> CaseResult:
        assert self.worker is not None
        call = plan_call(self.problem, data, case.sizes, self.backend.red_zone)
        plan = time_plan(self.problem, call)
        poison = {b.name: compare.poison_pattern(b.dtype, 1) for b in call.buffers}
        self.arena.fill(call, data, poison)
        limit = self.settings.limits.case_seconds * plan.max_samples
        reply = self.worker.time(call, plan, limit)
        if isinstance(reply, Outcome):
            outcome = self._located(reply)
            self._discard_worker()
        else:
            outcome = Outcome(Status.COMPLETED, 0.0, reply=RunReply(0.0, reply.error))
        attempt = examine(self.arena, call, data, poison, outcome)
        judgement = decide(self.problem, call, data, [attempt])
        if judgement.verdict is not Verdict.ACCEPTED or isinstance(reply, Outcome):
            reason = f"while it was timed: {judgement.reason}"
            return replace(
                result, verdict=judgement.verdict, reason=reason, mismatch=judgement.mismatch
            )
        self.timing, suspicion = summarise(self.problem, case, reply)
        if suspicion:
            return replace(result, verdict=Verdict.SUSPICIOUS_TIMING, reason=suspicion)
        return result

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
        hint = worst.mismatch.hint if worst.mismatch is not None else ""
        return replace(self._report(verdict, f"{worst.name}: {worst.reason}", build), hint=hint)

    def _report(self, verdict: Verdict, reason: str, build: BuildInfo | None) -> Report:
        findings = list(self.source.warnings)
        for result in self.results:
            findings.extend(result.findings)
        unique = tuple(dict.fromkeys(findings))
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
        )

    def _strictly(
        self, findings: Sequence[Finding], build: BuildInfo | None
    ) -> tuple[Verdict, str]:
        """Under --strict what is only suspected is fatal."""
        for finding in findings:
            if finding.severity != "info":
                return _STRICT.get(finding.kind, Verdict.WRONG_ANSWER), f"strict: {finding.message}"
        for diagnostic in build.diagnostics if build else ():
            if diagnostic.severity == "warning":
                place = f"{diagnostic.file}:{diagnostic.line}"
                return Verdict.COMPILE_ERROR, f"strict: {place}: {diagnostic.message}"
        return Verdict.ACCEPTED, ""


_STRICT = {"out_of_bounds_read": Verdict.OUT_OF_BOUNDS, "launch_error": Verdict.RUNTIME_ERROR}
_NO_DATA = CaseData({}, {}, {}, {})


def _environment(backend: Backend) -> dict[str, str]:
    return {
        "leetk": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        **backend.environment(),
    }
