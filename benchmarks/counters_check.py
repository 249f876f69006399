"""The cpu backend's counters against Nsight Compute's, kernel by kernel.

Needs a GPU and ncu. For every file of ``tests/counters`` and every rung of the ladders, at three
shapes: requests and sectors of global memory, wavefronts and bank conflicts of shared memory, loads
and stores apart, each summed over the kernel.

    python benchmarks/counters_check.py [--ncu PATH]
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from benchmarks.ncu_check import find_ncu  # noqa: E402
from harness import cases, compare  # noqa: E402
from harness.backends.cpu.backend import CpuBackend  # noqa: E402
from harness.backends.cuda.backend import CudaBackend  # noqa: E402
from harness.catalog import find_problem, find_submissions  # noqa: E402
from harness.judge.profile import profile  # noqa: E402
from harness.model import BuildOptions  # noqa: E402
from harness.settings import Limits  # noqa: E402
from harness.source import read_source  # noqa: E402

SHAPES: Mapping[str, tuple[Mapping[str, int], ...]] = {
    "transpose": ({"rows": 256, "cols": 256}, {"rows": 100, "cols": 60}, {"rows": 33, "cols": 129}),
    "matmul": (
        {"M": 128, "N": 128, "K": 128},
        {"M": 50, "N": 70, "K": 90},
        {"M": 17, "N": 64, "K": 33},
    ),
}
METRICS = {
    f"{prefix}_{op}.sum": f"{space} {access} {unit}"
    for op, access in (("ld", "load"), ("st", "store"))
    for prefix, space, unit in (
        ("l1tex__t_requests_pipe_lsu_mem_global_op", "global", "requests"),
        ("l1tex__t_sectors_pipe_lsu_mem_global_op", "global", "sectors"),
        ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op", "shared", "wavefronts"),
        ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op", "shared", "conflicts"),
    )
}


def by_leetk(problem_name: str, path: Path, sizes: Mapping[str, int]) -> Counter[str]:
    problem = find_problem(problem_name)
    case = cases.sized_case(problem, 1, sizes)
    counted = profile(problem, read_source(path), CpuBackend(), case, BuildOptions(), Limits())
    totals: Counter[str] = Counter()
    for kernel in counted.kernels:
        for line in kernel.lines:
            key = f"{line.space} {line.access}"
            if line.space == "global":
                totals[f"{key} requests"] += line.requests
                totals[f"{key} sectors"] += line.sectors
            else:
                totals[f"{key} wavefronts"] += line.wavefronts
                totals[f"{key} conflicts"] += line.conflicts
    return totals


def call_libraries(list_file: str) -> None:
    """What ncu watches: each library called once, in this process."""
    import mmap

    from harness.backends.cuda.runner import CudaRunner
    from harness.wire import RunOptions
    from harness.worker.arena import Arena, plan_call

    for problem_name, library, sizes in json.loads(Path(list_file).read_text()):
        problem = find_problem(problem_name)
        case = cases.sized_case(problem, 1, sizes)
        data = cases.case_data(problem, case)
        arena = Arena()
        call = plan_call(problem, data, case.sizes, CudaBackend.red_zone)
        poison = {b.name: compare.poison_pattern(b.dtype, 0) for b in call.buffers}
        arena.fill(call, data, poison)
        runner = CudaRunner()
        runner.open({})
        runner.load(library, "solve")
        reply = runner.run(call, mmap.mmap(arena.fd, call.arena_bytes), arena.fd, RunOptions())
        if reply.error is not None:
            sys.exit(f"{library}: {reply.error.name}: {reply.error.message}")


# A problem, a library that solves it, and sizes.
Job = tuple[str, str, Mapping[str, int]]


def by_ncu(ncu: str, jobs: list[Job], scratch: Path) -> list[Counter[str]]:
    """The totals of each job's kernel; each job launches one."""
    work, log = scratch / "jobs.json", scratch / "ncu.csv"
    work.write_text(json.dumps(jobs))
    command = [
        *(ncu, "--clock-control", "none", "--metrics", ",".join(METRICS)),
        *("--print-units", "base", "--csv", "--log-file", str(log)),
        *(sys.executable, __file__, "--child", str(work)),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    text = log.read_text() if log.exists() else ""
    if done.returncode:
        sys.exit(f"ncu ended with {done.returncode}:\n{done.stdout}{done.stderr}{text[-2000:]}")
    lines = text.splitlines()
    header = next(i for i, line in enumerate(lines) if line.startswith('"ID"'))
    kernels: dict[int, Counter[str]] = {}
    for row in csv.DictReader(line for line in lines[header:] if line.startswith('"')):
        totals = kernels.setdefault(int(row["ID"]), Counter())
        totals[METRICS[row["Metric Name"]]] += int(float(row["Metric Value"].replace(",", "")))
    return [kernels[key] for key in sorted(kernels)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ncu", default="")
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        call_libraries(given.child)
        return
    files = [
        ("transpose", path) for path in sorted((REPOSITORY / "tests" / "counters").glob("*.cu"))
    ]
    files += [(s.problem, s.path) for s in find_submissions([REPOSITORY / "solutions"])]
    names: list[str] = []
    jobs: list[Job] = []
    ours: list[Counter[str]] = []
    backend = CudaBackend()
    for problem, path in files:
        artifact = backend.build(find_problem(problem), read_source(path), BuildOptions())
        for sizes in SHAPES[problem]:
            names.append(f"{path.name} {'x'.join(map(str, sizes.values()))}")
            jobs.append((problem, str(artifact.library), sizes))
            ours.append(by_leetk(problem, path, sizes))
    with tempfile.TemporaryDirectory(prefix="leetk-counters-") as scratch:
        theirs = by_ncu(find_ncu(given.ncu), jobs, Path(scratch))
    if len(theirs) != len(jobs):
        sys.exit(f"ncu saw {len(theirs)} kernels in {len(jobs)} calls")
    same = figures = 0
    for name, cpu, gpu in zip(names, ours, theirs, strict=True):
        keys = [key for key in METRICS.values() if cpu[key] or gpu[key]]
        wrong = [f"{key}: {cpu[key]}, ncu {gpu[key]}" for key in keys if cpu[key] != gpu[key]]
        figures += len(keys)
        same += len(keys) - len(wrong)
        print(f"{name:<34} {'equal' if not wrong else '; '.join(wrong)}")
    print(f"{same} of {figures} figures are equal, in {len(names)} runs")


if __name__ == "__main__":
    main()
