"""``sqrt(n)`` of an integer and ``fmax(0.0, x)`` of two types in device code.

CUDA's mathematics has versions for ``float`` and for ``double``. For integers and for mixed types
the C++ library's templates step in, which are constexpr host functions, so nvcc rejects the call;
to a host compiler it is one like any other. ``pow``, ``abs``, ``min`` and ``max`` are different:
CUDA has them for integers, or the call is ambiguous to every compiler.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum

from harness.backends.cpu.rules.body import Body, Call
from harness.backends.cpu.rules.model import Space
from harness.backends.cpu.rules.unit import Fault, Unit
from harness.backends.cpu.rules.variables import FUNDAMENTAL
from harness.source import lexer

_OF_ONE = frozenset(
    """
    sqrt cbrt exp exp2 expm1 log log2 log10 log1p logb ilogb sin cos tan asin acos atan sinh cosh
    tanh asinh acosh atanh ceil floor round trunc rint nearbyint lround lrint fabs erf erfc lgamma
    tgamma isnan signbit
    """.split()
)
_OF_SEVERAL = {
    "fmin": 2,
    "fmax": 2,
    "fmod": 2,
    "atan2": 2,
    "hypot": 2,
    "fdim": 2,
    "remainder": 2,
    "nextafter": 2,
    "fma": 3,
}
_INTEGERS = frozenset(
    """
    size_t ptrdiff_t uint ushort int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t
    """.split()
)
_ADDING = frozenset("+-")
_MULTIPLYING = frozenset("*/")
_DIMENSIONS = frozenset(("threadIdx", "blockIdx", "blockDim", "gridDim"))
_NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F']+|[0-9][0-9']*)(?P<suffix>[uUlL]*)")
_REAL = re.compile(
    r"(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?(?P<suffix>[fF]?)"
)


class Number(IntEnum):
    """The sorts of numbers; the larger of two is that of their sum."""

    INTEGER = 1
    FLOAT = 2
    DOUBLE = 3


def math_faults(unit: Unit) -> Iterator[Fault]:
    """Calls of mathematics for which CUDA has no device function."""
    for body in unit.bodies:
        function = body.function
        if function.space not in (Space.DEVICE, Space.KERNEL):
            continue
        if function.is_template and function not in unit.on_device:
            continue
        for call in body.calls:
            if call.method or call.qualifier not in ((), ("",), ("std",), ("", "std")):
                continue
            if call.name in unit.functions or not unit.visible(body, call.name):
                continue
            shown = _fault(unit, body, call)
            if shown:
                yield Fault(body.stream.tokens[call.at], shown)


def _fault(unit: Unit, body: Body, call: Call) -> str:
    parts = body.stream.parts(call.opening + 1, call.closing)
    wanted = 1 if call.name in _OF_ONE else _OF_SEVERAL.get(call.name, 0)
    if not wanted or len(parts) != wanted:
        return ""
    sorts = [_Expression(unit, body, begin, end).sort() for begin, end in parts]
    if None in sorts or set(sorts) in ({Number.FLOAT}, {Number.DOUBLE}):
        return ""
    names = ", ".join(sort.name.lower() for sort in sorts if sort is not None)
    better = "float" if Number.DOUBLE not in sorts else "double"
    return (
        f"device code has no {call.name}({names}), only the host's: calling it is not allowed; "
        f"convert to {better}"
    )


class _Expression:
    """The sort of an arithmetic expression, by recursive descent; ValueError for what isn't
    understood."""

    def __init__(self, unit: Unit, body: Body, begin: int, end: int) -> None:
        self._unit = unit
        self._body = body
        self._stream = body.stream
        self._at = begin
        self._end = end

    def sort(self) -> Number | None:
        """None when it isn't certain."""
        try:
            found = self._sum()
        except (ValueError, RecursionError):
            return None
        sure = all(self._stream.sure[self._at - 1 : self._end])
        return found if self._at == self._end and sure else None

    def _word(self, ahead: int = 0) -> str:
        index = self._at + ahead
        return self._stream.text(index) if index < self._end else ""

    def _sum(self) -> Number:
        found = self._product()
        while self._word() in _ADDING:
            self._at += 1
            found = max(found, self._product())
        return found

    def _product(self) -> Number:
        found = self._unary()
        while self._word() in _MULTIPLYING or self._word() == "%":
            self._at += 1
            found = max(found, self._unary())
        return found

    def _unary(self) -> Number:
        if self._word() in _ADDING:
            self._at += 1
            return self._unary()
        if self._word() == "(":
            closing = self._stream.partner[self._at]
            words = [self._stream.text(i) for i in range(self._at + 1, closing)]
            if words and (cast := _type_sort(words)) is not None:
                self._at = closing + 1
                self._unary()
                return cast
            inner = _Expression(self._unit, self._body, self._at + 1, closing).sort()
            if inner is None:
                raise ValueError("not understood")
            self._at = closing + 1
            return inner
        return self._operand()

    def _operand(self) -> Number:
        word, index = self._word(), self._at
        self._at += 1
        kind = self._stream.kind(index)
        if kind == lexer.NUMBER:
            return _literal(word)
        if kind == lexer.CHAR or word in ("true", "false"):
            return Number.INTEGER
        if kind != lexer.IDENTIFIER:
            raise ValueError("not understood")
        if self._word() == "(" and (cast := _type_sort([word])) is not None:
            self._at = self._stream.partner[self._at] + 1
            return cast
        if word in _DIMENSIONS and self._word() == "." and self._unit.visible(self._body, word):
            self._at += 2
            return Number.INTEGER
        if word in self._body.function.values and word not in self._body.objects:
            return self._value(Number.INTEGER, 0)
        return self._variable(word)

    def _variable(self, name: str) -> Number:
        variable = self._body.objects.get(name)
        if variable is None:
            same = self._unit.variables.get(name, [])
            if len(same) != 1 or not self._unit.visible(self._body, name):
                raise ValueError("not understood")
            variable = same[0]
        sort = _type_sort(variable.type)
        if sort is None:
            raise ValueError("not understood")
        return self._value(sort, variable.pointers + variable.array)

    def _value(self, sort: Number, rank: int) -> Number:
        """The sort of what has ``rank`` subscripts to come; nothing else may follow."""
        while self._word() == "[" and rank > 0:
            self._at = self._stream.partner[self._at] + 1
            rank -= 1
        if rank or self._word() in ("[", "(", ".", "->", "::", "++", "--"):
            raise ValueError("not understood")
        return sort


def _type_sort(words: Sequence[str]) -> Number | None:
    plain = [word for word in words if word not in ("const", "volatile")]
    if len(plain) == 1 and plain[0] in _INTEGERS:
        return Number.INTEGER
    if not plain or not FUNDAMENTAL.issuperset(plain) or "void" in plain:
        return None
    if plain == ["float"]:
        return Number.FLOAT
    if "double" in plain:
        return Number.DOUBLE if plain == ["double"] else None
    return Number.INTEGER


def _literal(word: str) -> Number:
    if _NUMBER.fullmatch(word):
        return Number.INTEGER
    real = _REAL.fullmatch(word)
    if real is None:
        raise ValueError("not understood")
    return Number.FLOAT if real["suffix"] else Number.DOUBLE
