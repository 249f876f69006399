"""Right answers in float64 (exact integers for integer outputs), and how far rounding may take a
correct FP32 kernel from them.

**Rounding slack.** ``|got - ref| <= atol + rtol*|ref| + slack``. For an output that sums R terms
(``reduction: R``), with eps the machine epsilon of the output's type (2^-23 for float32):

    slack = eps * (4*sqrt(R) + min(R, 8192)/4) * sqrt(ref^2 + T2),  T2 = the sum of the terms^2

*4 sqrt(R)* is for sums that round to nearest. Adding R terms one after the other makes R rounding
errors of at most half an ulp of the partial sum, 0.29 eps*|partial sum| in the root mean square at
worst, in directions that for random data have nothing to do with each other (Higham and Mary, "A
new approach to probabilistic rounding error analysis", 2019). Partial sums grow to about
sqrt(ref^2/3 + T2/2) in the mean, so a sequential sum, the worst order in use, errs by 0.29 * eps *
sqrt(R * (ref^2/3 + T2/2)); pairwise, blocked and split sums err less. 4 is 19 of these standard
deviations where ref^2 is small.

*R/4* is for sums of products that are cut off. A tensor core adds a few products to its accumulator
and drops the bits that don't fit (Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of NVIDIA
tensor cores", 2021), so its errors point towards zero and add up. Float32 emulated by three TF32
products does that 3/4 R times to one accumulator, four products at a time on an A100, and loses
0.18 eps*|partial sum| each time in the mean: 0.135 eps*R of the mean partial sum, which is ref/2
give or take 0.29 sqrt(T2) (the area of a Brownian bridge). Six of these standard deviations are
0.23 eps*R*sqrt(T2). It ends at 8192, where it is almost as large as what TF32 inputs cost, and
isn't there for a problem of one input (a sum of a million numbers is none of products, and must not
miss any) or in float64; for a float16 output it is the float32 accumulator's, and eps is 2^-23.

Both together are below what inputs rounded to TF32, FP16 or BF16 cost (2^-12 of each term and
more): far below for R up to some thousands; at 8192 one element of six is still told, so that a
matrix of some size is. ``benchmarks/tolerance.py`` measures all this, ``docs/tolerance.md`` holds
its figures, ``tests/unit/test_cases_precision.py`` keeps the bound to them.

That argument needs data whose rounding errors do not all point one way. For constant, arange,
narrow, python or example data the bound that always holds is used instead, R*eps*(sum of |terms|)
(twice Higham's gamma_R, so that it also covers a rounded product). Sparse data (``kinds``) have no
rounding at all.

**Einsum** contracts two large operands by BLAS. An einsum that only permutes an array is a view of
it, in its own type. Integers are exact: through float64 where every sum is below 2^53, else in
int64.

**Python** references are called with the arguments that they name, among inputs, scalars and sizes,
and return an array, or a dict by output. Beside output ``C`` the dict may hold ``C_norm``, the root
of the sum of the squared terms for each element; without it a reduction's slack takes the largest
``|C|`` in its place.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.cases.inputs import shape_of, told_by
from harness.cases.kinds import SPARSE, SPECIAL, is_permutation
from harness.cases.userfunction import call, load
from harness.errors import ReferenceFault
from harness.model import Argument, Case, CaseData, DataRule, Problem
from harness.parallel import each, spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from harness.model import Array

    Numbers = NDArray[Any]

ROUNDED = 4.0  # of sqrt(R), for sums that round to nearest
CUT_OFF = 0.25  # of R, for sums of products that drop what does not fit
LONGEST_CUT_OFF = 8192
_RANDOM = ("uniform", "normal", "integers", "permutation")
_EXACT_FLOAT = 2.0**53
_EXACT_INT = 2.0**63
# BLAS starts threads even for small products, and where the cores are busy with a submission they
# wait for each other, for a third of a second now and then; einsum's own loop takes 2 ms for these.
_PLAIN_EINSUM = 1 << 22


def answer(
    problem: Problem,
    case: Case,
    inputs: Mapping[str, Array],
    scalars: Mapping[str, int | float | bool],
) -> CaseData:
    """The case's data with right answers and slack.

    Raises ReferenceFault, which begins with the spec's path, when the reference fails, gives NaN
    from inputs without one, a wrong shape or numbers that do not fit, or contradicts the example.
    """
    with told_by(problem, case):
        return _answer(problem, case, inputs, scalars)


def _answer(
    problem: Problem,
    case: Case,
    inputs: Mapping[str, Array],
    scalars: Mapping[str, int | float | bool],
) -> CaseData:
    norms: dict[str, Numbers] = {}
    if problem.reference.einsum:
        right = {problem.outputs[0].name: _einsum_answer(problem, case, inputs)}
    else:
        right, norms = _python_answer(problem, case, inputs, scalars)
    slack = {
        argument.name: _slack(problem, case, argument, inputs, right[argument.name], norms)
        for argument in problem.outputs
    }
    data = CaseData(inputs, scalars, right, slack, signed_zeros=case.data == SPECIAL)
    if case.example is not None:
        _check_example(problem, case, data)
    return data


def slack_factor(problem: Problem, case: Case, argument: Argument) -> float | None:
    """``_sum_factor`` for this output, to be multiplied by sqrt(ref^2 + T2); 0 where there is no
    reduction; None where the data are not random and the other bound holds."""
    if problem.tolerance.reduction is None or np.dtype(argument.type).kind != "f":
        return 0.0
    if not _is_random(problem, case):
        return None
    return _sum_factor(problem, argument, problem.tolerance.reduction.evaluate(case.sizes))


def _sum_factor(problem: Problem, argument: Argument, terms: int) -> float:
    """``eps * (4*sqrt(R) + min(R, 8192)/4)``: how far a sum of R products may be off, as a share
    of sqrt(ref^2 + T2); the second part is for products alone, and in float32."""
    dtype = np.dtype(argument.type)
    share = float(np.finfo(dtype).eps) * ROUNDED * math.sqrt(terms)
    if len(problem.inputs) > 1 and dtype.itemsize <= 4:
        share += float(np.finfo(np.float32).eps) * CUT_OFF * min(terms, LONGEST_CUT_OFF)
    return share


# --- einsum ------------------------------------------------------------------------------------


def contract(text: str, operands: Sequence[Numbers]) -> Numbers:
    """``np.einsum``, with large contractions of two operands done by matrix multiplication."""
    left, output = text.split("->")
    letters = left.split(",")
    extents = dict(zip("".join(letters), (n for o in operands for n in o.shape), strict=True))
    if math.prod(extents.values()) <= _PLAIN_EINSUM:
        return np.asarray(np.einsum(text, *operands))
    if len(letters) != 2 or any(len(set(word)) != len(word) for word in letters):
        return np.asarray(np.einsum(text, *operands, optimize=True))
    (first, a), (second, b) = (
        _sum_alone(word, other, output, operand)
        for word, other, operand in zip(letters, reversed(letters), operands, strict=True)
    )
    shared = [letter for letter in first if letter in second]
    batch = [letter for letter in shared if letter in output]
    summed = [letter for letter in shared if letter not in output]
    rows = [letter for letter in first if letter not in second]
    columns = [letter for letter in second if letter not in first]

    def matrix(array: Numbers, word: str, upper: list[str], lower: list[str]) -> Numbers:
        axes = [word.index(letter) for letter in (*batch, *upper, *lower)]
        lengths = [math.prod(extents[x] for x in part) for part in (upper, lower)]
        shape = (*(extents[x] for x in batch), *lengths)
        flattened: Numbers = array.transpose(axes).reshape(shape)
        return flattened

    product = matrix(a, first, rows, summed) @ matrix(b, second, summed, columns)
    order = [*batch, *rows, *columns]
    shaped: Numbers = product.reshape([extents[letter] for letter in order])
    result: Numbers = shaped.transpose([order.index(letter) for letter in output])
    return result


def _sum_alone(word: str, other: str, output: str, operand: Numbers) -> tuple[str, Numbers]:
    """Sum over the letters that occur in this operand alone."""
    alone = tuple(i for i, x in enumerate(word) if x not in other and x not in output)
    if not alone:
        return word, operand
    kept = "".join(x for i, x in enumerate(word) if i not in alone)
    return kept, operand.sum(axis=alone)


def terms_of(problem: Problem, inputs: Mapping[str, Array]) -> int:
    """How many terms the einsum sums for one element."""
    left, output = problem.reference.einsum.split("->")
    extents: dict[str, int] = {}
    for word, argument in zip(left.split(","), problem.inputs, strict=True):
        extents.update(zip(word, inputs[argument.name].shape, strict=True))
    return math.prod(extent for letter, extent in extents.items() if letter not in output)


def _einsum_answer(problem: Problem, case: Case, inputs: Mapping[str, Array]) -> Numbers:
    text, argument = problem.reference.einsum, problem.outputs[0]
    operands: list[Numbers] = [inputs[a.name] for a in problem.inputs]
    dtype = np.dtype(argument.type)
    if is_permutation(text) and operands[0].dtype == dtype:
        view: Numbers = np.einsum(text, operands[0])
        return view
    shape = shape_of(argument, case.sizes)
    if dtype.kind == "f" or any(operand.dtype.kind == "f" for operand in operands):
        with np.errstate(all="ignore"):
            result = contract(text, [operand.astype(np.float64) for operand in operands])
        if not _is_finite(result) and all(_is_finite(operand) for operand in operands):
            raise ReferenceFault(f"the sums of {argument.name} overflow float64")
        return _checked(result.reshape(shape), argument, inputs)
    largest = math.prod(float(np.max(np.abs(operand.astype(np.float64)))) for operand in operands)
    bound = largest * terms_of(problem, inputs)
    if bound >= _EXACT_INT:
        raise ReferenceFault(f"the reference's sums for {argument.name} do not fit into int64")
    exact = np.float64 if bound < _EXACT_FLOAT else np.int64
    result = contract(text, [operand.astype(exact) for operand in operands])
    return _checked(result.reshape(shape), argument, inputs)


# --- python ------------------------------------------------------------------------------------


def _python_answer(
    problem: Problem,
    case: Case,
    inputs: Mapping[str, Array],
    scalars: Mapping[str, int | float | bool],
) -> tuple[dict[str, Numbers], dict[str, Numbers]]:
    name = problem.reference.python
    what = f"the reference {name}"
    function = load(problem.reference.directory, name)
    values: dict[str, object] = {**case.sizes, **scalars, **inputs}
    result = call(function, what, (), _wanted(function, what, values))
    outputs = [argument.name for argument in problem.outputs]
    if not isinstance(result, dict):
        if len(outputs) > 1:
            raise ReferenceFault(f"{what} must return a dict with {', '.join(outputs)}")
        result = {outputs[0]: result}
    expected: dict[str, Numbers] = {}
    norms: dict[str, Numbers] = {}
    for argument in problem.outputs:
        if argument.name not in result:
            raise ReferenceFault(f"{what} returned nothing for {argument.name}")
        shape = shape_of(argument, case.sizes)
        array = _array(result[argument.name], what, argument.name, shape)
        expected[argument.name] = _checked(array, argument, inputs)
        norm = result.get(f"{argument.name}_norm")
        if norm is not None:
            norms[argument.name] = _array(norm, what, f"{argument.name}_norm", shape)
    return expected, norms


def _wanted(function: object, what: str, values: Mapping[str, object]) -> Mapping[str, object]:
    """The values that the function has parameters for."""
    assert callable(function)
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters):
        return values
    for parameter in parameters:
        if parameter.name not in values and parameter.default is inspect.Parameter.empty:
            valid = ", ".join(values)
            raise ReferenceFault(f"{what} wants {parameter.name!r}; there is: {valid}")
    return {p.name: values[p.name] for p in parameters if p.name in values}


def _array(value: object, what: str, name: str, shape: tuple[int, ...]) -> Numbers:
    array: Numbers = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise ReferenceFault(f"{what} gave {array.dtype} for {name}, not numbers")
    if array.shape != shape:
        raise ReferenceFault(f"{what} gave {name} the shape {array.shape}, not {shape}")
    return array


# --- checks ------------------------------------------------------------------------------------


def _checked(array: Numbers, argument: Argument, inputs: Mapping[str, Array]) -> Numbers:
    """In the type to compare in; a NaN out of nowhere or a number that does not fit is a fault."""
    if np.dtype(argument.type).kind == "f":
        wide = array.astype(np.float64, copy=False)
        if _has_nan(wide) and not any(_has_nan(a) for a in inputs.values()):
            raise ReferenceFault(f"the reference gave NaN in {argument.name}; the inputs have none")
        return wide
    if array.dtype == np.bool_ or argument.type == "bool":
        whole = array.astype(np.int64)
        limits = (0, 1) if argument.type == "bool" else (-(2**63), 2**63 - 1)
    else:
        with np.errstate(all="ignore"):
            whole = array.astype(np.int64)
        info = np.iinfo(argument.type)
        limits = (int(info.min), int(info.max))
    if array.dtype.kind == "f" and not np.array_equal(whole, array):
        raise ReferenceFault(f"the reference gave {argument.name} numbers that are not integers")
    if int(whole.min()) < limits[0] or int(whole.max()) > limits[1]:
        raise ReferenceFault(f"the reference's {argument.name} does not fit into {argument.type}")
    return whole


def _has_nan(array: Numbers) -> bool:
    if array.dtype.kind != "f":
        return False
    with np.errstate(all="ignore"):
        return bool(np.isnan(array.sum())) and bool(np.isnan(array).any())


def _is_finite(array: Numbers) -> bool:
    with np.errstate(all="ignore"):
        return bool(np.isfinite(array.sum())) or bool(np.isfinite(array).all())


def _check_example(problem: Problem, case: Case, data: CaseData) -> None:
    assert case.example is not None
    example = problem.examples[case.example]
    for argument in problem.outputs:
        said = example.outputs[argument.name].astype(np.float64)
        found = data.expected[argument.name].astype(np.float64)
        allowed = problem.tolerance.atol + (problem.tolerance.rtol + 1e-6) * np.abs(found)
        allowed = allowed + data.slack[argument.name].astype(np.float64)
        with np.errstate(all="ignore"):
            near = np.abs(said - found) <= allowed
        wrong = ~(near | (said == found) | (np.isnan(said) & np.isnan(found)))
        if wrong.any():
            index = tuple(int(i) for i in np.argwhere(wrong)[0])
            place = "".join(f"[{i}]" for i in index)
            raise ReferenceFault(
                f"example {case.example + 1} says {argument.name}{place} = {said[index]:g}, "
                f"but the reference gives {found[index]:g}"
            )


# --- slack -------------------------------------------------------------------------------------


def _is_random(problem: Problem, case: Case) -> bool:
    return case.example is None and all(
        a.data is not None and _is_spread(a.data) for a in problem.inputs
    )


def _is_spread(rule: DataRule) -> bool:
    """Random, and not so narrow that rounding errors would all point one way."""
    if rule.kind not in _RANDOM:
        return False
    if rule.kind == "permutation":
        return True
    first, second = rule.params
    if rule.kind == "normal":
        return second >= 0.05 * abs(first) and second > 0
    return second - first >= 0.1 * max(abs(first), abs(second)) and second > first


def _slack(
    problem: Problem,
    case: Case,
    argument: Argument,
    inputs: Mapping[str, Array],
    expected: Numbers,
    norms: Mapping[str, Numbers],
) -> Numbers:
    """The slack of one output, broadcastable to it."""
    factor = slack_factor(problem, case, argument)
    reduction = problem.tolerance.reduction
    if factor == 0.0 or reduction is None or case.data == SPARSE:
        return np.zeros(())
    terms = reduction.evaluate(case.sizes)
    if not problem.reference.einsum:
        scale = _sum_factor(problem, argument, terms)
        norm = norms.get(argument.name)
        finite = np.abs(expected[np.isfinite(expected)])
        most = np.asarray(finite.max(initial=0.0)) if norm is None else norm
        return np.asarray(scale * np.sqrt(np.square(np.minimum(np.abs(expected), 1e150)) + most**2))
    text = problem.reference.einsum
    operands = [inputs[a.name] for a in problem.inputs]
    if factor is None:
        with np.errstate(all="ignore"):
            sizes = contract(text, [np.abs(operand.astype(np.float64)) for operand in operands])
        return np.asarray(terms * np.finfo(argument.type).eps * sizes).reshape(expected.shape)
    root, scale = _root_of_squares(text, operands)
    return _random_slack(factor, expected, root.reshape(expected.shape), scale)


def _root_of_squares(text: str, operands: Sequence[Numbers]) -> tuple[Numbers, float]:
    """sqrt(T2) as an array and a factor: operands are scaled to 1, so that float32, which is twice
    as fast and exact to more digits than matter here, is wide enough."""
    dtype = np.float32 if len(operands) == 2 else np.float64
    scaled: list[Numbers] = []
    scale = 1.0
    for operand in operands:
        largest = max(abs(float(operand.max())), abs(float(operand.min()))) or 1.0
        scaled.append(np.square(np.divide(operand, largest).astype(dtype)))
        scale *= largest
    root: Numbers = np.sqrt(contract(text, scaled))
    return root, scale


def _random_slack(factor: float, expected: Numbers, root: Numbers, scale: float) -> Numbers:
    """factor * sqrt(expected^2 + (scale*root)^2), in spans of rows, kept as float32."""
    result: Numbers = np.empty(expected.shape, np.float32)
    rows: Numbers = expected.reshape(expected.shape[0], -1)
    roots, out = root.reshape(rows.shape), result.reshape(rows.shape)

    def fill(begin: int, end: int) -> None:
        with np.errstate(all="ignore"):
            wide = roots[begin:end].astype(np.float64) * scale
            out[begin:end] = factor * np.hypot(rows[begin:end], wide)

    each(fill, spans(rows.shape[0], max(1, (1 << 18) // rows.shape[1])))
    return result
