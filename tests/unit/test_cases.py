"""Which cases are planned, and that their data depend on seed and sizes alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness import cases, parallel
from harness.cases import inputs
from harness.catalog import find_problem
from harness.compare import compare_output, poison_pattern
from harness.errors import ReferenceFault, UsageError
from harness.model import Case, CaseKind, Problem
from harness.spec.load import load_problem


@pytest.fixture(scope="module")
def matmul() -> Problem:
    return find_problem("matmul")


@pytest.fixture(scope="module")
def transpose() -> Problem:
    return find_problem("transpose")


def shapes(planned: tuple[Case, ...]) -> list[tuple[int, ...]]:
    return [tuple(case.sizes.values()) for case in planned]


# --- the plan ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["matmul", "transpose"])
def test_the_plan_is_small_ordered_and_unique(name: str) -> None:
    problem = find_problem(name)
    planned = cases.plan_cases(problem, 5)
    assert 30 <= len(planned) <= 62
    assert sum(case.work for case in planned) < 3e7
    assert sum(case.work > 1e6 for case in planned) <= 6
    kinds = [case.kind for case in planned]
    assert kinds == sorted(kinds, key=[CaseKind.EXAMPLE, CaseKind.TEST, CaseKind.FUZZ].index)
    judged = [case for case in planned if case.example is None]
    assert len(set(shapes(tuple(judged)))) == len(judged)
    assert len({case.name for case in planned}) == len(planned)
    own = len(problem.tests)
    for group in (judged[:own], judged[own:-6], judged[-6:]):
        works = [case.work for case in group]
        assert works == sorted(works)
    for case in planned:
        for size, (low, high) in problem.sizes.items():
            assert low <= case.sizes[size] <= high
        assert case.seed == 5


def test_what_breaks_kernels_is_there(matmul: Problem) -> None:
    planned = shapes(cases.plan_cases(matmul, 1))
    assert {(1, 1, 1), (2, 2, 2), (3, 3, 3), (17, 19, 31)} <= set(planned)
    for place in range(3):
        assert any(s[place] == 1 and min(s[:place] + s[place + 1 :]) > 16 for s in planned)
        assert any(s[place] == 8192 for s in planned), "the largest size"
        assert any(s[place] == 2 and min(s[:place] + s[place + 1 :]) > 128 for s in planned)
    for tile in (16, 32, 64, 128):
        for edge in (tile - 1, tile + 1):
            assert any(edge in s for s in planned)
    assert any(len(set(s)) == 1 and s[0] > 32 for s in planned), "all equal"
    assert any(len(set(s)) == 3 and min(s) > 32 for s in planned), "all different"
    assert any(all(n % 4 for n in s) and min(s) > 32 for s in planned), "no multiple of 4"
    assert any(all(n % 4 == 0 and n % 16 for n in s) for s in planned), "multiples of 4 only"


def test_names(matmul: Problem) -> None:
    names = [case.name for case in cases.plan_cases(matmul, 1)]
    assert names[:5] == ["example 1", "example 2", "1x1x1", "17x19x31", "64x48x80"]
    assert sum(name.startswith("fuzz ") for name in names) >= 4
    assert cases.sized_case(matmul, 1, {"M": 5}).name == "5x6144x4096"


def test_random_shapes_come_from_the_seed(matmul: Problem) -> None:
    first, again = cases.plan_cases(matmul, 1), cases.plan_cases(matmul, 1)
    other = cases.plan_cases(matmul, 2)
    assert first == again
    fuzz = [case.name for case in first if case.kind is CaseKind.FUZZ]
    assert fuzz != [case.name for case in other if case.kind is CaseKind.FUZZ]
    assert [c.name for c in first if c.kind is not CaseKind.FUZZ] == [
        c.name for c in other if c.kind is not CaseKind.FUZZ
    ]


def test_there_are_as_many_random_shapes_for_every_seed(
    matmul: Problem, transpose: Problem
) -> None:
    """As many as ``leetk show`` says, whatever else has the same sizes."""
    for problem in (matmul, transpose):
        for seed in range(60):
            planned = cases.plan_cases(problem, seed)
            fuzz = [case for case in planned if case.kind is CaseKind.FUZZ]
            assert len(fuzz) == 6, seed
            assert all(cases.elements(problem, case.sizes) <= 3e5 for case in fuzz)
    narrow = replace(matmul, sizes=dict.fromkeys("MNK", (1, 2)), tests=(), examples=())
    planned = cases.plan_cases(narrow, 1)
    assert len(planned) == len(set(shapes(planned))) <= 8, "there are no more"


def test_sizes_that_people_choose(matmul: Problem, transpose: Problem) -> None:
    for problem in (matmul, transpose):
        planned = shapes(cases.plan_cases(problem, 1))
        for place in range(len(problem.sizes)):
            values = {shape[place] for shape in planned}
            assert {112, 200, 1000} <= values
            assert {0, 1, 16, 31, 32, 48, 63} <= {value % 64 for value in values}
    assert any(s[0] == s[1] > 300 for s in shapes(cases.plan_cases(transpose, 1)))


def test_narrow_ranges_and_one_size(tmp_path: Path) -> None:
    path = tmp_path / "sum.yaml"
    path.write_text(
        "name: sum\ntitle: t\nstatement: s\nsizes: {n: [5, 100000000]}\narguments:\n"
        "  - {name: x, type: float32, shape: [n], role: in}\n"
        "  - {name: y, type: float32, shape: [1], role: out}\n"
        "  - {name: n, type: int32, role: size}\n"
        "reference: {einsum: 'n->'}\ntolerance: {atol: 0, rtol: 1e-5, reduction: n}\n"
    )
    planned = cases.plan_cases(load_problem(path), 3)
    lengths = [case.sizes["n"] for case in planned]
    assert min(lengths) == 5
    assert 1_000_003 in lengths
    assert 2_000_000 < max(lengths) < 5_000_000, "as large as the work allows"
    assert {255, 256, 257, 1023, 1025} <= set(lengths)
    assert {100, 112, 200, 997, 1000, 10_000} <= set(lengths)
    assert all(case.work <= cases.CASE_WORK for case in planned)


def test_sizes_from_the_command_line(matmul: Problem) -> None:
    case = cases.sized_case(matmul, 9, {"K": 3, "M": 8192, "N": 1})
    assert case.sizes == {"M": 8192, "N": 1, "K": 3}
    assert list(case.sizes) == ["M", "N", "K"]
    perf = cases.perf_case(matmul, 9, {"K": 3})
    assert perf is not None
    assert (perf.kind, perf.sizes) == (CaseKind.PERF, {"M": 8192, "N": 6144, "K": 3})
    assert perf.work == 2 * 8192 * 6144 * 3
    with pytest.raises(UsageError, match="matmul has no size 'Q'; valid: M, N, K"):
        cases.sized_case(matmul, 9, {"Q": 3})
    with pytest.raises(UsageError, match="M=0 is out of range; M is 1 to 8192"):
        cases.sized_case(matmul, 9, {"M": 0})
    with pytest.raises(UsageError, match="K=8193 is out of range"):
        cases.perf_case(matmul, 9, {"K": 8193})
    bare = replace(matmul, perf=None)
    assert cases.perf_case(bare, 9, {}) is None
    with pytest.raises(UsageError, match="matmul needs the size N, K too"):
        cases.sized_case(bare, 9, {"M": 3})


# --- data --------------------------------------------------------------------------------------


def test_data_depend_on_seed_and_sizes_alone(matmul: Problem) -> None:
    case = cases.sized_case(matmul, 7, {"M": 33, "N": 5, "K": 64})
    data = cases.case_data(matmul, case)
    again = cases.case_data(matmul, replace(case, name="fuzz", kind=CaseKind.FUZZ, work=1.0))
    other = cases.case_data(matmul, replace(case, seed=8))
    for name in ("A", "B"):
        assert data.inputs[name].dtype == np.float32
        assert not data.inputs[name].flags.writeable
        np.testing.assert_array_equal(data.inputs[name], again.inputs[name])
        assert (data.inputs[name] != other.inputs[name]).mean() > 0.99
        assert np.abs(data.inputs[name]).max() <= 10
    assert data.scalars == {"M": 33, "N": 5, "K": 64}
    assert data.expected["C"].dtype == np.float64
    np.testing.assert_allclose(
        data.expected["C"],
        data.inputs["A"].astype(np.float64) @ data.inputs["B"].astype(np.float64),
        rtol=1e-13,
        atol=1e-13,
    )
    wide = cases.case_data(matmul, cases.sized_case(matmul, 7, {"M": 5, "N": 33, "K": 64}))
    assert (wide.inputs["A"].ravel() != data.inputs["A"].ravel()).mean() > 0.99


def test_data_are_the_same_on_any_number_of_cores(
    transpose: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One chunk or several, one thread or several; and the values of a release are kept."""
    case = cases.sized_case(transpose, 3, {"rows": 1100, "cols": 1000})
    assert 1100 * 1000 > inputs.CHUNK
    results = []
    for count in (1, 4):
        monkeypatch.setattr(parallel, "cores", lambda count=count: count)
        results.append(cases.case_data(transpose, case).inputs["input"])
    np.testing.assert_array_equal(*results)
    head, tail = results[0].ravel()[: inputs.CHUNK], results[0].ravel()[inputs.CHUNK :]
    assert (head[: tail.size] != tail).mean() > 0.99
    assert abs(float(results[0].mean())) < 0.05


