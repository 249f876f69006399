"""Loops that wait for what is volatile let others run; all other loops stay as they are."""

from __future__ import annotations

import pytest

from harness.backends.cpu.rewrite import rewrite

DECLARED = "__device__ volatile int flag; __shared__ volatile unsigned full[4], *const empty;\n"
CALL = " ::leetk::spin()"


def rewritten(text: str) -> str:
    return rewrite(DECLARED + text, "a.cu").text.partition(DECLARED)[2]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("while (!flag) {}", f"while (!flag) {{{CALL};}}"),
        ("while (full[j & 3] != 2);", f"while (full[j & 3] != 2){CALL};"),
        ("if (a) while (!flag); else b();", f"if (a) while (!flag){CALL}; else b();"),
        ("do {} while (!*empty);", f"do {{{CALL};}} while (!*empty);"),
        ("for (; flag == 0;) {}", f"for (; flag == 0;) {{{CALL};}}"),
        ("while (*(volatile int*)p == 0);", f"while (*(volatile int*)p == 0){CALL};"),
        ("while (__ldcv(p) == 0) {}", f"while (__ldcv(p) == 0) {{{CALL};}}"),
        ("{ a(); } while (!flag) {}", f"{{ a(); }} while (!flag) {{{CALL};}}"),
        (
            "void f(volatile int* g) { while (g[0]) {} }",
            f"void f(volatile int* g) {{ while (g[0]) {{{CALL};}} }}",
        ),
        (
            "#define WAIT(x) while (!(x) && !flag) {}",
            f"#define WAIT(x) while (!(x) && !flag) {{{CALL};}}",
        ),
    ],
)
def test_a_loop_that_waits_lets_others_run(text: str, wanted: str) -> None:
    assert rewritten(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "while (!plain) {}",  # a GPU need not read it again
        "while (full[i++]);",
        "while ((v = flag) == 0) {}",
        "for (int i = 0; full[i]; ++i) {}",
        "for (auto x : full) {}",
        "while (flag + atomicAdd(p, 0) == 0) {}",  # gives way itself
        "while (!flag) __nanosleep(100);",
        "while (!flag) { a(); }",
        "do { a(); } while (!flag);",
        "do { if (b) { a(); } } while (!flag);",
        "do a(); while (!flag);",
        "while (!flag",
        "while",
        "do {} while",
    ],
)
def test_another_loop_stays_as_it_is(text: str) -> None:
    assert rewritten(text) == text


def test_names_of_other_things_are_not_volatile() -> None:
    text = (
        "struct S { volatile int a; }; void f(volatile int* p, int q) { while (q) {} while (S) {} }"
    )
    assert rewritten(text) == text
