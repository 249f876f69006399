"""The lexer loses nothing and takes C++'s awkward tokens for what they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.source import lexer

# Pieces that begin, end or break tokens, so that arbitrary sequences of them are hard.
_PIECES = st.sampled_from(
    [
        *"\"'\\/*<>#(){}[];:.,+-=&|!~?% \t\r\n",
        "//",
        "/*",
        "*/",
        'R"x(',
        ')x"',
        "<<<",
        ">>>",
        "\\\n",
        "\\ \r\n",
        "#define ",
        "#include <a>",
        "k",
        "0x1p-3",
        "1'000",
        "__shared__",
        "extern ",
        "ü",
        "\x00",
        "\ud800",
    ]
)
_TEXTS = st.one_of(st.text(), st.lists(_PIECES).map("".join))


def kinds(text: str) -> list[tuple[str, str]]:
    return [(t.kind, t.text) for t in lexer.significant(lexer.tokens(text))]


def words(text: str) -> list[str]:
    return [t.text for t in lexer.significant(lexer.tokens(text))]


@given(_TEXTS)
def test_joined_tokens_are_the_text(text: str) -> None:
    assert "".join(t.text for t in lexer.tokens(text)) == text


@given(_TEXTS)
def test_offsets_and_lines_are_those_of_the_text(text: str) -> None:
    for token in lexer.tokens(text):
        assert text[token.start : token.end] == token.text
        assert token.line == text.count("\n", 0, token.start) + 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('R"x(a)" // )x"', lexer.STRING),
        ('u8R"(\n<<<)"', lexer.STRING),
        (r'"a\"b"', lexer.STRING),
        ('"a\\\nb"', lexer.STRING),
        (r"'\''", lexer.CHAR),
        ("1'000'000", lexer.NUMBER),
        ("0x1.8p-3f", lexer.NUMBER),
        (".5e+10f", lexer.NUMBER),
        ("größe", lexer.IDENTIFIER),
        ("<<<", lexer.PUNCT),
        ("#include <cuda/std/atomic>", lexer.INCLUDE),
        ('# include "a b.cuh"', lexer.INCLUDE),
    ],
)
def test_one_token(text: str, kind: str) -> None:
    assert kinds(text) == [(kind, text)]


@pytest.mark.parametrize(
    "text",
    [
        "// one \\\n still one\n",
        "// blanks after the backslash \\ \t\n still one\n",
        "// with CRLF \\\r\n still one\r\n",
        "/* a\n <<< \n*/",
        "/* never closed",
        "// a lone quote: don't",
    ],
)
def test_a_comment_is_one_token(text: str) -> None:
    assert [t.kind for t in lexer.tokens(text) if t.kind == lexer.COMMENT] == [lexer.COMMENT]
    assert words(text) == []


def test_a_comment_ends_at_its_line() -> None:
    assert words("// a \\\\ b\nx") == ["x"]


def test_closing_angles_are_single_tokens() -> None:
    assert words("a<b<c<int>>>") == ["a", "<", "b", "<", "c", "<", "int", ">", ">", ">"]


def test_shifts_are_not_launches() -> None:
    assert words("a <<= b << c") == ["a", "<<=", "b", "<<", "c"]


def test_a_directive_names_its_tokens_across_continued_lines() -> None:
    found = lexer.significant(lexer.tokens("#define A(x) \\\n  x + 1\nint y;"))
    assert [t.text for t in found if t.directive == "define"][-3:] == ["x", "+", "1"]
    assert [t.text for t in found if not t.directive] == ["int", "y", ";"]


def test_a_lone_quote_in_a_directive_swallows_nothing() -> None:
    assert words("#error don't\nint y;")[-3:] == ["int", "y", ";"]


def test_hash_inside_a_macro_is_an_operator() -> None:
    found = lexer.significant(lexer.tokens("#define S(x) #x\n"))
    assert [t.text for t in found][-2:] == ["#", "x"]
    assert {t.directive for t in found} == {"define"}


def test_joined_puts_words_apart_and_on_one_line() -> None:
    assert lexer.joined(lexer.tokens("unsigned  /* c */\n int , a<b>")) == "unsigned int, a<b>"
