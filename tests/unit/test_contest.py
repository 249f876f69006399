"""Solutions against each other: rounds, ratios, and what a contest's tables say."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.backends.fake import FakeBackend
from harness.catalog import find_problem
from harness.cli import cli
from harness.commands.compare import _natural, _Page
from harness.contest import Compiled, Contest
from harness.errors import UsageError
from harness.judge.contest import _turned, contest
from harness.model import BuildOptions, Verdict
from harness.report.contest import markdown, render, table
from harness.report.contest_json import to_json
from harness.report.terminal import Terminal
from harness.settings import Settings
from harness.source import read_source

RIGHT = "def solve(A, B, C, M, N, K):\n    C[...] = A @ B\n"
SIZES = {"M": 5, "N": 6, "K": 7}


def compared(tmp_path: Path, *texts: str, rounds: int = 12) -> Contest:
    sources = []
    for number, text in enumerate(texts, 1):
        path = tmp_path / f"v{number}.cu"
        path.write_text(text)
        sources.append(read_source(path))
    settings = Settings(seed=3, sizes=SIZES)
    backend = FakeBackend((1.0,) * 6)
    return contest(find_problem("matmul"), sources, backend, settings, BuildOptions(), rounds)


def timed(body: str) -> str:
    return f"{RIGHT}def leetk_times(n):\n    return {body}\n"


def test_rounds_of_the_same_and_of_a_slower_one(tmp_path: Path) -> None:
    made = compared(
        tmp_path,
        timed("[2.0 + 0.01 * n] * 6"),
        timed("[2.0 + 0.01 * n] * 6"),
        timed("[1.03 * (2.0 + 0.01 * n)] * 6"),
        timed("[1.0 + 0.005 * n] * 6"),
    )
    first, same, slower, faster = made.standings
    assert first.ratio is None and made.rounds == 12
    assert [s.ratio and s.ratio.difference.value for s in (same, slower, faster)] == [
        "SAME",
        "SLOWER",
        "FASTER",
    ]
    assert slower.ratio is not None and slower.ratio.median == pytest.approx(1.03)
    assert first.rounds_ms == tuple(pytest.approx(2.0 + 0.01 * n) for n in range(12))
    assert first.timing is not None and len(first.timing.samples_ms) == 72
    assert made.sizes == SIZES and made.accepted and made.timed


def test_the_library_is_timed_in_the_first_ones_rounds(tmp_path: Path) -> None:
    made = compared(tmp_path, timed("[4.0] * 6"), timed("[2.0] * 6"))
    # The fake's library takes as long as the solution beside it: the first.
    assert made.library is not None and made.library.median_ms == 4.0
    assert len(made.library.rounds_ms) == 12
    ratios = [s.timing.baseline.ratio for s in made.standings if s.timing and s.timing.baseline]
    assert ratios == [1.0, 2.0]


def test_a_wrong_one_is_judged_and_not_timed(tmp_path: Path) -> None:
    made = compared(tmp_path, RIGHT.replace("A @ B", "0"), timed("[2.0] * 6"), timed("[2.0] * 6"))
    wrong, first, second = made.standings
    assert wrong.verdict is Verdict.WRONG_ANSWER and wrong.timing is None and wrong.reason
    assert first.ratio is None and second.ratio is not None
    assert not made.accepted


def test_one_that_turns_wrong_while_it_is_timed_is_told(tmp_path: Path) -> None:
    late = (
        "calls = 0\n"
        "def solve(A, B, C, M, N, K):\n"
        "    C[...] = A @ B\n"
        "def leetk_times(n):\n"
        "    if n == 11: raise SystemExit(5)\n"
        "    return [1.0] * 6\n"
    )
    made = compared(tmp_path, timed("[2.0] * 6"), late)
    assert made.standings[1].verdict is Verdict.RUNTIME_ERROR
    assert "while it was timed" in made.standings[1].reason
    assert made.standings[1].timing is None


def test_everybody_is_first_and_last_in_turn() -> None:
    turns = [_turned([0, 1, 2], turn) for turn in range(6)]
    assert turns[0] == [0, 1, 2]
    assert all(sorted(turn) == [0, 1, 2] for turn in turns)
    assert {turn[0] for turn in turns} == {turn[-1] for turn in turns} == {0, 1, 2}
    assert _turned([], 3) == []


def test_the_tables(tmp_path: Path) -> None:
    made = compared(tmp_path, timed("[2.0] * 6"), timed("[1.0] * 6"), "def solve(:\n")
    head, rows = table(made)
    assert head[:2] == ("solution", "time") and "registers" not in head
    assert [row[0] for row in rows] == ["v1.cu", "v2.cu", "v3.cu"]
    assert rows[1][head.index("to the first")] == "0.500 [0.500, 0.500]"
    assert "FASTER" in rows[1] and rows[2][1] == "compile_error"
    stream = io.StringIO()
    render(made, Terminal(stream))
    assert "v3.cu: compile_error" in stream.getvalue()
    lines = markdown(made).splitlines()
    assert lines[0].startswith("| solution | time |") and lines[1].startswith("| --- | ---: |")
    assert lines[3].count("|") == lines[0].count("|")
    told = json.loads(to_json(made))
    assert [one["verdict"] for one in told["solutions"]] == [
        "accepted",
        "accepted",
        "compile_error",
    ]
    assert told["solutions"][1]["ratio"]["difference"] == "FASTER"
    assert told["solutions"][2]["median_ms"] is None


def test_where_no_kernel_is_known_to_run_the_most_of_any_is_shown(tmp_path: Path) -> None:
    made = compared(tmp_path, timed("[2.0] * 6"), timed("[1.0] * 6"))
    known, unknown = made.standings
    made = replace(made, standings=(known, replace(unknown, compiled=Compiled(168, 0))))
    head, rows = table(made)
    assert rows[1][head.index("registers")] == "up to 168"
    assert rows[1][head.index("spills")] == "0"
    assert "occupancy" not in head


def test_a_page_keeps_what_is_around_the_table(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    begin, end = "<!-- leetk compare matmul -->", "<!-- end of leetk compare -->"
    path.write_text(f"before\n{begin}\nold\n{end}\nafter\n")
    text = _Page(path, "matmul").with_table("| new |\n")
    assert text == f"before\n{begin}\n\n| new |\n\n{end}\nafter\n"
    path.write_text(text)
    assert _Page(path, "matmul").with_table("| new |\n") == text
    with pytest.raises(UsageError, match="these two lines"):
        _Page(path, "transpose")
    with pytest.raises(UsageError, match="cannot be read"):
        _Page(tmp_path / "none.md", "matmul")


def test_numbers_in_names_are_numbers() -> None:
    names = [Path(name) for name in ("v10.cu", "v9.cu", "a.cu", "v2b.cu")]
    assert [path.name for path in sorted(names, key=_natural)] == [
        "a.cu",
        "v2b.cu",
        "v9.cu",
        "v10.cu",
    ]


def test_what_cannot_be_compared_is_one_line(tmp_path: Path) -> None:
    runner = CliRunner()
    for words, said in (
        (["compare", "matmul", str(tmp_path / "none.cu")], "none.cu"),
        (["compare", "matmul", str(tmp_path)], "names the problem matmul"),
        (["compare", "matmul", "--json", "-", "--markdown", "-"], "standard output"),
        (["compare", "nothing"], "no problem 'nothing'"),
    ):
        result = runner.invoke(cli, words)
        assert result.exception is not None and said in str(result.exception)


def test_the_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from harness.report.plot import svg

    made = compared(tmp_path, timed("[2.0] * 6"), timed("[1.0] * 6"), "def solve(:\n")
    text = svg(made)
    assert text.startswith("<?xml") and "v1.cu" in text and "v2.cu" in text
    assert "v3.cu" not in text and "GFLOP/s" in text
    assert svg(made) == text


def test_a_picture_that_cannot_be_drawn_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    runner = CliRunner()
    for target, said in (("a.png", "is an SVG"), ("none/a.svg", "does not exist")):
        words = ["compare", "matmul", "--plot", str(tmp_path / target)]
        result = runner.invoke(cli, words)
        assert result.exception is not None and said in str(result.exception)
