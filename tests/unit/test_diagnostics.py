"""What compilers print becomes diagnostics with the author's file, line and source line."""

# ruff: noqa: RUF001

from __future__ import annotations

from pathlib import Path

import pytest

from harness.build import diagnostics
from harness.build.diagnostics import MOST, parse, summary
from harness.model import Diagnostic

SOURCE = """__global__ void k(int* a, float b) {
    int unused = 3;
    a[0] = größe + undefd;
}
\tk<<<1, 1>>>(1);
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a source, as the current one."""
    (tmp_path / "a.cu").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_gcc(here: Path) -> None:
    text = (
        "In file included from <command-line>:\n"
        "a.cu: In function ‘void k(int*, float)’:\n"
        "a.cu:3:21: error: ‘undefd’ was not declared in this scope\n"
        "a.cu:3:21: note: each undeclared identifier is reported only once\n"
        "a.cu:2:9: warning: unused variable ‘unused’ [-Wunused-variable]\n"
        "a.cu:1:17: note: declared here\n"
        "cc1plus: note: unrecognized command-line option ‘-Wno-x’ may have been intended\n"
    )
    assert parse(text) == (
        Diagnostic(
            "a.cu",
            3,
            21,
            "error",
            "'undefd' was not declared in this scope",
            "    a[0] = größe + undefd;",
        ),
        Diagnostic(
            "a.cu",
            2,
            9,
            "warning",
            "unused variable 'unused' [-Wunused-variable]",
            "    int unused = 3;",
        ),
        Diagnostic("a.cu", 1, 17, "note", "declared here", "__global__ void k(int* a, float b) {"),
    )


def test_gcc_of_a_file_that_is_not_here() -> None:
    text = 'b.cu:15:31: fatal error: x.h: No such file or directory\n   15 | #include "x.h"\n'
    (found,) = parse(text)
    assert (found.severity, found.source_line) == ("error", '#include "x.h"')


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a b/ü:1.cu:2:3: error: x: y", ("a b/ü:1.cu", 2, 3, "error", "x: y")),
        ("a.cu:2: Error: no such instruction: `x'",
         ("a.cu", 2, 0, "error", "no such instruction: `x'")),
        ("a.cu:2:3: sorry, unimplemented: x", ("a.cu", 2, 3, "error", "x")),
        ("a.cu:2:3: internal compiler error: x", ("a.cu", 2, 3, "error", "x")),
        ("cc1plus: fatal error: a.cu: No such file", ("", 0, 0, "error", "a.cu: No such file")),
        ("/usr/bin/ld: required symbol `solve' not defined",
         ("", 0, 0, "error", "required symbol `solve' not defined")),
        ("a.cu:2: undefined reference to `g(int)'",
         ("a.cu", 2, 0, "error", "undefined reference to `g(int)'")),
        ("/usr/bin/ld: a.cu:2: undefined reference to `g'",
         ("a.cu", 2, 0, "error", "undefined reference to `g'")),
        ("x.o:(.text+0x38): undefined reference to `g(int)'",
         ("", 0, 0, "error", "undefined reference to `g(int)'")),
        ("ptxas error   : Entry function 'k' uses too much shared data",
         ("", 0, 0, "error", "ptxas: Entry function 'k' uses too much shared data")),
        ("ptxas /tmp/x.ptx, line 22; error   : Unknown modifier '.bar'",
         ("", 0, 0, "error", "ptxas: Unknown modifier '.bar'")),
        ("nvcc fatal   : Unsupported gpu architecture 'sm_1'",
         ("", 0, 0, "error", "nvcc: Unsupported gpu architecture 'sm_1'")),
        ("nvlink error   : Undefined reference to 'g' in 'x.o'",
         ("", 0, 0, "error", "nvlink: Undefined reference to 'g' in 'x.o'")),
        ("nvcc warning : Support for x is deprecated",
         ("", 0, 0, "warning", "nvcc: Support for x is deprecated")),
    ],
)  # fmt: skip
def test_one_line(line: str, expected: tuple[str, int, int, str, str]) -> None:
    (found,) = parse(line)
    assert (found.file, found.line, found.column, found.severity, found.message) == expected


@pytest.mark.parametrize(
    "line",
    [
        "",
        "compilation terminated.",
        "collect2: error: ld returned 1 exit status",
        "ptxas info    : 0 bytes gmem",
        "ptxas fatal   : Ptx assembly aborted due to errors",
        '7 errors detected in the compilation of "a.cu".',
        'Remark: The warnings can be suppressed with "-diag-suppress <number>"',
        "/usr/bin/ld: x.o: in function `solve':",
        "{standard input}: Assembler messages:",
    ],
)
def test_lines_that_say_nothing(line: str) -> None:
    assert parse(line) == ()


