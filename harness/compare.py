"""Whether an output is right, element by element, and what is wrong with it.

Decisions:

- Right means ``|got - expected| <= atol + rtol*|expected| + slack``, computed in float64 and asked
  in that direction, so that a NaN fails. Where the reference is NaN or infinite, only the same will
  do. An infinity passes for a finite value only at the edge of the type's range, where rounding may
  give either. -0.0 is 0.0, but where special values are moved. Integers and booleans must be equal.
- Outputs start as poison: for floats a signalling NaN, which no arithmetic produces, so that an
  element with its bits was never written (arithmetic on it turns it into a quiet NaN). For integers
  it is an unlikely pattern, which counts as unwritten only where it is wrong.
- Large outputs are gone through in spans of rows on all cores, without arrays of their full size; a
  right one takes a single pass.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.model import Argument, CaseData, Element, Mismatch, Tolerance
from harness.parallel import each, spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from harness.model import Array

    Numbers = NDArray[Any]
    Mask = NDArray[np.bool_]

SPAN = 1 << 17  # elements: what is compared at once stays in the caches
FIRST = 6
MAP_ROWS = 16
MAP_COLUMNS = 48

# Exponent all ones, quiet bit clear: signalling NaNs. Two of them, so that two runs can differ.
_POISON: dict[str, tuple[int, int]] = {
    "float16": (0x7D5B, 0xFCB3),
    "float32": (0x7FA3C5E1, 0xFFB2D4C7),
    "float64": (0x7FF5A3C5E197B2D1, 0xFFF2D4C7A1B35E69),
    "bool": (0xA5, 0x5A),
    "int8": (0xA5, 0x5B),
    "uint8": (0xA5, 0x5B),
    "int16": (0xA5C3, 0x5B3D),
    "int32": (0xA5C3961E, 0x5B3D69E2),
    "int64": (0xA5C3961EB4D2870F, 0x5B3D69E24B2D78F1),
}
QUIET_BIT = {"float16": 1 << 9, "float32": 1 << 22, "float64": 1 << 51}


def poison_pattern(dtype: str, variant: int) -> bytes:
    """One element's bytes of poison, in the machine's byte order. There are two variants, even and
    odd. For floats it is a signalling NaN."""
    value = _POISON[dtype][variant % 2]
    return value.to_bytes(np.dtype(dtype).itemsize, sys.byteorder)


def compare_output(
    argument: Argument, got: Array, data: CaseData, tolerance: Tolerance, poison: bytes
) -> Mismatch | None:
    """None when every element is right, else what is wrong. ``got`` has the argument's type and the
    expected shape, in C order; ``poison`` is one element's bytes, with which it was filled."""
    comparison = _Comparison(argument.name, got, data, tolerance, poison)
    if all(each(comparison.is_right, comparison.parts)):
        return None
    return comparison.mismatch()


def max_abs_error(got: Array, data: CaseData, name: str) -> float:
    """The largest ``|got - expected|`` of an output, over the elements where both are finite."""
    expected: Numbers = data.expected[name]
    rows = _rows(got), _rows(expected)

    def largest(begin: int, end: int) -> float:
        with np.errstate(all="ignore"):
            error = np.abs(_wide(rows[0][begin:end]) - rows[1][begin:end])
        found = float(error.max(initial=0.0))
        if not np.isfinite(found):
            found = float(error[np.isfinite(error)].max(initial=0.0))
        return found

    return max(each(largest, _parts(rows[0])), default=0.0)


