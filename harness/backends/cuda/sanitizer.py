"""compute-sanitizer: each of its tools watches one call, and its findings become reports.

The arrays are allocations of exactly their size (``ExactMemory``), as memcheck knows of nothing
smaller than an allocation; what lies behind them is padding, so that an access that goes farther
does not end in the next array. initcheck looks at global memory; at shared memory too where this
version can.
"""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.backends.base import Checker, Watch
from harness.backends.cuda.tools import Files, find_tool
from harness.errors import JudgeError
from harness.model import Artifact, BuildOptions, Outcome, Source
from harness.wire import Call, RuntimeReport

_LOG = "leetk-sanitizer.log"
_LOG_BYTES = 8 << 20
_HELP_SECONDS = 30.0
_SHARED_TOO = "--initcheck-address-space"
# racecheck is the slowest: some hundred times a plain call.
_PATIENCE = 10.0
_PADDING = 1 << 16  # bytes behind each allocation
_TOOLS: Mapping[str, tuple[str, ...]] = {
    "memcheck": ("--padding", str(_PADDING), "--report-api-errors", "no", "--print-limit", "1000"),
    "racecheck": ("--racecheck-report", "all", "--print-limit", "4000"),
    "initcheck": ("--print-limit", "1000"),
    "synccheck": ("--print-limit", "1000"),
}

Triple = tuple[int, int, int]


def find_checkers(options: BuildOptions) -> tuple[Checker, ...]:
    """All tools of this machine's compute-sanitizer. Raises ToolchainMissing."""
    program = find_tool("compute-sanitizer")
    extra = {"initcheck": (_SHARED_TOO, "all")} if sees_shared(program) else {}
    return tuple(
        SanitizerTool(tool, command(program, tool, extra.get(tool, ())), options) for tool in _TOOLS
    )


def command(program: Path, tool: str, extra: Sequence[str] = ()) -> tuple[str, ...]:
    """What a command is to be preceded by."""
    return (
        *(str(program), "--tool", tool, "--log-file", _LOG),
        *("--strip-paths", "no", "--show-backtrace", "device"),
        *_TOOLS[tool],
        *extra,
    )


