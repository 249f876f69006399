"""Types that nvcc 13.0 doesn't take as a kernel's template arguments (``-std=c++17 -arch=sm_90``,
each line tried), and those that it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.backends.cpu.backend import CpuBackend
from harness.backends.cpu.toolchain import find_toolchain
from harness.catalog import find_problem
from harness.errors import CompileFailed
from harness.model import Artifact, BuildOptions
from harness.source import read_source

pytestmark = pytest.mark.compiler

KERNEL = "template <class... F> __global__ void k(F... f) {}\n"
SOLVE = '\nextern "C" void solve(const float* input, float* output, int rows, int cols) {}\n'


@pytest.fixture(autouse=True)
def _needs_gcc() -> None:
    toolchain = find_toolchain()
    if toolchain is None or toolchain.clang:
        pytest.skip("the call graph is GCC's")


def build(folder: Path, text: str) -> Artifact:
    path = folder / "a.cu"
    path.write_text(KERNEL + text + SOLVE, "utf-8")
    return CpuBackend().build(find_problem("transpose"), read_source(path), BuildOptions())


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("void h() { struct L {};\nk<<<1, 1>>>(L{}); }", 3, "'L', which the function 'h'"),
        ("void h() { enum E { A };\nk<<<1, 1>>>(1, A); }", 3, "'E', which the function 'h'"),
        ("void h() { struct L {}; k<L*><<<1, 1>>>(nullptr); }", 2, "define it outside"),
        ("template <class T> struct W {};\n"
         "void h() { struct L {}; k<<<1, 1>>>(W<L>{}); }", 3, "'L'"),
        ("struct S { void f() const { struct L {}; k<<<1, 1>>>(L{}); } };\n"
         "void h(S s) { s.f(); }", 2, "'L', which the function 'f' defines"),
        ("void g() { k<<<1, 1>>>(1); }\nvoid h() { k<<<1, 1>>>([] {}); }", 3, "a lambda"),
        ("auto l = [] {};\nvoid h() { k<<<1, 1>>>(l); }", 3, "a lambda"),
        ("struct { int a; } g;\nvoid h() { k<<<1, 1>>>(g); }", 3, "without a name"),
        ("class Q { struct P {}; public: static void f() { k<<<1, 1>>>(P{}); } };\n"
         "void h() { Q::f(); }", 2, "'Q::P'"),
        ("struct Q { static void f() { P* p = 0; k<<<1, 1>>>(p); } protected: enum P { A }; };\n"
         "void h() { Q::f(); }", 2, "'Q::P'"),
    ],
)  # fmt: skip
def test_what_nvcc_rejects(text: str, line: int, word: str, tmp_path: Path) -> None:
    with pytest.raises(
        CompileFailed, match="template argument of the __global__ function 'k'"
    ) as e:
        build(tmp_path, text)
    (found,) = [each for each in e.value.diagnostics if each.severity == "error"]
    assert (found.line, word in found.message) == (line, True), found.message


FINE = """
namespace { struct A { int a; }; }
namespace n { struct X { enum class E { A }; }; }
template <class T> struct W { struct In { T a; }; };
struct R {};
class Q {
    enum { N = 3 };
    using P = R;
    int a;
public:
    struct S {};
    static void f() { k<<<1, 1>>>(P{}, S{}); v<N><<<1, 1>>>(); }
    template <int M> __device__ static int g() { return M; }
private:
    struct Unused {};
};
template <int N> __global__ void w() {}
template <class F> __device__ int d(F f) { return 1; }
__device__ int q(int a) { return a; }
template <int (*F)(int)> __global__ void p(int* a) { a[0] = F(1); }
__global__ void b(int* a) { struct L {}; a[0] = d(L{}) + d([] {}); }
void h(int* a) {
    struct L : R {};
    k<<<1, 1>>>(A{}, n::X::E::A, W<int>::In{1}, static_cast<R>(L{}), &A::a);
    p<q><<<1, 1>>>(a);
    b<<<1, 1>>>(a);
    Q::f();
}
"""


def test_what_nvcc_takes(tmp_path: Path) -> None:
    forward = "template <int N> __global__ void v() {}\n"
    assert build(tmp_path, forward + FINE).library.is_file()
