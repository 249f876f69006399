"""One worker with its arena: where cases are called, one after another.

A judge has as many slots as the backend runs side by side. A slot replaces its worker after a
fault, so one case cannot reach the next.
"""

from __future__ import annotations

import math
import shlex
import time
from dataclasses import replace

from harness import cases, compare
from harness.backends.base import Backend
from harness.cases.kinds import WORDS
from harness.errors import Refused
from harness.judge.evaluate import Attempt, Judgement, decide, examine
from harness.judge.places import located
from harness.judge.timing import summarise, time_plan
from harness.model import (
    Artifact,
    Case,
    CaseData,
    CaseKind,
    CaseResult,
    Outcome,
    Problem,
    Source,
    Status,
    Timing,
    Verdict,
)
from harness.settings import Settings
from harness.timeline import mark
from harness.wire import Call, RunOptions, RunReply, TimePlan, TimeReply
from harness.worker.arena import Arena, plan_call
from harness.worker.process import WorkerProcess
from harness.worker.supervisor import Worker, WorkerLimits

# Shapes whose grid is large by leetk's own choice: a block of 256 threads for each of 270,000
# outputs is no fault, and takes a CPU some seconds.
_LARGE_GRID = 4


class Slot:
    """One arena and one live worker. ``healthy`` is false when the last case ended its worker."""

    def __init__(
        self,
        problem: Problem,
        source: Source,
        backend: Backend,
        settings: Settings,
        started: WorkerProcess | None = None,
    ) -> None:
        self.problem = problem
        self.source = source
        self.backend = backend
        self.settings = settings
        self.arena = Arena(started.arena_fd if started is not None else None)
        self.artifact: Artifact | None = None
        self.probed_zeros = False
        # When the whole run's time is used up, by time.monotonic.
        self.deadline = math.inf
        # What one call may take.
        self.seconds = settings.limits.case_seconds
        # That may work on one launch, where the backend can do that.
        self.processes = 1
        # The worker starts now, while the compiler runs.
        self.worker: Worker | None = self._new_worker(started)

    @property
    def healthy(self) -> bool:
        return self.worker is not None

    def interrupt(self) -> None:
        """End the call that another thread waits for."""
        if self.worker is not None:
            self.worker.interrupt()

    def close(self) -> None:
        self._discard_worker()
        self.arena.close()

    def _new_worker(self, started: WorkerProcess | None = None) -> Worker:
        limits = self.settings.limits
        return Worker(
            self.backend.runner,
            self.backend.config(),
            self.arena,
            WorkerLimits(
                limits.case_seconds, limits.output_bytes, limits.memory_bytes, limits.processes
            ),
            started,
        )

    def load(self, artifact: Artifact) -> Outcome | None:
        """Load the submission into the worker; the Outcome if that fails."""
        self.artifact = artifact
        if self.worker is None:
            self.worker = self._new_worker()
        outcome = self.worker.load(artifact.library)
        if outcome is None:
            return None
        self._discard_worker()
        return self._located(outcome)

    def _discard_worker(self) -> None:
        if self.worker is not None:
            self.worker.close()
            self.worker = None

    def _call(self, call: Call, options: RunOptions) -> Outcome:
        """Run one call in a live worker; a worker that faulted is thrown away."""
        if self.worker is None:
            assert self.artifact is not None
            failed = self.load(self.artifact)
            if failed is not None:
                return failed
        assert self.worker is not None
        outcome = self._located(self.worker.run(call, options, self.seconds))
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
        assert self.artifact is not None
        return located(self.backend, self.artifact, outcome)

    def judge_case(self, case: Case, data: CaseData) -> CaseResult:
        begin = time.monotonic()
        call = plan_call(self.problem, data, case.sizes, self.backend.red_zone)
        attempts: list[Attempt] = []
        once = case.once or case.kind is CaseKind.PERF
        self.seconds = self.settings.limits.case_seconds * (_LARGE_GRID if case.once else 1)
        runs = self.backend.runs[:1] if once else self.backend.runs
        for number, options in enumerate(runs):
            attempt = self._attempt(call, data, options, number)
            attempts.append(attempt)
            if attempt.outcome.status is not Status.COMPLETED or self.worker is None:
                break
        judgement = decide(self.problem, call, data, attempts)
        judgement = self._explain_accumulation(call, data, judgement)
        for kind in case.again:
            if judgement.verdict is Verdict.ACCEPTED and self.healthy:
                judgement = self._once_more(replace(case, data=kind), judgement)
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
        # The backend's own helpers count as the submission's.
        processes = min(self.processes, self.settings.limits.processes + 1)
        outcome = self._call(call, replace(options, processes=processes))
        if self.processes > 1 and any(report.kind == "team" for report in outcome.reports):
            self.processes = 1
            return self._attempt(call, data, options, number, zeros)
        return examine(self.arena, call, data, poison, outcome)

    def _once_more(self, case: Case, found: Judgement) -> Judgement:
        """With other data: a submission that keeps an answer by its sizes doesn't know that."""
        data = cases.case_data(self.problem, case)
        call = plan_call(self.problem, data, case.sizes, self.backend.red_zone)
        attempt = self._attempt(call, data, self.backend.runs[0], 0)
        again = decide(self.problem, call, data, [attempt])
        if again.verdict is Verdict.ACCEPTED:
            return found
        reason = f"called again with {WORDS[case.data]}: {again.reason}"
        return replace(again, reason=reason)

    def _explain_accumulation(self, call: Call, data: CaseData, found: Judgement) -> Judgement:
        """A submission that adds to its output without clearing it is right where the output
        happens to start as zero: try just that, once, and say so."""
        suspects = (Verdict.WRONG_ANSWER, Verdict.NONDETERMINISTIC)
        if found.verdict not in suspects or self.probed_zeros or not self.healthy:
            return found
        if not _may_hold_poison(self.problem, found):
            return found
        self.probed_zeros = True
        attempts = []
        for number, options in enumerate(self.backend.runs):
            attempts.append(self._attempt(call, data, options, number, zeros=True))
            if attempts[-1].outcome.status is not Status.COMPLETED:
                return found
        if decide(self.problem, call, data, attempts).verdict is not Verdict.ACCEPTED:
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

    def time(self, call: Call, plan: TimePlan) -> TimeReply | Outcome:
        """Time what lies in the arena. An Outcome when that failed; the worker is gone then."""
        assert self.worker is not None
        limits = self.settings.limits
        left = max(limits.case_seconds, self.deadline - time.monotonic())
        reply = self.worker.time(call, plan, min(limits.case_seconds * plan.max_samples, left))
        if not isinstance(reply, Outcome):
            return reply
        outcome = self._located(reply)
        self._discard_worker()
        return outcome

    def time_case(
        self, case: Case, data: CaseData, result: CaseResult
    ) -> tuple[CaseResult, Timing | None]:
        """Time a case that was accepted; timed outputs are compared like any other."""
        assert self.worker is not None
        call = plan_call(self.problem, data, case.sizes, self.backend.red_zone)
        plan = time_plan(self.problem, call)
        poison = {b.name: compare.poison_pattern(b.dtype, 1) for b in call.buffers}
        self.arena.fill(call, data, poison)
        mark("arena is filled for timing")
        reply = self.time(call, plan)
        mark("timing reply is here")
        if isinstance(reply, Outcome):
            outcome = reply
        else:
            # The device is given back while the output is looked at.
            self.worker.interrupt()
            outcome = Outcome(Status.COMPLETED, 0.0, reply=RunReply(0.0, reply.error))
        attempt = examine(self.arena, call, data, poison, outcome)
        judgement = decide(self.problem, call, data, [attempt])
        if judgement.verdict is not Verdict.ACCEPTED or isinstance(reply, Outcome):
            reason = f"while it was timed: {judgement.reason}"
            result = replace(
                result, verdict=judgement.verdict, reason=reason, mismatch=judgement.mismatch
            )
            return result, None
        timing, suspicion = summarise(self.problem, case, reply)
        if suspicion:
            result = replace(result, verdict=Verdict.SUSPICIOUS_TIMING, reason=suspicion)
        return result, timing


def _may_hold_poison(problem: Problem, found: Judgement) -> bool:
    """Whether the wrong values can come from the poison that outputs start with: NaN, or any
    value at all in an output of integers."""
    if found.mismatch is None:
        return found.verdict is Verdict.NONDETERMINISTIC
    argument = next(a for a in problem.outputs if a.name == found.mismatch.argument)
    return not argument.type.startswith("float") or any(
        math.isnan(element.got) for element in found.mismatch.first
    )
