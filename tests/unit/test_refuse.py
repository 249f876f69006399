"""CUDA features that the cpu backend lacks are refused by name and line; mistakes are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.backends.cpu.refuse import check, cuda_names, refusal_of
from harness.errors import Refused
from harness.model import Diagnostic


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    """A runtime that has three names and one header."""
    (tmp_path / "cuda_runtime.h").write_text(
        "int cudaMalloc(void**, unsigned long);\nvoid __syncthreads();\nvoid cudaFree(void*);\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("#include <cub/cub.cuh>", "<cub/cub.cuh>"),
        ('#include "cublas_v2.h"', "<cublas_v2.h>"),
        ("#include <cuda/std/atomic>", "<cuda/std/atomic>"),
        ("#include <torch/extension.h>", "<torch/extension.h>"),
        ("#include <mma.h>", "<mma.h>"),
        ("__global__ void k() { __shfl_down_sync(~0u, 1, 2); }", "__shfl_down_sync"),
        ("void f() { cudaGraphLaunch(g, s); }", "cudaGraphLaunch"),
        ("void f() { cudaTextureObject_t t; }", "cudaTextureObject_t"),
        ("#define SUM(x) __reduce_add_sync(~0u, x)\nvoid f() { SUM(1); }", "__reduce_add_sync"),
        ('__global__ void k() { asm volatile("mov.u32 %0;" : "=r"(x)); }', "inline PTX assembly"),
        ('__device__ int f() { __asm__("bar.arrive 1, 64;"); }', "inline PTX assembly"),
        ("__global__ void k() { other<<<1, 1>>>(); }", "dynamic parallelism"),
        ("__device__ void f() { if (x) { other<<<1, 1>>>(); } }", "dynamic parallelism"),
        ("#define CFG <<<1, 1>>>\nvoid f() { k CFG (a); }", "from several macros"),
        ("#define K k<<<1, 1>>>\nvoid f() { K(a); }", "from several macros"),
        ("#define ARGS (a)\nvoid f() { k<<<1, 1>>>ARGS; }", "from several macros"),
        ("__global__ void k() { extern __shared__ float x; }", "other than an array"),
        ("#if __CUDA_ARCH__ >= 800\nint x = __activemask();\n#endif", "__activemask"),
        ("#if defined(__CUDACC__) && !0\nint x = __activemask();\n#endif", "__activemask"),
        ("#ifndef A\n#define A 1\nint x = __activemask();\n#endif", "__activemask"),
    ],
)
def test_refused_with_its_name_and_line(text: str, feature: str, runtime: Path) -> None:
    with pytest.raises(Refused) as caught:
        check(f"// first line\n{text}", "a.cu", runtime)
    refused = caught.value
    assert feature in refused.feature
    assert refused.file == "a.cu"
    assert 2 <= refused.line <= 2 + text.count("\n")
    assert "--backend cuda" in str(refused)


@pytest.mark.parametrize(
    "text",
    [
        '#include <cuda_runtime.h>\n#include <vector>\n#include "mine.cuh"',
        '// __shfl_down_sync(~0u, 1, 2); asm("x");',
        'const char* s = "__shfl_down_sync asm(";',
        "float shfl(float x) { return x; }\nvoid f() { shfl(1); tex(2); thrust = 3; }",
        "#if 0\n#include <cub/cub.cuh>\nint x = __activemask();\n#endif",
        "#if __CUDA_ARCH__ < 600\nint x = __activemask();\n#endif",
        "#ifdef USE_TENSOR_CORES\n#include <mma.h>\n#endif",
        "#define WARP_SUM(x) __shfl_down_sync(~0u, x, 1)\nint y;",
        "#define __activemask() ~0u\nint x = __activemask();",
        'void f() { asm volatile("" ::: "memory"); }',
        "void f() { k<<<1, 1>>>(a); }",
        "__host__ __device__ void f() { k<<<1, 1>>>(a); }",
        "void f() { auto g = [=] __device__ (int i) { return i; }; k<<<1, 1>>>(g); }",
        "void f() { k<<<1, 1>>>; }",
        "void f() { cudaMaloc(&p, 3); __my_own_helper(); }",
        "void f() { cudaMalloc(&p, 3); __syncthreads(); cudaFree(p); }",
    ],
)
def test_not_refused(text: str, runtime: Path) -> None:
    check(text, "a.cu", runtime)


def test_the_first_feature_in_the_file_counts(runtime: Path) -> None:
    text = 'int a;\n__device__ void f() { asm("exit;"); }\nint x = __activemask();'
    with pytest.raises(Refused, match=r"a\.cu:2: inline PTX"):
        check(text, "a.cu", runtime)


def error(message: str, line: str = "") -> list[Diagnostic]:
    return [Diagnostic("a.cu", 7, 3, "error", message, line)]


@pytest.mark.parametrize(
    ("message", "feature"),
    [
        ("'__shfl_sync' was not declared in this scope", "__shfl_sync"),
        ("use of undeclared identifier '__shfl_sync'", "__shfl_sync"),
        ("'cudaGraph_t' does not name a type", "cudaGraph_t"),
        ("unknown type name 'cudaGraph_t'", "cudaGraph_t"),
        ("cub/cub.cuh: No such file or directory", "<cub/cub.cuh>"),
        ("'mma.h' file not found", "<mma.h>"),
        ("'struct cudaDeviceProp' has no member named 'warpSize'", "cudaDeviceProp::warpSize"),
        ("undefined reference to `cudaGraphLaunch'", "cudaGraphLaunch"),
        ("undefined reference to `cudaGraphLaunch(int)'", "cudaGraphLaunch"),
    ],
)
def test_an_error_that_is_ours(message: str, feature: str, runtime: Path) -> None:
    refused = refusal_of(error(message), runtime, "main.cu")
    assert refused is not None
    assert (refused.feature, refused.file, refused.line) == (feature, "a.cu", 7)


def test_an_assembler_error_in_an_asm_statement_is_ours(runtime: Path) -> None:
    found = error("no such instruction: `mov.u32 %eax'", 'asm("mov.u32 %0;" : "=r"(x));')
    refused = refusal_of(found, runtime, "main.cu")
    assert refused is not None
    assert refused.feature == "inline PTX assembly"


@pytest.mark.parametrize(
    "message",
    [
        "'cudaMaloc' was not declared in this scope; did you mean 'cudaMalloc'?",
        "'__shfl' was not declared in this scope",
        "'tile' was not declared in this scope",
        "util.cuh: No such file or directory",
        "cuda_runtime.h: No such file or directory",
        "'struct S' has no member named 'foo'",
        "expected ';' before '}' token",
        "undefined reference to `helper(int)'",
    ],
)
def test_an_error_that_is_the_authors(message: str, runtime: Path) -> None:
    assert refusal_of(error(message), runtime, "main.cu") is None


def test_only_the_first_error_decides(runtime: Path) -> None:
    found = [*error("'x' was not declared in this scope"), *error("'__shfl_sync' was not declared")]
    assert refusal_of(found, runtime, "main.cu") is None
    assert refusal_of([], runtime, "main.cu") is None


def test_the_names_are_names() -> None:
    names = cuda_names()
    assert {"cudaMalloc", "__shfl_xor_sync", "tex2D"} <= names.identifiers
    assert not any(" " in name or name.startswith("#") for name in names.identifiers)
    assert {"cub/", "mma.h"} <= names.headers
    assert names.has_header("cub/block/block_reduce.cuh")
    assert not names.has_header("vector")
