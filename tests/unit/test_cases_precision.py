"""The bound on rounding: correct FP32 sums in any order pass at every length, and sums of inputs
rounded to TF32, FP16 or BF16 fail on every shape of some size. ``test_tolerance_experiment.py`` has
what tensor cores do.

Whole outputs go through ``compare_output`` with the data and the tolerance of problems/matmul.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from harness import cases
from harness.catalog import find_problem
from harness.compare import compare_output, poison_pattern
from harness.model import CaseData, Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Sum = Callable[[Floats, Floats], Floats]

POISON = poison_pattern("float32", 0)
LENGTHS = (1, 2, 3, 7, 8, 16, 33, 64, 257, 1024, 3001, 8192)


def matmul_data(m: int, n: int, k: int, seed: int = 20) -> tuple[Problem, CaseData]:
    problem = find_problem("matmul")
    case = cases.sized_case(problem, seed, {"M": m, "N": n, "K": k})
    return problem, cases.case_data(problem, case)


def passes(problem: Problem, data: CaseData, got: NDArray[Any]) -> bool:
    argument, tolerance = problem.outputs[0], problem.tolerance
    assert got.dtype == np.float32
    return compare_output(argument, got, data, tolerance, POISON) is None


def sequential(a: Floats, b: Floats) -> Floats:
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for n in range(a.shape[1]):
        total += a[:, n, None] * b[n]
    return total


def reversed_order(a: Floats, b: Floats) -> Floats:
    return sequential(a[:, ::-1], b[::-1])


def fused(a: Floats, b: Floats) -> Floats:
    """Multiply-adds with one rounding (the double product is exact, the double sum nearly)."""
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for n in range(a.shape[1]):
        total = (a[:, n, None].astype(np.float64) * b[n] + total).astype(np.float32)
    return total


def pairwise(a: Floats, b: Floats) -> Floats:
    terms = a.T[:, :, None] * b[:, None, :]
    while len(terms) > 1:
        if len(terms) % 2:
            terms = np.concatenate([terms, np.zeros_like(terms[:1])])
        terms = terms[::2] + terms[1::2]
    return np.asarray(terms[0])


def split(parts: int) -> Sum:
    """Split-K: partial sums of slices, added one after the other."""

    def summed(a: Floats, b: Floats) -> Floats:
        slices = zip(np.array_split(a, parts, 1), np.array_split(b, parts, 0), strict=True)
        total = np.zeros((a.shape[0], b.shape[1]), np.float32)
        for left, right in slices:
            total += sequential(left, right)
        return total

    return summed


def tiled(a: Floats, b: Floats) -> Floats:
    """One accumulator over tiles of 16, each tile summed by itself."""
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for n in range(0, a.shape[1], 16):
        total += fused(a[:, n : n + 16], b[n : n + 16])
    return total


ORDERS: dict[str, Sum] = {
    "sequential": sequential,
    "reversed": reversed_order,
    "fused": fused,
    "pairwise": pairwise,
    "split in 4": split(4),
    "split in 37": split(37),
    "tiled": tiled,
    "blas": lambda a, b: a @ b,
}


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_of_summation_passes(order: str) -> None:
    for length in LENGTHS:
        problem, data = matmul_data(24, length, 20)
        a, b = (data.inputs[x] for x in "AB")
        assert passes(problem, data, ORDERS[order](a, b)), length


def test_the_worst_order_uses_half_of_the_bound_at_most() -> None:
    """So that a hundred million elements, with their longer tails, still fit."""
    for length in (64, 1024, 8192):
        _, data = matmul_data(64, length, 64)
        error = np.abs(fused(data.inputs["A"], data.inputs["B"]) - data.expected["C"])
        assert (error / data.slack["C"]).max() < 0.5


def rounded(values: Floats, bits: int) -> Floats:
    """To so many bits after the leading one, to nearest even."""
    mantissa, exponent = np.frexp(values)
    return np.ldexp(np.round(mantissa * np.float32(2 ** (bits + 1))), exponent - bits - 1)


def truncated(values: Floats, bits: int) -> Floats:
    keep = np.uint32((0xFFFFFFFF << (23 - bits)) & 0xFFFFFFFF)
    return (values.view(np.uint32) & keep).view(np.float32)


FEWER_BITS: dict[str, Callable[[Floats], Floats]] = {
    "TF32": lambda x: rounded(x, 10),
    "TF32 truncated": lambda x: truncated(x, 10),
    "FP16": lambda x: x.astype(np.float16).astype(np.float32),
    "BF16": lambda x: rounded(x, 7),
}


def shapes_of_some_size() -> Iterator[tuple[int, int, int]]:
    for n in (8, 16, 33, 100, 511, 2048, 8192):
        yield 8, n, 8
        yield 37, n, 21


@pytest.mark.parametrize("kind", FEWER_BITS)
def test_fewer_bits_fail(kind: str) -> None:
    for m, n, k in shapes_of_some_size():
        problem, data = matmul_data(m, n, k)
        a, b = (FEWER_BITS[kind](data.inputs[x]).astype(np.float64) for x in "AB")
        # Summed without any further error: rounding the inputs is enough to fail.
        assert not passes(problem, data, (a @ b).astype(np.float32)), (m, n, k)


def test_half_precision_sums_fail() -> None:
    for m, n, k in shapes_of_some_size():
        problem, data = matmul_data(m, n, k)
        a, b = (data.inputs[x].astype(np.float16) for x in "AB")
        total = np.zeros((m, k), np.float16)
        for step in range(n):
            total += a[:, step, None] * b[step]
        assert not passes(problem, data, total.astype(np.float32)), (m, n, k)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 7.7])
def test_constant_data_summed_one_after_the_other_pass(value: float) -> None:
    """Rounding errors that all point one way, which the random bound would not allow."""
    from dataclasses import replace

    from harness.model import DataRule

    problem = find_problem("matmul")
    arguments = tuple(
        replace(a, data=DataRule("constant", (value,))) if a.data else a for a in problem.arguments
    )
    problem = replace(problem, arguments=arguments)
    for length in (3, 100, 1000, 8192):
        case = cases.sized_case(problem, 1, {"M": 2, "N": length, "K": 2})
        data = cases.case_data(problem, case)
        for order in (sequential, fused, pairwise, tiled):
            assert passes(problem, data, order(data.inputs["A"], data.inputs["B"])), length
