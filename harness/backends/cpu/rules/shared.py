"""Shared memory that one kernel after another must agree on: its static size, and the type of an
``extern __shared__`` array, which is one variable for all kernels that name it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from harness import expr
from harness.backends.cpu.rules.body import Body
from harness.backends.cpu.rules.model import Function, Space
from harness.backends.cpu.rules.text import Stream
from harness.backends.cpu.rules.unit import Fault, Unit
from harness.backends.cpu.rules.values import Values
from harness.backends.cpu.rules.variables import Variable
from harness.source import lexer
from harness.source.ctype import CType, parse_parameters
from harness.source.lexer import Token

MOST_STATIC = 48 << 10
_VECTOR = re.compile(
    r"(?P<base>u?char|u?short|u?int|u?long|u?longlong|float|double)(?P<count>[1-4])"
)
_BASES = {"char": 1, "short": 2, "int": 4, "long": 8, "longlong": 8, "float": 4, "double": 8}
_OTHER_BYTES = {"half2": 4, "__half2": 4, "__nv_bfloat16": 2, "__nv_bfloat162": 4, "nv_bfloat16": 2}
_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="))
_NUMBER = re.compile(r"(?P<digits>0[xX][0-9a-fA-F]+|[1-9][0-9]*|0)[uUlL]*")
_MOST_NESTED = 8


def shared_faults(unit: Unit) -> Iterator[Fault]:
    """Kernels with too much static shared memory, and external arrays of two types."""
    for body in unit.bodies:
        kernel = body.function
        if kernel.space is Space.KERNEL and not kernel.is_template:
            used = _static_bytes(unit, body)
            if used > MOST_STATIC:
                yield Fault(
                    unit.stream.tokens[kernel.at],
                    f"the kernel '{kernel.name}' uses too much shared memory: {used} bytes of "
                    f"__shared__ variables, at most {MOST_STATIC} are allowed; use dynamic shared "
                    "memory for more",
                )
    yield from _external_types(unit)


def base_type(tokens: list[Token]) -> CType:
    """The type of a declaration without specifiers and name."""
    placeholder = Token(lexer.IDENTIFIER, "name", 0, 0)
    return parse_parameters([*tokens, placeholder])[0].type


def _bytes_of(variable_type: tuple[str, ...]) -> int:
    """The size of a type, 0 when it is not plain."""
    if not all(word.isidentifier() for word in variable_type):
        return 0
    name = " ".join(variable_type)
    vector = _VECTOR.fullmatch(name)
    if vector:
        return _BASES[vector["base"].lstrip("u")] * int(vector["count"])
    if name in _OTHER_BYTES:
        return _OTHER_BYTES[name]
    tokens = [Token(lexer.IDENTIFIER, word, 0, 0) for word in variable_type]
    shape = base_type(tokens).shape if tokens else None
    return shape[1] if shape else 0


# --- static size ---


def _static_bytes(unit: Unit, kernel: Body) -> int:
    """The bytes of the variables of a kernel and of what it calls, as far as their size is plain
    and their values are surely read: nvcc drops those that are only written."""
    total = 0
    for body in unit.called_from(kernel):
        if body.stream is not unit.stream or body.function.is_template:
            continue
        sizes = _Sizes(unit, body)
        values = Values(unit, body)
        for variable in body.locals:
            if "__shared__" in variable.words and "extern" not in variable.words:
                plain = not variable.pointers and not variable.reference
                if plain and _is_read(body, variable, values):
                    total += sizes.of(variable)
    return total


def _is_read(body: Body, variable: Variable, values: Values) -> bool:
    stream = body.stream
    for index in body.evaluated:
        if stream.text(index) != variable.name or index == variable.at:
            continue
        after = index + 1
        while stream.text(after) in ("[", "."):
            after = stream.partner[after] + 1 if stream.text(after) == "[" else after + 2
        if stream.text(after) in _ASSIGNMENTS or stream.text(index - 1) == ")":
            continue
        begin = body.statement_begin(index)
        words = {stream.text(i) for i in range(begin, body.statement_end(begin))}
        if "?" not in words and not values.may_be_dead(index) and not body.is_unused(index):
            return True
    return False


class _Sizes:
    """Sizes of arrays from the constants of one body and its file."""

    def __init__(self, unit: Unit, body: Body) -> None:
        self._unit = unit
        self._body = body

    def of(self, variable: Variable) -> int:
        """The size in bytes, 0 when it isn't plain."""
        stream = self._body.stream
        size = _bytes_of(variable.type)
        index = variable.at + 1
        while size and stream.text(index) == "[":
            count = self._value(index + 1, stream.partner[index], 0)
            if count is None:
                return 0
            size *= count
            index = stream.partner[index] + 1
        return size

    @cached_property
    def _constants(self) -> Mapping[str, Variable]:
        """Integer constants, each declared once. Those of the file can't be seen in templates."""
        found: dict[str, list[Variable]] = {}
        for variable in self._body.locals:
            found.setdefault(variable.name, []).append(variable)
        for variable in self._unit.declared.variables:
            if not variable.place.owner and self._unit.visible(self._body, variable.name):
                found.setdefault(variable.name, []).append(variable)
        return {
            name: same[0]
            for name, same in found.items()
            if len(same) == 1 and _is_integer_constant(same[0])
        }

    def _value(self, begin: int, end: int, nested: int) -> int | None:
        if nested > _MOST_NESTED or begin >= end:
            return None
        stream = self._body.stream
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
        if self._body.stream.text(begin) == "=":
            return self._value(begin + 1, end, nested)
        return self._value(begin + 1, end - 1, nested)


