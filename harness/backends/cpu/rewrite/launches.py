"""Finds every ``kernel<<<grid, block>>>(arguments)`` in a stream of significant tokens.

A launch is a postfix expression before ``<<<``, a configuration up to the ``>>>`` that matches it,
and a parenthesised list of arguments. nvcc also takes ``<< <`` and ``>> >``, which editors make of
them; so does this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.source import lexer
from harness.source.lexer import Token, Tokens
from harness.source.scopes import closing_of, opening_of

_CONTROL = frozenset(("if", "while", "for", "switch", "catch"))
# Tokens of a template argument list, those in brackets not counted. What is none must not be
# searched for its beginning at each launch.
_LONGEST = 1000
_KEYWORDS = _CONTROL | frozenset(
    ("return", "else", "do", "case", "default", "goto", "throw", "co_return", "co_await", "new")
)


@dataclass(frozen=True)
class Launch:
    """Indices into the stream: the callee from ``begin`` up to ``open``, ``<<<`` from ``open`` up
    to ``config``, ``>>>`` from ``close`` up to ``arguments`` (the opening parenthesis), the closing
    one at ``end``."""

    begin: int
    open: int
    config: int
    close: int
    arguments: int
    end: int


@dataclass(frozen=True)
class Torn:
    """A ``<<<`` at ``open`` with a part missing that a macro may supply."""

    open: int


def streams(tokens: Sequence[Token]) -> Iterator[Tokens]:
    """The code outside directives, then the body of each ``#define``."""
    yield Tokens(token for token in tokens if not token.directive)
    body: list[Token] = []
    for token in tokens:
        if token.kind == lexer.PREPROCESSOR or token.directive != "define":
            if body:
                yield _macro_body(body)
            body = []
        if token.directive == "define" and token.kind != lexer.PREPROCESSOR:
            body.append(token)
    if body:
        yield _macro_body(body)


def _macro_body(line: list[Token]) -> Tokens:
    """Without the macro's name and its parameters."""
    if len(line) > 1 and line[1].text == "(" and line[1].start == line[0].end:
        closing = closing_of(line, 1)
        return Tokens(line[closing + 1 :] if closing > 0 else [])
    return Tokens(line[1:])


def find_launches(stream: Sequence[Token]) -> tuple[list[Launch], list[Torn]]:
    """All launches in the stream, in order, and the chevrons that are no whole launch."""
    launches: list[Launch] = []
    torn: list[Torn] = []
    for index, token in enumerate(stream):
        width = _opens(stream, index)
        if not width or (index and stream[index - 1].text == "operator"):
            continue
        if token.text == "<<<" and index and stream[index - 1].text == "<<<":
            continue
        launch = _launch_at(stream, index, index + width)
        if launch is None:
            torn.append(Torn(index))
        else:
            launches.append(launch)
    return launches, torn


def _opens(stream: Sequence[Token], index: int) -> int:
    """How many tokens make the ``<<<`` at ``index``, 0 for none."""
    word = stream[index].text
    if word == "<<<" and stream[index].kind == lexer.PUNCT:
        return 1
    following = stream[index + 1].text if index + 1 < len(stream) else ""
    return 2 if word == "<<" and following == "<" else 0


def _launch_at(stream: Sequence[Token], opening: int, config: int) -> Launch | None:
    begin = _postfix_begin(stream, opening - 1)
    close = _closing_chevrons(stream, config)
    if begin < 0 or close < 0:
        return None
    arguments = close + 3
    if arguments >= len(stream) or stream[arguments].text != "(":
        return None
    end = closing_of(stream, arguments)
    return Launch(begin, opening, config, close, arguments, end) if end > 0 else None


def _closing_chevrons(stream: Sequence[Token], begin: int) -> int:
    """The index of the first of the three ``>`` that end the configuration, -1 without them.

    In a run of ``>`` the first ones close the template argument lists that are still open. An
    open ``<`` may also have been a comparison, which nothing closes: then three are enough.
    """
    angles = 0
    index = begin
    while index < len(stream):
        word = stream[index].text
        if stream[index].kind != lexer.PUNCT:
            index += 1
        elif word in ("(", "[", "{"):
            index = closing_of(stream, index) + 1
            if not index:
                return -1
        elif word in (";", ")", "]", "}", "<<<"):
            return -1
        elif word == "<":
            angles += stream[index - 1].kind == lexer.IDENTIFIER
            index += 1
        elif word == ">":
            run = _run_of_closers(stream, index)
            if run >= 3 and (run == angles + 3 or angles < 3):
                return index + run - 3
            angles = max(0, angles - run)
            index += run
        else:
            index += 1
    return -1


def _run_of_closers(stream: Sequence[Token], index: int) -> int:
    run = 1
    while index + run < len(stream) and stream[index + run].text == ">":
        run += 1
    return run


def _postfix_begin(stream: Sequence[Token], last: int) -> int:
    """Where the postfix expression that ends at ``last`` begins, -1 if there is none: a name with
    qualifiers, template arguments, members, calls and subscripts."""
    begin = _primary_begin(stream, last)
    while begin > 0:
        word = stream[begin - 1].text
        if word == "::":
            qualifier = _qualifier_begin(stream, begin - 2)
            begin = qualifier if qualifier >= 0 else begin - 1
        elif word in (".", "->"):
            owner = _primary_begin(stream, begin - 2)
            if owner < 0:
                break
            begin = owner
        elif word == "##" and begin > 1:
            begin -= 2
        elif word == "template":
            begin -= 1
        else:
            break
    return begin


def _qualifier_begin(stream: Sequence[Token], last: int) -> int:
    if last < 0:
        return -1
    if stream[last].text == ">":
        opening = _angle_opening(stream, last)
        return opening - 1 if opening > 0 else -1
    return last if _is_name(stream[last]) else -1


def _primary_begin(stream: Sequence[Token], last: int) -> int:
    if last < 0:
        return -1
    token = stream[last]
    if token.kind == lexer.IDENTIFIER:
        return last if _is_name(token) else -1
    if token.text == ">":
        opening = _angle_opening(stream, last)
        return opening - 1 if opening > 0 and _is_name(stream[opening - 1]) else -1
    if token.text not in (")", "]"):
        return -1
    opening = opening_of(stream, last)
    if token.text == "]":
        return _primary_begin(stream, opening - 1) if opening > 0 else -1
    if opening <= 0 or _closes_condition(stream, opening - 1):
        return opening
    called = _primary_begin(stream, opening - 1)
    return called if called >= 0 else opening


def _closes_condition(stream: Sequence[Token], index: int) -> bool:
    """Whether the token ends the ``(...)`` of an ``if`` or its kin: what follows is a statement."""
    if stream[index].text != ")":
        return False
    opening = opening_of(stream, index)
    return opening > 0 and (
        stream[opening - 1].text in _CONTROL or stream[opening - 1].text == "constexpr"
    )


def _is_name(token: Token) -> bool:
    return token.kind == lexer.IDENTIFIER and token.text not in _KEYWORDS


def _angle_opening(stream: Sequence[Token], closing: int) -> int:
    """The ``<`` that the ``>`` at ``closing`` closes, -1 without one."""
    depth = 0
    index = closing
    least = max(0, closing - _LONGEST)
    while index >= least:
        word = stream[index].text
        if stream[index].kind == lexer.PUNCT:
            if word in (")", "]", "}"):
                index = opening_of(stream, index)
                if index < 0:
                    return -1
            elif word in (";", "{", "(", "[", "<<<"):
                return -1
            elif word == ">":
                depth += 1
            elif word == "<":
                depth -= 1
                if not depth:
                    return index
        index -= 1
    return -1
