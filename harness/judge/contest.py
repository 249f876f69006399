"""Solutions of one problem against each other.

Each is judged first; only what is accepted takes part. On a GPU they are then timed in rounds: in
each round every solution has a few samples, in an order that is turned from round to round, so that
all see the same clocks and temperatures. What is compared is a round's median with the first
solution's of the same round. Each has a process, a context and memory of its own.

Without a GPU nothing is timed: see ``analysis.contest`` for what is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace

from harness import cases, compare, stats
from harness.backends.base import Backend
from harness.contest import Contest, Library, Ratio, Standing
from harness.judge.evaluate import decide, examine
from harness.judge.slot import Slot
from harness.judge.submission import judge
from harness.judge.timing import summarise, time_plan
from harness.model import (
    Baseline,
    BuildOptions,
    Case,
    CaseData,
    Outcome,
    Problem,
    Source,
    Status,
    Verdict,
)
from harness.settings import Event, Settings
from harness.wire import RunReply, TimeReply
from harness.worker.arena import plan_call

# 12 rounds: 99 % of the interval then leaves out one round at each end.
ROUNDS = 12
_SAMPLES = 5
# A round's samples of one solution, where those are slow.
_ROUND_SECONDS = 1.0


@dataclass
class _Contender:
    source: Source
    slot: Slot
    replies: list[TimeReply] = field(default_factory=list)


def contest(
    problem: Problem,
    sources: Sequence[Source],
    backend: Backend,
    settings: Settings,
    options: BuildOptions,
    rounds: int = ROUNDS,
    emit: Callable[[Event], None] = lambda event: None,
) -> Contest:
    """Judge all ``sources``, and time them where ``backend`` can. A source that fails is among the
    standings with its verdict; raises ToolchainMissing or SpecError as ``judge`` does."""
    correctness = replace(settings, perf=False, sizes={})
    reports = [judge(problem, source, backend, correctness, options, emit) for source in sources]
    standings = [
        Standing(
            str(source.path),
            report.verdict,
            "" if report.verdict is Verdict.ACCEPTED else report.reason,
        )
        for source, report in zip(sources, reports, strict=True)
    ]
    case = cases.perf_case(problem, settings.seed, settings.sizes)
    library = None
    if case is not None and backend.can_time and settings.perf:
        standings, library = _timed(
            *(problem, sources, standings, backend, settings, options, case), rounds, emit
        )
    return Contest(
        problem=problem.name,
        backend=backend.name,
        sizes=dict(case.sizes) if case is not None else {},
        seed=settings.seed,
        rounds=rounds if any(s.timing is not None for s in standings) else 0,
        standings=tuple(standings),
        library=library,
        environment=dict(reports[0].environment) if reports else {},
    )


def _timed(
    problem: Problem,
    sources: Sequence[Source],
    standings: Sequence[Standing],
    backend: Backend,
    settings: Settings,
    options: BuildOptions,
    case: Case,
    rounds: int,
    emit: Callable[[Event], None],
) -> tuple[list[Standing], Library | None]:
    """The standings of those that are accepted with their times; and the library's."""
    prepared = backend.prepare(problem, case)
    data = cases.case_data(problem, case) if prepared is None else prepared
    found = list(standings)
    with ExitStack() as stack:
        contenders: dict[int, _Contender] = {}
        for number, (source, standing) in enumerate(zip(sources, standings, strict=True)):
            if standing.verdict is not Verdict.ACCEPTED:
                continue
            slot = stack.enter_context(closing(Slot(problem, source, backend, settings)))
            failed = slot.load(backend.build(problem, source, options))
            if failed is not None:
                found[number] = replace(
                    standing, verdict=Verdict.RUNTIME_ERROR, reason=failed.message
                )
                continue
            contenders[number] = _Contender(source, slot)
        order = list(contenders)
        for turn in range(rounds):
            for place, number in enumerate(_turned(order, turn)):
                if found[number].verdict is not Verdict.ACCEPTED:
                    continue
                contender = contenders[number]
                done, total = turn * len(order) + place, rounds * len(order)
                emit(Event("perf", str(contender.source.path), done, total))
                last = turn in (0, rounds - 1)
                failed_as = _round(problem, contender, case, data, number == order[0], last)
                if failed_as is not None:
                    verdict, reason = failed_as
                    found[number] = replace(found[number], verdict=verdict, reason=reason)
        return _ranked(problem, case, found, contenders)


def _turned(order: Sequence[int], turn: int) -> list[int]:
    """Backwards every second time, and each time another one first."""
    start = turn % len(order) if order else 0
    turned = [*order[start:], *order[:start]]
    return turned[::-1] if turn % 2 else turned


