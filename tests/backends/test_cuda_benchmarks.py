"""The benchmarks for a GPU, as far as they go without one: what they read and add up."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from harness import timeline

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def benchmark(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", list(sys.path))  # which it extends
    spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


# --- marks ---


def test_marks_of_two_processes_share_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "marks"
    monkeypatch.setattr(timeline, "_file", str(file))
    timeline.mark("one, with words")
    code = f"from harness.timeline import follow, mark; follow({str(file)!r}); mark('two')"
    subprocess.run([sys.executable, "-c", code], check=True)
    timeline.mark("three")
    found = [line.split(" ", 2) for line in file.read_text().splitlines()]
    assert [words[2] for words in found] == ["one, with words", "two", "three"]
    assert [int(words[1]) == os.getpid() for words in found] == [True, False, True]
    moments = [int(words[0]) for words in found]
    assert moments == sorted(moments)


def test_nothing_is_written_when_nobody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeline, "_file", "")
    monkeypatch.chdir(tmp_path)
    timeline.mark("one")
    assert timeline.followed() == ""
    assert list(tmp_path.iterdir()) == []
    timeline.follow(str(tmp_path / "no" / "such" / "folder"))
    timeline.mark("two")


def test_a_timeline_is_read_in_order_with_repeated_marks_made_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = benchmark("gpu_timeline", monkeypatch)
    text = (
        "1500000000 7 probe\n3000000000 8 case has run\n2000000000 8 library is loaded\n"
        "3500000000 8 case has run\n4000000000 7 perf data\n4100000000 8 case has run\n"
    )
    marks = module.read_marks(text, 1_000_000_000, judge=7)
    assert [(m.at, m.who, m.what, m.count, m.last) for m in marks] == [
        (0.5, "judge", "probe", 1, 0.5),
        (1.0, "worker", "library is loaded", 1, 1.0),
        (2.0, "worker", "case has run", 2, 2.5),
        (3.0, "judge", "perf data", 1, 3.0),
        (3.1, "worker", "case has run", 1, 3.1),
    ]
    lines = module.table(marks, 4.0).splitlines()
    assert (
        lines[3].split() == "2.000s +1.000s worker case has run (2 times, last at 2.500 s)".split()
    )
    assert lines[4].split()[:2] == ["3.000s", "+0.500s"]
    assert lines[-1].split() == ["4.000s", "+0.900s", "judge", "process", "has", "ended"]


# --- ncu ---

NCU = """==PROF== Connected to process 17 (/usr/bin/python3)
==PROF== Profiling "matmul" - 0: 0%....50%....100% - 1 pass
==PROF== Disconnected from process 17
"ID","Process ID","Kernel Name","Device","Section Name","Metric Name","Metric Unit","Metric Value"
"0","17","matmul(const float *, int)","0","Command line","gpu__time_duration.sum","ns","1,500,000"
"1","17","reduce","0","Command line","gpu__time_duration.sum","us","250.5"
"1","17","reduce","0","Command line","other.sum","us","9"
"2","17","matmul(const float *, int)","0","Command line","gpu__time_duration.sum","msecond","1.25"
"3","17","reduce","0","Command line","gpu__time_duration.sum","ns","250000"
"""


def test_kernels_are_read_from_ncus_csv_and_added_up_by_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = benchmark("ncu_check", monkeypatch)
    kernels = module.durations(NCU)
    assert kernels == pytest.approx([1.5, 0.2505, 1.25, 0.25])
    assert module.calls_of(kernels, 2) == pytest.approx([1.7505, 1.5])
    assert module.calls_of(kernels, 4) == kernels
    for calls in (3, 5):
        with pytest.raises(ValueError, match="ncu saw 4 kernels"):
            module.calls_of(kernels, calls)
    with pytest.raises(ValueError, match="ncu saw 0 kernels"):
        module.calls_of(module.durations("==ERROR== no kernels were profiled\n"), 3)
