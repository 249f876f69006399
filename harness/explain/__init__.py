"""From the shape of a fault to a hint: one sentence that a learner can act on, or nothing.

Every hint states what the arrays prove (``fault.Fault.matches``) and then, as a question or after a
colon, the usual cause. The detectors run from the most specific to the least; the first that
recognises the fault speaks. What was never written comes first, because what else is wrong may
follow from it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from harness.compare import QUIET_BIT, poison_pattern
from harness.explain import copies, einsum, special
from harness.explain.fault import (
    Fault,
    any_along,
    first_hint,
    lay_out,
    lines_of,
    only_run,
    place,
    span,
    unwritten_of,
)
from harness.model import Argument, CaseData, Mismatch, Problem

if TYPE_CHECKING:
    from harness.explain.fault import Detector, Mask
    from harness.model import Array

# Beyond this many elements only the first rows are looked at, and nothing is computed anew.
LARGE = 1 << 18
SMALL = 4
# The longest pattern looked for among a million lines, and the part of them that tells most apart.
_LONGEST_PERIOD = 1024
_FIRST_LINES = 4096


def explain(problem: Problem, mismatch: Mismatch, got: Array, data: CaseData) -> str:
    """A hint for a wrong output, in one sentence without a full stop; "" when nothing fits."""
    if mismatch.total < SMALL and not mismatch.unwritten:
        return ""  # so few numbers show patterns that aren't there; a larger case will tell
    argument = next(a for a in problem.outputs if a.name == mismatch.argument)
    with np.errstate(all="ignore"):
        if got.size > LARGE:
            return _explain_large(problem, argument, mismatch, got, data)
        return _explain_whole(problem, argument, got, data)


def _explain_whole(problem: Problem, argument: Argument, got: Array, data: CaseData) -> str:
    fault = lay_out(problem, argument, got, data, LARGE)
    anew = [*copies.WHOLE, *einsum.RECOMPUTED]
    if fault.unwritten.any():
        return first_hint(fault, anew) or _unwritten(fault.name, fault.unwritten)
    copied = [*copies.LINES, *copies.ARITHMETIC, *copies.EXCHANGED]
    return first_hint(fault, [*_VALUES, *anew, *copied, einsum.precision, *_PLACES])


def _explain_large(
    problem: Problem, argument: Argument, mismatch: Mismatch, got: Array, data: CaseData
) -> str:
    """Of a large output, what was never written, else what its first rows show."""
    columns = got.shape[-1]
    if mismatch.unwritten:
        unwritten = unwritten_of(got, argument.type).reshape(-1, columns)
        if int(unwritten.sum()) == mismatch.unwritten:
            return _unwritten(argument.name, unwritten)
    fault = lay_out(problem, argument, got, data, LARGE)
    if not fault.wrong.any() or fault.unwritten.any():
        return ""
    hint = first_hint(fault, [*_VALUES, *copies.LINES])
    rows, what = fault.got.shape[0], "rows"
    if rows == 1:
        rows, what = fault.got.shape[1], "elements"
    return f"in the first {rows} {what}, {hint}" if hint else ""


# --- never written -----------------------------------------------------------------------------


def _unwritten(name: str, mask: Mask) -> str:
    if mask.all():
        return (
            f"nothing was ever written to {name}: is the kernel launched, and does any thread "
            "get past its guard?"
        )
    cause = "the grid has too few blocks there, or a guard is too strict"
    written = ~mask
    rows, columns = any_along(written, 1), any_along(written, 0)
    height, width = int(rows.sum()), int(columns.sum())
    if height * width == int(written.sum()) and rows[:height].all() and columns[:width].all():
        parts = []
        if height < len(rows):
            parts.append(span("row", height, len(rows) - 1))
        if width < len(columns):
            what = "column" if len(rows) > 1 else "element"
            parts.append(span(what, width, len(columns) - 1))
        if _looks_turned(height, width, written.shape):
            cause = (
                "the grid's x and y are swapped, it has too few blocks there, or a guard is wrong"
            )
        verb = "were" if len(parts) > 1 or _is_plural(parts[0]) else "was"
        return f"{' and '.join(parts)} {verb} never written: {cause}"
    flat = int(np.flatnonzero(mask)[0])
    if mask.reshape(-1)[flat:].all():
        return f"{name} was never written from flat index {flat} on: too few threads, or {cause}"
    for what, lines in lines_of(mask):
        pattern = _pattern(what, lines)
        if pattern:
            verb = "were" if _is_plural(pattern) else "was"
            return f"{pattern} {verb} never written: are some indices skipped?"
    return ""


def _looks_turned(height: int, width: int, shape: tuple[int, ...]) -> bool:
    """Whether blocks counted for the other dimension would reach just this far."""
    rows, columns = shape
    for tile in (8, 16, 32):
        reach = -(-columns // tile) * tile, -(-rows // tile) * tile
        if (height, width) == (min(rows, reach[0]), min(columns, reach[1])):
            return True
    return False


def _pattern(what: str, lines: Mask) -> str:
    """``rows 4 to 7``, or ``odd columns``, or ``columns 16 to 31 of every 32``; else empty."""
    found = only_run(lines)
    if found:
        return span(what, *found)
    for period in range(2, min(len(lines) // 2, _LONGEST_PERIOD) + 1):
        if _repeats(lines[:_FIRST_LINES], period) and _repeats(lines, period):
            if period == 2:
                return f"{'odd' if lines[1] else 'even'} {what}s"
            inside = only_run(lines[:period])
            return f"{span(what, *inside)} of every {period}" if inside else ""
    return ""


def _repeats(lines: Mask, period: int) -> bool:
    return np.array_equal(lines[period:], lines[:-period])


# --- what the values are -----------------------------------------------------------------------


def _not_a_number(fault: Fault) -> str:
    if not fault.is_float:
        return ""
    nan = np.isnan(fault.got) & ~np.isnan(fault.expected)
    if not nan.any() or int(nan.sum()) < int(fault.wrong.sum()):
        return ""
    where = "every element" if nan.all() else place(nan) or "each wrong element"
    verb = "are" if _is_plural(where) else "is"
    if _is_quieted(fault, nan):
        return (
            f"{where} {verb} NaN computed from memory that was never written: is {fault.name} "
            "added to (+=) without being set first, or is an element past an array's end or of "
            "shared memory read before it is written?"
        )
    return (
        f"{where} {verb} NaN though no input is: is something read that was never written, such as "
        f"{fault.name} itself (+=), an element past an array's end, or shared memory?"
    )


def _is_quieted(fault: Fault, nan: Mask) -> bool:
    """Whether the NaNs carry the judge's poison, made quiet by arithmetic (as a CPU does it)."""
    dtype = fault.argument.type
    words = [
        int.from_bytes(poison_pattern(dtype, variant), sys.byteorder) | QUIET_BIT[dtype]
        for variant in (0, 1)
    ]
    bits = np.ascontiguousarray(fault.raw).view(f"u{fault.raw.dtype.itemsize}")
    sign = 1 << (8 * fault.raw.dtype.itemsize - 1)
    words += [word ^ sign for word in words]
    return bool(np.isin(bits[nan], words).all())


