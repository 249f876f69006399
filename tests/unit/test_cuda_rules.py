"""CUDA's compile-time rules: on samples whose verdict by nvcc is known, and on our solutions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harness.backends.cpu.rules import check
from harness.source.includes import local_includes
from harness.source.read import read_source, read_text

ROOT = Path(__file__).parents[2]
_SAMPLE = re.compile(r"^== (?P<kind>error|fine|host|gap) (?P<name>.*)$", re.MULTILINE)


def _samples() -> list[tuple[str, str, str]]:
    """Kind, name and source of each sample."""
    text = (ROOT / "tests/backends/cuda_rules.samples").read_text("utf-8")
    found = list(_SAMPLE.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [(m["kind"], m["name"], text[m.end() + 1 : e]) for m, e in zip(found, ends, strict=True)]


def _marked(source: str, mark: str) -> set[int]:
    return {i for i, line in enumerate(source.splitlines(), 1) if line.endswith(mark)}


def _lines(source: str, severity: str) -> set[int]:
    return {d.line for d in check(source, "a.cu") if d.severity == severity}


@pytest.mark.parametrize(
    ("source", "kind"), [pytest.param(source, kind, id=name) for kind, name, source in _samples()]
)
def test_sample(source: str, kind: str) -> None:
    assert _lines(source, "error") == _marked(source, "//!")
    assert _lines(source, "warning") == _marked(source, "//?")
    assert bool(_marked(source, "//!")) == (kind == "error")


def test_samples_are_many_and_of_every_kind() -> None:
    kinds = [kind for kind, _, _ in _samples()]
    assert kinds.count("error") > 70
    assert kinds.count("fine") > 20
    assert set(kinds) == {"error", "fine", "host", "gap"}


def test_a_diagnostic_says_where_and_what() -> None:
    source = "__device__ int f();\n\nint hörbar() { /* ä */ return f(); }\n"
    (found,) = check(source, "a b.cu")
    assert (found.file, found.line, found.severity) == ("a b.cu", 3, "error")
    line = source.splitlines()[2]
    assert line.encode()[found.column - 1 :].startswith(b"f()")
    assert found.source_line == line
    assert "'f'" in found.message and "'hörbar'" in found.message and "\n" not in found.message


def test_messages_come_in_order_and_once() -> None:
    source = """
    #define TWICE(x) x + x
    __device__ int f();
    int b() { return TWICE(f()); }
    int a() { return f(); }
    """
    assert [d.line for d in check(source, "a.cu")] == [4, 5]


def test_declarations_of_headers_count() -> None:
    header = "#define SPACE __device__\nSPACE int f(int);\nint g(int);\nint over(int);\n"
    main = '#include "h.cuh"\n__device__ int over(float);\nint h() { return f(1) + over(2); }\n'
    assert [d.line for d in check(main, "a.cu", headers=(header,))] == [3]
    assert check(main, "a.cu", headers=(header, "int f(long);")) == ()


def test_macros_of_headers_count() -> None:
    header = "#define HOST_DEVICE __host__ __device__\n#define RUN(f) f(1)\n"
    main = "HOST_DEVICE int a(int x);\n__device__ int b(int x);\nint c() { return RUN(a); }\n"
    assert check(main, "a.cu", headers=(header,)) == ()
    assert [d.line for d in check(main + "int d() { return RUN(b); }", "a.cu", headers=(header,))]


def test_a_function_that_only_a_header_uses_is_made() -> None:
    main = "int q();\nstatic __device__ int f() { return q(); }\n"
    assert check(main, "a.cu") == ()
    used = check(main, "a.cu", headers=("__global__ void k(int* p) { p[0] = f(); }",))
    assert [d.line for d in used] == [2]


@pytest.mark.parametrize("pragma", ["nv_exec_check_disable", "hd_warning_disable"])
def test_a_pragma_turns_the_check_of_shared_functions_off(pragma: str) -> None:
    source = "__device__ int f();\n__host__ __device__ int g() { return f(); }\n"
    assert len(check(source, "a.cu")) == 1
    assert check(f"#pragma {pragma}\n{source}", "a.cu") == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "__device__ int f();\nint g() { return f(); ",
        "int g() { return f(); }}\n__device__ int f();",
        "#define A B\n#define B A\nint a = A;",
        "#define F(x) F(x) + F(x)\nint a = F(F(1));",
        "#define F(x, y) x\nint a = F(1);",
        "template <",
        "__global__",
        "__shared__ int",
        "struct { int a; } b; union { int c; };",
        "int a[] = {1, 2}, b{3}; enum class E : int { A, B = 2 };",
        "operator int();",
        "#define OPEN {\n__global__ void k() OPEN }",
        "auto f = [](int x) -> int { return x; };",
        "__device__ int f();\nint g() { return f<(1); }",
        "void f() { a[ }",
        "#else\n#endif\n#elif 1\nint a;",
        "typedef struct S { int a; } S; typedef int (*F)(int);",
    ],
)
def test_odd_text_is_let_pass(text: str) -> None:
    assert check(text, "a.cu") == ()


def _sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.cu"))]


@pytest.mark.parametrize(
    "path", _sources("solutions", "tests/judged", "tests/cuda_semantics", "tests/runtime"), ids=str
)
def test_our_own_sources(path: Path) -> None:
    text = read_source(path).text
    headers = [read_text(header) for header in local_includes(path)]
    errors = [d for d in check(text, str(path), headers=headers) if d.severity == "error"]
    if path.name in _CAUGHT:
        assert errors
    elif path.parent.name != "compile_error" and path.name not in _NOT_FOR_NVCC:
        assert errors == []


# Compile errors that only the rules see.
_CAUGHT = (
    "host_calls_a_device_function.cu",
    "kernel_returns_a_value.cu",
    "launches_a_plain_function.cu",
    "shared_initialiser.cu",
)
# Programs for the runtime alone, which break a rule on purpose.
_NOT_FOR_NVCC = ("faults.cu", "misuse.cu")
