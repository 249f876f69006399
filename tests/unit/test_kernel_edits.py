"""Launch bounds, casts of kernels and a little inline PTX: what becomes of them, and what stays."""

from __future__ import annotations

import pytest

from harness.backends.cpu.rewrite import rewrite
from harness.backends.cpu.rewrite.kernel_edits import is_known_asm
from harness.source import lexer


def rewritten(text: str) -> str:
    """The text without its line directive, and with single blanks."""
    return " ".join(rewrite(text, "a.cu").text.partition("\n")[2].split())


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("__global__ void __launch_bounds__(128) k(int* p) { *p = 1; }", "128"),
        ("__global__ __launch_bounds__(N * 2, 1)\nvoid k(int* p)\n{ *p = 1; }", "N*2, 1"),
        ("void __launch_bounds__(B) __global__ k(int (*f)(int), int* p) { *p = f(1); }", "B"),
        ("template <int T> __launch_bounds__(T) __global__ void k() {}", "T"),
        ("#define K(n) __global__ __launch_bounds__(n) void k##n() { f(); }", "n"),
        ("__launch_bounds__(64) __attribute__((used)) __global__ void k() { f(); }", "64"),
    ],
)
def test_launch_bounds_become_the_first_statement(text: str, bounds: str) -> None:
    assert f"{{ LEETK_LAUNCH_BOUNDS({bounds});" in rewritten(text)


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void __launch_bounds__(128) k(int* p);",
        "#define BOUNDS __launch_bounds__(128)\n__global__ void BOUNDS k() { f(); }",
    ],
)
def test_bounds_without_a_body_stay(text: str) -> None:
    assert "LEETK" not in rewritten(text)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("cudaLaunchKernel((void*)k, 1, 2, a, 0, 0);", "cudaLaunchKernel(k, 1, 2, a, 0, 0);"),
        ("cudaLaunchKernel((const void *) &k<int, 3>, 1);", "cudaLaunchKernel( &k<int, 3>, 1);"),
        ("cudaLaunchKernel(reinterpret_cast<void*>(k), 1);", "cudaLaunchKernel((k), 1);"),
        ("cudaLaunchCooperativeKernel((void*)(k), 1);", "cudaLaunchCooperativeKernel((k), 1);"),
        ("cudaLaunchKernel(k, 1);", "cudaLaunchKernel(k, 1);"),
        ("cudaLaunchKernel((k), 1);", "cudaLaunchKernel((k), 1);"),
        ("cudaMalloc((void**)&p, 1);", "cudaMalloc((void**)&p, 1);"),
        ("f((void*)k);", "f((void*)k);"),
    ],
)
def test_casts_of_kernels(call: str, expected: str) -> None:
    assert rewritten(call) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('asm("mov.u32 %0, %%laneid;" : "=r"(x));', "(x) = ::leetk::ptx_laneid() ;"),
        ('asm volatile("mov.u64 %0, %%clock64;" : "=l"(t.now) :: "memory");',
         "(t.now) = ::leetk::ptx_clock64() ;"),
        ('asm ("mov.u32 \\t%0,\\n %tid.x;" : "=r"(a[0]));', "(a[0]) = ::leetk::ptx_tid_x() ;"),
        ('asm volatile("bar.sync 0;" ::: "memory");', "__syncthreads() ;"),
        ('__asm__ __volatile__("membar.gl;");', "__threadfence() ;"),
    ],
)  # fmt: skip
def test_known_ptx(statement: str, expected: str) -> None:
    tokens = lexer.significant(lexer.tokens(statement))
    assert is_known_asm(tokens, 0)
    assert rewritten(statement).replace(" ", "") == expected.replace(" ", "")


@pytest.mark.parametrize(
    "statement",
    [
        'asm("mov.u32 %0, %1;" : "=r"(x) : "r"(y));',
        'asm("mov.u32 %0, %%laneid; add.u32 %0, %0, 1;" : "=r"(x));',
        'asm("mov.f32 %0, %%laneid;" : "=f"(x));',
        'asm("bar.sync 1;");',
        'asm("bar.sync 0;" :: "r"(x));',
        'asm volatile("" ::: "memory");',
        'asm("mov.u32 %0, %%envreg1;" : "=r"(x));',
        'asm("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(p));',
    ],
)
def test_unknown_ptx_stays(statement: str) -> None:
    tokens = lexer.significant(lexer.tokens(statement))
    assert not is_known_asm(tokens, 0)
    assert rewritten(statement) == " ".join(statement.split())


def test_lines_are_kept() -> None:
    text = (
        'void f() {\n  asm volatile(\n      "mov.u32 %0, %%smid;"\n      : "=r"(x));\n  g();\n}\n'
    )
    result = rewrite(text, "a.cu").text
    assert result.count("\n") == text.count("\n") + 1
    assert result.splitlines()[5].strip() == "g();"