def _narrow_integer(fault: Fault) -> str:
    if fault.is_float or int(fault.wrong.sum()) < 2:
        return ""
    got, expected = fault.got[fault.wrong], fault.expected[fault.wrong]
    for bits in (32, 16, 8):
        if bits >= 8 * fault.raw.dtype.itemsize:
            continue
        half = 1 << (bits - 1)
        for low, kind in ((-half, "int"), (0, "unsigned int")):
            wrapped = (expected - low) % (2 * half) + low
            if np.array_equal(wrapped, got):
                return (
                    f"the wrong elements are right modulo 2^{bits}: a sum or product overflows "
                    f"a {bits}-bit {kind}"
                )
    return ""


def _zeros(fault: Fault) -> str:
    if fault.got[fault.wrong].any():
        return ""
    if not fault.got.any():
        return (
            "every element is zero: is the loop over the terms entered (a count rounded down "
            "to 0?), and is its sum stored?"
        )
    where = place(fault.wrong) or "the wrong elements"
    if int(fault.wrong.sum()) == 1:
        where = "the wrong element"
    verb = "are" if _is_plural(where) else "is"
    return f"{where} {verb} zero: skipped by a guard?"


def _is_plural(where: str) -> bool:
    return where.startswith(("rows", "columns", "elements", "odd", "even", "the wrong elements"))


def _constant(fault: Fault) -> str:
    if fault.got.size < 4 or int(fault.wrong.sum()) < 3 or (fault.got != fault.got[0, 0]).any():
        return ""
    return f"every element is {fault.got[0, 0]:.9g}: is each thread's own index used?"


def _wrong_sign(fault: Fault) -> str:
    """Only signs are wrong, and not all of them (that would be a factor of -1)."""
    if not fault.is_evidence(fault.wrong) or fault.got.dtype.kind == "u":
        return ""
    turned = fault.near(-fault.expected)
    if not turned[fault.wrong].all() or turned.all():
        return ""
    if (fault.got >= 0).all():
        return "the wrong elements are right but for their sign: negative numbers come out positive"
    return "the wrong elements are right but for their sign"


