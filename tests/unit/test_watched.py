"""Workers that run under a command, and the flow of a call that is watched by one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from processes import alive, wait_for

from harness.backends.base import Watch
from harness.backends.fake import FakeBackend
from harness.cases import sized_case
from harness.catalog import find_problem
from harness.errors import JudgeError
from harness.judge.sanitize import sanitize
from harness.model import Artifact, BuildOptions, Outcome, Source, Status
from harness.settings import Limits
from harness.wire import REPORT_BYTES, Call, RunOptions, RuntimeReport
from harness.worker.arena import Arena
from harness.worker.process import WorkerProcess
from harness.worker.supervisor import Worker, WorkerLimits

# A tool of sorts: runs a command and writes down how it ended.
TOOL = ("sh", "-c", 'echo $HOME > home; "$@"; echo $? > ended', "tool")
EMPTY = Call((), REPORT_BYTES)


def make_worker(arena: Arena, prefix: tuple[str, ...], seconds: float = 20) -> Worker:
    config = {"times": [], "host_times": []}
    return Worker(FakeBackend.runner, config, arena, WorkerLimits(seconds), prefix=prefix)


def solution(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "solution.py"
    path.write_text(text)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="the tools are there on Linux alone")
def test_a_command_runs_the_worker_and_ends_after_it(tmp_path: Path) -> None:
    path = solution(tmp_path, "def solve():\n    print('called', flush=True)\n")
    arena = Arena()
    worker = make_worker(arena, TOOL)
    try:
        assert worker.load(path) is None
        outcome = worker.run(EMPTY, RunOptions())
        assert (outcome.status, outcome.output) == (Status.COMPLETED, "called\n")
        folder = worker.folder
        assert worker.finish(20)
        assert (folder / "ended").read_text() == "0\n"
        # What a tool writes for the user goes with the worker.
        assert (folder / "home").read_text() == f"{folder}\n"
    finally:
        worker.close()
        arena.close()
    assert not folder.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the tools are there on Linux alone")
def test_a_call_that_hangs_under_a_command_is_ended_with_it(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    arena = Arena()
    worker = make_worker(arena, TOOL, seconds=1)
    try:
        assert worker.load(solution(tmp_path, endless(pid))) is None
        assert worker.run(EMPTY, RunOptions()).status is Status.TIMED_OUT
        wait_for(lambda: not alive(int(pid.read_text())))
    finally:
        worker.close()
        arena.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the tools are there on Linux alone")
def test_the_judges_end_is_seen_through_a_command(tmp_path: Path) -> None:
    """The worker's parent is the command, so it watches its pipe, in a call of solve too."""
    pid = tmp_path / "pid"
    path = solution(tmp_path, endless(pid))
    code = f"""
import sys; sys.path[:0] = {[str(Path(__file__).parent), *sys.path]!r}
from pathlib import Path
from test_watched import *
worker = make_worker(Arena(), TOOL)
worker.load(Path({str(path)!r}))
worker.run(EMPTY, RunOptions())
"""
    judge = subprocess.Popen([sys.executable, "-c", code])
    try:
        wait_for(lambda: pid.exists() and pid.read_text())
        judge.send_signal(signal.SIGKILL)
        judge.wait(20)
        wait_for(lambda: not alive(int(pid.read_text())))
    finally:
        judge.kill()
        judge.wait()


def endless(pid: Path) -> str:
    """A solve that writes down its process and sleeps."""
    return (
        "import os, time\ndef solve():\n"
        f"    open({str(pid)!r}, 'w').write(str(os.getpid()))\n    time.sleep(600)\n"
    )


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    arena = Arena()
    worker = make_worker(arena, (str(tmp_path / "no-such-tool"),))
    try:
        outcome = worker.load(solution(tmp_path, "def solve(): pass"))
        assert outcome is not None
        assert "FileNotFoundError" in outcome.output
    finally:
        worker.close()
        arena.close()


def test_hanging_up_twice_does_no_harm() -> None:
    arena = Arena()
    process = WorkerProcess(arena.fd)
    process.hang_up()
    process.hang_up()
    process.close()
    process.close()
    arena.close()
    assert process.process.returncode is not None
    assert not os.path.exists(process.folder)


# --- sanitize ---


class Tool:
    """A checker that reports what it is told to, for a source that its command runs."""

    def __init__(self, name: str, found: tuple[str, ...] = (), wrong: str = "") -> None:
        self.watch = Watch(name, BuildOptions())
        self._found = found
        self._wrong = wrong

    def examine(self, folder: Path, said: str) -> None:
        if self._wrong:
            raise JudgeError(self._wrong)

    def reports(
        self, artifact: Artifact, source: Source, call: Call, folder: Path, outcome: Outcome
    ) -> tuple[RuntimeReport, ...]:
        assert folder.is_dir()
        return tuple(RuntimeReport(kind, f"{self.watch.name}: {kind}") for kind in self._found)


def sanitized(tmp_path: Path, text: str, *tools: Tool) -> list[str]:
    problem = find_problem("transpose")
    backend = FakeBackend()
    backend.watchers = tools
    source = Source(solution(tmp_path, text), text)
    case = sized_case(problem, 1, {"rows": 3, "cols": 4})
    found, _ = sanitize(problem, source, backend, case, BuildOptions(), Limits(case_seconds=1))
    return [report.message for report in found]


RIGHT = "def solve(a, b, rows, cols):\n    b[...] = a.T\n"


def test_every_checker_has_its_say(tmp_path: Path) -> None:
    found = sanitized(
        tmp_path, RIGHT, Tool("one", ("race",)), Tool("two"), Tool("three", ("trap",))
    )
    assert found == ["one: race", "three: trap"]


def test_a_checker_under_which_solve_does_not_end_says_so(tmp_path: Path) -> None:
    text = "import time\ndef solve(a, b, rows, cols):\n    time.sleep(60)\n"
    found = sanitized(tmp_path, text, Tool("one"), Tool("two", ("race",)))
    assert found == ["one saw nothing, but solve did not come to its end under it", "two: race"]


def test_a_tool_that_fails(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="Device not supported"):
        sanitized(tmp_path, RIGHT, Tool("one", wrong="Device not supported"))


def test_two_of_a_tool_that_has_to_be_alone(tmp_path: Path) -> None:
    import fcntl

    tool = Tool("one", ("race",))
    tool.watch = Watch("one", BuildOptions(), alone=tmp_path / "solution.py")
    assert sanitized(tmp_path, RIGHT, tool) == ["one: race"]
    seen = []
    with open(tmp_path / "solution.py") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        thread = Thread(target=lambda: seen.extend(sanitized(tmp_path, RIGHT, tool)))
        thread.start()
        thread.join(0.5)
        assert not seen
    thread.join(20)
    assert seen == ["one: race"]
