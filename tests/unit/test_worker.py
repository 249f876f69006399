"""What a submission may do to its worker, and what the supervisor then says (FAULTS 11-44)."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import alive, wait_for

from harness.errors import JudgeError
from harness.model import Outcome, Status
from harness.wire import REPORT_BYTES, Call, RunOptions, Scalar, TimePlan, TimeReply
from harness.worker.arena import Arena
from harness.worker.supervisor import Worker, WorkerLimits

RUNNER = "harness.backends.fake:FakeRunner"
CALL = Call((Scalar("n", "int32", 5),), REPORT_BYTES)
PATIENT = WorkerLimits(seconds=20)
QUICK = WorkerLimits(seconds=0.5, output_bytes=10_000, memory_bytes=400 << 20)


@pytest.fixture
def arena() -> Iterator[Arena]:
    arena = Arena()
    yield arena
    arena.close()


def run(arena: Arena, folder: Path, text: str, limits: WorkerLimits = PATIENT) -> Outcome:
    """Load a Python "solution", run it once, end the worker."""
    path = folder / "solution.py"
    path.write_text(text)
    worker = Worker(RUNNER, {}, arena, limits)
    try:
        return worker.load(path) or worker.run(CALL, RunOptions())
    finally:
        worker.close()
        assert not worker.alive


def test_a_call_that_returns_has_its_completion_record(arena: Arena, tmp_path: Path) -> None:
    outcome = run(arena, tmp_path, "def solve(n):\n    print('n is', n, flush=True)")
    assert outcome.status is Status.COMPLETED
    assert outcome.reply is not None and outcome.reply.error is None
    assert outcome.output == "n is 5\n"


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        ("import os\ndef solve(n): os._exit(0)", Status.EXITED, 0),
        ("import os\ndef solve(n): os._exit(7)", Status.EXITED, 7),
        ("import os\ndef solve(n): os.abort()", Status.SIGNALLED, signal.SIGABRT),
        ("import os\ndef solve(n): os.kill(os.getpid(), 9)", Status.SIGNALLED, signal.SIGKILL),
        ("import ctypes\ndef solve(n): ctypes.string_at(8)", Status.SIGNALLED, signal.SIGSEGV),
        ("import os\nos._exit(0)", Status.EXITED, 0),
    ],
    ids=["exit 0", "exit 7", "abort", "kill", "segmentation fault", "exit while loading"],
)
def test_an_end_without_a_record_is_named(
    arena: Arena, tmp_path: Path, text: str, status: Status, code: int
) -> None:
    outcome = run(arena, tmp_path, text)
    assert (outcome.status, outcome.code) == (status, code)


def test_an_endless_loop_ends_at_the_limit(arena: Arena, tmp_path: Path) -> None:
    outcome = run(arena, tmp_path, "def solve(n):\n    while True: pass", QUICK)
    assert outcome.status is Status.TIMED_OUT
    assert outcome.seconds >= 0.5


@pytest.mark.fault(37)
def test_output_is_drained_and_capped(arena: Arena, tmp_path: Path) -> None:
    outcome = run(arena, tmp_path, "def solve(n):\n    print('x' * 9000, flush=True)", QUICK)
    assert outcome.status is Status.COMPLETED and len(outcome.output) == 9001
    endless = "import os\ndef solve(n):\n    while True: os.write(1, b'y' * 4096)"
    outcome = run(arena, tmp_path, endless, QUICK)
    assert outcome.status is Status.OUTPUT and outcome.output == "y" * 10_000


def test_output_that_is_no_utf8_is_shown_with_replacements(arena: Arena, tmp_path: Path) -> None:
    outcome = run(arena, tmp_path, "import os\ndef solve(n): os.write(2, b'\\xffok')")
    assert outcome.output == "\ufffdok"


def test_host_memory_is_bounded(arena: Arena, tmp_path: Path) -> None:
    greedy = "def solve(n):\n    keep = []\n    while True: keep.append(b'x' * (16 << 20))"
    limits = WorkerLimits(seconds=30, memory_bytes=300 << 20)
    assert run(arena, tmp_path, greedy, limits).status is Status.MEMORY


def test_no_solve_is_a_load_failure(arena: Arena, tmp_path: Path) -> None:
    outcome = run(arena, tmp_path, "x = 1")
    assert outcome.status is Status.LOAD_FAILED and "solve is not defined" in outcome.message


def test_a_reply_forged_by_the_submission_is_no_record(arena: Arena, tmp_path: Path) -> None:
    """The worst that it may do is to end its own run: the verdict comes from the arena."""
    forger = (
        "import os\n"
        "def solve(n):\n"
        "    for fd in range(3, 64):\n"
        "        try: os.write(fd, b'\\xff' * 64)\n"
        "        except OSError: pass\n"
    )
    assert run(arena, tmp_path, forger).status in (Status.EXITED, Status.COMPLETED)
    closer = "import os, time\ndef solve(n):\n    os.closerange(3, 64)\n    time.sleep(60)"
    assert run(arena, tmp_path, closer).status is Status.EXITED


@pytest.mark.fault(39)
def test_children_of_the_submission_do_not_outlive_it(arena: Arena, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    text = (
        "import os, time\n"
        "def solve(n):\n"
        "    if os.fork() == 0:\n"
        f"        open({str(note)!r}, 'w').write(str(os.getpid()))\n"
        "        time.sleep(60)\n"
        f"    while not os.path.exists({str(note)!r}): pass\n"
    )
    assert run(arena, tmp_path, text).status is Status.COMPLETED
    pid = int(note.read_text() or 0)
    wait_for(lambda: not alive(pid))


def test_tokens_of_the_environment_are_not_shown(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    text = "import os\ndef solve(n): print(sorted(os.environ), flush=True)"
    output = run(arena, tmp_path, text).output
    assert "GITHUB_TOKEN" not in output and "CUDA_VISIBLE_DEVICES" in output


def test_a_runner_that_fails_is_the_judges_fault(arena: Arena, tmp_path: Path) -> None:
    outcome_text = "def solve(n): raise RuntimeError('inside')"
    with pytest.raises(JudgeError, match="inside"):
        run(arena, tmp_path, outcome_text)
    worker = Worker("harness.no_such_module:Runner", {}, arena, WorkerLimits())
    with pytest.raises(JudgeError, match="no_such_module"):
        worker.load(tmp_path / "solution.py")
    worker.close()


def test_timing_comes_back_as_samples(arena: Arena, tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text("def solve(n): pass")
    worker = Worker(RUNNER, {"times": [1.0, 2.0], "host_times": [1.1, 2.1]}, arena, WorkerLimits())
    assert worker.load(path) is None
    reply = worker.time(CALL, TimePlan(baseline="copy"), 10)
    worker.close()
    assert isinstance(reply, TimeReply)
    assert reply.samples_ms == (1.0, 2.0) and reply.baseline_name == "copy"


@pytest.mark.parametrize("seconds", [10**400, "soon", None, []])
def test_forged_seconds_of_a_timing_are_no_answer(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, seconds: object
) -> None:
    worker = Worker(RUNNER, {}, arena, WorkerLimits())
    sound = {"samples_ms": [1.0], "host_ms": [1.0]}
    monkeypatch.setattr(worker, "_ask", lambda *_: {"reply": sound, "seconds": seconds})
    try:
        reply = worker.time(CALL, TimePlan(), 10)
    finally:
        worker.close()
    assert isinstance(reply, Outcome)
    assert reply.status is not Status.COMPLETED


def test_the_worker_dies_with_the_judge(tmp_path: Path) -> None:
    """kill -9 of the judge leaves nothing behind, not even a worker in an endless loop."""
    (tmp_path / "solution.py").write_text("def solve(n):\n    while True: pass")
    note = tmp_path / "pid"
    judge = (
        "from pathlib import Path\n"
        "from harness.worker.arena import Arena\n"
        "from harness.worker.supervisor import Worker, WorkerLimits\n"
        "from harness.wire import Call, RunOptions, REPORT_BYTES, Scalar\n"
        f"worker = Worker({RUNNER!r}, {{}}, Arena(), WorkerLimits(60))\n"
        f"worker.load(Path({str(tmp_path / 'solution.py')!r}))\n"
        f"Path({str(note)!r}).write_text(str(worker._process.pid))\n"
        "worker.run(Call((Scalar('n', 'int32', 1),), REPORT_BYTES), RunOptions())\n"
    )
    process = subprocess.Popen([sys.executable, "-c", judge])
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not (note.exists() and note.read_text()):
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    pid = int(note.read_text())
    wait_for(lambda: not alive(pid))
