"""What encloses each token: namespaces, linkage blocks, classes, functions, other braces.

A brace is classified by the tokens between it and the end of the statement before it. Directives
are skipped; each branch of an ``#if`` starts from the braces that were open at the ``#if``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.source import lexer
from harness.source.lexer import Token, Tokens

FILE = "file"
NAMESPACE = "namespace"
LINKAGE = "linkage"
CLASS = "class"
FUNCTION = "function"
BLOCK = "block"

_CLASS_KEYS = frozenset(("class", "struct", "union", "enum"))
_ALIGNERS = frozenset(("alignas", "__align__", "__attribute__", "__declspec"))
_PAIRS = {")": "(", "]": "[", "}": "{"}
_DEVICE = frozenset(("__global__", "__device__"))


@dataclass(eq=False, frozen=True)
class Scope:
    """A pair of braces. ``header`` is the range of tokens (indices) that introduce it."""

    kind: str
    parent: Scope | None
    header: tuple[int, int]
    kinds: frozenset[str] = field(init=False)
    """Its own and those of all around it."""

    def __post_init__(self) -> None:
        around = self.parent.kinds if self.parent is not None else frozenset()
        kinds = around if self.kind in around else around | {self.kind}
        object.__setattr__(self, "kinds", kinds)

    @property
    def at_file_level(self) -> bool:
        """Whether declarations here have static storage at namespace scope."""
        return self.kind in (FILE, NAMESPACE, LINKAGE)

    def within(self, kind: str) -> bool:
        return kind in self.kinds


def scopes(tokens: Sequence[Token]) -> list[Scope]:
    """The scope of each of the significant ``tokens``; a brace belongs to what is outside it."""
    now = Scope(FILE, None, (0, 0))
    begin = 0  # where the current statement began
    parens = 0
    saved: list[tuple[Scope, int]] = []
    found: list[Scope] = []
    for index, token in enumerate(tokens):
        if token.directive:
            if token.kind == lexer.PREPROCESSOR:
                now, parens = _branch(token.directive, now, parens, saved)
            if not parens and begin == index:
                begin = index + 1
            found.append(now)
            continue
        word = token.text if token.kind == lexer.PUNCT else ""
        if word == "{":
            found.append(now)
            now = Scope(_kind(tokens, begin, index, now), now, (begin, index))
            begin = index + 1
            continue
        if word == "}":
            now = now.parent or now
            begin = index + 1
        elif word == "(":
            parens += 1
        elif word == ")":
            parens = max(0, parens - 1)
        elif word == ";" and not parens:
            begin = index + 1
        found.append(now)
    return found


def _branch(
    directive: str, now: Scope, parens: int, saved: list[tuple[Scope, int]]
) -> tuple[Scope, int]:
    if directive.startswith("if"):
        saved.append((now, parens))
    elif directive.startswith("el") and saved:
        return saved[-1]
    elif directive == "endif" and saved:
        saved.pop()
    return now, parens


def _kind(tokens: Sequence[Token], begin: int, end: int, outer: Scope) -> str:
    words = [token.text for token in tokens[begin:end] if not token.directive]
    if not words:
        return BLOCK
    if len(words) >= 2 and words[-2] == "extern" and words[-1].startswith('"'):
        return LINKAGE
    if "namespace" in words[:2]:
        return NAMESPACE
    indices = [i for i in range(begin, end) if not tokens[i].directive]
    if _names_class(tokens, indices):
        return CLASS
    if words[-1] in ("=", ",", "(", "return") or words[-1] == "else":
        return BLOCK
    if not outer.within(FUNCTION):
        return FUNCTION if ")" in words else BLOCK
    return FUNCTION if words[-1] in (")", "mutable") and _is_lambda(tokens, indices) else BLOCK


def _names_class(tokens: Sequence[Token], indices: list[int]) -> bool:
    """``struct X`` and ``struct __align__(16) X : Base``, but not ``struct X f(int a)``."""
    depth = 0
    key = -1
    for position, index in enumerate(indices):
        word = tokens[index].text
        depth += (word == "<") - (word == ">")
        if word in _CLASS_KEYS and depth <= 0:
            key = position
            break
        if word == "(":
            return False
    if key < 0:
        return False
    rest = [tokens[i].text for i in indices[key + 1 :]]
    while len(rest) >= 2 and rest[0] in _ALIGNERS and rest[1] == "(":
        rest = rest[_close_word(rest, 1) + 1 :]
    if ":" in rest:
        rest = rest[: rest.index(":")]
    return "(" not in rest and "=" not in rest


def _is_lambda(tokens: Sequence[Token], indices: list[int]) -> bool:
    """Whether a ``)`` before a brace closes the parameters of a lambda rather than of ``if``."""
    last = next(i for i in reversed(indices) if tokens[i].text == ")")
    opening = opening_of(tokens, last)
    before = opening - 1
    while before > 0 and tokens[before].text in ("__device__", "__host__"):
        before -= 1
    return before >= 0 and tokens[before].text == "]"


def _close_word(words: list[str], opening: int) -> int:
    depth = 0
    for index in range(opening, len(words)):
        depth += (words[index] == "(") - (words[index] == ")")
        if not depth:
            return index
    return len(words) - 1


def opening_of(tokens: Sequence[Token], closing: int) -> int:
    """The index of the bracket that ``tokens[closing]`` closes, -1 without one."""
    if isinstance(tokens, Tokens) and tokens[closing].text in _PAIRS:
        return tokens.openings.get(closing, -1)
    stack: list[str] = []
    for index in range(closing, -1, -1):
        word = tokens[index].text
        if tokens[index].kind != lexer.PUNCT:
            continue
        if word in _PAIRS:
            stack.append(_PAIRS[word])
        elif word in "([{":
            if not stack or stack.pop() != word:
                return -1
            if not stack:
                return index
    return -1


def closing_of(tokens: Sequence[Token], opening: int) -> int:
    """The index of the bracket that closes ``tokens[opening]``, -1 without one."""
    if isinstance(tokens, Tokens) and tokens[opening].text in ("(", "[", "{"):
        return tokens.closings.get(opening, -1)
    stack: list[str] = []
    for index in range(opening, len(tokens)):
        word = tokens[index].text
        if tokens[index].kind != lexer.PUNCT:
            continue
        if word in ("(", "[", "{"):
            stack.append(word)
        elif word in _PAIRS:
            if not stack or stack.pop() != _PAIRS[word]:
                return -1
            if not stack:
                return index
    return -1


def in_device_code(tokens: Sequence[Token], scope: Scope | None) -> bool:
    """Whether the innermost function runs on the device only."""
    while scope is not None:
        if scope.kind == FUNCTION:
            words = {token.text for token in tokens[scope.header[0] : scope.header[1]]}
            if words & _DEVICE:
                return "__host__" not in words
        scope = scope.parent
    return False
