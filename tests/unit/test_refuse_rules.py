"""What nvcc rejects and the host compiler takes: found where it is certain, and nowhere else.

Every source here was given to nvcc 13.0 (``-std=c++17 -arch=sm_90``), which agreed.
"""

from __future__ import annotations

import pytest

from harness.backends.cpu import rules
from harness.backends.cpu.device_names import (
    branches_on_host,
    device_functions_on_host,
    device_variables_on_host,
    is_device_line,
)
from harness.source.functions import Outline

KERNEL = "__global__ void k(int* a) { *a = 1; }\n"
CALLS_H = "__global__ void k(int* a) { *a = h(*a); }"
H = "int h(int x) { return x; }\n"
D = "__device__ int d(int x) { return x; }\n"


def errors(text: str, *headers: str) -> list[str]:
    found = rules.check(text, "a.cu", headers=headers)
    return [diagnostic.message for diagnostic in found if diagnostic.severity == "error"]


@pytest.mark.parametrize(
    "text",
    [
        "__global__ int k(int* a) { return *a; }",
        "__global__ void* k(int* a) { return a; }",
        "__global__ auto k(int* a) { *a = 1; }",
        "template <class T> __global__ float k(T* a) { return 1; }",
        "struct S { __global__ void k(int* a) { *a = 1; } };",
        "struct S { static __global__ void k(int* a) { *a = 1; } };",
        "void k(int* a) { *a = 1; }\nvoid f(int* a) { k<<<1, 1>>>(a); }",
        "__device__ void k(int* a) {}\nvoid f(int* a) { k<<<1, 1>>>(a); }",
        "template <int N> void k(int* a) {}\nvoid f(int* a) { k<2><<<1, 1>>>(a); }",
        KERNEL + "void f(int* a) { k(a); }",
        KERNEL + "__global__ void b(int* a) { k(a); }",
        H + CALLS_H,
        "static inline " + H + "__device__ int d(int x) { return h(x); }",
        "constexpr " + H + CALLS_H,
        "template <class T> T h(T x) { return x; }\n" + CALLS_H,
        "int h(int);\n__global__ void k(int* a) { if (*a) { *a = 2 * h(1); } }",
        D + "int f() { return d(1); }",
        "template <class T> __device__ T d(T x) { return x; }\nint f() { return d<int>(1); }",
        D + "int f() { return [](int x) { return d(x); }(3); }",
        "void f() { __syncthreads(); }",
        "void f(int* p) { atomicAdd(p, 1); }",
        "int f(int p) { return __clz(p); }",
        "#include <algorithm>\n__global__ void k(int* a) { *a = std::max(a[0], a[1]); }",
        "#include <cstdlib>\n__global__ void k(int* a) { *a = rand(); }",
        "#include <cstdlib>\ntemplate <class T> __global__ void k(T* a) { *a = rand(); }\n"
         "void f(int* a) { k<int><<<1, 1>>>(a); }",
        "#include <iostream>\n__global__ void k(int* a) { std::cout << *a; }",
        "__global__ void k(int* a) { __shared__ int x = 3; *a = x; }",
        "__global__ void k(int* a) { __shared__ int x[2] = {}; *a = x[0]; }",
        "void f() { __shared__ int x; x = 3; }",
        "__global__ void k(int* a) { if (*a) throw 1; }",
        "__device__ void d(int* a) { try { *a = 1; } catch (...) { } }",
        "int N = 3;\n__global__ void k(int* a) { *a = N; }",
        "float w[4];\n__global__ void k(float* a, int i) { a[1] = w[i]; }",
        "const int W[3] = {1, 2, 3};\n__global__ void k(int* a) { *a = W[a[1]]; }",
        "constexpr int W[3] = {1, 2};\n__global__ void k(int* a) { *a = W[a[1]]; }",
        "static int n;\n__global__ void k(int* a) { n = *a; }",
    ],
)  # fmt: skip
def test_broken(text: str) -> None:
    assert errors(text)


