"""Launches and shared arrays are rewritten wherever they stand, and nothing else is touched."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.backends.cpu.rewrite import line_directive, rewrite
from harness.backends.cpu.rewrite.edits import Edit, Edited

_PIECES = st.sampled_from(
    [
        "k",
        "<<<",
        "<< <",
        ">>>",
        ">> >",
        "<",
        ">",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ";",
        "::",
        "*",
        "\n",
        " ",
        "\\\n",
        "#define X ",
        "#if A",
        "extern ",
        "__shared__ ",
        "static ",
        "thread_local ",
        "float ",
        "s[]",
        "1",
        '"<<<"',
        "// <<<\n",
        "/*\n*/",
        "__align__(16) ",
        "if ",
        "return ",
        "##",
        ".",
        "->",
    ]
)


def body(text: str) -> str:
    """The rewritten text without its first line."""
    return rewrite(text, "a.cu").text.split("\n", 1)[1]


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


@given(st.one_of(st.text(), st.lists(_PIECES).map("".join)))
@example("extern __shared__ thread_local[")
def test_lines_stay(text: str) -> None:
    assert body(text).count("\n") == text.count("\n")


def test_a_thread_local_beside_dynamic_shared_memory() -> None:
    assert "thread_local" not in body("extern thread_local __shared__ float x[];")


def test_a_static_in_common_is_taken_away_once() -> None:
    assert body("__shared__:__shared__:static").split() == ["__shared__:__shared__:"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k<<<1, 2>>>(a, b);", 'LEETK_LAUNCH("k", (k), (1, 2), (a, b));'),
        ("k<<<g, b>>>();", 'LEETK_LAUNCH("k", (k), (g, b), ());'),
        ("k <<< g, b, 0, s >>> (a);", 'LEETK_LAUNCH("k", (k ), ( g, b, 0, s ),  (a));'),
        ("k << <g, b >> > (a);", 'LEETK_LAUNCH("k", (k ), ( g, b ),   (a));'),
        (
            "k<T, 16><<<g, b>>>(a);",
            'LEETK_LAUNCH("k<T, 16>", (k<T, 16>), (g, b), (a));',
        ),
        (
            "ns::k<A<B<int>>><<<g, b>>>(a);",
            'LEETK_LAUNCH("ns::k<A<B<int>>>", (ns::k<A<B<int>>>), (g, b), (a));',
        ),
        ("k<(1>2)><<<1,1>>>();", 'LEETK_LAUNCH("k<(1>2)>", (k<(1>2)>), (1,1), ());'),
        ("k<1<<2><<<1,1>>>();", 'LEETK_LAUNCH("k<1<<2>", (k<1<<2>), (1,1), ());'),
        ("a<1>::k<<<1,1>>>();", 'LEETK_LAUNCH("a<1>::k", (a<1>::k), (1,1), ());'),
        ("::k<<<1,1>>>();", 'LEETK_LAUNCH("::k", (::k), (1,1), ());'),
        ("(*fp)<<<1,1>>>();", 'LEETK_LAUNCH("(*fp)", ((*fp)), (1,1), ());'),
        ("this->f<<<1,1>>>();", 'LEETK_LAUNCH("this->f", (this->f), (1,1), ());'),
        ("o.f<<<1,1>>>();", 'LEETK_LAUNCH("o.f", (o.f), (1,1), ());'),
        ("t[i][0]<<<1,1>>>();", 'LEETK_LAUNCH("t[i][0]", (t[i][0]), (1,1), ());'),
        ("get<int>(4)<<<1,1>>>();", 'LEETK_LAUNCH("get<int>(4)", (get<int>(4)), (1,1), ());'),
        (
            "o.template f<3><<<1,1>>>();",
            'LEETK_LAUNCH("o.template f<3>", (o.template f<3>), (1,1), ());',
        ),
        ("k<'\"'><<<1,1>>>();", r"""LEETK_LAUNCH("k<'\"'>", (k<'"'>), (1,1), ());"""),
        ("return k<<<1,1>>>();", 'return LEETK_LAUNCH("k", (k), (1,1), ());'),
        ("(void)k<<<1,1>>>();", '(void)LEETK_LAUNCH("k", (k), (1,1), ());'),
        ("if (x) k<<<1,1>>>();", 'if (x) LEETK_LAUNCH("k", (k), (1,1), ());'),
        ("if (x) (k)<<<1,1>>>();", 'if (x) LEETK_LAUNCH("(k)", ((k)), (1,1), ());'),
        ("else k<<<1,1>>>();", 'else LEETK_LAUNCH("k", (k), (1,1), ());'),
        (
            "k<<<dim3(1, 2), sizeof(F<int, 2>)>>>(a);",
            'LEETK_LAUNCH("k", (k), (dim3(1, 2), sizeof(F<int, 2>)), (a));',
        ),
        ("k<<<{1, 2}, 3>>>();", 'LEETK_LAUNCH("k", (k), ({1, 2}, 3), ());'),
        ("k<<<1, S<S<2>>::v>>>();", 'LEETK_LAUNCH("k", (k), (1, S<S<2>>::v), ());'),
        ("k<<<1, S<S<2>>>>>();", 'LEETK_LAUNCH("k", (k), (1, S<S<2>>), ());'),
        ("k<<<i < 5 ? 1 : 2, 3>>>();", 'LEETK_LAUNCH("k", (k), (i < 5 ? 1 : 2, 3), ());'),
        ("k<<<1, a >> 2>>>();", 'LEETK_LAUNCH("k", (k), (1, a >> 2), ());'),
        (
            "k<<<1,1>>>([=](int x) { return x << 2; });",
            'LEETK_LAUNCH("k", (k), (1,1), ([=](int x) { return x << 2; }));',
        ),
        (
            "k<<<1,1>>>(a, f<<<2,2>>>(b));",
            'LEETK_LAUNCH("k", (k), (1,1), (a, LEETK_LAUNCH("f", (f), (2,2), (b))));',
        ),
    ],
)
def test_a_launch(text: str, expected: str) -> None:
    found = rewrite(text, "a.cu")
    assert body(text) == expected
    assert found.launches == expected.count("LEETK_LAUNCH")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("__syncthreads();\n__syncthreads();", "__syncthreads();\n__syncthreads();"),
        (
            "if (a) __syncthreads(); else __syncthreads();",
            "if (a) __syncthreads(); else ::leetk::NthOfLine<2>::__syncthreads();",
        ),
        (
            "__syncthreads(); b = __syncthreads_or(a); __syncthreads();",
            "__syncthreads(); b = ::leetk::NthOfLine<2>::__syncthreads_or(a);"
            " ::leetk::NthOfLine<3>::__syncthreads();",
        ),
        (
            "#define STEP __syncthreads(); \\\n  f(); __syncthreads()\n",
            "#define STEP __syncthreads(); \\\n  f(); ::leetk::NthOfLine<2>::__syncthreads()\n",
        ),
        ("__syncthreads(); ::__syncthreads();", "__syncthreads(); ::__syncthreads();"),
    ],
)
def test_barriers_of_one_line(text: str, expected: str) -> None:
    assert body(text) == expected


def test_a_launch_over_lines_with_comments_and_conditions() -> None:
    text = (
        "k // the kernel\n <int>\n <<<grid, /* >>> */\n#if A\n block\n#else\n 2\n#endif\n"
        ">>>\n(a,\n b);"
    )
    expected = (
        'LEETK_LAUNCH("k<int>", (k // the kernel\n <int>\n ), (grid, /* >>> */\n#if A\n block\n'
        "#else\n 2\n#endif\n), \n(a,\n b));"
    )
    assert body(text) == expected


def test_launches_in_the_bodies_of_macros() -> None:
    text = (
        "#define RUN(k, T, ...) do { \\\n  k<T><<<1, 1>>>(__VA_ARGS__); \\\n} while (0)\n"
        "#define CAT(T) run_##T<<<1,1>>>(x)\n#define PAREN (k)<<<1,1>>>()\nint y;"
    )
    expected = (
        "#define RUN(k, T, ...) do { \\\n"
        "  LEETK_LAUNCH(LEETK_WORDS(k<T>), (k<T>), (1, 1), (__VA_ARGS__)); \\\n"
        "} while (0)\n#define CAT(T) LEETK_LAUNCH(LEETK_WORDS(run_##T), (run_##T), (1,1), (x))\n"
        "#define PAREN LEETK_LAUNCH(LEETK_WORDS((k)), ((k)), (1,1), ())\nint y;"
    )
    assert body(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        'printf("k<<<1,1>>>(a)");',
        "// k<<<1,1>>>(a);",
        "/* k<<<1,1>>>(a); */",
        'auto s = R"(k<<<1,1>>>(a))";',
        "k<<<1,1>>>;",
        "<<<1,1>>>(a);",
        "k<<<1,1(a);",
        "k<<<1;1>>>(a);",
        "#define CFG <<<1,1>>>",
        "#define K(k) k<<<1,1>>>",
        "<<<<<<< HEAD\nint a;\n>>>>>>> branch",
        "x = a << b >> c;",
        "std::vector<std::vector<std::vector<int>>> v(3);",
        "friend S& operator<<<int>(S& s, T<int> t);",
        "extern int s[]; static int t; int extern_shared[3];",
        "__shared__ float tile[16][17];",
        "__shared__ float one;",
    ],
)
def test_what_stays(text: str) -> None:
    assert body(text) == text
    assert rewrite(text, "a.cu").launches == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("extern __shared__ float s[];", "LEETK_DYNAMIC_SHARED(float, s) ;"),
        ("__shared__ extern float s[];", "LEETK_DYNAMIC_SHARED(float, s) ;"),
        ("float extern __shared__ s[];", "LEETK_DYNAMIC_SHARED(float, s) ;"),
        ("extern __shared__ float s[256];", "LEETK_DYNAMIC_SHARED(float, s) ;"),
        ("extern volatile __shared__ int s[];", "LEETK_DYNAMIC_SHARED(volatile int, s) ;"),
        (
            "extern __shared__ __align__(16) unsigned char s[];",
            "LEETK_DYNAMIC_SHARED(unsigned char, s) ;",
        ),
        ("alignas(16) extern __shared__ T s[];", "LEETK_DYNAMIC_SHARED(T, s) ;"),
        (
            "extern __shared__ char s[] __attribute__((aligned(8)));",
            "LEETK_DYNAMIC_SHARED(char, s) ;",
        ),
        ("extern __shared__ float s[][17];", "LEETK_DYNAMIC_SHARED(float[17], s) ;"),
        ("extern __shared__ float *s[];", "LEETK_DYNAMIC_SHARED(float*, s) ;"),
        (
            "extern __shared__ std::pair<int, int> s[];",
            "LEETK_DYNAMIC_SHARED(__typeof__(std::pair<int, int>), s) ;",
        ),
        (
            "extern __shared__ float2 a[], *b[];",
            "LEETK_DYNAMIC_SHARED(float2, a) ; LEETK_DYNAMIC_SHARED(float2*, b);",
        ),
        ("static __shared__ int x;", "__shared__ int x;"),
        ("volatile __shared__ static int x[2];", "volatile __shared__ int x[2];"),
        ("__shared__ alignas(16) float s[4];", "alignas(16) __shared__ float s[4];"),
        ("alignas(16) __shared__ float s[4];", "alignas(16) __shared__ float s[4];"),
        ("thread_local int x;", "static int x;"),
        ("static thread_local int x;", "static int x;"),
        ("extern thread_local int x;", "extern int x;"),
    ],
)
def test_storage_in_a_function(text: str, expected: str) -> None:
    found = squeezed(body(f"void f() {{ {text} int after; }}"))
    assert found == f"void f() {{ {expected} int after; }}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("extern __shared__ float s[];", "LEETK_DYNAMIC_SHARED_FILE(float, s) ;"),
        (
            "namespace { extern __shared__ float s[]; }",
            "namespace { LEETK_DYNAMIC_SHARED_FILE(float, s) ; }",
        ),
        ("thread_local int x;", "int x;"),
        (
            "#define SHARED(T) extern __shared__ T s[]\nint y;",
            "#define SHARED(T) LEETK_DYNAMIC_SHARED(T, s) int y;",
        ),
        (
            "template <class T> struct S { __device__ operator T*() { "
            "extern __shared__ int s[]; } };",
            "template <class T> struct S { __device__ operator T*() { "
            "LEETK_DYNAMIC_SHARED(int, s) ; } };",
        ),
    ],
)
def test_storage_elsewhere(text: str, expected: str) -> None:
    assert squeezed(body(text)) == expected


def test_a_declaration_over_lines_keeps_them() -> None:
    text = "void f() {\nextern __shared__\n  float // elements\n  s\n  [];\n}"
    assert body(text).count("\n") == text.count("\n")
    assert "// elements\n" in body(text)


# --- where things were -------------------------------------------------------------------------


def test_the_first_line_names_the_file_as_given() -> None:
    assert line_directive('a b/ü"\\\n.cu') == '#line 1 "a b/\\303\\274\\042\\134\\012.cu"\n'
    assert rewrite("int x;", "v.cu").text == '#line 1 "v.cu"\nint x;'


def test_columns_go_back_to_the_original() -> None:
    text = "int y;\n  k<<<1, 2>>>(größe, oops);"
    found = rewrite(text, "a.cu")
    line = found.text.split("\n")[2]
    column = len(line[: line.index("oops")].encode()) + 1
    original = text.split("\n")[1]
    assert found.column(2, column) == len(original[: original.index("oops")].encode()) + 1
    # What stands in an insertion belongs to the token that it precedes.
    assert found.column(2, line.index("LEETK") + 4) == original.index("k") + 1
    assert found.column(1, 5) == 5
    assert found.column(2, 0) == 0
    assert found.column(99, 3) == 3


def test_edits_must_not_overlap() -> None:
    with pytest.raises(ValueError, match="overlap"):
        Edited("abcdef", [Edit(0, 3, "x"), Edit(2, 4, "y")])
