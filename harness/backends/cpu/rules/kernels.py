"""How kernels and device functions may be declared, and what the language of device code lacks."""

from __future__ import annotations

from collections.abc import Iterator

from harness.backends.cpu.rules import library
from harness.backends.cpu.rules.body import Body
from harness.backends.cpu.rules.model import Function, Space
from harness.backends.cpu.rules.text import Stream
from harness.backends.cpu.rules.unit import Fault, Unit
from harness.backends.cpu.rules.variables import FUNDAMENTAL, variables
from harness.source.lexer import Token

_SPACES = frozenset(("__host__", "__device__"))
_EXCEPTIONS = frozenset(("throw", "try"))
_WIDE = frozenset(("__float128", "_Float128"))
# After these "&" takes an address.
_BEFORE_OPERAND = frozenset(("=", "(", ",", "return", "{", "?", ":"))
_RTTI = frozenset(("dynamic_cast", "typeid"))
_BEFORE_LABEL = frozenset((";", "{", "}", ":"))
_VECTORS = frozenset(("vector_size", "__vector_size__", "ext_vector_type"))


def kernel_faults(unit: Unit) -> Iterator[Fault]:
    """Faults of declarations, and of statements that device code can't have."""
    for function in unit.declared.functions:
        if function.space is Space.KERNEL:
            yield from _kernel(unit.stream, function)
        elif function.space is not Space.UNKNOWN and "__launch_bounds__" in function.words:
            yield Fault(
                unit.stream.tokens[function.at],
                f"__launch_bounds__ is only allowed on a __global__ function, which "
                f"'{function.name}' is not",
            )
    yield from _redeclared(unit)
    vectors = _vector_types(unit)
    for body in unit.bodies:
        yield from _annotated_lambdas(body)
        if body.function.space.on_device and not body.function.is_template:
            yield from _statements(body)
            yield from _label_addresses(body)
            yield from _builtin_addresses(unit, body)
            yield from _vector_uses(unit, body, vectors)
        if body.function in unit.on_device and body.function.space is not Space.BOTH:
            yield from _nothrow(body)


def _kernel(stream: Stream, kernel: Function) -> Iterator[Fault]:
    token = stream.tokens[kernel.at]
    named = f"the __global__ function '{kernel.name}'"
    words = kernel.words
    if kernel.name.startswith("operator") and stream.text(kernel.at) == "operator":
        yield Fault(token, "an operator can't be a __global__ function")
        return
    if kernel.place.owner and "friend" not in words:
        yield Fault(token, f"{named} can't be a member of a class")
    if words & _SPACES:
        yield Fault(token, f"{named} can't also be __host__ or __device__")
    if "constexpr" in words:
        yield Fault(token, f"{named} can't be constexpr")
    if words & {"noexcept", "throw"}:
        yield Fault(token, f"{named} can't have an exception specification")
    if {"__launch_bounds__", "__maxnreg__"} <= words:
        yield Fault(token, f"{named} can't have __launch_bounds__ and __maxnreg__")
    if _has_early_pack(stream, kernel):
        yield Fault(token, f"{named} can have one template parameter pack, as its last one")
    returned = _returned(stream, kernel)
    if returned == ("auto",):
        yield Fault(token, f"{named} must return void, not a deduced type")
    elif not _may_be_void(returned):
        yield Fault(token, f"{named} must return void")
    yield from _parameters(stream, kernel)


def _has_early_pack(stream: Stream, kernel: Function) -> bool:
    """Whether a template parameter follows a pack."""
    begin = kernel.header[0]
    if stream.text(begin) != "template" or stream.text(begin + 1) != "<":
        return False
    parts = stream.parts(begin + 2, stream.angle(begin + 1))
    packs = [_is_pack(stream, *part) for part in parts]
    return any(packs[:-1])


def _is_pack(stream: Stream, begin: int, end: int) -> bool:
    """Whether a template parameter is a pack; one that is a template may take one."""
    if stream.text(begin) == "template":
        begin = stream.angle(begin + 1)
    return begin > 0 and any(stream.text(i) == "..." for i in range(begin, end))


def _returned(stream: Stream, function: Function) -> tuple[str, ...]:
    """The words of the return type, one after the parameters included."""
    if function.returns != ("auto",):
        return function.returns
    after = [stream.text(i) for i in range(function.parameters[1] + 1, function.header[1])]
    return tuple(after[after.index("->") + 1 :]) if "->" in after else function.returns


def _may_be_void(words: tuple[str, ...]) -> bool:
    known = all(word in FUNDAMENTAL or word in ("*", "&") for word in words)
    return not words or not known or words == ("void",)


def _parameters(stream: Stream, kernel: Function) -> Iterator[Fault]:
    opening, closing = kernel.parameters
    named = f"the __global__ function '{kernel.name}'"
    for begin, end in stream.parts(opening + 1, closing):
        words = [stream.text(i) for i in range(begin, end)]
        token = stream.tokens[begin]
        if words == ["..."]:
            yield Fault(token, f"{named} can't have an ellipsis")
        elif "va_list" in words:
            yield Fault(token, f"{named} can't have a va_list parameter")
        elif "initializer_list" in words and "std" in words:
            yield Fault(token, f"{named} can't have a std::initializer_list parameter")
        elif "&&" in words and not kernel.is_template and "(" not in words:
            yield Fault(token, f"{named} can't have a parameter that is an rvalue reference")
        if "__grid_constant__" in words and not kernel.is_template:
            for parameter in variables(stream, begin, end, kernel.place):
                if parameter.reference or not parameter.constant:
                    yield Fault(
                        token,
                        f"the __grid_constant__ parameter '{parameter.name}' must be const, and no "
                        "reference",
                    )


