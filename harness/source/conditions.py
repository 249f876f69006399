"""Which tokens are surely compiled: a cautious reading of ``#if`` and its kin.

No preprocessor: only what the text itself settles is settled (``#if 0``, ``#ifdef`` of a name that
the file defined, an include guard, ``__cplusplus`` and ``__CUDACC__``). Everything else is
*unsure*, and whoever asks must leave the question to the compiler.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import islice
from types import MappingProxyType

from harness.source import lexer
from harness.source.lexer import Token


class Certainty(Enum):
    """Whether a token is compiled."""

    YES = "yes"
    UNSURE = "unsure"
    NO = "no"


# What both nvcc and the cpu backend's headers define in every pass.
COMMON = MappingProxyType({"__cplusplus": 201703, "__CUDACC__": 1, "__NVCC__": 1})

_OPENING = frozenset(("if", "ifdef", "ifndef"))
_NEXT_BRANCH = frozenset(("elif", "else", "elifdef", "elifndef"))
_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))


def certainties(tokens: Sequence[Token], known: Mapping[str, int] = COMMON) -> list[Certainty]:
    """One answer for each of the significant ``tokens`` of a file; ``known`` are the macros that
    are defined before it, with their values."""
    macros: dict[str, int | None] = dict(known)
    undefined: set[str] = set()
    # For each open #if: the certainty outside it, and whether one of its branches was taken.
    stack: list[tuple[Certainty, Certainty]] = []
    now = Certainty.YES
    answers: list[Certainty] = []
    for index, token in enumerate(tokens):
        if token.kind == lexer.PREPROCESSOR:
            name = token.directive
            line = _operands(tokens, index)
            if name in _OPENING:
                truth = _truth(name, line, macros, undefined)
                if name == "ifndef" and _defines_next(tokens, index, line):
                    truth = Certainty.YES
                stack.append((now, truth))
                now = _both(now, truth)
            elif name in _NEXT_BRANCH and stack:
                outer, taken = stack[-1]
                truth = _else_truth(name, line, macros, undefined)
                now = _both(outer, _both(_negated(taken), truth))
                stack[-1] = (outer, _either(taken, truth))
            elif name == "endif" and stack:
                now = stack.pop()[0]
            elif name in ("define", "undef") and line and now is not Certainty.NO:
                _note_macro(name, line, now, macros, undefined)
        answers.append(now)
    return answers


def _operands(tokens: Sequence[Token], index: int) -> list[Token]:
    line: list[Token] = []
    for token in islice(tokens, index + 1, None):
        if not token.directive or token.kind in (lexer.PREPROCESSOR, lexer.INCLUDE):
            break
        line.append(token)
    return line


def _defines_next(tokens: Sequence[Token], index: int, line: list[Token]) -> bool:
    """``#ifndef X`` with ``#define X`` right after it: a guard, or a default value."""
    after = index + len(line) + 1
    return (
        bool(line)
        and len(tokens) > after + 1
        and tokens[after].directive == "define"
        and tokens[after + 1].text == line[0].text
    )


def _note_macro(
    directive: str,
    line: list[Token],
    now: Certainty,
    macros: dict[str, int | None],
    undefined: set[str],
) -> None:
    name = line[0].text
    if directive == "undef":
        macros.pop(name, None)
        if now is Certainty.YES:
            undefined.add(name)
        return
    undefined.discard(name)
    if now is Certainty.YES:
        plain = len(line) == 2 and line[1].text.isdecimal()
        macros[name] = int(line[1].text) if plain else None
    else:
        macros.pop(name, None)


def _else_truth(
    directive: str, line: list[Token], macros: Mapping[str, int | None], undefined: set[str]
) -> Certainty:
    if directive == "else":
        return Certainty.YES
    return _truth(directive.removeprefix("el"), line, macros, undefined)


def _truth(
    directive: str, line: list[Token], macros: Mapping[str, int | None], undefined: set[str]
) -> Certainty:
    words = [token.text for token in line]
    if directive in ("ifdef", "ifndef") and words:
        truth = _is_defined(words[0], macros, undefined)
        return _negated(truth) if directive == "ifndef" else truth
    try:
        value = _Expression(words, macros, undefined).value()
    except (IndexError, ValueError, ZeroDivisionError, RecursionError):
        return Certainty.UNSURE
    if value is None:
        return Certainty.UNSURE
    return Certainty.YES if value else Certainty.NO


class _Expression:
    """An ``#if``'s expression; None is the value of what is not known."""

    def __init__(
        self, words: list[str], macros: Mapping[str, int | None], undefined: set[str]
    ) -> None:
        self.words = [*words, ""]
        self.macros = macros
        self.undefined = undefined
        self.at = 0

    def value(self) -> int | None:
        value = self._level(0)
        if self.words[self.at]:
            raise ValueError("not understood")
        return value

    def _next(self) -> str:
        self.at += 1
        return self.words[self.at - 1]

    def _level(self, level: int) -> int | None:
        if level == len(_LEVELS):
            return self._unary()
        left = self._level(level + 1)
        while self.words[self.at] in _LEVELS[level]:
            operator = self._next()
            left = _apply(operator, left, self._level(level + 1))
        return left

    def _unary(self) -> int | None:
        word = self._next()
        if word == "!":
            value = self._unary()
            return None if value is None else int(not value)
        if word == "(":
            value = self._level(0)
            if self._next() != ")":
                raise ValueError("not understood")
            return value
        if word == "defined":
            name = self._next()
            if name == "(":
                name = self._next()
                self._next()
            truth = _is_defined(name, self.macros, self.undefined)
            return {Certainty.YES: 1, Certainty.NO: 0}.get(truth)
        if word[:1].isdigit():
            return int(word.rstrip("uUlL").replace("'", ""), 0)
        if word in self.undefined:
            return 0
        if word.isidentifier() and self.words[self.at] != "(":
            return self.macros.get(word)
        raise ValueError("not understood")


def _apply(operator: str, left: int | None, right: int | None) -> int | None:
    if operator == "&&" and 0 in (left, right):
        return 0
    if operator == "||" and any(value not in (0, None) for value in (left, right)):
        return 1
    if left is None or right is None:
        return None
    results = {
        "||": lambda: int(bool(left or right)),
        "&&": lambda: int(bool(left and right)),
        "==": lambda: int(left == right),
        "!=": lambda: int(left != right),
        "<": lambda: int(left < right),
        ">": lambda: int(left > right),
        "<=": lambda: int(left <= right),
        ">=": lambda: int(left >= right),
        "+": lambda: left + right,
        "-": lambda: left - right,
        "*": lambda: left * right,
        "/": lambda: left // right,
        "%": lambda: left % right,
    }
    return results[operator]()


def _is_defined(name: str, macros: Mapping[str, int | None], undefined: set[str]) -> Certainty:
    if name in macros:
        return Certainty.YES
    return Certainty.NO if name in undefined else Certainty.UNSURE


def _negated(truth: Certainty) -> Certainty:
    opposites = {Certainty.YES: Certainty.NO, Certainty.NO: Certainty.YES}
    return opposites.get(truth, Certainty.UNSURE)


def _both(one: Certainty, other: Certainty) -> Certainty:
    if Certainty.NO in (one, other):
        return Certainty.NO
    return Certainty.UNSURE if Certainty.UNSURE in (one, other) else Certainty.YES


def _either(one: Certainty, other: Certainty) -> Certainty:
    return _negated(_both(_negated(one), _negated(other)))
