"""Element by element: what is right, what is wrong, and what is told of it."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from harness import compare, parallel
from harness.compare import compare_output, max_abs_error, poison_pattern, same_output
from harness.model import Argument, CaseData, Mismatch, Role, Tolerance

if TYPE_CHECKING:
    from numpy.typing import NDArray

FLOATS = ("float16", "float32", "float64")
INTEGERS = ("bool", "int8", "uint8", "int16", "int32", "int64")
LOOSE = Tolerance(1e-3, 1e-3)
EXACT = Tolerance(0.0, 0.0)


def data_of(expected: NDArray[Any], slack: object = 0.0) -> CaseData:
    return CaseData({}, {}, {"y": expected}, {"y": np.asarray(slack)})


def judged(
    got: NDArray[Any],
    expected: NDArray[Any],
    tolerance: Tolerance = LOOSE,
    slack: object = 0.0,
    variant: int = 0,
) -> Mismatch | None:
    argument = Argument("y", str(got.dtype), Role.OUT)
    poison = poison_pattern(argument.type, variant)
    return compare_output(argument, got, data_of(expected, slack), tolerance, poison)


def poisoned(shape: tuple[int, ...] | int, dtype: str, variant: int = 0) -> NDArray[Any]:
    pattern = poison_pattern(dtype, variant)
    count = int(np.prod(shape))
    return np.frombuffer(pattern * count, dtype).reshape(shape).copy()


# --- poison ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
def test_float_poison_is_a_signalling_nan(dtype: str) -> None:
    patterns = {poison_pattern(dtype, variant) for variant in range(4)}
    assert len(patterns) == 2
    for variant in (0, 1):
        pattern = poison_pattern(dtype, variant)
        assert len(pattern) == np.dtype(dtype).itemsize
        word = int.from_bytes(pattern, sys.byteorder)
        assert not word & compare.QUIET_BIT[dtype]
        array = poisoned(3, dtype, variant)
        assert np.isnan(array).all()
        copied = array.copy()
        assert copied.tobytes() == pattern * 3, "a copy keeps the bits"
        with np.errstate(all="ignore"):
            changed = array + np.asarray(1, dtype)
        assert np.isnan(changed).all()
        assert changed.tobytes() != pattern * 3, "arithmetic does not"


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_poison(dtype: str) -> None:
    first, second = (poison_pattern(dtype, variant) for variant in (0, 1))
    assert first != second
    assert len(first) == len(second) == np.dtype(dtype).itemsize


# --- what is right -----------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_tolerance_is_absolute_relative_and_slack(dtype: str) -> None:
    tolerance = Tolerance(0.25, 0.125)
    expected = np.array([0.0, 8.0, -8.0, 0.0, 8.0])
    slack = np.array([0.0, 0.0, 0.0, 0.5, 0.5])
    limit = np.array([0.25, 1.25, 1.25, 0.75, 1.75])
    for sign in (1, -1):
        at = (expected + sign * limit).astype(dtype)
        assert judged(at, expected, tolerance, slack) is None
        past = (expected + sign * (limit + 0.0625)).astype(dtype)
        mismatch = judged(past, expected, tolerance, slack)
        assert mismatch is not None
        assert mismatch.wrong == 5
        assert [e.allowed for e in mismatch.first] == limit.tolist()


@pytest.mark.fault(46, 47)
def test_nan_and_infinity_are_right_only_where_expected() -> None:
    nan, inf = np.nan, np.inf
    values = [nan, inf, -inf, 0.0, 3e38]
    for got, expected in itertools.product(values, values):
        same = (np.isnan(got) and np.isnan(expected)) or got == expected
        mismatch = judged(np.array([got], np.float32), np.array([expected]))
        assert (mismatch is None) == same, (got, expected)


@pytest.mark.fault(46)
def test_a_nan_among_right_elements_fails() -> None:
    got = np.ones((50, 70), np.float32)
    got[31, 5] = np.nan
    mismatch = judged(got, np.ones((50, 70)))
    assert mismatch is not None
    assert (mismatch.wrong, mismatch.unwritten) == (1, 0)
    assert mismatch.first[0].index == (31, 5)
    assert mismatch.max_abs_error == 0.0


@pytest.mark.fault(47)
def test_infinity_at_the_edge_of_the_range() -> None:
    """An FP16 result of 65,519 may round up to infinity, one of 60,000 may not."""
    expected = np.array([65519.0, 70000.0, 60000.0, -70000.0])
    tolerance = Tolerance(0.0, 1e-3)
    inf = np.inf
    assert judged(np.array([inf, inf, 60000, -inf], np.float16), expected, tolerance) is None
    assert judged(np.array([65504, inf, 60000, -inf], np.float16), expected, tolerance) is None
    for wrong in ([inf, inf, inf, -inf], [inf, inf, 60000, inf], [inf, 65504, 60000, -inf]):
        mismatch = judged(np.array(wrong, np.float16), expected, tolerance)
        assert mismatch is not None
        assert mismatch.wrong == 1


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_equal_or_wrong(dtype: str) -> None:
    expected = np.array([0, 1, 1, 0], np.int64)
    right = expected.astype(dtype)
    assert judged(right, expected, LOOSE) is None
    assert judged(right, expected.astype(dtype), LOOSE) is None
    wrong = right.copy()
    wrong[2] = 0
    mismatch = judged(wrong, expected, LOOSE, slack=5.0)
    assert mismatch is not None
    assert (mismatch.wrong, mismatch.first[0].index, mismatch.first[0].allowed) == (1, (2,), 0.0)


def test_a_bool_is_one_or_zero() -> None:
    got = np.array([1, 2, 0], np.uint8).view(np.bool_)
    mismatch = judged(got, np.array([True, True, False]))
    assert mismatch is not None
    assert mismatch.first[0].index == (1,)
    assert mismatch.first[0].got == 2.0


def test_exact_floats() -> None:
    expected = np.array([1.5, -0.0, 2.0], np.float32)
    assert judged(expected.copy(), expected, EXACT) is None
    mismatch = judged(np.nextafter(expected, np.float32(9)), expected, EXACT)
    assert mismatch is not None
    assert mismatch.wrong == 3


def test_expected_may_be_a_view() -> None:
    expected = np.arange(12, dtype=np.float32).reshape(3, 4).T
    assert judged(np.ascontiguousarray(expected), expected, EXACT) is None
    mismatch = judged(np.arange(12, dtype=np.float32).reshape(4, 3), expected, EXACT)
    assert mismatch is not None
    assert mismatch.wrong == 10


def test_a_wrong_shape_is_the_judges_error() -> None:
    with pytest.raises(ValueError, match=r"y is \(2, 3\), not \(3, 2\)"):
        judged(np.zeros((2, 3), np.float32), np.zeros((3, 2)))


@pytest.mark.fault(24)
@settings(max_examples=60)
@given(
    hnp.arrays(np.float32, hnp.array_shapes(max_dims=3, max_side=9), elements=st.floats(width=32)),
    st.data(),
)
def test_agrees_with_a_loop(got: NDArray[np.float32], draw: st.DataObject) -> None:
    """Against the definition, one element at a time, on any floats."""
    finite = st.floats(-1e30, 1e30)
    special = st.sampled_from([np.nan, np.inf, -np.inf, 0.0])
    near = draw.draw(hnp.arrays(np.float64, got.shape, elements=finite | special))
    keep = draw.draw(hnp.arrays(np.bool_, got.shape))
    expected = np.where(keep, got.astype(np.float64), near)
    slack = draw.draw(hnp.arrays(np.float64, got.shape, elements=st.floats(0, 10)))
    wrong = 0
    largest = float(np.finfo(np.float32).max)
    for g, e, s in zip(got.flat, expected.flat, slack.flat, strict=True):
        g, e = float(g), float(e)
        allowed = 1e-3 + 1e-3 * abs(e) + s
        if np.isnan(e):
            right = bool(np.isnan(g))
        elif np.isinf(e):
            right = g == e
        elif np.isinf(g):
            right = g * e > 0 and abs(e) + allowed >= largest
        else:
            right = abs(g - e) <= allowed
        wrong += not right
    mismatch = judged(got, expected, LOOSE, slack)
    assert (mismatch.wrong if mismatch else 0) == wrong


# --- what was never written --------------------------------------------------------------------


@pytest.mark.parametrize("variant", [0, 1])
@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_unwritten_elements_are_counted(dtype: str, variant: int) -> None:
    expected = np.ones((5, 6))
    got = poisoned((5, 6), dtype, variant)
    got[:3] = 1
    got[0, 0] = 0
    mismatch = judged(got, expected.astype(np.float64 if dtype in FLOATS else np.int64),
                      variant=variant)  # fmt: skip
    assert mismatch is not None
    assert (mismatch.wrong, mismatch.unwritten, mismatch.total) == (13, 12, 30)
    assert not mismatch.first[0].unwritten
    assert mismatch.first[1].unwritten
    assert mismatch.first[1].index == (3, 0)
    assert mismatch.max_abs_error == 1.0
    assert mismatch.map == ("x.....", "......", "......", "oooooo", "oooooo")


def test_poison_is_unwritten_even_where_nan_is_expected() -> None:
    got = poisoned(4, "float32")
    mismatch = judged(got, np.full(4, np.nan))
    assert mismatch is not None
    assert mismatch.unwritten == 4
    quiet = (got.view(np.uint32) | np.uint32(compare.QUIET_BIT["float32"])).view(np.float32)
    assert judged(quiet, np.full(4, np.nan)) is None


@pytest.mark.fault(25)
def test_an_integer_that_looks_like_poison_but_is_right() -> None:
    got = poisoned(4, "int32")
    assert judged(got, got.astype(np.int64)) is None


# --- the report --------------------------------------------------------------------------------


def test_the_first_mismatches_and_the_largest_error() -> None:
    expected = np.arange(200.0).reshape(10, 20)
    got = expected.astype(np.float32)
    got[3, 4:16] += 2
    got[9, 19] = -1e6
    mismatch = judged(got, expected)
    assert mismatch is not None
    assert (mismatch.argument, mismatch.shape) == ("y", (10, 20))
    assert (mismatch.wrong, mismatch.total) == (13, 200)
    assert 5 <= len(mismatch.first) <= 8
    assert [e.index for e in mismatch.first] == [(3, c) for c in range(4, 4 + len(mismatch.first))]
    assert mismatch.first[0].got == 66.0
    assert mismatch.first[0].expected == 64.0
    assert mismatch.max_abs_error == pytest.approx(1e6 + 199)


@pytest.mark.parametrize(
    ("shape", "lines", "width", "cell"),
    [
        ((1, 1), 1, 1, (1, 1)),
        ((16, 48), 16, 48, (1, 1)),
        ((17, 49), 9, 25, (2, 2)),
        ((1000, 3), 16, 3, (63, 1)),
        ((5,), 1, 5, (1, 1)),
        ((192,), 4, 48, (1, 1)),
        ((100000,), 4, 48, (1, 521)),
        ((3, 4, 5), 12, 5, (1, 1)),
        ((8, 8, 100), 16, 34, (4, 3)),
    ],
)
def test_the_map(shape: tuple[int, ...], lines: int, width: int, cell: tuple[int, int]) -> None:
    expected = np.zeros(shape)
    got = np.zeros(shape, np.float32)
    got.flat[-1] = 5
    mismatch = judged(got, expected)
    assert mismatch is not None
    assert mismatch.map_cell == cell
    assert len(mismatch.map) == lines <= 16
    assert max(map(len, mismatch.map)) == width <= 48
    joined = "".join(mismatch.map)
    assert joined.endswith("x")
    assert set(joined[:-1]) <= {"."}


def test_indices_of_more_dimensions() -> None:
    expected = np.zeros((3, 4, 5))
    got = np.zeros((3, 4, 5), np.float32)
    got[2, 1, 3] = 9
    mismatch = judged(got, expected)
    assert mismatch is not None
    assert mismatch.first[0].index == (2, 1, 3)


# --- large outputs -----------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(700_001,), (3, 200_000), (200_000, 3), (901, 701)])
def test_large_outputs_on_several_cores(
    shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "cores", lambda: 4)
    generator = np.random.default_rng(0)
    expected = generator.standard_normal(shape)
    got = expected.astype(np.float32)
    assert judged(got, expected) is None
    assert max_abs_error(got, data_of(expected), "y") < 1e-6
    wrong = generator.choice(got.size, 5, replace=False)
    got.reshape(-1)[wrong] += np.float32(7)
    mismatch = judged(got, expected)
    assert mismatch is not None
    assert mismatch.wrong == 5
    flat = [int(np.ravel_multi_index(e.index, shape)) for e in mismatch.first]
    assert flat == sorted(wrong.tolist())
    assert mismatch.max_abs_error == pytest.approx(7, abs=1e-5)
    assert "".join(mismatch.map).count("x") <= 5


# --- the error of a right output, and two runs -------------------------------------------------


def test_max_abs_error() -> None:
    expected = np.array([1.0, np.nan, np.inf, 4.0])
    got = np.array([1.5, np.nan, np.inf, 3.75], np.float32)
    assert max_abs_error(got, data_of(expected), "y") == 0.5
    assert max_abs_error(np.array([np.nan], np.float32), data_of(np.array([1.0])), "y") == 0.0
    assert max_abs_error(np.array([3, 9], np.int32), data_of(np.array([3, 4])), "y") == 5.0


def agree(
    first: NDArray[Any], second: NDArray[Any], expected: NDArray[Any], slack: object = 0.0
) -> bool:
    argument = Argument("y", str(first.dtype), Role.OUT)
    return same_output(argument, first, second, data_of(expected, slack), LOOSE)


def test_two_right_outputs_always_agree() -> None:
    expected = np.array([[0.0, 100.0]])
    off = np.array([[0.99e-3, 0.1]])
    low, high = (expected - off).astype(np.float32), (expected + off).astype(np.float32)
    assert agree(low, high, expected)
    assert not agree(low, high + np.float32(0.01), expected)
    assert agree(low, high + np.float32(0.01), expected, slack=0.01)


@pytest.mark.parametrize("dtype", ["float32", "int32", "bool"])
def test_two_unwritten_outputs_agree_in_either_poison(dtype: str) -> None:
    expected = np.ones(6) if dtype == "float32" else np.ones(6, np.int64)
    first, second = poisoned(6, dtype, 0), poisoned(6, dtype, 1)
    first[:3] = second[:3] = 1
    assert agree(first, second, expected)
    second[3] = 0
    assert not agree(first, second, expected)


def test_two_wrong_outputs_agree_when_they_are_wrong_alike() -> None:
    expected = np.zeros(4)
    first = np.array([5, np.nan, np.inf, -np.inf], np.float32)
    assert agree(first, first.copy(), expected)
    for place, value in ((0, 6), (1, 0), (2, -np.inf), (3, np.nan)):
        second = first.copy()
        second[place] = value
        assert not agree(first, second, expected)
    assert not agree(np.array([1, 2], np.int32), np.array([1, 3], np.int32), np.array([9, 9]))
    infinite = np.array([np.inf])
    assert not agree(np.zeros(1, np.float32), np.ones(1, np.float32), infinite)
