"""NaN, infinity and tiny numbers through a whole problem: data, reference, bound and comparison.

``test_compare.py`` has them element by element, ``test_prove.py`` spec by spec.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from harness import cases
from harness.compare import compare_output, poison_pattern, same_output
from harness.judge.prove import prove
from harness.model import CaseData, Problem
from harness.spec.load import load_problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

PRODUCT = """\
name: product
title: A product of matrices
statement: as ever
sizes: {m: [3, 99], n: [2, 99]}
arguments:
  - {name: a, type: float32, shape: [m, n], role: in, data: DATA}
  - {name: b, type: float32, shape: [n, m], role: in}
  - {name: c, type: float32, shape: [m, m], role: out}
reference: {einsum: "mn,nk->mk"}
tolerance: {atol: 1e-4, rtol: 1e-4, reduction: n}
"""
# One row of A begins with such a number.
SPECIAL = (
    "import numpy as np\n"
    "def make(shape, rng, sizes):\n"
    "    a = rng.uniform(-10, 10, shape)\n    a[1, 0] = {}\n    return a\n"
)


def product(folder: Path, data: str, code: str = "") -> Problem:
    (folder / "data.py").write_text(code)
    (folder / "product.yaml").write_text(PRODUCT.replace("DATA", data))
    return load_problem(folder / "product.yaml")


def data_of(problem: Problem) -> CaseData:
    return cases.case_data(problem, cases.sized_case(problem, 1, {"m": 12, "n": 40}))


def wrong(problem: Problem, data: CaseData, got: Array) -> int:
    poison = poison_pattern("float32", 0)
    mismatch = compare_output(problem.outputs[0], got, data, problem.tolerance, poison)
    return 0 if mismatch is None else mismatch.wrong


@pytest.mark.fault(46, 47)
@pytest.mark.parametrize("value", ["np.inf", "-np.inf", "np.nan"])
def test_a_row_that_is_not_finite_allows_nothing_else(tmp_path: Path, value: str) -> None:
    """The bound on rounding isn't finite there either, and would let everything pass."""
    problem = product(tmp_path, "{python: 'data.py:make'}", SPECIAL.format(value))
    data = data_of(problem)
    right = data.expected["c"].astype(np.float32)
    assert not np.isfinite(data.slack["c"][1]).any()
    assert not np.isfinite(right[1]).any()
    assert np.isfinite(np.delete(right, 1, axis=0)).all()
    assert wrong(problem, data, right) == 0
    for other in (0.0, 1e30, np.inf, -np.inf, np.nan):
        got = right.copy()
        got[1] = other
        same = (got[1] == right[1]) | (np.isnan(got[1]) & np.isnan(right[1]))
        assert wrong(problem, data, got) == int((~same).sum()), other
        agree = same_output(problem.outputs[0], right, got, data, problem.tolerance)
        assert agree == bool(same.all()), other


@pytest.mark.fault(46, 47)
@pytest.mark.parametrize("value", ["np.inf", "np.nan"])
def test_rows_beside_it_are_judged_as_ever(tmp_path: Path, value: str) -> None:
    problem = product(tmp_path, "{python: 'data.py:make'}", SPECIAL.format(value))
    data = data_of(problem)
    for row in (0, 2, 11):
        for other in (np.nan, np.inf, data.expected["c"][row, 3] * 1.01 + 1):
            got = data.expected["c"].astype(np.float32)
            got[row, 3] = other
            assert wrong(problem, data, got) == 1


@pytest.mark.fault(48)
@pytest.mark.parametrize("scale", [1e-2, 1e-3, 1e-10])
def test_outputs_below_the_tolerance_are_told_of_the_spec(tmp_path: Path, scale: float) -> None:
    """Zeros pass with such data; the proof says so, and what to do."""
    small = product(tmp_path, f"{{uniform: [{-scale * 1e-4}, {scale * 1e-4}]}}")
    faults = [fault for fault in prove(small, 2).faults if fault.startswith("c: zeros ")]
    assert len(faults) == 1
    assert faults[0].endswith("lower its tolerance, or let its data give larger numbers")
    usual = product(tmp_path, "{uniform: [-10, 10]}")
    assert prove(usual, 2).holds
