"""What is read out of Nsight Compute, on recorded output (``ncu_dump.json``: version 2025.3.1 on an
H200, kernels for a matrix of 100 x 60; instructions without accesses are left out)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.backends.cuda import ncu, profiler
from harness.backends.cuda.tools import Files, find_tool
from harness.errors import JudgeError, ToolchainMissing
from harness.model import Artifact, BuildOptions, Source
from harness.wire import RunReply, TraceReply

DUMP: list[Mapping[str, Any]] = json.loads(Path(__file__).with_name("ncu_dump.json").read_text())
FOLDER = "/home/user/kernels"


def launches(file: str) -> tuple[ncu.Launch, ...]:
    files = Files(Source(Path(FOLDER, file), ""))
    found = ncu.launches(DUMP, files.own)
    return tuple(
        launch for launch in found if f"{FOLDER}/{file}" in {a.file for a in launch.accesses}
    )


def accesses(file: str) -> list[ncu.Access]:
    return [access for launch in launches(file) for access in launch.accesses]


def test_a_tile_with_bank_conflicts() -> None:
    (launch,) = launches("transpose_v3.cu")
    assert (launch.name, launch.grid, launch.block) == ("transpose_tile", (4, 7, 1), (16, 16, 1))
    found = [
        (a.line, a.space, a.access, a.size, a.requests, a.lanes, a.sectors, a.wavefronts, a.ideal)
        for a in launch.accesses
    ]
    assert found == [
        # 24 of the 224 warps have no lane inside the matrix.
        (22, "global", "load", 4, 200, 6000, 950, 0, 750),
        (22, "shared", "store", 4, 200, 6000, 0, 200, 200),
        (30, "shared", "load", 4, 210, 6000, 0, 1500, 210),
        (30, "global", "store", 4, 210, 6000, 960, 0, 750),
    ]
    assert not any(access.estimated for access in launch.accesses)


def test_resources() -> None:
    (launch,) = launches("transpose_v3.cu")
    assert (launch.static_shared, launch.dynamic_shared) == (1024, 0)
    assert (launch.occupancy, launch.bound, launch.arch) == (1.0, "threads", "sm_90")


def test_width_of_vectors() -> None:
    assert {(a.access, a.size, a.requests, a.sectors) for a in accesses("vector4.cu")} == {
        ("load", 16, 47, 750),
        ("store", 16, 47, 750),
    }


def test_atomics() -> None:
    found = {(a.line, a.space) for a in accesses("atomics.cu") if a.access == "atomic"}
    # Those that return nothing (REDG), those of shared memory, and a CAS from CUDA's own header,
    # which counts for the author's instruction before it.
    assert found == {(8, "shared"), (9, "shared"), (10, "global"), (12, "global"), (15, "global")}


def test_requests_of_several_predicated_loads_have_the_right_sum() -> None:
    loads = [a for a in accesses("predicated.cu") if a.access == "load"]
    (launch,) = launches("predicated.cu")
    assert [load.line for load in loads] == [4, 5]
    assert sum(load.requests for load in loads) == 24 + 188
    (store,) = (a for a in launch.accesses if a.access == "store")
    assert store.requests == 188


def test_launches_add_up() -> None:
    files = Files(Source(Path(FOLDER, "two_kernels.cu"), ""))
    log = (
        "ptxas info    : Compiling entry function '_Z5firstIfEvPKT_PS0_i' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z5firstIfEvPKT_PS0_i\n"
        "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
        "ptxas info    : Used 16 registers, used 0 barriers, 8 bytes cumulative stack size\n"
    )
    found = profiler.counted(launches("two_kernels.cu"), files, profiler.spills(log))
    first, second = found.kernels
    assert (first.name, first.launches, first.blocks, first.block) == ("first", 2, 71, (256, 1, 1))
    assert (second.name, second.launches, second.blocks) == ("second", 1, 24)
    assert sum(c.requests for c in found.counters if c.kernel == "first") == 4 * 188
    assert {place[:2] for place in found.places.values()} == {
        (f"{FOLDER}/two_kernels.cu", 1),
        (f"{FOLDER}/two_kernels.cu", 4),
        (f"{FOLDER}/two_kernels.cu", 10),
    }
    resources = found.resources["first"]
    assert (resources.spill_stores, resources.spill_loads, resources.registers) == (4, 12, 16)


METRICS = {name: 0.0 for names in ncu.TOTALS.values() for name in names}


def access(line: int, lanes: int, executed: int, ideal: int, tags: int) -> list[Any]:
    values = {
        ncu.EXECUTED: executed,
        ncu.THREADS: 32 * executed,
        ncu.ACTIVE: lanes,
        ncu.SIZE: 32,
        ncu.TAGS: tags,
        ncu.SECTORS: ideal,
        f"{ncu.SECTORS}_ideal": ideal,
    }
    return [16 * line, "@P0   LDG.E R2, desc[UR6][R2.64]", "a.cu", line, values]


@pytest.mark.parametrize(
    ("total", "expected", "estimated"),
    [
        # One tag a request bounds the first, and the second has what is left.
        (40, (10, 30), False),
        # Both are open between their bounds.
        (60, (13, 47), True),
    ],
)
def test_requests(total: int, expected: tuple[int, int], estimated: bool) -> None:
    first = access(1, 320, 100, 40, 10) if not estimated else access(1, 320, 100, 20, 100)
    second = access(2, 320, 100, 100, 100)
    kernel = {**DUMP[0], "instructions": [first, second]}
    metrics = {**kernel["metrics"], **METRICS, "smsp__sass_inst_executed_op_global_ld.sum": total}
    (launch,) = ncu.launches([{**kernel, "metrics": metrics}])
    assert tuple(a.requests for a in launch.accesses) == expected
    assert any(a.estimated for a in launch.accesses) is estimated


def test_what_ncu_complains_of() -> None:
    fine = (
        "==PROF== Connected to process 1\n==ERROR== The application returned an error code (9).\n"
    )
    assert ncu.complaint(fine) == ""
    denied = (
        "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
        "Performance Counters on the target device 0.\n"
    )
    assert ncu.complaint(denied) == ncu.PERMISSION
    busy = "==ERROR== An error was reported by the driver:\n\n==ERROR== Profiling failed because\n"
    assert (
        ncu.complaint(busy) == "ncu: An error was reported by the driver: Profiling failed because"
    )
    told = ncu.complaint('==ERROR== Failed to profile "k(float *)" in process 13\n')
    assert told.startswith("ncu: Failed to profile") and "leetk run says more" in told
    assert ncu.complaint("==ERROR== LaunchFailed\n").startswith("a kernel failed while")
    unknown = "==ERROR== Failed to find metric regex:^no_such\\.(sum|min)$\n"
    assert ncu.complaint(unknown).startswith("ncu: Failed to find metric")


def test_a_report_that_is_not_there(tmp_path: Path) -> None:
    """No kernel was launched: ncu writes none."""
    watcher = profiler.NcuProfiler(BuildOptions(), Path("ncu"), tmp_path)
    artifact = Artifact(tmp_path / "solution.so", (), 0.0, False)
    source = Source(tmp_path / "a.cu", "")
    reply = TraceReply(RunReply(0.0), (), ())
    assert watcher.counted(artifact, source, tmp_path, reply).kernels == ()
    watcher.examine(tmp_path, "")
    with pytest.raises(ToolchainMissing, match="NVreg_RestrictProfilingToAdminUsers=0"):
        watcher.examine(tmp_path, "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission")
    with pytest.raises(JudgeError, match="unrecognised option"):
        watcher.examine(tmp_path, "==ERROR== unrecognised option '--export'.")


def test_a_report_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "ncu_report.py").write_text("raise ImportError('for another Python')")
    with pytest.raises(JudgeError, match="cannot be read: ImportError: for another Python"):
        profiler.read_report(tmp_path / "r.ncu-rep", tmp_path)


FAKE_MODULE = """
class Ids:
    def as_uint64(self, at): return (0x1000, 0x1010)[at]
