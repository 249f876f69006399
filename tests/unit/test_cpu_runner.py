"""The cpu backend's runner without a compiler: what it says of libraries that it can't use, and how
scalars travel. What it does with a real library is in tests/cuda_semantics."""

from __future__ import annotations

import ctypes
import mmap
import subprocess
import sys
from pathlib import Path

import pytest

from harness.backends.cpu import runner
from harness.backends.cpu.runner import CpuRunner
from harness.backends.runner import LoadError
from harness.wire import Call, RunOptions, Scalar, TimePlan


def test_a_missing_library_is_a_load_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="cannot be loaded"):
        CpuRunner().load(str(tmp_path / "none.so"), "solve")


def test_a_file_that_is_no_library_is_a_load_error(tmp_path: Path) -> None:
    path = tmp_path / "text.so"
    path.write_text("no library")
    with pytest.raises(LoadError, match=r"text\.so"):
        CpuRunner().load(str(path), "solve")


def test_a_library_without_the_function_is_a_load_error(monkeypatch: pytest.MonkeyPatch) -> None:
    process = ctypes.CDLL(None)
    monkeypatch.setattr(runner.ctypes, "CDLL", lambda name, mode: process)
    with pytest.raises(LoadError, match='no function solve_nothing with extern "C"'):
        CpuRunner().load("libc", "solve_nothing")


def test_running_before_loading_is_a_mistake_of_the_judge() -> None:
    with mmap.mmap(-1, mmap.PAGESIZE) as arena, pytest.raises(RuntimeError, match="before load"):
        CpuRunner().run(Call((), 0), arena, -1, RunOptions())


def test_no_times_are_claimed() -> None:
    with mmap.mmap(-1, mmap.PAGESIZE) as arena, pytest.raises(NotImplementedError):
        CpuRunner().time(Call((), 0), arena, -1, TimePlan())


@pytest.mark.parametrize(
    ("dtype", "value", "kind"),
    [
        ("bool", True, ctypes.c_bool),
        ("int8", -3, ctypes.c_int8),
        ("int16", -300, ctypes.c_int16),
        ("int32", -70000, ctypes.c_int32),
        ("int64", 1 << 40, ctypes.c_int64),
        ("uint8", 200, ctypes.c_uint8),
        ("float32", 0.5, ctypes.c_float),
        ("float64", 0.1, ctypes.c_double),
    ],
)
def test_a_scalar_travels_in_its_own_type(dtype: str, value: float, kind: type) -> None:
    made = runner._argument(ctypes.CDLL(None), Scalar("x", dtype, value), -1)
    assert type(made) is kind
    assert made.value == value


def test_a_half_travels_as_its_bits() -> None:
    made = runner._argument(ctypes.CDLL(None), Scalar("x", "float16", -1.5), -1)
    assert (type(made), made.value) == (ctypes.c_uint16, 0xBE00)


def test_the_runner_is_light() -> None:
    heavy = "{'numpy', 'yaml', 'pydantic', 'cupy', 'subprocess', 'asyncio'}"
    code = f"import harness.backends.cpu.runner, sys; sys.exit(str({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.strip() == "set()"
