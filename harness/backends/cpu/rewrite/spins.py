"""Loops that do nothing but wait: ``while (!flag[b]) {}`` gets ``::leetk::spin();`` as its body,
which lets the threads go on that it waits for. (A timer would interrupt it, too, some milliseconds
later: runtime/leetk/preempt.cpp.)

Only loops that read what is volatile, or by ``__ldcg`` and ``__ldcv``, and change nothing. The call
is one into the unknown for the host compiler, so a loop on a plain variable would read it again
each time, where a GPU need not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.backends.cpu.rewrite.edits import Edit
from harness.source import lexer
from harness.source.lexer import Token
from harness.source.scopes import closing_of

WORDS = ("volatile", "__ldcv", "__ldcg")

_SPIN = " ::leetk::spin()"
_LOADS = frozenset(("__ldcv", "__ldcg"))
# They change something, or give way themselves.
_CHANGES = frozenset(
    ("=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "{", "?")
)
_ENDS = frozenset((";", "=", "{", "}"))
_AFTER_NAME = frozenset(("[", ";", ",", "=", ")"))


def volatile_names(tokens: Sequence[Token]) -> frozenset[str]:
    """The variables and parameters that are declared with the word ``volatile`` before them."""
    names: set[str] = set()
    for index, token in enumerate(tokens[:-1]):
        if token.text == "volatile":
            names.update(_declared(tokens, index + 1))
    return frozenset(names)


def _declared(tokens: Sequence[Token], index: int) -> Iterator[str]:
    """The names of a declaration that goes on there."""
    depth, following = 0, False
    while index + 1 < len(tokens):
        token, after = tokens[index], tokens[index + 1]
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        if depth < 0 or token.text in _ENDS:
            return
        if token.kind == lexer.IDENTIFIER and depth == 0:
            if after.text in _AFTER_NAME:
                yield token.text
            elif following and token.text != "const" and after.kind == lexer.IDENTIFIER:
                return  # the next parameter
        following |= token.text == ","
        index += 1


def spin_edits(stream: Sequence[Token], volatile: frozenset[str]) -> Iterator[Edit]:
    """The edits for a stream of significant tokens. They add and drop no line."""
    for index, token in enumerate(stream[:-1]):
        if token.text not in ("while", "for", "do"):
            continue
        condition, body = _parts(stream, index)
        if body is not None and _waits(condition, volatile):
            # In a block it is a statement; else it stands before the ";" that was there.
            in_block = body.text == "{"
            at = body.end if in_block else body.start
            yield Edit(at, at, f"{_SPIN};" if in_block else _SPIN)


def _parts(stream: Sequence[Token], index: int) -> tuple[Sequence[Token], Token | None]:
    """The condition of the loop that begins there, and the ``;`` or ``{`` of its empty body; None
    if it has another one."""
    if stream[index].text == "do":
        empty = [token.text for token in stream[index + 1 : index + 5]] == ["{", "}", "while", "("]
        closing = closing_of(stream, index + 4) if empty else -1
        return (stream[index + 5 : closing], stream[index + 1]) if closing > 0 else ((), None)
    opening = index + 1
    closing = closing_of(stream, opening) if stream[opening].text == "(" else -1
    if closing < 0 or closing + 1 >= len(stream) or _ends_do(stream, index):
        return (), None
    body = stream[closing + 1]
    empty_block = [token.text for token in stream[closing + 1 : closing + 3]] == ["{", "}"]
    if body.text != ";" and not empty_block:
        return (), None
    condition = stream[opening + 1 : closing]
    if stream[index].text == "for":
        parts = [i for i, token in enumerate(condition) if token.text == ";"]
        if len(parts) != 2 or parts[1] + 1 != len(condition):
            return (), None
        condition = condition[parts[0] + 1 : parts[1]]
    return condition, body


def _ends_do(stream: Sequence[Token], index: int) -> bool:
    """Whether the ``while`` at ``index`` ends a ``do``."""
    before = index - 1
    if before < 0 or stream[index].text != "while" or stream[before].text not in ("}", ";"):
        return False
    if stream[before].text == "}":
        depth = 0
        while before >= 0:
            depth += (stream[before].text == "}") - (stream[before].text == "{")
            if depth == 0:
                break
            before -= 1
        return before > 0 and stream[before - 1].text == "do"
    before -= 1
    while before >= 0 and stream[before].text not in (";", "{", "}"):
        if stream[before].text == "do":
            return True
        before -= 1
    return False


def _waits(condition: Sequence[Token], volatile: frozenset[str]) -> bool:
    """Whether the condition only looks, and at what others change."""
    words = [token.text for token in condition]
    if _CHANGES.intersection(words) or any(word.startswith("atomic") for word in words):
        return False
    return any(word == "volatile" or word in _LOADS or word in volatile for word in words)
