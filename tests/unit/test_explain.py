"""Each fault is planted with numpy, as a kernel would make it, and named; and nothing else is.

``plant`` gives a case's poisoned output to a stand-in for a kernel. The stand-ins work on flat
memory the way CUDA code does, so that wrong strides and swapped sizes go wrong as they would there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from harness import cases
from harness.catalog import find_problem
from harness.compare import compare_output, poison_pattern
from harness.explain import LARGE, explain
from harness.model import CaseData, Problem
from harness.spec.load import load_problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Kernel = Callable[..., None]


def plant(
    problem: Problem, kernel: Kernel, variant: int = 0, seed: int = 4, kind: str = "", **sizes: int
) -> str:
    """The hint for what ``kernel(out, inputs, sizes)`` leaves in the poisoned output."""
    case = replace(cases.sized_case(problem, seed, sizes), data=kind)
    data = cases.case_data(problem, case)
    argument = problem.outputs[0]
    poison = poison_pattern(argument.type, variant)
    right = data.expected[argument.name]
    out = np.frombuffer(poison * right.size, argument.type).reshape(right.shape).copy()
    with np.errstate(all="ignore"):
        kernel(out, data, **sizes)
    mismatch = compare_output(argument, out, data, problem.tolerance, poison)
    assert mismatch is not None, "the kernel is right: nothing to explain"
    hint = explain(problem, mismatch, out, data)
    assert "\n" not in hint
    assert not hint.endswith(".")
    return hint


def matmul(kernel: Kernel, m: int, n: int, k: int, variant: int = 0, seed: int = 4) -> str:
    return plant(find_problem("matmul"), kernel, variant, seed, M=m, N=n, K=k)


def transpose(kernel: Kernel, rows: int, cols: int) -> str:
    return plant(find_problem("transpose"), kernel, rows=rows, cols=cols)


def product(data: CaseData) -> Array:
    return (data.inputs["A"] @ data.inputs["B"]).astype(np.float32)


SHAPES = [(17, 19, 31), (64, 48, 80), (37, 53, 71), (3, 40, 70), (101, 67, 85)]


# --- never written -----------------------------------------------------------------------------


@pytest.mark.parametrize("variant", [0, 1])
@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_written(shape: tuple[int, int, int], variant: int) -> None:
    hint = matmul(lambda out, data, **_: None, *shape, variant)
    assert hint.startswith("nothing was ever written to C")


def test_unwritten_tails() -> None:
    def rows(out: Array, data: CaseData, M: int, **_: int) -> None:
        out[: M // 16 * 16] = product(data)[: M // 16 * 16]

    def columns(out: Array, data: CaseData, K: int, **_: int) -> None:
        out[:, : K // 16 * 16] = product(data)[:, : K // 16 * 16]

    def both(out: Array, data: CaseData, M: int, K: int, **_: int) -> None:
        out[: M - 1, : K - 2] = product(data)[: M - 1, : K - 2]

    assert matmul(rows, 19, 8, 33).startswith("rows 16 to 18 were never written: the grid has too")
    assert matmul(rows, 17, 8, 33).startswith("row 16 was never written")
    assert matmul(columns, 20, 8, 34).startswith("columns 32 and 33 were never written")
    assert matmul(both, 20, 8, 34).startswith("row 19 and columns 32 and 33 were never written")


def test_a_turned_grid() -> None:
    """Blocks in x counted from the rows and in y from the columns."""

    def kernel(out: Array, data: CaseData, M: int, K: int, **_: int) -> None:
        high, wide = -(-K // 16) * 16, -(-M // 16) * 16
        out[:high, :wide] = product(data)[:high, :wide]

    assert re.match(
        r"rows 32 to 99 were never written: the grid's x and y are swapped",
        matmul(kernel, 100, 8, 20),
    )
    hint = matmul(kernel, 20, 8, 100)
    assert hint.startswith("columns 32 to 99 were never written: the grid's x and y are swapped")


def test_skipped_lines() -> None:
    def odd(out: Array, data: CaseData, **_: int) -> None:
        out[:, ::2] = product(data)[:, ::2]

    def halves(out: Array, data: CaseData, **_: int) -> None:
        for start in range(0, out.shape[0], 8):
            out[start : start + 4] = product(data)[start : start + 4]

    def flat(out: Array, data: CaseData, **_: int) -> None:
        out.reshape(-1)[:256] = product(data).reshape(-1)[:256]

    def one(out: Array, data: CaseData, **_: int) -> None:
        right = product(data)
        out[:5], out[6:] = right[:5], right[6:]

    assert matmul(one, 20, 9, 30).startswith("row 5 was never written")
    assert matmul(odd, 20, 9, 30).startswith("odd columns were never written")
    assert matmul(halves, 32, 9, 30).startswith("rows 4 to 7 of every 8 were never written")
    assert matmul(flat, 20, 9, 30).startswith("C was never written from flat index 256 on")


def test_unwritten_elements_of_a_vector(tmp_path: Path) -> None:
    problem = vector_problem(tmp_path, "float32", "{integers: [-99, 99]}")

    def kernel(out: Array, data: CaseData, n: int) -> None:
        out[: n // 256 * 256] = data.expected["y"][: n // 256 * 256]

    assert plant(problem, kernel, n=1000).startswith("elements 768 to 999 were never written")


@pytest.mark.parametrize("first", [0, 5000])
def test_a_million_elements_unwritten_here_and_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """The work grows with the elements alone: no more than so many periods are tried on them."""
    problem = vector_problem(tmp_path, "float32", "{integers: [-99, 99]}")
    compared = 0
    equal = np.array_equal

    def counted(one: Array, other: Array, equal_nan: bool = False) -> bool:
        nonlocal compared
        compared += one.size
        assert compared < 2_000 * 1_000_000, "each of half a million periods is tried"
        return equal(one, other, equal_nan)

    def positive(out: Array, data: CaseData, n: int) -> None:
        stored = data.expected["y"] > 0
        stored[:first] = False
        out[stored] = data.expected["y"][stored]

    def sevenths(out: Array, data: CaseData, n: int) -> None:
        stored = np.arange(n) % 700 < 699
        out[stored] = data.expected["y"][stored]

    monkeypatch.setattr(np, "array_equal", counted)
    assert plant(problem, positive, n=1_000_000) == ""
    assert plant(problem, sevenths, n=1_000_000).startswith("element 699 of every 700 was never")


# --- values ------------------------------------------------------------------------------------


def accumulated(out: Array, data: CaseData, **_: int) -> None:
    out += product(data)


def test_accumulated_without_clearing() -> None:
    for shape in SHAPES:
        hint = matmul(accumulated, *shape)
        assert hint.startswith("every element is NaN computed from memory that was never written")
        assert "C added to (+=)" in hint

    def canonical(out: Array, data: CaseData, **_: int) -> None:
        """A GPU makes every NaN the same one."""
        out[...] = np.uint32(0x7FFFFFFF).view(np.float32)

    assert "NaN though no input is" in matmul(canonical, 20, 9, 30)


def test_nan_in_some_rows() -> None:
    def kernel(out: Array, data: CaseData, M: int, **_: int) -> None:
        out[...] = product(data)
        out[M - 1] = np.nan

    assert matmul(kernel, 20, 9, 30).startswith("row 19 is NaN though no input is")


def test_zeros() -> None:
    def everywhere(out: Array, data: CaseData, **_: int) -> None:
        out[...] = 0

    def in_some(out: Array, data: CaseData, **_: int) -> None:
        out[...] = product(data)
        out[5:9] = 0

    def here_and_there(out: Array, data: CaseData, **_: int) -> None:
        out[...] = product(data)
        out[3, 4] = out[7, 1] = 0

    for shape in SHAPES:
        assert matmul(everywhere, *shape).startswith("every element is zero")
    assert matmul(in_some, 20, 9, 30).startswith("rows 5 to 8 are zero")
    assert matmul(here_and_there, 20, 9, 30).startswith("the wrong elements are zero")


def test_one_value_everywhere() -> None:
    def kernel(out: Array, data: CaseData, **_: int) -> None:
        out[...] = product(data)[0, 0]

    assert matmul(kernel, 20, 9, 30).startswith("every element is")


# --- copies ------------------------------------------------------------------------------------


def v3_as_printed(out: Array, data: CaseData, K: int, **_: int) -> None:
    """Four sub-blocks of 16 columns, all loaded from the first one's columns of B."""
    column = np.arange(K)
    source = column // 64 * 64 + column % 16
    out[...] = product(data)[:, source]


