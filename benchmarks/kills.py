"""Kill -9 of the worker, the compiler and the judge, at random moments: the next run is right.

A run of ``leetk`` starts on a cache of its own, and at a random moment one of its processes is
killed: within the time that a run takes on the machine as it is. What is killed decides what may be
said: the judge says nothing, a killed compiler or worker gives a verdict that is not ``accepted``,
or ``accepted`` where nobody needed it any more. The next run, on the same cache, must accept, and
nothing may be left: no process some seconds later, no folder for temporary files after that run.

    python benchmarks/kills.py [--each 100] [--seed 1] [--only judge|worker|compiler]
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from harness.family import family  # noqa: E402

SOLUTION = REPOSITORY / "solutions" / "v2.cu"
COMMAND = (
    sys.executable,
    "-m",
    "harness",
    "run",
    "matmul",
    str(SOLUTION),
    "--backend",
    "cpu",
    "--seed",
    "1",
)
WHAT = ("judge", "worker", "compiler")
PATIENCE = 3.0


def command_line(pid: int) -> str:
    """Nothing for a process that is gone."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ")
    return ""


def victims(root: int, what: str) -> list[int]:
    if what == "judge":
        return [root]
    marks = ("boot.py",) if what == "worker" else ("cc1plus", "g++", "clang", "collect2")
    found = {pid: command_line(pid) for pid in sorted(family(root))}
    return [pid for pid, line in found.items() if any(mark in line for mark in marks)]


def run_and_kill(what: str, wait: float, environment: dict[str, str]) -> str:
    """How a run ended in which such a process was killed; "" when there was none to kill."""
    with subprocess.Popen(
        COMMAND, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        time.sleep(wait)
        chosen = victims(process.pid, what) if process.poll() is None else []
        for pid in chosen[:1]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            said, _ = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            return "hangs"
    if not chosen:
        return ""
    if "Traceback" in said:
        return f"traceback: {said[-400:]}"
    return said.splitlines()[-1].split(":")[0] if said.strip() else "silent"


def leftovers(folder: str) -> list[str]:
    """Processes that still work for the run with this folder. All have it among their variables:
    a worker keeps TMPDIR, a compiler the cache's."""
    found = []
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError):
            if folder.encode() in Path(f"/proc/{int(name)}/environ").read_bytes():
                found.append(command_line(int(name)))
    return [line for line in found if line]


def what_stays(folder: str) -> list[str]:
    """The ``leftovers`` that don't end soon by themselves."""
    end = time.monotonic() + PATIENCE
    while (left := leftovers(folder)) and time.monotonic() < end:
        time.sleep(0.05)
    return left


def environment_in(folder: str) -> dict[str, str]:
    return {
        **os.environ,
        "LEETK_CACHE_DIR": f"{folder}/cache",
        "TMPDIR": folder,
        "PYTHONPATH": str(REPOSITORY),
    }


def seconds_of_a_run() -> float:
    with tempfile.TemporaryDirectory(prefix="leetk-kills-") as folder:
        begin = time.monotonic()
        subprocess.run(COMMAND, env=environment_in(folder), capture_output=True, check=True)
        return time.monotonic() - begin


def judged(what: str, wait: float) -> tuple[str, list[str]]:
    """How a run ended in which something was killed ("": there was nothing to kill), and what was
    wrong then, or with the run after it."""
    with tempfile.TemporaryDirectory(prefix="leetk-kills-") as folder:
        environment = environment_in(folder)
        how = run_and_kill(what, wait, environment)
        if not how:
            return "", []
        wrong = [how] if how.startswith(("hangs", "traceback")) else []
        wrong += [f"left running: {line}" for line in what_stays(folder)]
        again = subprocess.run(COMMAND, env=environment, capture_output=True, text=True)
        if again.returncode:
            wrong.append(f"the next run: {(again.stdout + again.stderr)[-300:]}")
        wrong += [f"left running: {line}" for line in what_stays(folder)]
        wrong += [f"left: {path.name}" for path in Path(folder).iterdir() if path.name != "cache"]
        return how, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=WHAT)
    given = parser.parse_args()
    generator = random.Random(given.seed)
    bad = 0
    for what in (given.only,) if given.only else WHAT:
        ended: Counter[str] = Counter()
        longest = seconds_of_a_run()
        while sum(ended.values()) < given.each:
            how, wrong = judged(what, generator.uniform(0.05, longest))
            if not how:
                continue
            ended[how] += 1
            if wrong:
                bad += 1
                print(f"{what}: {how}; {'; '.join(wrong)}")
        print(f"{what} killed {given.each} times: {dict(ended)}", flush=True)
    if bad:
        sys.exit(f"{bad} runs were not right afterwards")


if __name__ == "__main__":
    main()
