"""Fills a case's inputs from its seed, reproducibly and fast.

An array's values depend on (seed, problem, sizes, argument, kind of data) alone, through SHA-256,
so the same seed and sizes replay the same data on any machine and whatever the case is called.
Large arrays are filled in chunks of fixed length, each from a generator of its own, on all cores.

Values stay within the spec's rule and are not laced with outliers (``kinds`` are data of their
own): about zero, a sum over part of
the terms says nothing about the rest, so a submission that computes a part and scales it is off by
thousands of times what is allowed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.cases import kinds
from harness.cases.userfunction import call, load
from harness.errors import ReferenceFault, SpecError
from harness.expr import ExprError
from harness.model import Argument, Case, DataRule, Problem, Role
from harness.parallel import each, spans

if TYPE_CHECKING:
    from harness.model import Array

CHUNK = 1 << 20
_BY_ELEMENT = ("uniform", "normal", "integers")  # rules that draw each element by itself
_KIND_CHUNK = 1 << 30  # the number of no chunk


def case_inputs(
    problem: Problem, case: Case
) -> tuple[Mapping[str, Array], Mapping[str, int | float | bool]]:
    """Input arrays (in and inout, read-only, C order) and all values passed by value, by name.

    Raises ReferenceFault, which begins with the spec's path, when its own data function fails.
    """
    with told_by(problem, case):
        return _case_inputs(problem, case)


@contextmanager
def told_by(problem: Problem, case: Case) -> Iterator[None]:
    """Begin a ReferenceFault's message with the spec's path, and an example's with its line too."""
    try:
        yield
    except ReferenceFault as error:
        raise ReferenceFault(f"{_place(problem, case)}: {error}") from None


def _place(problem: Problem, case: Case) -> str:
    if case.example is None:
        return str(problem.path)
    from harness.spec.yamlpos import load

    try:
        return f"{problem.path}:{load(problem.path).line(('examples', case.example))}"
    except SpecError:  # gone or changed meanwhile
        return str(problem.path)


def _case_inputs(
    problem: Problem, case: Case
) -> tuple[Mapping[str, Array], Mapping[str, int | float | bool]]:
    arrays: dict[str, Array] = {}
    scalars: dict[str, int | float | bool] = {}
    given = problem.examples[case.example].inputs if case.example is not None else {}
    for argument in problem.arguments:
        if argument.role is Role.SIZE:
            scalars[argument.name] = case.sizes[argument.name]
        elif argument.role is Role.SCALAR:
            value = given[argument.name] if argument.name in given else argument.value
            scalars[argument.name] = _drawn(problem, case, argument) if value is None else value
        elif argument.role is not Role.OUT:
            array = given[argument.name] if argument.name in given else None
            arrays[argument.name] = _filled(problem, case, argument) if array is None else array
    return arrays, scalars


def shape_of(argument: Argument, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """An array's shape. Raises ReferenceFault where an expression has no value or is negative."""
    try:
        shape = tuple(expr.evaluate(sizes) for expr in argument.shape)
    except ExprError as error:
        raise ReferenceFault(f"the shape of {argument.name}: {error}") from None
    if any(extent < 1 for extent in shape):
        shown = ", ".join(f"{name}={value}" for name, value in sizes.items())
        raise ReferenceFault(f"the shape of {argument.name} is {shape} for {shown}")
    return shape


def _filled(problem: Problem, case: Case, argument: Argument) -> Array:
    shape = shape_of(argument, case.sizes)
    array = _make(problem, case, argument, shape)
    _change(problem, case, argument, array)
    array.setflags(write=False)
    return array


def _change(problem: Problem, case: Case, argument: Argument, array: Array) -> None:
    """Make the rule's data those of the case's kind."""
    if case.data in ("", kinds.OTHER):
        return
    if case.data == kinds.CHANGED:
        plain = _make(problem, replace(case, data=""), argument, array.shape)
        if argument.data is not None and argument.data.kind in _BY_ELEMENT:
            kept = plain.size * 3 // 4
            array.reshape(-1)[:kept] = plain.reshape(-1)[:kept]
        return
    if array.dtype.kind != "f":
        return
    generator = _generator(_entropy(problem, case, argument), _KIND_CHUNK)
    if case.data == kinds.SPECIAL:
        kinds.special(array, generator)
    elif case.data == kinds.SCALED:
        kinds.scale(problem, argument, array, generator)
    else:
        kinds.sparse(problem, argument, array, case.sizes, generator)


def _drawn(problem: Problem, case: Case, argument: Argument) -> int | float | bool:
    value: int | float | bool = _make(problem, case, argument, (1,))[0].item()
    return value


def _entropy(problem: Problem, case: Case, argument: Argument) -> int:
    kind = [case.data] if case.data else []
    key = json.dumps([case.seed, problem.name, sorted(case.sizes.items()), argument.name, *kind])
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:16], "little")


