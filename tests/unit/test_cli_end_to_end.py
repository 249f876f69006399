"""The command line over the real judge, real problems and a real worker process; only the compiler
is a fake: a "CUDA" file is Python (see harness/backends/fake.py)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from harness import cli
from harness.backends.fake import FakeBackend
from harness.model import Artifact, BuildOptions, Problem, Source

SCHEMA = json.loads(files("harness.report").joinpath("schema.json").read_text())

# Comments of CUDA in a Python string, so that both languages read the file.
HEAD = '"""\n// leetk: problem matmul\n"""\n'
RIGHT = HEAD + "def solve(A, B, C, M, N, K):\n    C[...] = A @ B\n"
REPEATS = HEAD + (
    "def solve(A, B, C, M, N, K):\n"
    "    C[...] = A @ B\n"
    "    if K > 16:\n"
    "        C[:, 16:32] = C[:, :16][:, : C[:, 16:32].shape[1]]\n"
)
BROKEN = HEAD + "def solve(A, B, C, M, N, K)\n    pass\n"
TYPO = HEAD.replace("problem", "problme") + "def solve():\n    pass\n"

Write = Callable[[str, str], str]


class Fake(FakeBackend):
    """Built libraries lie at absolute paths: a worker has a folder of its own."""

    def build(
        self,
        problem: Problem,
        source: Source,
        options: BuildOptions,
        compiling: Callable[[], None] = lambda: None,
    ) -> Artifact:
        artifact = super().build(problem, source, options, compiling)
        return replace(artifact, library=source.path.resolve())


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("harness.backends.backend", lambda name, nvcc="": Fake())

    def make(name: str, text: str) -> str:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
        return name

    return make


def test_right(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.invoke(["run", write("right.cu", RIGHT), "--json", "out.json"])
    assert code == 0, capsys.readouterr()
    report = json.loads(Path("out.json").read_text())
    Draft202012Validator(SCHEMA).validate(report)
    assert report["verdict"] == "accepted"
    assert len(report["cases"]) > 30
    assert [item["kind"] for item in report["left_out"]] == ["perf"]
    assert "Test passed" in capsys.readouterr().out


def test_wrong_and_its_replay(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("a folder/wrong.cu", REPEATS)
    assert cli.invoke(["run", "matmul", path, "--json", "out.json"]) == 1
    text = capsys.readouterr().out
    report = json.loads(Path("out.json").read_text())
    Draft202012Validator(SCHEMA).validate(report)
    assert report["verdict"] == "wrong_answer"
    assert "repeat" in report["hint"]
    first = next(case for case in report["cases"] if case["verdict"] == "wrong_answer")
    assert first["mismatch"]["first"][0]["index"] == [0, 16]
    assert f"    {first['replay']}\n" in text

    command = shlex.split(first["replay"])
    command[command.index("--backend") + 1] = "cpu"  # the fake has no name of its own
    assert cli.invoke([*command[1:], "--json", "again.json"]) == 1
    again = json.loads(Path("again.json").read_text())
    assert [case["sizes"] for case in again["cases"]] == [first["sizes"]]
    assert again["cases"][0]["mismatch"] == first["mismatch"]


def test_broken(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.invoke(["run", write("broken.cu", BROKEN)]) == 1
    out = capsys.readouterr().out
    assert "broken.cu:4:28: error: expected ':'" in out
    assert "compile_error: the file does not compile" in out


def test_a_directive_with_a_typing_error(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.invoke(["run", "matmul", write("typo.cu", TYPO)]) == 2
    assert capsys.readouterr().err.startswith("leetk: typo.cu:2: unknown directive 'problme'")


def test_check(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write("solutions/right.cu", RIGHT)
    write(
        "solutions/wrong.cu",
        REPEATS.replace("problem matmul", "problem matmul\n// leetk: expect wrong_answer"),
    )
    assert cli.invoke(["check", "--json", "out.json"]) == 0, capsys.readouterr()
    Draft202012Validator(SCHEMA).validate(json.loads(Path("out.json").read_text()))
    assert "2 of 2 solutions as expected" in capsys.readouterr().out
