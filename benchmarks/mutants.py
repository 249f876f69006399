"""Mutants of the ladders' rungs: small faults as learners make them, each judged.

Every rung is changed in one place: a bound is off by one, a barrier or a guard is gone, an index is
swapped, a tile's size differs on one side. A mutant that is accepted must do what the rung does. It
counts as shown when nvcc makes the same machine code of both (needs an nvcc); when only the grid
has changed and has at least as many blocks at all sizes, since every rung's kernel leaves alone
what lies beyond; or when ``EQUIVALENT`` says why. One whose fault can't be seen in any output, a
read outside an array that goes nowhere, must have been warned of. Any other one makes this program
fail.

    python benchmarks/mutants.py [--count 500] [--seed 1] [--backend cpu|cuda] [--jobs 2]
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from harness.backends.cpu.backend import CpuBackend  # noqa: E402
from harness.backends.cuda.backend import CudaBackend  # noqa: E402
from harness.catalog import find_problem, find_submissions  # noqa: E402
from harness.judge import judge  # noqa: E402
from harness.model import BuildOptions, Report, Verdict  # noqa: E402
from harness.settings import Settings  # noqa: E402
from harness.source import lexer, read_source  # noqa: E402
from harness.source.lexer import Token  # noqa: E402

PARTNERS = (
    ("tx", "ty"),
    ("row", "col"),
    ("rows", "cols"),
    ("in_row", "in_col"),
    ("out_row", "out_col"),
    ("a_col", "b_row"),
    ("M", "N"),
    ("N", "K"),
    ("M", "K"),
    ("x", "y"),
    ("TILE_ROWS", "TILE_DEPTH"),
    ("TILE_COLS", "TILE_ROWS"),
    ("LANES", "PER_THREAD"),
)
COMPARED = {"<": ("<=", ">"), "<=": ("<",), ">": (">=",), ">=": (">",)}
OPERATORS = {"+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "&&": ("||",), "+=": ("=", "-=")}

# Of a line, without blanks around it, what it becomes, and why that makes no difference. Both are
# one pattern, with a line break between: "after" may refer to groups of "before".
EQUIVALENT = tuple(
    (re.compile(f"(?:{before})\n(?:{after})"), reason)
    for before, after, reason in (
        (
            r"const dim3 block\(16, 16\);",
            r"const dim3 block\(\d+, \d+\);",
            "the kernel takes the block's shape from blockDim, and the grid follows it",
        ),
        (
            r"constexpr (?:int|size_t) (?:TILE|TILE_SIZE|TILE_\w+|LANES|PER_THREAD) = \w+;.*",
            r"constexpr (?:int|size_t) \w+ = \w+;.*",
            "everything that depends on the tile's size uses this constant",
        ),
        (
            r"__shared__ float tile\[(\w+)\]\[\1 \+ 1\];",
            r"__shared__ float tile\[\1\]\[\1(?: \+ \d)?\];",
            "the padding holds no data",
        ),
        (
            r"tile_[ab]\[.*(= |: )0\.0f;",
            r"tile_[ab]\[.*(= |: )1\.0f;",
            "where a tile is filled up the other tile's factor is zero, or the sum is not stored",
        ),
        (
            r"for \(int (?:t|start) = 0; (?:t|start) < \w+; .*|const int tiles = .*",
            r"for \(int (?:t|start) = 0; (?:t|start) <= \w+; .*|const int tiles = .*[*+-] \w+;",
            "tiles beyond the end are all zeros",
        ),
        (
            r"constexpr int (?:TM = \d+, TN = \d+|SECTOR = \d+|LOADS = .*);.*",
            r"constexpr int (?:TM = \d+, TN = \d+|SECTOR = \d+|LOADS = .*);.*",
            "everything that depends on it uses this constant, and what is more is guarded",
        ),
        (
            r"(.*reinterpret_cast<uintptr_t>\(pointer\) % )16( == 0; \})",
            r"\1\d+\2",
            "solve's arrays begin at multiples of 256 bytes, and the way without vectors is right",
        ),
        (
            r"(if \((?:at|col) \+ )3( < end\) .*)",
            r"\1(?:4)\2",
            "this way is taken where end is no multiple of 4, which at and col are",
        ),
        (
            r"(float4? \w+(?:\[\d+\])+(?: = \{\}|, \w+\[\d+\])?;)",
            r"float4? \w+(?:\[\d+\])+(?: = \{\}|, \w+\[\d+\])?;",
            "an array of a thread's own that is larger than it need be; a smaller one is found",
        ),
        (
            r"(.*load4<B_ALIGNED>\(.*, n < N \? K : )0\);",
            r"\1[1-9]\);",
            "what is loaded there, of B's last row, is multiplied by a zero of A's tile",
        ),
        (
            r"return vector \^ \(column / 4 % 8\);",
            r"return vector \^ \(column / 4 % (?:[1-8]|16)\);",
            "store and load share the exchange of a row's 16 vectors, whichever it is",
        ),
        (
            r"(if \(at) < (end\) row\[at\] = x\.x;)",
            r"\1 <= \2",
            "this way is taken where end is no multiple of 4, which at is",
        ),
        (
            r"(if \(row >= 0 && row \+ 4) <= (rows\) \{)",
            r"\1 < \2",
            "the other way stores the same, element by element",
        ),
        (
            r"(if \(t \+ STAGES - 1) < (tiles\) bring\(.*)",
            r"\1 <= \2",
            "a tile beyond the end is all zeros, and its stage is not read any more",
        ),
        (
            r"bool on_16_bytes\(.*% 16 == 0; \}",
            r"bool on_16_bytes\(.*% 16 == [1-9]; \}",
            "the way of single floats is taken for all, which gives the same",
        ),
        (
            r"__shared__ __align__\(16\) float tile_a\[DEPTH\]\[TILE \+ PAD\];",
            r"__shared__ __align__\([48]\) float tile_a\[DEPTH\]\[TILE \+ PAD\];",
            "both tiles take a multiple of 16 bytes, so each begins at one in either order",
        ),
        (
            r"constexpr int SHARED_BYTES = STAGES \* STAGE \* 4;",
            r"constexpr int SHARED_BYTES = STAGES \* STAGE \* [5-9];",
            "it asks for more shared memory than it uses, and gets it",
        ),
        (
            r"(.*)tile\[4 \* x \+ 0\]\[y\](.*)",
            r"(.*)tile\[4 \* x - 0\]\[y\](.*)",
            "nothing is added or taken off",
        ),
        (
            r"__pipeline_wait_prior\(STAGES - 2\);",
            r"__pipeline_wait_prior\(STAGES - 3\);",
            "it waits for more than it need",
        ),
        (
            r"constexpr int (?:STAGES = 3|GROUP = 8|A_PITCH = BM \+ 4);.*",
            r"constexpr int (?:STAGES = [34]|GROUP = \d+|A_PITCH = BM \+ (?:4|8));.*",
            "everything that depends on it uses this constant",
        ),
        (
            r"__global__ void __launch_bounds__\(THREADS, 1\)",
            r"__global__ void __launch_bounds__\(THREADS, \d\)",
            "how many blocks a multiprocessor should hold changes no result",
        ),
        (
            r"const int rows = \(M \+ BM - 1\) / BM, cols = \(K \+ BN - 1\) / BN;",
            r"const int rows = \(M \+ BM - [01]\) / BM, cols = \(K \+ BN - [01]\) / BN;",
            "the tiles beyond the last are guarded",
        ),
        (
            r"float4 x = make_float4\(0\.0f, 0\.0f, 0\.0f, 0\.0f\);",
            r"float4 x = make_float4\(\d\.0f, \d\.0f, \d\.0f, \d\.0f\);",
            "what lies outside the matrix is not stored (a transpose), or meets a zero",
        ),
        (
            r"const bool in = cols % 4 == 0 && .*, out = rows % 4 == 0 && .*;",
            r"const bool in = cols % (?:4|8) == 0 && .*, out = rows % (?:4|8) == 0 && .*;",
            "the way without vectors, which is right, is taken more often",
        ),
        (
            r"const int down = \(rows \+ TILE - 1\) / TILE;",
            r"const int down = \(rows \+ TILE - [02]\) / TILE;",
            "here rows is a multiple of 4, so never one more than a multiple of TILE",
        ),
        (
            r"if \(FEW && t \+ 1 == tiles\) after = stage;",
            r"if \(FEW && t . 1 == tiles\) after = stage;",
            "what is fetched ahead of the last tile's end is not used",
        ),
        (
            r"(.*)blockDim\.[xy](.*)",
            r"\1blockDim\.[xy]\2",
            "the block is as wide as it is high",
        ),
    )
)


@dataclass(frozen=True)
class Mutant:
    """``text`` is the whole file, changed in ``line`` from ``before`` to ``after``."""

    rung: Path
    problem: str
    kind: str
    line: int
    before: str
    after: str
    text: str


@dataclass(frozen=True)
class Change:
    """Replace ``[start, end)`` by ``text``."""

    kind: str
    start: int
    end: int
    text: str


def changes(text: str) -> Iterator[Change]:
    """Every change that is tried, those of one kind together."""
    tokens = [token for token in lexer.significant(lexer.tokens(text)) if not token.directive]
    for index, token in enumerate(tokens):
        yield from _of_token(tokens, index, token)
    yield from _of_pattern(text)


def _of_token(tokens: Sequence[Token], index: int, token: Token) -> Iterator[Change]:
    before = tokens[index - 1].text if index else ""

    def change(kind: str, new: str) -> Change:
        return Change(kind, token.start, token.end, new)

    for new in COMPARED.get(token.text, ()):
        yield change("comparison", new)
    for new in OPERATORS.get(token.text, ()):
        if before not in "(,<=&|?":  # a sign, a pointer's star, or none at all
            yield change("operator", new)
    for pair in PARTNERS:
        if token.text in pair:
            other = pair[1 - pair.index(token.text)]
            if (token.text in "xy") == (before == "."):
                yield change("index swapped", other)
    if token.kind == lexer.NUMBER and re.fullmatch(r"\d+", token.text):
        value = int(token.text)
        for new in {value + 1, value - 1, value * 2, value // 2} - {value}:
            yield change("number", str(new))
    if token.text == "0.0f":
        yield change("number", "1.0f")
    if token.text == "++":
        yield change("step", "+= 2 +" if before in "(;" else "")


def _of_pattern(text: str) -> Iterator[Change]:
    for found in re.finditer(r"__syncthreads\(\);", text):
        yield Change("barrier removed", *found.span(), "")
    for found in re.finditer(r"if \(([^()]*)\)", text):
        yield Change("guard dropped", *found.span(1), "true")
    for found in re.finditer(r"([\w.]+ < \w+) && ([\w.]+ < \w+)", text):
        yield Change("guard halved", *found.span(), found[1])
        yield Change("guard halved", *found.span(), found[2])
        yield Change("guard dropped", *found.span(), "true")
    for found in re.finditer(r"\[(\w+) \+ 1\]", text):
        yield Change("padding removed", *found.span(1), found[1])
        yield Change("padding removed", *found.span(), f"[{found[1]}]")
    for found in re.finditer(r"\((\w+) \+ (\w+) - 1\) / \w+", text):
        yield Change("grid too small", *found.span(), f"{found[1]} / {found[2]}")
    for found in re.finditer(r"\[(\w+)\]\[(\w+)\]", text):
        yield Change("index swapped", *found.span(), f"[{found[2]}][{found[1]}]")


def mutants(backend: str) -> list[Mutant]:
    """All of the rungs that the backend can run, each text once; those that are no change to the
    tokens are left out."""
    found: dict[tuple[Path, str], Mutant] = {}
    for submission in find_submissions([REPOSITORY / "solutions"]):
        if backend == "cpu" and Verdict.SKIPPED in submission.expected:
            continue
        text = read_source(submission.path).text
        begin = text.index("#include")
        same = re.sub(r"\s+", " ", text)
        for change in changes(text):
            if change.start < begin:
                continue
            new = text[: change.start] + change.text + text[change.end :]
            line = text.count("\n", 0, change.start) + 1
            before = text.splitlines()[line - 1].strip()
            after = new.splitlines()[line - 1].strip()
            key = (submission.path, re.sub(r"\s+", " ", new))
            if key[1] == same:
                continue
            path, problem = submission.path, submission.problem
            mutant = Mutant(path, problem, change.kind, line, before, after, new)
            found.setdefault(key, mutant)
    return list(found.values())


def judged(mutant: Mutant, backend: CpuBackend | CudaBackend, folder: Path) -> Report:
    folder.mkdir()
    path = folder / mutant.rung.name
    path.write_text(mutant.text)
    settings = Settings(seed=1, perf=False)
    options = BuildOptions()
    return judge(find_problem(mutant.problem), read_source(path), backend, settings, options)


def machine_code(text: str, folder: Path) -> str:
    """nvcc's, without names and lines; "" without an nvcc."""
    nvcc, dump = shutil.which("nvcc"), shutil.which("cuobjdump")
    if nvcc is None or dump is None:
        return ""
    folder.mkdir(exist_ok=True)
    source, cubin = folder / "m.cu", folder / "m.cubin"
    source.write_text(text)
    command = [nvcc, "-O3", "-std=c++17", "-arch=sm_90", "-cubin", str(source), "-o", str(cubin)]
    if subprocess.run(command, capture_output=True).returncode:
        return ""
    told = subprocess.run([dump, "-sass", str(cubin)], capture_output=True, text=True).stdout
    return told if "_solve" not in told else ""