def test_examples_are_given_and_checked(matmul: Problem) -> None:
    case = cases.plan_cases(matmul, 1)[0]
    data = cases.case_data(matmul, case)
    np.testing.assert_array_equal(data.inputs["A"], [[1, 2], [3, 4]])
    np.testing.assert_array_equal(data.expected["C"], [[19, 22], [43, 50]])
    assert data.scalars == {"M": 2, "N": 2, "K": 2}
    wrong = replace(matmul.examples[0], outputs={"C": np.array([[19, 22], [44, 50]], np.float32)})
    with pytest.raises(ReferenceFault, match=r"example 1 says C\[1\]\[0\] = 44, but the ref.* 43"):
        cases.case_data(replace(matmul, examples=(wrong,)), case)


@pytest.mark.fault(48)
@pytest.mark.parametrize("name", ["matmul", "transpose"])
def test_zeros_fail_every_case(name: str) -> None:
    """A spec must prove that doing nothing on a cleared output is wrong, on every shape."""
    problem = find_problem(name)
    (output,) = problem.outputs
    poison = poison_pattern(output.type, 0)
    for case in cases.plan_cases(problem, 11):
        data = cases.case_data(problem, case)
        shape = data.expected[output.name].shape
        zeros = np.zeros(shape, output.type)
        assert compare_output(output, zeros, data, problem.tolerance, poison) is not None, case.name
        right = data.expected[output.name].astype(output.type)
        assert compare_output(output, right, data, problem.tolerance, poison) is None, case.name


