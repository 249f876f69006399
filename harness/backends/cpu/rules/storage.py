"""Where variables live: ``__shared__`` and its kin, host variables in device code, and arrays whose
bounds are no constants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.backends.cpu.rules import library
from harness.backends.cpu.rules.body import Body
from harness.backends.cpu.rules.constants import is_constant_write
from harness.backends.cpu.rules.model import Space
from harness.backends.cpu.rules.tables import (
    in_constant,
    is_constant_array,
    is_member_array,
    needs_address,
    needs_array,
)
from harness.backends.cpu.rules.text import Stream
from harness.backends.cpu.rules.unit import Fault, Unit
from harness.backends.cpu.rules.values import UNEVALUATED, Values
from harness.backends.cpu.rules.variables import FUNDAMENTAL, Place, Variable, variables
from harness.source import lexer

_MEMORY = ("__shared__", "__constant__", "__device__", "__managed__")
_OWN_MEMORY = frozenset(_MEMORY)
_SHADOWED = frozenset(("__constant__", "__device__"))
_HALVES = (("__half",), ("half",), ("__nv_bfloat16",), ("nv_bfloat16",))
_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", "++", "--"))


def storage_faults(unit: Unit) -> Iterator[Fault]:
    """Faults of variables, those of functions included."""
    for variable in unit.declared.variables:
        yield from _outside_functions(unit, variable)
    for body in unit.bodies:
        space = body.function.space
        if space is Space.UNKNOWN:
            continue
        for variable in _with_memory(body):
            yield from _inside_function(unit, body, variable)
        if space.on_device and not body.function.is_template:
            yield from _constants(unit, body)
        if body.function in unit.on_device:
            yield from _host_variables(unit, body)
        if space is Space.HOST:
            yield from _touched_by_host(unit, body)


def _outside_functions(unit: Unit, variable: Variable) -> Iterator[Fault]:
    stream = unit.stream
    token = stream.tokens[variable.at]
    memory = next((word for word in _MEMORY if word in variable.words), "")
    if not memory:
        return
    if variable.place.owner:
        if "static" in variable.words:
            yield Fault(token, f"{memory} is not allowed on the data member '{variable.name}'")
    elif "__shared__" in variable.words:
        if variable.init is not None:
            yield _initialised(stream, variable)
    elif variable.reference or variable.init is None:
        return
    elif _is_dynamic(unit, variable.init) or _makes_half(unit, variable):
        yield Fault(
            token,
            f"the {memory} variable '{variable.name}' needs a constant initialiser: dynamic "
            "initialisation is not supported",
        )


def _initialised(stream: Stream, variable: Variable) -> Fault:
    return Fault(
        stream.tokens[variable.at],
        f"the __shared__ variable '{variable.name}' can't have an initialiser; assign to it in the "
        "kernel and synchronise",
    )


def _makes_half(unit: Unit, variable: Variable) -> bool:
    """Whether a number is turned into one of CUDA's 16-bit floats, by a constructor."""
    if variable.init is None or variable.array or variable.pointers:
        return False
    kinds = [unit.stream.kind(i) for i in range(*variable.init)]
    return variable.type in _HALVES and lexer.NUMBER in kinds


def _is_dynamic(unit: Unit, init: tuple[int, int]) -> bool:
    """Whether an initialiser at file level surely needs code to run."""
    stream = unit.stream
    words = [stream.text(i) for i in range(*init)]
    if UNEVALUATED.intersection(words) or "[" in words or "&" in words:
        return False
    for index in range(*init):
        name = stream.text(index)
        if stream.text(index - 1) == "::" and stream.text(index - 2) == "std":
            if stream.text(index + 1) == "(" and library.RUNTIME_MATH.fullmatch(name):
                return True
        if not stream.is_word(index) or stream.text(index - 1) in (".", "->", "::"):
            continue
        if name in unit.unclear:
            continue
        if stream.text(index + 1) == "(":
            own = unit.functions.get(name)
            called = library.RUNTIME_MATH.fullmatch(name) or library.MAKERS.fullmatch(name)
            if own is None and called:
                return True
            if own and not any("constexpr" in function.words for function in own):
                return True
        elif name in unit.variables:
            found = unit.variables[name]
            if all(map(_is_host, found)) or all(map(_is_device_number, found)):
                if not any(v.array or v.pointers for v in found):
                    return True
        elif name in library.DEVICE_VARIABLES:
            return True
    return False


def _is_host(variable: Variable) -> bool:
    """A variable of the host whose value no other code can know."""
    return not (
        variable.constant
        or variable.reference
        or variable.words & _OWN_MEMORY
        or "constexpr" in variable.words
        or not variable.type
    )


def _is_device_number(variable: Variable) -> bool:
    plain = bool(variable.type) and FUNDAMENTAL.issuperset(variable.type)
    return plain and not (variable.constant or variable.reference)


# --- variables with a memory of their own in functions ---


def _with_memory(body: Body) -> Iterator[Variable]:
    """Variables that are declared in the body with ``__shared__`` and its kin."""
    stream = body.stream
    done = -1
    for index in body.evaluated:
        if stream.text(index) not in _OWN_MEMORY or index <= done:
            continue
        begin = body.statement_begin(index)
        while stream.text(begin) == "(" or stream.text(begin) in ("for", "else"):
            begin += 1
        done = index
        while done < body.end and stream.text(done) not in (";", "}"):
            done = max(done, stream.partner[done]) + 1
        yield from variables(stream, begin, done, Place())


