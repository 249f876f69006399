"""Whether the tolerance tells float32 from less: the experiment behind docs/tolerance.md.

Everything goes through the judge's own data, reference, bound and comparison, for problems/matmul.

1. Honest float32 passes: each way of summing in ``summation.HONEST`` is judged on cases of 12 x N
   by N x 12, N from 1 to 8192, a trial each.
2. Less than float32 fails: each of ``summation.LOSSY`` is judged on whole runs, the cases that a
   run plans for its seed; one failing case fails a run. A run ends at its first failing case; some
   are gone through to their end, to see how many of their cases fail. The cases of part 1 are
   judged too, to see where a single case would let it pass.

The figures depend on the seed alone. Ends with 1 if a trial of part 1 fails or a run of part 2
passes. All of it takes some 20 minutes of one core, ``--quick`` half a minute.

    python benchmarks/tolerance.py [--quick] [--trials 10000] [--seed 1]
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "benchmarks")]

from summation import HONEST, LOSSY, Product  # noqa: E402

from harness.cases import case_data, plan_cases, sized_case  # noqa: E402
from harness.catalog import find_problem  # noqa: E402
from harness.compare import compare_output, poison_pattern  # noqa: E402
from harness.model import CaseData, Problem  # noqa: E402

Array = np.ndarray[Any, Any]
SIDE = 12  # rows and columns of part 1's results
TOGETHER = 20  # trials of one length, computed side by side
LONGEST = 8192
# The first lengths; the others are drawn, evenly over the logarithm.
ALWAYS = (1, 8192, 33, 1024, 7, 2, 3001, 64, 3, 6144, 4, 8, 15, 16, 17, 31, 127, 129, 500, 8191)
BANDS = ((1, 64), (65, 1024), (1025, 4096), (4097, 8192))
WHOLE_RUNS = 0.02  # the share of runs in which every case is judged


@dataclass
class Tally:
    """What came of one product in part 1. ``worst``: by band of lengths, the largest error as a
    share of what is allowed; ``wrong``: by band, trials that failed, of ``trials``."""

    trials: Counter[tuple[int, int]] = field(default_factory=Counter)
    wrong: Counter[tuple[int, int]] = field(default_factory=Counter)
    worst: dict[tuple[int, int], float] = field(default_factory=dict)


@dataclass(frozen=True)
class Runs:
    """What came of one product in part 2. ``latest``: the case, counted from 1, that was a run's
    first to fail, at the latest; ``fewest``: cases that fail in a run gone through to its end, of
    ``planned``."""

    runs: int
    failed: int
    latest: int
    fewest: int
    planned: int


def lengths(trials: int, seed: int) -> list[int]:
    """One length for each group of trials."""
    generator = random.Random(f"lengths {seed}")
    groups = max(1, trials // TOGETHER)
    drawn = (round(LONGEST ** generator.random()) for _ in range(groups))
    return [*ALWAYS, *drawn][:groups]


def right(problem: Problem, data: CaseData, got: Array) -> bool:
    """The judge's own verdict on one result."""
    output = problem.outputs[0]
    poison = poison_pattern(output.type, 0)
    return compare_output(output, got, data, problem.tolerance, poison) is None


def share_of_allowed(problem: Problem, data: CaseData, got: Array) -> float:
    expected, tolerance = data.expected["C"].astype(np.float64), problem.tolerance
    allowed = tolerance.atol + tolerance.rtol * np.abs(expected) + data.slack["C"]
    return float((np.abs(got - expected) / allowed).max())


def trials_of(problem: Problem, n: int, seed: int) -> list[CaseData]:
    sizes = {"M": SIDE, "N": n, "K": SIDE}
    return [
        case_data(problem, sized_case(problem, 1_000_000 * seed + trial, sizes))
        for trial in range(TOGETHER)
    ]


