"""Whether the two backends compute the same: every rung of both ladders, at random shapes.

Needs a GPU. For each shape both get the same inputs; transposes must be equal bit by bit, sums may
differ by their rounding (the judge's own slack, twice, for each of the two is allowed it).

    python benchmarks/backends_agree.py [--shapes 1000] [--seed 1]
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from harness import backends  # noqa: E402
from harness.backends.base import Backend  # noqa: E402
from harness.cases import case_data, sized_case, work  # noqa: E402
from harness.catalog import find_problem, find_submissions  # noqa: E402
from harness.compare import poison_pattern  # noqa: E402
from harness.model import BuildOptions, Case, CaseData, Problem, Source, Status  # noqa: E402
from harness.source import read_source  # noqa: E402
from harness.worker.arena import Arena, plan_call  # noqa: E402
from harness.worker.supervisor import Worker, WorkerLimits  # noqa: E402

Array = np.ndarray[Any, Any]
MOST_WORK = 4e6


class Side:
    """One backend with one solution loaded."""

    def __init__(self, backend: Backend, problem: Problem, source: Source) -> None:
        self.backend, self.problem = backend, problem
        self.arena = Arena()
        limits = WorkerLimits(60)
        self.worker = Worker(backend.runner, backend.config(), self.arena, limits)
        artifact = backend.build(problem, source, BuildOptions())
        failed = self.worker.load(artifact.library)
        if failed is not None:
            raise SystemExit(f"{source.path} on {backend.name}: {failed.message}")

    def outputs(self, case: Case, data: CaseData) -> Mapping[str, Array]:
        call = plan_call(self.problem, data, case.sizes, self.backend.red_zone)
        poison = {b.name: poison_pattern(b.dtype, 0) for b in call.buffers}
        self.arena.fill(call, data, poison)
        outcome = self.worker.run(call, self.backend.runs[0])
        if outcome.status is not Status.COMPLETED:
            raise SystemExit(f"{case.name} on {self.backend.name}: {outcome}")
        return {b.name: self.arena.view(b).copy() for b in call.buffers if b.role == "out"}

    def close(self) -> None:
        self.worker.close()
        self.arena.close()


def shapes(problem: Problem, generator: random.Random) -> Iterator[Case]:
    """Random cases of little work, log-uniform sizes from 1 to 2048."""
    while True:
        sizes = {name: int(2 ** generator.uniform(0, 11)) for name in problem.sizes}
        if work(problem, sizes) <= MOST_WORK:
            yield sized_case(problem, generator.randrange(1 << 30), sizes)


def difference(ours: Array, theirs: Array, slack: Array) -> float:
    """The largest difference, in units of what rounding allows the two; inf for a bit that differs
    where there is nothing to round."""
    if np.array_equal(ours.view(np.uint32), theirs.view(np.uint32)):
        return 0.0
    apart = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
    allowed = np.broadcast_to(2 * slack.astype(np.float64), apart.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.max(np.where(apart == 0, 0, apart / allowed)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shapes", type=int, default=1000, help="in all (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rungs = find_submissions([REPOSITORY / "solutions"])
    each = -(-given.shapes // len(rungs))
    worst = 0.0
    for rung in rungs:
        problem, source = find_problem(rung.problem), read_source(rung.path)
        sides = [Side(backends.backend(name), problem, source) for name in ("cpu", "cuda")]
        generator = random.Random(f"{given.seed} {rung.path.name}")
        same, largest = 0, 0.0
        for _, case in zip(range(each), shapes(problem, generator), strict=False):
            data = case_data(problem, case)
            ours, theirs = (side.outputs(case, data) for side in sides)
            apart = max(difference(ours[n], theirs[n], data.slack[n]) for n in ours)
            same += apart == 0
            largest = max(largest, apart)
        for side in sides:
            side.close()
        worst = max(worst, largest)
        name = rung.path.name
        print(
            f"{name:<20} {same} of {each} shapes equal bit by bit, largest difference {largest:.3g}"
        )
    print(f"largest difference {worst:.3g} of what rounding allows; limit 1: ", end="")
    print("met" if worst <= 1 else "MISSED")


if __name__ == "__main__":
    main()