RULES = """\
name: rules
title: t
statement: s
sizes: {{n: [1, 100000]}}
arguments:
  - {{name: x, type: {type}, shape: [n], role: in, data: {rule}}}
  - {{name: s, type: {type}, role: scalar, data: {{constant: 1}}}}
  - {{name: y, type: {type}, shape: [n], role: out}}
reference: {{einsum: "n->n"}}
tolerance: exact
"""


def drawn(folder: Path, kind: str, rule: str, n: int = 5000) -> tuple[Mapping[str, object], object]:
    path = folder / "rules.yaml"
    path.write_text(RULES.format(type=kind, rule=rule))
    problem = load_problem(path)
    data = cases.case_data(problem, cases.sized_case(problem, 1, {"n": n}))
    return data.scalars, data.inputs["x"]


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_float_rules(tmp_path: Path, kind: str) -> None:
    _, x = drawn(tmp_path, kind, "{uniform: [-3, 1]}")
    assert isinstance(x, np.ndarray)
    assert x.dtype == kind
    assert -3 <= x.min() < -2.9
    assert 0.9 < x.max() <= 1
    _, x = drawn(tmp_path, kind, "{normal: [5, 0.5]}")
    assert isinstance(x, np.ndarray)
    assert abs(float(x.astype(float).mean()) - 5) < 0.05
    assert abs(float(x.astype(float).std()) - 0.5) < 0.05
    _, x = drawn(tmp_path, kind, "{integers: [-2, 2]}")
    assert isinstance(x, np.ndarray)
    assert set(x.tolist()) == {-2.0, -1.0, 0.0, 1.0, 2.0}


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "int32", "int64", "float32"])
def test_other_rules(tmp_path: Path, kind: str) -> None:
    _, x = drawn(tmp_path, kind, "{integers: [3, 5]}")
    assert isinstance(x, np.ndarray)
    assert (x.dtype, set(x.tolist())) == (kind, {3, 4, 5})
    _, x = drawn(tmp_path, kind, "{constant: 7}")
    assert isinstance(x, np.ndarray)
    assert set(x.tolist()) == {7}
    scalars, x = drawn(tmp_path, kind, "{arange: [2, 3]}", 30)
    assert isinstance(x, np.ndarray)
    assert x.tolist() == list(range(2, 92, 3))
    assert scalars == {"s": 1}
    _, x = drawn(tmp_path, kind, "permutation", 100)
    assert isinstance(x, np.ndarray)
    assert sorted(x.tolist()) == list(range(100))
    assert x.tolist() != list(range(100))


