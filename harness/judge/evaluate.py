"""From what a worker did and left in the arena to the verdict of one case.

Everything is decided here, in the judge's process, from bytes: red zones, inputs, outputs. Nothing
asks the submission.
"""

from __future__ import annotations

import math
import re
import signal
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from harness import compare
from harness.model import (
    CaseData,
    Finding,
    Mismatch,
    Outcome,
    Problem,
    Status,
    Verdict,
)
from harness.parallel import each, spans
from harness.wire import ApiError, Buffer, Call, RuntimeReport
from harness.worker.arena import Arena, Damage, copy_array

if TYPE_CHECKING:
    from harness.model import Array

# What a report of a runtime means when it is fatal. Others are findings.
_REPORT_VERDICTS = {
    "out_of_bounds_write": Verdict.OUT_OF_BOUNDS,
    "illegal_access": Verdict.RUNTIME_ERROR,
    "host_access": Verdict.RUNTIME_ERROR,
    "divergent_barrier": Verdict.RUNTIME_ERROR,
    "deadlock": Verdict.RUNTIME_ERROR,
    "stack_overflow": Verdict.RUNTIME_ERROR,
    "trap": Verdict.RUNTIME_ERROR,
    "signal": Verdict.RUNTIME_ERROR,
}
RUNNING = "running"

_SPAN = 1 << 18  # elements: compared while they are in a core's cache
_SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True)
class Attempt:
    """One call, with what it left in the arena (nothing of that when it did not complete)."""

    outcome: Outcome
    poison: Mapping[str, bytes]
    damage: tuple[Damage, ...] = ()
    modified: tuple[str, ...] = ()
    outputs: Mapping[str, Array] | None = None


@dataclass(frozen=True)
class Judgement:
    """What a case comes to."""

    verdict: Verdict
    reason: str = ""
    mismatch: Mismatch | None = None
    max_abs_error: float | None = None
    findings: tuple[Finding, ...] = ()


def examine(
    arena: Arena, call: Call, data: CaseData, poison: Mapping[str, bytes], outcome: Outcome
) -> Attempt:
    """Read everything that matters out of the arena."""
    if outcome.status is not Status.COMPLETED:
        return Attempt(outcome, poison)
    modified: list[str] = []
    outputs: dict[str, Array] = {}
    for buffer in call.buffers:
        array = arena.view(buffer)
        if buffer.role == "in":
            if not _same_bytes(array, data.inputs[buffer.name]):
                modified.append(_changed(buffer, array, data.inputs[buffer.name]))
        else:
            outputs[buffer.name] = np.empty_like(array)
            copy_array(outputs[buffer.name], array)
    return Attempt(outcome, poison, arena.damage(call, poison), tuple(modified), outputs)


def decide(problem: Problem, call: Call, data: CaseData, attempts: Sequence[Attempt]) -> Judgement:
    """The worst of what any attempt shows. ``attempts`` are the same case run in different ways;
    they must agree within the tolerance."""
    found: list[Judgement] = []
    error = 0.0
    for attempt in attempts:
        found.extend(_from_outcome(call, attempt.outcome))
        found.extend(_from_memory(call, attempt))
        # One explanation a case is enough; later attempts then only have to agree.
        if attempt.outputs is not None and not any(j.mismatch for j in found):
            wrong, largest = _from_outputs(problem, data, attempt)
            found.extend(wrong)
            error = max(error, largest)
    found.extend(_from_disagreement(problem, data, attempts))
    worst = min(found, key=lambda j: j.verdict.severity, default=Judgement(Verdict.ACCEPTED))
    mismatch = worst.mismatch or next((j.mismatch for j in found if j.mismatch), None)
    if mismatch is not None and worst.verdict is Verdict.NONDETERMINISTIC:
        mismatch = replace(mismatch, hint="")  # the pattern is this run's alone
    completed = all(a.outputs is not None for a in attempts)
    return Judgement(
        verdict=worst.verdict,
        reason=worst.reason,
        mismatch=mismatch,
        max_abs_error=error if completed and not np.isnan(error) else None,
        findings=_findings(call, attempts),
    )


