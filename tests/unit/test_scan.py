"""How ``solve`` is found, when it can be called, and when a prototype makes it callable."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_problems import COPY, EVERY_TYPE

from harness.errors import CompileFailed, SourceError
from harness.model import Verdict
from harness.source import scan
from harness.source.directives import Directives, directives
from harness.source.scan import check_signature, needs_prototype, solve_definition

LINE = 'extern "C" void solve(const float* input, float* output, int N)'
BODY = "(const float* input, float* output, int N) { }"


def fault(text: str) -> str:
    with pytest.raises(CompileFailed) as caught:
        check_signature(COPY, text, "a.cu")
    message = str(caught.value)
    assert message.startswith("a.cu")
    assert message.endswith(f"write: {LINE}")
    return message


# --- directives --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int x;", Directives()),
        ("// leetk: problem matmul\n", Directives("matmul")),
        ("/* leetk: problem matmul */", Directives("matmul")),
        ("/*\n * leetk: problem matmul\n */", Directives("matmul")),
        ("//leetk:problem matmul", Directives("matmul")),
        (
            "// leetk: problem copy\n// leetk: expect wrong_answer, out_of_bounds\n",
            Directives("copy", (Verdict.WRONG_ANSWER, Verdict.OUT_OF_BOUNDS)),
        ),
        ("// leetk: problem a\r\n// leetk: problem a\r\n", Directives("a")),
        ('const char* s = "// leetk: problem matmul";', Directives()),
        ("// see leetk: problem matmul", Directives()),
    ],
)
def test_directives(text: str, expected: Directives) -> None:
    assert directives(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n// leetk: problm matmul", "a.cu:2: unknown directive 'problm'; did you mean 'problem'"),
        ("// leetk: expect wrong_answr", "unknown verdict 'wrong_answr'; did you mean"),
        ("// leetk: problem", "needs a value"),
        ("// leetk: problem a b", "one problem"),
        ("// leetk: problem a\n// leetk: problem b", "a.cu:2: a solution names one problem"),
    ],
)
def test_directives_that_are_not_understood(text: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        directives(text, "a.cu")
    assert message in str(caught.value)


# --- finding solve -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f'extern "C" void solve{BODY}',
        f'extern "C" {{\nvoid solve{BODY}\n}}',
        f'#ifdef __cplusplus\nextern "C" {{\n#endif\nvoid solve{BODY}\n'
        "#ifdef __cplusplus\n}\n#endif",
        f'namespace n {{ extern "C" void solve{BODY} }}',
        f'extern "C" __host__ void solve{BODY}',
        f'__global__ void k(int) {{ if (1) {{ }} }}\nextern "C"\nvoid\nsolve{BODY}',
    ],
)
def test_a_definition_with_a_c_name(text: str) -> None:
    definition = solve_definition(text)
    assert definition is not None
    assert definition.extern_c
    assert len(definition.parameters) == 3
    assert check_signature(COPY, text, "a.cu") == ()
    assert not needs_prototype(COPY, text)


def test_where_it_stands_and_what_it_takes() -> None:
    text = (
        "// void solve() {}\nint x;\nvoid solve(const float *A, float B[], unsigned long n = 3) {}"
    )
    definition = solve_definition(text)
    assert definition is not None
    assert definition.line == 3
    assert [p.name for p in definition.parameters] == ["A", "B", "n"]
    assert [p.type.text for p in definition.parameters] == [
        "const float*",
        "float*",
        "unsigned long",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "int main() { solve(1, 2, 3); }",
        "// void solve() { }",
        'const char* s = "void solve() { }";',
        "#if 0\nvoid solve() { }\n#endif",
        "struct S { void solve() { } };",
        "void resolve() { }",
        "void S::solve() { }",
        "void f() { auto solve = [] (int) { }; }",
        "__global__ void solve(float* x) { }",
    ],
)
def test_what_is_no_definition(text: str) -> None:
    assert solve_definition(text) is None


def test_a_helper_of_the_same_name_does_not_hide_it() -> None:
    helpers = "__device__ void solve(float x) { }\nvoid solve(int n) { }\n"
    text = f'{helpers}extern "C" void solve{BODY}'
    assert check_signature(COPY, text, "a.cu") == ()
    assert not needs_prototype(COPY, text)


# --- a prototype -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameters",
    [
        "const float* input, float* output, int N",
        "const float *__restrict__ a, float *__restrict__ b, const int n",
        "float const* const a, float* b, int",
        "const float a[], float b[], int n = 0",
        "float* a, float* b, int n",
        "const float*a,/* c */float*b,\n  int n",
    ],
)
def test_a_missing_extern_c_is_repaired(parameters: str) -> None:
    text = f"void solve({parameters}) {{ }}"
    assert check_signature(COPY, text, "a.cu") == ()
    assert needs_prototype(COPY, text)


def test_the_prototype_is_the_specs() -> None:
    assert scan.prototype(COPY) == f"{LINE};"


def test_the_prototype_keeps_to_the_types_of_the_definition() -> None:
    text = "void solve(float* a, float* b, unsigned n) { }"
    expected = 'extern "C" void solve(float* input, float* output, unsigned int N);'
    assert scan.prototype(COPY, text) == expected
    assert expected in scan.solve_header(COPY, text)


def test_the_prototype_has_the_specs_type_where_the_authors_is_unknown() -> None:
    assert scan.prototype(COPY, "void solve(real* a, real* b, int n) { }") == f"{LINE};"


def test_every_type_of_a_spec_has_a_c_type() -> None:
    assert scan.prototype(EVERY_TYPE) == (
        'extern "C" void solve(const bool* a, const signed char* b, const unsigned char* c, '
        "const short* d, const long long* e, double* f, float g, int N);"
    )


@pytest.mark.parametrize(
    "text",
    [
        f'extern "C" void solve(const float*, float*, int);\nvoid solve{BODY}',
        f'extern "C" {{ void solve(const float* a, float* b, int n); }}\nvoid solve{BODY}',
    ],
)
def test_a_declaration_gives_the_c_name_as_well(text: str) -> None:
    assert not needs_prototype(COPY, text)
    assert check_signature(COPY, text, "a.cu") == ()


def test_solve_h_is_a_guarded_header() -> None:
    header = scan.solve_header(COPY)
    assert f"{LINE};" in header
    assert header.count("SOLVE_H") == 2
    assert header.endswith("#endif\n")


# --- what can't be called ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("int x;", "there is no function solve"),
        ("// solve", "there is no function solve"),
        ("\n__global__ void solve(float* a) { }", "a.cu:2: solve is a kernel"),
        (f"struct S {{\nvoid solve{BODY}\n}};", "a.cu:2: solve is a member of a class"),
        ('extern "C" void solve(const float* a, float* b, int n);', "declared but not defined"),
        (f"static void solve{BODY}", "a.cu:1: solve is static"),
        (f"namespace n {{ void solve{BODY} }}", "in a namespace"),
        (f"template <class T> void solve{BODY}", "a template"),
        (f"inline void solve{BODY}", "inline"),
        (f"int solve{BODY}", "must return void"),
        (f"void solve{BODY[:-3]}noexcept {{ }}", 'needs extern "C"'),
        ("void solve(const float* a, float* b) { }", "has 2 parameters, but copy passes 3"),
        ("void solve() { }", "has 0 parameters"),
        ("void solve(void) { }", "has 0 parameters"),
        ('extern "C" void solve(const float a, float* b, int n) { }', "'const float a' of solve"),
        ('extern "C" void solve(const double* a, float* b, int n) { }', "passed as const float*"),
        ('extern "C" void solve(const int* a, float* b, int n) { }', "passed as const float*"),
        ('extern "C" void solve(const float** a, float* b, int n) { }', "passed as const float*"),
        ('extern "C" void solve(const float* a, float* b, float n) { }', "N is passed as int"),
        ('extern "C" void solve(const float* a, float* b, const int& n) { }', "passed as int"),
        ('extern "C" void solve(const float* a, float* b, int* n) { }', "passed as int"),
    ],
)
def test_a_definition_that_cannot_be_called(text: str, what: str) -> None:
    assert what in fault(text)
    assert not needs_prototype(COPY, text)


@pytest.mark.parametrize(
    "text",
    [
        'extern "C" void solve(const void* a, void* b, int n) { }',
        'extern "C" void solve(const float4* a, float4* b, int n) { }',
        'using real = float;\nextern "C" void solve(const real* a, real* b, int n) { }',
        'extern "C" int solve(const float* a, float* b, int n) { return 0; }',
        f"#define solve other\nvoid solve{BODY}",
        f"#define ENTRY solve\nvoid ENTRY{BODY}",
        f"#define NAME(a, b) a##b\nvoid NAME(sol, ve){BODY}",
        f"DEFINE(solve){BODY}",
        f"#ifdef FAST\nstatic void solve{BODY}\n#endif",
        f"#ifdef A\nvoid solve(int)\n#else\nvoid solve\n#endif\n{BODY}",
    ],
)
def test_what_the_text_leaves_open_is_left_to_the_compiler(text: str) -> None:
    assert check_signature(COPY, text, "a.cu") == ()


def test_solve_may_stand_in_a_local_header(tmp_path: Path) -> None:
    (tmp_path / "impl.cuh").write_text(f'extern "C" void solve{BODY}')
    text = '#include "impl.cuh"\n'
    path = tmp_path / "a.cu"
    path.write_text(text)
    assert check_signature(COPY, text, str(path)) == ()


@pytest.mark.parametrize("given", ["size_t", "long", "unsigned", "short", "std::uint64_t"])
def test_another_width_by_value_is_a_warning(given: str) -> None:
    text = f'\nextern "C" void solve(const float* a, float* b,\n {given} n) {{ }}'
    (finding,) = check_signature(COPY, text, "a.cu")
    assert (finding.severity, finding.file, finding.line) == ("warning", "a.cu", 3)
    assert "N is passed as int" in finding.message


# --- includes ----------------------------------------------------------------------------------


@pytest.mark.fault(2)
@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "/dev/zero", ".", "/", "big.cuh", ""])
def test_an_include_of_what_is_no_header_is_the_compilers_affair(tmp_path: Path, name: str) -> None:
    with (tmp_path / "big.cuh").open("wb") as file:
        file.truncate(1 << 40)  # reading that would end the judge
    (tmp_path / "a.cu").write_text(f'#include "{name}"\n')
    assert scan.local_includes(tmp_path / "a.cu") == ()


def test_local_includes_are_followed_once_each(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "a.cu").write_text(
        '#include "lib/b.cuh"\n#include <c.cuh>\n#include <vector>\n#include "missing.h"\n'
        '// #include "commented.h"\nconst char* s = "#include \\"d.h\\"";\n'
    )
    (tmp_path / "lib" / "b.cuh").write_text('#include "../d.h"\n#include "b.cuh"\n')
    (tmp_path / "c.cuh").write_text('#  include "d.h"\n#include "a.cu"\n')
    for name in ("d.h", "commented.h", "vector"):
        (tmp_path / name).write_text("int x;\n")
    found = scan.local_includes(tmp_path / "a.cu")
    assert [path.relative_to(tmp_path).as_posix() for path in found] == [
        "lib/b.cuh",
        "c.cuh",
        "d.h",
    ]


def test_a_missing_file_includes_nothing(tmp_path: Path) -> None:
    assert scan.local_includes(tmp_path / "nothing.cu") == ()


def test_the_spec_s_names_in_another_order_are_a_doubt() -> None:
    text = 'extern "C" void solve(float* output, const float* input, int N) {}'
    (found,) = check_signature(COPY, text, "a.cu")
    assert found.message == (
        "solve's parameters are output, input, N; the problem passes input, output, N, in this "
        "order"
    )