@pytest.mark.parametrize("m", [1, 16, 33])
@pytest.mark.parametrize("k", [17, 19, 31, 33, 63, 64, 65, 70, 80, 129, 200, 259])
def test_repeated_columns(m: int, k: int) -> None:
    hint = matmul(v3_as_printed, m, 20, k)
    # One wrong element proves nothing.
    assert ("repeat" in hint) != ((m, k) == (1, 17))
    what = "column" if m > 1 else "element"
    if k > 64:
        assert hint.startswith(f"{what}s 16 to 63 of every 64 repeat {what}s 0 to 15 of them")
    elif k > 17:
        last = min(k - 16, 16) - 1
        assert hint.startswith(f"{what}s 16 to {k - 1} repeat {what}s 0 to {last}")
    elif m > 1:
        assert hint.startswith("column 16 repeats column 0")


def test_repeated_rows() -> None:
    def kernel(out: Array, data: CaseData, M: int, **_: int) -> None:
        out[...] = product(data)[np.arange(M) % 32]

    assert matmul(kernel, 70, 20, 30).startswith("rows 32 to 69 repeat rows 0 to 31")


@pytest.mark.parametrize("m", [1, 5, 70])
def test_exchanged_columns(m: int) -> None:
    def kernel(out: Array, data: CaseData, K: int, **_: int) -> None:
        out[...] = product(data)[:, np.arange(K) ^ 1]

    what = "element" if m == 1 else "column"
    hint = matmul(kernel, m, 20, 30)
    assert hint.startswith(f"{what}s are right but in each other's places")
    assert f"({what} 0 holds what belongs into {what} 1)" in hint


