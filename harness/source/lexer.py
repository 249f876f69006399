"""CUDA C++ text to tokens, without loss: joining the tokens' texts gives the text back.

One regular expression does the work. It never fails: what is no token of C++ (a lone quote in
``#error don't``, a stray backslash) becomes a token of kind ``other``. Decisions:

- ``<<<`` is one token as it is for nvcc; every ``>`` is a token of its own, because only the reader
  of a launch can tell whether ``>>>`` ends one or closes three template argument lists.
- ``#include <x>`` is one token, so that the header's name is never taken for operators.
- A directive's tokens are ordinary tokens that carry its name in ``directive``: launches inside a
  macro's body are found like any other.
- A backslash before a line's end (blanks between them allowed, as GCC allows) is white space.
- No text takes long: a raw string without an end goes on to the end of the text, and a backslash
  outside of strings takes the quote behind it along, so that no end is looked for twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

SPACE = "space"
NEWLINE = "newline"
COMMENT = "comment"
IDENTIFIER = "identifier"
NUMBER = "number"
STRING = "string"
CHAR = "char"
PUNCT = "punct"
INCLUDE = "include"
PREPROCESSOR = "preprocessor"
OTHER = "other"

_BLANK = frozenset((SPACE, NEWLINE, COMMENT))


class Token(NamedTuple):
    """``start`` is an offset into the text, ``line`` counts from 1, ``directive`` names the
    preprocessor directive that the token belongs to (``define``) or is empty."""

    kind: str
    text: str
    start: int
    line: int
    directive: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def blank(self) -> bool:
        return self.kind in _BLANK


_CONTINUATION = r"\\[ \t\f\v]*\r?\n"
_PATTERN = re.compile(
    rf"""
    (?P<space>(?:[^\S\n]|{_CONTINUATION})+)
  | (?P<newline>\n)
  | (?P<comment>//(?:[^\\\n]+|{_CONTINUATION}|\\)*|/\*(?:.*?\*/|.*\Z))
  | (?P<string>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{{0,16}})\((?:.*?\)(?P=delimiter)"|.*\Z)
      |(?:u8|[uUL])?"(?:[^"\\\n]|\\(?:\r\n|.))*")
  | (?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\(?:\r\n|.))+')
  | (?P<identifier>[^\W\d][\w$]*|\$[\w$]*)
  | (?P<number>\.?\d(?:[eEpP][+-]|'\w|[\w.])*)
  | (?P<include>\#[ \t]*include(?:_next)?[ \t]*(?:<[^>\n]*>|"[^"\n]*"))
  | (?P<preprocessor>\#[ \t]*[A-Za-z_]+)
  | (?P<punct><<<|<<=|<<|<=|>=|\#\#|\.\.\.|->\*|->|::|&&|\|\||\+\+|--|[-+*/%&|^=!]=
      |[-+*/%&|^=!<>()\[\]{{}};:,.?~\#])
  | (?P<other>\\["'\\]|.)
    """,
    re.VERBOSE | re.DOTALL,
)


@lru_cache(maxsize=32)
def tokens(text: str) -> tuple[Token, ...]:
    """All tokens of ``text``, white space and comments included."""
    found: list[Token] = []
    line = 1
    directive = ""
    fresh = True  # nothing but blanks since the line began
    for match in _PATTERN.finditer(text):
        kind = str(match.lastgroup)
        word = match.group()
        start = match.start()
        if kind == NEWLINE:
            directive = ""
            fresh = True
            found.append(Token(kind, word, start, line))
            line += 1
            continue
        if kind in (PREPROCESSOR, INCLUDE):
            if fresh:
                directive = "include" if kind == INCLUDE else word[1:].strip()
            else:
                found.extend(_split_hash(word, start, line, directive))
                continue
        found.append(Token(kind, word, start, line, directive))
        if kind not in _BLANK:
            fresh = False
        if "\n" in word:
            line += word.count("\n")
    return tuple(found)


def _split_hash(word: str, start: int, line: int, directive: str) -> Iterable[Token]:
    """A ``#`` that begins no directive: the operator in a macro's body, then the rest."""
    yield Token(PUNCT, "#", start, line, directive)
    for token in tokens(word[1:]):
        yield token._replace(start=start + 1 + token.start, line=line, directive=directive)


class Tokens(list[Token]):
    """Tokens with the partners of their brackets, which are found once for all of them. Not to be
    changed."""

    @cached_property
    def closings(self) -> dict[int, int]:
        """By the index of each bracket that opens: that of the one which closes it. One around
        brackets that don't match has none."""
        return _partners(self, range(len(self)), _OPENED, _CLOSED)

    @cached_property
    def openings(self) -> dict[int, int]:
        """By the index of each bracket that closes, likewise."""
        return _partners(self, range(len(self) - 1, -1, -1), _CLOSED, _OPENED)


_CLOSED = {")": "(", "]": "[", "}": "{"}
_OPENED = {opening: closing for closing, opening in _CLOSED.items()}


def _partners(
    tokens: list[Token], order: range, begins: Mapping[str, str], ends: Mapping[str, str]
) -> dict[int, int]:
    found: dict[int, int] = {}
    waiting: list[int] = []
    for index in order:
        token = tokens[index]
        if token.kind != PUNCT:
            continue
        if token.text in begins:
            waiting.append(index)
        elif token.text in ends and waiting:
            partner = waiting.pop()
            if tokens[partner].text == ends[token.text]:
                found[partner] = index
            else:  # nothing that is open here has a partner further on
                waiting.clear()
    return found


def significant(found: Iterable[Token]) -> Tokens:
    """The tokens that a compiler looks at: without white space and comments."""
    return Tokens(token for token in found if token.kind not in _BLANK)


def joined(found: Iterable[Token]) -> str:
    """Significant tokens on one line, spaces only where two words would run together."""
    text = ""
    for token in found:
        if token.blank:
            continue
        word = token.text.replace("\n", " ")
        if (
            text
            and (text[-1].isalnum() or text[-1] == "_")
            and (word[0].isalnum() or word[0] == "_")
        ):
            text += " "
        text += ", " if word == "," else word
    return text.strip()
