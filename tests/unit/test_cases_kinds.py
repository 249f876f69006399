"""Other data for a case: that right kernels pass with each kind, and that wrong ones don't."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from harness import cases
from harness.cases import kinds
from harness.cases.kinds import CHANGED, OTHER, SCALED, SPARSE, SPECIAL, kinds_of
from harness.catalog import find_problem
from harness.compare import compare_output, poison_pattern
from harness.errors import SpecError
from harness.model import CaseData, CaseKind, Problem
from harness.spec.load import load_problem

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from summation import HONEST, LOSSY

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHAPES = ((12, 1, 12), (12, 2, 12), (12, 7, 12), (30, 37, 20), (12, 64, 12), (8, 700, 8))
VECTOR = """\
name: moved
title: t
statement: s
sizes: {{n: [1, 100000]}}
arguments:
  - {{name: x, type: {type}, shape: [n], role: in, data: {{uniform: [-1, 1]}}}}
  - {{name: y, type: {type}, shape: [n], role: out}}
reference: {reference}
tolerance: {tolerance}
"""


def data_of(problem: Problem, kind: str, seed: int = 1, **sizes: int) -> CaseData:
    return cases.case_data(problem, replace(cases.sized_case(problem, seed, sizes), data=kind))


def passes(problem: Problem, data: CaseData, got: NDArray[Any]) -> bool:
    output = problem.outputs[0]
    poison = poison_pattern(output.type, 0)
    whole = np.ascontiguousarray(got)
    return compare_output(output, whole, data, problem.tolerance, poison) is None


def vector(folder: Path, dtype: str = "float32", extra: str = "", **keys: str) -> Problem:
    path = folder / "moved.yaml"
    keys = {"reference": '{einsum: "n->n"}', "tolerance": "exact", **keys}
    path.write_text(VECTOR.format(type=dtype, **keys) + extra)
    (folder / "ref.py").write_text("def reference(x):\n    return x[::-1]\n")
    return load_problem(path)


# --- which -------------------------------------------------------------------------------------


def test_kinds_are_those_that_every_right_kernel_passes(tmp_path: Path) -> None:
    matmul = find_problem("matmul")
    assert kinds_of(find_problem("transpose")) == (SPECIAL,)
    assert kinds_of(matmul) == (SCALED, SPARSE)
    assert kinds_of(replace(matmul, extreme_data=False)) == ()
    assert kinds_of(vector(tmp_path, "float16")) == (SPECIAL,)
    assert kinds_of(vector(tmp_path, tolerance="{atol: 1e-6, rtol: 0}")) == ()
    assert kinds_of(vector(tmp_path, reference="{python: ref.py}")) == ()
    told = vector(tmp_path, reference="{python: ref.py}", extra="extreme_data: true\n")
    assert kinds_of(told) == (SPECIAL,)
    assert kinds_of(vector(tmp_path, extra="extreme_data: false\n")) == ()


def test_only_a_reference_that_moves_floats_can_be_said_to(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="extreme_data: true is for a python reference that moves"):
        vector(
            tmp_path,
            reference="{python: ref.py}",
            tolerance="{atol: 1e-6, rtol: 0}",
            extra="extreme_data: true\n",
        )


@pytest.mark.parametrize("name", ["matmul", "transpose"])
def test_cases_of_every_kind_of_size_get_them(name: str) -> None:
    problem = find_problem(name)
    planned = cases.plan_cases(problem, 3)
    for kind in kinds_of(problem):
        chosen = [case for case in planned if kind in case.again]
        sizes = [tuple(case.sizes.values()) for case in chosen]
        assert any(all(n % 16 == 0 for n in shape) for shape in sizes)
        assert any(all(n % 4 for n in shape) for shape in sizes)
        assert any(case.kind is CaseKind.FUZZ for case in chosen)
        assert all(case.example is None and case.work <= 5e5 for case in chosen)
    given = cases.sized_case(problem, 3, dict.fromkeys(problem.sizes, 20))
    assert given.again == (CHANGED, OTHER, *kinds_of(problem))


# --- sums --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [SCALED, SPARSE])
def test_float32_passes_in_every_order(kind: str) -> None:
    problem = find_problem("matmul")
    for m, n, k in SHAPES:
        data = data_of(problem, kind, M=m, N=n, K=k)
        a, b = data.inputs["A"][None], data.inputs["B"][None]
        for name, product in HONEST.items():
            got = product(a, b)[0]
            assert passes(problem, data, got), (name, m, n, k)
            if kind == SPARSE:
                np.testing.assert_array_equal(got, data.expected["C"], name)


@pytest.mark.parametrize("kind", [SCALED, SPARSE])
@pytest.mark.parametrize("name", LOSSY)
def test_less_fails(kind: str, name: str) -> None:
    problem = find_problem("matmul")
    data = data_of(problem, kind, M=30, N=37, K=20)
    with np.errstate(all="ignore"):
        got = LOSSY[name](data.inputs["A"][None], data.inputs["B"][None])[0]
    assert not passes(problem, data, got)


def test_scaled_data_are_the_rule_s_by_powers_of_two() -> None:
    problem = find_problem("matmul")
    data = data_of(problem, SCALED, M=60, N=37, K=50)
    for name, axis in (("A", 1), ("B", 0)):
        largest = np.abs(data.inputs[name]).max(axis=axis)
        assert largest.max() / largest.min() > 2**8
        assert 1 < largest.min() <= largest.max() <= kinds.LARGEST
    assert (data.slack["C"] > 0).all()


def test_sparse_data_are_mostly_zeros_whose_sums_need_no_slack() -> None:
    problem = find_problem("matmul")
    data = data_of(problem, SPARSE, M=60, N=37, K=50)
    terms = data.inputs["A"][:, :, None] * data.inputs["B"][None]
    assert (terms == 0).mean() > 0.75
    assert not data.slack["C"].any()
    bits = np.unique(np.abs(data.inputs["A"]))
    assert bits.max() > 1000
    assert not passes(problem, data, (data.expected["C"] * (1 + 2e-4)).astype(np.float32))


# --- what is moved -----------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_special_values_are_all_there(tmp_path: Path, dtype: str) -> None:
    x = data_of(vector(tmp_path, dtype), SPECIAL, n=4000).inputs["x"]
    info, size = np.finfo(dtype), np.abs(x)
    assert x.dtype == dtype
    for found in (
        (x == 0) & np.signbit(x),
        (x == 0) & ~np.signbit(x),
        np.isnan(x),
        x == np.inf,
        x == -np.inf,
        size == info.smallest_subnormal,
        (size > info.smallest_subnormal) & (size < info.tiny),
        size == info.tiny,
        size == info.max,
        (size > 1) & (size < info.max),
    ):
        assert 0 < found.mean() < 0.6
    word = x.view(f"u{x.dtype.itemsize}")
    assert len(np.unique(word[np.isnan(x)])) == 1, "no bits of a NaN that a kernel might not keep"


def test_bits_that_are_not_moved_are_wrong(tmp_path: Path) -> None:
    problem = vector(tmp_path)
    data = data_of(problem, SPECIAL, n=3000)
    right = np.array(data.inputs["x"])
    assert passes(problem, data, right)
    other_nan = right.copy()
    other_nan[np.isnan(right)] = np.array(0xFFC12345, np.uint32).view(np.float32)
    assert passes(problem, data, other_nan)
    most, tiny = np.finfo(np.float32).max, np.finfo(np.float32).tiny
    with np.errstate(all="ignore"):
        wrong = {
            "-0.0 + 0": right + np.float32(0),
            "subnormals flushed": np.where(np.abs(right) < tiny, 0 * right, right),
            "infinities clamped": np.clip(right, -most, most),
            "overflow": np.where(np.abs(right) == most, right * 2, right),
            "no NaN": np.nan_to_num(right, nan=0.0, posinf=np.inf, neginf=-np.inf),
            "by half": right.astype(np.float16).astype(np.float32),
        }
    for what, got in wrong.items():
        assert not passes(problem, data, got), what


def test_zeros_have_no_sign_elsewhere(tmp_path: Path) -> None:
    problem = vector(tmp_path)
    data = data_of(problem, "", n=3)
    data = replace(data, expected={"y": np.array([0.0, -0.0, 1.0])})
    assert passes(problem, data, np.array([-0.0, 0.0, 1.0], np.float32))


# --- the same but for some ---------------------------------------------------------------------


def test_changed_data_keep_their_beginning() -> None:
    problem = find_problem("transpose")
    plain, changed, other = (
        data_of(problem, kind, rows=30, cols=40).inputs["input"].ravel()
        for kind in ("", CHANGED, OTHER)
    )
    np.testing.assert_array_equal(plain[:900], changed[:900])
    assert (plain[900:] != changed[900:]).mean() > 0.99
    assert (plain != other).mean() > 0.99


def test_rules_for_the_whole_array_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(
        VECTOR.format(type="int32", reference='{einsum: "n->n"}', tolerance="exact").replace(
            "{uniform: [-1, 1]}", "permutation"
        )
    )
    problem = load_problem(path)
    x = data_of(problem, CHANGED, n=50).inputs["x"]
    assert sorted(x.tolist()) == list(range(50))
