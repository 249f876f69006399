"""Builds with nvcc: the command line, and what becomes of a compiler's messages and failures."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from harness.backends.cuda.build import WRAPPED, build
from harness.backends.cuda.toolkit import Toolkit, find_toolkit
from harness.build.cache import Cache
from harness.errors import CompileFailed, ToolchainMissing
from harness.expr import parse
from harness.model import (
    Argument,
    Artifact,
    BuildOptions,
    DataRule,
    Problem,
    Reference,
    Role,
    Source,
    Tolerance,
)
from harness.source import read_source

N = parse("N")
PROBLEM = Problem(
    name="add_one",
    title="Add one",
    statement="",
    sizes={"N": (1, 1000)},
    arguments=(
        Argument("A", "float32", Role.IN, (N,), DataRule("uniform", (-1.0, 1.0))),
        Argument("C", "float32", Role.OUT, (N,)),
        Argument("N", "int32", Role.SIZE),
    ),
    reference=Reference(einsum="n->n"),
    tolerance=Tolerance(0.0, 0.0),
    examples=(),
    tests=(),
    perf=None,
    path=Path("add_one.yaml"),
)

KERNEL = """__global__ void add(const float* a, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + 1;
}
"""
GOOD = (
    KERNEL
    + """extern "C" void solve(const float* A, float* C, int N) {
    add<<<(N + 255) / 256, 256>>>(A, C, N);
    cudaDeviceSynchronize();
}
"""
)


def write(path: Path, text: str | bytes = GOOD) -> Source:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_source(path)


# --- without nvcc: a script in its place -------------------------------------------------------


def fake_toolkit(folder: Path, script: str) -> Toolkit:
    nvcc = folder / "bin" / "nvcc"
    nvcc.parent.mkdir(parents=True, exist_ok=True)
    nvcc.write_text("#!/bin/sh\n" + script)
    nvcc.chmod(0o755)
    return Toolkit(nvcc, (13, 0), "13.0.88", "--nvcc")


# Says its command, writes its library.
ECHO = 'for last; do :; done; printf "%s\\n" "$@" > "$OUT"; : > "$last"\n'


class Fake:
    """A folder, a toolkit whose nvcc is a script, and a cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = Cache(folder / "cache")

    def build(
        self,
        source: Source,
        script: str = ECHO,
        arch: str = "sm_90",
        options: BuildOptions | None = None,
    ) -> Artifact:
        toolkit = fake_toolkit(self.folder / "cuda", script)
        return build(PROBLEM, source, options or BuildOptions(), toolkit, arch, self.cache)

    def command(self) -> list[str]:
        return (self.folder / "command").read_text().splitlines()


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    for name in ("NVCC_CCBIN", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "CPATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OUT", str(tmp_path / "command"))
    return Fake(tmp_path)


@pytest.mark.fault(6)
def test_the_command_line(fake: Fake) -> None:
    source = write(fake.folder / "a.cu")
    artifact = fake.build(source)
    entry = artifact.library.parent
    assert artifact.command == (
        *(str(fake.folder / "cuda/bin/nvcc"), "-O3", "-std=c++17", "-lineinfo"),
        *("-Xptxas", "-v", "-arch=sm_90"),
        *("-shared", "-Xcompiler", "-fPIC", "-Xlinker"),
        *(",".join(["-z,defs", *(f"--wrap={name}" for name in WRAPPED)]), "-cudart", "static"),
        *("-t", "4", "-I", str(entry), str(source.path), str(entry / "leetk_peek.cpp")),
        *("-o", str(entry / "solution.so")),
    )
    work = fake.command()[-1].removesuffix("/solution.so")
    assert [str(entry) + word.removeprefix(work) if word.startswith(work) else word
            for word in fake.command()] == list(artifact.command[1:])  # fmt: skip
    assert not Path(work).exists()
    assert "solve(const float* A, float* C, int N)" in (entry / "solve.h").read_text()


@pytest.mark.fault(7)
def test_fast_math_is_used_on_request_and_not_for_the_next_build(fake: Fake) -> None:
    source = write(fake.folder / "a.cu")
    fast = fake.build(source, options=BuildOptions(fast_math=True))
    plain = fake.build(source)
    assert "--use_fast_math" in fast.command
    assert "--use_fast_math" not in plain.command
    assert fast.library != plain.library


def test_a_missing_extern_c_is_declared_ahead_of_the_source(fake: Fake) -> None:
    with_it = fake.build(write(fake.folder / "a.cu"))
    assert "-include" not in with_it.command
    without = fake.build(write(fake.folder / "b.cu", GOOD.replace('extern "C" ', "")))
    at = without.command.index("-include")
    assert without.command[at + 1] == str(without.library.parent / "solve.h")


