"""The sizes of variables, as far as their types are plain and their bounds are integer constants of
the same file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from harness import expr
from harness.backends.cpu.rules.text import Stream
from harness.backends.cpu.rules.variables import Variable
from harness.source import lexer
from harness.source.ctype import CType, parse_parameters
from harness.source.lexer import Token

POINTER_BYTES = 8
_VECTOR = re.compile(
    r"(?P<base>u?char|u?short|u?int|u?long|u?longlong|float|double)(?P<count>[1-4])"
)
_BASES = {"char": 1, "short": 2, "int": 4, "long": 8, "longlong": 8, "float": 4, "double": 8}
_OTHER_BYTES = {"half2": 4, "__half2": 4, "__nv_bfloat16": 2, "__nv_bfloat162": 4, "nv_bfloat16": 2}
_NUMBER = re.compile(r"(?P<digits>0[xX][0-9a-fA-F]+|[1-9][0-9]*|0)[uUlL]*")
_MOST_NESTED = 8


def base_type(tokens: list[Token]) -> CType:
    """The type of a declaration without specifiers and name."""
    placeholder = Token(lexer.IDENTIFIER, "name", 0, 0)
    return parse_parameters([*tokens, placeholder])[0].type


def shape_of(variable_type: tuple[str, ...]) -> tuple[str, int] | None:
    """The sort (integer, float, half) and the size of a number's type."""
    tokens = [Token(lexer.IDENTIFIER, word, 0, 0) for word in variable_type]
    return base_type(tokens).shape if tokens else None


def bytes_of(variable_type: tuple[str, ...]) -> int:
    """The size of a type, 0 when it is not plain."""
    if not all(word.isidentifier() for word in variable_type):
        return 0
    name = " ".join(variable_type)
    vector = _VECTOR.fullmatch(name)
    if vector:
        return _BASES[vector["base"].lstrip("u")] * int(vector["count"])
    if name in _OTHER_BYTES:
        return _OTHER_BYTES[name]
    shape = shape_of(variable_type)
    return shape[1] if shape else 0


class Sizes:
    """Sizes of arrays from the constants among some variables of one stream."""

    def __init__(self, stream: Stream, visible: Iterable[Variable]) -> None:
        self._stream = stream
        self._visible = visible

    def of(self, variable: Variable, element: int = 0) -> int:
        """The size in bytes, 0 when it isn't plain. ``element`` is that of the type if it is
        known."""
        stream = self._stream
        size = element or bytes_of(variable.type)
        index = variable.at + 1
        while size and stream.text(index) == "[":
            count = self._value(index + 1, stream.partner[index], 0)
            if count is None:
                return 0
            size *= max(0, count)
            index = stream.partner[index] + 1
        return size

    @cached_property
    def _constants(self) -> Mapping[str, Variable]:
        """Integer constants, each declared once."""
        found: dict[str, list[Variable]] = {}
        for variable in self._visible:
            found.setdefault(variable.name, []).append(variable)
        return {
            name: same[0]
            for name, same in found.items()
            if len(same) == 1 and _is_integer_constant(same[0])
        }

    def _value(self, begin: int, end: int, nested: int) -> int | None:
        if nested > _MOST_NESTED or begin >= end:
            return None
        stream = self._stream
        parts: list[str] = []
        for index in range(begin, end):
            word = stream.text(index)
            number = _NUMBER.fullmatch(word)
            if number:
                parts.append(str(int(number["digits"], 0)))
            elif word in ("+", "-", "*", "%", "(", ")"):
                parts.append(word)
            elif word == "/":
                parts.append("//")
            elif word in self._constants:
                value = self._constant(self._constants[word], nested + 1)
                if value is None:
                    return None
                parts.append(f"({value})")
            else:
                return None
        try:
            return expr.parse(" ".join(parts)).evaluate({})
        except expr.ExprError:
            return None

    def _constant(self, variable: Variable, nested: int) -> int | None:
        if variable.init is None:
            return None
        begin, end = variable.init
        if self._stream.text(begin) == "=":
            return self._value(begin + 1, end, nested)
        return self._value(begin + 1, end - 1, nested)


def _is_integer_constant(variable: Variable) -> bool:
    if not variable.constant or variable.array or variable.pointers or variable.init is None:
        return False
    return "integer" in (shape_of(variable.type) or ())
