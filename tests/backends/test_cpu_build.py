"""The cpu backend's build, with the host's real compiler: libraries, the cache, and bad sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.backends import cpu
from harness.backends.cpu import locate, prebuilt, runtime_units
from harness.backends.cpu.backend import CpuBackend
from harness.catalog import find_problem
from harness.errors import CompileFailed, JudgeError, Refused, ToolchainMissing
from harness.model import Artifact, BuildOptions, Problem
from harness.source import read_source
from harness.wire import RuntimeReport

pytestmark = pytest.mark.compiler

SIGNATURE = "void solve(const float* input, float* output, int rows, int cols)"
KERNEL = """__global__ void turn(const float* input, float* output, int rows, int cols) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows) output[x * rows + y] = input[y * cols + x];
}
"""
SOLVE = f"""extern "C" {SIGNATURE} {{
    dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    turn<<<grid, block>>>(input, output, rows, cols);
}}
"""
GOOD = KERNEL + SOLVE

Build = Callable[..., Artifact]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all, so that the runtime is compiled once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def problem() -> Problem:
    return find_problem("transpose")


@pytest.fixture
def build(problem: Problem, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Builds a text as a file, by default ``a.cu`` in the current folder."""
    monkeypatch.setenv("LEETK_CACHE_DIR", str(cache))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.chdir(tmp_path)

    def make(text: str | bytes, name: str = "a.cu", **options: object) -> Artifact:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        chosen = replace(BuildOptions(), **options)  # type: ignore[arg-type]
        return CpuBackend().build(problem, read_source(path), chosen)

    return make


def failure(build: Build, text: str, **options: object) -> CompileFailed:
    with pytest.raises(CompileFailed) as caught:
        build(text, **options)
    assert "\n" not in str(caught.value)
    return caught.value


def has_solve(library: Path) -> bool:
    """Whether the library can be loaded and has ``solve``, asked in a process of its own."""
    script = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).solve"
    done = subprocess.run([sys.executable, "-c", script, str(library)], capture_output=True)
    return done.returncode == 0


# --- what works --------------------------------------------------------------------------------


def test_a_library_and_the_same_again_from_the_cache(build: Build) -> None:
    made = build(GOOD)
    assert has_solve(made.library)
    assert made.diagnostics == ()
    assert "-O2" in made.command
    again = build(GOOD)
    assert again.cached
    assert (again.library, again.command) == (made.library, made.command)


def test_without_the_cache_nothing_is_kept(build: Build, cache: Path) -> None:
    before = set(os.listdir(cache))
    made = build(GOOD + "// not kept\n", use_cache=False)
    assert not made.cached
    assert cache not in made.library.parents
    assert set(os.listdir(cache)) == before


def test_nothing_of_the_building_stays(build: Build, cache: Path) -> None:
    build(GOOD + "// once more\n")
    failure(build, GOOD + "oops")
    assert not [name for name in os.listdir(cache) if name.startswith(".work-")]


@pytest.mark.parametrize(
    "text",
    [
        KERNEL + SIGNATURE + "{ turn<<<1, 1>>>(input, output, rows, cols); }",
        KERNEL + "void solve(float* a, float* b, int m, int n) { turn<<<1, 1>>>(a, b, m, n); }",
        '#include "solve.h"\n' + GOOD,
        '#include "solve.h"\nvoid solve(float* input, float* output, int rows, int cols) {}',
        f'extern "C" {{\n{SIGNATURE} {{ }}\n}}',
        '#define NAME(a, b) a##b\nextern "C" void NAME(so, lve)(float*, float*, int, int) { }',
        GOOD + "int main() { return 0; }",
        b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(),
        GOOD.replace("\n", "\r").encode(),
        b"// \xd6\xd0\xce\xc4\n" + GOOD.encode(),
        "#pragma unroll\n#pragma once_more\n" + GOOD,
    ],
)
def test_accepted_forms(build: Build, text: str | bytes) -> None:
    made = build(text)
    assert has_solve(made.library)
    assert made.diagnostics == ()


@pytest.mark.parametrize("name", ["a b/ü 'x' $HOME.cu", "-o.cu", 'a"b\\c.cu'])
def test_awkward_paths(build: Build, name: str, tmp_path: Path) -> None:
    path = str(tmp_path / name)
    made = build(GOOD + "void warned() { int unused = 1; }", path)
    assert has_solve(made.library)
    (warning,) = made.diagnostics
    assert (warning.file, warning.line) == (path, 9)