def test_the_same_again_comes_from_the_cache_with_its_warnings(fake: Fake) -> None:
    source = write(fake.folder / "a.cu")
    script = f'echo "{source.path}(1): warning #177-D: variable \\"x\\" was declared"\n' + ECHO
    first = fake.build(source, script)
    os.unlink(fake.folder / "command")
    second = fake.build(source, script)
    assert (first.cached, second.cached) == (False, True)
    assert not (fake.folder / "command").exists()
    assert second == replace(first, cached=True, seconds=second.seconds)
    (warning,) = second.diagnostics
    assert (warning.severity, warning.line) == ("warning", 1)


@pytest.mark.parametrize("what", ["text", "header", "arch", "flags", "version", "environment"])
def test_whatever_changes_the_result_builds_anew(
    fake: Fake, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = fake.folder / "h.cuh"
    header.write_text("// one\n")
    source = write(fake.folder / "a.cu", '#include "h.cuh"\n' + GOOD)
    first = fake.build(source)
    toolkit = fake_toolkit(fake.folder / "cuda", ECHO)
    arch, options = "sm_90", BuildOptions()
    if what == "text":
        source = write(fake.folder / "a.cu", '#include "h.cuh"\n' + GOOD + "// more\n")
    elif what == "header":
        header.write_text("// two\n")
    elif what == "arch":
        arch = "sm_80"
    elif what == "flags":
        options = BuildOptions(fast_math=True)
    elif what == "version":
        toolkit = replace(toolkit, build="13.0.99")
    else:
        monkeypatch.setenv("NVCC_APPEND_FLAGS", "-G")
    again = build(PROBLEM, source, options, toolkit, arch, fake.cache)
    assert not again.cached
    assert again.library != first.library


def test_two_files_with_the_same_text_keep_their_own_names(fake: Fake) -> None:
    one = fake.build(write(fake.folder / "a.cu"))
    two = fake.build(write(fake.folder / "b.cu"))
    assert one.library != two.library


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (
            "/x/crt/host_config.h:143:2: error: #error -- unsupported GNU version! gcc versions "
            "later than 15 are not supported!",
            r"does not take this .*g\+\+; .*NVCC_CCBIN",
        ),
        ("nvcc fatal   : Unsupported gpu architecture 'sm_90'", "does not build for sm_90"),
        (
            "nvcc fatal   : Value 'sm_90' is not defined for option 'gpu-architecture'",
            "does not build for sm_90",
        ),
        ("nvcc fatal   : Failed to preprocess host compiler properties.", "no host compiler"),
        ("/usr/bin/ld: cannot find -lcudart_static: No such file", "is not complete"),
        ("sh: 1: cicc: not found", "is not complete"),
        (
            "/x/leetk_peek.cpp:12:1: error: expected unqualified-id",
            r"g\+\+ does not compile: expec",
        ),
        ("<built-in>: fatal error: cuda_runtime.h: No such file or directory", "is not complete"),
    ],
)
def test_a_compiler_that_cannot_work_here_is_not_the_submissions_fault(
    fake: Fake, said: str, why: str
) -> None:
    source = write(fake.folder / "a.cu")
    with pytest.raises(ToolchainMissing, match=why):
        fake.build(source, f'echo "{said}"; exit 1\n')