class Metric:
    def __init__(self, values): self.values = values
    def has_correlation_ids(self): return True
    def correlation_ids(self): return Ids()
    def num_instances(self): return len(self.values)
    def as_double(self, at=0): return self.values[at]
class Place:
    def file_name(self): return "/a.cu"
    def line(self): return 3
class Action:
    NameBase_MANGLED = 2
    def name(self, base=0): return "_Z1kv" if base else "k"
    def metric_by_name(self, name):
        if name == "absent": return None
        return Metric([5.0] if name.startswith("memory_") else [7.0, 8.0])
    def source_info(self, pc): return Place() if pc == 0x1000 else None
    def sass_by_pc(self, pc): return "      LDG.E R1, [R2]"
def load_report(path):
    return [[Action()]]
"""


def test_the_dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ncu_report.py").write_text(FAKE_MODULE)
    monkeypatch.setattr(ncu, "BY_INSTRUCTION", ("inst_executed", "memory_x"))
    (launch,) = profiler.read_report(tmp_path / "r.ncu-rep", tmp_path, ("launch", "absent"))
    assert launch == {
        "name": "k",
        "mangled": "_Z1kv",
        "metrics": {"launch": 7.0, "absent": 0.0},
        "instructions": [
            [0x1000, "LDG.E R1, [R2]", "/a.cu", 3, {"inst_executed": 7.0, "memory_x": 5.0}],
            [0x1010, "LDG.E R1, [R2]", "", 0, {}],
        ],
    }


# --- where the tools are ---


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(0o755)
    return path


def test_tools_are_looked_for_in_order(tmp_path: Path) -> None:
    with pytest.raises(ToolchainMissing, match="no ncu found: install Nsight Compute"):
        find_tool("ncu", {}, tmp_path)
    old = program(tmp_path / "opt/nvidia/nsight-compute/2024.3.2/ncu")
    assert find_tool("ncu", {}, tmp_path) == old
    new = program(tmp_path / "opt/nvidia/nsight-compute/2025.10.1/ncu")
    program(tmp_path / "opt/nvidia/nsight-compute/2025.3.1/ncu")
    assert find_tool("ncu", {}, tmp_path) == new
    toolkit = program(tmp_path / "usr/local/cuda-13.0/bin/ncu")
    program(tmp_path / "usr/local/cuda-12.8/bin/ncu")
    assert find_tool("ncu", {}, tmp_path) == toolkit
    home = program(tmp_path / "home/bin/ncu")
    named = {"CUDA_HOME": str(tmp_path / "home"), "PATH": str(tmp_path / "empty")}
    assert find_tool("ncu", named, tmp_path) == home
    on_path = program(tmp_path / "path/ncu")
    assert find_tool("ncu", {**named, "PATH": str(tmp_path / "path")}, tmp_path) == on_path


def test_the_module_belongs_to_the_program(tmp_path: Path) -> None:
    opt = tmp_path / "opt"
    beside = program(tmp_path / "nsight/ncu")
    with pytest.raises(ToolchainMissing, match="no Python module ncu_report"):
        profiler.find_module(beside, opt)
    other = program(opt / "2025.3.1/extras/python/ncu_report.py").parent
    assert profiler.find_module(beside, opt) == other
    script = program(tmp_path / "toolkit/bin/ncu")
    assert profiler.find_module(script, opt) == other
    mine = program(tmp_path / "nsight/extras/python/ncu_report.py").parent
    assert profiler.find_module(beside, opt) == mine


def test_files_have_the_names_that_the_user_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = Files(Source(Path("ours/a.cu"), ""))
    assert files.shown(str(tmp_path / "ours/a.cu")) == "ours/a.cu"
    assert files.shown(str(tmp_path / "ours/sub/b.cuh")) == "ours/sub/b.cuh"
    assert files.shown("/cache/.x1/solution.cu") == "ours/a.cu"
    header = "/usr/local/cuda/include/sm_32_intrinsics.hpp"
    assert files.shown(header) == header
    assert [files.own(file) for file in ("/cache/.x1/solution.cu", header)] == [True, False]
