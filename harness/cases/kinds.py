"""Other data for the sizes of a case: what the spec's own rule never gives, and kernels get wrong.

A case is called once more with each kind that fits the problem. A kind fits only where it can be
proved that every right kernel passes:

- ``other``: the same rule, drawn anew; ``changed``: the same data but for the last quarter of each
  array. A submission may keep an answer by the sizes, or by the first elements.
- ``special``, where floats are moved and not computed with: half of the elements are -0.0, NaN,
  infinities, subnormal numbers and the largest ones, the others finite numbers of any bits. A NaN
  has to be a NaN, of whichever bits; all else, a zero's sign too, has to be the same.
- ``scaled``, for sums of products of float32 or wider: each row, column or batch that is not summed
  over is multiplied by a power of two, so that absolute errors that are small beside the largest
  numbers are not small beside these. Powers of two scale every rounding with them, in any order of
  summation, so the bound (docs/tolerance.md) holds as it stands. They are 1 and more: FP16, whose
  subnormal numbers begin early, takes such numbers apart as well as before.
- ``sparse``, for the same sums: mostly zeros, and so few bits that each product and each partial
  sum is exact, in any order and in parts of 11 bits as tensor cores take them. No rounding is
  allowed for beyond the spec's own tolerance.

``extreme_data: false`` in a spec keeps its data to its rules; ``true`` says of a python reference
with an exact tolerance that it only moves what it is given.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.model import Argument, DataRule, Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]

CHANGED, OTHER = "changed", "other"
SPECIAL, SCALED, SPARSE = "special", "scaled", "sparse"
WORDS: Mapping[str, str] = {
    CHANGED: "the same data but for their last quarter",
    OTHER: "other data of the same sizes",
    SPECIAL: "special values: -0.0, NaN, infinities, subnormal and huge numbers",
    SCALED: "rows and columns that are scaled by powers of two",
    SPARSE: "mostly zeros, of which every sum is exact",
}
LARGEST = 2.0**14  # a power of two that FP16 still holds
_LEAST_STEPS = 4  # of two: less of a scale is no other data
_MOST_BITS = 20  # what two parts of 11 bits hold
_SUM_BITS = 24
_WIDE = ("float32", "float64")


def kinds_of(problem: Problem) -> tuple[str, ...]:
    """Those beside ``changed`` and ``other``."""
    if problem.extreme_data is False:
        return ()
    if moves(problem):
        return (SPECIAL,)
    if sums_products(problem):
        return (SCALED, SPARSE) if _steps(problem) >= _LEAST_STEPS else (SPARSE,)
    return ()


def moves(problem: Problem) -> bool:
    """Whether it only moves floats. Of a python reference only its author knows."""
    tolerance, outputs = problem.tolerance, problem.outputs
    floats = [a for a in problem.inputs if a.type.startswith("float")]
    exact = tolerance.atol == tolerance.rtol == 0 and tolerance.reduction is None
    if not exact or not floats or not all(a.type.startswith("float") for a in outputs):
        return False
    if not problem.reference.einsum:
        return problem.extreme_data is True
    return is_permutation(problem.reference.einsum) and floats[0].type == outputs[0].type


def is_permutation(text: str) -> bool:
    """Whether an einsum only rearranges its one operand."""
    left, output = text.split("->")
    return "," not in left and len(set(left)) == len(left) and sorted(left) == sorted(output)


def sums_products(problem: Problem) -> bool:
    arrays = (*problem.inputs, *problem.outputs)
    rules = [a.data for a in problem.inputs]
    return (
        problem.tolerance.reduction is not None
        and len(problem.inputs) > 1
        and bool(problem.reference.einsum)
        and all(a.type in _WIDE for a in arrays)
        and all(rule is not None and rule.kind in ("uniform", "normal") for rule in rules)
    )


def special(array: Numbers, generator: np.random.Generator) -> None:
    """Fill ``array``, of floats, with special values."""
    info, bits = np.finfo(array.dtype), 8 * array.dtype.itemsize
    word = np.dtype(f"u{array.dtype.itemsize}")
    least, most = float(info.smallest_subnormal), float(info.max)
    last = float(info.tiny) - least  # the largest subnormal number
    values = [0.0, np.nan, np.inf, least, last, float(info.tiny), 1 + float(info.eps), most]
    table = np.array([sign * value for value in values for sign in (-1.0, 1.0)], array.dtype)
    table[2:4] = np.nan  # a sign of its own would be a bit pattern that nobody owes
    flat = array.reshape(-1)
    random = generator.integers(0, 1 << (bits - 1), flat.size, dtype=np.uint64) * 2
    random += generator.integers(0, 2, flat.size, dtype=np.uint64)
    any_bits = random.astype(word).view(array.dtype)
    picked = table[generator.integers(0, len(table), flat.size)]
    use = (generator.random(flat.size) < 0.5) | ~np.isfinite(any_bits)
    flat[...] = np.where(use, picked, any_bits)


def scale(
    problem: Problem, argument: Argument, array: Numbers, generator: np.random.Generator
) -> None:
    """Multiply along the first axis that is this operand's alone and not summed over."""
    own, used = _letters(problem, argument)
    axis = next((i for i, x in enumerate(own) if x in _output(problem) and x not in used), None)
    if axis is None:
        return
    exponents = generator.integers(0, _steps(problem), array.shape[axis], endpoint=True)
    shape = [array.shape[axis] if i == axis else 1 for i in range(array.ndim)]
    array *= np.ldexp(1.0, exponents).astype(array.dtype).reshape(shape)