@pytest.mark.parametrize(
    "text",
    [
        KERNEL + "void f(int* a) { k<<<1, 1>>>(a); }",
        "template <class T, int N> __global__ void k(T* a) { *a = N; }",
        "extern \"C\" __global__ void __launch_bounds__(256) k(int* a) { *a = 1; }",
        "__global__ void k(int* a);\nvoid f(int* a) { k<<<1, 1>>>(a); }\n" + KERNEL,
        D + "__global__ void k(int* a) { *a = d(1); }",
        "__host__ __device__ int d(int x) { return x; }\n__global__ void k(int* a) { *a = d(1); }\n"
        "int f() { return d(1); }",
        H + "int f() { return h(1); }",
        "#define HD __host__ __device__\nHD int d(int x) { return x; }\n"
        "__global__ void k(int* a) { *a = d(1); }",
        "int d(float x) { return 1; }\n__device__ int d(int x) { return x; }\n"
        "__global__ void k(int* a) { *a = d(1); }\nint f() { return d(1.0f); }",
        "int h(int x) { return x; }\n__global__ void k(int* a) { auto h = [](int x) { return x; }; "
        "*a = h(1); }",
        "int h(int x) { return x; }\nstruct S { int v; __device__ int h(int x) { return x; } };\n"
        "__global__ void k(int* a) { S s; *a = s.h(1); }",
        "void f(void (*k)(int*), int* a) { k(a); }\n" + KERNEL,
        "#include <cmath>\n__global__ void k(float* a) { *a = std::sqrt(*a) + std::fmax(*a, *a); }",
        "__global__ void k(int* a) { a[0] = min(a[1], a[2]); }\nint f(int a) { return max(a, 1); }",
        "#include <algorithm>\nint f(int a) { return std::max(a, 1); }",
        "#include <cstdlib>\ntemplate <class T> __device__ void unused(T* a) { *a = rand(); }\n"
        "static __device__ void too(int* a) { *a = rand(); }",
        "#include <cstdlib>\n__global__ void k(int* a) {\n#ifndef __CUDA_ARCH__\n  *a = rand();\n"
        "#endif\n}",
        "#include <cstdio>\n"
        "__global__ void k(char* p) { memset(p, 0, 3); free(malloc(3)); printf(\"%d\", 3); }",
        "__global__ void k(int* a) { __shared__ int x; __shared__ int y[4][5]; x = 1; *a = x; }",
        "__global__ void k(int* a) { __shared__ union { int i; float f; } u; u.i = 1; *a = u.i; }",
        "__constant__ float c[2] = {1, 2};\n__global__ void k(float* a) { *a = c[1]; }",
        "__device__ int n = 3;\n__global__ void k(int* a) { n = *a; }",
        "const int T = 3;\nconstexpr float P = 3.1f;\nstatic const float E = 2.7f;\n"
        "__global__ void k(float* a) { *a = T + P + E; }",
        "int N = 3;\n__global__ void k(int* a, int N) { *a = N; }",
        "int N = 3;\n__global__ void k(int* a) { int N = 4; *a = N; }",
        "int N = 3;\n__global__ void k(int* a) { for (int N = 0; N < 3; ++N) *a = N; }",
        "struct S { int N; };\nint N = 3;\n__global__ void k(S* a) { a->N = 1; }",
        "float w[4];\n__global__ void k(int* a) { *a = sizeof(w); }",
        "__global__ void k(int* a) { auto f = [&](int i) { return a[i]; }; *a = f(1); }",
        "__global__ void k(int* a) { static int c = 0; c++; *a = c; }",
        "struct Add { __device__ int operator()(int a, int b) const { return a + b; } };\n"
        "__global__ void k(int* a) { *a = Add()(a[0], a[1]); }",
        "#define CHECK(x) do { if ((x) != 0) exit(1); } while (0)\n#include <cstdlib>\n"
        "void f() { CHECK(3); }",
        "void f() { try { throw 1; } catch (...) { } }",
    ],
)  # fmt: skip
def test_obeyed(text: str) -> None:
    assert errors(text) == []


def test_functions_of_other_files_count() -> None:
    text = "__global__ void k(int* a) { *a = h(1); }"
    assert errors(text, "int h(int x) { return x; }")
    assert not errors(text, "__device__ int h(int x) { return x; }")
    assert not errors(text, "#define HD __device__\nHD int h(int x) { return x; }")


@pytest.mark.parametrize(
    "use", ["x = 3;", "return x;", "c[0] = 1;", "int* p = &x;", "g(x);", "cudaMalloc(p, c[1]);"]
)
def test_a_device_variable_in_host_code(use: str) -> None:
    outline = Outline(f"__device__ int x; __constant__ int c[3];\nint f() {{ {use} }}")
    assert {token.line for token in device_variables_on_host(outline)} == {2}


@pytest.mark.parametrize(
    "text",
    [
        "__constant__ int c[3];\nvoid f(int* p) { cudaMemcpyToSymbol(c, p, sizeof(c)); }",
        "__device__ int x;\nvoid f(int* p) { cudaMemcpyFromSymbol(p, x, sizeof(int), 0); }",
        "__device__ int x;\nvoid f(void** p) { CHECK(cudaGetSymbolAddress(p, x)); }",
        "__device__ int x;\n__global__ void k(int* a) { *a = x; }",
        "__device__ int x;\nvoid f(int x) { x = 3; }",
        "__managed__ int x;\nvoid f() { x = 3; }",
        "__device__ int x;\nvoid f(S s) { s.x = 3; }",
    ],
)
def test_a_device_variable_elsewhere(text: str) -> None:
    assert device_variables_on_host(Outline(text)) == []


