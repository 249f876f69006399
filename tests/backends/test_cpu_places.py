"""Addresses of a traced build to the author's files, lines and columns, with a real compiler."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest

from harness.backends.cpu import locate
from harness.backends.cpu.backend import CpuBackend
from harness.backends.cpu.dwarf import Lines, Unreadable
from harness.backends.cpu.runtime_units import RUNTIME
from harness.backends.cpu.toolchain import find_toolchain
from harness.catalog import find_problem
from harness.model import Artifact, BuildOptions
from harness.source import read_source

_TOOLCHAIN = find_toolchain()
CLANG = _TOOLCHAIN is not None and _TOOLCHAIN.clang

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(sys.platform != "linux", reason="the debug information lies elsewhere"),
]

SOURCE = """\
#include "get.h"
__global__ void __launch_bounds__(256) k(const float* a, float* b, int n) { b[threadIdx.x] = a[n];
    int i = threadIdx.x;
    b[i] = a[i] + a[n - i];
    b[i + n] = get(a, i);
    atomicAdd(&b[i], 1.0f);
}
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    k<<<1, 32>>>(input, output, rows);
}
"""
HEADER = """\
// in a file of its own
__device__ __forceinline__ float get(const float* p, int i) { return p[i]; }
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Artifact, Path]:
    folder = tmp_path_factory.mktemp("places")
    (folder / "get.h").write_text(HEADER)
    path = folder / "a.cu"
    path.write_text(SOURCE)
    problem = find_problem("transpose")
    return CpuBackend().build(problem, read_source(path), BuildOptions(traced=True)), path


def addresses(library: Path) -> range:
    from elftools.elf.elffile import ELFFile

    with library.open("rb") as stream:
        text = ELFFile(stream).get_section_by_name(".text")
        return range(text["sh_addr"], text["sh_addr"] + text["sh_size"])


def columns(built: tuple[Artifact, Path], line: int) -> set[int]:
    made, path = built
    found = CpuBackend().places(made, addresses(made.library))
    return {place[2] for place in found.values() if place[:2] == (str(path), line)}


@pytest.mark.skipif(CLANG, reason="clang has other columns")
def test_two_loads_of_one_line_have_columns_of_their_own(built: tuple[Artifact, Path]) -> None:
    """g++ puts an access at the end of its brackets."""
    line = SOURCE.splitlines()[3]
    ends = {line.index("a[i]") + len("a[i]"), line.index("a[n - i]") + len("a[n - i]")}
    assert ends <= columns(built, 4)


def test_columns_are_the_authors_where_the_line_was_rewritten(
    built: tuple[Artifact, Path],
) -> None:
    """The launch bounds became a statement ahead of the accesses."""
    line = SOURCE.splitlines()[1]
    found = columns(built, 2)
    assert found and max(found) <= len(line)
    if not CLANG:
        assert line.index("a[n]") + len("a[n]") in found


def test_an_inlined_function_is_told_by_its_own_line(built: tuple[Artifact, Path]) -> None:
    made, path = built
    found = CpuBackend().places(made, addresses(made.library))
    assert (str(path.parent / "get.h"), 2) in {place[:2] for place in found.values()}


def test_no_place_lies_in_the_runtime(built: tuple[Artifact, Path]) -> None:
    """atomicAdd is the runtime's, and inlined: its place is the call."""
    made, path = built
    found = CpuBackend().places(made, addresses(made.library)).values()
    files = {file for file, _, _ in found}
    assert files == {"", str(path), str(path.parent / "get.h")}
    assert any(place[:2] == (str(path), 6) for place in found)


def test_the_lines_are_those_of_addr2line(built: tuple[Artifact, Path]) -> None:
    made, _ = built
    pcs = addresses(made.library)
    by_tool = locate._by_tool(made.library, pcs)
    if by_tool is None:
        pytest.skip("needs addr2line")
    lines = Lines(made.library)
    internal = str(RUNTIME)
    ours = [locate._authors(lines.places(pc), internal)[:2] for pc in pcs]
    assert ours == [locate._authors(by_tool[pc], internal)[:2] for pc in pcs]
    assert len(set(ours)) > 5


def test_without_debug_information_a_tool_is_asked(
    built: tuple[Artifact, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    if locate._by_tool(built[0].library, [0]) is None:
        pytest.skip("needs addr2line")

    def unreadable(library: Path) -> Lines:
        raise Unreadable("in this test")

    monkeypatch.setattr("harness.backends.cpu.dwarf.Lines", unreadable)
    assert columns(built, 4) == {0}


def test_what_is_no_library_has_no_places(tmp_path: Path) -> None:
    path = tmp_path / "x.so"
    path.write_text("not ELF")
    with pytest.raises(Unreadable):
        Lines(path)
    assert locate.places(path, [1, 2], "/", Path.read_text) == {
        1: locate.NOWHERE,
        2: locate.NOWHERE,
    }


@pytest.mark.skipif(CLANG, reason="clang gives arguments columns of their own")
@pytest.mark.skipif(platform.machine() != "x86_64", reason="calls are read off the machine code")
def test_what_a_calls_arguments_load_is_told_apart_in_each_inlined_copy(tmp_path: Path) -> None:
    """g++ puts both loads at the call's parenthesis; pick is inlined twice."""
    path = tmp_path / "a.cu"
    pick = "    return fmaf(a[i], b[i], 1.0f);"
    path.write_text(
        "__device__ __forceinline__ float pick(const float* a, const float* b, int i) {\n"
        f"{pick}\n}}\n"
        "__global__ void k(const float* a, float* b, int i) {\n"
        "    b[i] = pick(a, b, i);\n    b[2 * i] = pick(b, a, i + 1);\n}\n"
        'extern "C" void solve(const float* input, float* output, int rows, int cols) {\n'
        "    k<<<1, 32>>>(input, output, rows);\n}\n"
    )
    problem = find_problem("transpose")
    made = CpuBackend().build(problem, read_source(path), BuildOptions(traced=True))
    calls = [pc for pc in traced_loads(made.library) if place_of(made, pc)[1] == 2]
    ends = [pick.index(name) + len(name) for name in ("b[i]", "a[i]")]
    found = CpuBackend().places(made, calls)
    assert [found[pc] for pc in calls] == [(str(path), 2, column) for column in ends * 2]


def place_of(made: Artifact, pc: int) -> tuple[str, int]:
    return locate.locate(made.library, pc, str(RUNTIME))


def traced_loads(library: Path) -> list[int]:
    """The addresses of the calls of the hook for loads of 4 bytes, by their targets: a call is
    0xe8 and the distance from the instruction behind it."""
    from elftools.elf.elffile import ELFFile

    with library.open("rb") as stream:
        elf = ELFFile(stream)
        symbols = elf.get_section_by_name(".symtab")
        hook = symbols.get_symbol_by_name("__tsan_read4")[0]["st_value"]
        section = elf.get_section_by_name(".text")
        start, code = section["sh_addr"], section.data()
    return [
        start + at
        for at in range(len(code) - 5)
        if code[at] == 0xE8
        and start + at + 5 + int.from_bytes(code[at + 1 : at + 5], "little", signed=True) == hook
    ]
