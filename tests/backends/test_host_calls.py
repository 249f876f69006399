"""Host functions that device code calls without a name to be seen: what nvcc 13.0 rejects
(``-std=c++17 -arch=sm_90``, each line tried), what it takes, and what it only warns of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.backends.cpu.backend import CpuBackend
from harness.backends.cpu.toolchain import find_toolchain
from harness.catalog import find_problem
from harness.errors import CompileFailed, Refused
from harness.model import Artifact, BuildOptions
from harness.source import read_source

pytestmark = pytest.mark.compiler

SOLVE = '\nextern "C" void solve(const float* input, float* output, int rows, int cols) {}\n'

# The lines marked //! call a host function in device code.
FAULTS = """#include <functional>
int h() { return 3; }
struct Base { int b; Base() : b(1) {} int f(int x) { return x; } };
struct Derived : Base {}; //!
struct Member { Base b; ~Member() = default; }; //!
struct Gone { int v; ~Gone() { v = 0; } };
struct Holder { Gone g; }; //!
struct Copied { int v; Copied() = default; Copied(const Copied& o) : v(o.v) {} };
struct Number {
    int v;
    operator int() const { return v; }
    Number& operator=(int x) { v = x; return *this; }
};
struct Range { int *b, *e; int* begin() { return b; } int* end() { return e; } };
struct Functor { int operator()(int x) const { return x; } };
template <class T> struct Crtp { int g(int x) { return static_cast<T*>(this)->h(x); } };
struct Child : Crtp<Child> { __device__ int h(int x) { return x; } };
template <int N> struct Tile {
    float d[N];
    Tile() { d[0] = 0; }
    static int at(int r) { return r * N; }
};
namespace u { inline int index(int x) { return x; } }
__device__ int preset(int x = h()) { return x; }
template <class F> __device__ int apply(F f, int x) {
    return f(x); //!
}
static auto twice = [](int x) { return 2 * x; };
__global__ void k(int* a) {
    Derived derived;
    a[0] = derived.f(1); //!
    Member member;
    Holder holder;
    holder.g.v = member.b.b;
    Copied one;
    one.v = a[0];
    Copied two(one); //!
    Number number{two.v};
    number = 4; //!
    a[2] = number; //!
    for (int x : Range{a, a + 2}) a[3] += x; //!
    Child child;
    a[4] = child.g(a[0]); //!
    Tile<4> tile; //!
    a[5] = Tile<4>::at(a[0]) + tile.d[1]; //!
    a[6] = u::index(a[0]); //!
    a[7] = preset(); //!
    a[8] = apply(Functor(), a[0]);
    a[9] = twice(a[0]); //!
    a[10] = std::plus<int>()(a[0], a[1]); //!
    struct Local { int v; int get() { return v; } };
    Local local{1};
    a[12] = local.get(); //!
}
template <class F> __global__ void with(int* a, F f) {
    a[0] = f(a[0]); //!
}
void run(int* a) { with<<<1, 1>>>(a, Functor()); }
"""

ARRAY = "__global__ void k(int* a) { int b[warpSize]; b[0] = 1; *a = b[0]; }"

FINE = """#include <cmath>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>
#define BOTH __host__ __device__
struct Plain { int v; Plain() = default; Plain(const Plain&) = default; ~Plain() = default; };
struct Marked { int v; BOTH Marked(int x) : v(x) {} __device__ ~Marked() {} };
struct Heir : Marked { using Marked::Marked; };
struct HostOnly { int v; HostOnly(int x) : v(x) {} HostOnly(const HostOnly& o) : v(o.v) {} };
struct Out { int v; __device__ int get(); BOTH int both() const; };
__device__ int Out::get() { return v; }
int Out::both() const { return v; }
__device__ int declared(int x);
int declared(int x) { return x; }
template <class T> __device__ int special(T) { return 1; }
template <> int special<int>(int) { return 2; }
template <class F> __device__ int apply(F f) { return f(2); }
__device__ int tag(std::true_type) { return 1; }
__device__ int tag(std::false_type) { return 2; }
template <class T> __device__ const T& larger(const T& a, const T& b) { return a < b ? b : a; }
BOTH inline int shared(int x) { auto add = [=](int y) { return x + y; }; return add(1); }
int host(int x) { HostOnly made(x); return shared(made.v); }
static __device__ int unused() { HostOnly made(1); return made.v; }
template <class T> __device__ int uninstantiated() { HostOnly made(1); return made.v; }
template <bool B> __device__ int chosen(int x) {
    if constexpr (B) return host(x);
    else return x;
}
__global__ void k(float* f, int* a, HostOnly given, std::pair<int, int> two) {
    Plain one;
    one.v = 1;
    Plain copy = one;
    Heir heir(copy.v);
    Marked marked(given.v);
    Out out{3};
    auto twice = [&](auto x) { return 2 * x + *a; };
    a[0] = heir.v + marked.v + out.get() + out.both() + declared(1) + special(1);
    a[1] = apply([](int x) { return x; }) + twice(3) + shared(2) + chosen<false>(1);
    a[2] = tag(std::is_same<int, float>{}) + larger(threadIdx.x, blockIdx.x);
    a[3] = decltype(host(1))(2) + sizeof(host(1));
    for (int x : {1, 2, 3}) a[4] += x;
    auto third = two;
    int moved = std::move(third.first);
    new (a) int(std::forward<int>(moved));
    f[0] = std::abs(f[1]) + std::pow(f[2], 2) + std::fmin(f[3], 1.f) + std::isnan(f[4]);
    dim3 grid(1, 2, 3), other = gridDim;
    a[5] = grid.x + other.y;
}
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def build(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Artifact]:
    """Builds a text as ``a.cu``; skips without GCC, whose call graph this is about."""
    monkeypatch.setenv("LEETK_CACHE_DIR", str(cache))
    monkeypatch.chdir(tmp_path)
    toolchain = find_toolchain()
    if toolchain is None or toolchain.clang:
        pytest.skip("GCC's call graph")

    def make(text: str, **headers: str) -> Artifact:
        for name, header in headers.items():
            Path(f"{name}.h").write_text(header)
        path = Path("a.cu")
        path.write_text(text + SOLVE)
        return CpuBackend().build(find_problem("transpose"), read_source(path), BuildOptions())

    return make


