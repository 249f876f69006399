"""A wrong output laid out for the detectors of ``explain``: what was got, what was wanted, where.

A detector may only say what the arrays prove. Its tool is ``Fault.matches``: a candidate (the
output that a suspected mistake would have given) explains the fault when it reproduces *every*
written element within the tolerance, wrong and right ones alike, and there are enough wrong ones
that chance can be left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.compare import poison_pattern
from harness.model import Argument, CaseData, Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from harness.model import Array

    Numbers = NDArray[Any]
    Mask = NDArray[np.bool_]

Detector = Callable[["Fault"], str]

_PROBES = 64


@dataclass(frozen=True)
class Fault:
    """``got`` and ``expected`` are matrices (rows of the last dimension; a vector is one row) in
    float64 or integers, ``allowed`` the absolute error that passes, without the part that grows
    with the value (``rtol``). ``shape`` is the output's own. ``probes`` are the rows and columns of
    a few wrong, written elements, on which most candidates fail at once. ``special``: the inputs
    hold special values, which are moved."""

    problem: Problem
    argument: Argument
    raw: Numbers
    got: Numbers
    expected: Numbers
    allowed: Numbers
    rtol: float
    wrong: Mask
    unwritten: Mask
    inputs: Mapping[str, Array]
    slack: Numbers
    shape: tuple[int, ...]
    probes: tuple[Numbers, Numbers]
    special: bool = False

    @property
    def name(self) -> str:
        return self.argument.name

    @property
    def written(self) -> Mask:
        return ~self.unwritten

    @property
    def is_float(self) -> bool:
        return self.raw.dtype.kind == "f"

    def near(self, candidate: Numbers) -> Mask:
        """Where ``got`` is the candidate, within the tolerance. A NaN is near nothing."""
        return _near(self.got, candidate, self.allowed, self.rtol)

    def matches(self, candidate: Numbers, known: Mask | None = None) -> bool:
        """Whether the candidate explains the fault. ``known`` are the elements that it speaks of
        (the others came from memory that nobody knows): at least half of the wrong ones."""
        at = self.probes
        hit = _near(self.got[at], candidate[at], self.allowed[at], self.rtol)
        if not (hit if known is None else hit | ~known[at]).all():
            return False
        use = self.written if known is None else self.written & known
        wrong = use & self.wrong
        count = int(wrong.sum())
        if 2 * count < int((self.wrong & self.written).sum()) or not self.is_evidence(wrong):
            return False
        return bool(self.near(candidate)[use].all())

    def is_evidence(self, wrong: Mask) -> bool:
        """Whether these wrong elements are enough, and different enough, to prove a pattern."""
        needed = 2 if self.is_float else 6
        return len(np.unique(self.got[wrong][:4096])) >= needed


def lay_out(problem: Problem, argument: Argument, got: Array, data: CaseData, limit: int) -> Fault:
    """Prepare a wrong output for the detectors: its first rows, of ``limit`` elements together."""
    right: Numbers = data.expected[argument.name]
    columns = got.shape[-1] if got.ndim else 1
    part = slice(max(1, limit // columns)), slice(min(columns, limit))
    raw = got.reshape(-1, columns)[part]
    expected = right.reshape(-1, columns)[part]
    slack = np.broadcast_to(data.slack[argument.name], right.shape).reshape(-1, columns)[part]
    unwritten = unwritten_of(raw, argument.type)
    tolerance = problem.tolerance
    with np.errstate(all="ignore"):
        if raw.dtype.kind == "f":
            wide, expected = raw.astype(np.float64), expected.astype(np.float64)
            allowed = tolerance.atol + slack.astype(np.float64)
            wrong = ~(np.abs(wide - expected) <= allowed + tolerance.rtol * np.abs(expected))
            wrong &= ~((wide == expected) | (np.isnan(wide) & np.isnan(expected) & ~unwritten))
            if data.signed_zeros:
                wrong |= (expected == 0) & (np.signbit(wide) != np.signbit(expected))
        else:
            wide = (_bits(raw) if raw.dtype.kind == "b" else raw).astype(np.int64)
            expected = expected.astype(np.int64)
            allowed = np.zeros(raw.shape)
            wrong = np.asarray(wide != expected)
            unwritten &= wrong
    rtol = tolerance.rtol if raw.dtype.kind == "f" else 0.0
    probes = _probes_of(wrong & ~unwritten)
    return Fault(
        problem, argument, raw, wide, expected, allowed, rtol, wrong, unwritten, data.inputs,
        slack, tuple(got.shape), probes, data.signed_zeros,
    )  # fmt: skip


def _near(got: Numbers, candidate: Numbers, allowed: Numbers, rtol: float) -> Mask:
    with np.errstate(all="ignore"):
        return np.asarray(np.abs(got - candidate) <= allowed + rtol * np.abs(candidate))


def unwritten_of(raw: Numbers, dtype: str) -> Mask:
    """Which elements hold the judge's poison."""
    words = [int.from_bytes(poison_pattern(dtype, variant), sys.byteorder) for variant in (0, 1)]
    return np.isin(_bits(raw), words)


def _probes_of(wrong: Mask) -> tuple[Numbers, Numbers]:
    rows, columns = np.nonzero(wrong)
    step = max(1, len(rows) // _PROBES)
    return rows[::step], columns[::step]


def _bits(array: Numbers) -> Numbers:
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


# --- words for places --------------------------------------------------------------------------


def only_run(mask: Mask) -> tuple[int, int] | None:
    """The (first, last) of the set elements, when they are one run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return (int(edges[0]), int(edges[1]) - 1) if len(edges) == 2 else None


def span(what: str, first: int, last: int) -> str:
    """``rows 16 to 18``, ``rows 4 and 5`` or ``row 16``."""
    if first == last:
        return f"{what} {first}"
    joint = "and" if last == first + 1 else "to"
    return f"{what}s {first} {joint} {last}"


def any_along(mask: Mask, axis: int) -> Mask:
    """For each row (axis 1) or column (axis 0): whether anything in it is set."""
    return np.asarray(np.any(mask, axis=axis), dtype=np.bool_)


def lines_of(mask: Mask) -> Iterator[tuple[str, Mask]]:
    """Each way in which the mask is whole lines: ("row", which rows), ("column", which)."""
    if mask.shape[0] > 1:
        rows = any_along(mask, 1)
        if mask[rows].all():
            yield "row", rows
    if mask.shape[1] > 1:
        columns = any_along(mask, 0)
        if mask[:, columns].all():
            yield ("column" if mask.shape[0] > 1 else "element"), columns


def place(mask: Mask) -> str:
    """Where the set elements are, when that is one run of whole rows or columns; else empty."""
    for what, lines in lines_of(mask):
        found = only_run(lines)
        if found and not lines.all():
            return span(what, *found)
    return ""


def first_hint(fault: Fault, detectors: Sequence[Detector]) -> str:
    """What the first detector that recognises the fault says."""
    for detector in detectors:
        hint = detector(fault)
        if hint:
            return hint
    return ""
