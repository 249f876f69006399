"""A worker that lies, floods, vanishes or multiplies: what the judge then says, and that a right
submission is accepted at once afterwards."""

from __future__ import annotations

import json
import os
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import alive, wait_for

from harness import family
from harness.backends.fake import FakeBackend
from harness.catalog import find_problem
from harness.judge import Limits, Settings, judge
from harness.judge.evaluate import decide, examine
from harness.model import BuildOptions, CaseData, Outcome, Report, Source, Status, Verdict
from harness.wire import (
    REPORT_BYTES,
    Call,
    RunOptions,
    run_reply_from,
    time_reply_from,
    trace_reply_from,
)
from harness.worker.arena import Arena
from harness.worker.process import WorkerProcess
from harness.worker.supervisor import Worker, WorkerLimits

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")

RIGHT = "def solve(A, B, C, M, N, K):\n    C[...] = A @ B\n"
# What a hostile library could do by itself: it has the pipe, and it may guess the request's number.
LIAR = """
import json, os, struct, sys, time
PIPE = json.loads(sys.argv[1])["write"]
calls = 0
def say(body, length=None):
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    os.write(PIPE, struct.pack("<I", len(body) if length is None else length) + body)
def solve(A, B, C, M, N, K):
    global calls
    calls += 1
    number = calls + 2
    {lie}
"""
REPLY = {"seconds": 0.1, "error": None, "reports": []}

Judge = Callable[..., Report]


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[Judge]:
    """Judge a Python "solution"; at the end a right one must be accepted in the same session."""
    backend = FakeBackend()
    path = tmp_path / "solution.py"

    def run(text: str, limits: Limits | None = None) -> Report:
        path.write_text(text)
        chosen = Settings(1, sizes={"M": 3, "N": 4, "K": 5}, limits=limits or Limits(20))
        problem = find_problem("matmul")
        return judge(problem, Source(path, text), backend, chosen, BuildOptions())

    yield run
    assert run(RIGHT).verdict is Verdict.ACCEPTED


# --- lies in the protocol ----------------------------------------------------------------------


@pytest.mark.fault(21)
@pytest.mark.parametrize(
    ("lie", "verdict"),
    [
        ('say(b"abc"); time.sleep(60)', Verdict.RUNTIME_ERROR),
        ("say([1, 2]); time.sleep(60)", Verdict.RUNTIME_ERROR),
        ('say(b"", 1 << 31); time.sleep(60)', Verdict.RUNTIME_ERROR),
        ('say(b"[" * 100_000); time.sleep(60)', Verdict.RUNTIME_ERROR),
        ('say(b"1" * 100_000); time.sleep(60)', Verdict.RUNTIME_ERROR),
        ('say(b"half", 100); os._exit(0)', Verdict.RUNTIME_ERROR),
        ('say({{"id": number}}); time.sleep(60)', Verdict.RUNTIME_ERROR),
        ('say({{"id": number, "reply": 7}}); time.sleep(60)', Verdict.RUNTIME_ERROR),
        (
            "say({{'id': number, 'reply': {{'seconds': []}}}}); time.sleep(60)",
            Verdict.RUNTIME_ERROR,
        ),
        (
            "say({{'id': number, 'reply': {{'seconds': 10**400}}}}); time.sleep(60)",
            Verdict.RUNTIME_ERROR,
        ),
        ("say({{'id': number, 'reply': {reply}}})", Verdict.OUTPUT_NOT_WRITTEN),
        ("say({{'id': number, 'reply': {reply}}}); os._exit(0)", Verdict.RUNTIME_ERROR),
        ("say({{'id': 99, 'reply': {reply}}})", Verdict.OUTPUT_NOT_WRITTEN),
        ("os.close(PIPE); time.sleep(60)", Verdict.RUNTIME_ERROR),
    ],
    ids=[
        "no JSON",
        "a list",
        "a huge frame",
        "deep JSON",
        "a long number",
        "half a frame",
        "no reply in it",
        "a number for a reply",
        "a list for a number",
        "a number beyond any float",
        "all is well",
        "all is well, and gone",
        "another request's number",
        "no pipe any more",
    ],
)
def test_a_lie_is_no_answer(judged: Judge, lie: str, verdict: Verdict) -> None:
    text = LIAR.format(lie=lie.format(reply=REPLY))
    assert judged(text).verdict is verdict


@pytest.mark.fault(21)
@pytest.mark.parametrize(
    "lie",
    ["say({'id': 99})", "say({})"],
    ids=["wrong numbers", "no numbers"],
)
def test_a_flood_of_lies_holds_nothing_up(judged: Judge, lie: str) -> None:
    """The time limit and the memory limit hold, however busy the pipe is."""
    flood = LIAR.format(lie="while True: " + lie)
    assert judged(flood, Limits(case_seconds=0.5)).verdict is Verdict.TIME_LIMIT
    body = "kept = []\n    while True:\n        kept.append(bytearray(b'x' * (1 << 20)))\n        "
    greedy = LIAR.format(lie=body + lie)
    report = judged(greedy, Limits(case_seconds=30, memory_bytes=300 << 20))
    assert report.verdict is Verdict.MEMORY_LIMIT


