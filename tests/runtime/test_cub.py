"""CUB on the CPU runtime: what a device leaves undefined, misuse, and what compiles.

What CUB computes is tested in ``tests/cuda_semantics``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime_tools import RUNTIME, Programs, compilers, errors_of

from harness.backends.cpu.refuse import refusal_of
from harness.build import diagnostics

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(not compilers(), reason="no C++ compiler"),
]
each_compiler = pytest.mark.parametrize("compiler", compilers())

HEADERS = sorted(
    str(path.relative_to(RUNTIME))
    for folder in ("cub", "cuda")
    for path in (RUNTIME / folder).rglob("*")
    if path.is_file()
)

# In each order of threads: of 128 results all but thread 0's are poison; the sum of 0 to 127; two
# sums of 128 and 8128; a block that is half as large as declared gives no sum; 32 + 64; of each of
# two exclusive scans without an initial value the first result is poison, and all that thread 0
# shows is one; lanes other than 0 get poison.
_BLOCK_RULES = """\
{0} reduce 127 8128
{0} with a barrier 8128128
{0} half a block 1
{0} one warp 96
{0} scan 1
{0} scan twice 0 wrong
{0} warps 124 96
{0} own storage 128
"""
_RULES = """\
without a barrier 1
a thread less 1
together 8128 136128
sum 1
scan 1
too little cudaErrorInvalidValue cudaSuccess
small numbers 30000
iterators 26 100
"""

# Names and forms that CUDA 12 has and CUDA 13 has not, or has only there.
_COMPILES = (
    "cub::Sum a; cub::Min b; cub::Max c; cub::Equality d; cub::Inequality e; cub::ArgMax f;",
    "using A = cub::BlockReduce<float, 32, cub::BLOCK_REDUCE_RAKING, 4, 2, 900>;",
    "using B = cub::BlockRadixSort<int, 128, 4, float, 5, true>; B::TempStorage storage;",
    "cub::ConstantInputIterator<int> ones(1); cub::DiscardOutputIterator<> nothing;",
    "void f() { cub::KeyValuePair<int, float> pair(1, 2.0f); (void)(pair == pair); }",
    "static_assert(cub::Log2<32>::VALUE == 5 && cub::PowerOfTwo<8>::VALUE);",
    "static_assert(std::is_same_v<cub::CubVector<float, 4>::Type, float4>);",
    "static_assert(CUB_VERSION >= 200000 && CUB_MIN(2, 1) == 1);",
    "cub::CachingDeviceAllocator allocator(true);",
    "cudaError_t f(cudaError_t e) { CubDebugExit(e); return CubDebug(e); }",
    "int f() { return cuda::maximum<int>()(1, 2) + cuda::minimum<>()(1, 2); }",
    "float f() { return cuda::std::plus<float>()(1, 2) + cub::DivideAndRoundUp(5, 2); }",
    "int f() { return cuda::std::numeric_limits<int>::max(); }",
    "half f(half* p, half (&items)[2]) { cub::LoadDirectBlocked(0, p, items); return items[0]; }",
)


def test_there_are_headers() -> None:
    assert {"cub/cub.cuh", "cub/block/block_reduce.cuh", "cuda/std/functional"} <= set(HEADERS)
    assert len(HEADERS) > 60


@each_compiler
@pytest.mark.parametrize("header", HEADERS)
def test_a_header_compiles_alone_and_twice(header: str, compiler: str, tmp_path: Path) -> None:
    assert errors_of(compiler, f"#include <{header}>\n" * 2, tmp_path) == ""


@each_compiler
@pytest.mark.parametrize("text", _COMPILES)
def test_names_are_there(text: str, compiler: str, tmp_path: Path) -> None:
    begin = "#include <cuda_runtime.h>\n#include <cub/cub.cuh>\n#include <cuda/std/limits>\n"
    assert errors_of(compiler, begin + text, tmp_path) == ""


def test_a_radix_sort_refuses_keys_without_an_order_of_bits(tmp_path: Path) -> None:
    text = (
        "#include <cuda_runtime.h>\n#include <cub/cub.cuh>\nstruct Key { int a, b; };\n"
        "void f(void* t, size_t& n, Key* k) { cub::DeviceRadixSort::SortKeys(t, n, k, k, 9); }"
    )
    assert "need a decomposer" in errors_of(compilers()[0], text, tmp_path)


@each_compiler
@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("using A = cub::BlockRunLengthDecode<int, 32, 1, 1>;", "cub::BlockRunLengthDecode"),
        ("cub::GridBarrier barrier;", "cub::GridBarrier"),
        ("void f(int* p) { thrust::shuffle(p, p + 1, 3); }", "thrust::shuffle"),
        ("using A = cub::BlockReduct<int, 32>;", ""),
        ("void f(int* p) { thrust::sord(p, p + 1); }", ""),
    ],
)
def test_what_is_missing_is_refused_and_mistakes_are_not(
    text: str, feature: str, compiler: str, tmp_path: Path
) -> None:
    output = errors_of(compiler, f"#include <cub/cub.cuh>\n{text}", tmp_path)
    errors = diagnostics.errors(diagnostics.parse(output, {}))
    refused = refusal_of(errors, RUNTIME, "main.cu")
    assert (refused.feature if refused else "") == feature


def test_what_is_undefined_shows(programs: Programs) -> None:
    orders = ("forward", "backward", "shuffled")
    expected = "".join(_BLOCK_RULES.format(order) for order in orders) + _RULES
    assert programs.output("cub_rules.cu").splitlines() == expected.splitlines()


@pytest.mark.parametrize(
    ("argument", "kind", "words"),
    [
        ("0", "illegal_access", ("argument 4 of kernel cub::DeviceReduce::Sum", "host memory")),
        ("1", "divergent_barrier", ("cub_faults.cu",)),
    ],
)
def test_misuse_is_reported(
    programs: Programs, argument: str, kind: str, words: tuple[str, ...]
) -> None:
    text = programs.last_words("cub_faults.cu", argument)
    assert f"leetk: {kind}: " in text
    assert all(word in text for word in words)
