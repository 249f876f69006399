"""benchmarks/tolerance.py in small: float32 passes, less fails, and with another bound they don't.

What it finds at full length stands in docs/tolerance.md.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from harness.cases import reference
from harness.catalog import find_problem

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CUTTING = "3 x TF32 on an A100, one accumulator"


@pytest.fixture
def experiment(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", list(sys.path))  # which it extends
    spec = importlib.util.spec_from_file_location("tolerance", BENCHMARKS / "tolerance.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "tolerance", module)  # its dataclasses look there
    spec.loader.exec_module(module)
    return module


def wrong(experiment: ModuleType, names: list[str], *lengths: int) -> int:
    """How many cases of part 1 the judge rejects."""
    experiment.ALWAYS = lengths
    products = {name: (experiment.HONEST | experiment.LOSSY)[name] for name in names}
    trials = len(lengths) * experiment.TOGETHER
    tallies = experiment.cases_alone(find_problem("matmul"), products, trials, 2)
    assert all(tally.trials.total() == trials for tally in tallies.values())
    return sum(tally.wrong.total() for tally in tallies.values())


def test_float32_passes_in_every_order(experiment: ModuleType) -> None:
    assert wrong(experiment, list(experiment.HONEST), 1, 3, 37, 300, 1500) == 0


def test_sums_that_cut_off_need_the_term_that_grows_with_their_length(
    experiment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wrong(experiment, [CUTTING], 8192) == 0
    monkeypatch.setattr(reference, "CUT_OFF", 0.0)
    assert wrong(experiment, [CUTTING], 8192) > 0


@pytest.mark.fault(22)
def test_less_fails_in_every_case_of_some_size(experiment: ModuleType) -> None:
    lengths = (7, 300, 8192)
    for name in experiment.LOSSY:
        trials = len(lengths) * experiment.TOGETHER
        assert wrong(experiment, [name], *lengths) == trials, name


@pytest.mark.fault(22)
def test_less_fails_in_every_run(experiment: ModuleType) -> None:
    runs = experiment.whole_runs(find_problem("matmul"), experiment.LOSSY, 3, 2)
    assert set(runs) == set(experiment.LOSSY)
    for found in runs.values():
        assert found.failed == found.runs == 3
        assert found.fewest > 0.8 * found.planned
        assert 1 <= found.latest <= 10


def test_a_bound_far_wider_would_let_less_pass(
    experiment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference, "ROUNDED", 1e5)
    lossy = {"TF32 inputs": experiment.LOSSY["TF32 inputs"]}
    runs = experiment.whole_runs(find_problem("matmul"), lossy, 1, 2)
    assert runs["TF32 inputs"].failed == 0


def test_the_command(
    experiment: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    experiment.ALWAYS = (900,)
    experiment.HONEST = {"one after the other": experiment.HONEST["one after the other"]}
    experiment.LOSSY = {"BF16 inputs": experiment.LOSSY["BF16 inputs"]}
    assert experiment.main(["--trials", "20"]) == 0
    printed = capsys.readouterr().out
    assert "| one after the other | 20 of 20 |" in printed
    assert "| BF16 inputs | 20 of 20 |" in printed
    assert "honest float32 rejected: 0; runs with less accepted: 0" in printed
    for name in ("ROUNDED", "CUT_OFF"):
        monkeypatch.setattr(reference, name, 0.0)
    assert experiment.main(["--trials", "20"]) == 1
    assert "honest float32 rejected: 0" not in capsys.readouterr().out


def test_a_tensor_core_s_sum(experiment: ModuleType) -> None:
    """Against sums by hand: what lies beyond two bits more than float32's is dropped first, then
    what lies beyond float32's own."""
    step = sys.modules["summation"]._step_cutting
    ulp = 2.0**-23
    for addends, total in (
        ([1.0, ulp], 1.0 + ulp),
        ([1.0, ulp / 2, ulp / 2], 1.0 + ulp),  # kept together by the two bits
        ([1.0, ulp / 8, ulp / 8, ulp / 8, ulp / 8, ulp / 8, ulp / 8, ulp / 8, ulp / 8], 1.0),
        ([1.0, 0.75 * ulp], 1.0),
        ([-1.0, -0.75 * ulp], -1.0),
        ([0.0, 0.0], 0.0),
        ([3.0, -3.0, ulp], ulp),
    ):
        assert step(np.array(addends)[:, None, None, None], 2).item() == total, addends
