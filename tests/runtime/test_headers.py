"""The runtime's headers: each compiles alone and silently, and shows what nvcc shows, no more. Its
sources compile alone, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime_tools import FOLDER, RUNTIME, compilers, errors_of

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(not compilers(), reason="no C++ compiler"),
]
each_compiler = pytest.mark.parametrize("compiler", compilers())

PUBLIC = sorted(path.name for path in (*RUNTIME.glob("*.h"), RUNTIME / "cmath"))
INTERNAL = sorted(
    str(path.relative_to(RUNTIME))
    for folder in ("api", "leetk")
    for path in (RUNTIME / folder).glob("*.h")
)
SOURCES = sorted(str(path.relative_to(RUNTIME)) for path in RUNTIME.rglob("*.cpp"))

_BEGIN = "#include <cuda_runtime.h>\n"

# What nvcc 13 compiles without any other include, and what its includes then add.
_SHOWN = (
    "int f() { return std::max(1, 2) + std::min(3, 4); }",
    "void f(int& a, int& b) { std::swap(a, b); std::pair<int, int> p{a, b}; (void)p; }",
    "static_assert(std::numeric_limits<int>::max() > 0 && std::is_same<int, int>::value);",
    "float f(float x) { return sqrtf(x) + std::sqrt(x) + (float)M_PI + INFINITY + NAN; }",
    "void f(char* to) { memset(to, 0, strlen(to)); free(to); (void)malloc(CHAR_BIT); }",
    "long f() { return (long)clock() + (long)time(nullptr) + isalpha('a') + INT_MAX; }",
    "uint f(size_t n, int8_t* p, int64_t q, ushort r) { return (uint)n + *p + (uint)q + r; }",
    "#include <cmath>\ndouble f(double x) { return std::legendre(2, x) + ::sqrt(x); }",
    '#include <cassert>\n__global__ void k(int n) { assert(n > 0 && "more"); assert(n != 2); }',
    '#include <cstdio>\n__global__ void k() { printf("%d\\n", threadIdx.x); }',
    "#include <memory>\nstd::shared_ptr<int> p = std::make_shared<int>(3);",
    "#include <algorithm>\n#include <iostream>\n#include <random>\n#include <vector>\nint x;",
)

# What nvcc 13 refuses.
_REFUSED = (
    'void f() { printf("no include\\n"); }',
    "__global__ void k(int n) { assert(n); }",
    "int f(uint8_t* p) { return *p; }",
    "unsigned long f(size_t n, int i) { return max(n, i); }",
    "float f(float x, int i) { return max(x, i); }",
    "__global__ void k(float* p) { atomicMax(p, 1.0f); }",
    "__global__ void k(size_t* p) { atomicAdd(p, 1); }",
    "__global__ void k(unsigned long long* p) { atomicSub(p, 1ull); }",
    "struct S { int a; };\n__global__ void k(const S* p) { (void)__ldg(p); }",
    "__global__ void k(float* p) { atomicMin_block(p, 1.0f); }",
    "dim3 a = {1, 2, 3, 4};",
)


def test_the_public_headers_are_there() -> None:
    expected = {"cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h"}
    expected |= {"math_constants.h", "vector_types.h", "driver_types.h", "device_functions.h"}
    assert expected <= set(PUBLIC)


@each_compiler
@pytest.mark.parametrize("header", PUBLIC)
def test_a_public_header_compiles_alone_and_twice(
    header: str, compiler: str, tmp_path: Path
) -> None:
    assert errors_of(compiler, f"#include <{header}>\n" * 2, tmp_path) == ""


@pytest.mark.parametrize("header", INTERNAL)
def test_an_internal_header_compiles_alone(header: str, tmp_path: Path) -> None:
    assert errors_of(compilers()[0], f'#include "{header}"\n', tmp_path) == ""


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_compiles_alone(source: str, tmp_path: Path) -> None:
    """As when its unit fails: runtime_units.py."""
    assert errors_of(compilers()[0], f'#include "{source}"\n', tmp_path) == ""


@each_compiler
def test_types_of_overloads(compiler: str, tmp_path: Path) -> None:
    assert errors_of(compiler, (FOLDER / "math_types.cpp").read_text(), tmp_path) == ""


@each_compiler
@pytest.mark.parametrize("text", _SHOWN)
def test_what_nvcc_shows_is_there(text: str, compiler: str, tmp_path: Path) -> None:
    assert errors_of(compiler, _BEGIN + text, tmp_path) == ""


@each_compiler
@pytest.mark.parametrize("text", _REFUSED)
def test_what_nvcc_refuses_is_refused(text: str, compiler: str, tmp_path: Path) -> None:
    assert "error" in errors_of(compiler, _BEGIN + text, tmp_path)


def test_without_std_the_rest_is_there(tmp_path: Path) -> None:
    text = "#define LEETK_NO_STD\n" + _BEGIN + "float f(float x) { return max(sqrtf(x), 2.0f); }"
    assert errors_of(compilers()[0], text, tmp_path) == ""
