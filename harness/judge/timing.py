"""From a worker's samples to the figures of the report.

Samples are taken in the worker, which the submission shares, so they are cross-checked here and are
best effort; see the README.
"""

from __future__ import annotations

import math

from harness import stats
from harness.model import Baseline, Case, Problem, Role, Timing
from harness.wire import Call, TimePlan, TimeReply

# An event pair misses work on a non-blocking stream (0.43 ms shown for 41 ms of work); the host's
# clock around a device-wide synchronise does not. What it adds by itself stays below this.
_HOST_SLACK_MS = 0.5
_HOST_SLACK_SHARE = 0.1
# Between the judge's clock and the worker's there are two messages.
_CLOCK_SLACK_SECONDS = 0.25
_CLOCK_SLACK_SHARE = 0.1
LAUNCH_BOUND_MS = 0.02
# Clocks may be raised by some percent beyond what the device tells.
_ROOF_SHARE = 0.9
# Fewer only when a submission that leaks device memory had to be stopped.
MIN_SAMPLES = 10


def time_plan(problem: Problem, call: Call) -> TimePlan:
    """How to time this call: at least 10 samples, two seconds at most beyond them."""
    baseline = problem.perf.baseline if problem.perf is not None else ""
    if baseline == "matmul":
        inputs = [b for b in call.buffers if b.role == Role.IN.value]
        (m, n), (_, k) = inputs[0].shape, inputs[1].shape
        baseline = f"matmul:{m},{n},{k}"
    return TimePlan(
        samples=MIN_SAMPLES,
        max_samples=100,
        seconds=2.0,
        baseline=baseline,
        rotate=_rotatable(problem),
    )


def _rotatable(problem: Problem) -> tuple[str, ...]:
    """Inputs whose values may be exchanged from sample to sample: any order of random data is
    random data."""
    random = ("uniform", "normal", "integers")
    return tuple(
        a.name for a in problem.arrays if a.role is Role.IN and a.data and a.data.kind in random
    )


def summarise(problem: Problem, case: Case, reply: TimeReply) -> tuple[Timing | None, str]:
    """The Timing, and why it is not to be believed ("" when it is)."""
    samples = [value for value in reply.samples_ms if math.isfinite(value) and value >= 0]
    enough = 1 if reply.facts.get("stopped") else MIN_SAMPLES
    if len(samples) < max(len(reply.samples_ms), enough):
        return None, "the worker gave no sound samples"
    median, mad = stats.median(samples), stats.mad(samples)
    flops = bytes_ = None
    if problem.perf is not None:
        flops = problem.perf.flops.evaluate(case.sizes) if problem.perf.flops else None
        bytes_ = problem.perf.bytes.evaluate(case.sizes) if problem.perf.bytes else None
    share, bound = _roofline(reply, median, flops, bytes_)
    timing = Timing(
        sizes=dict(case.sizes),
        median_ms=median,
        mad_ms=mad,
        samples_ms=tuple(samples),
        gflops=flops / median / 1e6 if flops and median else None,
        gbps=bytes_ / median / 1e6 if bytes_ and median else None,
        peak_fraction=share,
        bound=bound,
        clocks=_clocks(reply),
        baseline=_baseline(reply, median),
        notes=_notes(reply, median),
    )
    return timing, _suspicion(reply, median) or _faster_than_light(reply, median, flops, bytes_)


def _baseline(reply: TimeReply, median: float) -> Baseline | None:
    if not reply.baseline_ms or median <= 0:
        return None
    theirs = stats.median(reply.baseline_ms)
    return Baseline(reply.baseline_name, theirs, theirs / median)


def _notes(reply: TimeReply, median: float) -> tuple[str, ...]:
    notes = list(reply.notes)
    if reply.baseline_note:
        notes.append(reply.baseline_note)
    if len(reply.samples_ms) < MIN_SAMPLES:
        notes.append(f"only {len(reply.samples_ms)} samples: {reply.facts.get('stopped')} ran out")
    if median < LAUNCH_BOUND_MS:
        notes.append("below 20 us the cost of a launch rules")
    return tuple(notes)


def _suspicion(reply: TimeReply, median: float) -> str:
    gap = abs(reply.judge_seconds - reply.worker_seconds)
    if gap > max(_CLOCK_SLACK_SECONDS, _CLOCK_SLACK_SHARE * reply.judge_seconds):
        return (
            f"timing took {reply.judge_seconds:.3g} s by the judge's clock but "
            f"{reply.worker_seconds:.3g} s by that of the process that solve ran in: was its "
            "clock tampered with?"
        )
    host = stats.median(reply.host_ms) if reply.host_ms else median
    if host - median <= max(_HOST_SLACK_MS, _HOST_SLACK_SHARE * median):
        return ""
    return (
        f"events say {median:.3g} ms but the device was busy for {host:.3g} ms by the host's "
        "clock: work went on outside the timed stream (a non-blocking stream, a host thread?)"
    )


def _faster_than_light(
    reply: TimeReply, median: float, flops: int | None, bytes_: int | None
) -> str:
    """Why the device can't have done the spec's work in this time; "" where it can. What its cache
    may keep needn't have reached memory by then."""
    kept = _fact(reply, "l2_mib") * 2**20
    for amount, peak, what in (
        ((bytes_ or 0) - kept, _fact(reply, "peak_gbps"), "moves {:,.0f} GB/s"),
        (flops or 0, _fact(reply, "peak_gflops"), "does {:,.0f} GFLOP/s"),
    ):
        least = amount / peak / 1e6 if peak > 0 else 0.0
        if median < least * _ROOF_SHARE:
            most = what.format(peak)
            return (
                f"{median:.3g} ms is less than the {least:.3g} ms that the device needs at least, "
                f"as it {most} at most: work was left out, or is done elsewhere"
            )
    return ""


def _roofline(
    reply: TimeReply, median: float, flops: int | None, bytes_: int | None
) -> tuple[float | None, str]:
    """The least time that the roofline allows over the measured one, and what binds: memory or
    arithmetic. None where the device's figures are not known."""
    least = {
        bound: amount / rate / 1e6
        for bound, amount, rate in (
            ("memory", bytes_ or 0, _fact(reply, "copy_gbps")),
            ("arithmetic", flops or 0, _fact(reply, "fp32_gflops")),
        )
        if rate > 0 and amount > 0
    }
    if not least or median <= 0 or (flops and "arithmetic" not in least):
        return None, ""
    bound = max(least, key=lambda name: least[name])
    return least[bound] / median, bound


def _clocks(reply: TimeReply) -> str:
    """``1980 MHz, 45 °C``."""
    clock, warm = _fact(reply, "clock_mhz"), _fact(reply, "celsius")
    if clock <= 0:
        return ""
    return f"{clock:.0f} MHz" + (f", {warm:.0f} °C" if warm > 0 else "")


def _fact(reply: TimeReply, name: str) -> float:
    """A number that the worker gave; 0 for none or no number."""
    try:
        value = float(reply.facts.get(name, "0"))
    except ValueError:
        return 0.0
    return value if math.isfinite(value) else 0.0