def _inside_function(unit: Unit, body: Body, variable: Variable) -> Iterator[Fault]:
    stream = body.stream
    token = stream.tokens[variable.at]
    words = variable.words
    memory = next((word for word in _MEMORY if word in words), "")
    by_parentheses = variable.init is not None and stream.text(variable.init[0]) == "("
    if not memory or not variable.type or (by_parentheses and memory != "__shared__"):
        return
    if memory == "__shared__" and variable.init is not None:
        yield _initialised(stream, variable)
    if body.function.space.on_host:
        external = memory == "__shared__" and "extern" in words
        used = any(i > variable.at and stream.text(i) == variable.name for i in body.evaluated)
        if not external or (used and body.function in unit.on_host):
            yield Fault(
                token,
                f"the {memory} variable '{variable.name}' can't be declared in the body of "
                f"'{body.function.name}', which is a host function",
            )
    elif memory in ("__constant__", "__device__") and not words & {"static", "extern"}:
        if not body.function.is_template:
            yield Fault(
                token,
                f"the {memory} variable '{variable.name}' can't be declared in a function; "
                "declare it outside",
            )


# --- what is no constant ---


def _constants(unit: Unit, body: Body) -> Iterator[Fault]:
    """Arrays of variable length, and ``static`` variables that need code to start."""
    values = Values(unit, body)
    stream = body.stream
    for variable in body.locals:
        if variable.reference:
            continue
        token = stream.tokens[variable.at]
        index = variable.at + 1
        while stream.text(index) == "[" and "extern" not in variable.words:
            if values.vary(index + 1, stream.partner[index]):
                yield Fault(
                    token,
                    f"the bound of the array '{variable.name}' must be a constant in device code",
                )
                break
            index = stream.partner[index] + 1
        static = "static" in variable.words and not variable.words & _OWN_MEMORY
        if static and "constexpr" not in variable.words and variable.init is not None:
            if values.vary(*variable.init):
                yield Fault(
                    token,
                    f"the static variable '{variable.name}' needs a constant initialiser: dynamic "
                    "initialisation is not supported in device code",
                )


# --- the other side's variables ---


def _host_variables(unit: Unit, body: Body) -> Iterator[Fault]:
    """Variables of the host that device code reads or writes."""
    stream = body.stream
    reported: set[str] = set()
    for index in body.evaluated:
        name = stream.text(index)
        found = unit.variables.get(name)
        before = stream.text(index - 1)
        if name in reported or before in (".", "->"):
            continue
        if before == "::":
            if is_member_array(unit, body, index):
                reported.add(name)
                yield _undefined(stream, index, f"{stream.text(index - 2)}::{name}")
            continue
        if not found or stream.text(index + 1) == "(" or not unit.visible(body, name):
            continue
        if name in unit.functions or (before == ")" and stream.text(index - 2) == "void"):
            continue
        if all(map(_is_host, found)) or _is_missing(unit, body, index, found):
            reported.add(name)
            yield _undefined(stream, index, name)


def _undefined(stream: Stream, index: int, name: str) -> Fault:
    return Fault(
        stream.tokens[index],
        f"identifier '{name}' is undefined in device code: it is a host variable; declare "
        "it __device__ or __constant__, or pass it to the kernel",
    )


def _is_missing(unit: Unit, body: Body, index: int, found: list[Variable]) -> bool:
    """Whether a constant is used that has no copy in device code."""
    if all(map(is_constant_array, found)):
        return needs_array(unit, body, index, found)
    if all(_is_computed(unit, variable) for variable in found):
        return not in_constant(body, index)
    return needs_address(unit, body, index, found)


def _is_computed(unit: Unit, variable: Variable) -> bool:
    """A number that is computed when the program starts."""
    if variable.words & _OWN_MEMORY or variable.reference or "extern" in variable.words:
        return False
    plain = FUNDAMENTAL.issuperset(variable.type) and not variable.pointers and not variable.array
    own_stream = any(variable is v for v in unit.declared.variables)
    init = variable.init
    return plain and own_stream and init is not None and _is_dynamic(unit, init)


def _touched_by_host(unit: Unit, body: Body) -> Iterator[Fault]:
    """Device variables that host code reads or writes by name: it reaches a shadow only."""
    stream = body.stream
    for index in body.evaluated:
        name = stream.text(index)
        found: Sequence[Variable] = unit.variables.get(name, ())
        if not found or stream.text(index - 1) in (".", "->", "::", "&"):
            continue
        if not all(v.words & _SHADOWED and "__managed__" not in v.words for v in found):
            continue
        if not unit.visible(body, name) or is_constant_write(unit, body, index):
            continue
        after = index + 1
        while stream.text(after) == "[":
            after = stream.partner[after] + 1
        written = stream.text(after) in _ASSIGNMENTS or stream.text(index - 1) in ("++", "--")
        if written or after > index + 1:
            how = "written" if written else "read"
            memory = "__constant__" if "__constant__" in found[0].words else "__device__"
            yield Fault(
                stream.tokens[index],
                f"the {memory} variable '{name}' cannot be {how} directly in a host function; use "
                f"{'cudaMemcpyToSymbol' if written else 'cudaMemcpyFromSymbol'}",
                "warning",
            )