def _whole_numbers(fault: Fault) -> str:
    if not fault.is_float or not fault.is_evidence(fault.wrong):
        return ""
    every_whole = 2.0 ** int(np.finfo(fault.raw.dtype).nmant)  # such large numbers all are
    if not (np.abs(fault.got) < every_whole).all():
        return ""
    fraction = np.abs(fault.expected - np.round(fault.expected))
    if (fault.got != np.trunc(fault.got)).any() or np.median(fraction[fault.wrong]) < 0.01:
        return ""
    return "every element is a whole number: is something computed or stored as int?"


# --- where they are ----------------------------------------------------------------------------


def _only_first_block(fault: Fault) -> str:
    return "" if fault.got[fault.wrong].any() else _first_block(fault)


def _first_block(fault: Fault) -> str:
    """Only a rectangle at the origin is right."""
    right = ~fault.wrong
    rows, columns = any_along(right, 1), any_along(right, 0)
    height, width = int(rows.sum()), int(columns.sum())
    if height * width != int(right.sum()) or not height:
        return ""
    if not (rows[:height].all() and columns[:width].all()):
        return ""
    if not fault.is_evidence(fault.wrong) and fault.got[fault.wrong].any():
        return ""
    rest = "" if fault.got[fault.wrong].any() else ", all others are zero"
    if (height, width) == (1, 1):
        return f"only the first element is right{rest}: is each thread's own index used?"
    tile = (4, 8, 16, 32, 64, 128)
    if right.shape[0] == 1 and width in (*tile, 256, 512, 1024):
        return f"only the first {width} elements are right{rest}: is blockIdx left out?"
    if height in tile and width in tile:
        return f"only the first {height} x {width} elements are right{rest}: is blockIdx left out?"
    return ""


def _last_tile(fault: Fault) -> str:
    """Wrong only in the last rows or columns, from a multiple of 8 on."""
    parts = []
    left = fault.wrong
    for axis, what in ((0, "row"), (1, "column")):
        extent = fault.wrong.shape[axis]
        for tile in (32, 16, 8):
            start = extent // tile * tile
            head = left[:start] if axis == 0 else left[:, :start]
            if 0 < start < extent and not head.any():
                what = what if fault.wrong.shape[0] > 1 else "element"
                parts.append(span(what, start, extent - 1))
                break
    if not parts:
        return ""
    return (
        f"every wrong element lies in {parts[0]}, the last, partial tile: is its guard, or the "
        "padding of what it loads, right?"
    )


def _somewhere(fault: Fault) -> str:
    where = place(fault.wrong)
    if where and not fault.wrong.all() and int(fault.wrong.sum()) > 1:
        verb = "are" if _is_plural(where) else "is"
        return f"all wrong elements are in {where}, which {verb} wrong throughout"
    return ""


# What compilers fill a float with that is never initialised (-ftrivial-auto-var-init): GCC a large
# number, clang a NaN.
_UNSET_BITS = 0xFEFEFEFE
_UNSET_NAN = 0xFFFFFFFF
_FAR_BEYOND = 1e6


def _never_set(fault: Fault) -> str:
    """Float32 values that are, or nearly are, the fill of variables without a value."""
    if fault.raw.dtype != np.float32:
        return ""
    fill = float(np.array(_UNSET_BITS, np.uint32).view(np.float32))
    wrong = fault.got[fault.wrong]
    bits = np.ascontiguousarray(fault.raw).view(np.uint32)[fault.wrong]
    filled = (bits == _UNSET_NAN) | (np.abs(wrong - fill) <= 1e-3 * abs(fill))
    if wrong.size == 0 or not bool(np.all(filled)):
        return ""
    return (
        "a local variable is read before it is set: does the sum start from 0, and has each array "
        "that threads share its __shared__?"
    )


def _huge(fault: Fault) -> str:
    """Every wrong element is far beyond any right one: no mistake in an index does that."""
    if not fault.is_float or int(fault.wrong.sum()) < 2:
        return ""
    largest = float(np.abs(fault.expected).max())
    size = np.abs(fault.got[fault.wrong])
    if not np.isfinite(largest) or not (size > _FAR_BEYOND * max(largest, 1.0)).all():
        return ""
    infinite = bool(np.isinf(size).all())
    what = "infinite" if infinite else "far too large"
    which = "every element" if fault.wrong.all() else "each wrong element"
    overflow = ", or does a step on the way overflow" if infinite else ""
    return (
        f"{which} is {what}: is something read that was never set (a sum that does not start from "
        f"0, an array that threads share without __shared__){overflow}?"
    )


_VALUES: list[Detector] = [
    special.special_values,
    _never_set,
    _not_a_number,
    _huge,
    _narrow_integer,
    _only_first_block,
    _zeros,
    _constant,
    _wrong_sign,
    _whole_numbers,
]
_PLACES: list[Detector] = [_first_block, _last_tile, _somewhere]
