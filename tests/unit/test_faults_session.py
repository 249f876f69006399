"""Whole runs of the command that are interrupted, starved or disturbed: what they say, that nothing
of them stays, and that the next run is right."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from processes import alive, wait_for

from harness import cli, family
from harness.backends.fake import FakeBackend

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")

REPOSITORY = Path(__file__).parents[2]
SECONDS = 60.0
# The command over a fake backend that takes times, so that every stage is there without a GPU.
FAKE = """
import harness.backends
from harness.backends.fake import FakeBackend
harness.backends.backend = lambda name, nvcc="": FakeBackend((1.0,) * 10)
from harness.cli import main
main()
"""
RIGHT = "def solve(A, B, C, M, N, K):\n    C[...] = A @ B\n"
# Its calls: two of the case, one with other data, one of the perf case, one that is timed.
STAGES = {
    "load": "arrive()\n" + RIGHT,
    "case": "def solve(*a):\n    arrive()\n",
    "perf": RIGHT + "    global calls; calls += 1\n    if calls == 5: arrive()\n",
}
PRELUDE = """
import time
calls = 0
def arrive():
    open({note!r}, 'w').close()
    while True: time.sleep(1)
"""
SIZE = ("--size", "M=3", "--size", "N=4", "--size", "K=5")
# So much to instantiate that it is not done before the test is.
SLOW_TO_COMPILE = """
template <int DEPTH, long long PATH> struct Tree {
    static constexpr long long value =
        Tree<DEPTH - 1, 2 * PATH>::value + Tree<DEPTH - 1, 2 * PATH + 1>::value;
};
template <long long PATH> struct Tree<0, PATH> { static constexpr long long value = PATH; };
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    cudaMemset(output, (int)Tree<40, 1>::value, 4);
}
"""
TRANSPOSE = """
__global__ void turn(const float* in, float* out, int rows, int cols) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    turn<<<grid, block>>>(input, output, rows, cols);
}
"""
_PATH = os.environ.get("PYTHONPATH", "")
SMALL = ("--size", "rows=5", "--size", "cols=19")


class Bench:
    """Starts commands whose temporary files and cache lie in folders of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temporary = folder / "temporary"
        self.cache = folder / "cache"
        self.temporary.mkdir()
        self.environment = {
            **os.environ,
            "TMPDIR": str(self.temporary),
            "LEETK_CACHE_DIR": str(self.cache),
            "PYTHONPATH": os.pathsep.join(filter(None, (str(REPOSITORY), _PATH))),
        }

    def start(self, *arguments: str, fake: bool = True) -> subprocess.Popen[str]:
        head = ["-c", FAKE] if fake else ["-m", "harness"]
        return subprocess.Popen(
            [sys.executable, *head, *arguments, "--backend", "cpu"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # A shell's background job, as these tests may be, has its children ignore Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def fake(self, name: str, text: str, *arguments: str) -> subprocess.Popen[str]:
        (self.folder / name).write_text(text)
        return self.start("run", "matmul", name, *SIZE, *arguments)

    def cpu(self, name: str, text: str, *arguments: str) -> subprocess.Popen[str]:
        (self.folder / name).write_text(text)
        return self.start("run", "transpose", name, *SMALL, *arguments, fake=False)

    def left(self) -> list[str]:
        """Temporary files, and half-made entries of the cache."""
        half = [path.name for path in self.cache.glob(".work-*")] if self.cache.exists() else []
        return [*os.listdir(self.temporary), *half]

    def accepts_what_is_right(self) -> None:
        out, err = self.fake("right.py", RIGHT).communicate(timeout=SECONDS)
        assert "accepted" in out, err


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def named(process: subprocess.Popen[str], name: str) -> list[int]:
    """The processes of that name which ``process`` has started, or they have."""
    found = []
    for pid in family.family(process.pid):
        try:
            if Path(f"/proc/{pid}/comm").read_text().strip() == name:
                found.append(pid)
        except OSError:
            continue
    return found


def end(process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str]:
    """Signal the process's group, as a terminal does; nothing that it started may stay."""
    started = family.family(process.pid)
    assert started
    os.killpg(process.pid, number)
    _, said = process.communicate(timeout=SECONDS)
    wait_for(lambda: not any(alive(pid) for pid in started))
    return process.returncode, said


# --- interrupted -------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
@pytest.mark.parametrize("stage", STAGES)
def test_an_interrupt_leaves_nothing(bench: Bench, stage: str, number: signal.Signals) -> None:
    note = bench.folder / "arrived"
    process = bench.fake("slow.py", PRELUDE.format(note=str(note)) + STAGES[stage])
    wait_for(note.exists)
    code, said = end(process, number)
    assert code == 128 + number
    assert "Traceback" not in said
    assert number is not signal.SIGINT or said.strip() == "leetk: interrupted"
    assert not bench.left()
    bench.accepts_what_is_right()


@pytest.mark.compiler
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_an_interrupted_compiler_leaves_nothing(bench: Bench, number: signal.Signals) -> None:
    process = bench.cpu("slow.cu", SLOW_TO_COMPILE)
    wait_for(lambda: named(process, "cc1plus") or named(process, "clang"))
    code, said = end(process, number)
    assert code == 128 + number
    assert "Traceback" not in said
    assert not bench.left()
    bench.accepts_what_is_right()


def test_two_interrupts_are_as_good_as_one(bench: Bench) -> None:
    note = bench.folder / "arrived"
    process = bench.fake("slow.py", PRELUDE.format(note=str(note)) + STAGES["case"])
    wait_for(note.exists)
    started = family.family(process.pid)
    assert started
    for _ in range(3):
        os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=SECONDS)
    wait_for(lambda: not any(alive(pid) for pid in started))


# --- killed ------------------------------------------------------------------------------------


@pytest.mark.fault(36)
@pytest.mark.parametrize("stage", STAGES)
def test_a_killed_worker_is_told_and_replaced(bench: Bench, stage: str) -> None:
    note = bench.folder / "arrived"
    process = bench.fake("slow.py", PRELUDE.format(note=str(note)) + STAGES[stage])
    wait_for(note.exists)
    for pid in family.family(process.pid):
        os.kill(pid, signal.SIGKILL)
    said, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 1
    assert "runtime_error" in said and "SIGKILL" in said
    assert not bench.left()
    bench.accepts_what_is_right()


@pytest.mark.parametrize("stage", STAGES)
def test_a_killed_judge_takes_its_workers_along(bench: Bench, stage: str) -> None:
    note = bench.folder / "arrived"
    process = bench.fake("slow.py", PRELUDE.format(note=str(note)) + STAGES[stage])
    wait_for(note.exists)
    code, _ = end(process, signal.SIGKILL)
    assert code == -signal.SIGKILL
    bench.accepts_what_is_right()


@pytest.mark.compiler
@pytest.mark.fault(1)
def test_a_killed_compiler_is_told_and_the_next_run_is_right(bench: Bench) -> None:
    process = bench.cpu("slow.cu", SLOW_TO_COMPILE)

    def compilers() -> list[int]:
        return named(process, "cc1plus") or named(process, "clang")

    wait_for(compilers)
    while process.poll() is None:  # there may be one more, for the checks
        for pid in compilers():
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    said, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 1
    assert "compile_error" in said and "killed" in said
    assert not bench.left()
    out, err = bench.cpu("right.cu", TRANSPOSE).communicate(timeout=SECONDS)
    assert "accepted" in out, err


# --- no room -----------------------------------------------------------------------------------


def test_no_room_for_a_workers_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "right.py").write_text(RIGHT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("harness.backends.backend", lambda name, nvcc="": FakeBackend())
    arguments = ["run", "matmul", "right.py", "--backend", "cpu", *SIZE]

    def full(*given: object, **more: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/leetk-run-x")

    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "mkdtemp", full)
        assert cli.invoke(arguments) == 3
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "No space left" in said
    assert cli.invoke(arguments) == 0


@pytest.mark.compiler
def test_a_cache_that_cannot_be_used_costs_a_warning(bench: Bench) -> None:
    bench.cache.write_text("a file")
    for _ in range(2):
        out, err = bench.cpu("right.cu", TRANSPOSE).communicate(timeout=SECONDS)
        assert "accepted" in out, err
        assert "can't be used" in out + err
    assert not os.listdir(bench.temporary)


@pytest.mark.compiler
def test_a_compiler_on_a_full_disk_is_the_judges_error(bench: Bench) -> None:
    """A compiler that says so stands for a disk that is full."""
    fake = bench.folder / "bin" / "g++"
    fake.parent.mkdir()
    fake.write_text(
        '#!/bin/sh\ncase "$*" in *--version*|*-v*|*-dump*) exec /usr/bin/g++ "$@";; esac\n'
        'echo "fatal error: error writing to /tmp/x.s: No space left on device" >&2\nexit 1\n'
    )
    fake.chmod(0o755)
    before = dict(bench.environment)
    bench.environment["PATH"] = f"{fake.parent}:{before['PATH']}"
    out, err = bench.cpu("right.cu", TRANSPOSE).communicate(timeout=SECONDS)
    assert "disk is full" in out + err
    assert "compile_error" not in out
    bench.environment = before
    out, err = bench.cpu("right.cu", TRANSPOSE).communicate(timeout=SECONDS)
    assert "accepted" in out, err


# --- the cache ---------------------------------------------------------------------------------


@pytest.mark.compiler
def test_a_damaged_cache_is_mended(bench: Bench) -> None:
    out, err = bench.cpu("right.cu", TRANSPOSE).communicate(timeout=SECONDS)
    assert "accepted" in out, err
    libraries = sorted(bench.cache.glob("*/*.so"))
    assert libraries
    whole = {path: path.read_bytes() for path in libraries}
    for damage in (b"", b"\x7fELF" + b"\0" * 5000, b"x" * 100):
        for path in libraries:
            path.unlink()
            path.write_bytes(damage)
        out, err = bench.cpu("right.cu", TRANSPOSE).communicate(timeout=SECONDS)
        assert "accepted" in out, err
    # The one for the checks is built anew when it is wanted.
    assert any(path.read_bytes() == whole[path] for path in libraries)
    assert not bench.left()


@pytest.mark.compiler
@pytest.mark.fault(7)
def test_two_judges_on_one_cache(bench: Bench) -> None:
    """Both begin with nothing, build the same and something else besides."""
    others = [TRANSPOSE + f"// {number}\n" for number in range(2)]
    running = [bench.cpu("right.cu", TRANSPOSE) for _ in range(2)]
    running += [bench.cpu(f"other{number}.cu", text) for number, text in enumerate(others)]
    for process in running:
        out, err = process.communicate(timeout=SECONDS)
        assert "accepted" in out, err
    assert not bench.left()
    out, err = bench.cpu("right.cu", TRANSPOSE).communicate(timeout=SECONDS)
    assert "accepted" in out and "from the cache" in out, err


# --- reports -----------------------------------------------------------------------------------


@pytest.mark.fault(45)
def test_a_run_that_fails_leaves_no_report_half_written(bench: Bench) -> None:
    """The report of a crash replaces the older one; a run that is interrupted writes none, and
    leaves by another status."""
    report = bench.folder / "report.json"
    bench.fake("one.py", RIGHT, "--json", "report.json").communicate(timeout=SECONDS)
    assert '"verdict": "accepted"' in report.read_text()
    crash = "import os\ndef solve(*a): os._exit(0)\n"
    process = bench.fake("one.py", crash, "--json", "report.json")
    process.communicate(timeout=SECONDS)
    assert process.returncode == 1
    assert '"verdict": "runtime_error"' in report.read_text()
    note = bench.folder / "arrived"
    slow = PRELUDE.format(note=str(note)) + STAGES["case"]
    process = bench.fake("slow.py", slow, "--json", "other.json")
    wait_for(note.exists)
    end(process, signal.SIGINT)
    assert not (bench.folder / "other.json").exists()