# --- how the call ended ------------------------------------------------------------------------


def _from_outcome(call: Call, outcome: Outcome) -> list[Judgement]:
    fatal = [
        Judgement(
            _REPORT_VERDICTS.get(r.kind, Verdict.RUNTIME_ERROR), report_text(_in_elements(call, r))
        )
        for r in outcome.reports
        if _decides(r)
    ]
    if fatal:
        return fatal
    if outcome.status is Status.COMPLETED:
        error = outcome.reply.error if outcome.reply else None
        if error is not None and error.where != "launch":
            return [Judgement(Verdict.RUNTIME_ERROR, _api_text(error))]
        return []
    return [_from_ending(outcome)]


def _in_elements(call: Call, report: RuntimeReport) -> RuntimeReport:
    """An access outside an argument said in its elements: the runtime knows bytes alone."""
    buffer = next((b for b in call.buffers if b.name == report.buffer), None)
    verb = {"out_of_bounds_write": "wrote", "out_of_bounds_read": "read"}.get(report.kind)
    if buffer is None or verb is None:
        return report
    place = _place(buffer, report.byte)
    return replace(report, message=f"a kernel {verb} outside {_named(buffer)}, {place}")


def _decides(report: RuntimeReport) -> bool:
    return report.fatal or report.kind == "out_of_bounds_write"


def _from_ending(outcome: Outcome) -> Judgement:
    seconds = f"{outcome.seconds:.3g} s"
    if outcome.status is Status.TIMED_OUT:
        return Judgement(
            Verdict.TIME_LIMIT,
            f"solve did not return within {seconds}: an endless loop, or far too slow "
            f"(--timeout sets the limit){running(outcome)}",
        )
    if outcome.status is Status.MEMORY:
        return Judgement(
            Verdict.MEMORY_LIMIT,
            "the process took more host memory than allowed (--memory-limit sets it)",
        )
    if outcome.status is Status.OUTPUT:
        return Judgement(
            Verdict.OUTPUT_LIMIT, "it printed more than the judge keeps (--output-limit sets it)"
        )
    if outcome.status is Status.PROCESSES:
        return Judgement(
            Verdict.RUNTIME_ERROR, f"{outcome.message} at a time (--max-processes sets the limit)"
        )
    if outcome.status is Status.SIGNALLED:
        return Judgement(Verdict.RUNTIME_ERROR, _signal_text(outcome.code))
    if outcome.message:
        return Judgement(
            Verdict.RUNTIME_ERROR, f"the process ended inside solve: {outcome.message}"
        )
    return Judgement(
        Verdict.RUNTIME_ERROR,
        f"the process ended inside solve with exit status {outcome.code}; solve must return",
    )


def running(outcome: Outcome) -> str:
    """``; kernel k was running, at v.cu:7``, where the runtime could still say it: a report for
    each place from the innermost one on, of which the first in the author's code counts."""
    said = [r for r in outcome.reports if r.kind == RUNNING]
    said = [r for r in said if r.line] or said[-1:]
    return f"; {report_text(said[0])}" if said else ""


_SIGNALS = {
    signal.SIGSEGV: "segmentation fault: host code used an address that is not its own",
    signal.SIGBUS: "bus error: host code used an address that is not its own",
    signal.SIGABRT: "aborted: a failed assert, an uncaught C++ exception, or abort()",
    signal.SIGFPE: "arithmetic fault, such as an integer division by zero in host code",
    signal.SIGILL: "illegal instruction: a function that returns a value ended without a return?",
    signal.SIGKILL: "killed, by itself or by the system (out of memory?)",
}


def _signal_text(number: int) -> str:
    try:
        name = signal.Signals(number)
    except ValueError:
        return f"ended by signal {number}"
    return f"{_SIGNALS.get(name, 'ended by a signal')} ({name.name})"


