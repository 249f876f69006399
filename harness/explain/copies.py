"""Detectors for outputs that hold the right numbers in the wrong places, or changed alike.

Repeated rows or columns, a shift, a copy of the input, a transposed result, a constant factor or
offset. Each builds the output that the mistake would give and asks whether it is what was got.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from harness.explain.fault import Detector, Fault, span

if TYPE_CHECKING:
    from harness.explain.fault import Numbers

_WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128)
_MOST_EXCHANGED = 256
_SAMPLE = 64


def copied_input(fault: Fault) -> str:
    """The output is an input, element by element in memory."""
    for name, array in fault.inputs.items():
        if array.size == fault.got.size and array.dtype.kind == fault.raw.dtype.kind:
            if fault.matches(array.reshape(fault.got.shape).astype(fault.got.dtype)):
                return f"{fault.name} is {name} unchanged, element by element in memory"
    return ""


def transposed(fault: Fault) -> str:
    """The result is stored column after column."""
    if len(fault.shape) != 2 or 1 in fault.shape:
        return ""
    if not fault.matches(np.ascontiguousarray(fault.expected.T).reshape(fault.got.shape)):
        return ""
    return (
        f"{fault.name} is the transpose of what is expected: are row and column swapped in the "
        "index that it is written with?"
    )


def turned_tiles(fault: Fault) -> str:
    """Each tile is in its place, but row and column are swapped inside it."""
    rows, columns = fault.got.shape
    for tile in (8, 16, 32):
        high, wide = rows // tile, columns // tile
        if not high or not wide:
            continue
        part = slice(high * tile), slice(wide * tile)
        tiles = fault.expected[part].reshape(high, tile, wide, tile)
        candidate = fault.expected.copy()
        candidate[part] = tiles.transpose(0, 3, 2, 1).reshape(high * tile, wide * tile)
        known = np.zeros(fault.got.shape, np.bool_)
        known[part] = True
        if fault.matches(candidate, known):
            return (
                f"each {tile} x {tile} tile is in its place but turned inside: are threadIdx.x and "
                "threadIdx.y swapped where the tile is read?"
            )
    return ""


# --- repeated lines ----------------------------------------------------------------------------


def repeated_columns(fault: Fault) -> str:
    """Columns that hold what belongs into other columns."""
    rows = fault.got.shape[0]
    what = "column" if rows > 1 else "element"
    few = np.unique(np.linspace(0, rows - 1, min(rows, _SAMPLE)).astype(np.intp))
    return _repeated(fault, what, few)


def repeated_rows(fault: Fault) -> str:
    """Rows that hold what belongs into other rows."""
    if fault.got.shape[0] == 1:
        return ""
    return _repeated(_turned(fault), "row", np.arange(min(fault.got.shape[1], _SAMPLE)))


def _turned(fault: Fault) -> Fault:
    return replace(
        fault,
        raw=fault.raw.T,
        got=fault.got.T,
        expected=fault.expected.T,
        allowed=fault.allowed.T,
        wrong=fault.wrong.T,
        unwritten=fault.unwritten.T,
        slack=fault.slack.T,
        probes=fault.probes[::-1],
    )


def _repeated(fault: Fault, what: str, few: Numbers) -> str:
    """Looks for the source on one line across, on a few, then proves it on all."""
    extent = fault.got.shape[1]
    if extent < 2:
        return ""
    samples = [(fault.got[at], fault.expected[at], fault.allowed[at]) for at in (few[:1], few)]
    for source, text in _sources(extent, what):
        fits = all(_near(fault, sample, source) for sample in samples)
        if fits and fault.matches(fault.expected[:, source]):
            return f"{text}: is the index that is loaded from, or stored to, the right one?"
    return ""


def _near(fault: Fault, sample: tuple[Numbers, Numbers, Numbers], source: Numbers) -> bool:
    got, expected, allowed = sample
    with np.errstate(all="ignore"):
        candidate = expected[:, source]
        near = np.abs(got - candidate) <= allowed + fault.rtol * np.abs(candidate)
    return bool(near.all())


def _sources(extent: int, what: str) -> Iterator[tuple[Numbers, str]]:
    """Maps from a line to the one that it repeats, and what to say; wide ones first, because a
    narrow one can only fit where the wide one does not."""
    index = np.arange(extent)
    for width in reversed(_WIDTHS):
        if width >= extent:
            continue
        periods = [width * k for k in (2, 3, 4, 6, 8, 16) if width * k < extent]
        for period in periods:
            first = index // period * period
            text = (
                f"{span(what, width, period - 1)} of every {period} repeat "
                f"{span(what, 0, width - 1)} of them"
            )
            yield first + (index - first) % width, text
        verb = "repeats" if width == extent - 1 else "repeat"
        origin = span(what, 0, min(width, extent - width) - 1)
        yield index % width, f"{span(what, width, extent - 1)} {verb} {origin}"


# --- exchanged lines ---------------------------------------------------------------------------


def exchanged_columns(fault: Fault) -> str:
    """Columns that are right, each in the place of another one."""
    what = "column" if fault.got.shape[0] > 1 else "element"
    return _exchanged(fault, what)


def exchanged_rows(fault: Fault) -> str:
    """Rows that are right, each in the place of another one."""
    return "" if fault.got.shape[0] == 1 else _exchanged(_turned(fault), "row")


def _exchanged(fault: Fault, what: str) -> str:
    """Looks for where each line belongs on a few lines across, then proves it on all."""
    across, extent = fault.got.shape
    if not 2 <= extent <= _MOST_EXCHANGED:
        return ""
    few = np.unique(np.linspace(0, across - 1, min(across, 16)).astype(np.intp))
    candidates = fault.expected[few][:, None, :]
    with np.errstate(all="ignore"):
        error = np.abs(fault.got[few][:, :, None] - candidates)
        bound = fault.allowed[few][:, None, :] + fault.rtol * np.abs(candidates)
        near = (error <= bound).all(axis=0)
    source = np.where(near.diagonal(), np.arange(extent), near.argmax(axis=1))
    moved = np.flatnonzero(source != np.arange(extent))
    if not near.any(axis=1).all() or len(np.unique(source)) < extent or not len(moved):
        return ""
    if not fault.matches(fault.expected[:, source]):
        return ""
    first = moved[0]
    return (
        f"{what}s are right but in each other's places ({what} {first} holds what belongs into "
        f"{what} {source[first]}): is the index that is loaded from, or stored to, the right one?"
    )


# --- shifts, factors, offsets ------------------------------------------------------------------


def shifted(fault: Fault) -> str:
    """Everything is some rows, columns or elements away from where it belongs."""
    names = ("row", "column") if fault.got.shape[0] > 1 else ("row", "element")
    for axis, what in enumerate(names):
        extent = fault.got.shape[axis]
        for distance in (1, 2, 4, 8, 16, 32):
            if 2 * distance >= extent:
                break
            for sign, side in ((1, "late"), (-1, "early")):
                candidate = np.roll(fault.expected, sign * distance, axis)
                known = np.ones(fault.got.shape, np.bool_)
                beyond = slice(0, distance) if sign > 0 else slice(extent - distance, extent)
                known[(beyond, slice(None)) if axis == 0 else (slice(None), beyond)] = False
                if fault.matches(candidate, known):
                    plural = "s" if distance > 1 else ""
                    return f"everything is stored {distance} {what}{plural} too {side}"
    return ""


def scaled(fault: Fault) -> str:
    """Every element is the same factor away from the right one."""
    if int(fault.wrong.sum()) < 4 or not fault.is_float:
        return ""
    with np.errstate(all="ignore"):
        factor = float(np.vdot(fault.got, fault.expected) / np.vdot(fault.expected, fault.expected))
    if not np.isfinite(factor) or factor == 0 or len(np.unique(fault.expected)) < 4:
        return ""
    for nice in (round(factor), 1 / round(1 / factor) if abs(factor) < 1 else factor):
        if nice and abs(factor - nice) < 1e-3 * abs(nice):
            factor = float(nice)
            break
    candidate = fault.expected * factor
    if factor == 1 or not fault.matches(candidate):
        return ""
    more = ": are terms added more than once?" if factor == round(factor) and factor > 1 else ""
    return f"every element is {factor:.6g} times what is expected{more}"


def offset(fault: Fault) -> str:
    """Every element is off by the same amount."""
    if int(fault.wrong.sum()) < 4 or len(np.unique(fault.expected[fault.wrong])) < 4:
        return ""
    with np.errstate(all="ignore"):
        shift = np.median(fault.got - fault.expected)
    if not np.isfinite(shift) or not fault.matches(fault.expected + shift):
        return ""
    return f"every element is off by {shift:+.6g}"


WHOLE: list[Detector] = [copied_input, transposed, turned_tiles]
LINES: list[Detector] = [repeated_columns, repeated_rows]
EXCHANGED: list[Detector] = [exchanged_columns, exchanged_rows]
ARITHMETIC: list[Detector] = [shifted, scaled, offset]
