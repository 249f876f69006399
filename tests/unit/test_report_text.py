"""Words and numbers, and the terminal that they are written to."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
import report_samples as samples

from harness.model import Baseline, CaseKind, Example, LeftOut, Timing, Verdict
from harness.report import text as words
from harness.report.console import render
from harness.report.terminal import ASCII, UNICODE, Terminal


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("tab\tand\nnewline", "tab\tand\nnewline"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("50 %\r100 %\r\nend", "50 %\n100 %\nend"),
        ("if (a) \u202e{ // \u2066", "if (a) \\u202e{ // \\u2066"),
        ("\u009b2J", "\\x9b2J"),
        ("caf\u00e9 \u5408\u8a08 \udc80", "caf\u00e9 \u5408\u8a08 \\udc80"),
    ],
)
def test_clean_makes_what_steers_a_terminal_visible(raw: str, shown: str) -> None:
    assert words.clean(raw) == shown


def test_every_verdict_has_a_meaning() -> None:
    assert set(words.MEANING) == set(Verdict)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (19.0, "19"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (0.1, "0.1"),
        (16777217.0, "16777217"),
        (3.4028234663852886e38, "3.40282347e+38"),
    ],
)
def test_number(value: float, shown: str) -> None:
    assert words.number(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0041, "0.004 s"), (0.91, "0.91 s"), (19.99, "19.99 s"), (75.4, "75 s")],
)
def test_seconds(value: float, shown: str) -> None:
    assert words.seconds(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(50.7612, "50.76 ms"), (0.012345, "0.01235 ms"), (1234.5, "1234 ms"), (0.0, "0 ms")],
)
def test_milliseconds_keep_four_digits(value: float, shown: str) -> None:
    assert words.milliseconds(value) == shown


def test_speed_in_bytes_when_operations_are_not_counted() -> None:
    timing = Timing(
        {"rows": 7000, "cols": 6000},
        0.193,
        0.0,
        (0.193,) * 10,
        gbps=1740.9,
        peak_fraction=0.362,
        bound="memory",
        baseline=Baseline("a device copy", 0.0957, 0.496),
    )
    assert words.speed(timing) == (
        "7000x6000: 0.1930 ms (median of 10, ±0.0 %), 1741 GB/s, 0.36 of the memory limit, "
        "0.50 of a device copy"
    )


def test_a_small_spread_is_not_rounded_to_none() -> None:
    timing = Timing({"n": 4}, 100.0, 0.002, (100.0,) * 10)
    assert "±0.002 %" in words.speed(timing)


def test_left_out_names_every_case_or_says_how_many_more() -> None:
    items = [LeftOut(f"fuzz {i}", CaseKind.FUZZ, {}, "too large") for i in range(5)]
    items.append(LeftOut("perf", CaseKind.PERF, {"n": 9}, "no GPU"))
    assert words.left_out(items) == [
        "left out: fuzz 0, fuzz 1, fuzz 2, fuzz 3 and fuzz 4 (too large)",
        "left out: perf (n=9) (no GPU)",
    ]
    assert words.left_out(items, 2)[0] == "left out: fuzz 0, fuzz 1 and 3 more (too large)"
    assert words.left_out(items, 4)[0].startswith("left out: fuzz 0, fuzz 1, fuzz 2, fuzz 3 and f")


def test_the_deciding_case_comes_first() -> None:
    late = samples.case("late", CaseKind.FUZZ, 1, 1, 1, Verdict.OUT_OF_BOUNDS)
    early = samples.case("early", CaseKind.TEST, 1, 1, 1, Verdict.WRONG_ANSWER)
    report = replace(
        samples.WRONG_ANSWER,
        verdict=Verdict.OUT_OF_BOUNDS,
        cases=(*samples.PASSED, early, late),
    )
    assert [case.name for case in words.failing(report)] == ["late", "early"]


def test_examples_are_found_where_some_did_not_run() -> None:
    same = Example({}, {}, {"M": 2, "N": 2, "K": 2})
    problem = replace(samples.PROBLEM, examples=(*samples.PROBLEM.examples, same))
    second, third = samples.PASSED[1], replace(samples.PASSED[0], name="example 3")
    report = replace(samples.ACCEPTED_CPU, cases=(second, third))
    assert words.example_for(second, report, problem) is problem.examples[1]
    assert words.example_for(third, report, problem) is same
    unknown = replace(second, sizes={"M": 9, "N": 9, "K": 9})
    report = replace(report, cases=(unknown,))
    assert words.example_for(unknown, report, problem) is None


def test_large_values_are_cut_and_say_so() -> None:
    assert (
        words.assignment("A", list(range(100)), "int32", 20) == "A = [0, 1, 2, 3, 4, 5, 6 ... (cut)"
    )
    assert words.literal([[True, 0]], "bool") == "[[True, False]]"


def ascii_stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")


def written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("ascii")


@pytest.mark.parametrize("name", samples.ALL)
def test_an_ascii_stream_takes_every_report(name: str) -> None:
    stream = ascii_stream()
    render(samples.ALL[name], Terminal(stream), problem=samples.PROBLEM, verbose=True)
    text = written(stream)
    assert samples.ALL[name].solution in text


def test_symbols_follow_the_encoding() -> None:
    assert Terminal(ascii_stream()).symbols is ASCII
    assert Terminal(io.StringIO()).symbols is UNICODE
    stream = ascii_stream()
    render(samples.ACCEPTED_CUDA, Terminal(stream))
    text = written(stream)
    assert "[ok] Test passed" in text
    assert "+/-0.1 %" in text


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def colour(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.usefixtures("colour")
def test_colour_only_on_a_terminal_and_not_against_no_color(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal, plain, refused = FakeTerminal(), io.StringIO(), FakeTerminal()
    render(samples.WRONG_ANSWER, Terminal(terminal))
    render(samples.WRONG_ANSWER, Terminal(plain))
    monkeypatch.setenv("NO_COLOR", "1")
    render(samples.WRONG_ANSWER, Terminal(refused))
    assert "\x1b[" in terminal.getvalue()
    assert "\x1b" not in plain.getvalue()
    assert "\x1b" not in refused.getvalue()


@pytest.mark.usefixtures("colour")
def test_text_of_a_submission_cannot_steer_the_terminal() -> None:
    stream = FakeTerminal()
    hostile = replace(
        samples.WRONG_ANSWER.cases[4], output="\x1b]0;title\x07[bold]x[/bold] :smile:\r\x1b[2J"
    )
    report = replace(samples.WRONG_ANSWER, solution="a\x1b[2J.cu", cases=(hostile,))
    render(report, Terminal(stream))
    text = stream.getvalue()
    assert "\x1b]0" not in text and "\x1b[2J" not in text
    assert "\\x1b]0;title\\x07[bold]x[/bold] :smile:" in text


def test_only_prose_is_wrapped() -> None:
    stream = io.StringIO()
    out = Terminal(stream, width=30)
    out.prose("one two three four five six seven eight", indent=2)
    out.line("/a/very/long/path/that/must/be/copied/from/here.cu:12:3: error: x")
    out.prose("    C[m][k] = A[m][0] * B[0][k] + A[m][1] * B[1][k]")
    out.labelled("hint", "columns 16 to 31 repeat columns 0 to 15")
    assert stream.getvalue().splitlines() == [
        "  one two three four five six",
        "  seven eight",
        "/a/very/long/path/that/must/be/copied/from/here.cu:12:3: error: x",
        "    C[m][k] = A[m][0] * B[0][k] + A[m][1] * B[1][k]",
        "hint: columns 16 to 31 repeat",
        "columns 0 to 15",
    ]


def test_nothing_is_wrapped_where_the_width_is_unknown() -> None:
    stream = io.StringIO()
    Terminal(stream).prose("word " * 100)
    assert stream.getvalue().count("\n") == 1


def test_columns_line_up_under_wide_characters() -> None:
    stream = io.StringIO()
    Terminal(stream).table([("竖.cu", "ok"), ("abc.cu", "no")])
    assert stream.getvalue().splitlines() == ["竖.cu   ok", "abc.cu  no"]


def test_a_long_source_line_is_cut_around_its_column() -> None:
    stream = io.StringIO()
    source = "x" * 500 + "@" + "y" * 500
    build = samples.COMPILE_ERROR.build
    assert build is not None
    diagnostic = replace(build.diagnostics[0], column=501, source_line=source)
    report = replace(samples.COMPILE_ERROR, build=replace(build, diagnostics=(diagnostic,)))
    render(report, Terminal(stream))
    rows = stream.getvalue().splitlines()
    caret = next(row for row in rows if row.strip() == "^")
    shown = rows[rows.index(caret) - 1]
    assert shown[caret.index("^")] == "@"
    assert len(shown) < 220


def test_many_diagnostics_end_with_a_count() -> None:
    stream = io.StringIO()
    build = samples.COMPILE_ERROR.build
    assert build is not None
    report = replace(
        samples.COMPILE_ERROR, build=replace(build, diagnostics=build.diagnostics * 30)
    )
    render(report, Terminal(stream))
    assert "and 40 more compiler messages (--json FILE holds them all)" in stream.getvalue()


@pytest.mark.parametrize(
    ("name", "sizes", "shown"),
    [
        ("example 1", {"M": 2, "N": 3}, "example 1 (M=2 N=3)"),
        ("2x3", {"M": 2, "N": 3}, "M=2 N=3"),
        ("fuzz 2x3", {"M": 2, "N": 3}, "fuzz M=2 N=3"),
        ("fuzz 12x3", {"M": 2, "N": 3}, "fuzz 12x3 (M=2 N=3)"),
        ("empty", {}, "empty"),
    ],
)
def test_titles_name_the_sizes_once(name: str, sizes: dict[str, int], shown: str) -> None:
    assert words.titled(name, sizes) == shown


def test_a_map_that_says_one_thing_is_one_word() -> None:
    stream = io.StringIO()
    bad = samples.WRONG_ANSWER.cases[4]
    assert bad.mismatch is not None
    mismatch = replace(bad.mismatch, map=("xx", "xx"), max_abs_error=0.0)
    report = replace(samples.WRONG_ANSWER, cases=(replace(bad, mismatch=mismatch),))
    render(report, Terminal(stream))
    assert "  where in C: everywhere\n" in stream.getvalue()
    assert "largest error" not in stream.getvalue()


def test_what_an_accepted_example_printed_is_shown_once() -> None:
    example = replace(samples.PASSED[0], output="hello from block 0\n")
    report = replace(samples.ACCEPTED_CPU, cases=(example, *samples.PASSED[1:]))
    short, long = io.StringIO(), io.StringIO()
    render(report, Terminal(short), problem=samples.PROBLEM)
    render(report, Terminal(long), problem=samples.PROBLEM, verbose=True)
    printed = "  the submission printed:\n  | hello from block 0\n"
    assert "\nexample 1 (M=2 N=2 K=2):\n" + printed in short.getvalue()
    assert long.getvalue().count(printed) == 1


@pytest.mark.parametrize("verbose", [False, True])
def test_what_other_cases_printed_is_shown_of_the_first_and_in_bounds(verbose: bool) -> None:
    lines = "".join(f"line {number}\n" for number in range(500))
    first, *rest = (replace(case, output=lines) for case in samples.PASSED[2:])
    report = replace(samples.ACCEPTED_CPU, cases=(*samples.PASSED[:2], first, *rest))
    stream = io.StringIO()
    render(report, Terminal(stream), problem=samples.PROBLEM, verbose=verbose)
    assert stream.getvalue().count("the submission printed:") == 1
    assert stream.getvalue().count("| line") == 10
    assert "and 490 more lines\n" in stream.getvalue()


def test_every_other_failure_is_named_when_asked_for() -> None:
    cases = [
        samples.case(f"{n}x1x1", CaseKind.FUZZ, n, 1, 1, Verdict.WRONG_ANSWER) for n in range(9)
    ]
    report = replace(samples.WRONG_ANSWER, cases=tuple(cases))
    short, long = io.StringIO(), io.StringIO()
    render(report, Terminal(short))
    render(report, Terminal(long), verbose=True)
    assert "also wrong_answer: M=1 N=1 K=1, M=2 N=1 K=1, " in short.getvalue()
    assert "M=5 N=1 K=1 and 3 more\n" in short.getvalue()
    assert "M=7 N=1 K=1 and M=8 N=1 K=1\n" in long.getvalue()


def test_one_is_singular() -> None:
    bad = samples.WRONG_ANSWER.cases[4].mismatch
    assert bad is not None
    one = replace(bad, wrong=1, unwritten=0, total=257)
    assert words.wrong_elements(one) == "1 of 257 elements of C is wrong"
    unwritten = replace(one, unwritten=1)
    assert words.wrong_elements(unwritten) == "1 of 257 elements of C was never written"
    assert words.wrong_elements(replace(unwritten, total=1)).startswith("1 of 1 element of C ")


@pytest.mark.parametrize(
    ("value", "dtype", "shown"),
    [
        (np.array([1.8, 2], np.float32), "float32", "[1.8, 2.0]"),
        (np.array([0.1], np.float16), "float16", "[0.1]"),
        (np.array([0.1, 1 / 3], np.float64), "float64", "[0.1, 0.3333333333333333]"),
        (np.array([np.inf, -np.inf, 1e30], np.float32), "float32", "[inf, -inf, 1e+30]"),
        (0.5, "float32", "0.5"),
        (7, "int32", "7"),
    ],
)
def test_numbers_in_short_form(value: object, dtype: str, shown: str) -> None:
    assert words.literal(value, dtype) == shown


def test_paragraphs_are_filled_to_the_width() -> None:
    text = "One two\nthree four\nfive.\n\n    C[m][k] = 1\nSix\n- seven\n- eight\nnine"
    narrow, plain = io.StringIO(), io.StringIO()
    Terminal(narrow, width=24).paragraphs(text)
    assert narrow.getvalue().splitlines() == [
        "One two three four five.",
        "",
        "    C[m][k] = 1",
        "Six",
        "- seven",
        "- eight nine",
    ]
    Terminal(plain).paragraphs(text)
    assert plain.getvalue() == f"{text}\n"


def test_one_case_of_given_sizes_names_all_of_them() -> None:
    report = replace(samples.ACCEPTED_CPU, cases=(samples.PASSED[3],), left_out=())
    stream = io.StringIO()
    render(report, Terminal(stream))
    assert "Test passed  M=17 N=19 K=31\n" in stream.getvalue()
    fuzz = LeftOut("fuzz 2x2x2", CaseKind.FUZZ, {"M": 2, "N": 2, "K": 2}, "too long")
    assert words.what_passed(replace(report, left_out=(fuzz,))) == words.passed(
        replace(report, left_out=(fuzz,))
    )
