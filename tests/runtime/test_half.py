"""half and bfloat16 against exact arithmetic: functions of one number on all numbers, those of two
and three on many; with the processor's instructions and without."""

from __future__ import annotations

import math
import random
import subprocess
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from half_reference import (
    BFLOAT16,
    FORMATS,
    HALF,
    NAN,
    Bits,
    Format,
    Numbers,
    applied,
    of_one,
    quotient,
    sum_of_product,
    to_integer,
)
from numpy.typing import NDArray
from runtime_tools import FOLDER, RUNTIME, compilers

from harness.backends.cpu import processor

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(not compilers(), reason="no C++ compiler"),
]

# What decides about rounding among the options that solutions are compiled with.
_OPTIONS = ("-std=c++17", "-O2", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math")
_LANGUAGE = (
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fsigned-char",
    "-include",
    "cuda_runtime.h",
    "-I",
    str(RUNTIME),
)
_BUILDS = [(name, processor.options()) for name in compilers()]
_BUILDS += [(compilers()[0], ())] if compilers() and processor.options() else []
_INTEGERS = {
    "short": "int16",
    "ushort": "uint16",
    "int": "int32",
    "uint": "uint32",
    "ll": "int64",
    "ull": "uint64",
}
_MODES = ("rn", "rz", "rd", "ru")
_ALL = np.arange(65536, dtype=np.uint16)

Blocks = dict[str, bytes]


class Functions:
    """The functions as one compiler makes them."""

    def __init__(self, program: Path) -> None:
        self._program = program

    def of(self, what: str, values: NDArray[np.generic] | None = None) -> Blocks:
        """What ``half_values.cpp`` gives, by format and name."""
        given = b"" if values is None else values.tobytes()
        done = subprocess.run([self._program, what], input=given, capture_output=True, timeout=60)
        assert done.returncode == 0
        blocks: Blocks = {}
        rest = done.stdout
        while rest:
            head, _, rest = rest.partition(b"\n")
            name, size = head.decode().rsplit(" ", 1)
            blocks[name], rest = rest[: int(size)], rest[int(size) :]
        return blocks


@pytest.fixture(scope="module", params=_BUILDS, ids=lambda build: " ".join([build[0], *build[1]]))
def functions(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Functions:
    compiler, target = request.param
    made = tmp_path_factory.mktemp("half") / "values"
    source = FOLDER / "half_values.cpp"
    command = [compiler, *_OPTIONS, *target, *_LANGUAGE, str(source), "-lm", "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Functions(made)


def check(
    block: bytes, expected: NDArray[np.generic], given: Sequence[object] | NDArray[np.generic]
) -> None:
    got = np.frombuffer(block, expected.dtype)
    assert got.shape == expected.shape
    wrong = np.flatnonzero(got.view(f"u{got.itemsize}") != expected.view(f"u{got.itemsize}"))
    shown = [(given[i], got[i], expected[i]) for i in wrong[:5]]
    assert not wrong.size, f"{wrong.size} wrong; given, got, expected: {shown}"


# ---- functions of one number ---------------------------------------------------------------------

_UNARY: dict[str, Callable[[Numbers], Numbers]] = {
    "__hneg": np.negative,
    "negative": np.negative,
    "__habs": np.abs,
    "htrunc": np.trunc,
    "hceil": np.ceil,
    "hfloor": np.floor,
    "hrint": np.rint,
    "hsqrt": np.sqrt,
    "hrcp": np.reciprocal,
    "hrsqrt": lambda x: 1 / np.sqrt(x),
    "hlog": np.log,
    "hlog2": np.log2,
    "hlog10": np.log10,
    "hexp": np.exp,
    "hexp2": np.exp2,
    "hexp10": lambda x: np.power(10.0, x),
    "hsin": of_one(math.sin),
    "hcos": of_one(math.cos),
    "htanh": np.tanh,
    "htanh_approx": np.tanh,
    "increment": lambda x: x + 1,
    "decrement": lambda x: x - 1,
}


def test_functions_of_one_number(functions: Functions) -> None:
    blocks = functions.of("unary")
    for form in FORMATS:
        values = form.values(_ALL)
        expected = {name: applied(form, f, values) for name, f in _UNARY.items()}
        nans = np.isnan(values)
        others: dict[str, NDArray[np.generic]] = {
            "__hisnan": nans.astype(np.uint8),
            "__hisinf": (np.isinf(values) * np.sign(np.nan_to_num(values))).astype(np.int32),
            "bool": (values != 0).astype(np.uint8),
            "int": to_integer(values, "rz", "int32"),
            "unsigned long": to_integer(values, "rz", "uint64"),
            "char": to_integer(values, "rz", "int8"),
            "float": floats(form),
            "double": as_doubles(floats(form)),
        }
        for name, results in {**expected, **others}.items():
            check(blocks.pop(f"{form.name}:{name}"), results, _ALL)
    assert not blocks


def floats(form: Format) -> NDArray[np.float32]:
    """All numbers as floats: a half's NaN is the device's, a bfloat16's keeps its bits."""
    if form is BFLOAT16:
        return (_ALL.astype(np.uint32) << 16).view(np.float32)
    wide = form.values(_ALL).astype(np.float32)
    wide.view(np.uint32)[np.isnan(wide)] = 0x7FFFFFFF
    return wide


def as_doubles(values: NDArray[np.floating]) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):  # numpy warns of signalling NaNs
        return values.astype(np.float64)


def test_conversions_to_integers(functions: Functions) -> None:
    blocks = functions.of("integers")
    for form, name, other in ((HALF, "half", BFLOAT16), (BFLOAT16, "bfloat16", HALF)):
        values = form.values(_ALL)
        for short, dtype in (("char", "int8"), ("uchar", "uint8")):
            block = blocks.pop(f"{name}:__{name}2{short}_rz")
            check(block, to_integer(values, "rz", dtype), _ALL)
        for (short, dtype), mode in product(_INTEGERS.items(), _MODES):
            block = blocks.pop(f"{name}:__{name}2{short}_{mode}")
            check(block, to_integer(values, mode, dtype), _ALL)
        check(blocks.pop(f"{name}:__{name}2float"), floats(form), _ALL)
        check(blocks.pop(f"{name}:other"), other.bits(values), _ALL)
    assert not blocks


def test_pairs_give_what_numbers_give(functions: Functions) -> None:
    blocks = functions.of("pairs")
    assert len(blocks) == 2 * (36 + 3 * 12)
    assert {name for name, block in blocks.items() if any(block)} == set()


# ---- conversions to 16 bits ----------------------------------------------------------------------


@lru_cache
def around_ties(dtype: str) -> NDArray[np.floating]:
    """Every number of both formats, what lies half-way between two, the neighbours of that; and
    numbers of any size."""
    number = np.dtype(dtype).type
    parts: list[NDArray[np.floating]] = []
    for form in FORMATS:
        values = form.values(np.arange(form.infinity, dtype=np.uint16))
        ties = ((values[1:] + values[:-1]) / 2).astype(dtype)
        parts += [values.astype(dtype), ties]
        parts += [np.nextafter(ties, number(end)) for end in (np.inf, 0)]
        parts.append(np.ldexp([2.0 - 2.0**-form.digits], -form.lowest + 1).astype(dtype))
    parts.append(np.frombuffer(random.Random(1).randbytes(400_000), dtype))
    parts.append(np.array([0, np.inf, np.nan, np.finfo(dtype).max, np.finfo(dtype).tiny], dtype))
    parts.append(np.nextafter(np.zeros(1, dtype), number(1)))
    whole = np.concatenate(parts)
    return np.concatenate([whole, -whole])


@lru_cache
def expected_bits(form: Format, dtype: str, mode: str) -> Bits:
    return form.bits(as_doubles(around_ties(dtype)), mode)


def test_the_reference_rounds_as_numpy_does() -> None:
    for dtype in ("float32", "float64"):
        with np.errstate(over="ignore", invalid="ignore"):
            theirs = around_ties(dtype).astype(np.float16)
        theirs.view(np.uint16)[np.isnan(theirs)] = NAN
        assert np.array_equal(theirs.view(np.uint16), expected_bits(HALF, dtype, "rn"))


def test_from_float(functions: Functions) -> None:
    given = around_ties("float32")
    blocks = functions.of("float", given)
    for form, mode in product(FORMATS, _MODES):
        expected = expected_bits(form, "float32", mode)
        check(blocks.pop(f"{form.name}:__float2{form.name}_{mode}"), expected, given)
    for form in FORMATS:
        expected = expected_bits(form, "float32", "rn")
        check(blocks.pop(f"{form.name}:constructor"), expected, given)
    assert not blocks


def test_from_double(functions: Functions) -> None:
    given = around_ties("float64")
    blocks = functions.of("double", given)
    for form, constructor in ((HALF, "__half"), (BFLOAT16, "__nv_bfloat16")):
        expected = expected_bits(form, "float64", "rn")
        check(blocks.pop(f"{form.name}:__double2{form.name}"), expected, given)
        check(blocks.pop(f"{form.name}:{constructor}"), expected, given)
    assert not blocks


@lru_cache
def whole_numbers(dtype: str) -> tuple[int, ...]:
    info = np.iinfo(dtype)
    chance = random.Random(2)
    sizes = [1 << k for k in range(64)]
    sizes += [chance.getrandbits(12) << chance.randrange(53) for _ in range(1500)]
    sizes += [chance.getrandbits(chance.randrange(1, 65)) for _ in range(1500)]
    numbers = {sign * size + more for size in sizes for sign in (1, -1) for more in (-1, 0, 1)}
    return tuple(sorted(n for n in {*numbers, info.min, info.max} if info.min <= n <= info.max))


@lru_cache
def expected_of_whole(form: Format, dtype: str, mode: str) -> Bits:
    numbers = whole_numbers(dtype)
    return np.array([form.rounded(n, mode) if n else 0 for n in numbers], dtype=np.uint16)


@pytest.mark.parametrize("short", _INTEGERS)
def test_from_integers(functions: Functions, short: str) -> None:
    dtype = _INTEGERS[short]
    given = whole_numbers(dtype)
    blocks = functions.of(short, np.array(given, dtype))
    for form in FORMATS:
        for mode in _MODES:
            block = blocks.pop(f"{form.name}:__{short}2{form.name}_{mode}")
            check(block, expected_of_whole(form, dtype, mode), given)
        block = blocks.pop(f"{form.name}:constructor")
        check(block, expected_of_whole(form, dtype, "rn"), given)
    assert not blocks


# ---- functions of two and three numbers ----------------------------------------------------------


@lru_cache
def triples(form: Format) -> NDArray[np.uint16]:
    """Corner cases with each other, random numbers, products half-way between two numbers with
    something tiny added, and sums that all but cancel."""
    one = (form.infinity >> 1) & form.infinity
    normal = 1 << (form.digits - 1)
    sizes = [0, 1, 2, normal - 1, normal, normal + 1, one - 1, one, one + 1, one + normal]
    sizes += [form.infinity - 1, form.infinity, form.infinity + 1, 0x7FFF]
    corners = [sign | size for size in sizes for sign in (0, 0x8000)]
    chance = random.Random(form.digits)
    found = [(x, y, chance.choice(corners)) for x in corners for y in corners]
    for _ in range(2000):
        found.append((chance.getrandbits(16), chance.getrandbits(16), chance.getrandbits(16)))
    for _ in range(4000):
        near_one = [one + chance.randrange(-2 * normal, 2 * normal) for _ in range(2)]
        x, y = (bits >> (cut := chance.randrange(form.digits - 2)) << cut for bits in near_one)
        tiny = chance.choice((1, chance.randrange(2 * normal)))
        found.append((x + chance.randrange(7) * normal, y, tiny | chance.choice((0, 0x8000))))
    for _ in range(2000):
        x, y = chance.randrange(form.infinity), chance.randrange(form.infinity)
        exact = float(form.values(np.array([x]))[0]) * float(form.values(np.array([y]))[0])
        z = int(form.bits(np.array([-exact]))[0]) + chance.randrange(-2, 3)
        found.append((x, y, z & 0xFFFF))
        found.append((x, (x ^ 0x8000) + chance.randrange(-2, 2), z & 0xFFFF))
    return np.array(found, dtype=np.int64).astype(np.uint16)


@lru_cache
def expected_of_triples(form: Format) -> dict[str, NDArray[np.generic]]:
    x, y, z = (form.values(part) for part in triples(form).T)
    fused = np.array([sum_of_product(form, *xyz) for xyz in zip(x, y, z, strict=True)], np.uint16)
    added = np.array([sum_of_product(form, 1.0, *xy) for xy in zip(x, y, strict=True)], np.uint16)
    less = np.array([sum_of_product(form, 1.0, *xy) for xy in zip(x, -y, strict=True)], np.uint16)
    times = [sum_of_product(form, *xy, -0.0) for xy in zip(x, y, strict=True)]
    # -0 leaves the sign of every product as it is.
    results: dict[str, NDArray[np.generic]] = {}
    divided = np.array([quotient(form, *xy) for xy in zip(x, y, strict=True)], np.uint16)
    for name, op, bits in (
        ("add", "+", added),
        ("sub", "-", less),
        ("mul", "*", np.array(times, np.uint16)),
    ):
        results |= dict.fromkeys((f"__h{name}", f"__h{name}_rn", op, f"{op}="), bits)
        results[f"__h{name}_sat"] = to_unit(form, bits)
    results |= dict.fromkeys(("__hdiv", "/", "/="), divided)
    results |= {"__hfma": fused, "__hfma_sat": to_unit(form, fused)}
    results["__hfma_relu"] = np.where((fused & 0x8000) > 0, 0, fused).astype(np.uint16)
    return results | extremes(form, x, y) | comparisons(x, y)


def to_unit(form: Format, bits: Bits) -> Bits:
    values = form.values(bits)
    return form.bits(np.where(values > 0, np.minimum(values, 1.0), 0.0))


def extremes(form: Format, x: Numbers, y: Numbers) -> dict[str, NDArray[np.generic]]:
    """A NaN loses, or wins; of two zeros the positive one is greater."""
    lower = np.where(
        (x == 0) & (y == 0),
        np.copysign(0.0, np.copysign(1, x) + np.copysign(1, y) - 1),
        np.fmin(x, y),
    )
    upper = np.where(
        (x == 0) & (y == 0),
        np.copysign(0.0, np.copysign(1, x) + np.copysign(1, y) + 1),
        np.fmax(x, y),
    )
    nan = np.isnan(x) | np.isnan(y)
    return {
        "__hmin": form.bits(lower),
        "__hmax": form.bits(upper),
        "__hmin_nan": form.bits(np.where(nan, np.nan, lower)),
        "__hmax_nan": form.bits(np.where(nan, np.nan, upper)),
    }


def comparisons(x: Numbers, y: Numbers) -> dict[str, NDArray[np.generic]]:
    nan = np.isnan(x) | np.isnan(y)
    ordered = {
        "eq": (x == y, "=="),
        "ne": ((x != y) & ~nan, ""),
        "lt": (x < y, "<"),
        "gt": (x > y, ">"),
        "le": (x <= y, "<="),
        "ge": (x >= y, ">="),
    }
    results: dict[str, NDArray[np.generic]] = {"!=": (x != y).astype(np.uint8)}
    for name, (holds, op) in ordered.items():
        results[f"__h{name}"] = holds.astype(np.uint8)
        results[f"__h{name}u"] = (holds | nan).astype(np.uint8)
        if op:
            results[op] = holds.astype(np.uint8)
    return results


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_functions_of_two_and_three_numbers(functions: Functions, form: Format) -> None:
    given = triples(form)
    blocks = functions.of("binary", given)
    for name, expected in expected_of_triples(form).items():
        check(blocks.pop(f"{form.name}:{name}"), expected, [[hex(n) for n in xyz] for xyz in given])
    assert not [name for name in blocks if name.startswith(form.name)]