@functools.lru_cache(maxsize=4)
def sees_shared(program: Path) -> bool:
    """Whether its initcheck can look at shared memory."""
    try:
        done = subprocess.run([str(program), "--help"], capture_output=True, timeout=_HELP_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return False
    return _SHARED_TOO.encode() in done.stdout


class SanitizerTool:
    """One tool of compute-sanitizer."""

    def __init__(self, tool: str, prefix: tuple[str, ...], options: BuildOptions) -> None:
        self.watch = Watch(
            f"compute-sanitizer's {tool}",
            options,
            config={"exact": True},
            prefix=prefix,
            patience=_PATIENCE,
        )

    def examine(self, folder: Path, said: str) -> None:
        """Raises JudgeError for a tool that did not work."""
        wrong = complaint(_read(folder / _LOG))
        if wrong:
            raise JudgeError(f"{self.watch.name}: {wrong}")

    def reports(
        self, artifact: Artifact, source: Source, call: Call, folder: Path, outcome: Outcome
    ) -> tuple[RuntimeReport, ...]:
        """What is in its log."""
        addresses = {r.buffer: r.byte for r in outcome.reports if r.kind == "argument"}
        sizes = {b.name: b.nbytes for b in call.buffers}
        arrays = [Array(name, at, sizes[name]) for name, at in addresses.items() if name in sizes]
        return parse(_read(folder / _LOG), arrays, Files(source))


def _read(log: Path) -> str:
    try:
        with open(log, "rb") as file:
            return file.read(_LOG_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


# --- the log -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Array:
    """An argument at a device ``address``, of so many bytes."""

    name: str
    address: int
    size: int


_MARK = re.compile(r"^={9} ?", re.MULTILINE)
_ACCESS = re.compile(r"Invalid __(\w+)__ (\w+) of size (\d+) bytes")
_FRESH = re.compile(r"Uninitialized __(\w+)__ memory read of size (\d+) bytes")
_BARRIER = re.compile(r"Barrier error detected\. (.*)")
_HAZARD = re.compile(
    r"(?:Error|Warning): Potential (RAW|WAR|WAW) hazard detected .* in block (.*) :"
)
_RACE = re.compile(r"(?:Error|Warning): Race reported between (\w+) access (at .*)")
_AND = re.compile(r"\s*and (\w+) access (at .*?)(?: \[\d+ hazards?\])?$", re.MULTILINE)
_PARTY = re.compile(r"^\s*(Write|Read) Thread (\(.*?\)) (at .*)$", re.MULTILINE)
_AT = re.compile(
    r"\bat (\w.*?)\+0x[0-9a-f]+(?: in (.*?):(\d+))?(?: \[\d+ hazards?\])?\s*$", re.MULTILINE
)
_FRAME = re.compile(r"Device Frame: ?(.*?)\+0x[0-9a-f]+ in (.*):(\d+)\s*$", re.MULTILINE)
_BY = re.compile(r"by thread (\(.*?\)) in block (\(.*?\))")
_WHERE = re.compile(
    r"(?:Address|Access (?:to|at)) (0x[0-9a-f]+)(?: is (out of bounds|misaligned))?"
)
_ERROR = re.compile(r"^(?:Error|Internal Sanitizer Error): (.*)")

_SPACES = {"shared": "its __shared__ memory", "local": "its local memory"}
_DONE = {"read": "read", "write": "wrote", "atomic": "updated"}


def complaint(log: str) -> str:
    """What compute-sanitizer says of itself: that it cannot work here. "" if nothing."""
    for record in _records(log):
        error = _ERROR.match(record)
        if error and not _HAZARD.match(record) and not _RACE.match(record):
            return error[1].strip()
    return ""


def parse(log: str, arrays: Sequence[Array], files: Files) -> tuple[RuntimeReport, ...]:
    """The findings of a log, the first of each kind and line. ``arrays`` are the arguments."""
    found: dict[tuple[str, str, int], RuntimeReport] = {}
    races: set[frozenset[tuple[str, str, int]]] = set()
    for record in _records(log):
        report = _report(record, arrays, files)
        if report is None:
            continue
        if report.kind == "race":
            # First told by byte, with the threads, then once more by the pair of instructions.
            pair = frozenset(_places(record))
            if pair in races:
                continue
            races.add(pair)
        found.setdefault((report.kind, report.file, report.line), report)
    return tuple(found.values())


def _records(log: str) -> Iterator[str]:
    """Each finding: a line and those that are indented below it."""
    record: list[str] = []
    for line in _MARK.sub("", log).splitlines():
        if line.startswith(" ") and record:
            record.append(line)
            continue
        if record:
            yield "\n".join(record)
        record = [line] if line.strip() else []
    if record:
        yield "\n".join(record)


def _report(record: str, arrays: Sequence[Array], files: Files) -> RuntimeReport | None:
    if access := _ACCESS.match(record):
        return _access(record, access, arrays, files)
    if fresh := _FRESH.match(record):
        what = _touched(record, fresh[1], int(fresh[2]), arrays)
        name = "{where}" if what.buffer else f"{fresh[1]} memory"
        message = f"{name} is read before anything was written there"
        return _placed(replace(what, kind="uninitialised_read", message=message), record, files)
    if barrier := _BARRIER.match(record):
        message = (
            f"a barrier is not reached as it must be: {barrier[1].strip().rstrip('.').lower()}"
        )
        return _placed(RuntimeReport("divergent_barrier", message), record, files)
    if hazard := _HAZARD.match(record):
        return _hazard(record, hazard, files)
    if race := _RACE.match(record):
        return _race(record, race, files)
    return None


def _access(
    record: str, access: re.Match[str], arrays: Sequence[Array], files: Files
) -> RuntimeReport:
    space, verb, size = access.groups()
    done = _DONE.get(verb, verb)
    where = _WHERE.search(record)
    what = _touched(record, space, int(size), arrays)
    if where and where[2] == "misaligned":
        message = f"a kernel {done} {size} bytes at an address that is no multiple of {size}"
        report = replace(what, kind="illegal_access", message=message)
    else:
        kind = "out_of_bounds_read" if verb == "read" else "out_of_bounds_write"
        report = replace(what, kind=kind, message=f"a kernel {done} outside {what.message}")
    return _placed(report, record, files)


def _touched(record: str, space: str, size: int, arrays: Sequence[Array]) -> RuntimeReport:
    """With the array that the address belongs to or lies nearest to; ``message`` names it."""
    where = _WHERE.search(record)
    name = _SPACES.get(space, "every array")
    nowhere = RuntimeReport("", name, bytes=size)
    if where is None or space != "global":
        return nowhere
    address = int(where[1], 16)
    near = [array for array in arrays if _distance(array, address) < _PADDING]
    if not near:
        return nowhere
    array = min(near, key=lambda array: _distance(array, address))
    byte = address - array.address
    return replace(nowhere, message=array.name, buffer=array.name, byte=byte, size=array.size)


def _distance(array: Array, address: int) -> int:
    if address < array.address:
        return array.address - address
    return max(0, address - array.address - array.size + 1)


def _placed(report: RuntimeReport, record: str, files: Files) -> RuntimeReport:
    """With the kernel, the author's line and the thread."""
    by = _BY.search(record)
    kernel, file, line = _place(_places(record), files)
    return replace(
        report,
        kernel=kernel,
        file=file,
        line=line,
        thread=_triple(by[1]) if by else (),
        block=_triple(by[2]) if by else (),
    )


def _places(record: str) -> list[tuple[str, str, int]]:
    """Function, file and line of the instruction, then of those that called it."""
    found = [*_AT.findall(record), *_FRAME.findall(record)]
    return [(function, file, int(line or 0)) for function, file, line in found]


def _place(places: Iterable[tuple[str, str, int]], files: Files) -> tuple[str, str, int]:
    """Kernel, file and line: the innermost place in a file of the author's."""
    known = list(places) or [("", "", 0)]
    function, file, line = next((p for p in known if p[1] and files.own(p[1])), known[0])
    name = re.search(r"(\w+)(?:<.*>)?\(", function)
    return name[1] if name else function, files.shown(file) if file else "", line


def _triple(text: str) -> Triple:
    x, y, z = (int(part) for part in text.strip("()").split(","))
    return x, y, z


_LATER = {"RAW": "Read", "WAR": "Write", "WAW": "Write"}
_TOLD = {"Read": "read", "Write": "written"}


def _hazard(record: str, hazard: re.Match[str], files: Files) -> RuntimeReport | None:
    """One byte of shared memory that two threads of ``block`` touched with nothing between. The
    place is that of the later access."""
    parties = _PARTY.findall(record)
    if len(parties) < 2:
        return None
    verbs = [verb for verb, _, _ in parties]
    # Of two writes the second is told last.
    later = len(verbs) - 1 - verbs[::-1].index(_LATER[hazard[1]])
    earlier = 1 - later
    report = _conflict(parties[later][0::2], parties[earlier][0::2], parties[earlier][1], files)
    return replace(report, thread=_triple(parties[later][1]), block=_triple(hazard[2]))


def _race(record: str, race: re.Match[str], files: Files) -> RuntimeReport | None:
    """Two instructions that touch the same shared memory with nothing between."""
    other = _AND.search(record)
    if other is None:
        return None
    return _conflict((other[1], other[2]), (race[1], race[2]), "", files)


def _conflict(
    here: Sequence[str], there: Sequence[str], thread: str, files: Files
) -> RuntimeReport:
    """``here`` and ``there``: Read or Write, and its place."""
    kernel, file, line = _place(_places(here[1]), files)
    _, other_file, other_line = _place(_places(there[1]), files)
    who = f"thread {thread.replace(',', ', ')}" if thread else "another thread"
    message = (
        f"a race on shared memory: {_TOLD[here[0]]} here and {_TOLD[there[0]]} by {who} at "
        "{other}, and nothing orders the two: is a __syncthreads() missing?"
    )
    return RuntimeReport(
        *("race", message),
        kernel=kernel,
        file=file,
        line=line,
        other_file=other_file,
        other_line=other_line,
    )
