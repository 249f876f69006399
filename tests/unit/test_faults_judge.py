"""Faults that public judges had in their own code: seeds, sampling, clocks, tolerances, numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cuda_device import peak_of

from harness import compare
from harness.backends.fake import FakeBackend
from harness.cases import perf_case
from harness.catalog import find_problem
from harness.commands.options import Options
from harness.errors import SpecError
from harness.expr import parse
from harness.judge import Limits, Settings, judge
from harness.judge.timing import summarise
from harness.model import (
    Argument,
    BuildOptions,
    CaseData,
    Report,
    Role,
    Source,
    Tolerance,
    Verdict,
)
from harness.spec.load import load_problem
from harness.wire import TimeReply

RIGHT = "def solve(A, B, C, M, N, K):\n    C[...] = A @ B\n"
SIZE = {"M": 4, "N": 5, "K": 6}
Judge = Callable[..., Report]


@pytest.fixture
def judged(tmp_path: Path) -> Judge:
    def run(text: str, spec: str = "matmul", backend: FakeBackend | None = None) -> Report:
        path = tmp_path / "solution.py"
        path.write_text(text)
        sizes = SIZE if spec == "matmul" else {}
        settings = Settings(1, sizes=sizes, limits=Limits(20))
        found = backend or FakeBackend()
        return judge(find_problem(spec), Source(path, text), found, settings, BuildOptions())

    return run


# --- what the reference and the spec may do ----------------------------------------------------

TWO_OUTPUTS = """
name: both
title: Both
statement: Twice and thrice x.
sizes: {N: [1, 100]}
arguments:
  - {name: x, type: float32, shape: [N], role: in}
  - {name: twice, type: float32, shape: [N], role: out}
  - {name: thrice, type: float32, shape: [N], role: out}
  - {name: N, type: int32, role: size}
reference: {python: both.py}
tolerance: {atol: 1.0e-5, rtol: 1.0e-5}
examples:
  - {inputs: {x: [1, 2]}, outputs: {twice: [2, 4], thrice: [3, 6]}}
  - {inputs: {x: [5]}, outputs: {twice: [10], thrice: [15]}}
tests:
  - {N: 33}
