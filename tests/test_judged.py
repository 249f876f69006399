"""Every file under tests/judged gets the verdict that its folder names, on each backend.

``tests/judged/PROBLEM/VERDICT/*.cu``: the folder is the expectation. ``skipped_on_cpu`` means
skipped by the cpu backend and accepted by the cuda backend. A comment ``// expect-text: words``
asks for words that the report must contain, for the learner's sake; ``// expect-finding-on-cpu:
kind`` for a finding. ``// judged-with: compile_seconds=3`` sets what the judge is told, and
``// judged-on: cpu`` leaves out a GPU, which can't be relied on to show the fault.
``// Fault-numbers: 1, 8`` are its rows in docs/faults.md. After each file the same judge must
accept a right solution: nothing that a submission does may outlive it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from fault_table import comment_value, fixture_numbers

from harness.backends.base import Backend
from harness.catalog import find_problem
from harness.judge import Limits, Settings, checks, judge
from harness.model import BuildOptions, ExitCode, Report, Verdict
from harness.source import read_source
from harness.source.directives import directives

ROOT = Path(__file__).parent
REPOSITORY = ROOT.parent
FILES = sorted((ROOT / "judged").glob("*/*/*.cu"))
BACKENDS = [pytest.param("cpu"), pytest.param("cuda", marks=pytest.mark.gpu)]

# Short where the file is meant to run into the limit, generous where it is not.
LIMITS = {"time_limit": Limits(case_seconds=1.0), "memory_limit": Limits(memory_bytes=1 << 28)}
GENEROUS = Limits(case_seconds=30.0)
SEED = 20


def marked(path: Path) -> ParameterSet:
    """The file as a parameter, marked with the faults that it shows."""
    numbers = fixture_numbers(path)
    return pytest.param(path, marks=[pytest.mark.fault(*numbers)] if numbers else [])


def name_of(path: Path) -> str:
    return "-".join(path.relative_to(ROOT / "judged").with_suffix("").parts)


def expected(path: Path, backend: str) -> Verdict:
    folder = path.parent.name
    if folder == "skipped_on_cpu":
        return Verdict.SKIPPED if backend == "cpu" else Verdict.ACCEPTED
    return Verdict(folder)


def judged(
    path: Path, backend: Backend, limits: Limits, sizes: dict[str, int] | None = None
) -> Report:
    settings = Settings(seed=SEED, sizes=sizes or {}, perf=False, limits=limits)
    problem = find_problem(directives(read_source(path).text).problem or "")
    words = comment_value(path, "judged-with").split()
    chosen = dict(word.split("=") for word in words)
    seconds = float(chosen.get("compile_seconds", BuildOptions.seconds))
    return judge(problem, read_source(path), backend, settings, BuildOptions(seconds=seconds))


def text_of(report: Report) -> str:
    """All that the report says about what went wrong."""
    said = [report.reason, report.hint]
    for case in report.cases:
        said += [case.reason, case.mismatch.hint if case.mismatch else ""]
    for diagnostic in report.build.diagnostics if report.build else ():
        said.append(f"{diagnostic.message} {diagnostic.source_line}")
    return " ".join(said)


def wanted_words(path: Path) -> list[str]:
    return comment_value(path, "expect-text").split()


def test_there_are_files() -> None:
    assert len(FILES) > 100


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_says_what_it_is(path: Path) -> None:
    text = read_source(path).text
    found = directives(text, str(path))
    assert found.problem == path.parent.parent.name
    assert set(found.expected) == {expected(path, "cpu"), expected(path, "cuda")}
    assert re.search(r"^// (Fault|Means): ", text, re.MULTILINE)


@pytest.mark.compiler
@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("path", [marked(path) for path in FILES], ids=name_of)
def test_verdict(
    path: Path,
    name: str,
    backend_of: Callable[[str], Backend],
    record_property: Callable[[str, object], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if comment_value(path, "judged-on") not in ("", name):
        pytest.skip(f"not to be relied on with the {name} backend: see the file")
    backend = backend_of(name)
    if path.parent.name == "time_limit":  # the checks run into their own limits, too
        monkeypatch.setattr(checks, "_CALL_SECONDS", 1.0)
        monkeypatch.setattr(checks, "_WAIT_SECONDS", 2.0)
    report = judged(path, backend, LIMITS.get(path.parent.name, GENEROUS))
    record_property("verdict", report.verdict.value)
    assert report.verdict is expected(path, name), report.reason
    finding = comment_value(path, "expect-finding-on-cpu")
    if finding and name == "cpu":
        assert finding in [found.kind for found in report.findings]
    said = text_of(report)
    if path.parent.name == "skipped_on_cpu" and report.verdict is Verdict.ACCEPTED:
        return  # the words are about what the cpu backend refuses
    missing = [word for word in wanted_words(path) if word.lower() not in said.lower()]
    assert not missing, f"not said: {missing}; said: {said}"

    right = REPOSITORY / "solutions" / "v2.cu"
    after = judged(right, backend, GENEROUS, {"M": 17, "N": 19, "K": 31})
    assert after.verdict is Verdict.ACCEPTED, after.reason


@pytest.mark.compiler
@pytest.mark.parametrize("name", BACKENDS)
def test_examples_and_narrow_outputs_hide_the_repeated_columns(
    name: str, backend_of: Callable[[str], Backend]
) -> None:
    path = ROOT / "judged" / "matmul" / "wrong_answer" / "v3_as_printed.cu"
    report = judged(path, backend_of(name), GENEROUS, {"M": 40, "N": 24, "K": 16})
    assert report.verdict is Verdict.ACCEPTED, report.reason
    report = judged(path, backend_of(name), GENEROUS, {"M": 40, "N": 24, "K": 17})
    assert report.verdict is Verdict.WRONG_ANSWER


def one_of_each_verdict() -> list[Path]:
    first: dict[str, Path] = {}
    for path in FILES:
        if path.parent.parent.name == "matmul":
            first.setdefault(path.parent.name, path)
    return list(first.values())


@pytest.mark.compiler
@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("path", one_of_each_verdict(), ids=name_of)
def test_command_says_the_same(path: Path, name: str) -> None:
    verdict = expected(path, name)
    timeout = "1" if verdict is Verdict.TIME_LIMIT else "30"
    arguments = ["run", "matmul", str(path), "--backend", name, "--no-perf", "--json", "-"]
    if verdict is Verdict.MEMORY_LIMIT:
        arguments += ["--memory-limit", "256M"]
    done = subprocess.run(
        [sys.executable, "-m", "harness", *arguments, "--seed", str(SEED), "--timeout", timeout],
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert "Traceback" not in done.stderr
    report = json.loads(done.stdout)
    assert report["schema_version"] == 1
    assert report["verdict"] == verdict.value, report["reason"]
    codes = {Verdict.ACCEPTED: ExitCode.OK, Verdict.SKIPPED: ExitCode.UNAVAILABLE}
    assert done.returncode == codes.get(verdict, ExitCode.NOT_ACCEPTED)