def _redeclared(unit: Unit) -> Iterator[Fault]:
    """One signature, once a kernel and once not."""
    stream = unit.stream
    first: dict[tuple[object, ...], Function] = {}
    for function in unit.declared.functions:
        if function.member or function.is_template or function.space is Space.UNKNOWN:
            continue
        if "friend" in function.words or function.name in unit.declared.doubtful:
            continue
        key = (function.name, function.place.namespace, _signature(function))
        other = first.setdefault(key, function)
        kernels = {other.space, function.space}
        if Space.KERNEL in kernels and len(kernels) > 1:
            how = "without" if other.space is Space.KERNEL else "with"
            line = stream.tokens[other.at].line
            yield Fault(
                stream.tokens[function.at],
                f"'{function.name}' is redeclared {how} __global__ (first declared in line {line})",
            )


def _signature(function: Function) -> tuple[tuple[str, ...], ...]:
    """The parameters without their names and default values."""
    found: list[tuple[str, ...]] = []
    for words in function.takes:
        if "=" in words:
            words = words[: words.index("=")]
        named = len(words) > 1 and words[-1].isidentifier()
        if named and words[-1] not in FUNDAMENTAL and words[-1] != "const":
            words = words[:-1]
        found.append(tuple(w for w in words if w not in ("__restrict__", "__restrict")))
    return tuple(found)


def _annotated_lambdas(body: Body) -> Iterator[Fault]:
    stream = body.stream
    for index in range(body.begin, body.end):
        if stream.text(index) not in _SPACES or not stream.sure[index]:
            continue
        bracket = stream.partner[index - 1] if stream.text(index - 1) == "]" else -1
        if bracket > 0 and body.is_lambda(bracket):
            yield Fault(
                stream.tokens[index],
                f"{stream.text(index)} on a lambda needs nvcc's --extended-lambda, which is not "
                "given; use a function object",
            )


def _statements(body: Body) -> Iterator[Fault]:
    stream = body.stream
    for index in body.evaluated:
        word = stream.text(index)
        token: Token = stream.tokens[index]
        if not stream.is_word(index):
            continue
        if word in _EXCEPTIONS:
            yield Fault(token, f"device code has no exceptions: {word} is not allowed here")
        elif word in _RTTI:
            yield Fault(token, f"{word} is not allowed in device code")
        elif word in ("thread_local", "__thread"):
            yield Fault(token, f"{word} is not allowed for a variable in device code")
        elif word in _WIDE:
            yield Fault(token, f"{word} is not supported in device code")


def _builtin_addresses(unit: Unit, body: Body) -> Iterator[Fault]:
    """``&threadIdx`` and its kin, which have no address; references to them are fine."""
    stream = body.stream
    for index in body.evaluated:
        name = stream.text(index)
        if name not in library.DEVICE_VARIABLES or not unit.visible(body, name):
            continue
        if stream.text(index - 1) == "&" and stream.text(index - 2) in _BEFORE_OPERAND:
            yield Fault(
                stream.tokens[index],
                f"cannot take the address of the builtin variable '{name}'; copy it first",
            )


def _label_addresses(body: Body) -> Iterator[Fault]:
    """``&&label``."""
    stream = body.stream
    for index in body.evaluated:
        name = stream.text(index)
        if stream.text(index - 1) != "&&" or not stream.is_word(index):
            continue
        operator = stream.is_word(index - 2) or stream.text(index - 2) in (")", "]", ">")
        if operator and stream.text(index - 2) != "return":
            continue
        labels = (
            stream.text(i) == name
            and stream.text(i + 1) == ":"
            and stream.text(i - 1) in _BEFORE_LABEL
            for i in range(body.begin, body.end)
        )
        if any(labels):
            yield Fault(
                stream.tokens[index],
                f"the address of the label '{name}' is not supported in device code",
            )


def _nothrow(body: Body) -> Iterator[Fault]:
    """``new (std::nothrow)``, which calls an operator of the host's."""
    stream = body.stream
    for index in body.evaluated:
        if stream.text(index) != "nothrow" or stream.text(index + 1) != ")":
            continue
        begin = index - 2 if stream.text(index - 1) == "::" else index
        if stream.text(begin - 1) == "(" and stream.text(begin - 2) == "new":
            yield Fault(
                stream.tokens[begin - 2],
                "calling the __host__ function 'operator new' with std::nothrow in device code is "
                "not allowed; new alone gives a null pointer there when memory runs out",
            )


def _vector_types(unit: Unit) -> frozenset[str]:
    """Types of GCC's vectors, such as ``typedef float v4 __attribute__((vector_size(16)))``."""
    stream = unit.stream
    found: set[str] = set()
    for index in range(len(stream.tokens)):
        if stream.text(index) not in _VECTORS:
            continue
        begin = index
        while begin > 0 and stream.text(begin - 1) not in (";", "{", "}"):
            begin -= 1
        end = index
        while end < len(stream.tokens) and stream.text(end) != ";":
            end += 1
        if stream.text(begin) == "using":
            found.add(stream.text(begin + 1))
        elif stream.text(begin) == "typedef":
            attribute = stream.text(end - 1) == ")"
            found.add(stream.text(stream.partner[end - 1] - 2 if attribute else end - 1))
    return frozenset(found)


def _vector_uses(unit: Unit, body: Body, vectors: frozenset[str]) -> Iterator[Fault]:
    stream = body.stream
    for index in (*range(*body.function.parameters), *body.evaluated):
        name = stream.text(index)
        if (name in vectors and unit.visible(body, name)) or name in _VECTORS:
            yield Fault(
                stream.tokens[index],
                f"'{name}' is a vector of the host compiler's, which device code doesn't have; use "
                "float4 and its kin",
            )
            return
