"""What is compiled into every library: it counts what a submission holds and notices what it does
to its arguments. A few lines stand in for CUDA's runtime, so neither nvcc nor a GPU is needed."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.backends.cuda import build

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
]

PEEK = Path(build.__file__).with_name("peek.cpp")

RUNTIME = r"""
#include <cstddef>
static char memory[1 << 20];
static size_t used = 0;
static int last = 0;
static int fail(int code) { return last = code; }
static int take(void** pointer, size_t bytes) {
    if (bytes > 1000) return fail(2);
    *pointer = memory + used++;
    return 0;
}
extern "C" {
int cudaMalloc(void** p, size_t bytes) { return take(p, bytes); }
int cudaMallocManaged(void** p, size_t bytes, unsigned) { return take(p, bytes); }
int cudaMallocPitch(void** p, size_t* pitch, size_t width, size_t) {
    *pitch = (width + 31) / 32 * 32;
    return take(p, width);
}
int cudaMallocAsync(void** p, size_t bytes, void*) { return take(p, bytes); }
int cudaMallocAsync_ptsz(void** p, size_t bytes, void*) { return take(p, bytes); }
int cudaFree(void* p) { return p == memory + 99 ? fail(1) : 0; }
int cudaFreeAsync(void*, void*) { return 0; }
int cudaFreeAsync_ptsz(void*, void*) { return 0; }
int cudaDeviceReset(void) { return fail(999); }
int cudaPeekAtLastError(void) { return last; }
int cudaGetLastError(void) { int code = last; last = 0; return code; }
const char* cudaGetErrorName(int code) { return code ? "cudaErrorSomething" : "cudaSuccess"; }
const char* cudaGetErrorString(int) { return "a text of some length"; }
}
"""

SUBMISSION = r"""
#include <cstddef>
extern "C" {
int cudaMalloc(void**, size_t);
int cudaMallocManaged(void**, size_t, unsigned);
int cudaMallocPitch(void**, size_t*, size_t, size_t);
int cudaMallocAsync(void**, size_t, void*);
int cudaMallocAsync_ptsz(void**, size_t, void*);
int cudaFree(void*);
int cudaFreeAsync(void*, void*);
int cudaFreeAsync_ptsz(void*, void*);
int cudaDeviceReset(void);

void* held[5000];
int take(int how, int at, size_t bytes) {
    size_t pitch;
    switch (how) {
        case 0: return cudaMalloc(&held[at], bytes);
        case 1: return cudaMallocManaged(&held[at], bytes, 1);
        case 2: return cudaMallocPitch(&held[at], &pitch, bytes, 10);
        case 3: return cudaMallocAsync(&held[at], bytes, nullptr);
        default: return cudaMallocAsync_ptsz(&held[at], bytes, nullptr);
    }
}
int give(int how, int at) {
    switch (how) {
        case 0: return cudaFree(held[at]);
        case 1: return cudaFreeAsync(held[at], nullptr);
        default: return cudaFreeAsync_ptsz(held[at], nullptr);
    }
}
int give_argument(void* pointer) { return cudaFree(pointer); }
int reset() { return cudaDeviceReset(); }
}
"""


@pytest.fixture
def library(tmp_path: Path) -> ctypes.CDLL:
    """A library of the test's own, with nothing allocated yet."""
    (tmp_path / "runtime.cpp").write_text(RUNTIME)
    (tmp_path / "submission.cpp").write_text(SUBMISSION)
    wraps = [f"-Wl,--wrap={name}" for name in build.WRAPPED]
    files = ["runtime.cpp", "submission.cpp", str(PEEK)]
    command = ["g++", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", *wraps, *files]
    subprocess.run([*command, "-o", "made.so"], cwd=tmp_path, check=True)
    loaded = ctypes.CDLL(str(tmp_path / "made.so"))
    loaded.leetk_allocated.restype = ctypes.c_longlong
    return loaded


@pytest.mark.parametrize(("how", "bytes_"), [(0, 100), (1, 100), (2, 128 * 10), (3, 100), (4, 100)])
def test_every_way_to_allocate_is_counted(library: ctypes.CDLL, how: int, bytes_: int) -> None:
    assert library.take(how, 0, 100) == 0
    assert library.leetk_allocated() == bytes_
    assert library.give(how % 3, 0) == 0
    assert library.leetk_allocated() == 0


def test_blocks_are_given_back_in_any_order(library: ctypes.CDLL) -> None:
    for at in range(5):
        library.take(0, at, 10 * (at + 1))
    assert library.leetk_allocated() == 150
    for at, left in ((2, 120), (0, 110), (4, 60), (1, 40), (3, 0)):
        library.give(0, at)
        assert library.leetk_allocated() == left


def test_failed_calls_count_nothing(library: ctypes.CDLL) -> None:
    assert library.take(0, 0, 5000) == 2
    assert library.give_argument(ctypes.c_void_p(0)) == 0
    assert library.give_argument(ctypes.c_void_p(0x1234)) == 0
    assert library.leetk_allocated() == 0


def test_too_many_blocks_make_the_count_unknown(library: ctypes.CDLL) -> None:
    for at in range(4096):
        library.take(0, at, 1)
    assert library.leetk_allocated() == 4096
    library.take(0, 4096, 1)
    assert library.leetk_allocated() == -1


def test_the_first_freed_argument_is_named(library: ctypes.CDLL) -> None:
    arguments = (ctypes.c_void_p * 3)(0x1000, 0x2000, 0x3000)
    library.leetk_watch(arguments, 3)
    assert library.leetk_freed() == -1
    for pointer in (0x2000, 0x1000):
        library.give_argument(ctypes.c_void_p(pointer))
    assert library.leetk_freed() == 1
    library.leetk_watch(arguments, 3)
    assert library.leetk_freed() == -1


def test_a_reset_is_noted_and_not_done(library: ctypes.CDLL) -> None:
    library.leetk_watch(None, 0)
    assert library.leetk_reset() == 0
    assert library.reset() == 0
    assert library.leetk_reset() == 1
    assert library.leetk_peek_error(None, 0, None, 0) == 0  # the real one leaves 999 here
    library.leetk_watch(None, 0)
    assert library.leetk_reset() == 0


def test_the_last_error_is_told_whole_or_cut_and_stays(library: ctypes.CDLL) -> None:
    library.take(0, 0, 5000)
    name, text = ctypes.create_string_buffer(64), ctypes.create_string_buffer(7)
    for _ in range(2):
        assert library.leetk_peek_error(name, 64, text, 7) == 2
        assert (name.value, text.value) == (b"cudaErrorSomething", b"a text")
    library.leetk_clear_error()
    assert library.leetk_peek_error(name, 64, text, 7) == 0
