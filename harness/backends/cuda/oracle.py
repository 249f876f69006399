"""The perf case's right answers from cuBLAS in float64, in the judge's own process.

A large matmul takes a CPU seconds in float64 and a GPU a fraction of one. The inputs are those that
``harness.inputs`` makes from the seed, so nothing but the time differs from numpy's way; the slack
is ``harness.reference``'s formula, ``factor * sqrt(ref^2 + T2)`` with T2 the product of the squared
matrices. The left matrix goes through in blocks of rows, so that device and host need little beside
the result. A few elements are computed again on the CPU; whatever goes wrong or looks wrong, numpy
does the work instead.
"""

from __future__ import annotations

import atexit
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from harness.backends.cuda.cublas import Cublas
from harness.backends.cuda.device import TO_DEVICE, TO_HOST, Runtime, import_runtime
from harness.model import Case, CaseData, Problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]

# Below this numpy is as fast as a context is made.
_LEAST_WORK = 2e10
_BLOCK_BYTES = 64 << 20
_PROBES = 16
_PROBE_TOLERANCE = 1e-11

_busy = threading.Lock()
_leaving = threading.Event()


class Gemm(Protocol):
    """What is used of ``Cublas``."""

    def dgemm(self, m: int, n: int, k: int, a: int, b: int, c: int) -> None: ...
    def close(self) -> None: ...


class _Unfit(Exception):
    """The device's answer cannot be used."""


def prepare(
    problem: Problem,
    case: Case,
    cublas: Path,
    *,
    make_runtime: Callable[[], Runtime] = import_runtime,
    make_gemm: Callable[[Path], Gemm] = Cublas,
) -> CaseData | None:
    """The data of a large case whose reference is a product of two matrices, or None: numpy is to
    do it."""
    if case.work < _LEAST_WORK or not _is_matmul(problem):
        return None
    from harness.inputs import case_inputs
    from harness.reference import slack_factor

    output = problem.outputs[0]
    factor = slack_factor(problem, case, output)
    if factor is None:
        return None
    inputs, scalars = case_inputs(problem, case)
    left, right = (inputs[argument.name] for argument in problem.inputs)
    try:
        with _busy, _on_device(make_runtime(), make_gemm, cublas) as product:
            expected, slack = product.answer(left, right, factor)
        _probe(left, right, expected)
    except Exception:
        # A library that does not load, a device that is full or faulty: numpy needs neither.
        return None
    return CaseData(inputs, scalars, {output.name: expected}, {output.name: slack})


def _is_matmul(problem: Problem) -> bool:
    """``ab,bc->ac`` on floats, in whatever letters."""
    left, _, output = problem.reference.einsum.partition("->")
    words = left.split(",")
    if len(words) != 2 or any(len(word) != 2 for word in words):
        return False
    a, b, c, d = [*words[0], *words[1]]
    arrays = (*problem.inputs, *problem.outputs)
    floats = all(argument.type.startswith("float") for argument in arrays)
    return floats and len(arrays) == 3 and b == c and output == a + d and len({a, b, d}) == 3


@contextmanager
def _on_device(
    runtime: Runtime, make_gemm: Callable[[Path], Gemm], cublas: Path
) -> Iterator[_Product]:
    runtime.setDevice(0)
    runtime.free(0)
    gemm = make_gemm(cublas)
    product = _Product(runtime, gemm)
    try:
        yield product
    finally:
        product.close()
        gemm.close()


class _Product:
    """Products of large matrices in float64 through one device."""

    def __init__(self, runtime: Runtime, gemm: Gemm) -> None:
        self._runtime = runtime
        self._gemm = gemm
        self._owned: list[int] = []

    def close(self) -> None:
        while self._owned:
            self._runtime.free(self._owned.pop())

    def answer(
        self, left: NDArray[np.generic], right: NDArray[np.generic], factor: float
    ) -> tuple[Doubles, NDArray[np.float32]]:
        """``left @ right`` and ``factor * sqrt(product^2 + left^2 @ right^2)``."""
        import numpy as np

        (rows, inner), columns = left.shape, right.shape[1]
        block = max(1, min(rows, _BLOCK_BYTES // (8 * max(inner, columns))))
        wide = right.astype(np.float64)
        factors = [self._malloc(wide.nbytes) for _ in range(2)]
        self._upload(factors[0], wide)
        self._upload(factors[1], np.square(wide, out=wide))
        a, c = self._malloc(8 * block * inner), self._malloc(8 * block * columns)
        expected = np.empty((rows, columns), np.float64)
        slack = np.empty((rows, columns), np.float32)
        squares = np.empty((block, columns), np.float64)
        for begin in range(0, rows, block):
            if _leaving.is_set():
                raise _Unfit("the judge is leaving")
            end = min(begin + block, rows)
            part = left[begin:end].astype(np.float64)
            sizes = (end - begin, inner, columns)
            self._multiply(sizes, part, (a, factors[0], c), expected[begin:end])
            np.square(part, out=part)
            self._multiply(sizes, part, (a, factors[1], c), squares[: end - begin])
            _fill_slack(slack[begin:end], expected[begin:end], squares[: end - begin], factor)
        return expected, slack

    def _multiply(
        self,
        sizes: tuple[int, int, int],
        left: Doubles,
        pointers: tuple[int, int, int],
        out: Doubles,
    ) -> None:
        a, b, c = pointers
        self._upload(a, left)
        self._gemm.dgemm(*sizes, a, b, c)
        self._runtime.memcpy(out.ctypes.data, c, out.nbytes, TO_HOST)

    def _malloc(self, size: int) -> int:
        pointer = self._runtime.malloc(size)
        self._owned.append(pointer)
        return pointer

    def _upload(self, pointer: int, array: Doubles) -> None:
        self._runtime.memcpy(pointer, array.ctypes.data, array.nbytes, TO_DEVICE)


def _fill_slack(
    out: NDArray[np.float32], expected: Doubles, squares: Doubles, factor: float
) -> None:
    """``factor * sqrt(expected^2 + squares)`` into ``out``, on all cores; ``squares`` is spent."""
    import numpy as np

    from harness.parallel import each, spans

    def fill(begin: int, end: int) -> None:
        terms = squares[begin:end]
        terms += np.square(expected[begin:end])
        np.sqrt(terms, out=terms)
        terms *= factor
        out[begin:end] = terms

    each(fill, spans(len(out), max(1, (1 << 18) // out.shape[1])))


def _probe(left: NDArray[np.generic], right: NDArray[np.generic], product: Doubles) -> None:
    """Raise _Unfit unless random elements, the corners among them, are what numpy computes."""
    import numpy as np

    rows, columns = product.shape
    generator = random.Random()
    places = [(0, 0), (rows - 1, columns - 1)]
    places += [(generator.randrange(rows), generator.randrange(columns)) for _ in range(_PROBES)]
    for row, column in places:
        x = left[row].astype(np.float64)
        y = right[:, column].astype(np.float64)
        bound = _PROBE_TOLERANCE * float(np.abs(x) @ np.abs(y))
        if not abs(float(x @ y) - float(product[row, column])) <= bound:
            raise _Unfit(f"element [{row}, {column}] is not what the CPU computes")
    if not np.isfinite(product.sum()):
        raise _Unfit("a sum is no number")


@atexit.register
def _leave() -> None:
    """End with the device idle: the perf case's data are made on a daemon thread, and a process
    that exits inside a CUDA call may crash on its way out."""
    _leaving.set()
    if _busy.acquire(timeout=10.0):
        _busy.release()
