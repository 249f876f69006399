"""Shared memory that one kernel after another must agree on: its static size, and the type of an
``extern __shared__`` array, which is one variable for all kernels that name it."""

from __future__ import annotations

from collections.abc import Iterator

from harness.backends.cpu.rules.body import Body
from harness.backends.cpu.rules.model import Function, Space
from harness.backends.cpu.rules.sizes import Sizes, base_type, bytes_of
from harness.backends.cpu.rules.text import Stream
from harness.backends.cpu.rules.unit import Fault, Unit
from harness.backends.cpu.rules.values import Values
from harness.backends.cpu.rules.variables import Variable
from harness.source import lexer
from harness.source.lexer import Token

MOST_STATIC = 48 << 10
_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="))


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


# --- static size ---


def _static_bytes(unit: Unit, kernel: Body) -> int:
    """The bytes of the variables of a kernel and of what it calls, as far as their size is plain
    and their values are surely read: nvcc drops those that are only written."""
    total = 0
    for body in unit.called_from(kernel):
        if body.stream is not unit.stream or body.function.is_template:
            continue
        sizes = Sizes(body.stream, _visible(unit, body))
        values = Values(unit, body)
        for variable in body.locals:
            if "__shared__" in variable.words and "extern" not in variable.words:
                plain = not variable.pointers and not variable.reference
                if plain and _is_read(body, variable, values):
                    total += sizes.of(variable)
    return total


def _visible(unit: Unit, body: Body) -> Iterator[Variable]:
    """The variables of a body, and those of its file that it may name."""
    yield from body.locals
    for variable in unit.declared.variables:
        if not variable.place.owner and unit.visible(body, variable.name):
            yield variable


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
    if variable.pointers or variable.reference or not bytes_of(variable.type):
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
            if words and bytes_of(words):
                tokens = [Token(lexer.IDENTIFIER, word, 0, 0) for word in words]
                found.append(((base_type(tokens).base,), "volatile" in variable.words, ()))
    return found