def test_headers_beside_the_source_are_rewritten_too(build: Build, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "turn.cuh").write_text(
        '#pragma once\n#include "../kernel.cuh"\ninline void run(const float* i, float* o, int r, '
        "int c) {\n    int unused = 1;\n    turn<<<1, 1>>>(i, o, r, c);\n}\n"
    )
    (tmp_path / "kernel.cuh").write_text(KERNEL + "extern __shared__ float dynamic[];\n")
    text = f'#include "lib/turn.cuh"\nextern "C" {SIGNATURE} {{ run(input, output, rows, cols); }}'
    made = build(text, "sub folder/../a.cu")
    assert has_solve(made.library)
    (warning,) = made.diagnostics
    assert (warning.file, warning.line) == ("lib/turn.cuh", 4)
    assert warning.source_line == "    int unused = 1;"
    (tmp_path / "kernel.cuh").write_text(KERNEL)
    assert not build(text, "sub folder/../a.cu").cached


def test_a_warning_is_kept_with_the_library(build: Build) -> None:
    text = GOOD.replace("dim3 block", "int col_b = 3; dim3 block")
    for cached in (False, True):
        made = build(text)
        assert made.cached is cached
        (warning,) = made.diagnostics
        assert (warning.severity, warning.file, warning.line, warning.column) == (
            ("warning", "a.cu", 6, 9)
        )
        assert "unused variable 'col_b'" in warning.message
        assert "int col_b = 3" in warning.source_line


def test_a_doubtful_parameter_is_a_warning(build: Build) -> None:
    text = 'extern "C" void solve(const float* a, float* b, size_t rows, int cols) { }'
    (warning,) = build(text).diagnostics
    assert warning.severity == "warning"
    assert "rows is passed as int" in warning.message


def test_what_nvcc_is_silent_about_gives_no_warning(build: Build) -> None:
    text = (
        "#pragma unroll 4\n__global__ void k(float* p, int unused) {\n"
        "    for (unsigned i = 0; i < 4; i++) if (int(i) < unused || unused && i) p[i] = 0;\n"
        "    dim3 d = {(unused + 15) / 16, 1}; p[d.x] = 1;\n}\n"
    )
    assert build(text + GOOD).diagnostics == ()


def test_locate_finds_the_authors_line(build: Build, problem: Problem) -> None:
    made = build(GOOD.replace("dim3 block", "output[0] = 1;\n    dim3 block"), "sol/loc.cu")
    script = (
        "import ctypes, sys; lib = ctypes.CDLL(sys.argv[1])\n"
        "at = ctypes.cast(lib.solve, ctypes.c_void_p).value\n"
        "print(at - min(int(l.split('-')[0], 16) for l in open('/proc/self/maps')"
        " if sys.argv[1] in l))"
    )
    if not Path("/proc/self/maps").exists():
        pytest.skip("needs /proc")
    done = subprocess.run(
        [sys.executable, "-c", script, str(made.library)], capture_output=True, check=True
    )
    pc = int(done.stdout)
    backend = CpuBackend()
    file, line = backend.locate(made, RuntimeReport("illegal_access", "", pc=pc))
    assert file == "sol/loc.cu"
    assert 5 <= line <= 8
    assert backend.locate(made, RuntimeReport("illegal_access", "", pc=1)) == ("", 0)


def test_locate_without_binutils(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    made = build(GOOD)
    pc = _some_line_of(made.library)
    with_tool = locate.locate(made.library, pc, str(runtime_units.RUNTIME))
    monkeypatch.setattr(locate.shutil, "which", lambda name: None)
    assert locate.locate(made.library, pc, str(runtime_units.RUNTIME)) == with_tool
    assert with_tool[0] == "a.cu"


def _some_line_of(library: Path) -> int:
    from elftools.elf.elffile import ELFFile

    with library.open("rb") as stream:
        symbols = ELFFile(stream).get_section_by_name(".symtab")
        return int(symbols.get_symbol_by_name("solve")[0]["st_value"])


# --- what does not -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (GOOD + "oops\n", "a.cu:9:", 9),
        (GOOD.replace("rows, cols);", "rows);"), "too few arguments", 7),
        (GOOD.replace("grid, block>>>", "grid>>>"), "a launch has at least <<<grid, block>>>", 7),
        (GOOD.replace("(input, output,", "(input, input,"), "'const float*' to 'float*'", 7),
        (GOOD + "void f() { cudaMaloc(0, 3); }", "did you mean 'cudaMalloc'", 9),
        ("void f(int);\n" + GOOD + "void g() { f(1); }", "undefined reference to `f(int)'", 10),
        ('\n#include "mine.cuh"\n' + GOOD, "a.cu:2: includes mine.cuh, which does not exist", 2),
        (GOOD + "#error it's wrong", "it's wrong", 9),
    ],
)
def test_a_compile_error_with_its_place(build: Build, text: str, message: str, line: int) -> None:
    failed = failure(build, text)
    assert message in str(failed)
    assert any(d.line == line and d.file == "a.cu" for d in failed.diagnostics)
    assert not any("leetk" in d.message.lower() for d in failed.diagnostics)
    assert all(d.file in ("a.cu", "") for d in failed.diagnostics)
    assert failed.command