def _generator(entropy: int, chunk: int) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(entropy, spawn_key=(chunk,))))


def _make(problem: Problem, case: Case, argument: Argument, shape: tuple[int, ...]) -> Array:
    rule, dtype = argument.data, np.dtype(argument.type)
    assert rule is not None
    entropy = _entropy(problem, case, argument)
    if rule.kind == "python":
        return _from_python(problem, case, argument, shape, _generator(entropy, 0))
    if rule.kind == "constant":
        return np.full(shape, rule.params[0], dtype)
    count = int(np.prod(shape, dtype=np.int64))
    if rule.kind == "arange":
        start, step = rule.params
        return _cast(start + step * np.arange(count, dtype=np.float64), argument).reshape(shape)
    if rule.kind == "permutation":
        return _cast(_generator(entropy, 0).permutation(count), argument).reshape(shape)
    flat = np.empty(count, dtype)

    def fill(begin: int, end: int) -> None:
        _draw(_generator(entropy, begin // CHUNK), rule, flat[begin:end])

    each(fill, spans(count, CHUNK))
    return flat.reshape(shape)


def _draw(generator: np.random.Generator, rule: DataRule, out: np.ndarray[Any, Any]) -> None:
    """Fill ``out`` by a random rule."""
    first, second = rule.params
    if rule.kind == "integers":
        low, high = int(first), int(second)
        if out.dtype.kind in "iu":
            out[...] = generator.integers(low, high, out.size, dtype=out.dtype, endpoint=True)
        else:
            out[...] = generator.integers(low, high, out.size, endpoint=True)
        return
    # float16 is drawn as float32 and rounded.
    wide = out if out.dtype.itemsize >= 4 else np.empty(out.size, np.float32)
    if rule.kind == "uniform":
        generator.random(out=wide, dtype=wide.dtype.type)
        wide *= wide.dtype.type(second - first)
    else:
        generator.standard_normal(out=wide, dtype=wide.dtype.type)
        wide *= wide.dtype.type(second)
    wide += wide.dtype.type(first)
    if wide is not out:
        out[...] = wide


def _cast(values: np.ndarray[Any, Any], argument: Argument) -> Array:
    """To the argument's type; values that do not fit are the spec's fault."""
    dtype = np.dtype(argument.type)
    with np.errstate(all="ignore"):
        result: Array = values.astype(dtype)
    if dtype.kind in "iub" and not np.array_equal(result, values):
        raise ReferenceFault(f"the data of {argument.name} do not fit into {argument.type}")
    return result


def _from_python(
    problem: Problem,
    case: Case,
    argument: Argument,
    shape: tuple[int, ...],
    generator: np.random.Generator,
) -> Array:
    """The spec's ``function(shape, rng, sizes)``."""
    assert argument.data is not None
    function = load(problem.reference.directory, argument.data.function)
    what = f"{argument.data.function} for {argument.name}"
    values = call(function, what, (shape, generator, dict(case.sizes)), {})
    array = np.asarray(values)
    if array.shape != shape or array.dtype.kind not in "biuf":
        raise ReferenceFault(f"{what} gave {array.dtype} of shape {array.shape}, not {shape}")
    result: Array = np.array(_cast(array, argument), order="C")
    return result
