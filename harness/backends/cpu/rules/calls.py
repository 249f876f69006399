"""Who may call whom: host functions, device functions, kernels, and the libraries' functions.

What nvcc only warns of (a ``__host__ __device__`` function that calls a host function) is let pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from harness.backends.cpu.rules import library
from harness.backends.cpu.rules.body import Body, Call
from harness.backends.cpu.rules.model import Function, Space
from harness.backends.cpu.rules.unit import Fault, Unit
from harness.backends.cpu.rules.values import Values
from harness.backends.cpu.rules.variables import Variable
from harness.source import lexer

_DEVICE_SPACES = frozenset((Space.DEVICE, Space.KERNEL))


def call_faults(unit: Unit) -> Iterator[Fault]:
    """The calls that nvcc rejects."""
    for body in unit.bodies:
        space = body.function.space
        if space is Space.UNKNOWN or (space is Space.BOTH and unit.unchecked):
            continue
        makes_code = body.function in unit.on_device
        for call in body.calls:
            yield from _own_function(unit, body, call, makes_code)
            if space.on_host:
                yield from _builtin_on_host(unit, body, call)
            elif makes_code:
                yield from _library_on_device(unit, body, call)
        if space.on_host and body.function in unit.on_host:
            yield from _device_variables(unit, body)
        elif makes_code and space in _DEVICE_SPACES:
            yield from _streams(unit, body)
            yield from _std_variables(body)
            yield from _std_atomics(unit, body)
    yield from _launches(unit)


def _said(function: Function) -> str:
    return f"the {function.space.value} function '{function.name}'"


def _own_function(unit: Unit, body: Body, call: Call, makes_code: bool) -> Iterator[Fault]:
    callees = unit.callees(body, call)
    if not callees or library.DEVICE_C.fullmatch(call.name):
        return  # CUDA's own version may be meant
    caller = body.function
    token = body.stream.tokens[call.at]
    spaces = {callee.space for callee in callees}
    dependent = body.depends(call.opening, call.closing)
    if spaces == {Space.KERNEL}:
        if not dependent:
            yield Fault(
                token,
                f"'{call.name}' is a __global__ function: a call must be configured; "
                f"write {call.name}<<<grid, block>>>(...)",
            )
    elif caller.space.on_host:
        elsewhere = call.name in library.HOST_C
        elsewhere = elsewhere or (unit.uses_std and call.name in library.HOST_STD)
        if spaces == {Space.DEVICE} and not dependent and not elsewhere:
            yield Fault(
                token,
                f"calling the __device__ function '{call.name}' from {_said(caller)} is not "
                f"allowed; mark '{call.name}' __host__ __device__ or call it in a kernel",
            )
    elif spaces == {Space.HOST} and makes_code:
        constexpr = "constexpr " if any("constexpr" in c.words for c in callees) else ""
        yield Fault(
            token,
            f"calling the {constexpr}__host__ function '{call.name}' from {_said(caller)} is not "
            f"allowed; mark '{call.name}' __device__",
        )


def _builtin_on_host(unit: Unit, body: Body, call: Call) -> Iterator[Fault]:
    if call.method or call.qualifier or not library.DEVICE_ONLY.fullmatch(call.name):
        return
    if call.name in unit.functions or not unit.visible(body, call.name):
        return
    if body.depends(call.opening, call.closing):
        return
    yield Fault(
        body.stream.tokens[call.at],
        f"calling the __device__ function '{call.name}' from {_said(body.function)} is not allowed",
    )


def _library_on_device(unit: Unit, body: Body, call: Call) -> Iterator[Fault]:
    if call.method or call.name in unit.functions or body.function.space is Space.BOTH:
        return
    name = call.name
    qualified = call.qualifier in (("std",), ("", "std"))
    plain = not call.qualifier or call.qualifier == ("",)
    if plain and not unit.visible(body, name):
        return
    found = False
    if plain or qualified:
        found = name in library.HOST_C or (name == "strlen" and not _takes_literal(body, call))
    if qualified or (plain and unit.uses_std and name in library.HOST_USED):
        found = found or name in library.HOST_STD
    if call.qualifier[-1:] == ("numeric_limits",):
        found = name in library.HOST_LIMITS and call.qualifier[0] in ("std", "", "numeric_limits")
    if plain and (library.host_api(name) or _host_builtin(unit, body, call)):
        found = True
    if found:
        shown = "::".join([*(q for q in call.qualifier if q), name])
        yield Fault(
            body.stream.tokens[call.at],
            f"calling the __host__ function '{shown}' from {_said(body.function)} is not allowed",
        )


def _host_builtin(unit: Unit, body: Body, call: Call) -> bool:
    if library.HOST_BUILTIN.fullmatch(call.name):
        return True
    if not library.HOST_BUILTIN_OF_VALUES.fullmatch(call.name):
        return False
    return Values(unit, body).vary(call.opening + 1, call.closing)


def _takes_literal(body: Body, call: Call) -> bool:
    return body.stream.kind(call.opening + 1) == lexer.STRING


def _device_variables(unit: Unit, body: Body) -> Iterator[Fault]:
    """``threadIdx`` and its kin where host code is made: nvcc compiles it, but it can't link."""
    for index in body.evaluated:
        name = body.stream.text(index)
        if name not in library.DEVICE_VARIABLES or body.stream.text(index - 1) in (".", "->", "::"):
            continue
        if unit.visible(body, name) and not body.is_unused(index):
            yield Fault(
                body.stream.tokens[index],
                f"'{name}' has no value in {_said(body.function)}: it does not link; "
                "is __global__ or __device__ missing?",
            )
            return


