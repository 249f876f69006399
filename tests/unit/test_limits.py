"""The limits on the command line: what they set, what they refuse, and that they hold."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from harness import cli
from harness.backends.fake import FakeBackend
from harness.commands.options import Options, judging_options
from harness.settings import Limits

SIZE = ("--size", "M=3", "--size", "N=4", "--size", "K=5")
RIGHT = "def solve(A, B, C, M, N, K):\n    C[...] = A @ B\n"


def parsed(*arguments: str) -> Options:
    found: list[Options] = []

    @click.command()
    @judging_options
    def command(**values: object) -> None:
        found.append(Options(**values))  # type: ignore[arg-type]

    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0, result.output
    return found[0]


def test_the_defaults_are_the_judges_own_and_those_of_the_help() -> None:
    assert parsed().limits() == Limits()
    shown = " ".join(CliRunner().invoke(cli.cli, ["run", "--help"]).output.split())
    defaults = dict(re.findall(r"--([\w-]+) [A-Z]+ (?:(?! --)[^(])*\(default (\w+)\)", shown))
    limits = Limits()
    assert float(defaults["timeout"]) == limits.case_seconds
    assert float(defaults["total-timeout"]) == limits.total_seconds
    assert float(defaults["compile-timeout"]) == parsed().build().seconds
    assert defaults["memory-limit"] == f"{limits.memory_bytes >> 30}G"
    assert defaults["output-limit"] == f"{limits.output_bytes >> 20}M"
    assert int(defaults["max-processes"]) == limits.processes


def test_each_option_sets_its_limit() -> None:
    options = parsed(
        *("--timeout", "2", "--total-timeout", "30", "--compile-timeout", "7.5"),
        *("--memory-limit", "512M", "--output-limit", "64k", "--max-processes", "0"),
    )
    assert options.limits() == Limits(2.0, 30.0, 64 << 10, 512 << 20, 0)
    assert options.build().seconds == 7.5


@pytest.mark.parametrize(
    ("text", "size"),
    [("1", 1), ("2K", 2048), ("3m", 3 << 20), ("4GiB", 4 << 30), ("5 ", 5), ("1TB", 1 << 40)],
)
def test_sizes(text: str, size: int) -> None:
    assert parsed("--memory-limit", text).limits().memory_bytes == size


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--timeout", "0"),
        ("--timeout", "nan"),
        ("--total-timeout", "-3"),
        ("--total-timeout", "inf"),
        ("--compile-timeout", "0"),
        ("--memory-limit", "0"),
        ("--memory-limit", "-1G"),
        ("--memory-limit", "much"),
        ("--memory-limit", "1.5G"),
        ("--memory-limit", "999999999T"),
        ("--output-limit", ""),
        ("--output-limit", "1 M"),
        ("--max-processes", "-1"),
        ("--max-processes", "many"),
    ],
)
def test_a_value_that_is_none_is_one_line(
    option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.invoke(["run", "matmul", "v2.cu", option, value]) == 2
    said = capsys.readouterr().err
    assert said.startswith("leetk: ") and said.count("\n") == 1 and option in said


@pytest.mark.fault(35, 37, 39, 40)
@pytest.mark.parametrize(
    ("option", "value", "body", "word"),
    [
        ("--timeout", "0.5", "while True: pass", "time_limit"),
        ("--memory-limit", "200M", "x = [b'x' * (9 << 20) for _ in range(90)]", "memory_limit"),
        ("--output-limit", "1K", "print('x' * 5000, flush=True)", "output_limit"),
        ("--max-processes", "2", "[os.fork() or time.sleep(9) for _ in range(3)]", "processes"),
    ],
)
def test_a_limit_holds(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    option: str,
    value: str,
    body: str,
    word: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("harness.backends.backend", lambda name, nvcc="": FakeBackend())
    Path("right.py").write_text(RIGHT)
    wait = "    time.sleep(9)\n" if option in ("--memory-limit", "--max-processes") else ""
    Path("wrong.py").write_text(f"import os, time\ndef solve(*a):\n    {body}\n{wait}")
    arguments = ["--backend", "cpu", *SIZE, option, value]
    assert cli.invoke(["run", "matmul", "wrong.py", *arguments]) == 1
    said = capsys.readouterr().out
    assert word in said and (option in said or word == "time_limit")
    assert cli.invoke(["run", "matmul", "right.py", *arguments]) == 0


def test_the_whole_runs_time_leaves_cases_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("harness.backends.backend", lambda name, nvcc="": FakeBackend())
    Path("slow.py").write_text("import time\n" + RIGHT + "    time.sleep(0.3)\n")
    arguments = ["run", "matmul", "slow.py", "--backend", "cpu", "--total-timeout", "0.5"]
    assert cli.invoke(arguments) == 0
    said = capsys.readouterr().out
    assert "left out" in said and "time was used up" in said