def test_booleans_and_what_does_not_fit(tmp_path: Path) -> None:
    _, x = drawn(tmp_path, "bool", "{integers: [0, 1]}")
    assert isinstance(x, np.ndarray)
    assert x.dtype == np.bool_
    assert 0.4 < x.mean() < 0.6
    assert set(x.view(np.uint8).tolist()) == {0, 1}
    with pytest.raises(ReferenceFault, match="the data of x do not fit into int8"):
        drawn(tmp_path, "int8", "permutation", 200)


def test_data_by_a_function(tmp_path: Path) -> None:
    code = tmp_path / "make.py"
    code.write_text(
        "import numpy as np\n"
        "def data(shape, rng, sizes):\n"
        "    return rng.integers(0, 9, shape) + sizes['n']\n"
        "def short(shape, rng, sizes):\n"
        "    return np.zeros(3)\n"
        "def broken(shape, rng, sizes):\n"
        "    return sizes['m']\n"
        "word = 'text'\n"
    )
    _, x = drawn(tmp_path, "int32", "{python: make.py}", 50)
    assert isinstance(x, np.ndarray)
    assert 50 <= x.min() <= x.max() < 59
    _, again = drawn(tmp_path, "int32", "{python: 'make.py:data'}", 50)
    assert isinstance(again, np.ndarray)
    np.testing.assert_array_equal(x, again)
    for function, told in (
        ("short", r"make.py:short for x gave float64 of shape \(3,\), not \(50,\)"),
        ("broken", r"make.py:broken for x raised KeyError: 'm' \(line 7 of make.py\)"),
        ("gone", "make.py has no function gone"),
        ("word", "make.py has no function word"),
    ):
        with pytest.raises(ReferenceFault, match=told):
            drawn(tmp_path, "int32", f"{{python: 'make.py:{function}'}}", 50)
    assert sorted(os.listdir(tmp_path)) == ["make.py", "rules.yaml"], "no byte code is left behind"


def test_two_sizes_are_more_than_32_tiles_each(matmul: Problem) -> None:
    """A launch with grid and block exchanged is then refused: 33 x 34 threads a block."""
    planned = shapes(cases.plan_cases(matmul, 1))
    assert any(s[0] > 512 and s[2] > 512 for s in planned)  # C is M x K
    once = [case.name for case in cases.plan_cases(matmul, 1) if case.once]
    assert once == ["515x2x530", "1157x2x275"]


def test_sizes_that_do_not_go_together_are_not_planned(matmul: Problem) -> None:
    """A shape such as input - kernel + 1 is empty for many sizes: those are nobody's case."""
    from dataclasses import replace

    from harness.expr import parse

    narrowed = replace(
        matmul,
        arguments=tuple(
            replace(a, shape=(parse("M - K + 1"), parse("K"))) if a.name == "C" else a
            for a in matmul.arguments
        ),
        tests=(),
        examples=(),
    )
    planned = cases.plan_cases(narrowed, 1)
    assert planned and all(case.sizes["M"] >= case.sizes["K"] for case in planned)
