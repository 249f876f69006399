"""half and bfloat16: what compiles, with which types, and what must not."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime_tools import FOLDER, RUNTIME, compilers, errors_of

from harness.backends.cpu.refuse import check

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(not compilers(), reason="no C++ compiler"),
]
each_compiler = pytest.mark.parametrize("compiler", compilers())

# As nvcc 13 has it.
_SHOWN = (
    "__global__ void k(half* p) { p[0] = 1; p[1] = 2.5f; p[2] = 2.5; p[3] = 7u; p[4] = true; }",
    "__global__ void k(half* p, size_t n) { p[0] = half(n); half h = n; p[1] = h; p[2] = n > 1; }",
    "__device__ int f(half h) { float a = h; double b = h; int c = h; return (int)(a + b) + c; }",
    "__global__ void k(half* p) { p[0] += 1.0f; p[0] *= 2; p[1] = p[2] + half(1) * p[3] - -p[4]; }",
    "__device__ bool f(half a, half b) { return !a || (b && a > b) || a == b; }",
    "__device__ float f(half h) { return sqrtf(h) + fabsf(h) + fmaxf(0.0f, h) + expf(h); }",
    "__device__ half f(half h) { return __hfma(h, 1.0f, 2) + __hmax(h, 0.0f); }",
    "__device__ half f(nv_bfloat16 b) { nv_bfloat16 c{half(b)}; return static_cast<half>(c); }",
    "__device__ half2 f(half2 a) { half2 b(1.0f, 2.0f), c = {a.x, a.y}; return -(a + b) / ++c; }",
    "__device__ bool f(half2 a, half2 b) { return a == b || a < b || a != make_half2(1, 2.0f); }",
    "__global__ void k(half* p) { atomicAdd(p, 1.0f); atomicAdd((half2*)p, half2(1, 2)); }",
    "__device__ half f(volatile half* p) { half g = p[1]; return g + half(__half_raw(p[0])); }",
    "__device__ half f(half h) { __half_raw r = h; r.x ^= 0x8000; h = r; return half(r) + h; }",
    "constexpr half one = __half_raw{0x3c00};\n__device__ half f() { return one; }",
    "union U { float f; half2 h; };\n__device__ half f() { U u; u.f = 1; return u.h.x; }",
    "#define __CUDA_NO_HALF_OPERATORS__\n#define __CUDA_NO_HALF_CONVERSIONS__\n"
    "#include <cuda_fp16.h>\nhalf operator+(half a, int) { return __hadd(a, a); }\n"
    "half f(half h) { return h + 1; }",
    "#define CUDA_NO_HALF\n#include <cuda_fp16.h>\nstruct half {};",
)
_REFUSED = (
    "__device__ half f(half h) { return h + 1.0f; }",
    "__device__ half f(half h) { return h * 2; }",
    "__device__ float f(float x, half h) { return x + h; }",
    "__device__ void f(float* x, half h) { x[0] += h; }",
    "__device__ bool f(half h) { return h > 0.0f; }",
    "__device__ bool f(half h) { return h == 0; }",
    "__device__ half f(half h, half g) { return max(h, g); }",
    "__device__ half f(half h) { return sqrt(h); }",
    "__device__ half f(half h) { return __hadd(h, 1.0f); }",
    "__device__ half f(half h, bool b) { return b ? h : 0.0f; }",
    "__global__ void k(half* p) { p[0] = 1l; }",
    "__global__ void k(half* p, nv_bfloat16* b) { p[0] = b[0]; }",
    "__device__ half f(half h, nv_bfloat16 b) { return h + b; }",
    "__device__ half2 f(half2 h) { return h * 2.0f; }",
    "__device__ half2 f() { return half2(1.0f); }",
    "__global__ void k(half* p) { atomicMax(p, half(1)); }",
    "union U { float f; half2 h; };\n__device__ void f(U& u, U& v) { u = v; }",
    "#define __CUDA_NO_HALF_CONVERSIONS__\n#include <cuda_fp16.h>\nhalf h = 1.0f;",
)


def begun(text: str) -> str:
    head = "#include <cuda_runtime.h>\n"
    return head + text if "#include" in text else f"{head}#include <cuda_bf16.h>\n{text}"


@each_compiler
def test_names_and_types_are_those_of_cuda(compiler: str, tmp_path: Path) -> None:
    assert errors_of(compiler, (FOLDER / "half_signatures.cu").read_text(), tmp_path) == ""


@each_compiler
@pytest.mark.parametrize("text", _SHOWN)
def test_what_nvcc_compiles_compiles(text: str, compiler: str, tmp_path: Path) -> None:
    assert errors_of(compiler, begun(text), tmp_path) == ""


@each_compiler
@pytest.mark.parametrize("text", _REFUSED)
def test_what_nvcc_refuses_is_refused(text: str, compiler: str, tmp_path: Path) -> None:
    assert "error" in errors_of(compiler, begun(text), tmp_path)


def test_the_backend_takes_what_uses_them() -> None:
    check((FOLDER / "half_signatures.cu").read_text(), "a.cu", RUNTIME)
