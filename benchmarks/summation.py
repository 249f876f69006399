"""Matrix products as kernels compute them in float32, for ``tolerance.py``.

Each takes stacks A (T, M, N) and B (T, N, K) of float32 and gives C (T, M, K) in float32, all T
products side by side, rounded or cut off at each step as the hardware does it. ``HONEST`` are the
orders and tricks that a judge has to accept; ``LOSSY`` are what it has to tell from them.

**Tensor cores.** One step adds a block of products, exact in themselves, to the accumulator. All
addends are shifted to the largest one's exponent, where what lies beyond ``guard`` more bits than
the 24 of float32 is dropped; so is what the sum has beyond 24 bits (Fasi, Higham, Mikaitis and
Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ Computer Science 7:e330, 2021). How many
products a step and how many bits a card has is from Khattak and Mikaitis, "Accurate Models of
NVIDIA Tensor Cores", arXiv:2512.07004, 2025, whose models agree with the cards bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Product = Callable[[Floats, Floats], Floats]
Rounding = Callable[[NDArray[Any]], NDArray[Any]]
Card = tuple[int, int]  # products a step, bits beyond float32's

TF32_A100: Card = (4, 1)
TF32_H200: Card = (8, 2)
FP16_V100: Card = (4, 0)
FP16_A100: Card = (8, 1)

# The bits of a float64's significand that a float32's does not have.
_KEEP_24_BITS = np.uint64(0xFFFFFFFFE0000000)


# --- sums in float32 ---------------------------------------------------------------------------


def _zeros(a: Floats, b: Floats) -> Floats:
    return np.zeros((a.shape[0], a.shape[1], b.shape[2]), np.float32)


def _terms(a: Floats, b: Floats) -> Iterator[tuple[Floats, Floats]]:
    """The n-th column of A and row of B, shaped to be multiplied into C."""
    for n in range(a.shape[2]):
        yield a[:, :, n, None], b[:, None, n, :]


def sequential(a: Floats, b: Floats) -> Floats:
    """One accumulator, products rounded first."""
    total = _zeros(a, b)
    for left, right in _terms(a, b):
        total += left * right
    return total


def fused(a: Floats, b: Floats) -> Floats:
    """One accumulator and ``fmaf``: the product of two float32 is exact in float64, and the sum is
    rounded there so far down that the second rounding, to float32, is the one that counts."""
    total = _zeros(a, b)
    for left, right in _terms(a.astype(np.float64), b.astype(np.float64)):
        total = (left * right + total).astype(np.float32)
    return total


def backwards(a: Floats, b: Floats) -> Floats:
    return fused(a[:, :, ::-1], b[:, ::-1])


def pairwise(a: Floats, b: Floats) -> Floats:
    """A tree: neighbours are added, then their sums."""
    level = a.transpose(2, 0, 1)[:, :, :, None] * b.transpose(1, 0, 2)[:, :, None, :]
    while len(level) > 1:
        if len(level) % 2:
            level = np.concatenate([level, np.zeros_like(level[:1])])
        level = level[::2] + level[1::2]
    return np.asarray(level[0])


def kahan(a: Floats, b: Floats) -> Floats:
    """Kahan's compensated sum (Higham, Accuracy and Stability, section 4.3)."""
    total, lost = _zeros(a, b), _zeros(a, b)
    for left, right in _terms(a, b):
        term = left * right - lost
        more = total + term
        lost = (more - total) - term
        total = more
    return total


def _slices(a: Floats, b: Floats, width: int) -> Iterator[tuple[Floats, Floats]]:
    for n in range(0, a.shape[2], width):
        yield a[:, :, n : n + width], b[:, n : n + width]


