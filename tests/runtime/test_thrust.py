"""thrust on the CPU runtime: the algorithms against the standard library's, and what compiles."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime_tools import RUNTIME, Programs, compilers, errors_of

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(not compilers(), reason="no C++ compiler"),
]
each_compiler = pytest.mark.parametrize("compiler", compilers())

HEADERS = sorted(str(path.relative_to(RUNTIME)) for path in (RUNTIME / "thrust").rglob("*.h"))

# What nvcc 13 shows with these includes alone.
_SHOWN = (
    "#include <thrust/sort.h>\nauto f() { return thrust::device; }",
    "#include <thrust/sort.h>\nint f() { return thrust::plus<int>()(1, 2); }",
    "#include <thrust/reduce.h>\nauto f() { return thrust::make_counting_iterator(3); }",
    "#include <thrust/scan.h>\nauto f(cudaStream_t s) { return thrust::cuda::par.on(s); }",
    "#include <thrust/device_vector.h>\nint f(thrust::device_vector<int>& v) {"
    " return thrust::reduce(v.begin(), v.end()); }",
    "#include <thrust/device_ptr.h>\nvoid f(int* p) { thrust::device_ptr<int> d(p); d[0] = d[1]; }",
    "#include <thrust/tuple.h>\nint f() { return thrust::get<0>(thrust::make_tuple(1, 2)); }",
)
# What nvcc refuses.
_REFUSED = (
    "#include <thrust/sort.h>\nvoid f(int* p) { thrust::device_ptr<int> d(p); }",
    "#include <thrust/device_vector.h>\nvoid f(int* p) { thrust::device_ptr<int> d = p; }",
    "#include <thrust/device_vector.h>\nint* f(thrust::device_vector<int>& v) { return v.data(); }",
    "#include <thrust/device_vector.h>\nint& f(thrust::device_vector<int>& v) { return v[0]; }",
    "#include <thrust/sort.h>\nvoid f(int* p) { thrust::sort(p); }",
)


def test_there_are_headers() -> None:
    expected = {"thrust/sort.h", "thrust/device_vector.h", "thrust/iterator/zip_iterator.h"}
    assert expected <= set(HEADERS)


@each_compiler
@pytest.mark.parametrize("header", HEADERS)
def test_a_header_compiles_alone_and_twice(header: str, compiler: str, tmp_path: Path) -> None:
    assert errors_of(compiler, f"#include <{header}>\n" * 2, tmp_path) == ""


@each_compiler
@pytest.mark.parametrize("text", _SHOWN)
def test_what_an_include_shows(text: str, compiler: str, tmp_path: Path) -> None:
    assert errors_of(compiler, "#include <cuda_runtime.h>\n" + text, tmp_path) == ""


@pytest.mark.parametrize("text", _REFUSED)
def test_what_nvcc_refuses_is_refused(text: str, tmp_path: Path) -> None:
    assert "error" in errors_of(compilers()[0], "#include <cuda_runtime.h>\n" + text, tmp_path)


def test_algorithms_agree_with_the_standard_library(programs: Programs) -> None:
    assert programs.output("thrust_rules.cu").splitlines() == ["153 checks"]


def test_a_pointer_to_host_memory_is_refused_on_the_device(programs: Programs) -> None:
    text = programs.last_words("thrust_rules.cu", "0")
    assert "leetk: illegal_access: argument 1 of kernel thrust::sort " in text
