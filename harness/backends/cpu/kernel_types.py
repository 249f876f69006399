"""Types that can't be template arguments of a kernel: nvcc makes a host function for each instance,
outside all scopes, and so must be able to name its arguments there.

Which instances there are is the compiler's to say: its call graph names them with their arguments,
as in ``void k(F) [with F = solve(float*)::L]``. What nvcc 13.0 rejects, each tried:

- a type that a host function defines, or a part of one, or a pointer to one, at any depth;
- the type of a lambda, be it called or not, and one without a name;
- a private or protected type of a class.

Types in a namespace without a name, and private values, are fine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from harness.backends.cpu import callgraph
from harness.backends.cpu.callgraph import Symbol
from harness.backends.cpu.host_calls import Spaces
from harness.backends.cpu.rules.model import Space
from harness.backends.cpu.rules.text import Stream
from harness.backends.cpu.rules.unit import Unit
from harness.model import Diagnostic
from harness.source.lexer import Token

_ARGUMENTS = " [with "
_LOCAL = re.compile(r"(?P<function>\w+)\([^()]*\)(?: const)?::(?P<type>\w+)")
_UNNAMED = re.compile(r"<unnamed (?:struct|class|union|enum)>")
_MEMBER = re.compile(r"(?<![\w)>])(?:\w+::)*(?P<owner>\w+)::(?P<type>\w+)\b(?!\()")
_KEYS = ("struct", "class", "union", "enum")
_ACCESS = ("public", "private", "protected")


def check(symbols: Mapping[int, Symbol], spaces: Spaces) -> tuple[Diagnostic, ...]:
    """The errors that nvcc would give, one for each kernel at most."""
    found: dict[str, Diagnostic] = {}
    for symbol in symbols.values():
        _, mark, arguments = symbol.shown.partition(_ARGUMENTS)
        name = callgraph.base_name(symbol.shown) if mark else ""
        if not name or name in found or spaces.named(name) != {Space.KERNEL}:
            continue
        function, what, remedy = _unfit(arguments, spaces)
        if what:
            file, token = _launch(name, function, spaces)
            message = f"{what} can't be a template argument of the __global__ function '{name}'; "
            found[name] = _diagnostic(file, token, message + remedy, spaces)
    return tuple(found.values())


def _unfit(arguments: str, spaces: Spaces) -> tuple[str, str, str]:
    """The function in which a type was defined that doesn't fit, if it was in one, the type's
    description (empty where all fit), and what to do."""
    if "<lambda(" in arguments:
        around = re.search(r"(\w+)\([^()]*\)(?: const)?::<lambda\(", arguments)
        what = "the type of a lambda"
        return around[1] if around else "", what, "write a class with a __device__ operator()"
    local = _LOCAL.search(arguments)
    if local is not None:
        what = f"the type '{local['type']}', which the function '{local['function']}' defines,"
        return local["function"], what, "define it outside of functions"
    if _UNNAMED.search(arguments):
        return "", "a type without a name", "give it one"
    for member in _MEMBER.finditer(arguments):
        if any(
            _is_hidden(u.stream, member["owner"], member["type"]) for u in spaces.units.values()
        ):
            what = f"the private or protected type '{member['owner']}::{member['type']}'"
            return "", what, "make it public"
    return "", "", ""


def _is_hidden(stream: Stream, owner: str, name: str) -> bool:
    """Whether the class ``owner`` defines the type ``name`` where only it may name it."""
    for index in range(1, len(stream.tokens)):
        if stream.text(index) != owner or stream.text(index - 1) not in ("struct", "class"):
            continue
        brace = index + 1
        while stream.text(brace) not in ("{", ";", "(", ")", ",", ">", "="):
            brace += 1
        if stream.text(brace) == "{":
            key = "private" if stream.text(index - 1) == "class" else "public"
            return _access(stream, brace, name, key) in ("private", "protected")
    return False


def _access(stream: Stream, brace: int, name: str, access: str) -> str:
    """Under which of the access labels the type is defined, empty where it isn't."""
    index = brace + 1
    while index < stream.partner[brace]:
        word = stream.text(index)
        if word in _ACCESS and stream.text(index + 1) == ":":
            access = word
        elif word == name and stream.text(index - 1) in _KEYS:
            if stream.text(index + 1) in ("{", ":", "final"):
                return access
        index = max(index, stream.partner[index] if word in ("{", "(", "[") else index) + 1
    return ""


def _launch(name: str, function: str, spaces: Spaces) -> tuple[str, Token]:
    """The kernel's first launch, in that function if one is given; else where it is declared."""
    for file, unit in spaces.units.items():
        for token in _launches(unit, name, function):
            return file, token
    for file, unit in spaces.units.items():
        for declared in unit.declared.functions:
            if declared.name == name:
                return file, unit.stream.tokens[declared.at]
    file, unit = next(iter(spaces.units.items()))
    return file, unit.stream.tokens[0]


def _launches(unit: Unit, name: str, function: str) -> Iterator[Token]:
    stream = unit.stream
    bodies = [b for b in unit.bodies if not function or b.function.name == function]
    for launch in unit.launches:
        named = any(stream.text(i) == name for i in range(launch.begin, launch.open))
        if named and any(body.begin < launch.begin < body.end for body in bodies):
            yield stream.tokens[launch.begin]


def _diagnostic(file: str, token: Token, message: str, spaces: Spaces) -> Diagnostic:
    text = spaces.texts[file]
    begin = text.rfind("\n", 0, token.start) + 1
    column = len(text[begin : token.start].encode("utf-8", "surrogateescape")) + 1
    return Diagnostic(file, token.line, column, "error", message, text[begin:].partition("\n")[0])