@pytest.mark.parametrize(
    "text",
    [
        KERNEL,
        f"static {SIGNATURE} {{ }}",
        f'#ifdef NEVER\nextern "C" {SIGNATURE} {{ }}\n#endif',
        f"#define CLASS struct S\nCLASS {{ {SIGNATURE} {{ }} }};",
        "void solve(const double* a, float* b, int m, int n) { }",
    ],
)
def test_no_solve_to_call_says_what_to_write(build: Build, text: str) -> None:
    assert f'write: extern "C" {SIGNATURE}' in str(failure(build, text))


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("#include <mma.h>\n" + GOOD, "<mma.h>"),
        ("#if __has_include(<vector>)\n#include <mma.h>\n#endif\n" + GOOD, "<mma.h>"),
        ("#ifndef OFF\n__global__ void g() { cudaGraph_t g; }\n#endif\n" + GOOD, "cudaGraph_t"),
        (GOOD + '__device__ void f() { asm("exit;"); }', "inline PTX assembly"),
        ('#ifndef OFF\nvoid f() { asm("mov.u32 %0;"); }\n#endif\n' + GOOD, "inline PTX assembly"),
        (GOOD + "__global__ void f() { turn<<<1, 1>>>(0, 0, 1, 1); }", "dynamic parallelism"),
    ],
)
def test_a_missing_feature_is_refused(build: Build, text: str, feature: str) -> None:
    with pytest.raises(Refused) as caught:
        build(text)
    assert feature in caught.value.feature
    assert caught.value.file == "a.cu"


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("__global__ int k() { return 1; }\n", "must return void", 1),
        ("int h();\n__global__ void k(int* p) { *p = h(); }\n", "the __host__ function 'h'", 2),
        ("__global__ void k(int n) {\n  int a[n]; a[0] = 1;\n}\n", "must be a constant", 2),
    ],
)
def test_what_nvcc_rejects_is_rejected(build: Build, text: str, message: str, line: int) -> None:
    failed = failure(build, text + GOOD)
    assert message in str(failed)
    (error,) = (d for d in failed.diagnostics if d.severity == "error")
    assert (error.file, error.line) == ("a.cu", line)
    assert error.source_line == text.split("\n")[line - 1]


def test_what_only_nvcc_warns_of_but_a_device_sees_otherwise_is_refused(build: Build) -> None:
    with pytest.raises(
        Refused, match=r"a\.cu:2: the device variable count in host code is another"
    ):
        build("__device__ int count;\nvoid f() { count = 0; }\n" + GOOD)


def test_an_array_of_variable_size_is_fine_on_the_host(build: Build) -> None:
    text = "int f(int n) { int a[n]; a[0] = n; return a[0]; }\n" + GOOD
    assert build(text).diagnostics == ()


def test_a_template_bomb_ends_with_the_time(build: Build) -> None:
    build(GOOD)
    bomb = (
        "template <int N, int M> struct T { enum : unsigned { v = "
        "T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v }; };\n"
        "template <int M> struct T<0, M> { enum : unsigned { v = M }; };\n"
        "unsigned bomb = T<26, 1>::v;\n"
    )
    failed = failure(build, bomb + GOOD, seconds=2.0)
    assert "more than 2 s" in str(failed) or "memory" in str(failed)
    assert build(GOOD).cached


def test_a_huge_array_is_a_compile_error(build: Build) -> None:
    text = GOOD + "int table[100 * 1024 * 1024] = {1};\n"
    assert "256 MiB" in str(failure(build, text))


