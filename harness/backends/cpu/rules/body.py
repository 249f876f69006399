"""What the body of one function does, as far as tokens tell: its calls, the names that it declares
itself, and which of its tokens are evaluated at all.

Not looked at: operands of ``sizeof``, ``decltype`` and their kin, both arms of an ``if constexpr``,
local classes, lambdas with an execution space of their own, and what is not surely compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from harness.backends.cpu.rules.model import Function
from harness.backends.cpu.rules.text import Stream
from harness.backends.cpu.rules.variables import (
    ATTRIBUTES,
    FUNDAMENTAL,
    Place,
    Variable,
    variables,
)

_UNEVALUATED = frozenset(
    ("sizeof", "decltype", "alignof", "noexcept", "__alignof__", "typeof", "__typeof__")
)
_CLASS_KEYS = frozenset(("class", "struct", "union", "enum"))
_SPACES = frozenset(("__host__", "__device__", "__global__"))
# Words that may stand before an expression; before a name they declare nothing.
_BEFORE_EXPRESSION = frozenset(
    """
    return else do case goto throw new delete co_return co_await co_yield and or not sizeof alignof
    typeid bitand bitor xor
    """.split()
)
_NO_TYPE = _BEFORE_EXPRESSION | frozenset(
    """
    if for while switch break continue default using try catch static_assert this nullptr true
    false operator asm __asm__
    """.split()
)
_CONTROL = frozenset(("if", "for", "while", "switch", "catch"))
_QUALIFIERS = frozenset(("const", "volatile", "__restrict__", "__restrict", "constexpr"))
_AFTER_NAME = frozenset(("=", ";", ",", "[", "(", "{", ")", ":"))


@dataclass(frozen=True)
class Call:
    """``name(...)``: the index of the name and of the parentheses. ``qualifier`` are the names
    before it, ``("",)`` for a leading ``::``."""

    name: str
    at: int
    opening: int
    closing: int
    qualifier: tuple[str, ...]
    method: bool


@dataclass(frozen=True)
class _Scope:
    """``declarators`` are the indices of declared names, ``statements`` the declarations;
    ``inner`` are names that lambdas declare."""

    names: frozenset[str]
    inner: frozenset[str]
    declarators: frozenset[int]
    statements: tuple[tuple[int, int], ...]


class Body:
    """One function's definition."""

    def __init__(self, stream: Stream, function: Function) -> None:
        if function.body is None:
            raise ValueError("no body")
        self.stream = stream
        self.function = function
        self.begin, self.end = function.body

    # --- what is evaluated ---

    @cached_property
    def evaluated(self) -> tuple[int, ...]:
        """The indices of the tokens that are surely compiled and evaluated."""
        found: list[int] = []
        index = self.begin + 1
        while index < self.end:
            after = self._skip(index)
            if after > index:
                index = after
                continue
            if self.stream.sure[index]:
                found.append(index)
            index += 1
        return tuple(found)

    def _skip(self, index: int) -> int:
        """The index after what begins at ``index`` and isn't looked at; ``index`` for nothing."""
        stream = self.stream
        word = stream.text(index)
        if word in _UNEVALUATED:
            if stream.text(index + 1) == "(":
                return stream.partner[index + 1] + 1
            return self._operand(index + 1) if word == "sizeof" else index
        if word == "if" and stream.text(index + 1) == "constexpr":
            return self._if_constexpr(index)
        if word == "{" and self._opens_class(index):
            return stream.partner[index] + 1
        if word in _SPACES and self._in_lambda_head(index):
            while index < self.end and stream.text(index) != "{":
                index = max(index, stream.partner[index]) + 1
            return stream.partner[index] + 1 if index < self.end else index
        return index

    def _operand(self, index: int) -> int:
        stream = self.stream
        while stream.is_word(index) or stream.text(index) in ("::", ".", "->", "*", "&"):
            index += 1
        while stream.text(index) in ("[", "("):
            index = stream.partner[index] + 1
        return index

    def _if_constexpr(self, index: int) -> int:
        stream = self.stream
        after = self.statement_end(stream.partner[index + 2] + 1)
        while stream.text(after) == "else":
            after = self.statement_end(after + 1)
        return after

    def statement_end(self, index: int) -> int:
        """The index after the statement that begins at ``index``."""
        stream = self.stream
        word = stream.text(index)
        if word == "{":
            return stream.partner[index] + 1
        if word in ("if", "for", "while", "switch"):
            opening = index + 1 + (stream.text(index + 1) == "constexpr")
            if stream.text(opening) == "(":
                after = self.statement_end(stream.partner[opening] + 1)
                while word == "if" and stream.text(after) == "else":
                    after = self.statement_end(after + 1)
                return after
        while index < self.end and stream.text(index) != ";":
            index = max(index, stream.partner[index]) + 1
        return min(index + 1, self.end)

    def statement_begin(self, index: int) -> int:
        """The index of the first token of the statement (or declaration) around ``index``."""
        stream = self.stream
        while index > self.begin + 1 and stream.text(index - 1) not in (";", "{", "}"):
            index -= 1
        return index

    def _opens_class(self, brace: int) -> bool:
        stream = self.stream
        begin = self.statement_begin(brace)
        words = [stream.text(i) for i in range(begin, brace)]
        return bool(_CLASS_KEYS.intersection(words)) and "(" not in words and "=" not in words

    def _in_lambda_head(self, index: int) -> bool:
        stream = self.stream
        before = index - 1
        while stream.text(before) in _SPACES:
            before -= 1
        if stream.text(before) == ")":
            before = stream.partner[before] - 1
        return stream.text(before) == "]" and self.is_lambda(stream.partner[before])

    def is_lambda(self, bracket: int) -> bool:
        """Whether ``[`` begins a lambda rather than a subscript or an attribute."""
        stream = self.stream
        before = stream.text(bracket - 1)
        operand = stream.is_word(bracket - 1) and before not in _BEFORE_EXPRESSION
        return (
            not operand and before not in (")", "]", ">", "[") and (stream.text(bracket + 1) != "[")
        )

    # --- names ---

    @property
    def names(self) -> frozenset[str]:
        """All names that the function declares, its parameters included, and some more: a name
        that is missing here surely means the one outside."""
        return self._scope.names

    @cached_property
    def _scope(self) -> _Scope:
        stream = self.stream
        opening, closing = self.function.parameters
        names = {stream.text(i) for i in range(opening, closing) if self._named_parameter(i)}
        names |= set(self.function.types or ()) | self.function.values
        inner: set[str] = set()
        declarators: set[int] = set()
        statements: list[tuple[int, int]] = []
        for index in range(self.begin + 1, self.end):
            if stream.is_word(index):
                if self._follows_type(index):
                    declarators.add(index)
            elif stream.text(index) == "[" and self.is_lambda(index):
                inner |= self._lambda_names(index)
            if self._starts_statement(index):
                found, end = self._declared_at(index)
                declarators |= found
                condition = stream.text(index - 1) == "(" and stream.text(index - 2) != "for"
                if found and not condition:  # a condition rather compares
                    statements.append((index, end))
        names |= inner | {stream.text(i) for i in declarators}
        return _Scope(frozenset(names), frozenset(inner), frozenset(declarators), tuple(statements))

    def _named_parameter(self, index: int) -> bool:
        stream = self.stream
        before = stream.text(index - 1)
        named = before in ("*", "&", "&&", ">", "...") or stream.is_word(index - 1)
        return stream.is_word(index) and named

    def _follows_type(self, index: int) -> bool:
        stream = self.stream
        before = stream.text(index - 1)
        return (
            stream.is_word(index - 1)
            and before not in _NO_TYPE
            and stream.text(index + 1) in _AFTER_NAME
        )

    def _lambda_names(self, bracket: int) -> set[str]:
        stream = self.stream
        closing = stream.partner[bracket]
        found = {stream.text(i) for i in range(bracket, closing) if stream.text(i + 1) == "="}
        if stream.text(closing + 1) == "(":
            last = stream.partner[closing + 1]
            found |= {stream.text(i) for i in range(closing + 1, last) if self._named_parameter(i)}
        return found

    def _starts_statement(self, index: int) -> bool:
        stream = self.stream
        before = stream.text(index - 1)
        if before in (";", "{", "}"):
            return True
        return before == "(" and stream.text(index - 2) in _CONTROL

    def _declared_at(self, begin: int) -> tuple[set[int], int]:
        """The declarators of the declaration that begins here, if one does, and its end."""
        stream = self.stream
        name = self._after_type(begin)
        if name < 0:
            return set(), begin
        end = name
        while end < self.end and stream.text(end) not in (";", ":", ")", "}"):
            end = max(end, stream.partner[end]) + 1
        if stream.text(name) == "[":  # a structured binding
            inner = range(name, stream.partner[name])
            return {i for i in inner if stream.is_word(i)}, end
        found: set[int] = set()
        for first, last in stream.parts(name, end):
            while stream.text(first) in ("*", "&", "const", "__restrict__"):
                first += 1
            if first < last and stream.is_word(first):
                found.add(first)
        return found, end

    def _after_type(self, index: int) -> int:
        """The index of the first name (or ``[``) that a declaration beginning here declares; -1 if
        none begins."""
        stream = self.stream
        words = 0
        while index < self.end:
            word = stream.text(index)
            if word == "<" and words and (closing := stream.angle(index)) > 0:
                index = closing + 1
            elif word in ATTRIBUTES and stream.text(index + 1) == "(":
                index = stream.partner[index + 1] + 1
                words += word in ("decltype", "typeof", "__typeof__")
            elif stream.is_word(index) and word not in _NO_TYPE:
                named = words and stream.text(index - 1) != "::"
                if named and stream.text(index + 1) in _AFTER_NAME:
                    return index
                words += word not in _QUALIFIERS
                index += 1
            elif word in ("*", "&", "&&", "::") and (words or word == "::"):
                index += 1
            elif word == "[" and "auto" in (stream.text(index - 1), stream.text(index - 2)):
                return index
            else:
                return -1
        return -1

    def initialises(self, index: int) -> bool:
        """Whether ``index`` may stand in the initialiser of a local variable."""
        if any(begin <= index < end for begin, end in self._scope.statements):
            return True
        begin = self.statement_begin(index)
        return any(begin <= name < index for name in self._scope.declarators)

    @cached_property
    def locals(self) -> tuple[Variable, ...]:
        """The local variables whose declarations are understood."""
        evaluated = set(self.evaluated)
        found: dict[int, Variable] = {}
        for begin, end in self._scope.statements:
            for variable in variables(self.stream, begin, end, Place()):
                if variable.at in evaluated and variable.type:
                    found.setdefault(variable.at, variable)
        return tuple(found.values())

    @cached_property
    def objects(self) -> dict[str, Variable]:
        """Parameters and local variables whose names mean one thing in the whole body."""
        stream = self.stream
        opening, closing = self.function.parameters
        found: dict[str, list[Variable]] = {}
        for begin, end in stream.parts(opening + 1, closing):
            for variable in variables(stream, begin, end, Place()):
                found.setdefault(variable.name, []).append(variable)
        for variable in self.locals:
            found.setdefault(variable.name, []).append(variable)
        declared = [stream.text(i) for i in self._scope.declarators]
        return {
            name: same[0]
            for name, same in found.items()
            if len(same) == 1 and declared.count(name) <= 1 and name not in self._scope.inner
        }

    def is_unused(self, index: int) -> bool:
        """Whether the value at ``index`` only initialises a variable that nothing uses."""
        stream = self.stream
        begin = self.statement_begin(index)
        for variable in self.locals:
            if begin <= variable.at < index and variable.init and variable.init[0] < index:
                return not any(
                    stream.text(i) == variable.name and stream.text(i - 1) not in (")", ".", "->")
                    for i in range(variable.init[1], self.end)
                )
        return False

    # --- calls ---

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The calls among the evaluated tokens; a macro or a constructor may look like one."""
        stream = self.stream
        found: list[Call] = []
        for index in self.evaluated:
            opening = index + 1
            if not stream.is_word(index) or index in self._scope.declarators:
                continue
            if stream.text(opening) == "<" and (closing := stream.angle(opening)) > 0:
                opening = closing + 1
            if stream.text(opening) != "(" or opening >= self.end:
                continue
            before = stream.text(index - 1)
            if stream.is_word(index - 1) and before not in _BEFORE_EXPRESSION:
                continue
            qualifier = tuple(self._qualifier(index))
            method = before in (".", "->")
            closing = stream.partner[opening]
            found.append(Call(stream.text(index), index, opening, closing, qualifier, method))
        return tuple(found)

    def _qualifier(self, index: int) -> Iterator[str]:
        stream = self.stream
        found: list[str] = []
        while stream.text(index - 1) == "::":
            index -= 2
            if stream.text(index) == ">":
                while index > self.begin and stream.text(index) != "<":
                    index -= 1
                index -= 1
            found.append(stream.text(index) if stream.is_word(index) else "")
            if not stream.is_word(index):
                break
        yield from reversed(found)

    def depends(self, begin: int, end: int) -> bool:
        """Whether the expression may depend on a template's parameters; True where in doubt."""
        if not self.function.is_template and not self._generic_names:
            return False
        plain = self._plain_parameters if self.function.is_template else None
        for index in range(begin, end):
            word = self.stream.text(index)
            if not self.stream.is_word(index) or word in FUNDAMENTAL:
                continue
            if plain is not None and word not in plain:
                return True
            if word in self._generic_names:
                return True
        return False

    @cached_property
    def _generic_names(self) -> frozenset[str]:
        """Parameters of lambdas that are declared with ``auto``."""
        stream = self.stream
        found: set[str] = set()
        for index in range(self.begin, self.end):
            if stream.text(index) == "[" and self.is_lambda(index):
                opening = stream.partner[index] + 1
                if stream.text(opening) == "(":
                    inner = range(opening, stream.partner[opening])
                    if any(stream.text(i) == "auto" for i in inner):
                        found |= {stream.text(i) for i in inner if stream.is_word(i)}
        return frozenset(found)

    @cached_property
    def _plain_parameters(self) -> frozenset[str]:
        """Parameters of fundamental types, and template parameters that are values."""
        stream = self.stream
        opening, closing = self.function.parameters
        found = set(self.function.values)
        for begin, end in stream.parts(opening + 1, closing):
            words = [stream.text(i) for i in range(begin, end) if stream.is_word(i)]
            if words and all(w in FUNDAMENTAL or w in _QUALIFIERS for w in words[:-1]):
                found.add(words[-1])
        return frozenset(found)