def host_part(text: str) -> str:
    return re.sub(r"\s+", " ", text[text.index('extern "C"') :])


def grids(text: str) -> list[str]:
    """The expressions of the grid's extents, x first."""
    found = re.search(r"grid\((.*)\);", text)
    return re.split(r",\s*(?![^(]*\))", found[1]) if found else []


def value(expression: str, text: str, sizes: Mapping[str, int]) -> int:
    """An integer expression of the host code: sizes, constants and ``block.x``."""
    shape = re.search(r"dim3 block\((.*)\);", text)
    names: dict[str, int] = dict(sizes)
    for name, given in re.findall(r"(?:constexpr int|#define) (\w+) (?:= )?([\w *]+)", text):
        names[name] = eval(given, {}, names)
    for axis, given in zip("xyz", shape[1].split(",") if shape else (), strict=False):
        names[f"block_{axis}"] = eval(given, {}, names)
    plain = expression.replace("block.", "block_").replace("/", "//")
    return int(eval(plain, {}, names))


def only_more_blocks(mutant: Mutant) -> bool:
    """Whether nothing but the grid differs, and is never smaller: at each size up to 130, several
    times any tile (both sides are linear in the sizes but for the rounding), and at larger ones."""
    original = mutant.rung.read_text()
    before, after = grids(original), grids(mutant.text)
    line = re.compile(r".*grid\(.*\);")
    if len(before) != len(after) or line.sub("", original) != line.sub("", mutant.text):
        return False
    names = ("rows", "cols") if mutant.problem == "transpose" else ("M", "N", "K")
    for one, other in zip(before, after, strict=True):
        for size in (*range(1, 131), 255, 256, 257, 2100) if one != other else ():
            # Each extent depends on one size, or on two after a swap: small and large for others.
            for rest in (1, 40, 2101):
                for name in names:
                    sizes = dict.fromkeys(names, rest) | {name: size}
                    try:
                        if value(other, mutant.text, sizes) < value(one, original, sizes):
                            return False
                    except (ArithmeticError, NameError, SyntaxError):
                        return False
    return before != after


