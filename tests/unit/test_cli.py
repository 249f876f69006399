"""The command line: what it asks of the judge, what it prints, how it leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import report_samples as samples

from harness import cli
from harness.backends.base import Backend, Missing, Probe
from harness.backends.fake import FakeBackend
from harness.build.cache import VARIABLE
from harness.catalog import Submission
from harness.errors import JudgeError, SpecError, UsageError
from harness.model import BuildOptions, Problem, Report, Source, Verdict
from harness.settings import Event, Settings
from harness.worker.process import WorkerProcess

SOURCE = "// leetk: problem matmul\n"


class Here(FakeBackend):
    """A backend of a name, that may lack things."""

    def __init__(self, name: str, lacks: Sequence[Missing] = (), device: str = "") -> None:
        super().__init__(times=(1.0,) if name == "cuda" else ())
        self.name = name
        self.lacks = tuple(lacks)
        self.device = device

    def probe(self) -> Probe:
        return Probe(not self.lacks, self.device, missing=self.lacks)


@dataclass
class Bench:
    """The world that the command line sees: two backends, one problem, a scripted judge."""

    folder: Path
    reports: dict[str, Report | BaseException] = field(default_factory=dict)
    backends: dict[str, Backend] = field(default_factory=dict)
    asked: list[tuple[str, str, Settings, BuildOptions]] = field(default_factory=list)

    def judge(
        self,
        problem: Problem,
        source: Source,
        backend: Backend,
        settings: Settings,
        options: BuildOptions,
        emit: Callable[[Event], None],
        started: Sequence[WorkerProcess] = (),
    ) -> Report:
        self.asked.append((problem.name, backend.name, settings, options))
        emit(Event("build", str(source.path)))
        emit(Event("case", "fuzz 1", 2, 30))
        report = self.reports.get(source.path.name, samples.ACCEPTED_CPU)
        if isinstance(report, BaseException):
            raise report
        return replace(report, solution=str(source.path), backend=backend.name, seed=settings.seed)

    def write(
        self, name: str, text: str = SOURCE, report: Report | BaseException | None = None
    ) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if report is not None:
            self.reports[path.name] = report
        return name


def find_problem(name: str) -> Problem:
    if name == "broken":
        raise SpecError("problems/broken.yaml:3: unknown key 'size'; did you mean 'sizes'?")
    if name != "matmul":
        raise UsageError(f"there is no problem {name!r}")
    return samples.PROBLEM


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    bench = Bench(tmp_path)
    bench.backends = {
        "cuda": Here("cuda", [Missing("a GPU", "")]),
        "cpu": Here("cpu", device="2 cores"),
    }
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LEETK_DEBUG", raising=False)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr("harness.judge.judge", bench.judge)
    monkeypatch.setattr("harness.catalog.find_problem", find_problem)
    monkeypatch.setattr("harness.catalog.list_problems", lambda: (samples.PROBLEM,))
    monkeypatch.setattr("harness.catalog.list_all", lambda: ((samples.PROBLEM,), ()))
    monkeypatch.setattr("harness.backends.backend", lambda name, nvcc="": bench.backends[name])
    monkeypatch.setattr("harness.backends.names", lambda: tuple(bench.backends))
    return bench


@dataclass(frozen=True)
class Left:
    code: int
    out: str
    err: str


@pytest.fixture
def leetk(bench: Bench, capsys: pytest.CaptureFixture[str]) -> Callable[..., Left]:
    def run(*arguments: str) -> Left:
        code = cli.invoke(arguments)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Left(code, captured.out, captured.err)

    return run


Run = Callable[..., Left]


# --- run -------------------------------------------------------------------------------------


def test_run_accepted(bench: Bench, leetk: Run) -> None:
    left = leetk("run", "matmul", bench.write("v2.cu"), "--seed", "7")
    assert left.code == 0
    assert "✓ Test passed" in left.out
    assert "perf case left out: M=8192 N=6144 K=4096" in left.out
    assert left.err == ""


def test_run_finds_the_problem_in_the_file(bench: Bench, leetk: Run) -> None:
    assert leetk("run", bench.write("v2.cu")).code == 0
    assert bench.asked[0][0] == "matmul"


def test_run_without_any_problem(bench: Bench, leetk: Run) -> None:
    left = leetk("run", bench.write("v2.cu", "int x;\n"))
    assert left.code == 2
    assert left.err == (
        "leetk: v2.cu does not name its problem: leetk run PROBLEM v2.cu, "
        "or write '// leetk: problem NAME' near its top\n"
    )


def test_run_warns_when_the_file_names_another_problem(bench: Bench, leetk: Run) -> None:
    left = leetk("run", "matmul", bench.write("v2.cu", "// leetk: problem transpose\n"))
    assert left.code == 0
    assert "warning: its directive names the problem transpose; judged against matmul" in left.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["matmul"], "to judge a solution of the problem 'matmul': leetk run matmul SOLUTION.cu"),
        (["v2.cu", "matmul"], "the problem comes first: leetk run matmul v2.cu"),
        (["matmul", "v2.cu", "v3.cu"], "leetk check judges many"),
        (["nothing", "v2.cu"], "there is no problem 'nothing'"),
        (["broken", "v2.cu"], "problems/broken.yaml:3: unknown key 'size'"),
        (["matmul", "absent.cu"], "absent.cu: no such file"),
        (["matmul", "."], ".: a directory"),
        (["matmul", "empty.cu"], "empty.cu: the file is empty"),
        (["matmul", "v2.cu", "--size", "M"], "--size M: write NAME=VALUE, such as M=8192"),
        (["matmul", "v2.cu", "--size", "M=3,N=4"], "--size M=3,N=4: give --size once for each si"),
        (
            ["matmul", "v2.cu", "--size", "M=3 N=4"],
            "size once for each size: --size M=3 --size N=4",
        ),
        (["matmul", "v2.cu", "--size", "M", "3"], "size once for each size: --size M=3 --size N=4"),
        (["matmul", "v2.cu", "--size", "Q=1"], "matmul has no size 'Q'; it has M, N, K"),
        (["matmul", "v2.cu", "--size", "M=x"], "'x' is not a whole number"),
        (["matmul", "v2.cu", "--size", "M=0"], "M must be from 1 to 8192"),
        (["matmul", "v2.cu", "--size", "M=1", "--size", "M=2"], "M is given twice"),
        (["matmul", "v2.cu", "--timeout", "nan"], "nan is not a positive number of seconds"),
        (["matmul", "v2.cu", "--seed", "-1"], "a seed is from 0 to"),
        (["matmul", "v2.cu", "--backend", "gpu"], "'gpu' is not one of 'auto', 'cuda', 'cpu'"),
        (["matmul", "v2.cu", "--sed", "1"], "(see leetk run --help)"),
        ([], "(see leetk run --help)"),
        (["matmul", "v2.cu", "--json", "no/such/x.json"], "--json no/such/x.json: the folder"),
        (["matmul", "v2.cu", "--json", "."], "--json .: is a directory"),
        (["matmul", "v2.cu", "--json", "-", "--junit", "-"], "both name '-'"),
        (["matmul", "v2.cu", "--json", "x", "--junit", "./x"], "both name 'x'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(
    bench: Bench, leetk: Run, arguments: list[str], words: str
) -> None:
    bench.write("v2.cu")
    bench.write("empty.cu", "")
    left = leetk("run", *arguments)
    assert left.code == 2
    assert left.out == ""
    assert left.err.startswith("leetk: ") and left.err.count("\n") == 1
    assert words in left.err
    assert bench.asked == []


def test_an_unknown_command(leetk: Run) -> None:
    left = leetk("juge")
    assert left.code == 2
    assert "juge" in left.err and left.err.count("\n") == 1


def test_options_reach_the_judge(bench: Bench, leetk: Run) -> None:
    left = leetk(
        *("run", "matmul", bench.write("v2.cu"), "--seed", "9", "--strict", "--no-perf"),
        *("--size", "M=3", "--size", "K=5", "--timeout", "2.5", "--compile-timeout", "30"),
        *("--nvcc", "/opt/nvcc", "--fast-math", "--no-cache", "--backend", "cpu"),
    )
    assert left.code == 0
    ((problem, backend, settings, options),) = bench.asked
    assert (problem, backend) == ("matmul", "cpu")
    assert settings.seed == 9
    assert settings.sizes == {"M": 3, "K": 5}
    assert (settings.strict, settings.perf, settings.limits.case_seconds) == (True, False, 2.5)
    assert options == BuildOptions("/opt/nvcc", "", True, 30.0, False)


@pytest.mark.fault(17)
def test_defaults_are_the_judge_s_own(bench: Bench, leetk: Run) -> None:
    leetk("run", bench.write("v2.cu"))
    leetk("run", "v2.cu")
    first, second = (settings for _, _, settings, _ in bench.asked)
    assert bench.asked[0][3] == BuildOptions()
    assert first == Settings(seed=first.seed)
    assert first.seed != second.seed


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        (Verdict.ACCEPTED, 0),
        (Verdict.WRONG_ANSWER, 1),
        (Verdict.COMPILE_ERROR, 1),
        (Verdict.SUSPICIOUS_TIMING, 1),
        (Verdict.JUDGE_ERROR, 3),
        (Verdict.SKIPPED, 4),
    ],
)
def test_run_leaves_by_the_verdict_whatever_the_file_expects(
    bench: Bench, leetk: Run, verdict: Verdict, code: int
) -> None:
    report = replace(samples.SKIPPED, verdict=verdict)
    path = bench.write("v2.cu", f"{SOURCE}// leetk: expect wrong_answer\n", report)
    assert leetk("run", path).code == code


def test_json_on_standard_output_is_alone_there(bench: Bench, leetk: Run) -> None:
    left = leetk("run", bench.write("v2.cu"), "--json", "-", "--github", "--seed", "7")
    assert json.loads(left.out)["verdict"] == "accepted"
    assert "Test passed" in left.err


def test_reports_are_written_whole_or_not_at_all(bench: Bench, leetk: Run) -> None:
    path = bench.write("v2.cu")
    Path("out.json").write_text("old")
    left = leetk("run", path, "--json", "out.json", "--junit", "out.xml")
    assert left.code == 0
    assert json.loads(Path("out.json").read_text())["problem"] == "matmul"
    assert ET.parse("out.xml").getroot().get("failures") == "0"
    bench.reports["v2.cu"] = JudgeError("the worker could not start")
    Path("out.json").write_text("old")
    left = leetk("run", path, "--json", "out.json")
    assert (left.code, left.err) == (3, "leetk: the worker could not start\n")
    assert Path("out.json").read_text() == "old"
    assert sorted(p.name for p in bench.folder.iterdir()) == ["out.json", "out.xml", "v2.cu"]


def test_a_link_is_written_through(bench: Bench, leetk: Run) -> None:
    Path("real.json").write_text("old")
    Path("link.json").symlink_to("real.json")
    assert leetk("run", bench.write("v2.cu"), "--json", "link.json").code == 0
    assert Path("link.json").is_symlink()
    assert json.loads(Path("real.json").read_text())["seed"] >= 0


def test_a_device_is_written_to_and_not_replaced(bench: Bench, leetk: Run) -> None:
    assert leetk("run", bench.write("v2.cu"), "--json", "/dev/null").code == 0
    assert not Path("/dev/null").is_file()


def test_github_annotations_follow_the_report(bench: Bench, leetk: Run) -> None:
    left = leetk("run", bench.write("v3.cu", report=samples.WRONG_ANSWER), "--github")
    assert left.code == 1
    assert "\n::error file=solutions/v3.cu,line=21,col=9,title=" in left.out


def test_progress_when_asked_for(bench: Bench, leetk: Run) -> None:
    left = leetk("run", bench.write("v2.cu"), "--progress")
    assert left.err.splitlines() == ["compiling v2.cu", "running 3 of 30: fuzz 1"]


def test_verbose_shows_the_examples(bench: Bench, leetk: Run) -> None:
    left = leetk("run", bench.write("v2.cu"), "-v")
    assert (
        "example 1:\n  A = [[1.0, 2.0], [3.0, 4.0]]\n  B = [[5.0, 6.0], [7.0, 8.0]]\n  M = 2\n"
        in left.out
    )


# --- which backend ---------------------------------------------------------------------------


def test_auto_takes_the_gpu_when_it_can(bench: Bench, leetk: Run) -> None:
    bench.backends["cuda"] = Here("cuda", device="NVIDIA H200")
    leetk("run", bench.write("v2.cu"))
    assert bench.asked[0][1] == "cuda"


def test_auto_without_a_gpu_says_nothing_about_it(bench: Bench, leetk: Run) -> None:
    left = leetk("run", bench.write("v2.cu"))
    assert bench.asked[0][1] == "cpu"
    assert "lacks" not in left.out


def test_auto_says_why_a_gpu_is_not_used(bench: Bench, leetk: Run) -> None:
    lacks = [Missing("nvcc", 'pip install "leetk[nvcc]"')]
    bench.backends["cuda"] = Here("cuda", lacks, device="NVIDIA H200")
    left = leetk("run", bench.write("v2.cu"))
    assert left.code == 0
    assert (
        "info: judged by the cpu backend, as cuda (NVIDIA H200) lacks: "
        'nvcc (pip install "leetk[nvcc]")' in left.out
    )


def test_a_backend_that_cannot_work_here(bench: Bench, leetk: Run) -> None:
    left = leetk("run", bench.write("v2.cu"), "--backend", "cuda")
    assert left.code == 4
    assert left.err == "leetk: nothing to judge with: cuda: a GPU (leetk doctor says more)\n"


def test_without_a_gpu_the_compiler_is_what_is_missing(bench: Bench, leetk: Run) -> None:
    lacks = [Missing("a GPU: no driver", "install one"), Missing("CuPy", "pip install cupy")]
    bench.backends["cuda"] = Here("cuda", lacks)
    compiler = Missing("C++ compiler", "apt install g++")
    bench.backends["cpu"] = Here("cpu", [compiler], device="2 cores")
    left = leetk("run", bench.write("v2.cu"))
    assert left.code == 4
    assert left.err == (
        "leetk: nothing to judge with: cpu: C++ compiler (apt install g++); cuda: no device "
        "(leetk doctor says more)\n"
    )
    left = leetk("doctor")
    assert left.out.index("cpu lacks") < left.out.index("cuda lacks")
    bench.backends["cuda"] = Here("cuda", lacks[1:], device="NVIDIA H200")
    assert "with: cuda: CuPy (pip install cupy); cpu: C++ compiler" in leetk("run", "v2.cu").err
    left = leetk("doctor")
    assert left.out.index("cuda lacks") < left.out.index("cpu lacks")


# --- what goes wrong -------------------------------------------------------------------------


def test_an_unexpected_exception_is_one_line(
    bench: Bench, leetk: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = bench.write("v2.cu", report=ZeroDivisionError("division\nby zero"))
    left = leetk("run", path)
    assert left.code == 3
    assert left.err == (
        "leetk: internal error: ZeroDivisionError: division by zero "
        "(set LEETK_DEBUG=1 for the traceback)\n"
    )
    monkeypatch.setenv("LEETK_DEBUG", "1")
    assert cli.invoke(["run", path]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_one_line(bench: Bench, leetk: Run) -> None:
    left = leetk("run", bench.write("v2.cu", report=KeyboardInterrupt()), "--json", "out.json")
    assert (left.code, left.err) == (130, "leetk: interrupted\n")
    assert not Path("out.json").exists()


def test_a_reader_that_left_is_no_error() -> None:
    code = "import sys; from harness import cli; sys.argv[0] = 'leetk'; cli.main(['--help'])"
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run(
        [sys.executable, "-c", code], stdout=write, stderr=subprocess.PIPE, timeout=60
    )
    os.close(write)
    assert (run.returncode, run.stderr) == (141, b"")


def test_a_closed_standard_output_is_no_error() -> None:
    command = f"{sys.executable} -m harness --version >&-"
    run = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, timeout=60)
    assert (run.returncode, run.stderr) == (0, b"")


def test_a_full_disk_is_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "harness", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert run.returncode == 3
    assert run.stderr == "leetk: cannot write: No space left on device\n"


def test_a_reader_that_leaves_in_the_middle_is_no_error() -> None:
    for arguments in ("show matmul", "list"):
        read, write = os.pipe()
        os.close(read)
        run = subprocess.run(
            [sys.executable, "-m", "harness", *arguments.split()],
            stdout=write,
            stderr=subprocess.PIPE,
            timeout=60,
        )
        os.close(write)
        assert (run.returncode, run.stderr) == (141, b"")


def test_a_dangling_link(bench: Bench, leetk: Run) -> None:
    (bench.folder / "v2.cu").symlink_to("gone.cu")
    left = leetk("run", "matmul", "v2.cu")
    assert (left.code, left.err) == (2, "leetk: v2.cu: a link to gone.cu, which is not there\n")


def test_fast_math_on_the_cpu_is_said_to_do_nothing(bench: Bench, leetk: Run) -> None:
    left = leetk("run", bench.write("v2.cu"), "--fast-math")
    assert left.code == 0
    assert "info: --fast-math changes nothing on the cpu backend" in left.out
    bench.backends["cuda"] = Here("cuda", device="NVIDIA H200")
    assert "--fast-math changes" not in leetk("run", "v2.cu", "--fast-math").out


# --- check -----------------------------------------------------------------------------------


def test_check_judges_against_what_each_file_expects(bench: Bench, leetk: Run) -> None:
    bench.write("solutions/v2.cu")
    bench.write("solutions/sub/v3.cu", f"{SOURCE}// leetk: expect wrong_answer\n")
    bench.write("solutions/notes.cu", "// nothing to judge\n")
    bench.reports["v3.cu"] = samples.WRONG_ANSWER
    left = leetk("check", "--seed", "5", "--json", "out.json", "--junit", "out.xml")
    assert left.code == 0
    assert "2 of 2 solutions as expected  (cpu backend, seed 5)" in left.out
    batch = json.loads(Path("out.json").read_text())
    assert [r["expected"] for r in batch["reports"]] == [[], ["wrong_answer"]]
    assert (batch["as_expected"], batch["exit_code"]) == (2, 0)
    assert len(ET.parse("out.xml").getroot()) == 2


def test_check_s_progress_names_each_file_once(bench: Bench, leetk: Run) -> None:
    bench.write("solutions/v2.cu")
    bench.write("solutions/v3.cu")
    left = leetk("check", "--progress")
    assert left.err.splitlines()[:2] == [
        "[1 of 2] solutions/v2.cu: compiling",
        "[1 of 2] solutions/v2.cu: running 3 of 30: fuzz 1",
    ]


def test_check_shows_what_was_not_expected(bench: Bench, leetk: Run) -> None:
    bench.write("solutions/v2.cu", f"{SOURCE}// leetk: expect out_of_bounds\n")
    bench.write("solutions/v3.cu", report=samples.WRONG_ANSWER)
    left = leetk("check")
    assert left.code == 1
    assert "0 of 2 solutions as expected" in left.out
    assert "expected out_of_bounds" in left.out
    assert "hint: columns 16 to 63 repeat columns 0 to 15" in left.out


def test_check_goes_on_after_one_that_cannot_be_judged(bench: Bench, leetk: Run) -> None:
    bench.write("solutions/a.cu", report=JudgeError("the worker could not start"))
    bench.write("solutions/c.cu", report=RuntimeError("boom"))
    bench.write("solutions/d.cu")
    left = leetk("check", "--json", "out.json")
    assert left.code == 3
    assert left.err == ""
    reports = json.loads(Path("out.json").read_text())["reports"]
    assert [r["verdict"] for r in reports] == ["judge_error"] * 2 + ["accepted"]
    assert reports[1]["reason"] == "internal error: RuntimeError: boom"


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([Verdict.ACCEPTED, Verdict.SKIPPED], 4),
        ([Verdict.SKIPPED, Verdict.WRONG_ANSWER], 1),
        ([Verdict.WRONG_ANSWER, Verdict.JUDGE_ERROR, Verdict.SKIPPED], 3),
    ],
)
def test_check_leaves_by_the_worst(
    bench: Bench, leetk: Run, verdicts: list[Verdict], code: int
) -> None:
    for number, verdict in enumerate(verdicts):
        bench.write(f"solutions/{number}.cu", report=replace(samples.SKIPPED, verdict=verdict))
    assert leetk("check").code == code


def test_check_of_nothing(bench: Bench, leetk: Run) -> None:
    bench.write("solutions/notes.cu", "// nothing\n")
    left = leetk("check")
    assert left.code == 5
    assert left.err == (
        "leetk: no solution below solutions names its problem (// leetk: problem NAME)\n"
    )


def test_check_of_a_path_that_is_not_there(leetk: Run) -> None:
    left = leetk("check", "absent")
    assert left.code == 2
    assert "absent" in left.err


def test_check_goes_on_after_what_its_author_must_mend(bench: Bench, leetk: Run) -> None:
    bench.write("solutions/a.cu", "// leetk: problem matmull\n")
    bench.write("solutions/b.cu", "// leetk: problem broken\n// leetk: expect skipped\n")
    bench.write("solutions/c.cu", "\n// leetk: problme matmul\n")
    (bench.folder / "solutions/d.cu").symlink_to("gone.cu")
    bench.write("solutions/e.cu", report=samples.WRONG_ANSWER)
    left = leetk("check", "--json", "out.json", "--junit", "out.xml", "--github")
    assert (left.code, left.err) == (2, "")
    assert [Path(line.split()[1]).name for line in left.out.splitlines()[:5]] == [
        f"{name}.cu" for name in "abcde"
    ]
    for path, text in (
        ("a.cu", "solutions/a.cu: there is no problem 'matmull'"),
        ("b.cu", "problems/broken.yaml:3: unknown key 'size'; did you mean 'sizes'?"),
        ("c.cu", "solutions/c.cu:2: unknown directive 'problme'; did you mean 'problem'?"),
        ("d.cu", "solutions/d.cu: a link to gone.cu, which is not there"),
    ):
        row = next(line for line in left.out.splitlines() if f"✗  solutions/{path}" in line)
        assert " usage error " in row and row.endswith(text)
    assert "::error file=solutions/c.cu,line=2,title=leetk%3A usage error::unknown" in left.out
    assert "0 of 5 solutions as expected" in left.out
    batch = json.loads(Path("out.json").read_text())
    assert batch["exit_code"] == 2
    assert [r["problem"] for r in batch["reports"]] == ["matmull", "broken", "-", "-", "matmul"]
    assert ET.parse("out.xml").getroot().get("errors") == "4"
    assert len(bench.asked) == 1
    bench.write("solutions/e.cu", report=JudgeError("the worker could not start"))
    assert leetk("check").code == 3


def test_check_on_a_gpu_judges_one_at_a_time(bench: Bench, leetk: Run) -> None:
    bench.backends["cuda"] = Here("cuda", device="NVIDIA H200")
    bench.write("solutions/a.cu")
    bench.write("solutions/b.cu")
    left = leetk("check", "--jobs", "4")
    assert left.code == 0
    assert "judging one at a time" in left.out
    assert len(bench.asked) == 2


# --- list, show, doctor ----------------------------------------------------------------------


def test_list(leetk: Run) -> None:
    left = leetk("list")
    assert left.code == 0
    assert left.out == (
        "problem  title                  sizes\nmatmul   Matrix Multiplication  M, N, K\n"
    )


def test_list_of_nothing(leetk: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.catalog.list_all", lambda: ((), ()))
    assert leetk("list").code == 5


def test_a_wrong_spec_hides_no_other_problem(leetk: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = (SpecError("problems/x.yaml:1: bad YAML"), SpecError("problems/y.yaml:2: no\nsizes"))
    monkeypatch.setattr("harness.catalog.list_all", lambda: ((samples.PROBLEM,), wrong))
    left = leetk("list")
    assert left.code == 2
    assert "matmul   Matrix Multiplication  M, N, K\n" in left.out
    assert left.err == "leetk: problems/x.yaml:1: bad YAML\nleetk: problems/y.yaml:2: no sizes\n"
    monkeypatch.setattr("harness.catalog.list_all", lambda: ((), wrong[:1]))
    left = leetk("list")
    assert (left.code, left.out, left.err) == (2, "", "leetk: problems/x.yaml:1: bad YAML\n")


def test_show(leetk: Run) -> None:
    left = leetk("show", "matmul")
    assert left.code == 0
    for words in (
        "matmul: Matrix Multiplication",
        "The contraction runs along N.",
        "A[M][N]  float32  input, read-only",
        "M  1 to 8192",
        "A = [[1.0, 2.0], [3.0, 4.0]]",
        "gives C = [[19.0, 22.0], [43.0, 50.0]]",
        "off by 0.0001 + 0.0001 * |right answer|",
        "timed on a GPU at M=8192 N=6144 K=4096",
        'extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {',
        "leetk run matmul FILE.cu",
    ):
        assert words in left.out


def test_show_checks_the_examples(leetk: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    second = samples.PROBLEM.examples[1]
    wrong = replace(second, outputs={"C": np.array([[33]], np.float32)})
    spec = Path("matmul.yaml")
    spec.write_text("name: matmul\nexamples:\n  - {inputs: {}}\n  - inputs: {}\n")
    problem = replace(samples.PROBLEM, examples=(samples.PROBLEM.examples[0], wrong), path=spec)
    monkeypatch.setattr("harness.catalog.find_problem", lambda name: problem)
    left = leetk("show", "matmul")
    assert (left.code, left.out) == (3, "")
    assert left.err == (
        "leetk: matmul.yaml:4: example 2 says C[0][0] = 33, but the reference gives 32\n"
    )


def test_doctor(bench: Bench, leetk: Run) -> None:
    left = leetk("doctor")
    assert left.code == 0
    assert "✓ cpu backend: ready: 2 cores" in left.out
    assert "- cuda lacks: a GPU" in left.out
    assert "ready to judge with: cpu" in left.out


def test_doctor_says_when_the_cache_cannot_be_used(
    bench: Bench, leetk: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bench.folder / "file").write_text("")
    monkeypatch.setenv(VARIABLE, str(bench.folder / "file" / "cache"))
    left = leetk("doctor")
    assert left.code == 0
    assert "- build cache: " in left.out
    assert f"or name another folder in {VARIABLE}" in left.out


def test_doctor_as_json(bench: Bench, leetk: Run) -> None:
    bench.backends["cpu"] = Here("cpu", [Missing("a C++ compiler", "apt install g++")])
    left = leetk("doctor", "--json")
    assert left.code == 4
    found = json.loads(left.out)
    assert found["usable"] == []
    assert {
        "name": "cpu lacks",
        "state": "missing",
        "detail": "a C++ compiler",
        "remedy": "apt install g++",
    } in found["checks"]


def test_doctor_survives_what_it_examines(
    bench: Bench, leetk: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(Here):
        def probe(self) -> Probe:
            raise OSError("libcuda.so.1: wrong ELF class")

    def no_problems() -> tuple[Problem, ...]:
        raise SpecError("problems/x.yaml:1: bad YAML")

    bench.backends["cuda"] = Broken("cuda")
    monkeypatch.setattr("harness.catalog.list_problems", no_problems)
    left = leetk("doctor")
    assert left.code == 2
    assert "probing it failed: OSError: libcuda.so.1: wrong ELF class" in left.out
    assert "✗ problems: problems/x.yaml:1: bad YAML" in left.out


@pytest.mark.parametrize("command", [[], ["run"], ["check"], ["list"], ["show"], ["doctor"]])
def test_help(leetk: Run, command: list[str]) -> None:
    left = leetk(*command, "--help")
    assert left.code == 0
    assert left.out.startswith("Usage: leetk")


def environment(**values: str) -> Mapping[str, str]:
    return {**os.environ, **values}


def test_version() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "harness", "--version"],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(PYTHONIOENCODING="ascii"),
    )
    assert run.stdout.startswith("leetk ")


def test_submissions_travel_to_another_process() -> None:
    """A pool of processes gets its jobs pickled."""
    import pickle

    from harness.commands.options import Options
    from harness.commands.pool import Job

    job = Job(Submission(Path("a.cu"), "matmul", (Verdict.SKIPPED,)), "cpu", Options(), 7)
    assert pickle.loads(pickle.dumps(job)) == job
    assert pickle.loads(pickle.dumps(samples.WRONG_ANSWER)).cases[0] == samples.PASSED[0]


def test_check_without_its_default_folder(bench: Bench, leetk: Run) -> None:
    left = leetk("check")
    assert left.code == 2
    assert "no folder solutions here" in left.err and "leetk check PATH" in left.err