def split(parts: int) -> Product:
    """Split-K: ``parts`` blocks sum a share each, then their sums are added one by one."""

    def product(a: Floats, b: Floats) -> Floats:
        total = _zeros(a, b)
        for left, right in _slices(a, b, -(-a.shape[2] // parts)):
            total += fused(left, right)
        return total

    return product


def tiled(width: int, inner: Product) -> Product:
    """A tiled kernel that sums each tile by itself before it adds it to the whole."""

    def product(a: Floats, b: Floats) -> Floats:
        total = _zeros(a, b)
        for left, right in _slices(a, b, width):
            total += inner(left, right)
        return total

    return product


# --- fewer bits --------------------------------------------------------------------------------


def rounded(values: NDArray[Any], bits: int) -> Doubles:
    """To ``bits`` bits after the leading one, to nearest even, of any exponent."""
    mantissa, exponent = np.frexp(values.astype(np.float64))
    return np.ldexp(np.round(mantissa * 2.0 ** (bits + 1)), exponent - bits - 1)


def cut_off(values: NDArray[Any], bits: int) -> Doubles:
    """To ``bits`` bits after the leading one, towards zero."""
    mantissa, exponent = np.frexp(values.astype(np.float64))
    return np.ldexp(np.trunc(mantissa * 2.0 ** (bits + 1)), exponent - bits - 1)


def to_tf32(values: NDArray[Any]) -> Doubles:
    return rounded(values, 10)


def to_fp16(values: NDArray[Any]) -> Doubles:
    """With FP16's range: below 2^-14 fewer bits are left."""
    return values.astype(np.float16).astype(np.float64)


def to_bf16(values: NDArray[Any]) -> Doubles:
    return rounded(values, 7)


# --- tensor cores ------------------------------------------------------------------------------


def _step_cutting(addends: Doubles, guard: int) -> Doubles:
    """The sum along the first axis as a tensor core's adder makes it."""
    largest = np.frexp(np.abs(addends).max(axis=0))[1]
    scale = np.ldexp(1.0, 24 + guard - largest)
    total = np.ascontiguousarray(np.trunc(addends * scale).sum(axis=0) / scale)
    return (total.view(np.uint64) & _KEEP_24_BITS).view(np.float64)


def _step_rounding(addends: Doubles, guard: int) -> Doubles:
    """The same with one rounding to nearest."""
    del guard
    return addends.sum(axis=0).astype(np.float32).astype(np.float64)


def three_products(
    to_narrow: Rounding, card: Card, *, shared: bool, cutting: bool = True
) -> Product:
    """Float32 by a tensor core: each operand is a large and a small part in the narrow type, and
    large * large, large * small and small * large are added up. ``shared``: into one accumulator;
    otherwise the two small products have their own (Ootomo and Yokota, "Recovering single precision
    accuracy from Tensor Cores", 2022), and the small parts are scaled by 2^11, out of FP16's
    subnormal range."""
    block, guard = card
    step = _step_cutting if cutting else _step_rounding
    scale = 1.0 if shared else 2.0**11

    def product(a: Floats, b: Floats) -> Floats:
        large = [to_narrow(x) for x in (a, b)]
        small = [to_narrow((x - y) * scale) for x, y in zip((a, b), large, strict=True)]
        sums = [np.zeros((a.shape[0], a.shape[1], b.shape[2])) for _ in range(1 if shared else 2)]
        pairs = ((small[0], large[1], -1), (large[0], small[1], -1), (large[0], large[1], 0))
        for n in range(0, a.shape[2], block):
            for left, right, place in pairs:
                columns = left[:, :, n : n + block].transpose(2, 0, 1)[:, :, :, None]
                rows = right[:, n : n + block].transpose(1, 0, 2)[:, :, None, :]
                sums[place] = step(np.concatenate([columns * rows, sums[place][None]]), guard)
        total = sums[0] if shared else sums[0] + sums[1] / scale
        return total.astype(np.float32)

    return product


HONEST: dict[str, Product] = {
    "one after the other": sequential,
    "one after the other, FMA": fused,
    "backwards, FMA": backwards,
    "pairwise": pairwise,
    "split-K in 4": split(4),
    "split-K in 37": split(37),
    "Kahan": kahan,
    "tiles of 16 by themselves": tiled(16, sequential),
    "tiles of 32 by themselves, FMA": tiled(32, fused),
    "3 x TF32, rounding to nearest": three_products(to_tf32, TF32_A100, shared=True, cutting=False),
    "3 x TF32 on an A100, two accumulators": three_products(to_tf32, TF32_A100, shared=False),
    "3 x TF32 on an A100, one accumulator": three_products(to_tf32, TF32_A100, shared=True),
    "3 x TF32 on an H200, one accumulator": three_products(to_tf32, TF32_H200, shared=True),
    "3 x FP16, rounding to nearest": three_products(
        to_fp16, FP16_V100, shared=False, cutting=False
    ),
    "3 x FP16 on a V100, two accumulators": three_products(to_fp16, FP16_V100, shared=False),
    "3 x FP16 on an A100, two accumulators": three_products(to_fp16, FP16_A100, shared=False),
}


# --- less than float32 -------------------------------------------------------------------------


def of_inputs(narrow: Rounding) -> Product:
    """Inputs in a narrow type and no other error but the last rounding: the best that there is."""

    def product(a: Floats, b: Floats) -> Floats:
        return (narrow(a) @ narrow(b)).astype(np.float32)

    return product


def half_sums(a: Floats, b: Floats) -> Floats:
    """FP16 inputs, products and sums."""
    total = _zeros(a, b).astype(np.float16)
    for left, right in _terms(a.astype(np.float16), b.astype(np.float16)):
        total += left * right
    return total.astype(np.float32)


LOSSY: dict[str, Product] = {
    "TF32 inputs": of_inputs(to_tf32),
    "TF32 inputs, cut off": of_inputs(lambda x: cut_off(x, 10)),
    "FP16 inputs": of_inputs(to_fp16),
    "BF16 inputs": of_inputs(to_bf16),
    "FP16 inputs and sums": half_sums,
}