def test_nvcc_without_a_host_compiler_is_not_the_submissions_fault(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write(fake.folder / "a.cu")
    monkeypatch.setenv("PATH", str(fake.folder))
    with pytest.raises(ToolchainMissing, match=r"needs a host C\+\+ compiler"):
        fake.build(source)


@pytest.mark.fault(8)
def test_a_compiler_that_does_not_end_is_a_compile_error(fake: Fake) -> None:
    source = write(fake.folder / "a.cu")
    with pytest.raises(CompileFailed, match="took more than 1 s"):
        fake.build(source, "sleep 60\n", options=BuildOptions(seconds=1.0))


def test_a_failure_without_a_message_is_still_one_line(fake: Fake) -> None:
    source = write(fake.folder / "a.cu")
    with pytest.raises(CompileFailed, match="nvcc ended with status 3"):
        fake.build(source, "exit 3\n")


def test_nothing_is_kept_of_a_failed_build(fake: Fake) -> None:
    source = write(fake.folder / "a.cu")
    with pytest.raises(CompileFailed):
        fake.build(source, "exit 3\n")
    assert list((fake.folder / "cache").iterdir()) == []
    assert not fake.build(source).cached


# --- with nvcc ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def toolkit() -> Toolkit:
    try:
        return find_toolkit()
    except ToolchainMissing:
        pytest.skip("needs nvcc")


def nvcc_build(source: Source, toolkit: Toolkit, folder: Path) -> Artifact:
    return build(PROBLEM, source, BuildOptions(), toolkit, "sm_90", Cache(folder / "cache"))


def exported(library: Path) -> set[str]:
    done = subprocess.run(
        ["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True
    )
    return {line.split()[-1] for line in done.stdout.splitlines()}


@pytest.mark.compiler
def test_a_library_has_solve_and_the_judges_functions(tmp_path: Path, toolkit: Toolkit) -> None:
    artifact = nvcc_build(write(tmp_path / "a.cu"), toolkit, tmp_path)
    assert exported(artifact.library) >= {"solve", "leetk_peek_error", "leetk_clear_error"}
    assert artifact.diagnostics == ()
    ctypes.CDLL(str(artifact.library))


FREES = """#include <cuda_runtime.h>
extern "C" void solve(const float* A, float* C, int N) {
    cudaFree(nullptr);
    if (N == 1) cudaFree(C);
    if (N == 2) cudaFreeAsync((void*)A, 0);
    if (N == 3) cudaDeviceReset();
}
"""


@pytest.mark.compiler
@pytest.mark.parametrize("ahead", ["", "#define CUDA_API_PER_THREAD_DEFAULT_STREAM\n"])
def test_frees_of_the_arguments_and_resets_are_noticed(
    tmp_path: Path, toolkit: Toolkit, ahead: str
) -> None:
    artifact = nvcc_build(write(tmp_path / "a.cu", ahead + FREES), toolkit, tmp_path)
    library = ctypes.CDLL(str(artifact.library))
    arguments = (ctypes.c_void_p * 2)(0x1000, 0x2000)
    seen = []
    for n in (0, 1, 2, 3):
        library.leetk_watch(arguments, 2)
        library.solve(ctypes.c_void_p(0x1000), ctypes.c_void_p(0x2000), n)
        seen.append((library.leetk_freed(), library.leetk_reset()))
    assert seen == [(-1, 0), (1, 0), (0, 0), (-1, 1)]
    assert library.leetk_allocated() == 0


@pytest.mark.compiler
def test_headers_that_are_included_ahead_do_not_disturb_the_judges_functions(
    tmp_path: Path, toolkit: Toolkit
) -> None:
    half = tuple(replace(a, type="float16") if a.shape else a for a in PROBLEM.arguments)
    problem = replace(PROBLEM, arguments=half)
    text = "#include <cuda_fp16.h>\nvoid solve(const __half* A, __half* C, int N) {}\n"
    source = write(tmp_path / "a.cu", text)
    artifact = build(problem, source, BuildOptions(), toolkit, "sm_90", Cache(tmp_path / "cache"))
    assert "-include" in artifact.command
    assert exported(artifact.library) >= {"solve", "leetk_allocated"}


@pytest.mark.compiler
def test_the_librarys_own_runtime_keeps_its_error(tmp_path: Path, toolkit: Toolkit) -> None:
    artifact = nvcc_build(write(tmp_path / "a.cu"), toolkit, tmp_path)
    library = ctypes.CDLL(str(artifact.library))
    name, text = ctypes.create_string_buffer(64), ctypes.create_string_buffer(8)
    code = library.leetk_peek_error(name, 64, text, 8)
    assert library.leetk_peek_error(name, 64, text, 8) == code
    # Without a GPU the runtime says which driver it lacks; a text too long is cut.
    assert name.value.startswith(b"cuda") if code else name.value == b"cudaSuccess"
    assert len(text.value) <= 7


@pytest.mark.compiler
@pytest.mark.parametrize(
    "name",
    ["a b/sölve it.cu", "c,omma/a,b.cu", 'q"u$o`t\\e/a.cu', "it's & (x)/a.cu", "solution.txt"],
)
def test_names_that_a_shell_or_nvcc_would_not_take(
    tmp_path: Path, toolkit: Toolkit, name: str
) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).with_name("h.cuh").write_text("#define UNUSED int unused;\n")
    text = '#include "h.cuh"\n' + KERNEL.replace("{\n", "{ UNUSED\n", 1) + GOOD[len(KERNEL) :]
    artifact = nvcc_build(write(tmp_path / name, text), toolkit, tmp_path)
    (warning,) = artifact.diagnostics
    assert (warning.file, warning.line) == (str(tmp_path / name), 2)
    assert "solve" in exported(artifact.library)


@pytest.mark.compiler
def test_a_cache_folder_that_nvcc_cannot_take(tmp_path: Path, toolkit: Toolkit) -> None:
    source = write(tmp_path / "a.cu")
    cache = Cache(tmp_path / 'c"ac$he,')
    artifact = build(PROBLEM, source, BuildOptions(), toolkit, "sm_90", cache)
    assert artifact.library.parent.parent == tmp_path / 'c"ac$he,'
    assert "solve" in exported(artifact.library)


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"\xef\xbb\xbf" + GOOD.replace("{\n", "{ int unused;\n", 1).encode(), 1),
        (GOOD.replace("{\n", "{ int unused;\n", 1).replace("\n", "\r\n").encode(), 1),
        (GOOD.replace("c[i]", "int unused; c[i]").replace("\n", "\r").encode(), 3),
        (b"// caf\xe9\n" + GOOD.replace("c[i]", "int unused; c[i]").encode(), 4),
    ],
    ids=["byte order mark", "CRLF", "lone CR", "Latin-1 in a comment"],
)
def test_unusual_bytes_build_and_keep_their_lines(
    tmp_path: Path, toolkit: Toolkit, text: bytes, line: int
) -> None:
    artifact = nvcc_build(write(tmp_path / "a.cu", text), toolkit, tmp_path)
    (warning,) = [d for d in artifact.diagnostics if "unused" in d.message]
    assert (warning.file, warning.line, warning.severity) == (
        str(tmp_path / "a.cu"),
        line,
        "warning",
    )
    assert "unused" in warning.source_line


