"""The expression language of specs: values, refusals, and agreement with Python's arithmetic."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.expr import ExprError, parse

SIZES = {"M": 17, "N": 19, "K": 31}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("M", 17),
        (" M * K ", 527),
        ("2*M*N*K", 2 * 17 * 19 * 31),
        ("4*(M*N + N*K + M*K)", 4 * (17 * 19 + 19 * 31 + 17 * 31)),
        ("(N + 15) // 16", 2),
        ("K % 16", 15),
        ("-M + 20", 3),
        ("+M", 17),
        ("min(M, N, K) + max(M, N)", 36),
        ("max(M)", 17),
        ("-7 // 2", -4),
    ],
)
def test_values(text: str, value: int) -> None:
    assert parse(text).evaluate(SIZES) == value


def test_names_and_identity() -> None:
    expr = parse("M*K + min(M, 4)")
    assert expr.names == {"M", "K"}
    assert expr == parse("M*K + min(M, 4)")
    assert expr != parse("K*M + min(M, 4)")
    assert hash(expr) == hash(parse("M*K + min(M, 4)"))
    assert pickle.loads(pickle.dumps(expr)).evaluate(SIZES) == expr.evaluate(SIZES)
    assert str(expr) == "M*K + min(M, 4)"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("M +", "not an expression"),
        ("M; N", "not an expression"),
        ("M\x00", "not an expression"),
        ("M / 2", "write // for a division"),
        ("M ** 2", "operator other than"),
        ("M << 2", "operator other than"),
        ("2.5 * M", "2.5 where an integer is wanted"),
        ("True", "True where an integer is wanted"),
        ("'M'", "'M' where an integer is wanted"),
        ("abs(M)", "calls abs; only min and max"),
        ("M.bit_length()", "calls something"),
        ("min()", "takes one or more"),
        ("min(*M)", "takes one or more"),
        ("max(M, key=N)", "takes one or more"),
        ("M.real", "something other than"),
        ("M[0]", "something other than"),
        ("[M]", "something other than"),
        ("M if N else K", "something other than"),
        ("not M", "something other than"),
        ("lambda: M", "something other than"),
        ("(M := 3)", "something other than"),
        ("1or 2", "something other than"),
        ("+".join(["M"] * 300), "more than 400 characters"),
        ("-" * 200 + "M", "nested too deeply"),
        ("__import__('os')", "calls __import__"),
    ],
)
def test_refusals(text: str, told: str) -> None:
    with pytest.raises(ExprError) as caught:
        parse(text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_value() -> None:
    with pytest.raises(ExprError, match="needs the size Q"):
        parse("M*Q").evaluate(SIZES)
    with pytest.raises(ExprError, match="divides by zero for M=17"):
        parse("M // (M - 17)").evaluate(SIZES)


@given(
    st.recursive(
        st.sampled_from(["M", "N", "K", "1", "2", "16"]),
        lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner),
        max_leaves=12,
    )
)
def test_agrees_with_python(text: str) -> None:
    if len(text) <= 400:
        assert parse(text).evaluate(SIZES) == eval(text, {}, dict(SIZES))


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        expr = parse(text)
    except ExprError as error:
        assert "\n" not in str(error)
    else:
        assert isinstance(expr.text, str)
