"""References: einsum by matrix multiplication, Python functions, and what a bad one is told."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness import cases
from harness.cases import reference
from harness.errors import ReferenceFault
from harness.model import Case, CaseData, CaseKind, Problem
from harness.spec.load import load_problem

HEAD = "name: p\ntitle: t\nstatement: s\nsizes: {m: [1, 99], n: [1, 9999]}\n"


def problem_of(
    folder: Path, arguments: str, ref: str, tolerance: str = "exact", code: str = ""
) -> Problem:
    (folder / "ref.py").write_text(code)
    path = folder / "p.yaml"
    listed = "".join(f"  - {{{line}}}\n" for line in arguments.strip().splitlines())
    path.write_text(f"{HEAD}arguments:\n{listed}reference: {ref}\ntolerance: {tolerance}\n")
    return load_problem(path)


def data_of(problem: Problem, m: int = 5, n: int = 7, seed: int = 1) -> CaseData:
    return cases.case_data(problem, cases.sized_case(problem, seed, {"m": m, "n": n}))


# --- einsum ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "mn,nk->mk",
        "mn,nk->km",
        "nm,kn->mk",
        "bmn,bnk->bmk",
        "bmn,nk->mbk",
        "mn,n->m",
        "n,n->",
        "m,n->mn",
        "mn,mn->mn",
        "mn,kl->mk",
        "mn,kl->mlk",
        "mn,nk->",
        "abc,cd->dab",
        "mm,mn->n",
        "mn->nm",
        "mn->m",
        "mnk->",
        "a,b,c->abc",
        "mn,nk,kl->ml",
    ],
)
def test_contractions_agree_with_einsum(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "_PLAIN_EINSUM", 0)
    extents = dict(zip("abcdklmn", (3, 4, 5, 6, 7, 2, 8, 9), strict=True))
    generator = np.random.default_rng(3)
    operands = [
        generator.standard_normal([extents[x] for x in word])
        for word in text.split("->")[0].split(",")
    ]
    found = reference.contract(text, operands)
    wanted = np.einsum(text, *operands)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


def test_a_permutation_is_a_view_in_its_own_type(tmp_path: Path) -> None:
    problem = problem_of(
        tmp_path,
        "name: x, type: float32, shape: [m, n], role: in\n"
        "name: y, type: float32, shape: [n, m], role: out",
        "{einsum: 'mn->nm'}",
    )
    data = data_of(problem)
    assert data.expected["y"].dtype == np.float32
    assert np.shares_memory(data.expected["y"], data.inputs["x"])
    np.testing.assert_array_equal(data.expected["y"], data.inputs["x"].T)
    assert not data.slack["y"].any()


def test_integers_are_exact(tmp_path: Path) -> None:
    arguments = (
        "name: a, type: int64, shape: [m, n], role: in, data: {{integers: [{0}, {1}]}}\n"
        "name: b, type: int32, shape: [n, m], role: in, data: {{constant: 2000000000}}\n"
        "name: y, type: {2}, shape: [m, m], role: out"
    )
    small = problem_of(tmp_path, arguments.format(1, 3, "int64"), "{einsum: 'mn,nk->mk'}")
    large = problem_of(
        tmp_path, arguments.format(10**8, 10**8 + 9, "int64"), "{einsum: 'mn,nk->mk'}"
    )
    for problem in (small, large):
        data = data_of(problem)
        a, b = (data.inputs[x].astype(object) for x in "ab")
        assert data.expected["y"].dtype == np.int64
        assert data.expected["y"].tolist() == (a @ b).tolist()
        assert not data.slack["y"].any()
    huge = problem_of(tmp_path, arguments.format(10**18, 10**18, "int64"), "{einsum: 'mn,nk->mk'}")
    with pytest.raises(ReferenceFault, match="sums for y do not fit into int64"):
        data_of(huge)
    narrow = problem_of(tmp_path, arguments.format(1, 3, "int32"), "{einsum: 'mn,nk->mk'}")
    with pytest.raises(ReferenceFault, match="the reference's y does not fit into int32"):
        data_of(narrow)


def test_a_full_sum_and_an_inout(tmp_path: Path) -> None:
    problem = problem_of(
        tmp_path,
        "name: x, type: float32, shape: [m, n], role: in\n"
        "name: y, type: float32, shape: [1], role: out",
        "{einsum: 'mn->'}",
        "{atol: 1e-5, rtol: 1e-5, reduction: m*n}",
    )
    data = data_of(problem)
    assert data.expected["y"].shape == data.slack["y"].shape == (1,)
    assert data.expected["y"][0] == pytest.approx(data.inputs["x"].sum(dtype=np.float64))
    scaled = problem_of(
        tmp_path,
        "name: x, type: float32, shape: [n], role: inout\nname: m, type: int32, role: size",
        "{python: 'ref.py:scale'}",
        code="def scale(x, m):\n    return x * 2 + m\n",
    )
    data = data_of(scaled)
    np.testing.assert_array_equal(data.expected["x"], np.float32(2) * data.inputs["x"] + 5)


# --- slack -------------------------------------------------------------------------------------

MATMUL = (
    "name: a, type: float32, shape: [m, n], role: in{0}\n"
    "name: b, type: float32, shape: [n, m], role: in\n"
    "name: c, type: float32, shape: [m, m], role: out"
)
SUMMED = "{atol: 1e-4, rtol: 1e-4, reduction: n}"


def test_the_formula_for_random_data(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, MATMUL.format(""), "{einsum: 'mn,nk->mk'}", SUMMED)
    data = data_of(problem, 6, 50)
    a, b = (data.inputs[x].astype(np.float64) for x in "ab")
    squares = (a**2) @ (b**2)
    eps = 2.0**-23
    share = eps * (4 * np.sqrt(50) + 0.25 * 50)
    wanted = share * np.sqrt((a @ b) ** 2 + squares)
    np.testing.assert_allclose(data.slack["c"], wanted, rtol=1e-5)
    case = cases.sized_case(problem, 1, {"m": 6, "n": 50})
    factor = reference.slack_factor(problem, case, problem.outputs[0])
    assert factor == pytest.approx(share)


def test_what_grows_with_the_length_ends(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, MATMUL.format(""), "{einsum: 'mn,nk->mk'}", SUMMED)
    problem = replace(problem, sizes=dict.fromkeys(problem.sizes, (1, 1 << 21)))
    for n in (8192, 8193, 1 << 20):
        case = cases.sized_case(problem, 1, {"m": 6, "n": n})
        share = 2.0**-23 * (4 * np.sqrt(n) + 0.25 * 8192)
        factor = reference.slack_factor(problem, case, problem.outputs[0])
        assert factor == pytest.approx(share)


@pytest.mark.parametrize(
    ("dtype", "bits", "cut_off"),
    [("float16", 10, 0.25), ("float32", 23, 0.25), ("float64", 52, 0)],
)
def test_the_accumulator_is_float32(tmp_path: Path, dtype: str, bits: int, cut_off: float) -> None:
    text = MATMUL.format("").replace("float32", dtype)
    problem = problem_of(tmp_path, text, "{einsum: 'mn,nk->mk'}", SUMMED)
    case = cases.sized_case(problem, 1, {"m": 6, "n": 50})
    share = 2.0**-bits * 4 * np.sqrt(50) + 2.0**-23 * cut_off * 50
    factor = reference.slack_factor(problem, case, problem.outputs[0])
    assert factor == pytest.approx(share, rel=1e-12)


def test_a_sum_of_a_million_misses_none(tmp_path: Path) -> None:
    """Not even one number of a usual size."""
    problem = problem_of(
        tmp_path,
        "name: x, type: float32, shape: [n], role: in\n"
        "name: y, type: float32, shape: [1], role: out\nname: m, type: int32, role: size",
        "{einsum: 'n->'}",
        "{atol: 1e-4, rtol: 0, reduction: n}",
    )
    problem = replace(problem, sizes=dict.fromkeys(problem.sizes, (1, 1 << 20)))
    data = cases.case_data(problem, cases.sized_case(problem, 1, {"m": 1, "n": 1 << 20}))
    usual = float(np.sqrt(np.mean(np.square(data.inputs["x"].astype(float)))))
    assert data.slack["y"].max() < usual


@pytest.mark.parametrize(
    "rule",
    [
        "{constant: 0.1}",
        "{uniform: [1, 1.01]}",
        "{normal: [5, 0.01]}",
        "arange",
        "{uniform: [2, 2]}",
    ],
)
def test_the_bound_for_all_other_data(tmp_path: Path, rule: str) -> None:
    problem = problem_of(
        tmp_path, MATMUL.format(f", data: {rule}"), "{einsum: 'mn,nk->mk'}", SUMMED
    )
    data = data_of(problem, 6, 50)
    a, b = (np.abs(data.inputs[x].astype(np.float64)) for x in "ab")
    np.testing.assert_allclose(data.slack["c"], 50 * 2.0**-23 * (a @ b), rtol=1e-12)


def test_extreme_scales_and_zeros(tmp_path: Path) -> None:
    """Squares that float32 could not hold, and a row of zeros."""
    problem = problem_of(
        tmp_path, MATMUL.format(", data: {uniform: [-1e30, 1e30]}"), "{einsum: 'mn,nk->mk'}", SUMMED
    )
    data = data_of(problem)
    assert np.isfinite(data.slack["c"]).all()
    assert (data.slack["c"] > 0).all()
    zero = problem_of(
        tmp_path, MATMUL.format(", data: {uniform: [-1e-30, 1e-30]}"), "{einsum: 'mn,nk->mk'}",
        SUMMED,
    )  # fmt: skip
    small = data_of(zero)
    assert (small.slack["c"] > 0).all()
    assert small.slack["c"].max() < 1e-32


def test_a_python_reference_may_give_norms(tmp_path: Path) -> None:
    arguments = (
        "name: x, type: float32, shape: [m, n], role: in\n"
        "name: y, type: float32, shape: [m], role: out"
    )
    code = (
        "import numpy as np\n"
        "def plain(x):\n    return x.sum(axis=1, dtype=float)\n"
        "def normed(x):\n"
        "    return {'y': plain(x), 'y_norm': np.sqrt((x.astype(float)**2).sum(1))}\n"
    )
    scale = 4 * 2.0**-23 * np.sqrt(50)  # of one input: no products
    plain = data_of(
        problem_of(tmp_path, arguments, "{python: 'ref.py:plain'}", SUMMED, code), 6, 50
    )
    most = np.abs(plain.expected["y"]).max()
    np.testing.assert_allclose(plain.slack["y"], scale * np.hypot(plain.expected["y"], most))
    normed = data_of(
        problem_of(tmp_path, arguments, "{python: 'ref.py:normed'}", SUMMED, code), 6, 50
    )
    norm = np.sqrt((normed.inputs["x"].astype(float) ** 2).sum(axis=1))
    np.testing.assert_allclose(normed.slack["y"], scale * np.hypot(normed.expected["y"], norm))


# --- python references -------------------------------------------------------------------------

TWO = (
    "name: x, type: float32, shape: [m], role: in\n"
    "name: y, type: float32, shape: [m], role: out\n"
    "name: i, type: uint8, shape: [n], role: out\n"
    "name: k, type: float32, role: scalar, value: 3"
)
GOOD = "def reference(x, k, n):\n    return {'y': x * k, 'i': np.arange(n)}\n"


def test_arguments_by_name_and_a_dict(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, TWO, "{python: ref.py}", code="import numpy as np\n" + GOOD)
    data = data_of(problem)
    np.testing.assert_array_equal(data.expected["y"], data.inputs["x"] * 3)
    assert data.expected["i"].tolist() == list(range(7))
    assert data.scalars == {"k": 3}


FAULTS: Mapping[str, str] = {
    "def reference(x, k, n):\n    return x": r"must return a dict with y, i",
    "def reference(x):\n    return {'y': x}": r"returned nothing for i",
    "def reference(x, n):\n    return {'y': x[1:], 'i': np.arange(n)}": r"y the shape \(4,\), not",
    "def reference(x, n):\n    return {'y': x * np.nan, 'i': np.arange(n)}": r"gave NaN in y; the",
    "def reference(x, n):\n    return {'y': x, 'i': np.arange(n) + 250}": r"i does not fit into",
    "def reference(x, n):\n    return {'y': x, 'i': np.arange(n) / 2}": r"i numbers that are not",
    "def reference(x, n):\n    return {'y': ['a'] * 5, 'i': np.arange(n)}": r"gave <U1 for y",
    "def reference(x, q):\n    return x": r"wants 'q'; there is: m, n, k, x",
    "def reference(x):\n    x[0] = 1": r"raised ValueError: .*read-only \(line 3 of ref.py",
    "def reference(x):\n    raise SystemExit(3)": r"raised SystemExit: 3 \(line 3 of ref.py\)",
    "def other(x):\n    return x": r"ref.py has no function reference",
    "def reference(x:\n    return x": r"ref.py raised SyntaxError: .* \(line 2\)",
    "1 / 0": r"ref.py raised ZeroDivisionError: division by zero \(line 2 of ref.py\)",
}


@pytest.mark.fault(49)
@pytest.mark.parametrize("code", FAULTS)
def test_a_faulty_reference_is_never_the_submissions_fault(tmp_path: Path, code: str) -> None:
    problem = problem_of(tmp_path, TWO, "{python: ref.py}", code=f"import numpy as np\n{code}\n")
    with pytest.raises(ReferenceFault, match=FAULTS[code]) as caught:
        data_of(problem)
    assert "\n" not in str(caught.value)


def test_nan_is_right_where_an_input_has_it(tmp_path: Path) -> None:
    problem = problem_of(
        tmp_path,
        "name: x, type: float32, shape: [n], role: in, data: {python: 'ref.py:make'}\n"
        "name: y, type: float32, shape: [n], role: out\nname: m, type: int32, role: size",
        "{python: ref.py}",
        code="import numpy as np\ndef make(shape, rng, sizes):\n    return np.full(shape, np.nan)\n"
        "def reference(x):\n    return x\n",
    )
    assert np.isnan(data_of(problem).expected["y"]).all()


def test_einsum_overflow_is_a_fault(tmp_path: Path) -> None:
    problem = problem_of(
        tmp_path,
        "name: a, type: float64, shape: [m, n], role: in, data: {uniform: [-1e200, 1e200]}\n"
        "name: b, type: float64, shape: [n, m], role: in, data: {uniform: [-1e200, 1e200]}\n"
        "name: c, type: float64, shape: [m, m], role: out",
        "{einsum: 'mn,nk->mk'}",
        SUMMED,
    )
    with pytest.raises(ReferenceFault, match="the sums of c overflow float64"):
        data_of(problem, 20, 50)


def test_work_counts_what_is_largest(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, MATMUL.format(""), "{einsum: 'mn,nk->mk'}", SUMMED)
    for m, n in itertools.product((1, 7, 90), (1, 50)):
        elements = 2 * m * n + m * m
        assert cases.work(problem, {"m": m, "n": n}) == max(elements, 2 * m * m * n)
    sized = Case("c", CaseKind.TEST, {"m": 3, "n": 4}, 1)
    assert cases.case_data(problem, replace(sized, name="d")).scalars == {}
