"""The few functions of cuBLAS that the judge needs, through ctypes.

CuPy's own wrapper is not used: it finds the library by way of ``site``, which a worker starts
without, and it ties cuBLAS's major version to CuPy's. The library itself may come from NVIDIA's
wheels (``nvidia-cublas``, ``nvidia-cublas-cu12``) or from a toolkit.

Matrices here are row-major, as a submission's are. cuBLAS is column-major, and a row-major matrix
is the transpose of the column-major one in the same memory: C = A B is computed as C^T = B^T A^T,
which moves no data.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

_OLDEST = 12
_NO_TRANSPOSE = 0
_SIDE_LEFT = 0
_DEFAULT_MATH = 0


class CublasError(Exception):
    """cuBLAS cannot be loaded or a call of it failed."""


def package(cuda_major: int) -> str:
    """The wheel that brings cuBLAS for a driver of CUDA ``cuda_major``."""
    return "nvidia-cublas" if cuda_major >= 13 else "nvidia-cublas-cu12"


def find_cublas(
    cuda_major: int,
    toolkit_root: Path | None = None,
    *,
    search_path: Iterable[str] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Path | None:
    """The newest ``libcublas.so.N`` that a driver of CUDA ``cuda_major`` can run, or None.

    Wheels come first (their folders in ``search_path``, which is ``sys.path`` unless given), then
    LD_LIBRARY_PATH, the toolkit and the system's folders. Nothing is loaded.
    """
    paths = sys.path if search_path is None else search_path
    folders = list(_folders(paths, os.environ if environ is None else environ, toolkit_root))
    for major in range(cuda_major, _OLDEST - 1, -1):
        for folder in folders:
            path = folder / f"libcublas.so.{major}"
            if path.exists():
                return path
    return None


def _folders(
    search_path: Iterable[str], environ: Mapping[str, str], toolkit_root: Path | None
) -> Iterator[Path]:
    for folder in search_path:
        if folder:
            wheels = Path(folder) / "nvidia"
            yield from sorted(wheels.glob("cu[0-9][0-9]/lib"), reverse=True)
            yield wheels / "cublas" / "lib"
    for folder in environ.get("LD_LIBRARY_PATH", "").split(os.pathsep):
        if folder:
            yield Path(folder)
    roots = [Path("/usr/local/cuda")]
    if toolkit_root is not None:
        roots.insert(0, toolkit_root)
    for root in roots:
        yield root / "lib64"
        yield root / "lib"
        yield from root.glob("targets/*/lib")
    for name in ("x86_64-linux-gnu", "aarch64-linux-gnu"):
        yield Path("/usr/lib") / name
    yield Path("/usr/lib64")


def preload(path: Path) -> None:
    """Begin to load the library, on a thread, ahead of its first use; no handle is made. A library
    that does not load is told by that first use."""
    _forbid_tf32()

    def load() -> None:
        with suppress(CublasError):
            _load(path)

    threading.Thread(target=load, name="leetk-cublas", daemon=True).start()


def _forbid_tf32() -> None:
    """An environment that forces TF32 on would make the baseline another computation."""
    if os.environ.get("NVIDIA_TF32_OVERRIDE") != "0":
        os.environ["NVIDIA_TF32_OVERRIDE"] = "0"


def _load(path: Path) -> ctypes.CDLL:
    light = path.with_name(path.name.replace("libcublas", "libcublasLt"))
    try:
        if light.exists():
            ctypes.CDLL(str(light))
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise CublasError(f"{path} cannot be loaded: {error}") from error


class Cublas:
    """A handle of cuBLAS on the current device, in strict float32 (no TF32)."""

    def __init__(self, path: Path) -> None:
        """Load the library and make a handle. Raises CublasError."""
        _forbid_tf32()
        self._library = _load(path)
        self._handle = ctypes.c_void_p()
        self._check("cublasCreate_v2", self._library.cublasCreate_v2(ctypes.byref(self._handle)))
        mode = self._library.cublasSetMathMode(self._handle, _DEFAULT_MATH)
        self._check("cublasSetMathMode", mode)

    def sgemm(self, m: int, n: int, k: int, a: int, b: int, c: int) -> None:
        """C[m, k] = A[m, n] B[n, k] in float32; ``a``, ``b``, ``c`` are device addresses. The work
        is queued on the default stream. Raises CublasError."""
        self._gemm("cublasSgemm_v2", ctypes.c_float, (m, n, k), (a, b, c))

    def dgemm(self, m: int, n: int, k: int, a: int, b: int, c: int) -> None:
        """``sgemm`` in float64."""
        self._gemm("cublasDgemm_v2", ctypes.c_double, (m, n, k), (a, b, c))

    def square(self, count: int, source: int, target: int) -> None:
        """target[i] = source[i]^2 for ``count`` doubles: a diagonal matrix times a column, both of
        them ``source``. Raises CublasError."""
        length, one = ctypes.c_int(count), ctypes.c_int(1)
        values = ctypes.c_void_p(source)
        status = self._library.cublasDdgmm(
            self._handle,
            ctypes.c_int(_SIDE_LEFT),
            *(length, one),
            *(values, length),
            *(values, one),
            *(ctypes.c_void_p(target), length),
        )
        self._check("cublasDdgmm", status)

    def close(self) -> None:
        """Give the handle and its workspace back."""
        if self._handle.value:
            self._library.cublasDestroy_v2(self._handle)
            self._handle = ctypes.c_void_p()

    def _gemm(
        self,
        function: str,
        scalar: type[ctypes.c_float] | type[ctypes.c_double],
        sizes: tuple[int, int, int],
        pointers: tuple[int, int, int],
    ) -> None:
        m, n, k = sizes
        a, b, c = (ctypes.c_void_p(pointer) for pointer in pointers)
        one, zero = scalar(1.0), scalar(0.0)
        status = getattr(self._library, function)(
            self._handle,
            *(ctypes.c_int(_NO_TRANSPOSE), ctypes.c_int(_NO_TRANSPOSE)),
            *(ctypes.c_int(k), ctypes.c_int(m), ctypes.c_int(n)),
            ctypes.byref(one),
            *(b, ctypes.c_int(k)),
            *(a, ctypes.c_int(n)),
            ctypes.byref(zero),
            *(c, ctypes.c_int(k)),
        )
        self._check(function, status)

    def _check(self, function: str, status: int) -> None:
        if status != 0:
            raise CublasError(f"{function} failed with status {status}")