def report_text(report: RuntimeReport, *, with_place: bool = True) -> str:
    """A report as one line: what, who, and where when that is known."""
    place = f", at {report.file}:{report.line}" if report.line and with_place else ""
    who = ""
    if report.thread and report.block:
        who = f" (thread {_triple(report.thread)} of block {_triple(report.block)})"
    return f"{report.message}{who}{place}"


def _triple(values: tuple[int, ...]) -> str:
    return "(" + ", ".join(str(v) for v in values) + ")"


def _api_text(error: ApiError) -> str:
    if error.where == "launch":
        call = error.call if error.call.startswith("cuda") else "a CUDA call or launch"
        what = "a kernel launch" if error.call == "launch" else call
        return f"{what} failed with {error.name} ({error.message})"
    return f"{error.name}: {error.message}"


# --- what lies in memory -----------------------------------------------------------------------


def _from_memory(call: Call, attempt: Attempt) -> list[Judgement]:
    buffers = {b.name: b for b in call.buffers}
    found = [
        Judgement(Verdict.OUT_OF_BOUNDS, _damage_text(buffers[d.buffer], d)) for d in attempt.damage
    ]
    found += [Judgement(Verdict.INPUT_MODIFIED, text) for text in attempt.modified]
    return found


def _damage_text(buffer: Buffer, damage: Damage) -> str:
    many = f"{damage.count} elements" if damage.count > 1 else "1 element"
    nearest = ("the first " if damage.byte >= 0 else "the last ") if damage.count > 1 else ""
    guard = ": is the guard missing, or < written as <=?" if damage.byte >= 0 else ""
    return f"wrote {many} outside {_named(buffer)}, {nearest}{_place(buffer, damage.byte)}{guard}"


def _named(buffer: Buffer) -> str:
    return f"{buffer.name} ({'x'.join(map(str, buffer.shape))})"


def _place(buffer: Buffer, byte: int) -> str:
    """``11 past its end (flat index 537)``, counted in elements."""
    item = np.dtype(buffer.dtype).itemsize
    flat, size = byte // item, buffer.nbytes // item
    where = f"{-flat} before its start" if flat < 0 else f"{flat - size + 1} past its end"
    return f"{where} (flat index {flat})"


def _same_bytes(first: Array, second: Array) -> bool:
    word = f"u{first.dtype.itemsize}"
    one = first.view(word).reshape(-1)
    two = np.ascontiguousarray(second).view(word).reshape(-1)

    def same(begin: int, end: int) -> bool:
        return bool(np.array_equal(one[begin:end], two[begin:end]))

    return all(each(same, spans(one.size, _SPAN)))


def _changed(buffer: Buffer, now: Array, before: Array) -> str:
    word = f"u{now.dtype.itemsize}"
    differs = now.view(word) != np.ascontiguousarray(before).view(word)
    index = tuple(int(i) for i in np.argwhere(differs)[0])
    place = "".join(f"[{i}]" for i in index)
    return (
        f"input {buffer.name} was changed: {buffer.name}{place} was {before[index]} "
        f"and is {now[index]}; {int(differs.sum())} elements in all"
    )


# --- what was computed -------------------------------------------------------------------------


def _from_outputs(
    problem: Problem, data: CaseData, attempt: Attempt
) -> tuple[list[Judgement], float]:
    assert attempt.outputs is not None
    cause = _known_cause(attempt.outcome)
    found: list[Judgement] = []
    largest = 0.0
    for argument in problem.outputs:
        got = attempt.outputs[argument.name]
        poison = attempt.poison[argument.name]
        mismatch = compare.compare_output(argument, got, data, problem.tolerance, poison)
        if mismatch is None:
            largest = max(largest, compare.max_abs_error(got, data, argument.name))
            continue
        # What the runtime saw is better than what the pattern of the fault suggests.
        if not cause:
            from harness import explain  # only a wrong output needs it

            mismatch = _with_hint(mismatch, explain.explain(problem, mismatch, got, data))
        verdict = Verdict.OUTPUT_NOT_WRITTEN if mismatch.unwritten else Verdict.WRONG_ANSWER
        prefix = f"{cause}; " if cause else ""
        found.append(Judgement(verdict, prefix + _mismatch_text(mismatch), mismatch))
        largest = max(largest, mismatch.max_abs_error)
    return found, largest