INTEGERS = st.integers() | st.just(10**400)
JSON = st.recursive(
    st.none() | st.booleans() | INTEGERS | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
WORDS = st.sampled_from(
    "seconds error reports samples_ms host_ms facts kernels counters reply kind message pc line "
    "thread block buffer byte fatal code name where notes grid".split()
)
FORGED = st.dictionaries(WORDS, JSON | st.lists(st.dictionaries(WORDS, JSON, max_size=6)))
KINDS = st.sampled_from(("out_of_bounds_write", "out_of_bounds_read", "trap", "team", "x"))


@pytest.mark.fault(21)
@settings(max_examples=60, deadline=None)
@given(FORGED)
def test_a_forged_record_is_one_or_is_refused(data: dict[str, object]) -> None:
    for read in (run_reply_from, time_reply_from, trace_reply_from):
        try:
            read(data)
        except (KeyError, TypeError, ValueError, AttributeError):
            pass


@pytest.mark.fault(21)
@settings(max_examples=40, deadline=None)
@given(st.lists(st.dictionaries(WORDS, JSON, max_size=6), max_size=4), KINDS, st.binary())
def test_forged_reports_decide_without_an_exception(
    rows: list[dict[str, object]], kind: str, rest: bytes
) -> None:
    """The report area is the submission's to write to."""
    arena = Arena()
    try:
        lines = [json.dumps({"kind": kind, "message": "", **row}) for row in rows]
        body = "\n".join(lines).encode() + b"\n" + rest
        arena._map[: 4 + len(body)] = struct.pack("<I", len(body)) + body
        outcome = Outcome(Status.SIGNALLED, 0.1, code=11, reports=arena.reports())
        call = Call((), REPORT_BYTES)
        data = CaseData({}, {}, {}, {})
        attempt = examine(arena, call, data, {}, outcome)
        assert decide(find_problem("matmul"), call, data, [attempt]).verdict is not Verdict.ACCEPTED
    finally:
        arena.close()


# --- output, memory, processes -----------------------------------------------------------------


@pytest.mark.fault(37, 44)
def test_a_flood_of_output_on_every_stream(judged: Judge) -> None:
    text = "import os\ndef solve(*a):\n    while True: os.write({}, b'z' * 65536)\n"
    for stream in (1, 2):
        assert judged(text.format(stream)).verdict is Verdict.OUTPUT_LIMIT
    limited = RIGHT + "    print('y' * 5000, flush=True)\n"
    assert judged(limited).verdict is Verdict.ACCEPTED
    assert judged(limited, Limits(output_bytes=4000)).verdict is Verdict.OUTPUT_LIMIT


@linux
@pytest.mark.fault(39)
@pytest.mark.parametrize("leave", ["", "os.setsid()"], ids=["in the group", "in sessions"])
def test_too_many_processes_are_ended_all(judged: Judge, tmp_path: Path, leave: str) -> None:
    """Each leaves its parent, or its session, too."""
    note = tmp_path / "pids"
    text = (
        "import os, time\n"
        "def solve(*a):\n"
        "    for i in range(12):\n"
        "        if os.fork() == 0:\n"
        f"            {leave or 'pass'}\n"
        "            if os.fork() == 0:\n"
        f"                open({str(note)!r}, 'a').write(f'{{os.getpid()}} ')\n"
        "                time.sleep(60)\n"
        "            os._exit(0)\n"
        "    time.sleep(30)\n"
    )
    report = judged(text, Limits(case_seconds=20, processes=5))
    assert report.verdict is Verdict.RUNTIME_ERROR and "--max-processes" in report.reason
    pids = [int(word) for word in note.read_text().split()]
    assert len(pids) > 5
    assert not any(alive(pid) for pid in pids)


@linux
@pytest.mark.fault(39)
def test_a_few_processes_are_nobodys_business(judged: Judge) -> None:
    text = "import os\n" + RIGHT + "    for i in range(3): os.fork() or os._exit(0)\n"
    assert judged(text).verdict is Verdict.ACCEPTED


@linux
@pytest.mark.fault(39)
def test_the_whole_family_ends_with_a_worker(tmp_path: Path) -> None:
    """A daemon: another session, another parent, and it holds the standard output."""
    note = tmp_path / "pid"
    (tmp_path / "solution.py").write_text(
        "import os, time\n"
        "def solve():\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        if os.fork(): os._exit(0)\n"
        f"        open({str(note)!r}, 'w').write(str(os.getpid()))\n"
        "        time.sleep(60)\n"
        f"    while not (os.path.exists({str(note)!r}) and open({str(note)!r}).read()): pass\n"
    )
    arena = Arena()
    worker = Worker(FakeBackend.runner, {}, arena, WorkerLimits(30))
    try:
        assert worker.load(tmp_path / "solution.py") is None
        assert worker.run(Call((), REPORT_BYTES), RunOptions()).status is Status.COMPLETED
        pid = int(note.read_text())
        assert pid in worker._started.kin()
    finally:
        worker.close()
        arena.close()
    wait_for(lambda: not alive(pid))


@linux
@pytest.mark.fault(40)
def test_memory_of_children_counts(judged: Judge) -> None:
    text = (
        "import os, time\n"
        "def solve(*a):\n"
        "    for i in range(4):\n"
        "        if os.fork() == 0:\n"
        "            kept = b'x' * (100 << 20)\n"
        "            time.sleep(60)\n"
        "    time.sleep(60)\n"
    )
    report = judged(text, Limits(case_seconds=30, memory_bytes=300 << 20))
    assert report.verdict is Verdict.MEMORY_LIMIT


def test_without_proc_only_the_group_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_proc(path: str) -> list[str]:
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "listdir", no_proc)
    assert family.family(os.getpid()) == set()
    assert family.private_bytes(-1) == 0


