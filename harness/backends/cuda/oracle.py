"""The perf case's right answers from cuBLAS in float64, in the judge's own process.

A large matmul takes a CPU seconds in float64 and a GPU a fraction of one. The inputs are those that
``cases.inputs`` makes from the seed, so nothing but the time differs from numpy's way; the slack
is ``cases.reference``'s formula, ``factor * sqrt(ref^2 + T2)`` with T2 the product of the squared
matrices. The left matrix goes through in blocks of rows, so that device and host need little beside
the result. A few elements are computed again on the CPU; whatever goes wrong or looks wrong, numpy
does the work instead.

A user waits for this: the context and cuBLAS start while the inputs are made, every matrix crosses
the bus once and is squared on the device, and what the host does to arrays it does on all cores.
"""

from __future__ import annotations

import atexit
import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from harness.backends.cuda.cublas import Cublas
from harness.backends.cuda.device import TO_DEVICE, TO_HOST, Runtime, import_runtime
from harness.model import Case, CaseData, Problem
from harness.timeline import mark

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]

# Below this numpy is as fast as a context is made.
_LEAST_WORK = 2e10
_BLOCK_BYTES = 64 << 20
_PROBES = 16
_PROBE_TOLERANCE = 1e-11
_SLACK_TOLERANCE = 1e-5  # it is kept in float32

_busy = threading.Lock()
_leaving = threading.Event()


class Gemm(Protocol):
    """What is used of ``Cublas``."""

    def dgemm(self, m: int, n: int, k: int, a: int, b: int, c: int) -> None: ...
    def square(self, count: int, source: int, target: int) -> None: ...
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
    from harness.cases.inputs import case_inputs
    from harness.cases.reference import slack_factor

    output = problem.outputs[0]
    factor = slack_factor(problem, case, output)
    if factor is None:
        return None
    with _busy, ThreadPoolExecutor(1, thread_name_prefix="leetk-oracle") as pool:
        started = pool.submit(_start, make_runtime, make_gemm, cublas)
        inputs, scalars = case_inputs(problem, case)
        mark("perf inputs are made")
        left, right = (inputs[argument.name] for argument in problem.inputs)
        try:
            runtime, gemm = started.result()
            mark("oracle has a context and cuBLAS")
            runtime.setDevice(0)
            expected, slack = _answer(_Product(runtime, gemm), left, right, factor)
            gemm.close()
            mark("perf answers are computed")
            _probe(left, right, expected, slack, factor)
        except Exception:
            # A library that does not load, a device that is full or faulty: numpy needs neither.
            return None
    mark("perf data are ready")
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


def _start(
    make_runtime: Callable[[], Runtime], make_gemm: Callable[[Path], Gemm], cublas: Path
) -> tuple[Runtime, Gemm]:
    runtime = make_runtime()
    runtime.setDevice(0)
    runtime.free(0)
    return runtime, make_gemm(cublas)


def _answer(
    product: _Product, left: NDArray[np.generic], right: NDArray[np.generic], factor: float
) -> tuple[Doubles, NDArray[np.float32]]:
    try:
        return product.answer(left, right, factor)
    finally:
        product.close()


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
        plain, squared = (
            [self._malloc(8 * n) for n in (inner * columns, block * inner, block * columns)]
            for _ in range(2)
        )
        self._upload(right, plain[0], squared[0])
        expected = np.empty((rows, columns), np.float64)
        slack = np.empty((rows, columns), np.float32)
        squares = np.empty((block, columns), np.float64)
        for begin in range(0, rows, block):
            if _leaving.is_set():
                raise _Unfit("the judge is leaving")
            end = min(begin + block, rows)
            self._upload(left[begin:end], plain[1], squared[1])
            for b, a, c in (plain, squared):
                self._gemm.dgemm(end - begin, inner, columns, a, b, c)
            self._download(plain[2], expected[begin:end])
            self._download(squared[2], squares[: end - begin])
            _fill_slack(slack[begin:end], expected[begin:end], squares[: end - begin], factor)
        return expected, slack

    def _malloc(self, size: int) -> int:
        pointer = self._runtime.malloc(size)
        self._owned.append(pointer)
        return pointer

    def _upload(self, array: NDArray[np.generic], plain: int, squared: int) -> None:
        """The array as float64 to ``plain``, and its squares to ``squared``."""
        wide = _doubles(array)
        self._runtime.memcpy(plain, wide.ctypes.data, wide.nbytes, TO_DEVICE)
        self._gemm.square(wide.size, plain, squared)

    def _download(self, pointer: int, out: Doubles) -> None:
        self._runtime.memcpy(out.ctypes.data, pointer, out.nbytes, TO_HOST)


def _doubles(array: NDArray[np.generic]) -> Doubles:
    """A copy as float64, made on all cores."""
    import numpy as np

    from harness.parallel import each, spans

    wide = np.empty(array.shape, np.float64)

    def fill(begin: int, end: int) -> None:
        wide[begin:end] = array[begin:end]

    each(fill, spans(len(array), max(1, (1 << 18) // array.shape[1])))
    return wide


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


def _probe(
    left: NDArray[np.generic],
    right: NDArray[np.generic],
    product: Doubles,
    slack: NDArray[np.float32],
    factor: float,
) -> None:
    """Raise _Unfit unless random elements, the corners among them, are what numpy computes."""
    import numpy as np

    rows, columns = product.shape
    generator = random.Random()
    places = [(0, 0), (rows - 1, columns - 1)]
    places += [(generator.randrange(rows), generator.randrange(columns)) for _ in range(_PROBES)]
    for row, column in places:
        x = left[row].astype(np.float64)
        y = right[:, column].astype(np.float64)
        right_sum = float(x @ y)
        bound = _PROBE_TOLERANCE * float(np.abs(x) @ np.abs(y))
        if not abs(right_sum - float(product[row, column])) <= bound:
            raise _Unfit(f"element [{row}, {column}] is not what the CPU computes")
        right_slack = factor * float(np.sqrt(right_sum**2 + np.square(x) @ np.square(y)))
        off = abs(right_slack - float(slack[row, column]))
        if not off <= _SLACK_TOLERANCE * right_slack:
            raise _Unfit(f"the slack of [{row}, {column}] is not what the CPU computes")
    if not np.isfinite(product.sum() + slack.sum(dtype=np.float64)):
        raise _Unfit("a sum is no number")


@atexit.register
def _leave() -> None:
    """End with the device idle: the perf case's data are made on a daemon thread, and a process
    that exits inside a CUDA call may crash on its way out."""
    _leaving.set()
    if _busy.acquire(timeout=10.0):
        _busy.release()