def _known_cause(outcome: Outcome) -> str:
    """A refused launch, or threads that a barrier waited for in vain; "" when there was none."""
    error = outcome.reply.error if outcome.reply else None
    launch = error is not None and error.where == "launch"
    kinds = ("api", "exited_before_barrier") if launch else ("exited_before_barrier",)
    said = [report_text(r) for r in outcome.reports if r.kind in kinds]
    if launch and error is not None:
        return ": ".join([_api_text(error), *said[:1]])
    return said[0] if said else ""


def _with_hint(mismatch: Mismatch, hint: str) -> Mismatch:
    return replace(mismatch, hint=hint) if hint else mismatch


def _mismatch_text(mismatch: Mismatch) -> str:
    name, total = mismatch.argument, mismatch.total
    whole = f"of {total} element{'' if total == 1 else 's'} of {name}"
    if mismatch.unwritten:
        verb = "was" if mismatch.unwritten == 1 else "were"
        text = f"{mismatch.unwritten} {whole} {verb} never written"
    else:
        text = f"{mismatch.wrong} {whole} {'is' if mismatch.wrong == 1 else 'are'} wrong"
        if mismatch.first:
            first = mismatch.first[0]
            place = "".join(f"[{i}]" for i in first.index)
            text += f", first {name}{place}: got {_number(first.got)}"
            text += f", expected {_number(first.expected)}"
    return f"{text}; {mismatch.hint}" if mismatch.hint else text


def _number(value: float) -> str:
    whole = math.isfinite(value) and value == int(value) and abs(value) < 2**53
    return str(int(value)) if whole and (value or math.copysign(1, value) > 0) else f"{value:.9g}"


def _from_disagreement(
    problem: Problem, data: CaseData, attempts: Sequence[Attempt]
) -> list[Judgement]:
    found: list[Judgement] = []
    first = attempts[0].outputs if attempts else None
    for other in attempts[1:]:
        if first is None or other.outputs is None:
            continue
        for argument in problem.outputs:
            a, b = first[argument.name], other.outputs[argument.name]
            if not compare.same_output(argument, a, b, data, problem.tolerance):
                found.append(Judgement(Verdict.NONDETERMINISTIC, _disagreement_text(argument.name)))
    return found


def _disagreement_text(name: str) -> str:
    return (
        f"{name} differs between two runs on the same input: threads race (is a __syncthreads(), "
        "a __syncwarp() or an atomic missing?), or something is read that was never written"
    )


def _findings(call: Call, attempts: Sequence[Attempt]) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for attempt in attempts:
        reply = attempt.outcome.reply
        if reply is not None and reply.error is not None and reply.error.where == "launch":
            found.append(Finding("launch_error", "warning", _api_text(reply.error)))
        for report in attempt.outcome.reports:
            if not _decides(report) and report.kind != RUNNING:
                text = report_text(_in_elements(call, report), with_place=False)
                finding = Finding(report.kind, "warning", text, report.file, report.line)
                found.append(finding)
    return tuple(dict.fromkeys(found))


def first_of_each(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each kind and place, the most severe of them. Where the place is not known,
    those whose texts differ in their numbers alone (thread, block, byte) are one, and how many they
    are is said."""
    groups: dict[tuple[str, str, int, str], list[Finding]] = {}
    for finding in findings:
        text = "" if finding.line else re.sub(r"\d+", "#", finding.message)
        group = groups.setdefault((finding.kind, finding.file, finding.line, text), [])
        if all(finding.message != known.message for known in group):  # the same in two cases
            group.append(finding)
    return [_counted(group) for group in groups.values()]


def _counted(group: Sequence[Finding]) -> Finding:
    more = len(group) - 1
    worst = min(group, key=lambda finding: _SEVERITIES.index(finding.severity))
    if not more:
        return worst
    return replace(worst, message=f"{worst.message}, and {more} more like it")