def same_output(
    argument: Argument, first: Array, second: Array, data: CaseData, tolerance: Tolerance
) -> bool:
    """Whether two runs agree: to twice what either may be off by, so that two right outputs always
    do. NaN agrees with NaN, unwritten with unwritten (in either poison)."""
    expected: Numbers = data.expected[argument.name]
    one, two, right = _rows(first), _rows(second), _rows(expected)
    slack = _rows(np.broadcast_to(data.slack[argument.name], expected.shape))
    poisons = [poison_pattern(argument.type, variant) for variant in (0, 1)]

    def agree(begin: int, end: int) -> bool:
        a, b = one[begin:end], two[begin:end]
        with np.errstate(all="ignore"):
            if a.dtype.kind == "f":
                allowed = _allowed(tolerance, right[begin:end], slack[begin:end])
                allowed = np.where(np.isfinite(allowed), 2 * (1 + 1e-12) * allowed, 0)
                near = np.abs(_wide(a) - _wide(b)) <= allowed
                near |= (a == b) | (np.isnan(a) & np.isnan(b))
            else:
                near = _bits(a) == _bits(b)
        if near.all():
            return True
        return bool((near | (_is_poison(a, *poisons) & _is_poison(b, *poisons))).all())

    return all(each(agree, _parts(one)))


# --- the comparison ----------------------------------------------------------------------------


class _Comparison:
    """One output against its reference, seen as rows."""

    def __init__(
        self, name: str, got: Array, data: CaseData, tolerance: Tolerance, poison: bytes
    ) -> None:
        expected: Numbers = data.expected[name]
        if got.shape != expected.shape:
            raise ValueError(f"{name} is {got.shape}, not {expected.shape}")
        self.name = name
        self.shape = got.shape
        self.got = _rows(got)
        self.expected = _rows(expected)
        self.slack = _rows(np.broadcast_to(data.slack[name], expected.shape))
        self.signed_zeros = data.signed_zeros
        self.tolerance = tolerance
        self.poison = poison
        self.parts = _parts(self.got)

    def is_right(self, begin: int, end: int) -> bool:
        """Whether all of these rows are right: the quick way first."""
        got, expected = self.got[begin:end], self.expected[begin:end]
        if got.dtype.kind != "f":
            return not self.wrong(begin, end).any()
        with np.errstate(all="ignore"):
            error = _wide(got) - expected
            np.abs(error, out=error)
            allowed = _allowed(self.tolerance, expected, self.slack[begin:end])
            if not (error <= allowed).all():
                return not self.wrong(begin, end).any()
            # An infinite reference allows anything; a finite sum has no infinity in it.
            if np.isfinite(allowed.sum()) and not self.signed_zeros:
                return True
        return not self.wrong(begin, end).any()

    def wrong(self, begin: int, end: int) -> Mask:
        """Which elements are wrong."""
        got, expected = self.got[begin:end], self.expected[begin:end]
        if got.dtype.kind == "b":
            return np.asarray(_bits(got) != expected.astype(np.uint8))
        if got.dtype.kind != "f":
            return np.asarray(got != expected)
        with np.errstate(all="ignore"):
            wide = _wide(got)
            allowed = _allowed(self.tolerance, expected, self.slack[begin:end])
            near: Mask = np.abs(wide - expected) <= allowed
            if self.signed_zeros:
                near &= np.signbit(wide) == np.signbit(expected)
            if np.isfinite(wide).all() and np.isfinite(expected).all():
                return ~near
            near &= np.isfinite(expected)
            near |= np.isinf(wide) & (wide == expected)
            near |= np.isnan(wide) & np.isnan(expected) & ~_is_poison(got, self.poison)
            most = float(np.finfo(got.dtype).max)
            edge = np.abs(expected) + allowed >= most
            edge &= (allowed > 0) | (np.abs(expected) > most)
            near |= np.isinf(wide) & edge & (np.sign(wide) == np.sign(expected))
        return ~near

    def mismatch(self) -> Mismatch | None:
        """All about the wrong elements; None if there is none after all."""
        wrong = np.concatenate(each(self.wrong, self.parts))
        count = int(wrong.sum())
        if count == 0:
            return None
        unwritten = wrong & _is_poison(self.got, self.poison)
        picture, cell = _map(wrong, unwritten, len(self.shape))
        return Mismatch(
            argument=self.name,
            shape=tuple(self.shape),
            wrong=count,
            unwritten=int(unwritten.sum()),
            total=int(wrong.size),
            first=self._first(wrong, unwritten),
            max_abs_error=max(each(self._largest, self.parts)),
            map=picture,
            map_cell=cell,
        )

    def _largest(self, begin: int, end: int) -> float:
        """The largest error of written, finite elements."""
        with np.errstate(all="ignore"):
            error = np.abs(_wide(self.got[begin:end]) - self.expected[begin:end])
        use = np.isfinite(error)
        if self.got.dtype.kind != "f":
            use = use & ~(_is_poison(self.got[begin:end], self.poison) & (error != 0))
        return float(error.max(initial=0.0, where=use))

    def _first(self, wrong: Mask, unwritten: Mask) -> tuple[Element, ...]:
        found: list[Element] = []
        values = _bits(self.got) if self.got.dtype.kind == "b" else self.got
        for flat in np.flatnonzero(wrong)[:FIRST]:
            place = divmod(int(flat), wrong.shape[1])
            allowed = 0.0
            with np.errstate(all="ignore"):
                if self.got.dtype.kind == "f":
                    here = self.expected[place], self.slack[place]
                    allowed = float(np.nan_to_num(_allowed(self.tolerance, *here), nan=0.0))
                element = Element(
                    index=tuple(int(i) for i in np.unravel_index(flat, self.shape)),
                    got=float(values[place]),
                    expected=float(self.expected[place]),
                    allowed=allowed,
                    unwritten=bool(unwritten[place]),
                )
            found.append(element)
        return tuple(found)