def test_nvcc(here: Path) -> None:
    # The front end shows the line with its macros expanded and its blanks squeezed.
    text = (
        'a.cu(3): error: identifier "undefd" is undefined\n'
        "      a[0] = größe + undefd;\n"
        "                     ^\n"
        "\n"
        'a.cu(2): warning #177-D: variable "unused" was declared but never referenced\n'
        "      int unused = 3;\n"
        "          ^\n"
        "\n"
        'Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"\n'
        "\n"
        "a.cu(5): error: no instance of function\n"
        "            argument types are: (int)\n"
        '          detected during instantiation of "void f()" at line 9\n'
        "   k<<<1, 1>>>(1);\n"
        "               ^\n"
        "\n"
        "2 errors detected\n"
    )
    one, two, three = parse(text)
    assert one == Diagnostic(
        "a.cu",
        3,
        20,
        "error",
        'identifier "undefd" is undefined',
        "    a[0] = größe + undefd;",
    )
    assert (two.line, two.column, two.severity) == (2, 9, "warning")
    assert two.message == 'variable "unused" was declared but never referenced [#177-D]'
    assert three.message == "no instance of function; argument types are: (int)"
    assert (three.line, three.source_line) == (5, "\tk<<<1, 1>>>(1);")
    assert three.column == 1 + three.source_line.index("1)")


def test_nvcc_says_things_once_a_pass(here: Path) -> None:
    once = "a.cu(2): warning #177-D: never used\n      int unused = 3;\n          ^\n\n"
    assert len(parse(once * 2)) == 1


def test_paths_are_shown_as_the_user_knows_them() -> None:
    roots = {"/tmp/job/tree": "sol", "/tmp/job": "", "/tmp/job/x.cu": "mine.cu"}
    lines = ("/tmp/job/tree/a.cu", "/tmp/job/b.cu", "/tmp/job/x.cu", "/tmp/jobs/c.cu")
    found = parse("\n".join(f"{file}:1:1: error: e" for file in lines), roots)
    assert [d.file for d in found] == ["sol/a.cu", "b.cu", "mine.cu", "/tmp/jobs/c.cu"]


def test_an_error_inside_the_judges_headers_is_shown_where_it_came_from(here: Path) -> None:
    text = (
        "/rt/launch.h: In instantiation of ‘void f(T)’:\n"
        "/rt/launch.h:9:1:   required from ‘void g()’\n"
        "a.cu:5:3:   required from here\n"
        "/rt/launch.h:50:7: error: cannot convert\n"
        "/rt/launch.h:1:1: note: candidate\n"
        "a.cu:1:1: note: declared here\n"
    )
    one, two = parse(text, internal=["/rt/"])
    assert (one.file, one.line, one.column, one.severity) == ("a.cu", 5, 3, "error")
    assert (two.line, two.severity) == (1, "note")


def test_an_error_inside_a_macro_of_the_judges_takes_the_place_of_the_note(here: Path) -> None:
    text = (
        "/rt/launch.h:50:7: error: cannot convert\n"
        "a.cu:5:3: note: in expansion of macro ‘LEETK_LAUNCH’\n"
    )
    (found,) = parse(text, internal=["/rt/"])
    assert (found.file, found.line, found.column, found.severity) == ("a.cu", 5, 3, "error")


def test_an_error_without_a_place_is_not_lost() -> None:
    (found,) = parse("/rt/launch.h:50:7: error: cannot convert", internal=["/rt/"])
    assert (found.file, found.line, found.message) == ("", 0, "cannot convert")


def test_a_flood_is_cut() -> None:
    text = "\n".join(f"a.cu:{line}:1: error: e" for line in range(1, 500))
    assert len(parse(text)) == MOST


def test_the_summary_is_the_first_error() -> None:
    found = parse("a.cu:1:1: warning: w\na.cu:2:1: error: first\na.cu:3:1: error: second")
    assert summary(found, "?") == "a.cu:2: first (and 1 more)"
    assert summary(parse("a.cu:1:1: warning: w"), "it failed") == "it failed"
    assert summary(parse("nvcc fatal   : x"), "?") == "nvcc: x"


def test_a_changed_file_is_read_again(here: Path) -> None:
    assert diagnostics.source_line("a.cu", 2) == "    int unused = 3;"
    (here / "a.cu").write_text("a\nanother line\n")
    assert diagnostics.source_line("a.cu", 2) == "another line"
    assert diagnostics.source_line("a.cu", 99) == ""
    assert diagnostics.source_line("a.cu", 0) == ""
    assert diagnostics.source_line("", 1) == ""