def test_all_that_is_called_unseen_is_found(build: Callable[..., Artifact]) -> None:
    with pytest.raises(CompileFailed) as caught:
        build(FAULTS)
    found = {d.line for d in caught.value.diagnostics if d.severity == "error"}
    marked = {n for n, line in enumerate(FAULTS.split("\n"), 1) if line.endswith("//!")}
    assert found == marked
    assert all("\n" not in d.message and d.file == "a.cu" for d in caught.value.diagnostics)


def test_what_nvcc_takes_is_let_pass(build: Callable[..., Artifact]) -> None:
    assert [d.message for d in build(FINE).diagnostics if d.severity == "error"] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("struct S { int v; operator int() { return v; } };\n"
         "__global__ void k(int* a) { S s{1}; *a = s; }",
         "2: calling the __host__ function 'S::operator int' from the __global__ function 'k' is "
         "not allowed; mark it __device__"),
        ("#include <functional>\n__global__ void k(int* a) { *a = std::plus<int>()(*a, 1); }",
         "2: calling the constexpr __host__ function 'std::plus::operator()' from the "
         "__global__ function 'k' is not allowed; nvcc takes it with --expt-relaxed-constexpr "
         "alone"),
        ("int h(int x) { return x; }\n__global__ void k(int* a) { int (*p)(int) = h; *a = p(1); }",
         "2: the __host__ function 'h' is undefined in device code; mark it __device__"),
    ],
)  # fmt: skip
def test_what_is_said(build: Callable[..., Artifact], text: str, said: str) -> None:
    with pytest.raises(CompileFailed) as caught:
        build(text)
    assert str(caught.value) == f"a.cu:{said}"


def test_cuda_std_is_for_both_sides(build: Callable[..., Artifact]) -> None:
    made = build(
        "#include <cuda/std/array>\n#include <cuda/std/tuple>\n#include <cuda/std/utility>\n"
        "__global__ void k(float* a) {\n"
        "  cuda::std::array<float, 2> pair{a[0], a[1]};\n"
        "  auto both = cuda::std::make_tuple(pair[0], pair[1]);\n"
        "  cuda::std::swap(pair[0], pair[1]);\n"
        "  for (float v : pair) a[2] += v;\n"
        "  a[3] = cuda::std::get<0>(both);\n}\n"
    )
    assert made.diagnostics == ()


@pytest.mark.parametrize(
    "text",
    [
        "int h(int x) { return x; }\n__host__ __device__ int g(int x) {\n return h(x); }\n"
        "__global__ void k(int* a) { *a = g(*a); }",
        "#include <algorithm>\n__host__ __device__ int g(int x) {\n return std::max(x, 3); }\n"
        "__global__ void k(int* a) { *a = g(*a); }",
        "int h() { return 3; }\nstruct\nS { int v = h(); };\n"
        "__global__ void k(int* a) { S s; *a = s.v; }\nint both() { S s; return s.v; }",
    ],
)
def test_what_nvcc_warns_of_and_makes_no_code_for_is_refused(
    build: Callable[..., Artifact], text: str
) -> None:
    with pytest.raises(Refused) as caught:
        build(text)
    assert caught.value.line == 3
    alone = text.partition("__global__")[0]
    build(alone + "__global__ void k(int* a) { *a = 1; }")


def test_a_function_of_a_header(build: Callable[..., Artifact]) -> None:
    header = "struct S { int v; S(int x) : v(x) {} __device__ int get() { return v; } };\n"
    text = '#include "s.h"\n__global__ void k(int* a) {\n S s(*a);\n *a = s.get(); }'
    with pytest.raises(CompileFailed) as caught:
        build(text, s=header)
    assert str(caught.value).startswith("a.cu:3: calling the __host__ function 'S::S'")
    build(text.replace("S s(*a);", "__shared__ int b;").replace("s.get()", "1"), s=header)


def test_warp_size_is_no_constant(build: Callable[..., Artifact]) -> None:
    for use in ("constexpr int w = warpSize;", "int b[warpSize];\nb[0] = 1;", "f<warpSize>();"):
        text = f"template <int N> __device__ void f() {{}}\n__global__ void k(int* a) {{\n{use}\n}}"
        with pytest.raises(CompileFailed) as caught:
            build(text)
        assert caught.value.diagnostics[0].line == 3


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k(int* a) { const int w = warpSize; *a = max(w, 3) + *a % warpSize; }",
        "const int warpSize = 32;\n" + ARRAY,
        "#define warpSize 32\n" + ARRAY,
        "namespace n { constexpr int warpSize = 32; }\n"
        "__global__ void k(int* a) { int b[n::warpSize]; b[0] = 1; *a = b[0] + warpSize; }",
    ],
)  # fmt: skip
def test_warp_size_is_there(build: Callable[..., Artifact], text: str) -> None:
    build(text)
