"""The float64 reference through cuBLAS: the same data and slack as numpy's way, or none."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cuda_fakes import OUT_OF_MEMORY, FakeRuntime, FakeRuntimeError

from harness import cases
from harness.backends.cuda import oracle
from harness.backends.cuda.cublas import CublasError
from harness.expr import parse
from harness.model import (
    Argument,
    Case,
    CaseData,
    CaseKind,
    DataRule,
    Problem,
    Reference,
    Role,
    Tolerance,
)

M, N, K = parse("M"), parse("N"), parse("K")
UNIFORM = DataRule("uniform", (-10.0, 10.0))


def problem(
    einsum: str = "mn,nk->mk",
    data: DataRule = UNIFORM,
    dtype: str = "float32",
    reduction: bool = True,
) -> Problem:
    return Problem(
        name="product",
        title="Product",
        statement="",
        sizes={"M": (1, 9999), "N": (1, 9999), "K": (1, 9999)},
        arguments=(
            Argument("A", dtype, Role.IN, (M, N), data),
            Argument("B", dtype, Role.IN, (N, K), data),
            Argument("C", dtype, Role.OUT, (M, K)),
            *(Argument(name, "int32", Role.SIZE) for name in "MNK"),
        ),
        reference=Reference(einsum=einsum),
        tolerance=Tolerance(1e-4, 1e-4, N if reduction else None),
        examples=(),
        tests=(),
        perf=None,
        path=Path("product.yaml"),
    )


def case(work: float = 1e12, m: int = 70, n: int = 33, k: int = 41) -> Case:
    return Case("perf", CaseKind.PERF, {"M": m, "N": n, "K": k}, seed=7, work=work)


class Gemm:
    """cuBLAS's dgemm on the fake device's memory."""

    def __init__(self, wrong: float = 0.0, wrong_squares: float = 1.0) -> None:
        self.wrong = wrong
        self.wrong_squares = wrong_squares
        self.rows: list[int] = []
        self.closed = False

    def view(self, pointer: int, rows: int, columns: int) -> np.ndarray:  # type: ignore[type-arg]
        flat = (ctypes.c_double * (rows * columns)).from_address(pointer)
        return np.frombuffer(flat, np.float64).reshape(rows, columns)

    def dgemm(self, m: int, n: int, k: int, a: int, b: int, c: int) -> None:
        self.rows.append(m)
        product = self.view(a, m, n) @ self.view(b, n, k)
        self.view(c, m, k)[...] = product + self.wrong

    def square(self, count: int, source: int, target: int) -> None:
        squares = np.square(self.view(source, 1, count))
        self.view(target, 1, count)[...] = squares * self.wrong_squares

    def close(self) -> None:
        self.closed = True


def prepared(
    given: Problem, wanted: Case, gemm: Gemm | None = None, runtime: FakeRuntime | None = None
) -> CaseData | None:
    device = FakeRuntime() if runtime is None else runtime
    made = Gemm() if gemm is None else gemm
    return oracle.prepare(
        given, wanted, Path("libcublas.so"), make_runtime=lambda: device, make_gemm=lambda _: made
    )


@pytest.mark.parametrize(("reduction", "einsum"), [(True, "mn,nk->mk"), (False, "ab,bc->ac")])
def test_the_data_are_those_of_numpys_way(
    reduction: bool, einsum: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle, "_BLOCK_BYTES", 8 * 41 * 32)  # blocks of 32 rows: 32, 32, 6
    gemm, runtime = Gemm(), FakeRuntime()
    given = problem(einsum, reduction=reduction)
    fast = prepared(given, case(), gemm, runtime)
    slow = cases.case_data(given, case())
    assert fast is not None
    assert sorted(set(gemm.rows)) == [6, 32]
    assert fast.scalars == slow.scalars
    for name in ("A", "B"):
        assert np.array_equal(fast.inputs[name], slow.inputs[name])
    np.testing.assert_allclose(fast.expected["C"], slow.expected["C"], rtol=1e-12, atol=1e-10)
    np.testing.assert_allclose(
        np.broadcast_to(fast.slack["C"], (70, 41)),
        np.broadcast_to(slow.slack["C"], (70, 41)),
        rtol=1e-5,
    )
    assert fast.expected["C"].dtype == np.float64
    assert runtime.allocated == 0
    assert gemm.closed


@pytest.mark.parametrize(
    "given",
    [
        problem("mn,nk->km"),
        problem("nm,nk->mk"),
        problem("mn,mn->m"),
        problem("mn->nm"),
        problem(dtype="int32", data=DataRule("integers", (0, 9))),
        problem(data=DataRule("constant", (1.0,))),
    ],
    ids=["transposed", "other layout", "row sums", "one operand", "integers", "not random"],
)
def test_what_is_no_product_of_random_matrices_is_left_to_numpy(given: Problem) -> None:
    assert prepared(given, case()) is None


def test_small_cases_are_left_to_numpy() -> None:
    gemm = Gemm()
    assert prepared(problem(), case(work=1e9), gemm) is None
    assert gemm.rows == []


def test_a_wrong_product_is_not_believed() -> None:
    assert prepared(problem(), case(), Gemm(wrong=1e-3)) is None
    assert prepared(problem(), case(), Gemm(wrong=float("nan"))) is None


@pytest.mark.parametrize("factor", [0.99, 1.01, float("inf"), float("nan"), 0.0])
def test_wrong_squares_are_not_believed(factor: float) -> None:
    assert prepared(problem(), case(), Gemm(wrong_squares=factor)) is None


def test_a_device_that_fails_leaves_the_work_to_numpy() -> None:
    class Full(FakeRuntime):
        def malloc(self, size: int) -> int:
            raise FakeRuntimeError(*OUT_OF_MEMORY)

    assert prepared(problem(), case(), runtime=Full()) is None

    def no_library(path: Path) -> Gemm:
        raise CublasError("cannot be loaded")

    def no_cupy() -> FakeRuntime:
        raise ImportError("no CuPy")

    path = Path("libcublas.so")
    assert (
        oracle.prepare(problem(), case(), path, make_runtime=FakeRuntime, make_gemm=no_library)
        is None
    )
    assert oracle.prepare(problem(), case(), path, make_runtime=no_cupy) is None


def test_it_stops_when_the_judge_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle._leaving, "is_set", lambda: True)
    gemm = Gemm()
    assert prepared(problem(), case(), gemm) is None
    assert gemm.rows == []


def test_half_precision_inputs_work_too() -> None:
    given = problem(dtype="float16")
    fast, slow = prepared(given, case()), cases.case_data(given, case())
    assert fast is not None
    np.testing.assert_allclose(fast.expected["C"], slow.expected["C"], rtol=1e-12, atol=1e-10)


def test_mixed_types_must_all_be_floats() -> None:
    given = problem()
    mixed = replace(given.arguments[1], type="int32", data=DataRule("integers", (0, 9)))
    arguments = (given.arguments[0], mixed, *given.arguments[2:])
    assert prepared(replace(given, arguments=arguments), case()) is None
