"""Properties that hold for any text, any spec and any numbers; tests/fuzz looks longer."""

from __future__ import annotations

import random
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness import compare
from harness.backends.cpu.rewrite import rewrite
from harness.errors import SpecError
from harness.expr import ExprError, parse
from harness.model import Argument, CaseData, Role, Tolerance
from harness.spec.load import load_problem
from harness.wire import encode
from harness.worker.protocol import FrameReader, ProtocolError

sys.path.insert(0, str(Path(__file__).parents[1] / "fuzz"))

import fuzz_rewriter

QUIET = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
PIECES = st.sampled_from(fuzz_rewriter._PIECES)

# --- the rewriter ------------------------------------------------------------------------------

# What tests/fuzz has found: an exception, or a time that grew with the square of the length.
FOUND = [
    "{[]}template(){()}",
    f"#include<cub/{'x' * 300}.cuh>",
    'R"(' * 20_000,
    '"\\' * 20_000,
    "k<<<1,2>>>(" * 4000,
    "<<<1>>>" * 3000,
    "extern __shared__ int s[];" * 3000,
    "static __shared__ " * 4000,
    "__launch_bounds__(1) " * 6000,
    'asm("' * 8000,
    "void solve(" * 8000,
    "= [&] {" * 8000,
]


@pytest.mark.parametrize("text", FOUND, ids=lambda text: text[:20])
def test_what_was_found_stays_mended(text: str) -> None:
    fuzz_rewriter.check(text)


@QUIET
@given(st.text(max_size=200) | st.lists(PIECES | st.text(max_size=3), max_size=60).map("".join))
def test_any_text_is_read(text: str) -> None:
    fuzz_rewriter.check(text)


@QUIET
@given(st.integers(0, 2**32))
def test_any_mutation_of_a_source_is_read(seed: int) -> None:
    fuzz_rewriter.check(fuzz_rewriter.mutated(CORPUS, random.Random(seed)))


@pytest.mark.parametrize("part", range(4))
def test_what_was_rewritten_stays_as_it_is(part: int) -> None:
    """Launch bounds alone, whose words stay in the text, are put in once more."""
    for text in CORPUS[part::4]:
        once = rewrite(text, "a.cu").text.split("\n", 1)[1]
        again = rewrite(once, "a.cu")
        assert all("LEETK_LAUNCH_BOUNDS" in edit.text for edit in again.edits)
        assert again.launches == 0


@pytest.mark.parametrize("part", range(4))
def test_what_was_not_touched_keeps_its_column(part: int) -> None:
    for text in CORPUS[part::4]:
        found = rewrite(text, "a.cu")
        for number, (new, old) in enumerate(
            zip(found.text.split("\n")[1:], text.split("\n"), strict=True), 1
        ):
            length = len(old.encode())
            if new == old and length:
                assert [found.column(number, c) for c in (1, length)] == [1, length]


def test_the_fuzzer_finds_and_shrinks_what_it_is_to_find(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["fuzz", "--seconds", "2"])
    assert fuzz_rewriter.main() == 0
    assert "none broke a rule" in capsys.readouterr().out

    def check(text: str) -> None:
        assert "<<<" not in text, "found"

    monkeypatch.setattr(fuzz_rewriter, "check", check)
    assert fuzz_rewriter.main() == 1
    assert capsys.readouterr().err.endswith(": '<<<'\n")


# --- specs -------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    "name title statement sizes arguments type shape role data reference einsum python tolerance "
    "atol rtol reduction examples inputs outputs tests perf flops bytes baseline in out size "
    "uniform float32 int32 exact N M x y mn,nk->mk N*M [ { 1e-5 .nan ~ matmul.py:reference".split()
)
SCALARS = WORDS | st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(SCALARS, inner, max_size=5),
    max_leaves=15,
)


@QUIET
@given(st.dictionaries(WORDS, TREES, max_size=10))
def test_any_tree_is_a_spec_or_is_refused_in_a_line(tmp_path: Path, tree: object) -> None:
    path = tmp_path / "any.yaml"
    path.write_text(yaml.safe_dump(tree, allow_unicode=True), encoding="utf-8")
    with pytest.raises(SpecError) as caught:  # no such tree has all that a spec needs
        load_problem(path)
    assert str(caught.value).startswith(str(path)) and "\n" not in str(caught.value)


@QUIET
@given(st.text(st.sampled_from("MNK0159+-*/%() ,minax.\t\n_[]{}lambda:ü"), max_size=30))
def test_any_text_is_an_expression_or_is_refused(text: str) -> None:
    try:
        value = parse(text).evaluate({"M": 3, "N": 5, "K": 7})
    except ExprError:
        return
    assert isinstance(value, int)


# --- the protocol ------------------------------------------------------------------------------


FRAMES = st.dictionaries(st.text(max_size=3), st.integers()).map(
    lambda message: struct.pack("<I", len(encode(message))) + encode(message)
)


@QUIET
@given(st.lists(st.binary(max_size=40) | FRAMES, max_size=6))
def test_any_pieces_are_frames_or_a_protocol_error_however_they_are_cut(
    pieces: list[bytes],
) -> None:
    def read(parts: list[bytes]) -> tuple[list[dict[str, object]], bool]:
        reader, got = FrameReader(), []
        try:
            for part in parts:
                got += reader.feed(part)
        except ProtocolError:
            return got, True
        return got, False

    whole = b"".join(pieces)
    one_by_one = read([whole[i : i + 1] for i in range(len(whole))])
    assert one_by_one[1] == read(pieces)[1] == read([whole])[1]
    assert one_by_one[0][: len(read(pieces)[0])] == read(pieces)[0]


# --- the comparison ----------------------------------------------------------------------------


@QUIET
@given(
    st.integers(1, 300),
    st.integers(0, 2**31),
    st.floats(0, 0.1),
    st.floats(0, 0.1),
    st.floats(0, 1),
)
def test_one_element_beyond_its_bound_is_found_and_none_within(
    count: int, seed: int, atol: float, rtol: float, slack: float
) -> None:
    draw = np.random.default_rng(seed)
    expected = draw.uniform(-100, 100, count).astype(np.float32).astype(np.float64)
    allowed = atol + rtol * np.abs(expected) + slack
    argument = Argument("C", "float32", Role.OUT, (parse("N"),))
    data = CaseData({}, {}, {"C": expected}, {"C": np.full(1, slack)})
    poison = compare.poison_pattern("float32", 0)

    def judged(got: np.ndarray) -> compare.Mismatch | None:  # type: ignore[type-arg]
        return compare.compare_output(
            argument, got.astype(np.float32), data, Tolerance(atol, rtol), poison
        )

    # float32 is too coarse for the bound itself.
    coarse = 1e-4
    sign = draw.choice([-1.0, 1.0], count)
    assert judged(expected + sign * np.maximum(0, allowed * 0.999 - coarse)) is None
    place = int(draw.integers(count))
    got = expected.copy()
    got[place] += sign[place] * (allowed[place] * 1.001 + coarse)
    found = judged(got)
    assert found is not None and found.wrong == 1 and found.first[0].index == (place,)


CORPUS = fuzz_rewriter.corpus()
