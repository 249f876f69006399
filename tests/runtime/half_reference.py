"""What half and bfloat16 must give, by exact arithmetic that owes nothing to the runtime.

Single results are rounded as ratios of integers. Arrays are rounded as float64, which holds every
number of both formats; for the elementary functions, float64 is trusted to 2^-50 of the result, and
a result so near to a tie that this leaves it open must be one that float64 has exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Bits = NDArray[np.uint16]

NAN = 0x7FFF
_TRUST = 2.0**-50


@dataclass(frozen=True)
class Format:
    """``digits`` of significand, the first one included; ``lowest`` is the exponent of the smallest
    normal number."""

    name: str
    digits: int
    lowest: int

    @property
    def unit(self) -> int:
        """The exponent of the smallest number."""
        return self.lowest - self.digits + 1

    @property
    def infinity(self) -> int:
        return 0x7FFF - ((1 << (self.digits - 1)) - 1)

    def values(self, bits: NDArray[np.integer]) -> Numbers:
        """The numbers that the bits stand for; each NaN is the same one."""
        wide = bits.astype(np.int64)
        size = wide & 0x7FFF
        exponent = size >> (self.digits - 1)
        fraction = size & ((1 << (self.digits - 1)) - 1)
        normal = (fraction | (1 << (self.digits - 1))).astype(np.float64)
        value = np.where(exponent == 0, fraction, normal)
        value = np.ldexp(value, (np.maximum(exponent, 1) - 1 + self.unit).astype(np.int32))
        value = np.where(size == self.infinity, np.inf, value)
        value = np.where(size > self.infinity, np.nan, value)
        return np.copysign(value, np.where(wide & 0x8000, -1.0, 1.0))

    def bits(self, values: Numbers, mode: str = "rn") -> Bits:
        """The numbers rounded: to nearest, towards zero, down or up."""
        size = np.abs(values)
        finite = np.isfinite(size) & (size > 0)
        exponent = np.frexp(np.where(finite, size, 1.0))[1] - 1
        quantum = np.maximum(exponent, self.lowest) - self.digits + 1
        scaled = np.ldexp(np.where(finite, size, 0.0), -quantum)
        whole = np.where(values < 0, -_whole(-scaled, mode), _whole(scaled, mode)).astype(np.int64)
        bits = whole + ((quantum - self.unit).astype(np.int64) << (self.digits - 1))
        largest = self.infinity - (_stops_short(values, mode) & (size < np.inf))
        bits = np.where(bits >= self.infinity, largest, bits)
        bits = np.where(np.isinf(size), self.infinity, bits)
        bits = np.where(size == 0, 0, bits) | np.where(np.signbit(values), 0x8000, 0)
        return np.where(np.isnan(values), NAN, bits).astype(np.uint16)

    def rounded(self, exact: Fraction | int, mode: str = "rn") -> int:
        """The bits of one number that isn't zero."""
        size = abs(Fraction(exact))
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        if size < Fraction(2) ** exponent:
            exponent -= 1
        quantum = max(exponent, self.lowest) - self.digits + 1
        scaled = size / Fraction(2) ** quantum
        outward = mode == ("rd" if exact < 0 else "ru")
        if mode == "rn":
            whole = round(scaled)  # a tie goes to the even one
        else:
            whole = math.ceil(scaled) if outward else math.floor(scaled)
        bits: int = whole + ((quantum - self.unit) << (self.digits - 1))
        if bits >= self.infinity:
            bits = self.infinity - (mode != "rn" and not outward)
        return bits | (0x8000 if exact < 0 else 0)


HALF = Format("half", 11, -14)
BFLOAT16 = Format("bfloat16", 8, -126)
FORMATS = (HALF, BFLOAT16)


def _whole(values: Numbers, mode: str) -> Numbers:
    function = {"rn": np.rint, "rz": np.trunc, "rd": np.floor, "ru": np.ceil}[mode]
    result: Numbers = function(values)
    return result


def _stops_short(values: Numbers, mode: str) -> NDArray[np.int64]:
    """1 where a number beyond the largest becomes the largest, not infinity."""
    inward = {"rn": values != values, "rz": values == values, "rd": values > 0, "ru": values < 0}
    result: NDArray[np.int64] = inward[mode].astype(np.int64)
    return result


def to_integer(values: Numbers, mode: str, dtype: str) -> NDArray[np.integer]:
    """The numbers as integers, the nearest where they don't fit."""
    info = np.iinfo(dtype)
    whole = np.nan_to_num(_whole(values, mode), nan=0.0)
    inside = np.clip(whole, float(info.min), float(info.max))
    # float64 rounds the limits of 64 bits up: those are set apart.
    high = whole >= float(info.max)
    integers = np.where(high, 0.0, inside).astype(dtype)
    integers[high] = info.max
    integers[np.isnan(values)] = 1 << 63 if dtype == "uint64" else -(1 << 63) * (dtype == "int64")
    return integers


def applied(form: Format, function: Callable[[Numbers], Numbers], values: Numbers) -> Bits:
    """A function's results, correctly rounded."""
    with np.errstate(all="ignore"):
        results = function(values)
        low, high = form.bits(results * (1 - _TRUST)), form.bits(results * (1 + _TRUST))
        bits = form.bits(results)
    opened = (low != high) & np.isfinite(results)
    short = np.ldexp(np.frexp(results[opened])[0], 12 + 1)
    assert np.array_equal(short, np.rint(short))
    return bits


def of_one(function: Callable[[float], float]) -> Callable[[Numbers], Numbers]:
    """A function of Python's math, for arrays; NaN where that raises."""

    def safely(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return math.nan

    return lambda values: np.array([safely(float(x)) for x in values])


def sum_of_product(form: Format, x: float, y: float, z: float) -> int:
    """x * y + z, rounded once. Zeros, infinities and NaNs are as float64 has them."""
    with np.errstate(all="ignore"):
        plain = np.float64(x) * np.float64(y) + np.float64(z)
    if not np.isfinite(plain) or plain == 0:
        return int(form.bits(np.array([plain]))[0])
    return form.rounded(Fraction(x) * Fraction(y) + Fraction(z))


def quotient(form: Format, x: float, y: float) -> int:
    """x / y, rounded once."""
    with np.errstate(all="ignore"):
        plain = np.float64(x) / np.float64(y)
    if not np.isfinite(plain) or plain == 0:
        return int(form.bits(np.array([plain]))[0])
    return form.rounded(Fraction(x) / Fraction(y))