def _rows(array: Numbers) -> Numbers:
    """Seen as a matrix of its last dimension; one dimension becomes a column."""
    return array if array.ndim == 2 else array.reshape(-1, array.shape[-1] if array.ndim > 2 else 1)


def _parts(rows: Numbers) -> list[tuple[int, int]]:
    return spans(rows.shape[0], max(1, SPAN // max(rows.shape[1], 1)))


def _wide(array: Numbers) -> Numbers:
    return array.astype(np.float64)


def _allowed(tolerance: Tolerance, expected: Numbers, slack: Numbers) -> Numbers:
    allowed: Numbers = np.abs(expected, dtype=np.float64)
    allowed = allowed * tolerance.rtol
    allowed += tolerance.atol
    allowed += slack
    return allowed


def _bits(array: Numbers) -> Numbers:
    """The elements' bytes as unsigned integers."""
    return array.view(f"u{array.dtype.itemsize}")


def _is_poison(array: Numbers, *poisons: bytes) -> Mask:
    words = [int.from_bytes(poison, sys.byteorder) for poison in poisons]
    found: Mask = np.isin(_bits(array), words) if len(words) > 1 else _bits(array) == words[0]
    return found


# --- the map -----------------------------------------------------------------------------------


def _map(wrong: Mask, unwritten: Mask, dimensions: int) -> tuple[tuple[str, ...], tuple[int, int]]:
    """A picture of at most 16 x 48 characters and the elements to each. One dimension is a line,
    folded into up to four."""
    written = wrong & ~unwritten
    if dimensions == 1:
        length = -(-wrong.size // (4 * MAP_COLUMNS))
        cells = [_cells(mask.reshape(1, -1), 1, length)[0] for mask in (wrong, written)]
        line = _characters(*cells)
        lines = [line[at : at + MAP_COLUMNS] for at in range(0, len(line), MAP_COLUMNS)]
        return tuple(lines), (1, length)
    height, width = -(-wrong.shape[0] // MAP_ROWS), -(-wrong.shape[1] // MAP_COLUMNS)
    pairs = zip(_cells(wrong, height, width), _cells(written, height, width), strict=True)
    return tuple(_characters(*pair) for pair in pairs), (height, width)


def _cells(mask: Mask, height: int, width: int) -> Mask:
    """Whether any element of each cell is set."""
    bands = [mask[at : at + height].any(axis=0) for at in range(0, mask.shape[0], height)]
    starts = np.arange(0, mask.shape[1], width)
    return np.logical_or.reduceat(np.stack(bands), starts, axis=1)


def _characters(wrong: Mask, written: Mask) -> str:
    return "".join(
        "x" if there else "o" if bad else "." for bad, there in zip(wrong, written, strict=True)
    )