def why_equivalent(mutant: Mutant, scratch: Path) -> str:
    """Why an accepted mutant does what its rung does; "" when nobody knows."""
    for lines, reason in EQUIVALENT:
        if lines.fullmatch(f"{mutant.before}\n{mutant.after}"):
            return reason
    if only_more_blocks(mutant):
        return "the grid has as many blocks or more, and the kernel leaves alone what lies beyond"
    original = mutant.rung.read_text()
    if host_part(original) != host_part(mutant.text):
        return ""
    codes = [machine_code(text, scratch) for text in (original, mutant.text)]
    return "nvcc makes the same machine code of both" if codes[0] and codes[0] == codes[1] else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    everything = mutants(given.backend)
    chosen = random.Random(given.seed).sample(everything, min(given.count, len(everything)))
    backend = CpuBackend() if given.backend == "cpu" else CudaBackend()
    verdicts: Counter[str] = Counter()
    unexplained = 0
    with tempfile.TemporaryDirectory(prefix="leetk-mutants-") as scratch:
        folder = Path(scratch)
        with ThreadPoolExecutor(given.jobs) as pool:
            numbered = enumerate(chosen)
            reports = pool.map(lambda n: judged(n[1], backend, folder / str(n[0])), numbered)
            for mutant, report in zip(chosen, reports, strict=True):
                verdicts[report.verdict.value] += 1
                if report.verdict is Verdict.ACCEPTED:
                    warned = [f.kind for f in report.findings if f.severity == "warning"]
                    reason = why_equivalent(mutant, folder / "code")
                    if not reason and {"out_of_bounds_read", "index_out_of_range"} & set(warned):
                        reason = "what is outside an array is not used; a warning names the line"
                    unexplained += not reason
                    print(f"{mutant.rung.name}:{mutant.line}: {mutant.kind}: accepted {warned}")
                    print(f"    {mutant.before}\n    {mutant.after}\n    {reason or 'UNEXPLAINED'}")
                elif report.verdict in (Verdict.JUDGE_ERROR, Verdict.SKIPPED):
                    unexplained += 1
                    print(f"{mutant.rung.name}:{mutant.line}: {report.verdict.value}")
                    print(f"    {mutant.after}\n    {report.reason}")
    print(f"{len(chosen)} of {len(everything)} mutants: {dict(verdicts)}")
    if unexplained:
        sys.exit(f"{unexplained} are accepted without a reason, or not judged")


if __name__ == "__main__":
    main()
