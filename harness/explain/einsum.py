"""Detectors that compute an einsum anew with a suspected mistake and compare.

Terms left out at one end, an operand read as if it were transposed or with another row length,
sizes swapped, inputs rounded to fewer bits. Where a mistake reads past an array, the value is not
known and the elements that depend on it are left out of the comparison.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from harness.cases.reference import contract
from harness.explain.fault import Detector, Fault

if TYPE_CHECKING:
    from harness.explain.fault import Numbers

# Above this many multiplications a case is too large to be computed a dozen times.
_MOST_WORK = 5e7
# Of what fits a few elements, and of orders of the sizes, so many are computed in full.
_MOST_TRIED = 24
# From so many elements on, the mean size of the errors says something.
_MANY = 16
# Fewer bits than float32's show in so many elements, by at least this share of the terms' norm;
# sums in FP32 err by less than it (benchmarks/tolerance.py), TF32 inputs by ten times as much.
_NEARLY_ALL = 0.4
_LEAST_SHARE = 2.0**-15


def missing_terms(fault: Fault) -> str:
    """The sum ends too early or begins too late."""
    form = _Form.of(fault)
    if form is None or len(form.summed) != 1:
        return ""
    letter = form.summed[0]
    extent = form.extents[letter]
    some = np.argwhere(fault.wrong)[:: max(1, int(fault.wrong.sum()) // 8)][:8]
    if len(some) < 2 or extent < 2:
        return ""
    terms = np.array([form.terms(fault, int(row), int(column)) for row, column in some])
    rows, columns = some[:, 0], some[:, 1]
    got = fault.got[rows, columns][:, None]
    head = np.cumsum(terms, axis=1)
    for sums, ends_early in ((head, True), (head[:, -1:] - head, False)):
        with np.errstate(all="ignore"):
            limit = fault.allowed[rows, columns][:, None] + fault.rtol * np.abs(sums)
            fits = (np.abs(got - sums) <= limit).all(axis=0)
        places = np.flatnonzero(fits)
        for place in places[:: max(1, len(places) // _MOST_TRIED)]:
            cut = int(place) + 1
            kept = slice(0, cut) if ends_early else slice(cut, extent)
            if cut < extent and fault.matches(form.partial(letter, kept)):
                return _missing_text(form, letter, cut, extent, ends_early)
    return ""


def _missing_text(form: _Form, letter: str, cut: int, extent: int, ends_early: bool) -> str:
    name = form.names.get(letter, letter)
    index = name.lower() if len(name) == 1 else letter
    first, last = (cut, extent - 1) if ends_early else (0, cut - 1)
    which = (
        f"the term {index} = {first} is"
        if first == last
        else (f"the terms {index} = {first} to {last} are")
    )
    if not ends_early:
        return f"{which} missing from every sum: does the loop begin too late?"
    others = [
        form.names[other]
        for other, length in form.extents.items()
        if other != letter and length == cut and other in form.names
    ]
    turned = f"does the loop run along {others[0]} instead of {name}?" if others else ""
    if any(extent // tile * tile == cut for tile in (8, 16, 32, 64, 128)):
        return (
            f"{which} missing from every sum, the last, partial tile along {name}: is the number "
            f"of tiles rounded down{' (or ' + turned[:-1] + ')' if turned else ''}?"
        )
    return f"{which} missing from every sum: {turned or 'does the loop end too early?'}"


def repeated_term(fault: Fault) -> str:
    """The first or the last term is added several times, as clamped indices do."""
    form = _Form.of(fault)
    if form is None or len(form.summed) != 1 or not len(fault.probes[0]):
        return ""
    letter = form.summed[0]
    extent = form.extents[letter]
    row, column = (int(at[0]) for at in fault.probes)
    terms = form.terms(fault, row, column)
    excess = fault.got[row, column] - fault.expected[row, column]
    for index in (extent - 1, 0):
        times = excess / terms[index] if terms[index] else 0.0
        if not 0.5 < times < 1024:
            continue
        more = form.partial(letter, slice(index, index + 1)) * round(times)
        if fault.matches(fault.expected + more):
            name = form.names.get(letter, letter)
            again = "once more" if round(times) == 1 else f"{round(times)} times more"
            return (
                f"the term {name.lower() if len(name) == 1 else letter} = {index} is added {again} "
                f"than it should be: are indices beyond {name} clamped, where 0 should be added?"
            )
    return ""


def misread_operand(fault: Fault) -> str:
    """An operand is read as if it were transposed, or with another row length."""
    form = _Form.of(fault)
    if form is None:
        return ""
    for candidate, text in itertools.chain(form.transposed(), form.restrided()):
        known = np.isfinite(candidate)
        if fault.matches(candidate, known):
            return text
    return ""


def swapped_sizes(fault: Fault) -> str:
    """The sizes are taken for each other throughout."""
    form = _Form.of(fault)
    if form is None or len(form.names) != len(form.extents):
        return ""
    letters = sorted(form.extents)
    for order in itertools.islice(itertools.permutations(letters), _MOST_TRIED):
        believed = dict(zip(letters, (form.extents[x] for x in order), strict=True))
        if believed == form.extents:
            continue
        candidate = form.believing(believed, fault.got.size).reshape(fault.got.shape)
        if fault.matches(candidate, np.isfinite(candidate)):
            moved = [
                f"{form.names[b]} for {form.names[a]}"
                for a, b in zip(letters, order, strict=True)
                if a != b
            ]
            return f"this is what comes out when the sizes are mixed up: {', '.join(moved)}"
    return ""


# --- precision ---------------------------------------------------------------------------------


def precision(fault: Fault) -> str:
    """Errors that are small everywhere, and as large as fewer bits would make them."""
    if not fault.is_float:
        return ""
    if fault.problem.tolerance.rtol == 0:
        return _rounded_values(fault)
    error = np.abs(fault.got - fault.expected)
    if not fault.is_evidence(fault.wrong):
        return ""
    form = _Form.of(fault)
    if form is None or fault.raw.dtype != np.float32 or not form.summed:
        everywhere = np.mean(error > fault.slack) >= _NEARLY_ALL
        return _small_errors(fault, error) if everywhere else ""
    norm = np.sqrt(form.contract([operand**2 for operand in form.operands]))
    # A race or a wrong index errs here and there, fewer bits nearly everywhere.
    if np.mean(error > _LEAST_SHARE * norm) < _NEARLY_ALL:
        return ""
    if not (error <= 0.25 * norm + fault.allowed).all():
        return ""
    return _named_precision(fault, form, norm, _root_mean(error))


def _named_precision(fault: Fault, form: _Form, norm: Numbers, root: float) -> str:
    """What has fewer bits: the sums, or what they are made of. ``root``: the errors' root mean
    square."""
    share = f"{root / _root_mean(norm):.1e} of the terms' norm"
    narrow = _narrow_type(fault)
    if narrow:
        return (
            f"{narrow}-like precision: every element is a number that {narrow} can hold, with "
            f"errors of {share}: is the sum kept, or the result stored, in {narrow}? sum in FP32"
        )
    found = _bits_of(fault, form, root)
    if found:
        name, bits, like = found
        return (
            f"{name}-like precision: the errors ({share}) are those of inputs cut to {bits} bits "
            f"after the leading one, as {like} do; compute in full FP32"
        )
    if fault.got.size < _MANY:
        return ""
    terms = math.prod(form.extents[letter] for letter in form.summed)
    summed = 0.29 * 2.0**-10 * math.sqrt(terms) * _root_mean(norm)
    if 0.1 * summed <= root <= 4 * summed:
        return f"FP16-like precision: the errors ({share}) are those of sums in FP16; sum in FP32"
    return ""


def _narrow_type(fault: Fault) -> str:
    """The narrow type whose numbers all elements are: sums in FP32 fit into none by chance."""
    if fault.got.size < _MANY or not np.isfinite(fault.got).all():
        return ""
    for name, bits in (("BF16", 7), ("FP16", 10)):
        if (_rounded(fault.got, bits, False) == fault.got).all():
            # Whole numbers from short sums of whole numbers are such numbers too.
            exact = _rounded(fault.expected, bits, False) == fault.expected
            return name if np.mean(exact) < 0.5 else ""
    return ""


def _bits_of(fault: Fault, form: _Form, root: float) -> tuple[str, int, str] | None:
    """The input precision that gives this output, else one that gives errors of this size."""
    alike = None
    for kind in (("TF32", 10, "TF32 and FP16"), ("BF16", 7, "BF16")):
        for truncate in (False, True):
            cut = [_rounded(operand, kind[1], truncate) for operand in form.operands]
            rounded = form.contract(cut)
            if (np.abs(fault.got - rounded) <= 2 * fault.slack).all():
                return kind
            cost = _root_mean(rounded - fault.expected)
            if 0.5 * cost <= root <= 2 * cost and alike is None:
                alike = kind
    return alike if fault.got.size >= _MANY else None


def _root_mean(values: Numbers) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def _rounded_values(fault: Fault) -> str:
    """Values that had to arrive unchanged and lost their last bits."""
    if not np.isfinite(fault.got).all() or fault.expected.size < 4:
        return ""
    for bits in range(int(np.finfo(fault.raw.dtype).nmant) - 1, 1, -1):
        for truncate in (False, True):
            if fault.matches(_rounded(fault.expected, bits, truncate)):
                kind = {10: ", as in TF32 and FP16", 7: ", as in BF16"}.get(bits, "")
                return f"the right values, cut to {bits} bits after the leading one{kind}"
    return ""


def _small_errors(fault: Fault, error: Numbers) -> str:
    largest = float(np.abs(fault.expected).max())
    worst = float(error.max())
    if not np.isfinite(worst) or worst > 0.01 * largest or fault.got.size < 8:
        return ""
    if int(fault.wrong.sum()) * 4 < fault.got.size:
        return ""
    return (
        f"close everywhere but not close enough (off by up to {worst:.1e}, where values reach "
        f"{largest:.1e}): is something computed with fewer bits, such as TF32 or FP16?"
    )


def _rounded(values: Numbers, bits: int, truncate: bool) -> Numbers:
    """To so many bits after the leading one, to nearest or (as tensor cores do) towards zero."""
    mantissa, exponent = np.frexp(values)
    scaled = mantissa * 2.0 ** (bits + 1)
    whole = np.trunc(scaled) if truncate else np.round(scaled)
    return np.asarray(np.ldexp(whole, exponent - bits - 1))


# --- the einsum --------------------------------------------------------------------------------


class _Form:
    """An einsum over the case's operands in float64: letters, extents, and ways to compute it."""

    def __init__(self, fault: Fault) -> None:
        self.text = fault.problem.reference.einsum
        left, self.output = self.text.split("->")
        self.words = left.split(",")
        arguments = fault.problem.inputs
        self.labels = [argument.name for argument in arguments]
        self.operands: list[Numbers] = [
            fault.inputs[name].astype(np.float64) for name in self.labels
        ]
        self.shape = fault.got.shape
        self.extents: dict[str, int] = {}
        self.names: dict[str, str] = {}
        for word, argument, operand in zip(self.words, arguments, self.operands, strict=True):
            self.extents.update(zip(word, operand.shape, strict=True))
            for letter, expr in zip(word, argument.shape, strict=True):
                if expr.text in expr.names:
                    self.names[letter] = expr.text
        self.summed = [letter for letter in self.extents if letter not in self.output]

    @staticmethod
    def of(fault: Fault) -> _Form | None:
        """None for what is no einsum, repeats a letter in an operand, or is too large."""
        text = fault.problem.reference.einsum
        if not text or any(len(set(word)) < len(word) for word in text.split("->")[0].split(",")):
            return None
        form = _Form(fault)
        return form if math.prod(form.extents.values()) <= _MOST_WORK else None

    def contract(self, operands: list[Numbers]) -> Numbers:
        with np.errstate(all="ignore"):
            result: Numbers = contract(self.text, operands).reshape(self.shape)
        return result

    def partial(self, letter: str, kept: slice) -> Numbers:
        """The einsum over a part of one letter's range."""
        operands = [
            operand[tuple(kept if x == letter else slice(None) for x in word)]
            for word, operand in zip(self.words, self.operands, strict=True)
        ]
        return self.contract(operands)

    def terms(self, fault: Fault, row: int, column: int) -> Numbers:
        """The terms of one element's sum, in order."""
        index = np.unravel_index(row * self.shape[1] + column, fault.shape)
        at = dict(zip(self.output, (int(i) for i in index), strict=False))
        product: Numbers = np.ones(self.extents[self.summed[0]])
        for word, operand in zip(self.words, self.operands, strict=True):
            product = product * operand[tuple(at.get(x, slice(None)) for x in word)]
        return product

    def transposed(self) -> Iterator[tuple[Numbers, str]]:
        """Each operand, and then all of them, read column after column."""
        turned: list[Numbers] = [
            np.ascontiguousarray(o).reshape(o.shape[::-1]).T if o.ndim == 2 else o
            for o in self.operands
        ]
        for place, label in enumerate(self.labels):
            operands = list(self.operands)
            operands[place] = turned[place]
            yield self.contract(operands), f"{label} is read as if it were stored transposed"
        if len(self.labels) > 1:
            names = " and ".join(self.labels)
            yield self.contract(turned), f"{names} are read as if they were stored transposed"

    def restrided(self) -> Iterator[tuple[Numbers, str]]:
        """One operand read with a row length that is another size."""
        for place, (word, operand) in enumerate(zip(self.words, self.operands, strict=True)):
            if operand.ndim != 2:
                continue
            right = operand.shape[1]
            for letter, stride in self.extents.items():
                if stride == right or letter not in self.names or word[1] not in self.names:
                    continue
                operands = list(self.operands)
                operands[place] = _with_stride(operand, operand.shape, stride)
                text = (
                    f"{self.labels[place]} is read with rows of {self.names[letter]} elements; "
                    f"its rows have {self.names[word[1]]}"
                )
                yield self.contract(operands), text

    def believing(self, extents: dict[str, int], size: int) -> Numbers:
        """The flat output of a kernel that takes these for the extents; NaN where it is unknown or
        not written."""
        operands = []
        for word, operand in zip(self.words, self.operands, strict=True):
            shape = tuple(extents[letter] for letter in word)
            operands.append(_extended(operand.reshape(-1), math.prod(shape)).reshape(shape))
        with np.errstate(all="ignore"):
            result = contract(self.text, operands)
        return _extended(np.ascontiguousarray(result).reshape(-1), size)


def _extended(flat: Numbers, size: int) -> Numbers:
    """Cut or filled up with NaN to ``size`` elements."""
    result: Numbers = np.full(size, np.nan)
    count = min(size, flat.size)
    result[:count] = flat[:count]
    return result


def _with_stride(operand: Numbers, shape: tuple[int, ...], stride: int) -> Numbers:
    index = np.arange(shape[0])[:, None] * stride + np.arange(shape[1])
    flat = operand.reshape(-1)
    return np.where(index < flat.size, flat[np.minimum(index, flat.size - 1)], np.nan)


RECOMPUTED: list[Detector] = [missing_terms, repeated_term, misread_operand, swapped_sizes]