FUNCTION = """typedef float (*F)(float);
__device__ float df(float x) { return x; }
__device__ float dg(float x) { return x; }
__device__ F pf = df;
template <class G> __global__ void k(float* a, G f) { a[0] = f(a[0]); }
template <F f> __global__ void t(float* a) { a[0] = f(a[0]); }
"""


@pytest.mark.parametrize(
    "use",
    [
        "F f = df; k<<<1, 1>>>(a, f);",
        "F f; f = &df; k<<<1, 1>>>(a, f);",
        "auto f = n ? dg : df, g = f; F h = df;",
        "k<<<1, 1>>>(a, df);",
        "k<F><<<dim3(1, 2), 1, 0, 0>>>(a, &df);",
        "auto l = [&]() { k<<<1, 1>>>(a + n, df); }; l();",
    ],
)
def test_the_address_of_a_device_function_in_host_code(use: str) -> None:
    outline = Outline(FUNCTION + f"void h(float* a, int n) {{\n{use} }}")
    assert [(token.line, token.text) for token in device_functions_on_host(outline)] == [(8, "df")]
    assert not device_functions_on_host(outline, [Outline("float df(double x) { return x; }")])
    assert not device_functions_on_host(outline, [Outline("#define df host_df")])


@pytest.mark.parametrize(
    "text",
    [
        "void h(float* a) { F f; cudaMemcpyFromSymbol(&f, pf, sizeof(F)); k<<<1, 1>>>(a, f); }",
        "void h(float* a) { t<df><<<1, 1>>>(a); t<&df><<<1, 1>>>(a); }",
        "void h(float* a) { k<<<1, 1>>>(a, Op<df>()); k<<<1, 1>>>(a, Two<1, df, 2>{}); }",
        "void h(float* a) { using G = decltype(&df); k<decltype(&df)><<<1, 1>>>(a, G()); }",
        "__global__ void l(float* a) { F f = df; a[0] = f(a[0]); }",
        "__host__ __device__ F g() { F f = df; return f; }",
        "void h(float* a, F df) { F f = df; k<<<1, 1>>>(a, df); }",
        "void h(float* a) { F df = nullptr; k<<<1, 1>>>(a, df); }",
        "void h(float* a) { S s; F f = s.df; k<<<1, 1>>>(a, s.df); }",
        "float df(double x) { return x; }\nvoid h(float* a) { k<<<1, 1>>>(a, df); }",
        "__host__ __device__ float df(int x);\nvoid h(float* a) { F f = df; }",
        "struct S { float df(float x); void h(float* a) { F f = df; } };",
        "#ifdef DEVICE\nvoid h(float* a) { F f = df; }\n#endif",
        "void h(float* a) {\n#ifdef __CUDA_ARCH__\nF f = df;\n#endif\n}",
        "static void unused(float* a) { F f = df; }",
        "void h(float* a) { void* args[] = {a}; cudaLaunchKernel((void*)k, 1, 1, args, 0, 0); }",
        "__device__ float abs(int x, int y);\nvoid h(float* a) { F f = abs; }",
    ],
)
def test_device_functions_elsewhere(text: str) -> None:
    assert device_functions_on_host(Outline(FUNCTION + text)) == []


def test_device_lines() -> None:
    outline = Outline(
        "void f(int n) {\n  int a[n];\n}\n__global__ void k(int n) {\n  int a[n];\n}\n"
    )
    assert [line for line in range(1, 8) if is_device_line(outline, line)] == [5]


# --- branches of __CUDA_ARCH__ -------------------------------------------------------------------

_BRANCH = "float f(float a) {\n#ifdef __CUDA_ARCH__\n  return a;\n#else\n  return -a;\n#endif\n}\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("__host__ __device__ " + _BRANCH + "void solve() { f(1); }", [2]),
        (_BRANCH + "void solve() { f(1); }", [2]),
        (_BRANCH, [2]),
        ("__host__ __device__ " + _BRANCH + "__global__ void k() { f(1); }", []),
        ("__device__ " + _BRANCH + "void solve() { }", []),
        ("__host__ __device__ " + _BRANCH + "void solve(float (*f)(int)) { f(1); }", []),
        ("#ifdef __CUDA_ARCH__\nint x;\n#endif\nvoid solve() { }", []),
        ("__host__ __device__ " + _BRANCH + "template <class T> void g() { f(T()); }", []),
    ],
)
def test_branches_that_the_host_takes_otherwise(text: str, lines: list[int]) -> None:
    assert [token.line for token in branches_on_host(Outline(text))] == lines
