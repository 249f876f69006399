"""Reports built by hand, for the golden tests of all renderers; their schemas, closed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.expr import parse
from harness.model import (
    Argument,
    Baseline,
    BuildInfo,
    CaseKind,
    CaseResult,
    Diagnostic,
    Element,
    Example,
    Finding,
    LeftOut,
    Mismatch,
    Perf,
    Problem,
    Reference,
    Report,
    Role,
    Timing,
    Tolerance,
    Verdict,
)

ENVIRONMENT = {"leetk": "0.1.0", "python": "3.11.7", "compiler": "g++ 12.2.0"}
COMMAND = ("g++", "-O2", "-std=c++17", "-shared", "-o", "solve.so", "my solutions/v2.cu")
PERF_SIZES = {"M": 8192, "N": 6144, "K": 4096}


def _values(rows: list[list[int]]) -> np.ndarray[Any, Any]:
    return np.array(rows, np.float32)


def _array(name: str, first: str, second: str, role: Role) -> Argument:
    return Argument(name, "float32", role, (parse(first), parse(second)))


PROBLEM = Problem(
    name="matmul",
    title="Matrix Multiplication",
    statement="Multiply A (M x N) by B (N x K) into C (M x K).\nThe contraction runs along N.",
    sizes={"M": (1, 8192), "N": (1, 8192), "K": (1, 8192)},
    arguments=(
        _array("A", "M", "N", Role.IN),
        _array("B", "N", "K", Role.IN),
        _array("C", "M", "K", Role.OUT),
        Argument("M", "int32", Role.SIZE),
        Argument("N", "int32", Role.SIZE),
        Argument("K", "int32", Role.SIZE),
    ),
    reference=Reference(einsum="mn,nk->mk"),
    tolerance=Tolerance(1e-4, 1e-4, parse("N")),
    examples=(
        Example(
            {"A": _values([[1, 2], [3, 4]]), "B": _values([[5, 6], [7, 8]])},
            {"C": _values([[19, 22], [43, 50]])},
            {"M": 2, "N": 2, "K": 2},
        ),
        Example(
            {"A": _values([[1, 2, 3]]), "B": _values([[4], [5], [6]])},
            {"C": _values([[32]])},
            {"M": 1, "N": 3, "K": 1},
        ),
    ),
    tests=({"M": 1, "N": 1, "K": 1}, {"M": 17, "N": 19, "K": 31}),
    perf=Perf(PERF_SIZES, parse("2*M*N*K"), parse("4*(M*N + N*K + M*K)"), "matmul"),
    path=Path("problems/matmul.yaml"),
)


def case(
    name: str, kind: CaseKind, m: int, n: int, k: int, verdict: Verdict = Verdict.ACCEPTED
) -> CaseResult:
    error = 1.5e-6 if verdict is Verdict.ACCEPTED else None
    return CaseResult(name, kind, {"M": m, "N": n, "K": k}, verdict, "", 0.004, error)


PASSED = (
    case("example 1", CaseKind.EXAMPLE, 2, 2, 2),
    case("example 2", CaseKind.EXAMPLE, 1, 3, 1),
    case("1x1x1", CaseKind.TEST, 1, 1, 1),
    case("17x19x31", CaseKind.TEST, 17, 19, 31),
    case("fuzz 33x5x64", CaseKind.FUZZ, 33, 5, 64),
)
PERF_LEFT_OUT = LeftOut(
    "perf 8192x6144x4096",
    CaseKind.PERF,
    PERF_SIZES,
    "the cpu backend judges correctness and never claims a GPU time",
)
UNUSED = Diagnostic(
    "solutions/v3.cu",
    14,
    12,
    "warning",
    'variable "col_b" was declared but never referenced',
    "\tconst int col_b = blockIdx.x * 16 + j;",
)

ACCEPTED_CPU = Report(
    problem="matmul",
    solution="solutions/v2.cu",
    backend="cpu",
    verdict=Verdict.ACCEPTED,
    reason="",
    seed=7,
    environment=ENVIRONMENT,
    build=BuildInfo(COMMAND, 0.91, False),
    cases=PASSED,
    left_out=(PERF_LEFT_OUT,),
    checked={"M": 64, "N": 48, "K": 80},
    seconds=1.42,
)

ACCEPTED_CUDA = Report(
    problem="matmul",
    solution="solutions/v2.cu",
    backend="cuda",
    verdict=Verdict.ACCEPTED,
    reason="",
    seed=7,
    environment={"leetk": "0.1.0", "device": "NVIDIA H200"},
    build=BuildInfo(("nvcc", "-O3", "--use_fast_math", "v2.cu"), 1.3, True),
    cases=(*PASSED, case("perf 8192x6144x4096", CaseKind.PERF, 8192, 6144, 4096)),
    timing=Timing(
        sizes=PERF_SIZES,
        median_ms=50.76,
        mad_ms=0.05,
        samples_ms=(50.76,) * 9 + (50.71, 50.81),
        gflops=8122.9,
        gbps=8.594,
        baseline=Baseline("cuBLAS SGEMM", 8.18, 0.161),
        notes=("the clock fell to 1700 MHz (power) in 1 of 11 samples",),
    ),
    seconds=6.3,
)

_HINT = "columns 16 to 63 repeat columns 0 to 15: the column of B does not move with the tile"
_REASON = "3 of 8 elements of C are wrong, first C[0][2]: got 12.5, expected -3.25"
_MISMATCH = Mismatch(
    argument="C",
    shape=(2, 4),
    wrong=3,
    unwritten=1,
    total=8,
    first=(
        Element((0, 2), 12.5, -3.25, 0.00042),
        Element((0, 3), float("nan"), 1234567.875, 123.4),
        Element((1, 3), 0.0, 0.1, 0.00011, unwritten=True),
    ),
    max_abs_error=float("inf"),
    map=("..xx", "...o"),
    map_cell=(1, 1),
    hint=_HINT,
)

WRONG_ANSWER = Report(
    problem="matmul",
    solution="solutions/v3.cu",
    backend="cpu",
    verdict=Verdict.WRONG_ANSWER,
    reason=f"fuzz 2x5x4: {_REASON}; {_HINT}",
    seed=7,
    environment=ENVIRONMENT,
    build=BuildInfo(COMMAND, 0.91, False, (UNUSED,)),
    cases=(
        *PASSED[:4],
        CaseResult(
            name="fuzz 2x5x4",
            kind=CaseKind.FUZZ,
            sizes={"M": 2, "N": 5, "K": 4},
            verdict=Verdict.WRONG_ANSWER,
            reason=f"{_REASON}; {_HINT}",
            seconds=0.004,
            max_abs_error=float("inf"),
            mismatch=_MISMATCH,
            findings=(Finding("race", "warning", "s[ty][tx] may race", "solutions/v3.cu", 21, 9),),
            output="block 0\x1b[2J\nrow \u202e1\n",
            replay="leetk run matmul solutions/v3.cu --backend cpu --size M=2 --size N=5 "
            "--size K=4 --seed 7",
        ),
        case("fuzz 17x19x31", CaseKind.FUZZ, 17, 19, 31, Verdict.WRONG_ANSWER),
    ),
    left_out=(
        LeftOut("fuzz 1x1x9", CaseKind.FUZZ, {"M": 1, "N": 1, "K": 9}, "after 3 faults"),
        PERF_LEFT_OUT,
    ),
    hint=_HINT,
    seconds=2.5,
)

COMPILE_ERROR = Report(
    problem="matmul",
    solution="solutions/typo.cu",
    backend="cuda",
    verdict=Verdict.COMPILE_ERROR,
    reason="1 error: expected a ';'",
    seed=7,
    environment={"leetk": "0.1.0"},
    build=BuildInfo(
        ("nvcc", "solutions/typo.cu"),
        1.2,
        False,
        (
            Diagnostic(
                "solutions/typo.cu",
                5,
                20,
                "error",
                "expected a ';'",
                "    float sum = 0 // 合計",
            ),
            Diagnostic("", 0, 0, "note", "1 error detected in the compilation"),
        ),
    ),
    seconds=1.3,
)

SKIPPED = Report(
    problem="matmul",
    solution="solutions/wmma.cu",
    backend="cpu",
    verdict=Verdict.SKIPPED,
    reason="solutions/wmma.cu:3: nvcuda::wmma is not supported here; needs the cuda backend",
    seed=7,
    environment=ENVIRONMENT,
    seconds=0.02,
)

RUNTIME_ERROR = Report(
    problem="matmul",
    solution="solutions/crash.cu",
    backend="cpu",
    verdict=Verdict.RUNTIME_ERROR,
    reason="example 1: segmentation fault: host code used an address that is not its own (SIGSEGV)",
    seed=7,
    environment=ENVIRONMENT,
    build=BuildInfo(COMMAND, 0.91, False),
    cases=(
        CaseResult(
            "example 1",
            CaseKind.EXAMPLE,
            {"M": 2, "N": 2, "K": 2},
            Verdict.RUNTIME_ERROR,
            "segmentation fault: host code used an address that is not its own (SIGSEGV)",
            0.012,
        ),
    ),
    left_out=tuple(
        LeftOut(f"fuzz {i}x1x1", CaseKind.FUZZ, {"M": i, "N": 1, "K": 1}, "after 3 faults")
        for i in range(1, 9)
    ),
    seconds=1.1,
)

ALL = {
    "accepted_cpu": ACCEPTED_CPU,
    "accepted_cuda": ACCEPTED_CUDA,
    "wrong_answer": WRONG_ANSWER,
    "compile_error": COMPILE_ERROR,
    "skipped": SKIPPED,
    "runtime_error": RUNTIME_ERROR,
}

# What ``check`` saw: as it should be, meant to fail and does, meant to fail and does not.
CHECKED = (
    ACCEPTED_CPU,
    replace(WRONG_ANSWER, expected=(Verdict.WRONG_ANSWER,)),
    replace(ACCEPTED_CUDA, solution="tests/竖/no_guard.cu", expected=(Verdict.OUT_OF_BOUNDS,)),
    COMPILE_ERROR,
    SKIPPED,
)


def closed(schema: Any) -> Any:
    """The schema with every object closed, to find keys that it does not describe."""
    if isinstance(schema, dict):
        schema = {key: closed(value) for key, value in schema.items()}
        if "properties" in schema and "required" in schema:
            schema["additionalProperties"] = False
            # Every key that is described is also promised.
            assert sorted(schema["required"]) == sorted(schema["properties"])
    elif isinstance(schema, list):
        schema = [closed(value) for value in schema]
    return schema
