"""Wrong outputs, made from right ones: what ``prove`` holds against a spec.

Each ``Mutation`` stands for a kind of kernel that is wrong. It gives the output that such a kernel
leaves for a case, or says why there is none, as with the transpose of a vector. Whether an output
is wrong at all is for ``prove`` to find out: a 1 x 1 matrix is its own transpose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.cases import case_data
from harness.cases.reference import answer as answer_to
from harness.compare import poison_pattern
from harness.errors import ReferenceFault
from harness.model import Argument, Case, CaseData, Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]

# FP16's and TF32's bits after the leading one. Rounded to them, numbers keep float32's range.
_HALF_BITS = 10
# Beyond any seed that is drawn.
_OTHER_SEED = 1 << 61


@dataclass(frozen=True)
class Subject:
    """One output of one case. ``right``: what a right kernel leaves, in the output's type;
    ``expected``: the reference's answer to it, as it is compared (float64 or integers); ``before``:
    what it was in the case before, None in the first one; ``constant``: its first element in the
    first case that is no example."""

    problem: Problem
    case: Case
    data: CaseData
    argument: Argument
    right: Numbers
    before: Numbers | None
    constant: Any

    @property
    def expected(self) -> Numbers:
        return np.asarray(self.data.expected[self.argument.name])

    @property
    def is_float(self) -> bool:
        return self.right.dtype.kind == "f"

    def poisoned(self) -> Numbers:
        """As the judge hands it to ``solve``."""
        pattern = poison_pattern(self.argument.type, 0)
        flat = np.frombuffer(pattern * self.right.size, self.right.dtype)
        return np.array(flat).reshape(self.right.shape)


@dataclass(frozen=True)
class Mutation:
    """A kind of wrong output. ``make`` gives the output, or why there is none. ``differs``: a spec
    whose right answer looks like this in every case accepts a kernel that computes nothing.
    ``remedy``: what to change in a spec that lets it pass."""

    name: str
    about: str
    make: Callable[[Subject], Numbers | str]
    remedy: str
    differs: bool = False


def right_output(data: CaseData, argument: Argument) -> Numbers:
    """The reference's answer as a right kernel leaves it, rounded to the output's type."""
    expected: Numbers = data.expected[argument.name]
    with np.errstate(over="ignore"):  # beyond the type's range infinity is right
        return np.ascontiguousarray(expected.astype(argument.type))


# --- nothing, or the same everywhere -----------------------------------------------------------


def _zeros(subject: Subject) -> Numbers | str:
    return np.zeros_like(subject.right)


def _constant(subject: Subject) -> Numbers | str:
    return np.full_like(subject.right, subject.constant)


def _poison(subject: Subject) -> Numbers | str:
    return subject.poisoned()


def _before(subject: Subject) -> Numbers | str:
    if subject.before is None:
        return "no case comes before"
    return np.resize(subject.before, subject.right.shape)


def _other_data(subject: Subject) -> Numbers | str:
    """The case with other inputs: an answer that was kept by the sizes."""
    other = replace(subject.case, seed=subject.case.seed + _OTHER_SEED, example=None)
    return right_output(case_data(subject.problem, other), subject.argument)


# --- right numbers in wrong places -------------------------------------------------------------


def _transposed(subject: Subject) -> Numbers | str:
    if subject.right.ndim < 2:
        return "it has one dimension"
    turned = np.ascontiguousarray(subject.right.swapaxes(-1, -2))
    return np.reshape(turned, subject.right.shape)


def _reversed(subject: Subject) -> Numbers | str:
    return np.ascontiguousarray(np.flip(subject.right))


def _shifted(subject: Subject) -> Numbers | str:
    return np.roll(subject.right, 1)


def _first_row(subject: Subject) -> Numbers | str:
    """For one dimension, or one row: the first element."""
    right = subject.right
    rows = right if right.ndim > 1 and right.shape[0] > 1 else right.reshape(-1, 1)
    return np.array(np.broadcast_to(rows[:1], rows.shape)).reshape(right.shape)


def _tail(subject: Subject) -> Numbers | str:
    """The last row, or element, is never written."""
    right = subject.right
    count = right[-1].size if right.ndim > 1 and right.shape[0] > 1 else 1
    result: Numbers = right.copy()
    result.reshape(-1)[-count:] = subject.poisoned().reshape(-1)[-count:]
    return result


# --- wrong numbers -----------------------------------------------------------------------------


def _sign(subject: Subject) -> Numbers | str:
    if subject.right.dtype.kind not in "fi":
        return f"{subject.argument.type} has no sign"
    return np.negative(subject.right)


def _one_element(value: float) -> Callable[[Subject], Numbers | str]:
    def make(subject: Subject) -> Numbers | str:
        if not subject.is_float:
            return f"{subject.argument.type} can't hold it"
        at = _last_finite(subject)
        if at is None:
            return "no right element is finite"
        result: Numbers = subject.right.copy()
        result.reshape(-1)[at] = value
        return result

    return make


def _last_finite(subject: Subject) -> int | None:
    finite = np.flatnonzero(np.isfinite(subject.right.reshape(-1)))
    return int(finite[-1]) if finite.size else None


def _one_off(subject: Subject) -> Numbers | str:
    """The last element is off by 10 times what it may be, or by the least that its type can be."""
    result: Numbers = subject.right.copy()
    flat = result.reshape(-1)
    if subject.right.dtype.kind == "b":
        flat[-1] = not flat[-1]
        return result
    if not subject.is_float:
        last = int(flat[-1])
        flat[-1] = last - 1 if last == np.iinfo(flat.dtype).max else last + 1
        return result
    at = _last_finite(subject)
    if at is None:
        return "no right element is finite"
    expected = float(subject.expected.reshape(-1)[at])
    tolerance = subject.problem.tolerance
    slack = np.broadcast_to(subject.data.slack[subject.argument.name], result.shape)
    allowed = tolerance.atol + tolerance.rtol * abs(expected) + float(slack.reshape(-1)[at])
    for sign in (1.0, -1.0):
        moved = _beyond(flat[at], expected + sign * 10 * allowed, sign)
        if np.isfinite(moved):
            flat[at] = moved
            return result
    return "there is no finite number so far away"


def _beyond(right: Any, target: float, sign: float) -> Any:
    """``target`` in the type of ``right``, rounded away from it, and never ``right`` itself."""
    kind = type(right)
    with np.errstate(over="ignore"):
        moved = kind(target)
        if sign * (float(moved) - target) < 0 or moved == right:
            moved = np.nextafter(moved, kind(sign * np.inf))
    return moved


# --- fewer bits --------------------------------------------------------------------------------


def _half(values: Numbers) -> Numbers:
    """To 10 bits after the leading one, to nearest even, in the same type."""
    with np.errstate(all="ignore"):
        mantissa, exponent = np.frexp(values.astype(np.float64))
        whole = np.round(mantissa * 2.0 ** (_HALF_BITS + 1))
        return np.asarray(np.ldexp(whole, exponent - _HALF_BITS - 1), values.dtype)


def _is_wide(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f" and dtype.itemsize > 2


def _half_output(subject: Subject) -> Numbers | str:
    if not _is_wide(subject.right.dtype):
        return f"{subject.argument.type} has no more bits"
    return _half(subject.right)


def _half_inputs(subject: Subject) -> Numbers | str:
    data = subject.data
    if not any(_is_wide(array.dtype) for array in data.inputs.values()):
        return "no input has more bits"
    inputs: Mapping[str, Numbers] = {
        name: _half(array) if _is_wide(array.dtype) else array
        for name, array in data.inputs.items()
    }
    case = replace(subject.case, example=None)  # whose outputs belong to other inputs
    try:
        wrong = answer_to(subject.problem, case, inputs, data.scalars)
    except ReferenceFault:
        return "the reference refuses such inputs"
    return right_output(wrong, subject.argument)


_TOLERANCE = "lower its tolerance"
_SCALE = "lower its tolerance, or let its data give larger numbers"
_DATA = "let its data vary more, or lower its tolerance"

MUTATIONS: tuple[Mutation, ...] = (
    Mutation("zeros", "a kernel that stores 0", _zeros, _SCALE, differs=True),
    Mutation("poison", "nothing is ever written", _poison, _TOLERANCE),
    Mutation("constant", "the same number in every case", _constant, _DATA, differs=True),
    Mutation("stale", "what the case before left", _before, _DATA),
    Mutation("other data", "the answer to other data of the same sizes", _other_data, _DATA),
    Mutation("transposed", "rows and columns swapped", _transposed, _DATA),
    Mutation("reversed", "the last element first", _reversed, _DATA),
    Mutation("shifted", "everything one element too late", _shifted, _DATA),
    Mutation("first row", "the first row, or element, repeated", _first_row, _DATA),
    Mutation("tail", "the last row, or element, never written", _tail, _TOLERANCE),
    Mutation("sign", "the sign turned", _sign, _SCALE),
    Mutation("one off", "one element off by 10 tolerances", _one_off, _TOLERANCE),
    Mutation("one NaN", "one element is NaN", _one_element(np.nan), _TOLERANCE),
    Mutation("one Inf", "one element is infinite", _one_element(np.inf), _TOLERANCE),
    Mutation("half inputs", "inputs cut to half precision", _half_inputs, _TOLERANCE),
    Mutation("half outputs", "outputs cut to half precision", _half_output, _TOLERANCE),
)
