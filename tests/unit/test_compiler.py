"""Compilers are bounded: time, output, files, and nothing that they started lives on.

The "compilers" here are shells and Python.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from processes import alive, wait_for

from harness.build import compiler, environment
from harness.build.compiler import CompilerRun, Limits, run_compiler, run_compilers
from harness.errors import CompileFailed, JudgeError, ToolchainMissing


def shell(script: str, cwd: Path, **options: object) -> CompilerRun:
    arguments: dict[str, object] = {"seconds": 20.0, "cwd": cwd, **options}
    return run_compiler(["sh", "-c", script], **arguments)  # type: ignore[arg-type]


def test_output_and_status(tmp_path: Path) -> None:
    run = shell("echo out; echo err >&2; exit 3", tmp_path)
    assert (run.code, run.output, run.timed_out, run.truncated) == (3, "out\nerr\n", False, False)
    assert run.command == ("sh", "-c", "echo out; echo err >&2; exit 3")


def test_a_signal_is_a_negative_status(tmp_path: Path) -> None:
    assert shell("kill -SEGV $$", tmp_path).code == -signal.SIGSEGV


def test_arguments_pass_no_shell(tmp_path: Path) -> None:
    odd = ["a b", "$HOME", "`x`", "ü", "'", '"', "*", ""]
    script = "import sys; print(sys.argv[1:])"
    run = run_compiler([sys.executable, "-c", script, *odd], seconds=20, cwd=tmp_path)
    assert run.output.strip() == str(odd)


def test_messages_are_english_and_files_stay_in_the_folder(tmp_path: Path) -> None:
    run = shell("echo $LC_ALL $TMPDIR; pwd", tmp_path)
    assert run.output.split() == ["C.UTF-8", str(tmp_path), str(tmp_path)]


def test_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    assert shell(r"printf 'a\377b'", tmp_path).output == "a\ufffdb"


@pytest.mark.fault(3)
def test_a_flood_of_output_is_cut_and_drained(tmp_path: Path) -> None:
    run = shell("head -c 3000000 /dev/zero | tr '\\0' x; exit 5", tmp_path, max_output=1000)
    assert (run.output, run.truncated, run.code) == ("x" * 1000, True, 5)


@pytest.mark.fault(4)
def test_a_large_file_is_stopped(tmp_path: Path) -> None:
    run = shell("head -c 4000000 /dev/zero > big", tmp_path, max_file_bytes=1 << 20)
    assert run.code != 0
    assert (tmp_path / "big").stat().st_size <= 1 << 20


@pytest.mark.fault(1)
@pytest.mark.skipif(sys.platform == "darwin", reason="no limit on address space there")
def test_a_memory_bomb_is_stopped(tmp_path: Path) -> None:
    limits = Limits(seconds=20, memory_bytes=256 << 20)
    bomb = [sys.executable, "-c", "x = bytearray(1 << 30); print('got', 'it')"]
    (run,) = run_compilers([bomb], limits=limits, cwd=tmp_path)
    assert run.code != 0
    assert "got it" not in run.output


def test_a_missing_compiler(tmp_path: Path) -> None:
    with pytest.raises(ToolchainMissing, match="no such compiler"):
        run_compiler(["no-such-compiler"], seconds=5, cwd=tmp_path)


def test_a_compiler_that_cannot_be_run(tmp_path: Path) -> None:
    script = tmp_path / "broken"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    with pytest.raises(ToolchainMissing, match="cannot be run"):
        run_compiler([str(script)], seconds=5, cwd=tmp_path)


@pytest.mark.fault(1)
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_the_whole_tree_ends_with_the_time(tmp_path: Path) -> None:
    script = (
        "sleep 100 & echo $!; setsid sleep 100 & echo $!; "
        "sh -c 'trap \"\" TERM; sleep 100; sleep 100' & echo $!; echo ready; wait"
    )
    run = shell(script, tmp_path, seconds=0.7)
    assert run.timed_out
    *pids, ready = run.output.split()
    assert ready == "ready"
    assert len(pids) == 3
    wait_for(lambda: not any(alive(int(pid)) for pid in pids))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_child_that_is_left_behind_neither_delays_nor_stays(tmp_path: Path) -> None:
    run = shell("sleep 100 & echo $!; exit 0", tmp_path)
    assert (run.code, run.timed_out) == (0, False)
    wait_for(lambda: not alive(int(run.output)))


def test_side_by_side_in_order(tmp_path: Path) -> None:
    # Each waits for the other's file, so they only end if both run at once.
    wait = "touch {0}; while [ ! -e {1} ]; do sleep 0.01; done; echo {0}"
    commands = [["sh", "-c", wait.format("a", "b")], ["sh", "-c", wait.format("b", "a")]]
    runs = run_compilers(commands, limits=Limits(seconds=20), cwd=tmp_path, parallel=2)
    assert [run.output for run in runs] == ["a\n", "b\n"]


def test_one_at_a_time(tmp_path: Path) -> None:
    script = "[ -e busy ] && echo overlap; touch busy; sleep 0.05; rm busy"
    runs = run_compilers(
        [["sh", "-c", script]] * 3, limits=Limits(seconds=20), cwd=tmp_path, parallel=1
    )
    assert [run.output for run in runs] == ["", "", ""]


def test_what_was_not_started_in_time_counts_as_timed_out(tmp_path: Path) -> None:
    commands = [["sleep", "100"], ["touch", "started"]]
    runs = run_compilers(commands, limits=Limits(seconds=0.3), cwd=tmp_path, parallel=1)
    assert [run.timed_out for run in runs] == [True, True]
    assert not (tmp_path / "started").exists()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_an_interrupt_ends_the_tree_and_goes_on(tmp_path: Path) -> None:
    """In a process of its own, which gets the Ctrl-C while a compiler runs."""
    script = (
        "import sys; from pathlib import Path; from harness.build.compiler import run_compiler\n"
        "try: run_compiler(['sh', '-c', 'echo $$ > pid; sleep 100 & sleep 100'], seconds=60, "
        "cwd=Path(sys.argv[1]))\n"
        "except KeyboardInterrupt: print('interrupted')"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    pid_file = tmp_path / "pid"
    while not (pid_file.exists() and pid_file.read_text().strip()):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=20)
    assert output.strip() == "interrupted"
    wait_for(lambda: not alive(int(pid_file.read_text())))


def test_from_another_thread(tmp_path: Path) -> None:
    runs: list[CompilerRun] = []
    thread = threading.Thread(target=lambda: runs.append(shell("echo hello", tmp_path)))
    thread.start()
    thread.join()
    assert runs[0].output == "hello\n"


def test_influences_name_what_changes_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPATH", "/some/where")
    assert "CPATH=/some/where" in environment.influences()
    monkeypatch.delenv("CPATH")
    assert not any(part.startswith("CPATH=") for part in environment.influences())


# --- whose fault a failure is ------------------------------------------------------------------


def failed(output: str, code: int = 1, timed_out: bool = False) -> CompilerRun:
    return CompilerRun(("g++",), code, output, 1.0, timed_out)


@pytest.mark.fault(8)
@pytest.mark.parametrize(
    ("run", "message"),
    [
        (failed("", timed_out=True), "more than 120 s"),
        (
            failed("g++: fatal error: File size limit exceeded signal terminated program as"),
            "256 MiB",
        ),
        (failed("cc1plus: out of memory allocating 65536 bytes"), "ran out of memory"),
        (failed("g++: fatal error: Killed signal terminated program cc1plus"), "was killed"),
        (failed("", code=-9), "was killed"),
    ],
)
def test_limits_are_a_compile_error(run: CompilerRun, message: str, tmp_path: Path) -> None:
    with pytest.raises(CompileFailed) as caught:
        compiler.check_machine(run, Limits(), tmp_path)
    assert message in str(caught.value)


def test_a_full_disk_never_is(tmp_path: Path) -> None:
    run = failed("/x/cc.s: fatal error: can't write 12 bytes: No space left on device")
    with pytest.raises(JudgeError, match="disk is full"):
        compiler.check_machine(run, Limits(), tmp_path)


@pytest.mark.parametrize("run", [failed("", code=0), failed("a.cu:1:1: error: x")])
def test_other_results_are_not_the_machines(run: CompilerRun, tmp_path: Path) -> None:
    compiler.check_machine(run, Limits(), tmp_path)


def test_a_program_of_our_own_process_group_is_left_alone(tmp_path: Path) -> None:
    bystander = subprocess.Popen(["sleep", "100"])
    try:
        shell("sleep 100", tmp_path, seconds=0.2)
        assert bystander.poll() is None
        assert os.getpgid(bystander.pid) == os.getpgrp()
    finally:
        bystander.kill()
        bystander.wait()