def _round(
    problem: Problem,
    contender: _Contender,
    case: Case,
    data: CaseData,
    with_library: bool,
    compared: bool,
) -> tuple[Verdict, str] | None:
    """Time one solution once more; how it failed, if it did. ``compared``: its output, too."""
    slot = contender.slot
    call = plan_call(problem, data, case.sizes, slot.backend.red_zone)
    plan = time_plan(problem, call)
    plan = replace(plan, samples=_SAMPLES, max_samples=_SAMPLES, seconds=_ROUND_SECONDS)
    if not with_library:
        plan = replace(plan, baseline="", roof=False)
    poison = {b.name: compare.poison_pattern(b.dtype, 1) for b in call.buffers}
    slot.arena.fill(call, data, poison)
    reply = slot.time(call, plan)
    if isinstance(reply, TimeReply):
        contender.replies.append(reply)
        if not compared and reply.error is None:
            return None
        outcome = Outcome(Status.COMPLETED, 0.0, reply=RunReply(0.0, reply.error))
    else:
        outcome = reply
    attempt = examine(slot.arena, call, data, poison, outcome)
    judgement = decide(problem, call, data, [attempt])
    if judgement.verdict is Verdict.ACCEPTED:
        return None
    return judgement.verdict, f"while it was timed: {judgement.reason}"


def _ranked(
    problem: Problem,
    case: Case,
    standings: Sequence[Standing],
    contenders: Mapping[int, _Contender],
) -> tuple[list[Standing], Library | None]:
    found = list(standings)
    library = None
    first: tuple[float, ...] = ()
    # What the device reaches was measured beside the first one, in the same rounds.
    roof = _roof([reply for contender in contenders.values() for reply in contender.replies])
    for number, contender in contenders.items():
        if found[number].verdict is not Verdict.ACCEPTED:
            continue
        pooled = _pooled(contender.replies, roof)
        timing, suspicion = summarise(problem, case, pooled)
        if suspicion:
            found[number] = replace(
                found[number], verdict=Verdict.SUSPICIOUS_TIMING, reason=suspicion
            )
            continue
        medians = tuple(stats.median(reply.samples_ms) for reply in contender.replies)
        if pooled.baseline_ms:
            library = Library(
                pooled.baseline_name,
                stats.median(pooled.baseline_ms),
                tuple(stats.median(r.baseline_ms) for r in contender.replies if r.baseline_ms),
            )
        ratio = _ratio(medians, first) if first else None
        first = first or medians
        found[number] = replace(found[number], timing=timing, rounds_ms=medians, ratio=ratio)
    if library is not None:
        found = [_with_library(standing, library) for standing in found]
    return found, library


def _roof(replies: Sequence[TimeReply]) -> dict[str, str]:
    """The latest figures of what the device reaches."""
    names = ("copy_gbps", "fp32_gflops")
    return {name: r.facts[name] for r in replies for name in names if name in r.facts}


def _pooled(replies: Sequence[TimeReply], roof: Mapping[str, str]) -> TimeReply:
    """All rounds as one. Of the clocks those of a usual round: the machine may have been busy in
    one of them."""
    last = replies[-1]
    gaps = sorted(replies, key=lambda reply: abs(reply.judge_seconds - reply.worker_seconds))
    usual = gaps[len(gaps) // 2]
    return replace(
        last,
        facts={**last.facts, **roof},
        samples_ms=tuple(ms for reply in replies for ms in reply.samples_ms),
        host_ms=tuple(ms for reply in replies for ms in reply.host_ms),
        baseline_ms=tuple(ms for reply in replies for ms in reply.baseline_ms),
        notes=tuple(dict.fromkeys(note for reply in replies for note in reply.notes)),
        worker_seconds=usual.worker_seconds,
        judge_seconds=usual.judge_seconds,
    )


def _ratio(times: Sequence[float], first: Sequence[float]) -> Ratio:
    ratios = [mine / theirs for mine, theirs in zip(times, first, strict=False) if theirs > 0]
    if not ratios:
        return Ratio(0.0, 0.0, 0.0, stats.Difference.UNCLEAR)
    low, high = stats.median_interval(ratios)
    return Ratio(stats.median(ratios), low, high, stats.difference(ratios))


def _with_library(standing: Standing, library: Library) -> Standing:
    timing = standing.timing
    if timing is None or not timing.median_ms:
        return standing
    share = library.median_ms / timing.median_ms
    baseline = Baseline(library.name, library.median_ms, share)
    return replace(standing, timing=replace(timing, baseline=baseline))