def cases_alone(
    problem: Problem, products: dict[str, Product], trials: int, seed: int
) -> dict[str, Tally]:
    """Part 1: single cases of every length."""
    tallies = {name: Tally() for name in products}
    for group, n in enumerate(lengths(trials, seed)):
        band = next(band for band in BANDS if band[0] <= n <= band[1])
        data = trials_of(problem, n, 100_000 * seed + group)
        a, b = (np.stack([one.inputs[name] for one in data]) for name in "AB")
        for name, product in products.items():
            tally = tallies[name]
            for one, got in zip(data, product(a, b), strict=True):
                tally.trials[band] += 1
                tally.wrong[band] += not right(problem, one, np.ascontiguousarray(got))
                worst = share_of_allowed(problem, one, got)
                tally.worst[band] = max(tally.worst.get(band, 0.0), worst)
        say(f"{group + 1} lengths of {trials // TOGETHER}, now {n}")
    return tallies


def whole_runs(
    problem: Problem, products: dict[str, Product], trials: int, seed: int
) -> dict[str, Runs]:
    """Part 2: runs as the judge plans them."""
    first: dict[str, list[int]] = {name: [] for name in products}
    failing: dict[str, list[int]] = {name: [] for name in products}
    planned = 0
    for run in range(trials):
        to_the_end = run <= trials * WHOLE_RUNS
        verdicts: dict[str, list[bool]] = {name: [] for name in products}
        for data in planned_data(problem, 1_000_000_000 * seed + run):
            open_ones = [name for name in products if to_the_end or all(verdicts[name])]
            if not open_ones:
                break
            a, b = data.inputs["A"][None], data.inputs["B"][None]
            for name in open_ones:
                got = np.ascontiguousarray(products[name](a, b)[0])
                verdicts[name].append(right(problem, data, got))
        for name, found in verdicts.items():
            first[name].append(found.index(False) + 1 if False in found else 0)
            if to_the_end:
                failing[name].append(found.count(False))
                planned = len(found)
        say(f"{run + 1} runs of {trials}")
    return {
        name: Runs(trials, sum(map(bool, at)), max(at), min(failing[name]), planned)
        for name, at in first.items()
    }


def planned_data(problem: Problem, seed: int) -> Iterator[CaseData]:
    for case in plan_cases(problem, seed):
        yield case_data(problem, case)


# --- what is shown -----------------------------------------------------------------------------


def say(text: str) -> None:
    """Progress, on a terminal alone."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    say("")
    for row in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(row)} |")
    print()


def bands(title: str) -> list[str]:
    return [f"{title} {low} to {high}" for low, high in BANDS]


def show_honest(tallies: dict[str, Tally]) -> None:
    rows = []
    for name, tally in tallies.items():
        passed = tally.trials.total() - tally.wrong.total()
        shares = [f"{tally.worst[band]:.2f}" if band in tally.worst else "" for band in BANDS]
        rows.append([name, f"{passed:,} of {tally.trials.total():,}", *shares])
    table(["float32", "trials that pass", *bands("largest error / allowed, N")], rows)


def show_runs(runs: dict[str, Runs]) -> None:
    rows = [
        [
            name,
            f"{found.failed:,} of {found.runs:,}",
            f"{found.latest}",
            f"{found.fewest} of {found.planned}",
        ]
        for name, found in runs.items()
    ]
    head = ["less", "runs that fail", "first failing case, at the latest", "fewest failing cases"]
    table(head, rows)


def show_lossy(tallies: dict[str, Tally]) -> None:
    rows = [
        [name, *(f"{tally.wrong[band]:,} of {tally.trials[band]:,}" for band in BANDS)]
        for name, tally in tallies.items()
    ]
    table(["less", *bands(f"{SIDE} x {SIDE} cases that fail, N")], rows)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_AsWritten)
    parser.add_argument("--trials", type=int, help="of each product; 10000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="100 trials")
    options = parser.parse_args(arguments)
    trials = options.trials or (100 if options.quick else 10_000)
    problem = find_problem("matmul")
    honest = cases_alone(problem, HONEST, trials, options.seed)
    show_honest(honest)
    runs = whole_runs(problem, LOSSY, trials, options.seed)
    show_runs(runs)
    show_lossy(cases_alone(problem, LOSSY, trials, options.seed))
    rejected = sum(tally.wrong.total() for tally in honest.values())
    accepted = sum(found.runs - found.failed for found in runs.values())
    print(f"honest float32 rejected: {rejected}; runs with less accepted: {accepted}")
    return 1 if rejected or accepted else 0


class _AsWritten(argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of this file's docstring."""


if __name__ == "__main__":
    sys.exit(main())
