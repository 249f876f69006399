"""Every rung of the ladders at random shapes: none may be judged wrong.

Sizes are log-uniform between a problem's least and largest; in every tenth shape one of them is the
largest, so each edge of the allowed sizes is met. A case is judged as in ``leetk run``: in each of
the backend's ways, with red zones, against the reference, with the spec's own data alone. Rungs
that the backend does not run are left out.

    python benchmarks/fuzz_shapes.py [--shapes 10000] [--seed 1] [--backend cpu|cuda]

``--shapes`` are shared out between the rungs.
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from harness import backends  # noqa: E402
from harness.backends.base import Backend  # noqa: E402
from harness.cases import case_data, sized_case, work  # noqa: E402
from harness.catalog import Submission, find_problem, find_submissions  # noqa: E402
from harness.judge.slot import Slot  # noqa: E402
from harness.model import BuildOptions, CaseResult, Problem, Verdict  # noqa: E402
from harness.settings import Settings  # noqa: E402
from harness.source import read_source  # noqa: E402

# Of arithmetic, or of elements where a problem has none.
MOST_WORK = {"cpu": 3e6, "cuda": 3e10}
MOST_ELEMENTS = {"cpu": 3e6, "cuda": 2e7}


def shapes(problem: Problem, count: int, most: float, seed: str) -> Iterator[Mapping[str, int]]:
    """Random sizes of at most so much work, one of them the largest in every tenth."""
    generator = random.Random(seed)
    names = list(problem.sizes)
    while count:
        sizes = {
            name: round(math.exp(generator.uniform(math.log(low), math.log(high))))
            for name, (low, high) in problem.sizes.items()
        }
        if count % 10 == 0:
            name = names[count // 10 % len(names)]
            sizes[name] = problem.sizes[name][1]
        if work(problem, sizes) <= most:
            count -= 1
            yield sizes


def judged(
    submission: Submission, count: int, backend: Backend, seed: int
) -> list[tuple[Mapping[str, int], CaseResult]]:
    """The shapes at which the rung is not accepted."""
    problem, source = find_problem(submission.problem), read_source(submission.path)
    slot = Slot(problem, source, backend, Settings(seed=seed))
    wrong = []
    try:
        failed = slot.load(backend.build(problem, source, BuildOptions()))
        if failed is not None:
            sys.exit(f"{source.path}: {failed.message}")
        arithmetic = problem.perf is not None and problem.perf.flops is not None
        limit = (MOST_WORK if arithmetic else MOST_ELEMENTS)[backend.name]
        for sizes in shapes(problem, count, limit, f"{seed} {submission.path.name}"):
            case = replace(sized_case(problem, seed, sizes), again=())
            data = backend.prepare(problem, case) or case_data(problem, case)
            result = slot.judge_case(case, data)
            if result.verdict is not Verdict.ACCEPTED:
                wrong.append((sizes, result))
    finally:
        slot.close()
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shapes", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    given = parser.parse_args()
    rungs = [
        rung
        for rung in find_submissions([REPOSITORY / "solutions"])
        if given.backend != "cpu" or Verdict.SKIPPED not in rung.expected
    ]
    each = -(-given.shapes // len(rungs))
    backend = backends.backend(given.backend)
    begin = time.monotonic()
    bad = 0
    with ThreadPoolExecutor(backend.slots) as pool:
        runs = pool.map(lambda rung: judged(rung, each, backend, given.seed), rungs)
        for rung, wrong in zip(rungs, runs, strict=True):
            bad += len(wrong)
            print(f"{rung.path.name:20} {each - len(wrong)} of {each} shapes accepted", flush=True)
            for sizes, result in wrong[:5]:
                print(f"    {dict(sizes)}: {result.verdict.value}: {result.reason}")
    seconds = time.monotonic() - begin
    print(f"{each * len(rungs)} shapes on the {backend.name} backend in {seconds:.0f} s")
    if bad:
        sys.exit(f"{bad} are not accepted")


if __name__ == "__main__":
    main()
