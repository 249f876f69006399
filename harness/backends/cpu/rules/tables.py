"""Constants of the host that device code uses in a way that needs them in memory.

What nvcc 13.0 does: it puts values in their places where it can, so a number may be used anywhere,
and an element with a constant index in a constant expression and in a local variable's initialiser.
An element of a class keeps its value everywhere then, one of a number doesn't. What is left is
undefined in device code: an index that varies, an array's name alone, an address.
"""

from __future__ import annotations

from harness.backends.cpu.rules.body import Body
from harness.backends.cpu.rules.unit import Unit
from harness.backends.cpu.rules.values import Values
from harness.backends.cpu.rules.variables import FUNDAMENTAL, Variable

_OWN_MEMORY = frozenset(("__shared__", "__constant__", "__device__", "__managed__"))
# Operators whose other operand may keep a use from being looked at.
_CUTS = frozenset(("?", "&&", "||"))


def is_constant_array(variable: Variable) -> bool:
    """A constant array without a copy in device code."""
    elsewhere = variable.words & _OWN_MEMORY or "extern" in variable.words
    return variable.array and variable.constant and not variable.reference and not elsewhere


def needs_array(unit: Unit, body: Body, index: int, found: list[Variable]) -> bool:
    """Whether the use at ``index`` of a constant array surely needs it in memory."""
    if in_constant(body, index):
        return False
    if _is_indexed_by_variable(unit, body, index):
        return True
    if body.stream.text(index + 1) != "[":
        return body.stream.text(index - 1) != "*" or not body.initialises(index)
    plain = all(FUNDAMENTAL.issuperset(v.type) and not v.pointers for v in found)
    return plain and not body.initialises(index)


def is_member_array(unit: Unit, body: Body, index: int) -> bool:
    """Whether ``S::table`` at ``index`` is a constant array that the expression around it needs in
    memory."""
    stream = body.stream
    owner, name = stream.text(index - 2), stream.text(index)
    if stream.text(index - 1) != "::" or stream.text(index - 3) in ("::", ".", "->"):
        return False
    if owner not in unit.classes or owner in body.names:
        return False
    found = [v for v in unit.declared.variables if v.place.owner == owner and v.name == name]
    return (
        len(found) == 1
        and "static" in found[0].words
        and is_constant_array(found[0])
        and not in_constant(body, index)
        and _is_indexed_by_variable(unit, body, index)
    )


def needs_address(unit: Unit, body: Body, index: int, found: list[Variable]) -> bool:
    """Whether the expression around ``index`` surely keeps the address of a constant number: to
    initialise a pointer or as an argument of the author's own function."""
    stream = body.stream
    if not all(map(_is_number, found)) or stream.text(index - 1) != "&":
        return False
    begin = body.statement_begin(index)
    if any(stream.text(i) in _CUTS for i in range(begin, index)):
        return False
    before, after = stream.text(index - 2), stream.text(index + 1)
    if before == "=":
        return after == ";" and any(
            v.init is not None and v.init[0] == index - 2 and v.pointers == 1 and not v.array
            for v in body.locals
        )
    if before not in ("(", ",") or after not in (")", ","):
        return False
    for call in body.calls:
        if call.opening < index < call.closing and stream.partner[index + 1] <= call.closing:
            called = unit.callees(body, call)
            inner = stream.parts(call.opening + 1, call.closing)
            if called and (index - 1, index + 1) in inner:
                return all("constexpr" not in f.words and not f.is_template for f in called)
    return False


def _is_number(variable: Variable) -> bool:
    plain = bool(variable.type) and FUNDAMENTAL.issuperset(variable.type)
    elsewhere = variable.words & _OWN_MEMORY or "extern" in variable.words
    indirect = variable.pointers or variable.reference or variable.array
    return plain and variable.constant and not elsewhere and not indirect


def _is_indexed_by_variable(unit: Unit, body: Body, index: int) -> bool:
    stream = body.stream
    values = Values(unit, body)
    index += 1
    while stream.text(index) == "[":
        if values.vary(index + 1, stream.partner[index]):
            return True
        index = stream.partner[index] + 1
    return False


def in_constant(body: Body, index: int) -> bool:
    """Whether the compiler may need only the value here: constant expressions."""
    stream = body.stream
    begin = body.statement_begin(index)
    words = {stream.text(i) for i in range(begin, index)}
    if words & {"constexpr", "static_assert", "case"}:
        return True
    if any(stream.text(i) == "<" and stream.angle(i) > index for i in range(begin, index)):
        return True  # perhaps a template's argument
    local_arrays = {variable.at + 1 for variable in body.locals if variable.array}
    return any(opening < index < stream.partner[opening] for opening in local_arrays)
