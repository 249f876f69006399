"""The words of a verdict: what the runtime saw goes before what a pattern suggests."""

import numpy as np

from harness import compare
from harness.catalog import find_problem
from harness.judge.evaluate import Attempt, Judgement, decide, first_of_each, report_text
from harness.model import CaseData, Finding, Outcome, Status, Verdict
from harness.wire import ApiError, Buffer, Call, RunReply, RuntimeReport

SIZES = {"M": 6, "N": 3, "K": 6}
POISON = compare.poison_pattern("float32", 0)


def judged(
    outputs: list[np.ndarray],  # type: ignore[type-arg]
    *reports: RuntimeReport,
    error: ApiError | None = None,
) -> Judgement:
    """The judgement of a matmul of zeros whose runs gave these outputs."""
    data = CaseData(
        {"A": np.zeros((6, 3), np.float32), "B": np.zeros((3, 6), np.float32)},
        SIZES,
        {"C": np.zeros((6, 6))},
        {"C": np.zeros((1, 1))},
    )
    attempts = [
        Attempt(
            Outcome(Status.COMPLETED, 0.0, reply=RunReply(0.0, error), reports=reports),
            {"C": POISON},
            outputs={"C": output},
        )
        for output in outputs
    ]
    return decide(find_problem("matmul"), Call((), 0), data, attempts)


UNWRITTEN = np.frombuffer(POISON * 36, np.float32).reshape(6, 6)
REFUSED = RuntimeReport("api", "the launch of k is refused: 4096 threads a block")
INVALID = ApiError(1, "cudaErrorInvalidValue", "invalid argument")


def test_a_refused_launch_is_the_reason_and_no_pattern_is_guessed() -> None:
    found = judged([UNWRITTEN], REFUSED, error=INVALID)
    assert found.verdict is Verdict.OUTPUT_NOT_WRITTEN
    assert "cudaErrorInvalidValue" in found.reason and "4096 threads" in found.reason
    assert found.mismatch is not None and found.mismatch.hint == ""


def test_threads_that_left_before_a_barrier_are_the_reason() -> None:
    left = RuntimeReport("exited_before_barrier", "threads returned before the barrier", line=7)
    found = judged([np.full((6, 6), np.nan, np.float32)], left)
    assert found.verdict is Verdict.WRONG_ANSWER
    assert found.reason.startswith("threads returned before the barrier")


def test_runs_that_disagree_get_no_hint_from_one_of_them() -> None:
    wrong = np.zeros((6, 6), np.float32)
    wrong[:, 3:] = 5
    found = judged([wrong, np.zeros((6, 6), np.float32)])
    assert found.verdict is Verdict.NONDETERMINISTIC
    assert found.mismatch is not None and found.mismatch.hint == ""
    assert "__syncwarp()" in found.reason


def test_whole_numbers_are_shown_whole() -> None:
    wrong = np.zeros((6, 6), np.float32)
    wrong[0, 0] = 123456789.0
    assert "got 123456792, expected 0" in judged([wrong]).reason


def test_findings_that_differ_in_numbers_alone_are_one() -> None:
    def read(number: int) -> Finding:
        return Finding(
            "out_of_bounds_read", "warning", f"read byte {number} of A (thread {number})"
        )

    merged = first_of_each([read(4), read(8), read(8), read(12), Finding("api", "warning", "x")])
    assert [f.message for f in merged] == ["read byte 4 of A (thread 4), and 2 more like it", "x"]


def test_findings_at_two_lines_stay_two() -> None:
    found = [Finding("api", "warning", "x", "a.cu", line) for line in (1, 2, 2)]
    assert [f.line for f in first_of_each(found)] == [1, 2]


def test_the_most_severe_of_a_place_stands_for_it() -> None:
    warned = Finding("race", "warning", "x", "a.cu", 1, case="1x2")
    again = Finding("race", "warning", "x", "a.cu", 1, case="2x2")
    decides = Finding("race", "error", "y", "a.cu", 1)
    (found,) = first_of_each([warned, again, decides])
    assert (found.severity, found.message) == ("error", "y, and 1 more like it")


def test_a_report_names_who_and_where_once() -> None:
    report = RuntimeReport(
        "trap", "assert failed", file="a.cu", line=3, thread=(1, 0, 0), block=(2, 0, 0)
    )
    assert report_text(report) == ("assert failed (thread (1, 0, 0) of block (2, 0, 0)), at a.cu:3")
    assert report_text(report, with_place=False).endswith("(2, 0, 0))")


def test_a_write_that_the_runtime_saw_is_told_in_elements() -> None:
    buffer = Buffer("C", "float32", (2, 2), "out", 8192, 16, 4096, 4080)
    report = RuntimeReport(
        "out_of_bounds_write", "byte 512", fatal=True, buffer="C", byte=512, thread=(3,), block=(0,)
    )
    outcome = Outcome(Status.SIGNALLED, 0.1, code=11, reports=(report,))
    data = CaseData({}, {}, {}, {})
    found = decide(find_problem("matmul"), Call((buffer,), 16384), data, [Attempt(outcome, {})])
    assert found.verdict is Verdict.OUT_OF_BOUNDS
    assert "outside C (2x2), 125 past its end (flat index 128) (thread (3)" in found.reason
