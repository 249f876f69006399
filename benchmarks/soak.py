"""Many submissions in random order, faulty and right ones mixed, two at a time in one process.

Every file of tests/judged and every rung is judged again and again on the CPU backend. Each time it
must get its folder's verdict, and never a judge_error; at the end no process, no temporary folder
and no descriptor may be left. The judge's memory is shown, and ought not to grow.

    python benchmarks/soak.py [--count 2000] [--seed 1] [--jobs 2]
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import contextlib
import os
import random
import resource
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from harness.backends.cpu.backend import CpuBackend  # noqa: E402
from harness.catalog import find_problem, find_submissions  # noqa: E402
from harness.family import family  # noqa: E402
from harness.judge import Limits, Settings, judge  # noqa: E402
from harness.model import BuildOptions, Verdict  # noqa: E402
from harness.source import read_source  # noqa: E402

LIMITS = {
    "time_limit": Limits(case_seconds=1.0),
    "memory_limit": Limits(memory_bytes=1 << 30),
}
COMPILE_SECONDS = 20.0


@dataclass(frozen=True)
class Entry:
    """One file with the verdict that it must get."""

    path: Path
    problem: str
    verdict: Verdict
    limits: Limits


def entries() -> list[Entry]:
    found = [
        Entry(
            s.path,
            s.problem,
            Verdict.SKIPPED if Verdict.SKIPPED in s.expected else Verdict.ACCEPTED,
            Limits(),
        )
        for s in find_submissions([REPOSITORY / "solutions"])
    ]
    for path in sorted((REPOSITORY / "tests" / "judged").glob("*/*/*.cu")):
        folder = path.parent.name
        verdict = Verdict.SKIPPED if folder == "skipped_on_cpu" else Verdict(folder)
        if "judged-on: cuda" in path.read_text(errors="replace"):
            continue
        limits = LIMITS.get(folder, Limits(case_seconds=30.0))
        found.append(Entry(path, path.parts[-3], verdict, limits))
    return found


def check(entry: Entry, seed: int, backend: CpuBackend) -> str:
    """What is wrong with the verdict; "" if nothing is."""
    settings = Settings(seed=seed, perf=False, limits=entry.limits)
    options = replace(BuildOptions(), seconds=COMPILE_SECONDS)
    try:
        problem, source = find_problem(entry.problem), read_source(entry.path)
        report = judge(problem, source, backend, settings, options)
    except Exception as error:  # whatever it is, it is the judge's
        return f"{entry.path.name}: {type(error).__name__}: {error}"
    if report.verdict is entry.verdict:
        return ""
    name = f"{entry.path.parent.name}/{entry.path.name}"
    return f"{name}: {report.verdict.value} (seed {seed}): {report.reason[:300]}"


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def children() -> list[str]:
    """The command lines of this process's living descendants."""
    found = []
    for pid in family(os.getpid()):
        with contextlib.suppress(OSError):
            line = Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
            found.append(line.replace("\0", " "))
    return found


def memory_mb() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    generator = random.Random(given.seed)
    every = entries()
    chosen = [generator.choice(every) for _ in range(given.count)]
    backend, wrong, done = CpuBackend(), 0, 0
    begun_with = descriptors()
    begin = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="leetk-soak-") as temporary,
        ThreadPoolExecutor(given.jobs) as pool,
    ):
        tempfile.tempdir = temporary
        seeds = [generator.randrange(1 << 31) for _ in chosen]
        for fault in pool.map(lambda e, s: check(e, s, backend), chosen, seeds):
            done += 1
            if fault:
                wrong += 1
                print(fault, flush=True)
            if done % 100 == 0:
                seconds = time.monotonic() - begin
                print(f"{done}: {seconds:.0f} s, {memory_mb():.0f} MB, {descriptors()} descriptors")
        left = [*children(), *os.listdir(temporary)]
    more = descriptors() - begun_with
    print(f"{given.count} submissions, {wrong} wrong; left: {left}, {more} descriptors")
    if wrong or left or more > 0:
        sys.exit(1)


if __name__ == "__main__":
    main()