def test_exchanged_rows() -> None:
    def kernel(out: Array, data: CaseData, M: int, **_: int) -> None:
        out[...] = product(data)[np.arange(M)[::-1]]

    hint = matmul(kernel, 33, 20, 30)
    assert "(row 0 holds what belongs into row 32)" in hint


def test_exchanged_columns_with_one_wrong_element_are_not() -> None:
    def kernel(out: Array, data: CaseData, K: int, **_: int) -> None:
        out[...] = product(data)[:, np.arange(K) ^ 1]
        out[3, 3] += 1

    assert "each other's places" not in matmul(kernel, 16, 20, 30)


def test_a_large_output_is_explained_as_well() -> None:
    problem = find_problem("transpose")

    def repeated(out: Array, data: CaseData, rows: int, cols: int) -> None:
        column = np.arange(rows)
        out[...] = data.expected["output"][:, column // 64 * 64 + column % 16]

    def unwritten(out: Array, data: CaseData, rows: int, cols: int) -> None:
        out[:2048] = data.expected["output"][:2048]

    def late(out: Array, data: CaseData, rows: int, cols: int) -> None:
        out[...] = data.expected["output"]
        out[2049] = 0

    assert 1100 * 2050 > LARGE
    hint = plant(problem, repeated, rows=1100, cols=2050)
    assert hint.startswith("in the first 238 rows, columns 16 to 63 of every 64 repeat")
    hint = plant(problem, unwritten, rows=1100, cols=2050)
    assert hint.startswith("rows 2048 and 2049 were never written")
    assert plant(problem, late, rows=1100, cols=2050) == ""


def test_a_large_vector(tmp_path: Path) -> None:
    problem = vector_problem(tmp_path, "float32", "{uniform: [1, 9]}")

    def kernel(out: Array, data: CaseData, n: int) -> None:
        out[...] = 0

    hint = plant(problem, kernel, n=LARGE + 5)
    assert hint.startswith(f"in the first {LARGE} elements, every element is zero")


def test_transposed_result_and_copied_input() -> None:
    def turned(out: Array, data: CaseData, **_: int) -> None:
        out.reshape(-1)[...] = np.ascontiguousarray(product(data).T).reshape(-1)

    for shape in SHAPES:
        assert matmul(turned, *shape).startswith("C is the transpose of what is expected")

    def copied(out: Array, data: CaseData, **_: int) -> None:
        out.reshape(-1)[...] = data.inputs["input"].reshape(-1)

    for rows, cols in ((17, 31), (64, 64), (5, 100)):
        assert transpose(copied, rows, cols).startswith("output is input unchanged")


def test_shifts() -> None:
    def right(out: Array, data: CaseData, **_: int) -> None:
        out[:, 1:] = product(data)[:, :-1]
        out[:, 0] = 7

    def up(out: Array, data: CaseData, **_: int) -> None:
        out[:-2] = product(data)[2:]
        out[-2:] = 7

    assert matmul(right, 20, 9, 30) == "everything is stored 1 column too late"
    assert matmul(up, 20, 9, 30) == "everything is stored 2 rows too early"


def changed_by(change: Callable[[Array], Array]) -> Kernel:
    def kernel(out: Array, data: CaseData, **_: int) -> None:
        out[...] = change(product(data))

    return kernel


@pytest.mark.parametrize(
    ("factor", "told"), [(2, "2 times"), (0.5, "0.5 times"), (-1, "-1 times"), (1 / 16, "0.0625 ")]
)
def test_factors(factor: float, told: str) -> None:
    hint = matmul(changed_by(lambda right: right * np.float32(factor)), 20, 9, 30)
    assert hint.startswith(f"every element is {told}")


def test_offsets() -> None:
    assert matmul(changed_by(lambda right: right + 1), 20, 9, 30) == "every element is off by +1"


# --- the einsum computed anew ------------------------------------------------------------------


@pytest.mark.parametrize("tile", [8, 16, 32, 64])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_last_partial_tile_is_missing(shape: tuple[int, int, int], tile: int) -> None:
    m, n, k = shape
    kept = n // tile * tile

    def kernel(out: Array, data: CaseData, **_: int) -> None:
        out[...] = data.inputs["A"][:, :kept] @ data.inputs["B"][:kept]

    if kept == n:
        return
    hint = matmul(kernel, m, n, k)
    if kept == 0:
        assert hint.startswith("every element is zero")
    elif kept == n - 1:
        assert hint.startswith(f"the term n = {kept} is missing")
    else:
        assert hint.startswith(f"the terms n = {kept} to {n - 1} are missing from every sum")
        assert "rounded down" in hint


def test_other_missing_terms() -> None:
    def without(first: int, last: int) -> Kernel:
        def kernel(out: Array, data: CaseData, **_: int) -> None:
            a, b = data.inputs["A"].copy(), data.inputs["B"]
            a[:, first : last + 1] = 0
            out[...] = a @ b

        return kernel

    assert matmul(without(28, 28), 20, 29, 30).startswith("the term n = 28 is missing from every")
    assert "end too early" in matmul(without(21, 28), 20, 29, 30)
    assert matmul(without(0, 0), 20, 29, 30).startswith("the term n = 0 is missing from every sum")
    assert "begin too late" in matmul(without(0, 3), 20, 29, 30)
    assert matmul(without(8191, 8191), 3, 8192, 2).startswith("the term n = 8191 is missing")
    # Terms in the middle are not recognised, and nothing is made up.
    assert matmul(without(9, 10), 20, 29, 30) == ""


def test_a_loop_along_the_wrong_dimension() -> None:
    def kernel(out: Array, data: CaseData, N: int, K: int, **_: int) -> None:
        count = min(N, K)
        out[...] = data.inputs["A"][:, :count] @ data.inputs["B"][:count]

    hint = matmul(kernel, 20, 36, 12)
    assert hint.startswith("the terms n = 12 to 35 are missing from every sum")
    assert hint.endswith("does the loop run along K instead of N?")
    hint = matmul(kernel, 31, 33, 32)
    assert hint.endswith("rounded down (or does the loop run along K instead of N)?")


def test_clamped_indices() -> None:
    def kernel(out: Array, data: CaseData, N: int, **_: int) -> None:
        index = np.minimum(np.arange(-(-N // 16) * 16), N - 1)
        out[...] = data.inputs["A"][:, index] @ data.inputs["B"][index]

    hint = matmul(kernel, 20, 19, 30)
    assert hint.startswith("the term n = 18 is added 13 times more than it should be")
    assert matmul(kernel, 20, 31, 30).startswith("the term n = 30 is added once more")


def test_tiles_that_are_not_turned() -> None:
    def kernel(out: Array, data: CaseData, rows: int, cols: int) -> None:
        out[...] = 0
        source = data.inputs["input"]
        for r in range(0, rows, 16):
            for c in range(0, cols, 16):
                tile = source[r : r + 16, c : c + 16]
                place = out[c : c + tile.shape[0], r : r + tile.shape[1]]
                place[...] = tile[: place.shape[0], : place.shape[1]]

    for rows, cols in ((64, 96), (70, 50), (33, 40)):
        assert transpose(kernel, rows, cols).startswith("each 16 x 16 tile is in its place but")


def flat_matmul(a: Array, b: Array, out: Array, m: int, n: int, k: int) -> None:
    """A kernel for M x N by N x K on flat memory that may be too short; beyond it lies poison."""
    nan = np.float32(np.nan)
    left = np.full(max(m * n, a.size), nan, np.float32)
    right = np.full(max(n * k, b.size), nan, np.float32)
    left[: a.size], right[: b.size] = a.reshape(-1), b.reshape(-1)
    result = (left[: m * n].reshape(m, n) @ right[: n * k].reshape(n, k)).reshape(-1)
    count = min(out.size, result.size)
    out.reshape(-1)[:count] = result[:count]


def test_contraction_along_the_wrong_dimension() -> None:
    """The textbook's A (M x K) times B (K x N)."""

    def kernel(out: Array, data: CaseData, M: int, N: int, K: int) -> None:
        flat_matmul(data.inputs["A"], data.inputs["B"], out, M, K, N)

    for shape in ((20, 50, 30), (17, 31, 19), (64, 80, 48)):
        hint = matmul(kernel, *shape)
        assert hint.startswith("this is what comes out when the sizes are mixed up"), hint
        assert "K for N" in hint
        assert "N for K" in hint


def test_swapped_arguments() -> None:
    def kernel(out: Array, data: CaseData, M: int, N: int, K: int) -> None:
        flat_matmul(data.inputs["A"], data.inputs["B"], out, K, N, M)

    hint = matmul(kernel, 20, 15, 30)
    assert hint.startswith("this is what comes out when the sizes are mixed up"), hint


def test_operands_read_wrongly() -> None:
    def b_transposed(out: Array, data: CaseData, N: int, K: int, **_: int) -> None:
        out[...] = data.inputs["A"] @ data.inputs["B"].reshape(K, N).T

    def a_transposed(out: Array, data: CaseData, M: int, N: int, **_: int) -> None:
        out[...] = data.inputs["A"].reshape(N, M).T @ data.inputs["B"]

    def a_stride(out: Array, data: CaseData, M: int, N: int, K: int) -> None:
        index = np.arange(M)[:, None] * K + np.arange(N)
        flat = np.append(data.inputs["A"].reshape(-1), np.full(M * K, np.nan, np.float32))
        out[...] = flat[index] @ data.inputs["B"]

    for shape in SHAPES:
        assert matmul(b_transposed, *shape).startswith("B is read as if it were stored transposed")
        assert matmul(a_transposed, *shape).startswith("A is read as if it were stored transposed")
    hint = matmul(a_stride, 20, 40, 30)
    assert hint == "A is read with rows of K elements; its rows have N"


# --- precision ---------------------------------------------------------------------------------


def cut(values: Array, bits: int, truncate: bool) -> Array:
    mantissa, exponent = np.frexp(values.astype(np.float64))
    scaled = mantissa * 2.0 ** (bits + 1)
    whole = np.trunc(scaled) if truncate else np.round(scaled)
    return np.asarray(np.ldexp(whole, exponent - bits - 1))


def fewer(bits: int, truncate: bool = False) -> Kernel:
    def kernel(out: Array, data: CaseData, **_: int) -> None:
        a, b = (cut(data.inputs[name], bits, truncate) for name in "AB")
        out[...] = a @ b

    return kernel


LONG = [(16, 4096, 16), (8, 8192, 8)]


@pytest.mark.fault(22)
@pytest.mark.parametrize("shape", [*SHAPES, (8, 8, 8), *LONG])
def test_low_precision(shape: tuple[int, int, int]) -> None:
    assert matmul(fewer(10), *shape).startswith("TF32-like precision")
    assert matmul(fewer(10, truncate=True), *shape).startswith("TF32-like precision")
    assert matmul(fewer(7), *shape).startswith("BF16-like precision")


@pytest.mark.fault(22)
@pytest.mark.parametrize("shape", [*SHAPES, *LONG])
def test_inputs_in_half_precision(shape: tuple[int, int, int]) -> None:
    """They have TF32's bits, so that both are named."""

    def kernel(out: Array, data: CaseData, **_: int) -> None:
        a, b = (data.inputs[name].astype(np.float16).astype(np.float64) for name in "AB")
        out[...] = a @ b

    assert re.match("TF32-like precision: .* as TF32 and FP16 do;", matmul(kernel, *shape))


def half_sums(a: Array, b: Array) -> Array:
    total = np.zeros((a.shape[0], b.shape[1]), np.float16)
    for n in range(a.shape[1]):
        total += a[:, n, None].astype(np.float16) * b[n].astype(np.float16)
    return total


@pytest.mark.fault(22)
@pytest.mark.parametrize("shape", [(17, 64, 31), (64, 300, 80), (16, 1024, 16), *LONG])
def test_sums_in_half_precision(shape: tuple[int, int, int]) -> None:
    def kernel(out: Array, data: CaseData, **_: int) -> None:
        out[...] = half_sums(data.inputs["A"], data.inputs["B"])

    hint = matmul(kernel, *shape)
    assert hint.startswith("FP16-like precision: every element is a number that FP16 can hold")


def test_tiles_summed_in_half_precision() -> None:
    """Whose total is no number of that type any more."""

    def kernel(out: Array, data: CaseData, N: int, **_: int) -> None:
        out[...] = 0
        for n in range(0, N, 64):
            out += half_sums(data.inputs["A"][:, n : n + 64], data.inputs["B"][n : n + 64])

    assert re.match("(FP16|BF16|TF32)-like precision", matmul(kernel, 40, 512, 24))


@pytest.mark.parametrize(("name", "bits"), [("FP16", 10), ("BF16", 7)])
def test_results_stored_in_a_narrow_type(name: str, bits: int) -> None:
    def kernel(out: Array, data: CaseData, **_: int) -> None:
        out[...] = cut(data.expected["C"], bits, truncate=False)

    assert matmul(kernel, 17, 19, 31).startswith(f"{name}-like precision: every element is a")


def test_whole_numbers_are_not_called_half_precision(tmp_path: Path) -> None:
    """Small ones are numbers that FP16 can hold, whatever they were computed in."""
    text = """\
name: whole
title: Sums of whole numbers
statement: of few values.
sizes: {m: [1, 99]}
arguments:
  - {name: a, type: float32, shape: [m, m], role: in, data: {integers: [0, 1]}}
  - {name: b, type: float32, shape: [m, m], role: in, data: {integers: [0, 1]}}
  - {name: c, type: float32, shape: [m, m], role: out}
reference: {einsum: "mn,nk->mk"}
tolerance: {atol: 1e-4, rtol: 1e-4, reduction: m}
"""
    (tmp_path / "whole.yaml").write_text(text)
    noise = np.random.default_rng(3)

    def kernel(out: Array, data: CaseData, **_: int) -> None:
        out[...] = data.expected["c"] + noise.choice([-1, 1], out.shape)

    hint = plant(load_problem(tmp_path / "whole.yaml"), kernel, m=99)
    assert "precision" not in hint


def test_low_precision_of_a_python_reference(tmp_path: Path) -> None:
    problem = vector_problem(tmp_path, "float32", "{uniform: [1, 9]}", "x * 3")

    def kernel(out: Array, data: CaseData, n: int) -> None:
        out[...] = data.expected["y"].astype(np.float16)

    hint = plant(problem, kernel, n=500)
    assert hint.startswith("close everywhere but not close enough")


def test_fewer_bits_in_a_single_element_prove_nothing() -> None:
    assert "precision" not in matmul(fewer(7), 1, 1, 1)


@pytest.mark.parametrize("bits", [22, 10, 7])
@pytest.mark.parametrize("truncate", [False, True])
def test_values_that_lost_bits(bits: int, truncate: bool) -> None:
    def kernel(out: Array, data: CaseData, **_: int) -> None:
        out[...] = cut(data.expected["output"], bits, truncate)

    hint = transpose(kernel, 33, 20)
    assert hint.startswith(f"the right values, cut to {bits} bits after the leading one")


def test_special_values() -> None:
    problem = find_problem("transpose")

    def hint(change: Callable[[Array], Array]) -> str:
        def kernel(out: Array, data: CaseData, **_: int) -> None:
            out[...] = change(data.expected["output"])

        return plant(problem, kernel, kind="special", rows=33, cols=20)

    only = "only special values are wrong"
    assert hint(lambda x: x + 0).startswith(f"{only} (-0.0): elements are to be moved")
    tiny = np.finfo(np.float32).tiny
    flushed = hint(lambda x: np.where(np.abs(x) < tiny, np.copysign(0, x), x))
    assert flushed.startswith(f"{only} (subnormal numbers):")
    most = np.finfo(np.float32).max
    assert hint(lambda x: np.clip(x, -most, most)).startswith(f"{only} (infinities):")
    assert hint(lambda x: np.nan_to_num(x, nan=1.0, posinf=most)).startswith(
        f"{only} (NaN and infinities):"
    )
    assert only not in hint(lambda x: np.roll(x, 1)), "ordinary numbers are wrong, too"


def test_values_far_beyond_the_right_ones() -> None:
    never_set = "is something read that was never set (a sum that does not start from 0"

    def huge(values: Array) -> Array:
        return np.resize(np.float32([3e31, -2e20, 7e15]), values.shape)

    def endless(values: Array) -> Array:
        return np.copysign(np.float32(np.inf), values)

    def some(values: Array) -> Array:
        return np.where(values > 0, np.float32(2e30), values)

    def large(values: Array) -> Array:
        return np.resize(np.float32([3e3, -2e4, 7e3]), values.shape)

    def hint(change: Callable[[Array], Array]) -> str:
        return matmul(changed_by(change), 20, 9, 30)

    assert hint(huge).startswith(f"every element is far too large: {never_set}")
    assert hint(endless).startswith(f"every element is infinite: {never_set}")
    assert hint(endless).endswith("or does a step on the way overflow?")
    assert hint(some).startswith(f"each wrong element is far too large: {never_set}")
    assert "never set" not in hint(large), "another mistake can do that"


def test_whole_numbers_and_signs() -> None:
    assert matmul(changed_by(np.trunc), 20, 9, 30).startswith("every element is a whole number")

    def large(values: Array) -> Array:
        return np.trunc(values) + np.float32(2**24)

    assert "whole" not in matmul(changed_by(large), 20, 9, 30), "floats of that size all are"
    hint = matmul(changed_by(np.abs), 20, 9, 30)
    assert hint.endswith("but for their sign: negative numbers come out positive")


# --- integers ----------------------------------------------------------------------------------


def vector_problem(folder: Path, kind: str, rule: str, code: str = "x") -> Problem:
    (folder / "ref.py").write_text(
        f"def reference(x):\n    x = x.astype(float)\n    return {code}\n"
    )
    path = folder / "vector.yaml"
    path.write_text(
        "name: vector\ntitle: t\nstatement: s\nsizes: {n: [1, 10000000]}\narguments:\n"
        f"  - {{name: x, type: {kind}, shape: [n], role: in, data: {rule}}}\n"
        f"  - {{name: y, type: {kind}, shape: [n], role: out}}\n"
        "reference: {python: ref.py}\ntolerance: {atol: 1e-4, rtol: 1e-4}\n"
    )
    return load_problem(path)


def test_integer_overflow(tmp_path: Path) -> None:
    problem = vector_problem(tmp_path, "int64", "{integers: [-100000, 100000]}", "x * x")

    def kernel(out: Array, data: CaseData, n: int) -> None:
        x = data.inputs["x"].astype(np.int32)
        out[...] = x * x

    hint = plant(problem, kernel, n=500)
    assert hint.startswith("the wrong elements are right modulo 2^32")
    assert "32-bit int" in hint


# --- where -------------------------------------------------------------------------------------


def spoil(rows: slice, columns: slice) -> Kernel:
    def kernel(out: Array, data: CaseData, **_: int) -> None:
        out[...] = product(data)
        noise = np.random.default_rng(1).uniform(50, 90, out.shape).astype(np.float32)
        out[rows, columns] += noise[rows, columns]

    return kernel


EVERY = slice(None)


def test_the_last_tile() -> None:
    assert matmul(spoil(slice(32, None), EVERY), 35, 9, 30).startswith(
        "every wrong element lies in rows 32 to 34, the last, partial tile"
    )
    assert matmul(spoil(EVERY, slice(16, None)), 35, 9, 19).startswith(
        "every wrong element lies in columns 16 to 18, the last, partial tile"
    )
    assert matmul(spoil(slice(7, 9), slice(64, 66)), 35, 9, 70).startswith(
        "every wrong element lies in columns 64 to 69, the last, partial tile"
    )


def test_the_first_block() -> None:
    def but(rows: int, columns: int) -> Kernel:
        def kernel(out: Array, data: CaseData, **_: int) -> None:
            spoil(EVERY, EVERY)(out, data)
            out[:rows, :columns] = product(data)[:rows, :columns]

        return kernel

    assert matmul(but(1, 1), 40, 9, 50).startswith("only the first element is right")
    assert matmul(but(16, 16), 40, 9, 50).startswith("only the first 16 x 16 elements are right")

    def one(out: Array, data: CaseData, **_: int) -> None:
        out[...] = 0
        out[0, 0] = product(data)[0, 0]

    assert matmul(one, 40, 9, 50).startswith("only the first element is right, all others are zero")


def test_somewhere() -> None:
    hint = matmul(spoil(slice(5, 9), EVERY), 20, 9, 30)
    assert hint == "all wrong elements are in rows 5 to 8, which are wrong throughout"
    hint = matmul(spoil(EVERY, slice(3, 4)), 20, 9, 30)
    assert hint == "all wrong elements are in column 3, which is wrong throughout"


# --- restraint ---------------------------------------------------------------------------------


def test_noise_is_not_explained() -> None:
    """Random values, on every planned shape: no pattern may be seen in them."""
    problem = find_problem("matmul")

    def noise(out: Array, data: CaseData, **sizes: int) -> None:
        generator = np.random.default_rng(sum(sizes.values()))
        out[...] = generator.uniform(-300, 300, out.shape)

    for case in cases.plan_cases(problem, 3):
        if case.example is None:
            assert plant(problem, noise, **case.sizes) == "", case.name


def test_a_race_is_not_called_low_precision() -> None:
    def kernel(out: Array, data: CaseData, **_: int) -> None:
        out[...] = product(data)
        spots = np.random.default_rng(2).choice(out.size, out.size // 10, replace=False)
        out.reshape(-1)[spots] *= np.float32(1.002)

    assert matmul(kernel, 64, 48, 80) == ""


def test_one_element_is_not_enough() -> None:
    """A single number can look like anything."""

    def kernel(out: Array, data: CaseData, N: int, **_: int) -> None:
        out[...] = data.inputs["A"][:, : N - 1] @ data.inputs["B"][: N - 1]

    assert matmul(kernel, 1, 300, 1) == ""


def test_right_elements_are_never_blamed() -> None:
    """An explanation has to hold for the right elements too."""

    def kernel(out: Array, data: CaseData, K: int, **_: int) -> None:
        out[...] = product(data)[:, np.arange(K) % 16]
        out[0, 20] = product(data)[0, 20]

    assert "repeat" not in matmul(kernel, 30, 9, 40)


SPECS = {
    "matmul": ("float32", "[m, n]", "[n, k]", "[m, k]", "{einsum: 'mn,nk->mk'}"),
    "batched": ("float64", "[m, n, k]", "[m, k, n]", "[m, n]", "{einsum: 'mnk,mkn->mn'}"),
    "sum": ("float16", "[m, n]", "[n, k]", "[1]", "{einsum: 'mn,nk->'}"),
    "whole": ("int32", "[m, n]", "[n, k]", "[m, k]", "{einsum: 'mn,nk->mk'}"),
    "outer": ("int64", "[m]", "[n, k]", "[k, m, n]", "{einsum: 'm,nk->kmn'}"),
    "any": ("bool", "[m, n]", "[n, k]", "[m]", "{python: ref.py}"),
    "python": ("float32", "[m]", "[n]", "[k, m]", "{python: ref.py}"),
}


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("seed", range(4))
def test_any_damage_to_any_output_is_survived(tmp_path: Path, name: str, seed: int) -> None:
    kind, a, b, out, ref = SPECS[name]
    (tmp_path / "ref.py").write_text(
        "import numpy as np\n"
        "def reference(a, b, m, k):\n"
        "    return a.any(axis=1) if a.ndim == 2 else np.ones((k, 1)) * a\n"
    )
    path = tmp_path / f"{name}.yaml"
    path.write_text(
        f"name: {name}\ntitle: t\nstatement: s\nsizes: {{m: [1, 99], n: [1, 99], k: [1, 99]}}\n"
        f"arguments:\n  - {{name: a, type: {kind}, shape: {a}, role: in}}\n"
        f"  - {{name: b, type: {kind}, shape: {b}, role: in}}\n"
        f"  - {{name: c, type: {kind}, shape: {out}, role: out}}\n"
        f"reference: {ref}\ntolerance: {{atol: 1e-3, rtol: 1e-3}}\n"
    )
    problem = load_problem(path)
    generator = np.random.default_rng(seed)
    poison = poison_pattern(kind, 0)

    def damage(out: Array, data: CaseData, **_: int) -> None:
        right = data.expected["c"].astype(out.dtype)
        for place in np.ndindex(out.shape[:1]):
            how = generator.integers(0, 6)
            if how == 0:
                out[place] = np.frombuffer(poison, kind)[0]
            elif how < 3:
                out[place] = right[place]
            elif how == 3:
                out[place] = generator.integers(0, 2)
            else:
                special = (
                    [0, 1, 100] if out.dtype.kind != "f" else [0, np.nan, np.inf, -np.inf, 6e4]
                )
                out[place] = generator.choice(special)

    for sizes in ((1, 1, 1), (2, 3, 1), (5, 17, 33), (16, 8, 40), (33, 1, 7)):
        case_sizes = dict(zip("mnk", sizes, strict=True))
        try:
            plant(problem, damage, seed=seed, **case_sizes)
        except AssertionError as error:
            assert "nothing to explain" in str(error)
