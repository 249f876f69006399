"""The cpu backend's counters against Nsight Compute's, line by line and kernel by kernel.

Needs a GPU and ncu. For every file of ``tests/counters`` and every rung of the ladders, at three
shapes: requests and sectors of global memory, requests, wavefronts and bank conflicts of shared
memory.

- Line by line: by line, space and access, from ncu's source view, as ``leetk profile --backend
  cuda`` shows them. Where several instructions of a kernel are switched off for whole warps by
  their predicates, ncu tells only the sum of their requests: of such lines the sums are compared.
- Kernel by kernel: what the hardware's counters say, loads and stores apart.

docs/counters-differences.md explains the lines that are not equal.

    python benchmarks/counters_check.py [--ncu PATH]
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from benchmarks.ncu_check import find_ncu  # noqa: E402
from harness import cases, compare  # noqa: E402
from harness.backends.cpu.backend import CpuBackend  # noqa: E402
from harness.backends.cuda import ncu  # noqa: E402
from harness.backends.cuda.backend import CudaBackend  # noqa: E402
from harness.backends.cuda.profiler import find_module, read_report  # noqa: E402
from harness.backends.cuda.tools import Files  # noqa: E402
from harness.catalog import find_problem, find_submissions  # noqa: E402
from harness.counters import KernelCounters  # noqa: E402
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


@dataclass(frozen=True)
class Job:
    """A solution to call at one shape; ``library`` is built for the GPU."""

    problem: str
    path: Path
    library: str
    sizes: Mapping[str, int]

    @property
    def name(self) -> str:
        return f"{self.path.name} {'x'.join(map(str, self.sizes.values()))}"


# A file's name, line, space and access.
Key = tuple[str, int, str, str]


@dataclass(frozen=True)
class Figures:
    """``requests``, sectors or wavefronts (``taken``) and bank ``conflicts``. ``shared_sum``: the
    requests are known only together with those of other lines."""

    requests: int = 0
    taken: int = 0
    conflicts: int = 0
    shared_sum: bool = False

    def plus(self, other: Figures) -> Figures:
        return Figures(
            self.requests + other.requests,
            self.taken + other.taken,
            self.conflicts + other.conflicts,
            self.shared_sum or other.shared_sum,
        )

    def __str__(self) -> str:
        return f"{self.requests}/{self.taken}/{self.conflicts}"


NOTHING = Figures()


def by_leetk(job: Job) -> tuple[KernelCounters, ...]:
    problem = find_problem(job.problem)
    case = cases.sized_case(problem, 1, job.sizes)
    source = read_source(job.path)
    return profile(problem, source, CpuBackend(), case, BuildOptions(), Limits()).kernels


def lines_by_leetk(kernels: Sequence[KernelCounters]) -> dict[Key, Figures]:
    found: dict[Key, Figures] = {}
    for line in (line for kernel in kernels for line in kernel.lines):
        key = (Path(line.file).name, line.line, line.space, line.access)
        conflicts = line.conflicts if line.space == "shared" else 0
        figures = Figures(line.requests, line.taken, conflicts)
        found[key] = found.get(key, NOTHING).plus(figures)
    return found


def totals_by_leetk(kernels: Sequence[KernelCounters]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for (_, _, space, access), figures in lines_by_leetk(kernels).items():
        if space == "global":
            totals[f"{space} {access} requests"] += figures.requests
            totals[f"{space} {access} sectors"] += figures.taken
        else:
            totals[f"{space} {access} wavefronts"] += figures.taken
            totals[f"{space} {access} conflicts"] += figures.conflicts
    return totals


def lines_by_ncu(launch: ncu.Launch) -> dict[Key, Figures]:
    found: dict[Key, Figures] = {}
    for access in launch.accesses:
        key = (Path(access.file).name, access.line, access.space, access.access)
        if access.space == "global":
            figures = Figures(access.requests, access.sectors, 0, access.estimated)
        else:
            conflicts = max(access.wavefronts - access.ideal, 0)
            figures = Figures(access.requests, access.wavefronts, conflicts, access.estimated)
        found[key] = found.get(key, NOTHING).plus(figures)
    return {key: figures for key, figures in found.items() if figures.requests}


def unequal(ours: Mapping[Key, Figures], theirs: Mapping[Key, Figures]) -> Iterator[str]:
    """A text for each line that is not equal."""
    sums = Counter[tuple[str, str]]()
    for (_, _, *kind), figures in theirs.items():
        if figures.shared_sum:
            sums[kind[0], kind[1]] += figures.requests
    for key, figures in theirs.items():
        if figures.shared_sum:
            sums[key[2], key[3]] -= ours.get(key, NOTHING).requests
    for key in sorted({*ours, *theirs}):
        mine, other = ours.get(key, NOTHING), theirs.get(key, NOTHING)
        same = mine.taken == other.taken and mine.conflicts == other.conflicts
        if other.shared_sum:
            same = same and sums[key[2], key[3]] == 0
        else:
            same = same and mine.requests == other.requests
        if not same:
            yield f"line {key[1]:>3} {key[2]} {key[3]:<6} cpu {mine}, ncu {other}"


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


def by_ncu(program: str, jobs: Sequence[Job], scratch: Path) -> list[Mapping[str, Any]]:
    """What ncu says of each job's kernel; each job launches one."""
    work, log = scratch / "jobs.json", scratch / "ncu.log"
    work.write_text(json.dumps([(job.problem, job.library, job.sizes) for job in jobs]))
    command = [
        *ncu.command(Path(program), str(scratch / "report"), str(log), METRICS),
        *(sys.executable, __file__, "--child", str(work)),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    text = log.read_text() if log.exists() else ""
    if done.returncode:
        sys.exit(f"ncu ended with {done.returncode}:\n{done.stdout}{done.stderr}{text[-2000:]}")
    module = find_module(Path(program))
    return read_report(scratch / "report.ncu-rep", module, (*ncu.BY_KERNEL, *METRICS))


def find_jobs() -> list[Job]:
    files = [
        ("transpose", path) for path in sorted((REPOSITORY / "tests" / "counters").glob("*.cu"))
    ]
    files += [(s.problem, s.path) for s in find_submissions([REPOSITORY / "solutions"])]
    backend = CudaBackend()
    jobs: list[Job] = []
    for problem, path in files:
        artifact = backend.build(find_problem(problem), read_source(path), BuildOptions())
        jobs += [Job(problem, path, str(artifact.library), sizes) for sizes in SHAPES[problem]]
    return jobs


def compare_lines(
    jobs: Sequence[Job],
    ours: Sequence[Sequence[KernelCounters]],
    theirs: Sequence[Mapping[str, Any]],
) -> None:
    same = lines = sums = 0
    for job, kernels, launch in zip(jobs, ours, theirs, strict=True):
        files = Files(read_source(job.path))
        (found,) = ncu.launches([launch], files.own)
        mine, other = lines_by_leetk(kernels), lines_by_ncu(found)
        wrong = list(unequal(mine, other))
        for text in wrong:
            print(f"{job.name:<34} {text}")
        lines += len({*mine, *other})
        same += len({*mine, *other}) - len(wrong)
        sums += sum(figures.shared_sum for figures in other.values())
    share = same / lines
    print(
        f"{same} of {lines} lines are equal ({share:.1%}), in {len(jobs)} runs; of {sums} the "
        "requests were compared as sums"
    )


def compare_totals(
    jobs: Sequence[Job],
    ours: Sequence[Sequence[KernelCounters]],
    theirs: Sequence[Mapping[str, Any]],
) -> None:
    same = figures = 0
    for job, kernels, launch in zip(jobs, ours, theirs, strict=True):
        cpu = totals_by_leetk(kernels)
        gpu = {key: int(launch["metrics"][metric]) for metric, key in METRICS.items()}
        keys = [key for key in METRICS.values() if cpu[key] or gpu[key]]
        wrong = [f"{key}: {cpu[key]}, ncu {gpu[key]}" for key in keys if cpu[key] != gpu[key]]
        figures += len(keys)
        same += len(keys) - len(wrong)
        if wrong:
            print(f"{job.name:<34} {'; '.join(wrong)}")
    print(f"{same} of {figures} totals are equal, in {len(jobs)} runs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ncu", default="")
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        call_libraries(given.child)
        return
    jobs = find_jobs()
    ours = [by_leetk(job) for job in jobs]
    with tempfile.TemporaryDirectory(prefix="leetk-counters-") as scratch:
        theirs = by_ncu(find_ncu(given.ncu), jobs, Path(scratch))
    if len(theirs) != len(jobs):
        sys.exit(f"ncu saw {len(theirs)} kernels in {len(jobs)} calls")
    compare_lines(jobs, ours, theirs)
    compare_totals(jobs, ours, theirs)


if __name__ == "__main__":
    main()
