"""Nothing of a judge stays when the judge itself is killed: no process, no folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import alive, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a /proc")

# Each writes down its number: one in the compiler's group, one in a session of its own, one with
# variables of its own in the compiler's session.
COMPILER = """
echo $$ > pids
for way in '' setsid 'env -i'; do
    $way /bin/sh -c 'echo $$ >> pids; exec sleep 300' &
done
wait
"""
RUN = (
    "import sys; from pathlib import Path; from harness.build.compiler import run_compiler\n"
    "run_compiler(['sh', '-c', sys.argv[1]], seconds=300, cwd=Path(sys.argv[2]))"
)
WORK = (
    "import sys, time; from harness.worker.arena import Arena\n"
    "from harness.worker.process import WorkerProcess\n"
    "process = WorkerProcess(Arena().fd)\n"
    "print(process.process.pid, process.folder, flush=True)\n"
    "time.sleep(300)\n"
)


def judge(code: str, *arguments: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def numbers(path: Path) -> list[int]:
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def test_a_compiler_and_all_that_it_started(tmp_path: Path) -> None:
    with judge(RUN, COMPILER, str(tmp_path), folder=tmp_path) as process:
        wait_for(lambda: len(numbers(tmp_path / "pids")) == 4)
        pids = numbers(tmp_path / "pids")
        assert all(map(alive, pids))
        process.kill()
        wait_for(lambda: not any(map(alive, pids)))


def test_a_worker_and_its_folder(tmp_path: Path) -> None:
    with judge(WORK, folder=tmp_path) as process:
        assert process.stdout is not None
        pid, folder = process.stdout.readline().split()
        assert alive(int(pid))
        assert os.path.isdir(folder)
        process.kill()
        wait_for(lambda: not alive(int(pid)) and not os.path.exists(folder))


def test_a_bystander_stays(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "300"]) as bystander:
        with judge(RUN, COMPILER, str(tmp_path), folder=tmp_path) as process:
            wait_for(lambda: len(numbers(tmp_path / "pids")) == 4)
            pids = numbers(tmp_path / "pids")
            process.kill()
            wait_for(lambda: not any(map(alive, pids)))
        assert bystander.poll() is None
        bystander.kill()


@pytest.mark.parametrize("number", [0, signal.SIGKILL])
def test_the_guard_itself_ends(tmp_path: Path, number: int) -> None:
    code = (
        "from harness import guard; guard.start(); guard.start()\n"
        "print(guard._process.pid, flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        assert alive(pid)
        if number:
            process.send_signal(number)
        else:
            process.communicate("\n")
            assert not alive(pid)
        wait_for(lambda: not alive(pid))