def test_a_flood_of_errors_is_cut(build: Build) -> None:
    text = GOOD + "\n".join(f"int a{n} = undeclared{n};" for n in range(2000))
    assert 0 < len(failure(build, text).diagnostics) <= 50


def test_including_an_endless_file_ends(build: Build) -> None:
    assert failure(build, '#include "/dev/zero"\n' + GOOD, seconds=3.0)


def test_two_builds_at_once(problem: Problem, tmp_path: Path) -> None:
    """Both of the same source, from a cold cache."""
    source = tmp_path / "a.cu"
    source.write_text(GOOD)
    script = (
        "import sys; from pathlib import Path\n"
        "from harness.backends.cpu.backend import CpuBackend\n"
        "from harness.catalog import find_problem; from harness.model import BuildOptions\n"
        "from harness.source import read_source\n"
        "made = CpuBackend().build(find_problem('transpose'), read_source(sys.argv[1]), "
        "BuildOptions()); print(made.library)"
    )
    environment = {**os.environ, "LEETK_CACHE_DIR": str(tmp_path / "cache")}
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(source)],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for _ in range(2)
    ]
    outputs = [run.communicate(timeout=300)[0].strip() for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert outputs[0] == outputs[1]
    assert has_solve(Path(outputs[0]))


def test_from_another_thread(build: Build) -> None:
    made: list[Artifact] = []
    thread = threading.Thread(target=lambda: made.append(build(GOOD)))
    thread.start()
    thread.join()
    assert has_solve(made[0].library)


# --- the toolchain -----------------------------------------------------------------------------


def test_the_probe_and_the_environment(build: Build) -> None:
    probe = CpuBackend().probe()
    assert probe.usable
    assert probe.missing == ()
    facts = CpuBackend().environment()
    assert facts["processors"] == str(os.cpu_count())
    assert facts["compiler"]


def test_no_compiler_at_all(build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    probe = CpuBackend().probe()
    assert not probe.usable
    assert probe.missing[0].what == "C++ compiler"
    assert probe.missing[0].remedy
    with pytest.raises(ToolchainMissing, match=r"C\+\+ compiler"):
        build(GOOD + "// no compiler\n")


def test_a_compiler_of_the_users(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    real = shutil.which("g++") or shutil.which("clang++")
    assert real is not None
    monkeypatch.setenv("CXX", f"{real} -DCHOSEN=1")
    assert has_solve(build(GOOD + "\n#ifndef CHOSEN\n#error not it\n#endif\n").library)


def test_a_compiler_that_is_not_there(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert not CpuBackend().probe().usable
    with pytest.raises(ToolchainMissing, match="CXX=no-such-compiler"):
        build(GOOD)


def test_a_broken_compiler_is_not_the_submissions_fault(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    full = tmp_path / "g++"
    full.write_text(
        "#!/bin/sh\necho 'fatal error: can not write: No space left on device'; exit 1\n"
    )
    full.chmod(0o755)
    monkeypatch.setenv("CXX", str(full))
    with pytest.raises(JudgeError, match="disk is full"):
        build(GOOD)


def test_half_a_compiler_is_not_the_submissions_fault(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    half = tmp_path / "g++"
    half.write_text("#!/bin/sh\necho \"g++: fatal error: cannot execute 'cc1plus'\"; exit 1\n")
    half.chmod(0o755)
    monkeypatch.setenv("CXX", str(half))
    with pytest.raises(ToolchainMissing, match="cc1plus"):
        build(GOOD)


def test_an_unusable_cache_folder_costs_only_speed(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEETK_CACHE_DIR", str(tmp_path / "file"))
    made = build(GOOD)
    assert [d.severity for d in made.diagnostics] == ["warning"]
    assert "can't be used" in made.diagnostics[0].message
    # The backend of `build` is gone by now, and its temporary folder with it.
    assert not made.library.exists()


def test_the_runtimes_units_compile_as_they_are_grouped(
    build: Build, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A unit that fails is compiled file by file, which is right but slow: this says so."""
    monkeypatch.setattr(prebuilt, "get", lambda key: None)
    build(GOOD)
    folders = [cache / name for name in os.listdir(cache)]
    objects = {path.name for folder in folders for path in folder.glob("*.o")}
    assert objects == {unit.object for unit in runtime_units.units()}


def test_the_module_is_light() -> None:
    """The worker imports the package, too."""
    script = (
        "import sys, harness.backends.cpu; "
        "print([m for m in ('numpy', 'subprocess', 'harness.build.compiler') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
    assert cpu.__doc__
