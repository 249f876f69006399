"""``__constant__`` variables: assignments to them, and how much memory they take.

What nvcc 13.0 does, as far as it isn't plain:

- Only a variable of a number's or a pointer's type that is assigned to by its name is no modifiable
  lvalue, in host code and in functions without a use, too. Stores to elements and members, through
  pointers and references, and by atomic functions compile.
- All variables of a file count as its data, those without a use included.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.backends.cpu.rules.body import Body
from harness.backends.cpu.rules.model import Space
from harness.backends.cpu.rules.sizes import POINTER_BYTES, Sizes, shape_of
from harness.backends.cpu.rules.text import UNKNOWN, Stream
from harness.backends.cpu.rules.unit import Fault, Unit
from harness.backends.cpu.rules.variables import FUNDAMENTAL, Variable

MOST_CONSTANT = 64 << 10
_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
_STEPS = frozenset(("++", "--"))
_SELECTORS = frozenset(("[", ".", "->", "(", "::", "<"))
_QUALIFIERS = frozenset((".", "->", "::", UNKNOWN))
# What may stand before an expression that is an assignment.
_BEFORE = _ASSIGNMENTS | {";", "{", "}", "(", ",", "?", ":", "return", "else", "do"}
_CONTROL = frozenset(("if", "for", "while", "switch"))


def constant_faults(unit: Unit) -> Iterator[Fault]:
    """Assignments to constants, and too many of them."""
    for body in unit.bodies:
        for index in body.evaluated:
            if is_constant_write(unit, body, index):
                yield _written(body, index)
    yield from _too_much(unit)


# --- assignments ---


def is_constant_write(unit: Unit, body: Body, index: int) -> bool:
    """Whether the name at ``index`` surely is a ``__constant__`` number or pointer that the
    expression around it changes."""
    stream = body.stream
    found = unit.variables.get(stream.text(index))
    if not found or not all(map(_is_scalar_constant, found)):
        return False
    if not _is_changed(stream, index) or not unit.visible(body, stream.text(index)):
        return False
    if any(stream.text(i) == UNKNOWN for i in range(body.begin, index)):
        return False  # a macro may have declared the name
    if stream.text(index + 1) not in _ASSIGNMENTS:
        return True
    return not body.depends(index + 1, body.statement_end(index))


def _is_scalar_constant(variable: Variable) -> bool:
    if "__constant__" not in variable.words or variable.constant:
        return False
    if variable.array or variable.reference or not variable.type:
        return False
    if variable.pointers:
        return True
    shape = shape_of(variable.type)
    return shape is not None and shape[0] != "half"


def _is_changed(stream: Stream, index: int) -> bool:
    before, after = stream.text(index - 1), stream.text(index + 1)
    if after in _ASSIGNMENTS:
        control = before == ")" and stream.text(stream.partner[index - 1] - 1) in _CONTROL
        return control or before in _BEFORE
    named = stream.is_word(index - 1) and before not in ("return", "else", "do")
    if after in _STEPS:
        return not named and before not in _QUALIFIERS
    return before in _STEPS and after not in _SELECTORS


def _written(body: Body, index: int) -> Fault:
    stream = body.stream
    name = stream.text(index)
    device = body.function.space in (Space.DEVICE, Space.KERNEL)
    advice = "declare it __device__" if device else "use cudaMemcpyToSymbol in host code"
    return Fault(
        stream.tokens[index],
        f"expression must be a modifiable lvalue: '{name}' is a __constant__ variable; {advice}",
    )


# --- size ---


def _too_much(unit: Unit) -> Iterator[Fault]:
    """The first variable that no longer fits. What has no plain size counts as nothing."""
    file = [v for v in unit.declared.variables if not v.place.owner]
    sizes = Sizes(unit.stream, [v for v in file if v.name not in unit.unclear])
    last: Variable | None = None
    total = 0
    for variable in file:
        if "__constant__" in variable.words and "extern" not in variable.words:
            if total <= MOST_CONSTANT:
                last = variable
            total += _bytes_of(unit, sizes, variable)
    if last is not None and total > MOST_CONSTANT:
        yield Fault(
            unit.stream.tokens[last.at],
            f"the file uses too much global constant data: {total} bytes of __constant__ "
            f"variables, at most {MOST_CONSTANT} are allowed; use __device__ variables or global "
            "memory for more",
        )


def _bytes_of(unit: Unit, sizes: Sizes, variable: Variable) -> int:
    """At least so many, padding not counted."""
    if variable.reference:
        return 0
    if variable.pointers:
        return sizes.of(variable, POINTER_BYTES)
    if len(variable.type) == 1 and variable.type[0] in unit.classes:
        element = _bytes_of_class(unit, sizes, variable.type[0])
        return sizes.of(variable, element) if element else 0
    return sizes.of(variable)


def _bytes_of_class(unit: Unit, sizes: Sizes, name: str) -> int:
    """The bytes of the numbers and pointers in a ``struct`` that is defined once."""
    stream = unit.stream
    keys = [
        stream.text(i - 1)
        for i in range(1, len(stream.tokens))
        if stream.text(i) == name and stream.text(i + 1) in ("{", ":", "final")
    ]
    if keys != ["struct"]:
        return 0
    total = 0
    for member in unit.declared.variables:
        if member.place.owner != name or "static" in member.words or member.reference:
            continue
        if member.pointers:
            total += sizes.of(member, POINTER_BYTES)
        elif FUNDAMENTAL.issuperset(member.type):
            total += sizes.of(member)
    return total
