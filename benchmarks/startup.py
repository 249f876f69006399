"""How long a learner waits: a verdict of the cpu backend against nvcc alone, and ``leetk --help``.

The figures are ratios of medians in one run, the commands interleaved round by round, because
absolute times belong to one machine on one day. Limits: a cold verdict takes no longer than nvcc
alone takes on the same file; the same again from the cache at most 0.4 of that; ``leetk --help`` at
most 0.15 s more than ``python -c pass``.

    python benchmarks/startup.py [--rounds 5] [--arch sm_90]

*Cold* means an empty cache folder, so the runtime itself is built too; *new file* means that the
runtime is there and the file is not; *again* means that both are.
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

REPOSITORY = Path(__file__).resolve().parent.parent
SOLUTION = REPOSITORY / "solutions" / "v2.cu"
OTHER = REPOSITORY / "solutions" / "v1.cu"
LEETK = (sys.executable, "-m", "harness")
NVCC_FLAGS = ("-O3", "-std=c++17", "-lineinfo", "-Xcompiler", "-fPIC", "-shared")


def seconds_of(command: Sequence[str], cache: Path) -> float:
    """Wall time of a command that must succeed, with its cache folder set to ``cache``."""
    environment = {**os.environ, "LEETK_CACHE_DIR": str(cache)}
    begin = time.perf_counter()
    done = subprocess.run(command, env=environment, cwd=REPOSITORY, capture_output=True)
    took = time.perf_counter() - begin
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr.decode(errors='replace')}")
    return took


def verdict(solution: Path) -> tuple[str, ...]:
    return (*LEETK, "run", "matmul", str(solution), "--backend", "cpu", "--seed", "1")


class Commands:
    """What is timed, by name, in a scratch folder of its own."""

    def __init__(self, scratch: Path, arch: str) -> None:
        self._scratch = scratch
        self._used = 0
        self.all: dict[str, Callable[[], float]] = {}
        nvcc = shutil.which("nvcc")
        if nvcc:
            built = str(scratch / "v2.so")
            command = (nvcc, *NVCC_FLAGS, f"-arch={arch}", "-o", built, str(SOLUTION))
            self.all["nvcc alone"] = lambda: seconds_of(command, scratch)
        self.all["verdict, cold"] = self._cold
        self.all["verdict, new file"] = self._new_file
        self.all["verdict, again"] = self._again
        self.all["leetk --help"] = lambda: seconds_of((*LEETK, "--help"), scratch)
        self.all["python -c pass"] = lambda: seconds_of((sys.executable, "-c", "pass"), scratch)

    def _fresh(self) -> Path:
        self._used += 1
        folder = self._scratch / f"cache-{self._used}"
        folder.mkdir()
        return folder

    def _cold(self) -> float:
        return seconds_of(verdict(SOLUTION), self._fresh())

    def _new_file(self) -> float:
        cache = self._fresh()
        seconds_of(verdict(OTHER), cache)
        return seconds_of(verdict(SOLUTION), cache)

    def _again(self) -> float:
        cache = self._fresh()
        seconds_of(verdict(SOLUTION), cache)
        return seconds_of(verdict(SOLUTION), cache)


def measure(commands: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Samples in seconds, the commands taking turns; a first round is not counted."""
    samples: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, run in commands.items():
            took = run()
            if number:
                samples[name].append(took)
    return samples


def show(samples: Mapping[str, Sequence[float]]) -> None:
    middle = {name: median(values) for name, values in samples.items()}
    nvcc = middle.get("nvcc alone")
    print(f"{'command':<20}{'median':>9}{'least':>9}{'most':>9}{'of nvcc':>10}  limit")
    limits = {"verdict, cold": 1.0, "verdict, again": 0.4}
    for name, values in samples.items():
        ratio = f"{middle[name] / nvcc:.2f}" if nvcc else "-"
        limit = ""
        if name in limits:
            met = "" if nvcc is None else "met" if middle[name] <= limits[name] * nvcc else "MISSED"
            limit = f"{limits[name]:.1f} of nvcc  {met}"
        print(
            f"{name:<20}{middle[name]:>8.3f}s{min(values):>8.3f}s{max(values):>8.3f}s"
            f"{ratio:>10}  {limit}"
        )
    more = middle["leetk --help"] - middle["python -c pass"]
    print(f"leetk --help takes {more:.3f} s more than python -c pass; limit 0.150 s: ", end="")
    print("met" if more <= 0.15 else "MISSED")
    if nvcc is None:
        print("there is no nvcc on PATH, so there is nothing to compare the verdicts with")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="counted rounds (default 5)")
    parser.add_argument("--arch", default="sm_90", help="what nvcc compiles for (default sm_90)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="leetk-startup-") as scratch:
        show(measure(Commands(Path(scratch), given.arch).all, given.rounds))


if __name__ == "__main__":
    main()