@pytest.mark.compiler
def test_a_missing_extern_c_and_an_include_of_solve_h_build(
    tmp_path: Path, toolkit: Toolkit
) -> None:
    plain = GOOD.replace('extern "C" ', "")
    for number, text in enumerate((plain, '#include "solve.h"\n' + plain)):
        artifact = nvcc_build(write(tmp_path / f"{number}.cu", text), toolkit, tmp_path)
        assert "solve" in exported(artifact.library)


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("a[i] + 1", "b[i]"), 'a.cu:3: identifier "b" is undefined'),
        ('#include "gone.cuh"\n' + GOOD, "a.cu:1: gone.cuh: No such file or directory"),
        (
            "void helper(float*);\n" + GOOD.replace("add<<<", "helper(C); add<<<"),
            "undefined reference to `helper(float*)'",
        ),
        (
            GOOD.replace(
                "int i =",
                "__shared__ float s[100000]; s[threadIdx.x] = a[1]; __syncthreads(); c[0] = s[5];"
                " int i =",
            ),
            "uses too much shared data",
        ),
        (
            "__device__ float far(float);\n" + GOOD.replace("a[i] + 1", "far(a[i])"),
            "Unresolved extern function 'far(float)'",
        ),
        (GOOD.rstrip("}\n"), 'a.cu: at the end of the file: expected a "}"'),
    ],
    ids=[
        "undeclared",
        "missing header",
        "undefined",
        "shared memory",
        "undefined on the device",
        "missing brace",
    ],
)
def test_errors_are_compile_errors_that_say_where(
    tmp_path: Path, toolkit: Toolkit, text: str, said: str
) -> None:
    with pytest.raises(CompileFailed) as caught:
        nvcc_build(write(tmp_path / "a.cu", text), toolkit, tmp_path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.diagnostics
    assert caught.value.command[0] == str(toolkit.nvcc)


@pytest.mark.compiler
def test_instructions_of_one_architecture_alone(tmp_path: Path, toolkit: Toolkit) -> None:
    needs = "#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)\n#error no\n#endif\n"
    register = '__global__ void k() { asm volatile("setmaxnreg.inc.sync.aligned.u32 240;"); }\n'
    source = write(tmp_path / "a.cu", needs + register + GOOD)
    cache = Cache(tmp_path / "cache")
    artifact = build(PROBLEM, source, BuildOptions(), toolkit, "sm_90a", cache)
    assert "-gencode=arch=compute_90a,code=sm_90a" in artifact.command
    with pytest.raises(CompileFailed, match="no"):
        build(PROBLEM, source, BuildOptions(), toolkit, "sm_90", cache)


@pytest.mark.compiler
def test_an_architecture_that_nvcc_does_not_know(tmp_path: Path, toolkit: Toolkit) -> None:
    source = write(tmp_path / "a.cu")
    cache = Cache(tmp_path / "cache")
    with pytest.raises(ToolchainMissing, match="does not build for sm_7"):
        build(PROBLEM, source, BuildOptions(), toolkit, "sm_7", cache)
