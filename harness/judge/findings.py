"""What a runtime or a tool reported as findings for people: in the words of the problem and of the
source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from harness.judge.evaluate import report_text
from harness.model import Finding, Verdict
from harness.wire import Buffer, Call, RuntimeReport

UNCHECKED = "unchecked"  # not all was looked at
# What a finding means under --strict, and where it is more than a suspicion.
VERDICTS = {
    "out_of_bounds_read": Verdict.OUT_OF_BOUNDS,
    "out_of_bounds_write": Verdict.OUT_OF_BOUNDS,
    "index_out_of_range": Verdict.OUT_OF_BOUNDS,
    "launch_error": Verdict.RUNTIME_ERROR,
    "illegal_access": Verdict.RUNTIME_ERROR,
    "host_memory": Verdict.RUNTIME_ERROR,
    "divergent_barrier": Verdict.RUNTIME_ERROR,
    "race": Verdict.NONDETERMINISTIC,
    "read_only_load": Verdict.NONDETERMINISTIC,
    "input_written": Verdict.INPUT_MODIFIED,
    "copy_kind": Verdict.RUNTIME_ERROR,
    UNCHECKED: Verdict.TIME_LIMIT,
}
# What checkers look for; other reports are those of a plain call. The first explain most.
CHECKED = (
    "out_of_bounds_write",
    "host_memory",
    "index_out_of_range",
    "race",
    "uninitialised_read",
    "read_only_load",
    "input_written",
    "out_of_bounds_read",
)
# Relative: more than sums in two orders differ by, less than any update that is left out.
_ROUNDING = 1e-3
# What can't be right on a GPU, whatever the outputs are here.
CERTAIN = frozenset(("out_of_bounds_write", "host_memory"))
_OUTSIDE = {"out_of_bounds_write": "wrote", "out_of_bounds_read": "read"}


def finding_of(report: RuntimeReport, call: Call, text: str) -> Finding:
    """The report as a finding: no more than an information where right outputs show that it does
    no harm, an error where an output is not what it will be on a GPU. ``text`` is the source's, for
    the shapes of its arrays."""
    buffer = next((b for b in call.buffers if b.name == report.buffer), None)
    message = report.message
    if buffer is not None and report.kind in _OUTSIDE:
        message = f"a kernel {_OUTSIDE[report.kind]} {_outside(buffer, report)}"
    elif report.kind in _OUTSIDE and report.bytes:
        message = f"a kernel {_OUTSIDE[report.kind]} {_distance(report)} of {report.buffer}"
    elif "{where}" in message:
        message = message.replace("{where}", _where(buffer, report, text))
    message = message.replace("{other}", _other(report))
    shown = report_text(replace(report, message=message), with_place=False)
    severity = "info" if report.doubtful or report.kind == UNCHECKED else "warning"
    if _decides(report, buffer):
        severity = "error"
    return Finding(report.kind, severity, shown, report.file, report.line)


def _decides(report: RuntimeReport, buffer: Buffer | None) -> bool:
    """Whether an output is another one when the threads come in another order."""
    if buffer is None:
        return report.lost
    if buffer.role == "in":
        return False
    return report.lost or _differ(report, buffer)


def _differ(report: RuntimeReport, buffer: Buffer) -> bool:
    """Two threads wrote an element of an output. Threads that compute the same thing in two ways
    differ by rounding alone, which is no fault."""
    size = np.dtype(buffer.dtype).itemsize
    texts = (report.before, report.after)
    if not report.before or any(len(text) % (2 * size) for text in texts):
        return False
    one, other = (np.frombuffer(bytes.fromhex(text), buffer.dtype) for text in texts)
    if one.dtype.kind != "f":
        return not np.array_equal(one, other)
    with np.errstate(invalid="ignore"):  # memory that nobody wrote holds signalling NaN
        wide = one.astype(np.float64), other.astype(np.float64)
    return not np.allclose(*wide, rtol=_ROUNDING, atol=0, equal_nan=True)


def leading(findings: Iterable[Finding]) -> Finding | None:
    """The finding that explains most: what makes a kernel wrong, before what may be harmless."""
    known = [finding for finding in findings if finding.kind in CHECKED]
    return min(known, key=lambda finding: CHECKED.index(finding.kind), default=None)


def plainest(reports: Iterable[RuntimeReport]) -> tuple[RuntimeReport, ...]:
    """One of those that are the same to a reader: of one kind, on one variable, at one place or,
    for a race, at the same two."""
    found: dict[tuple[object, ...], RuntimeReport] = {}
    for report in reports:
        places = {(report.file, report.line), (report.other_file, report.other_line)}
        key = (report.kind, report.buffer, frozenset(places))
        if key not in found or _says_more(report, found[key]):
            found[key] = report
    return tuple(found.values())


def _says_more(one: RuntimeReport, other: RuntimeReport) -> bool:
    if one.kind in _OUTSIDE:
        return (_far(one), -one.bytes) < (_far(other), -other.bytes)
    return one.weight > other.weight


def _far(report: RuntimeReport) -> int:
    """Bytes from the nearest end."""
    return -report.byte if report.byte < 0 else report.byte - report.size


def _other(report: RuntimeReport) -> str:
    if not report.other_line:
        return "another place"
    if (report.other_file, report.other_line) == (report.file, report.line):
        return "the same line"
    if report.other_file == report.file:
        return f"line {report.other_line}"
    return f"{report.other_file}:{report.other_line}"


def _outside(buffer: Buffer, report: RuntimeReport) -> str:
    """``A[17][0], 4 bytes past the end of A (17x19)``."""
    size = np.dtype(buffer.dtype).itemsize
    name = f"{buffer.name} ({'x'.join(map(str, buffer.shape))})"
    place = f"{_distance(replace(report, size=buffer.nbytes))} of {name}"
    return f"{buffer.name}{_index(report.byte // size, buffer.shape)}, {place}"


def _distance(report: RuntimeReport) -> str:
    """How far the access reaches: ``4 bytes past the end``."""
    if report.byte < 0:
        return f"{_bytes(-report.byte)} before the start"
    return f"{_bytes(report.byte + max(report.bytes, 1) - report.size)} past the end"


def _bytes(count: int) -> str:
    return f"{count} byte{'' if count == 1 else 's'}"


def _where(buffer: Buffer | None, report: RuntimeReport, text: str) -> str:
    if buffer is not None:
        size = np.dtype(buffer.dtype).itemsize
        return f"{buffer.name}{_index(report.byte // size, buffer.shape)}"
    name = report.buffer
    if not name.isidentifier():
        return f"{name} (byte {report.byte})"
    size = report.bytes or 1
    shape = _shape(text, name, report.size // size)
    if shape is None:
        return f"{name} (byte {report.byte})" if report.size > size else name
    return f"{name}{_index(report.byte // size, shape)}"


def _index(flat: int, shape: Sequence[int]) -> str:
    """``[17][0]``: the first index takes up what the others leave."""
    indices: list[int] = []
    for extent in reversed(shape[1:]):
        indices.append(flat % max(extent, 1))
        flat //= max(extent, 1)
    return "".join(f"[{index}]" for index in [flat, *reversed(indices)])


@lru_cache(maxsize=64)
def _shape(text: str, name: str, elements: int) -> tuple[int, ...] | None:
    """The extents of the array that the source declares under this name, where they can be read
    off and make up so many elements."""
    brackets = r"((?:\[[^\[\]]{1,80}\]\s{0,80}){1,8})"  # bounded: the text may be hostile
    for declared in re.finditer(rf"\b{re.escape(name)}\s{{0,80}}{brackets}[;,={{]", text):
        extents = re.findall(r"\[([^\[\]]+)\]", declared[1])
        shape = tuple(_value(text, extent) for extent in extents)
        if all(shape) and np.prod(shape) == elements:
            return shape
    return None


def _value(text: str, expression: str) -> int:
    """The value of a constant expression such as ``TILE + 1``; 0 if it is not plain."""

    def number(match: re.Match[str]) -> str:
        word = re.escape(match[0])
        constant = rf"\bconst(?:expr)?\b[^;=]{{0,80}}\b{word}\s*=\s*"
        found = re.search(rf"(?:#\s*define\s+{word}\s+|{constant})\(?(\d+)\)?", text)
        return found[1] if found else "?"

    plain = re.sub(r"[A-Za-z_]\w*", number, expression)
    terms = re.fullmatch(r"\s*(\d+)\s*(?:([+*])\s*(\d+)\s*)?", plain)
    if terms is None:
        return 0
    first = int(terms[1])
    if not terms[2]:
        return first
    return first + int(terms[3]) if terms[2] == "+" else first * int(terms[3])
