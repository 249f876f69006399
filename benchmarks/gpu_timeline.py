"""Where the time of one cold run on a GPU goes, against nvcc alone on the same file.

    python benchmarks/gpu_timeline.py [--solution solutions/v2.cu] [--rounds 3] [--copies]

A run is ``leetk run`` from the start of its process to its end, with an empty cache folder and the
perf case timed. Its marks (``harness/timeline.py``) are printed with the time since that start.
Limit: nvcc alone + 3 s. ``--copies`` also measures what moving the perf case's arrays costs from
ordinary and from pinned memory, and what pinning costs.
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import json
import mmap
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from harness.backends.cuda.build import FLAGS  # noqa: E402
from harness.backends.cuda.driver import read_driver  # noqa: E402
from harness.backends.cuda.toolkit import find_nvcc  # noqa: E402
from harness.timeline import VARIABLE  # noqa: E402

LIMIT_SECONDS = 3.0


@dataclass(frozen=True)
class Mark:
    """A moment: seconds since the start, by whom ("judge" or "worker"), what, and for marks of the
    same kind in a row how many and when the last was."""

    at: float
    who: str
    what: str
    count: int = 1
    last: float = 0.0


def read_marks(text: str, start_ns: int, judge: int) -> list[Mark]:
    """The marks in a timeline file, in the order of time, the same in a row made one. ``judge`` is
    the process that was started; other processes are workers."""
    marks = []
    for line in text.splitlines():
        moment, process, what = line.split(" ", 2)
        who = "judge" if int(process) == judge else "worker"
        marks.append(Mark((int(moment) - start_ns) / 1e9, who, what))
    marks.sort(key=lambda mark: mark.at)
    runs = [list(run) for _, run in groupby(marks, key=lambda mark: (mark.who, mark.what))]
    return [Mark(r[0].at, r[0].who, r[0].what, len(r), r[-1].at) for r in runs]


def table(marks: Sequence[Mark], total: float) -> str:
    """One line for each mark: when, how long after the one before, who, what."""
    lines = [f"{'at':>8}{'after':>9}  {'who':<7} what"]
    before = 0.0
    for mark in (*marks, Mark(total, "judge", "process has ended", 1, total)):
        more = f" ({mark.count} times, last at {mark.last:.3f} s)" if mark.count > 1 else ""
        lines.append(f"{mark.at:>7.3f}s{mark.at - before:>+8.3f}s  {mark.who:<7} {mark.what}{more}")
        before = mark.last if mark.count > 1 else mark.at
    return "\n".join(lines)


def nvcc_alone(solution: Path, scratch: Path) -> float:
    """Seconds of the plain command that a learner would type."""
    arch = read_driver().devices[0].arch
    options = (*FLAGS, f"-arch={arch}", "-Xcompiler", "-fPIC", "-shared")
    command = [find_nvcc(), *options, "-o", str(scratch / "alone.so"), str(solution)]
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def judged(problem: str, solution: Path, folder: Path) -> tuple[float, list[Mark], dict[str, Any]]:
    """Wall seconds of one cold run, its marks and its report."""
    folder.mkdir()
    marks, report = folder / "marks", folder / "report.json"
    environment = {**os.environ, VARIABLE: str(marks), "LEETK_CACHE_DIR": str(folder / "cache")}
    words = ["run", problem, str(solution), "--backend", "cuda", "--json", str(report)]
    start = time.monotonic_ns()
    process = subprocess.Popen(
        [sys.executable, "-m", "harness", *words],
        env=environment,
        cwd=REPOSITORY,
        stdout=subprocess.DEVNULL,
    )
    code = process.wait()
    total = (time.monotonic_ns() - start) / 1e9
    if code:
        sys.exit(f"leetk run ended with {code}")
    found = read_marks(marks.read_text(), start, process.pid)
    return total, found, json.loads(report.read_text())


def show_report(report: dict[str, Any]) -> None:
    small = [case for case in report["cases"] if case["kind"] != "perf"]
    perf = [case for case in report["cases"] if case["kind"] == "perf"]
    print(f"judge {report['seconds']:.3f} s, of which")
    print(f"  build          {report['build']['seconds']:.3f} s")
    print(f"  {len(small)} small cases {sum(case['seconds'] for case in small):.3f} s")
    print(f"  perf case      {sum(case['seconds'] for case in perf):.3f} s before it is timed")
    if report["timing"]:
        print(f"  timed          {sum(report['timing']['samples_ms']) / 1e3:.3f} s in its samples")


def show_copies(nbytes: int) -> None:
    """Rates from ordinary and pinned shared memory, as the arena is."""
    import ctypes

    from harness.backends.cuda.device import TO_DEVICE, TO_HOST, import_runtime

    runtime: Any = import_runtime()
    file = os.memfd_create("copies")
    os.ftruncate(file, nbytes)
    area = mmap.mmap(file, nbytes)
    address = ctypes.addressof(ctypes.c_char.from_buffer(area))
    device = runtime.malloc(nbytes)

    def show(what: str, work: Callable[[], object]) -> None:
        begin = time.perf_counter()
        work()
        runtime.deviceSynchronize()
        took = time.perf_counter() - begin
        print(f"  {what:<34}{took:7.3f} s {nbytes / took / 1e9:7.1f} GB/s")

    def up() -> None:
        runtime.memcpy(device, address, nbytes, TO_DEVICE)

    def down() -> None:
        runtime.memcpy(address, device, nbytes, TO_HOST)

    print(f"{nbytes / 1e6:.0f} MB of shared memory:")
    show("first touch by the host", lambda: ctypes.memset(address, 1, nbytes))
    show("again", lambda: ctypes.memset(address, 2, nbytes))
    for what, work in (("to the device", up), ("to the host", down)) * 2:
        show(what, work)
    show("cudaHostRegister", lambda: runtime.hostRegister(address, nbytes, 0))
    for what, work in (("to the device, pinned", up), ("to the host, pinned", down)) * 2:
        show(what, work)
    show("cudaHostUnregister", lambda: runtime.hostUnregister(address))
    runtime.free(device)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problem", default="matmul")
    parser.add_argument("--solution", type=Path, default=REPOSITORY / "solutions" / "v2.cu")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--copies", action="store_true", help="measure copies as well")
    given = parser.parse_args()
    alone, totals = [], []
    with tempfile.TemporaryDirectory(prefix="leetk-timeline-") as scratch:
        for number in range(given.rounds):
            alone.append(nvcc_alone(given.solution, Path(scratch)))
            total, marks, report = judged(given.problem, given.solution, Path(scratch, str(number)))
            totals.append(total)
            print(f"--- round {number + 1}: {total:.3f} s, nvcc alone {alone[-1]:.3f} s")
            print(table(marks, total))
            show_report(report)
    if given.copies:
        show_copies(4 * (8192 * 6144 + 6144 * 4096 + 8192 * 4096))
    over = median(totals) - median(alone)
    met = "met" if over <= LIMIT_SECONDS else "MISSED"
    print(
        f"medians of {given.rounds}: leetk run {median(totals):.3f} s, "
        f"nvcc alone {median(alone):.3f} s, {over:.3f} s more; limit {LIMIT_SECONDS:g} s: {met}"
    )


if __name__ == "__main__":
    main()
