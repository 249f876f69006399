"""The judge end to end with a fake backend: real worker processes, no compiler."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from harness.backends.base import Watch
from harness.backends.fake import FakeBackend
from harness.catalog import find_problem
from harness.judge import Event, Limits, Settings, judge
from harness.model import (
    Artifact,
    BuildOptions,
    CaseKind,
    Outcome,
    Report,
    Source,
    Verdict,
)
from harness.wire import Call, RunOptions, RuntimeReport, Scalar
from harness.worker.supervisor import Worker

RIGHT = "import numpy as np\ndef solve(A, B, C, M, N, K):\n    C[...] = A @ B\n"
Judge = Callable[..., Report]


@pytest.fixture
def judged(tmp_path: Path) -> Judge:
    """Judge a Python "solution" of matmul; keyword arguments go to Settings."""

    def run(
        text: str,
        backend: FakeBackend | None = None,
        emit: Callable[[Event], None] = lambda event: None,
        **settings: object,
    ) -> Report:
        path = tmp_path / "solution.py"
        path.write_text(text)
        chosen = Settings(**{"seed": 1, "limits": Limits(case_seconds=5), **settings})  # type: ignore[arg-type]
        problem = find_problem("matmul")
        backend = backend or FakeBackend()
        return judge(problem, Source(path, text), backend, chosen, BuildOptions(), emit)

    return run


def test_a_right_solution_is_accepted_on_every_case(judged: Judge) -> None:
    report = judged(RIGHT)
    assert report.verdict is Verdict.ACCEPTED and report.reason == ""
    assert {c.kind for c in report.cases} == {CaseKind.EXAMPLE, CaseKind.TEST, CaseKind.FUZZ}
    assert all(c.verdict is Verdict.ACCEPTED for c in report.cases)
    assert [left.kind for left in report.left_out][-1] is CaseKind.PERF
    assert all(c.max_abs_error is not None for c in report.cases)


@pytest.mark.parametrize(
    ("body", "verdict", "words"),
    [
        ("pass", Verdict.OUTPUT_NOT_WRITTEN, "never written"),
        ("C[...] = 0", Verdict.WRONG_ANSWER, "wrong"),
        ("C[...] = np.float32(np.nan)", Verdict.WRONG_ANSWER, "wrong"),
        ("C[:-1] = (A @ B)[:-1]", Verdict.OUTPUT_NOT_WRITTEN, "never written"),
        ("C[...] = A @ B; A[0, 0] += 1", Verdict.INPUT_MODIFIED, "input A was changed"),
        ("A[...] = 0; B[...] = 0; C[...] = A @ B", Verdict.INPUT_MODIFIED, "input A was changed"),
        ("import os; os._exit(0)", Verdict.RUNTIME_ERROR, "exit status 0"),
        ("import os; os.abort()", Verdict.RUNTIME_ERROR, "SIGABRT"),
        ("import ctypes; ctypes.string_at(8)", Verdict.RUNTIME_ERROR, "SIGSEGV"),
    ],
)
def test_a_fault_gets_its_verdict(judged: Judge, body: str, verdict: Verdict, words: str) -> None:
    report = judged(f"import numpy as np\ndef solve(A, B, C, M, N, K):\n    {body}\n")
    assert report.verdict is verdict
    assert words in report.reason


def test_an_accumulated_output_is_told_to_clear_it_first(judged: Judge) -> None:
    report = judged("def solve(A, B, C, M, N, K):\n    C[...] += A @ B\n")
    assert report.verdict is Verdict.WRONG_ANSWER
    assert "starts as zero" in report.reason and "cudaMemset" in report.hint


def test_a_write_outside_is_found_on_both_sides(judged: Judge) -> None:
    outside = (
        "import ctypes\n"
        "def solve(A, B, C, M, N, K):\n"
        "    C[...] = A @ B\n"
        "    ctypes.memset(C.ctypes.data + {offset}, 7, 4)\n"
    )
    report = judged(outside.format(offset="C.nbytes + 40"))
    assert report.verdict is Verdict.OUT_OF_BOUNDS
    assert "11 past its end" in report.reason
    report = judged(outside.format(offset="-4"))
    assert report.verdict is Verdict.OUT_OF_BOUNDS
    assert "1 before its start" in report.reason


def test_runs_that_disagree_are_nondeterministic(judged: Judge) -> None:
    text = RIGHT + "    if leetk_options.order != 'forward': C[0, 0] += 1e4\n"
    report = judged(text)
    assert report.verdict is Verdict.NONDETERMINISTIC
    assert "two runs" in report.reason


def test_an_endless_loop_ends_the_judging_at_once(judged: Judge) -> None:
    text = "def solve(A, B, C, M, N, K):\n    while True: pass\n"
    report = judged(text, limits=Limits(case_seconds=0.3))
    assert report.verdict is Verdict.TIME_LIMIT
    assert len(report.cases) == 1
    assert any("time limit" in left.why for left in report.left_out)


def test_a_large_grid_of_leetks_own_choice_may_take_longer(
    judged: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed: dict[tuple[int, ...], float | None] = {}
    run = Worker.run

    def noted(
        self: Worker, call: Call, options: RunOptions, seconds: float | None = None
    ) -> Outcome:
        sizes = tuple(int(a.value) for a in call.arguments if isinstance(a, Scalar))
        allowed[sizes] = seconds
        return run(self, call, options, seconds)

    monkeypatch.setattr(Worker, "run", noted)
    judged(RIGHT, limits=Limits(case_seconds=7))
    assert allowed[515, 2, 530] == allowed[1157, 2, 275] == 28
    assert {seconds for sizes, seconds in allowed.items() if sizes[1] != 2} == {7}
    allowed.clear()
    judged(RIGHT, limits=Limits(case_seconds=7), sizes={"M": 515, "N": 2, "K": 530})
    assert allowed == {(515, 2, 530): 28}, "replayed as it was"


def test_the_judge_stops_after_a_few_faults(judged: Judge) -> None:
    report = judged("import os\ndef solve(*a): os._exit(3)\n")
    assert [c.verdict for c in report.cases] == [Verdict.RUNTIME_ERROR] * 3
    assert any("after 3 faults" in left.why for left in report.left_out)


def test_a_fault_in_one_case_does_not_reach_the_next(judged: Judge) -> None:
    report = judged(RIGHT + "    import os\n    if (M, N, K) == (1, 1, 1): os._exit(0)\n")
    wrong = [c for c in report.cases if c.verdict is not Verdict.ACCEPTED]
    assert {tuple(c.sizes.values()) for c in wrong} == {(1, 1, 1)}
    assert report.verdict is Verdict.RUNTIME_ERROR and len(report.cases) > 10


@pytest.mark.fault(33)
def test_a_device_error_counts_and_gets_a_fresh_worker(judged: Judge) -> None:
    error = "dict(code=700, name='cudaErrorIllegalAddress', message='an illegal address', where={})"
    text = RIGHT + f"    global leetk_error; leetk_error = {error}\n"
    report = judged(text.format("'synchronize'"))
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert "cudaErrorIllegalAddress" in report.reason
    report = judged(text.format("'launch'"))
    assert report.verdict is Verdict.ACCEPTED
    assert [f.kind for f in report.findings] == ["launch_error"]
    assert judged(text.format("'launch'"), strict=True).verdict is Verdict.RUNTIME_ERROR


@pytest.mark.fault(43)
def test_a_launch_error_is_named_when_nothing_was_written(judged: Judge) -> None:
    error = "dict(code=9, name='cudaErrorInvalidConfiguration', message='invalid configuration')"
    text = f"def solve(*a):\n    global leetk_error; leetk_error = {error}\n"
    report = judged(text)
    assert report.verdict is Verdict.OUTPUT_NOT_WRITTEN
    assert "cudaErrorInvalidConfiguration" in report.reason


def test_what_does_not_build_or_is_refused(judged: Judge) -> None:
    report = judged("def solve(:\n")
    assert report.verdict is Verdict.COMPILE_ERROR
    assert report.build is not None and report.build.diagnostics[0].line == 1
    assert judged(RIGHT + "#refuse").verdict is Verdict.SKIPPED
    assert judged("x = 1").verdict is Verdict.COMPILE_ERROR
    report = judged("import os\nos._exit(0)")
    assert report.verdict is Verdict.RUNTIME_ERROR and "loaded" in report.reason


@pytest.mark.fault(17)
def test_sizes_choose_one_case_and_replay_it(judged: Judge) -> None:
    fails_wide = RIGHT + "    if K > 16: C[:, 16] += 1e4\n"
    report = judged(fails_wide)
    worst = next(c for c in report.cases if c.verdict is Verdict.WRONG_ANSWER)
    assert "--seed 1" in worst.replay and f"--size K={worst.sizes['K']}" in worst.replay
    again = judged(fails_wide, sizes=worst.sizes)
    assert [c.sizes for c in again.cases] == [worst.sizes]
    assert again.cases[0].mismatch == worst.mismatch


def test_the_perf_case_is_timed_and_compared(judged: Judge) -> None:
    times = (2.0,) * 9 + (4.0, 2.0)
    small = {"M": 8, "N": 8, "K": 8}
    report = judged(RIGHT, FakeBackend(times), sizes=small)
    assert report.verdict is Verdict.ACCEPTED
    timing = report.timing
    assert timing is not None and timing.median_ms == 2.0 and timing.mad_ms == 0.0
    assert timing.gflops == pytest.approx(2 * 8**3 / 2.0e-3 / 1e9)
    assert timing.baseline is not None and timing.baseline.ratio == 1.0
    late = RIGHT + "    global calls; calls = globals().get('calls', 0) + 1\n"
    report = judged(late + "    if calls > 7: C[0, 0] += 1e4\n", FakeBackend(times), sizes=small)
    assert report.verdict is Verdict.WRONG_ANSWER and "while it was timed" in report.reason
    assert report.timing is None


@pytest.mark.fault(26)
def test_time_that_the_events_missed_is_suspicious(judged: Judge) -> None:
    backend = FakeBackend((0.4,) * 10, (41.0,) * 10)
    report = judged(RIGHT, backend, sizes={"M": 8, "N": 8, "K": 8})
    assert report.verdict is Verdict.SUSPICIOUS_TIMING
    assert "41" in report.reason


def test_a_wrong_solution_is_not_timed(judged: Judge) -> None:
    text = "def solve(A, B, C, M, N, K):\n    C[...] = 0\n"
    report = judged(text, FakeBackend((1.0,) * 10), sizes={"M": 4, "N": 4, "K": 4})
    assert report.timing is None
    assert any("only when" in left.why for left in report.left_out)


def test_progress_is_told(judged: Judge) -> None:
    events: list[Event] = []
    report = judged(RIGHT, emit=events.append)
    assert events[0].stage == "build" and events[-1].detail == "accepted"
    assert [e.result for e in events if e.result is not None] == list(report.cases)


# --- what the checks see -----------------------------------------------------------------------


class Writes:
    """A checker that sees a write out of bounds in the cases of one shape of C."""

    watch = Watch("writes", BuildOptions())

    def __init__(self, *shape: int) -> None:
        self._shape = shape

    def examine(self, folder: Path, said: str) -> None: ...

    def reports(
        self, artifact: Artifact, source: Source, call: Call, folder: Path, outcome: Outcome
    ) -> tuple[RuntimeReport, ...]:
        if all(buffer.shape != self._shape for buffer in call.buffers if buffer.name == "C"):
            return ()
        what = {"buffer": "scratch", "byte": 64, "bytes": 4, "size": 64, "pc": 7}
        return (RuntimeReport("out_of_bounds_write", "", file="s.cu", line=3, **what),)  # type: ignore[arg-type]


class Checking(FakeBackend):
    """Keeps what the checks found, as a cache does."""

    checks = True

    def __init__(self, *shape: int) -> None:
        super().__init__()
        self.watchers = (Writes(*shape),)
        self.kept = ""

    def remembered(
        self, options: BuildOptions, parts: Iterable[str], make: Callable[[], str]
    ) -> str:
        self.kept = self.kept or make()
        return self.kept


def test_the_case_in_which_a_check_saw_a_fault_is_the_wrong_one(judged: Judge) -> None:
    first = judged(RIGHT).cases
    case = next(c for c in first[2:] if c.kind is CaseKind.TEST and min(c.sizes.values()) > 1)
    backend = Checking(case.sizes["M"], case.sizes["K"])
    for _ in range(2):
        report = judged(RIGHT, backend)
        wrong = [result for result in report.cases if result.verdict is not Verdict.ACCEPTED]
        assert [result.sizes for result in wrong] == [case.sizes]
        assert report.verdict is Verdict.OUT_OF_BOUNDS
        assert report.reason.startswith(f"{case.name}: s.cu:3: a kernel wrote 4 bytes past")
        backend.watchers = ()


def test_a_fault_seen_in_a_case_that_was_not_judged_names_it(judged: Judge) -> None:
    case = next(c for c in judged(RIGHT).cases[2:] if min(c.sizes.values()) > 1)
    backend = Checking(case.sizes["M"], case.sizes["K"])
    judged(RIGHT, backend)
    backend.kept = backend.kept.replace(f'"{case.name}"', '"9x9x9"')
    report = judged(RIGHT, backend)
    assert report.verdict is Verdict.OUT_OF_BOUNDS
    assert report.reason.startswith("example 1: seen in the case 9x9x9: s.cu:3: a kernel wrote")