def sparse(
    problem: Problem,
    argument: Argument,
    array: Numbers,
    sizes: Mapping[str, int],
    generator: np.random.Generator,
) -> None:
    """Of a term's factors one has many bits, and the others are -1, 0 or 1; which one it is goes
    round along the sum."""
    assert problem.tolerance.reduction is not None
    terms = problem.tolerance.reduction.evaluate(sizes)
    bits = max(1, min(_MOST_BITS, _SUM_BITS - math.ceil(math.log2(terms))))
    unit = LARGEST / 2.0 ** (bits + 1)
    whole = generator.integers(-(1 << bits) + 1, 1 << bits, array.shape) * unit
    wide = np.where(generator.random(array.shape) < 0.3, whole, 0.0)
    small = np.array([-1.0, 0.0, 0.0, 1.0])[generator.integers(0, 4, array.shape)]
    place = [a.name for a in problem.inputs].index(argument.name)
    letters, _ = _letters(problem, argument)
    axis = letters.find(_summed_by_all(problem)) if _summed_by_all(problem) else -1
    if axis < 0:
        array[...] = wide if place == 0 else small
        return
    turn = np.arange(array.shape[axis]) % len(problem.inputs) == place
    shape = [array.shape[axis] if i == axis else 1 for i in range(array.ndim)]
    array[...] = np.where(turn.reshape(shape), wide, small)


# --- an einsum's letters -----------------------------------------------------------------------


def _output(problem: Problem) -> str:
    return problem.reference.einsum.partition("->")[2]


def _operands(problem: Problem) -> list[str]:
    return problem.reference.einsum.partition("->")[0].split(",")


def _letters(problem: Problem, argument: Argument) -> tuple[str, str]:
    """The operand's letters, and those of the ones before it."""
    place = [a.name for a in problem.inputs].index(argument.name)
    operands = _operands(problem)
    return operands[place], "".join(operands[:place])


def _summed_by_all(problem: Problem) -> str:
    first, *others = _operands(problem)
    return next((x for x in first if x not in _output(problem) and all(x in o for o in others)), "")


def _steps(problem: Problem) -> int:
    """How often the data can be doubled."""
    largest = max(_largest(a.data) for a in problem.inputs if a.data is not None)
    return int(math.log2(LARGEST / largest)) if 0 < largest < LARGEST else 0


def _largest(rule: DataRule) -> float:
    first, second = rule.params
    return max(abs(first), abs(second)) if rule.kind == "uniform" else abs(first) + 6 * second