# --- killed from outside -----------------------------------------------------------------------


@pytest.mark.fault(36)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_a_worker_that_somebody_kills(judged: Judge, number: signal.Signals) -> None:
    """Killed by another process in the middle of a call; stopped, it runs into the limit."""
    text = (
        "import os, time\n"
        "def solve(*a):\n"
        "    pid = os.getpid()\n"
        f"    if os.fork() == 0: time.sleep(0.05); os.kill(pid, {int(number)}); os._exit(0)\n"
        "    time.sleep(60)\n"
    )
    report = judged(text, Limits(case_seconds=2))
    stopped = number is signal.SIGSTOP
    assert report.verdict is (Verdict.TIME_LIMIT if stopped else Verdict.RUNTIME_ERROR)
    assert stopped or number.name in report.reason


def test_a_worker_that_dies_before_its_first_request(tmp_path: Path) -> None:
    arena = Arena()
    process = WorkerProcess(arena.fd)
    process.interrupt()
    process.process.wait()
    worker = Worker(FakeBackend.runner, {}, arena, WorkerLimits(5), process)
    try:
        outcome = worker.load(tmp_path / "none.py")
        assert outcome is not None and outcome.status is Status.SIGNALLED
        assert outcome.code == signal.SIGKILL
    finally:
        worker.close()
        arena.close()


def test_a_worker_that_is_killed_while_it_loads(judged: Judge) -> None:
    text = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
    report = judged(text)
    assert report.verdict is Verdict.RUNTIME_ERROR and "loaded" in report.reason


# --- nothing of one run is seen by the next ----------------------------------------------------


@pytest.mark.fault(45)
def test_each_worker_has_an_empty_folder_that_goes_with_it(judged: Judge, tmp_path: Path) -> None:
    note = tmp_path / "folders"
    text = (
        "import os\n"
        "assert not os.listdir()\n"
        f"open({str(note)!r}, 'a').write(os.getcwd() + chr(10))\n"
        "open('result.json', 'w').write('{\"verdict\": \"accepted\"}')\n"
        "def solve(*a): os._exit(0)\n"
    )
    assert judged(text).verdict is Verdict.RUNTIME_ERROR
    assert judged(text).verdict is Verdict.RUNTIME_ERROR
    folders = note.read_text().splitlines()
    assert len(set(folders)) == len(folders) >= 2
    assert not any(os.path.exists(folder) for folder in folders)


@pytest.mark.fault(12)
def test_a_file_that_changes_is_another_submission(judged: Judge) -> None:
    assert judged(RIGHT).verdict is Verdict.ACCEPTED
    assert judged("def solve(*a): pass\n").verdict is Verdict.OUTPUT_NOT_WRITTEN


@pytest.mark.fault(14)
def test_no_expected_answer_is_in_the_worker(judged: Judge) -> None:
    """A submission that finds the answer in the arena takes it."""
    text = (
        "def solve(A, B, C, M, N, K):\n"
        "    import numpy as np\n"
        "    right = (A @ B).astype(np.float32).tobytes()\n"
        "    found = leetk_arena.find(right) >= 0\n"
        "    found = found or leetk_arena.find((A @ B).astype(np.float64).tobytes()) >= 0\n"
        "    if found: C[...] = A @ B\n"
    )
    assert judged(text).verdict is Verdict.OUTPUT_NOT_WRITTEN