def _streams(unit: Unit, body: Body) -> Iterator[Fault]:
    stream = body.stream
    for index in body.evaluated:
        name = stream.text(index)
        if name not in library.HOST_STREAMS:
            continue
        qualified = stream.text(index - 1) == "::" and stream.text(index - 2) == "std"
        plain = unit.uses_std and stream.text(index - 1) not in ("::", ".", "->")
        own = name in unit.variables or not unit.visible(body, name)
        if qualified or (plain and not own):
            yield Fault(
                stream.tokens[index],
                f"identifier 'std::{name}' is undefined in device code; use printf",
            )


def _std_variables(body: Body) -> Iterator[Fault]:
    """Local variables of the library's classes, whose members are host functions."""
    stream = body.stream
    for variable in body.locals:
        if variable.type[:2] != ("std", "::") or variable.pointers or variable.reference:
            continue
        if variable.words & {"__shared__", "static"}:
            continue
        name = variable.type[2] if len(variable.type) > 2 else ""
        if (">", "::") in pairwise(variable.type):
            continue  # a nested type
        found = name in library.HOST_CLASSES
        if name in library.HOST_VALUES:
            found = _makes_value(body, variable.init)
        elif name == "array":
            found = any(_uses_array(body, index, variable.name) for index in body.evaluated)
        if found:
            yield Fault(
                stream.tokens[variable.at],
                f"'{variable.name}' is a std::{name}, whose functions are __host__ functions: "
                f"calling them from {_said(body.function)} is not allowed",
            )


def _std_atomics(unit: Unit, body: Body) -> Iterator[Fault]:
    """Methods of a parameter or a variable that is a ``std::atomic``."""
    stream = body.stream
    for call in body.calls:
        if not call.method or not library.ATOMIC_METHODS.fullmatch(call.name):
            continue
        name = stream.text(call.at - 2)
        found: Sequence[Variable] = ()
        if name in body.objects:
            found = (body.objects[name],)
        elif unit.visible(body, name):
            found = unit.variables.get(name, ())
        if stream.text(call.at - 3) in (".", "->", "::") or not found:
            continue
        if all(v.type[:2] == ("std", "::") and v.type[2][:6] == "atomic" for v in found):
            yield Fault(
                stream.tokens[call.at],
                f"calling the __host__ function 'std::atomic::{call.name}' from "
                f"{_said(body.function)} is not allowed; use atomicAdd or cuda::atomic",
            )


def _makes_value(body: Body, init: tuple[int, int] | None) -> bool:
    if init is None:
        return True
    stream = body.stream
    if stream.text(init[0]) not in ("{", "("):
        return False
    return len(stream.parts(init[0] + 1, stream.partner[init[0]])) != 1


def _uses_array(body: Body, index: int, name: str) -> bool:
    stream = body.stream
    if stream.text(index) != name or stream.text(index - 1) in (".", "->", "::", ">"):
        return False
    after = stream.text(index + 1)
    return after == "[" or (after == "." and stream.text(index + 2) in library.ARRAY_METHODS)


def _launches(unit: Unit) -> Iterator[Fault]:
    """Launches of what is known to be no kernel."""
    stream = unit.stream
    for body in unit.bodies:
        evaluated = frozenset(body.evaluated)
        for launch in unit.launches:
            index = launch.begin
            alone = launch.open == index + 1 or stream.angle(index + 1) == launch.open - 1
            if index not in evaluated or not stream.is_word(index) or not alone:
                continue
            name = stream.text(index)
            found = unit.functions.get(name, [])
            spaces = {function.space for function in found}
            if not found or not unit.visible(body, name) or spaces & {Space.UNKNOWN, Space.KERNEL}:
                continue
            if not body.depends(launch.arguments, launch.end):
                kind = "__device__" if Space.DEVICE in spaces else "host"
                yield Fault(
                    stream.tokens[index],
                    f"'{name}' is a {kind} function: its call cannot be configured; "
                    "is __global__ missing?",
                )
