"""The functions and variables that a source declares at file level, with their execution spaces.

Read off the tokens, so it is an approximation: overloads are told apart by nothing but their
execution space, and what a macro declares is not seen. Whoever concludes anything from it must be
right for every reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from harness.source import lexer
from harness.source.conditions import Certainty, certainties
from harness.source.lexer import Token
from harness.source.scopes import CLASS, FUNCTION, Scope, closing_of, scopes

# Names before a parenthesis that are no function's.
_ATTRIBUTES = frozenset(
    (
        "__launch_bounds__",
        "__attribute__",
        "__align__",
        "__declspec",
        "__maxnreg__",
        "__cluster_dims__",
        "__block_size__",
        "alignas",
        "decltype",
        "noexcept",
        "explicit",
        "requires",
    )
)
_NOT_VARIABLES = frozenset(
    (
        "using",
        "typedef",
        "template",
        "struct",
        "class",
        "union",
        "enum",
        "namespace",
        "friend",
        "static_assert",
        "asm",
        "operator",
        "concept",
        "extern",
    )
)
_MEMORY_SPACES = frozenset(("__device__", "__constant__", "__managed__", "__shared__"))


@dataclass(frozen=True)
class Function:
    """One declaration. ``words`` are the specifiers and the return type before its name;
    ``parameters`` the tokens between its parentheses."""

    name: Token
    words: tuple[str, ...]
    parameters: tuple[Token, ...]
    member: bool
    scope: Scope | None  # of its body

    @property
    def kernel(self) -> bool:
        return "__global__" in self.words

    @property
    def on_device(self) -> bool:
        return "__device__" in self.words

    @property
    def on_host(self) -> bool:
        return "__host__" in self.words or not (self.kernel or self.on_device)

    @property
    def optional(self) -> bool:
        """Whether a compiler may leave it out where nothing uses it."""
        marks = ("template", "static", "inline", "__inline__", "__forceinline__")
        return any(word in self.words for word in marks)


@dataclass(frozen=True)
class Variable:
    """A variable outside functions and classes."""

    name: Token
    words: tuple[str, ...]
    array: bool

    @property
    def spaces(self) -> frozenset[str]:
        return _MEMORY_SPACES & set(self.words)

    @property
    def constant(self) -> bool:
        return "const" in self.words or "constexpr" in self.words


class Outline:
    """A source's significant tokens with the scope and the certainty of each, and what it
    declares: functions, variables, and macros by name."""

    def __init__(self, text: str) -> None:
        self.tokens = lexer.significant(lexer.tokens(text))
        self.scopes = scopes(self.tokens)
        self.sure = [answer is Certainty.YES for answer in certainties(self.tokens)]
        self.macros = {
            after.text
            for token, after in pairwise(self.tokens)
            if token.kind == lexer.PREPROCESSOR and token.directive == "define"
        }
        self.functions: list[Function] = []
        self.variables: list[Variable] = []
        for begin, end in self._statements():
            self._declare(begin, end)

    def _statements(self) -> Iterator[tuple[int, int]]:
        """The ranges of the statements outside functions: up to a ``;`` or an opening brace."""
        begin = 0
        for index, token in enumerate(self.tokens):
            scope = self.scopes[index]
            outside = scope.at_file_level or scope.kind == CLASS
            if token.directive:
                if begin == index:
                    begin = index + 1
            elif outside and token.text in (";", "{", "}"):
                if token.text != "}" and begin < index:
                    yield begin, index
                begin = index + 1
            elif not outside:
                begin = index + 1

    def _declare(self, begin: int, end: int) -> None:
        span = [i for i in range(begin, end) if not self.tokens[i].directive]
        name = self._function_name(span)
        scope = self.scopes[begin]
        if name >= 0:
            closing = closing_of(self.tokens, name + 1)
            body = self._body_after(end)
            self.functions.append(
                Function(
                    self.tokens[name],
                    self._outer_words([i for i in span if i < name]),
                    tuple(self.tokens[name + 2 : closing]),
                    scope.kind == CLASS,
                    body,
                )
            )
        elif scope.at_file_level:
            self._declare_variables(span)

    def _function_name(self, span: Sequence[int]) -> int:
        """The index of the name of the function that the statement declares, -1 for none."""
        depth = 0
        for position, index in enumerate(span[:-1]):
            token = self.tokens[index]
            if token.text in ("=", "[", "using", "typedef", "namespace") and not depth:
                return -1
            depth += (token.text == "<") - (token.text == ">")
            following = self.tokens[span[position + 1]].text
            if token.kind != lexer.IDENTIFIER or following != "(" or depth > 0:
                continue
            if token.text in _ATTRIBUTES:
                continue
            before = self.tokens[span[position - 1]].text if position else ""
            if not position or before in ("::", "~", "operator", ".", "->", "(", ","):
                return -1
            return index
        return -1

    def _outer_words(self, span: Sequence[int]) -> tuple[str, ...]:
        """The words outside template argument lists and attributes' arguments."""
        words: list[str] = []
        depth = 0
        for index in span:
            word = self.tokens[index].text
            depth -= word in (">", ")")
            if not depth and word not in ("<", ">", "(", ")"):
                words.append(word)
            depth += word in ("<", "(")
        return tuple(words)

    def _body_after(self, end: int) -> Scope | None:
        if self.tokens[end].text != "{" or end + 1 >= len(self.tokens):
            return None
        inner = self.scopes[end + 1]
        return inner if inner.kind == FUNCTION and inner.header[1] == end else None

    def _declare_variables(self, span: Sequence[int]) -> None:
        tokens = [self.tokens[i] for i in span]
        words: list[str] = []
        if len(tokens) < 2 or tokens[0].text in _NOT_VARIABLES:
            return
        for position, token in enumerate(tokens):
            following = tokens[position + 1].text if position + 1 < len(tokens) else ";"
            if token.text == "(":
                return
            if token.kind == lexer.IDENTIFIER and following in ("=", "[", ";", ",", "{"):
                if words:
                    self.variables.append(Variable(token, tuple(words), following == "["))
                return
            words.append(token.text)
