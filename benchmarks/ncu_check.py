"""Whether leetk's time of a kernel is Nsight Compute's: within 1 % above 0.1 ms, within 5 % below.

    python benchmarks/ncu_check.py [--problem transpose --solution solutions/transpose_v9.cu]
                                   [--size rows=4000 --size cols=3000] [--calls 9] [--ncu PATH]

Both measure the same library at the problem's perf size, or at the size that is given. ncu watches
a small process that calls the library through the worker's own code, with clocks left alone and
caches cleared before every kernel (its default); the kernels of one call are added up. leetk's
figure is ``timing.median_ms`` of ``leetk run``.
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import csv
import json
import mmap
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from harness import cases, compare  # noqa: E402
from harness.backends.cuda.backend import CudaBackend  # noqa: E402
from harness.backends.cuda.runner import CudaRunner  # noqa: E402
from harness.backends.cuda.tools import find_tool  # noqa: E402
from harness.cases.inputs import case_inputs  # noqa: E402
from harness.catalog import find_problem  # noqa: E402
from harness.errors import ToolchainMissing  # noqa: E402
from harness.model import BuildOptions, CaseData  # noqa: E402
from harness.source import read_source  # noqa: E402
from harness.wire import RunOptions  # noqa: E402
from harness.worker.arena import Arena, plan_call  # noqa: E402

METRIC = "gpu__time_duration.sum"
LONG_MS = 0.1
LIMIT, SHORT_LIMIT = 0.01, 0.05
SEED = 1
# Clocks rise and code is loaded in the first ones.
NOT_COUNTED = 2
UNITS = {"ns": 1e-6, "nsecond": 1e-6, "us": 1e-3, "usecond": 1e-3, "ms": 1.0, "msecond": 1.0}


def durations(text: str) -> list[float]:
    """Milliseconds of every kernel in ncu's CSV, in the order of launch. Lines around it, such as
    ncu's own messages, are passed over."""
    lines = text.splitlines()
    header = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if header is None:
        return []
    table = [line for line in lines[header:] if line.startswith('"')]
    rows = [row for row in csv.DictReader(table) if row["Metric Name"] == METRIC]
    return [float(r["Metric Value"].replace(",", "")) * UNITS[r["Metric Unit"]] for r in rows]


def calls_of(kernels: Sequence[float], calls: int) -> list[float]:
    """The kernels' times added up by call. Raises ValueError when they don't come out even."""
    if not kernels or len(kernels) % calls:
        raise ValueError(f"ncu saw {len(kernels)} kernels in {calls} calls")
    each = len(kernels) // calls
    return [sum(kernels[at : at + each]) for at in range(0, len(kernels), each)]


def sizes_of(words: Sequence[str]) -> dict[str, int]:
    """``["rows=7", "cols=5"]`` as sizes."""
    pairs = (word.partition("=") for word in words)
    return {name: int(value) for name, _, value in pairs}


def call_library(library: str, problem_name: str, sizes: dict[str, int], calls: int) -> None:
    """What ncu watches: the perf case, called some times in this process."""
    problem = find_problem(problem_name)
    case = cases.perf_case(problem, SEED, sizes)
    if case is None:
        sys.exit(f"{problem_name} has no perf case")
    data = CaseData(*case_inputs(problem, case), expected={}, slack={})
    arena = Arena()
    call = plan_call(problem, data, case.sizes, CudaBackend.red_zone)
    poison = {b.name: compare.poison_pattern(b.dtype, 0) for b in call.buffers}
    arena.fill(call, data, poison)
    shared = mmap.mmap(arena.fd, call.arena_bytes)
    runner = CudaRunner()
    runner.open({})
    runner.load(library, "solve")
    for _ in range(calls):
        reply = runner.run(call, shared, arena.fd, RunOptions())
        if reply.error is not None:
            sys.exit(f"{reply.error.name}: {reply.error.message}")


def by_ncu(
    ncu: str, library: Path, problem: str, size: Sequence[str], calls: int, scratch: Path
) -> list[float]:
    """Milliseconds of each counted call as ncu sees them."""
    log = scratch / "ncu.csv"
    command = [
        *(ncu, "--clock-control", "none", "--metrics", METRIC),
        *("--print-units", "base", "--csv", "--log-file", str(log)),
        *(sys.executable, __file__, "--child", str(library)),
        *("--problem", problem, "--calls", str(calls), *options(size)),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    text = log.read_text() if log.exists() else ""
    if done.returncode:
        sys.exit(f"ncu ended with {done.returncode}:\n{done.stdout}{done.stderr}{text}")
    try:
        return calls_of(durations(text), calls)[NOT_COUNTED:]
    except ValueError as error:
        sys.exit(f"{error}:\n{text}")


def options(size: Sequence[str]) -> list[str]:
    """The sizes as options, of this script and of leetk."""
    return [word for each in size for word in ("--size", each)]


def by_leetk(problem: str, solution: Path, size: Sequence[str], scratch: Path) -> list[float]:
    """Milliseconds of each sample of ``leetk run``."""
    report = scratch / "report.json"
    words = ["run", problem, str(solution), "--backend", "cuda", "--json", str(report)]
    words += options(size)
    done = subprocess.run(
        [sys.executable, "-m", "harness", *words], cwd=REPOSITORY, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"leetk run ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    samples: list[float] = json.loads(report.read_text())["timing"]["samples_ms"]
    return samples


def find_ncu(option: str) -> str:
    """The ncu that was named, or the one that leetk finds."""
    try:
        return option or str(find_tool("ncu"))
    except ToolchainMissing as error:
        sys.exit(f"{error}, or name it by --ncu")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problem", default="matmul")
    parser.add_argument("--solution", type=Path, default=REPOSITORY / "solutions" / "v2.cu")
    parser.add_argument("--size", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--calls", type=int, default=9)
    parser.add_argument("--ncu", default="")
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        call_library(given.child, given.problem, sizes_of(given.size), given.calls)
        return
    problem = find_problem(given.problem)
    artifact = CudaBackend().build(problem, read_source(given.solution), BuildOptions())
    with tempfile.TemporaryDirectory(prefix="leetk-ncu-") as name:
        scratch = Path(name)
        calls = max(given.calls, NOT_COUNTED + 1)
        ncu = by_ncu(
            find_ncu(given.ncu), artifact.library, given.problem, given.size, calls, scratch
        )
        leetk = by_leetk(given.problem, given.solution, given.size, scratch)
    ratio = median(leetk) / median(ncu)
    for who, values in (("ncu", ncu), ("leetk", leetk)):
        middle, least, most = median(values), min(values), max(values)
        print(f"{who:<6} {middle:9.4f} ms  ({least:.4f} to {most:.4f}, {len(values)} calls)")
    limit = LIMIT if median(ncu) >= LONG_MS else SHORT_LIMIT
    met = abs(ratio - 1) <= limit
    print(f"leetk / ncu {ratio:.4f}; limit {limit:.0%}: {'met' if met else 'MISSED'}")
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