"""
BOTH = "def reference(x):\n    return {'twice': 2 * x, 'thrice': 3 * x}\n"


def spec_of(folder: Path, reference: str = BOTH, text: str = TWO_OUTPUTS) -> str:
    (folder / "both.py").write_text(reference)
    (folder / "both.yaml").write_text(text)
    return str(folder / "both.yaml")


@pytest.mark.fault(23)
@pytest.mark.parametrize("wrong", ["twice", "thrice"])
def test_each_of_several_outputs_decides(judged: Judge, tmp_path: Path, wrong: str) -> None:
    right = "def solve(x, twice, thrice, N):\n    twice[:] = 2 * x\n    thrice[:] = 3 * x\n"
    spec = spec_of(tmp_path)
    assert judged(right, spec).verdict is Verdict.ACCEPTED
    report = judged(right + f"    {wrong}[-1] += 1\n", spec)
    assert report.verdict is Verdict.WRONG_ANSWER and wrong in report.reason
    report = judged(right.replace(f"{wrong}[:] =", "_ ="), spec)
    assert report.verdict is Verdict.OUTPUT_NOT_WRITTEN and wrong in report.reason


@pytest.mark.fault(49)
@pytest.mark.parametrize("bad", ["x * float('nan')", "x[1:]", "1 / 0"])
def test_a_reference_that_fails_is_the_judges_error(
    judged: Judge, tmp_path: Path, bad: str
) -> None:
    right = "def solve(x, twice, thrice, N):\n    twice[:] = 2 * x\n    thrice[:] = 3 * x\n"
    text = (
        "def reference(x):\n"
        f"    return {{'twice': 2 * x, 'thrice': 3 * x if len(x) < 3 else {bad}}}\n"
    )
    (tmp_path / "sound").mkdir()
    assert judged(right, spec_of(tmp_path, text)).verdict is Verdict.JUDGE_ERROR
    assert judged(right, spec_of(tmp_path / "sound")).verdict is Verdict.ACCEPTED


@pytest.mark.fault(50)
@pytest.mark.parametrize("tolerance", ["atol: 1.0e+6", "atol: .inf", "atol: .nan", "atol: 0.5"])
def test_an_absurd_tolerance_is_refused(tmp_path: Path, tolerance: str) -> None:
    text = TWO_OUTPUTS.replace("atol: 1.0e-5", tolerance)
    with pytest.raises(SpecError, match="must lie between"):
        load_problem(Path(spec_of(tmp_path, text=text)))


# --- every element -----------------------------------------------------------------------------


@pytest.mark.fault(24)
def test_a_single_wrong_element_is_found_wherever_it_is() -> None:
    """In arrays that are compared in spans, too: at the seams and at both ends."""
    argument = Argument("C", "float32", Role.OUT, (parse("N"),))
    count = (1 << 20) + 12345
    expected = np.linspace(1, 2, count)
    data = CaseData({}, {}, {"C": expected}, {"C": np.zeros(1)})
    got = expected.astype(np.float32)
    poison = compare.poison_pattern("float32", 0)
    tolerance = Tolerance(1e-5, 1e-5)
    assert compare.compare_output(argument, got, data, tolerance, poison) is None
    for place in (0, 1, count // 3, (1 << 18) - 1, 1 << 18, 1 << 20, count - 2, count - 1):
        kept, got[place] = got[place], np.float32(3)
        found = compare.compare_output(argument, got, data, tolerance, poison)
        assert found is not None and found.wrong == 1 and found.first[0].index == (place,)
        got[place] = kept


@pytest.mark.fault(17)
def test_no_two_runs_have_the_same_seed() -> None:
    seeds = {Options().chosen_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert Options(seed=7).chosen_seed() == 7


@pytest.mark.fault(18, 27)
def test_an_answer_kept_by_its_sizes_is_not_that_of_other_data(judged: Judge) -> None:
    text = (
        "kept = {}\ndef solve(A, B, C, M, N, K):\n    C[...] = kept.setdefault((M, N, K), A @ B)\n"
    )
    report = judged(text)
    assert report.verdict is Verdict.WRONG_ANSWER and "called again" in report.reason


@pytest.mark.fault(58)
def test_counts_of_work_do_not_overflow() -> None:
    cube = {"M": 8192, "N": 8192, "K": 8192}
    assert parse("2*M*N*K").evaluate(cube) == 2 * 8192**3
    assert parse("4*(M*N + N*K + M*K)").evaluate(cube) == 12 * 8192**2


# --- times that can't be -----------------------------------------------------------------------


def timed(reply: TimeReply) -> str:
    """Why the reply is doubted, for a product of 2048 cubed."""
    problem = find_problem("matmul")
    case = perf_case(problem, 1, dict.fromkeys("MNK", 2048))
    assert case is not None
    _, suspicion = summarise(problem, case, reply)
    return suspicion


HONEST = TimeReply((1.0,) * 11, (1.01,) * 11, worker_seconds=2.0, judge_seconds=2.01)


def test_an_honest_time_is_believed() -> None:
    facts = peak_of(memory_khz=3_201_000, bus_bits=6144, clock_khz=1_980_000, processors=132)
    assert float(facts["peak_gbps"]) == pytest.approx(4917, rel=0.01)
    assert timed(HONEST) == ""
    assert timed(replace(HONEST, facts=facts)) == ""


@pytest.mark.fault(13)
@pytest.mark.parametrize("worker", [0.5, 1.7, 20.0])
def test_a_clock_that_disagrees_with_the_judges(worker: float) -> None:
    assert "clock" in timed(replace(HONEST, worker_seconds=worker))


@pytest.mark.fault(13)
def test_a_submission_that_turns_back_the_workers_clock(judged: Judge) -> None:
    text = (
        "import time\n"
        "clock, hidden, calls = time.perf_counter, 0.0, 0\n"
        "time.perf_counter = lambda: clock() - hidden\n"
        "def solve(A, B, C, M, N, K):\n"
        "    global hidden, calls\n"
        "    C[...] = A @ B\n"
        "    calls += 1\n"
        "    if calls > 4:\n"
        "        time.sleep(0.6)\n"
        "        hidden += 0.6\n"
    )
    report = judged(text, backend=FakeBackend((1.0,) * 11))
    assert report.verdict is Verdict.SUSPICIOUS_TIMING and "clock" in report.reason
    assert judged(RIGHT, backend=FakeBackend((1.0,) * 11)).verdict is Verdict.ACCEPTED


@pytest.mark.fault(29)
@pytest.mark.parametrize(("samples", "word"), [(0.005, "GB/s"), (0.0, "GB/s"), (0.02, "GFLOP/s")])
def test_faster_than_the_device_can_be(samples: float, word: str) -> None:
    memory = 3_201_000 if word == "GB/s" else 300_000_000
    facts = peak_of(memory_khz=memory, bus_bits=6144, clock_khz=500_000, processors=132)
    fast = replace(HONEST, samples_ms=(samples,) * 11, host_ms=(samples,) * 11)
    assert timed(fast) == ""
    assert word in timed(replace(fast, facts=facts))


@pytest.mark.fault(29)
def test_facts_that_are_no_numbers_prove_nothing() -> None:
    facts = {"peak_gbps": "many", "peak_gflops": "nan", "l2_mib": "inf"}
    assert timed(replace(HONEST, facts=facts)) == ""


@pytest.mark.fault(32)
def test_a_time_that_is_a_launchs_says_so() -> None:
    problem = find_problem("matmul")
    case = perf_case(problem, 1, dict.fromkeys("MNK", 4))
    assert case is not None
    short = replace(HONEST, samples_ms=(0.004,) * 11, host_ms=(0.02,) * 11)
    timing, _ = summarise(problem, case, short)
    assert timing is not None and any("launch" in note for note in timing.notes)
    timing, _ = summarise(problem, case, HONEST)
    assert timing is not None and not any("launch" in note for note in timing.notes)


@pytest.mark.fault(31)
def test_the_spread_of_the_samples_is_in_the_report() -> None:
    problem = find_problem("matmul")
    case = perf_case(problem, 1, dict.fromkeys("MNK", 64))
    assert case is not None
    samples = tuple(1.0 + 0.1 * number for number in range(11))
    timing, _ = summarise(problem, case, replace(HONEST, samples_ms=samples, host_ms=samples))
    assert timing is not None and timing.mad_ms == pytest.approx(0.3)
    assert timing.samples_ms == samples