def _is_integer_constant(variable: Variable) -> bool:
    if not variable.constant or variable.array or variable.pointers or variable.init is None:
        return False
    tokens = [Token(lexer.IDENTIFIER, word, 0, 0) for word in variable.type]
    return "integer" in (base_type(tokens).shape or ())


# --- external arrays ---

_Type = tuple[tuple[str, ...], bool, tuple[str, ...]]


def _external_types(unit: Unit) -> Iterator[Fault]:
    seen: dict[str, tuple[_Type, int]] = {}
    for variable, body in _externals(unit):
        stream = unit.stream
        types: list[_Type] = []
        if body is not None and body.function.types is not None:
            types = _instances(unit, body.function, variable)
        elif (known := _known_type(stream, variable)) is not None:
            types = [known]
        for each in types:
            first, line = seen.setdefault(variable.name, (each, stream.tokens[variable.at].line))
            if first != each:
                yield Fault(
                    stream.tokens[variable.at],
                    f"the extern __shared__ array '{variable.name}' was declared with another type "
                    f"(line {line}); all kernels share it: give it another name or cast",
                )
                break


def _externals(unit: Unit) -> Iterator[tuple[Variable, Body | None]]:
    """All ``extern __shared__`` arrays outside namespaces, in order."""
    found: list[tuple[Variable, Body | None]] = []
    for variable in unit.declared.variables:
        if not variable.place.namespace and not variable.place.owner:
            found.append((variable, None))
    for body in unit.bodies:
        function = body.function
        if not function.place.namespace and not function.member and not function.specialised:
            found += [(variable, body) for variable in body.locals]
    wanted = {"extern", "__shared__"}
    yield from sorted(
        (each for each in found if wanted <= each[0].words and each[0].array),
        key=lambda each: each[0].at,
    )


def _known_type(stream: Stream, variable: Variable) -> _Type | None:
    if variable.pointers or variable.reference or not _bytes_of(variable.type):
        return None
    rows: list[str] = []
    index = stream.partner[variable.at + 1] + 1
    while stream.text(index) == "[":
        rows += [stream.text(i) for i in range(index, stream.partner[index])]
        index = stream.partner[index] + 1
    tokens = [Token(lexer.IDENTIFIER, word, 0, 0) for word in variable.type]
    return (base_type(tokens).base,), "volatile" in variable.words, tuple(rows)


def _instances(unit: Unit, function: Function, variable: Variable) -> list[_Type]:
    """The types of an array of ``T`` in the launches ``kernel<float><<<...>>>``, where ``T`` is
    the kernel's first parameter."""
    stream = unit.stream
    begin = function.header[0]
    first = [stream.text(begin + i) for i in range(4)]
    if first[:2] != ["template", "<"] or first[2] not in ("typename", "class"):
        return []
    if variable.type != (first[3],) or variable.pointers:
        return []
    found: list[_Type] = []
    launched = {launch.begin: launch for launch in unit.launches}
    for body in unit.bodies:
        if body.function.is_template:
            continue
        for index in body.evaluated:
            if index not in launched or stream.text(index) != function.name:
                continue
            if stream.text(index + 1) != "<" or not unit.visible(body, function.name):
                continue
            arguments = stream.parts(index + 2, stream.angle(index + 1))
            words = tuple(stream.text(i) for i in range(*arguments[0])) if arguments else ()
            if words and _bytes_of(words):
                tokens = [Token(lexer.IDENTIFIER, word, 0, 0) for word in words]
                found.append(((base_type(tokens).base,), "volatile" in variable.words, ()))
    return found
