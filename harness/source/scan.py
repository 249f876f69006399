"""How a solution defines ``solve``, and whether a C caller can call it.

``solve`` is called through its C name with the spec's arguments. 27 % of public solutions leave out
``extern "C"``: where the definition agrees with the spec, a prototype declared ahead of the source
gives it C linkage. What the text proves wrong is a compile error with the line to write; what it
leaves open (macros, conditions, the author's own types) is left to the compiler and the linker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from harness.errors import CompileFailed
from harness.model import Argument, Finding, Problem, Role
from harness.source import lexer
from harness.source.conditions import Certainty, certainties
from harness.source.ctype import CType, Parameter, ctype_of, parse_parameters
from harness.source.includes import local_includes
from harness.source.lexer import Token, joined
from harness.source.scopes import CLASS, FILE, LINKAGE, NAMESPACE, Scope, closing_of, scopes

__all__ = [
    "SolveDefinition",
    "check_signature",
    "local_includes",
    "needs_prototype",
    "prototype",
    "solve_definition",
    "solve_header",
]

_NAME = "solve"
_SPECIFIERS = frozenset(("static", "inline", "constexpr", "extern", "__host__", "__forceinline__"))


@dataclass(frozen=True)
class SolveDefinition:
    """One definition or declaration of a function named ``solve``. ``sure`` is false where a
    condition decides whether it is compiled; ``extern_c`` counts enclosing blocks, too."""

    line: int
    parameters: tuple[Parameter, ...]
    returns: str
    extern_c: bool = False
    static: bool = False
    inline: bool = False
    namespace: bool = False
    member: bool = False
    template: bool = False
    device: bool = False
    plain_end: bool = True  # nothing, such as noexcept, between the parameters and the body
    has_body: bool = True
    sure: bool = True


def solve_definition(text: str) -> SolveDefinition | None:
    """The host function ``solve`` that ``text`` defines, or None; with several, one that is surely
    compiled."""
    found = _bodies(text)
    return next((d for d in found if d.sure), found[0] if found else None)


def check_signature(problem: Problem, text: str, file: str) -> tuple[Finding, ...]:
    """Check that the definition can be called with the spec's arguments.

    Returns warnings about what works by luck. Raises CompileFailed, with ``file:line`` and the
    line to write, for what is certain not to work.
    """
    declared = _declarations(text)
    bodies = _bodies(text)
    if not bodies:
        if not _may_hide_solve(text, file):
            raise CompileFailed(_missing(problem, declared, file))
        return ()
    sure = [d for d in bodies if d.sure]
    if len(sure) < len(bodies) or _renames_solve(text):
        return ()
    faults = [_fault(problem, definition, declared) for definition in sure]
    if all(faults):
        raise CompileFailed(f"{file}:{sure[0].line}: {faults[0]}; write: {_signature(problem)}")
    chosen = sure[faults.index("")]
    return tuple(
        Finding("signature", "warning", message, file, line)
        for message, line in _doubts(problem, chosen)
    )


def needs_prototype(problem: Problem, text: str) -> bool:
    """Whether ``prototype(problem, text)`` has to be declared ahead of the source (and safely can
    be) so that ``solve`` gets C linkage."""
    declared = _declarations(text)
    definition = _chosen(problem, text)
    if definition is None or not definition.sure or _renames_solve(text):
        return False
    if definition.extern_c or _declared_extern_c(definition, declared):
        return False
    return not _fault(problem, definition, declared)


def prototype(problem: Problem, text: str = "") -> str:
    """``extern "C" void solve(const float* A, ...);`` as the spec has it. Given the solution's
    text, each parameter has the type that its definition uses, where that is a known one: a
    declaration that differs (a pointer without ``const``) would declare another function."""
    return f"{_signature(problem, _chosen(problem, text))};"


def solve_header(problem: Problem, text: str = "") -> str:
    """The contents of ``solve.h``, which LeetGPU's older starters include. ``text`` as for
    ``prototype``."""
    half = any(argument.type == "float16" for argument in problem.arguments)
    lines = (
        f"// The function that a solution of {problem.name} defines.",
        "#ifndef SOLVE_H",
        "#define SOLVE_H",
        *(("#include <cuda_fp16.h>",) if half else ()),
        prototype(problem, text),
        "#endif",
    )
    return "\n".join(lines) + "\n"


# --- finding declarations ----------------------------------------------------------------------


@lru_cache(maxsize=16)
def _declarations(text: str) -> tuple[SolveDefinition, ...]:
    if _NAME not in text:
        return ()
    tokens = lexer.significant(lexer.tokens(text))
    where = scopes(tokens)
    sure = certainties(tokens)
    found: list[SolveDefinition] = []
    for index, token in enumerate(tokens[:-1]):
        scope = where[index]
        if token.text != _NAME or token.directive or sure[index] is Certainty.NO:
            continue
        if tokens[index + 1].text != "(" or not (scope.at_file_level or scope.kind == CLASS):
            continue
        declaration = _declaration(tokens, index, scope, sure[index] is Certainty.YES)
        if declaration is not None:
            found.append(declaration)
    return tuple(found)


def _declaration(
    tokens: Sequence[Token], name: int, scope: Scope, sure: bool
) -> SolveDefinition | None:
    closing = closing_of(tokens, name + 1)
    if closing < 0:
        return None
    begin = _statement_begin(tokens, name)
    head = [t for t in tokens[begin:name] if not t.directive]
    words = [token.text for token in head]
    after = closing + 1
    while after < len(tokens) and tokens[after].text not in ("{", ";", "=", "}", "("):
        after += 1
    if not words or words[-1] in ("::", ".", "->", "=", ",", "return") or after == len(tokens):
        return None
    end = tokens[after].text
    if end not in ("{", ";"):
        return None
    return SolveDefinition(
        line=tokens[name].line,
        parameters=parse_parameters(tokens[name + 2 : closing]),
        returns=_returned(head),
        extern_c=_follows_extern(words) or _in_extern_c(tokens, scope),
        static="static" in words,
        inline="inline" in words or "__forceinline__" in words,
        namespace=scope.within(NAMESPACE),
        member=scope.within(CLASS),
        template="template" in words,
        device="__host__" not in words and bool({"__global__", "__device__"} & set(words)),
        plain_end=after == closing + 1,
        has_body=end == "{",
        sure=sure,
    )


def _statement_begin(tokens: Sequence[Token], index: int) -> int:
    while index > 0:
        before = tokens[index - 1]
        if before.directive or before.text in (";", "{", "}"):
            break
        index -= 1
    return index


def _returned(head: Sequence[Token]) -> str:
    """The return type: what stands before the name without specifiers, attributes and templates."""
    kept: list[Token] = []
    index = 0
    while index < len(head):
        token = head[index]
        if token.text == "template" or token.text == "[":
            while index < len(head) and head[index].text not in (">", "]"):
                index += 1
        elif token.text in ("__attribute__", "__launch_bounds__", "alignas", "__declspec"):
            index = max(index, closing_of(head, index + 1)) if index + 1 < len(head) else index
        elif token.kind != lexer.STRING and token.text not in (*_SPECIFIERS, "]"):
            kept.append(token)
        index += 1
    return joined(kept)


def _follows_extern(words: Sequence[str]) -> bool:
    return any(pair == ("extern", '"C"') for pair in pairwise(words))


def _in_extern_c(tokens: Sequence[Token], scope: Scope | None) -> bool:
    while scope is not None:
        if scope.kind == LINKAGE:
            return tokens[scope.header[1] - 1].text == '"C"'
        scope = scope.parent if scope.kind != FILE else None
    return False


def _may_hide_solve(text: str, file: str) -> bool:
    """Whether a macro or a header of the author's may define ``solve`` after all."""
    for token in lexer.significant(lexer.tokens(text)):
        if token.directive == "define" and token.text in (_NAME, "##"):
            return True
    for header in local_includes(Path(file)):
        try:
            hidden = header.read_text("utf-8", "replace")
        except OSError:
            return True
        if _NAME in hidden or "##" in hidden:
            return True
    return _named_oddly(text)


def _named_oddly(text: str) -> bool:
    """Whether the name stands at file level in a place that only a preprocessor understands: in a
    condition, or as an argument (``DEFINE(solve)``)."""
    tokens = lexer.significant(lexer.tokens(text))
    outside = [
        (token, answer)
        for token, scope, answer in zip(tokens, scopes(tokens), certainties(tokens), strict=True)
        if scope.at_file_level and not token.directive
    ]
    for index, (token, answer) in enumerate(outside):
        if token.text == _NAME and answer is not Certainty.NO:
            called = index + 1 < len(outside) and outside[index + 1][0].text == "("
            if not called or answer is Certainty.UNSURE:
                return True
    return False


def _renames_solve(text: str) -> bool:
    tokens = lexer.significant(lexer.tokens(text))
    return any(
        token.kind == lexer.PREPROCESSOR and token.directive == "define" and after.text == _NAME
        for token, after in pairwise(tokens)
    )


def _bodies(text: str) -> list[SolveDefinition]:
    return [d for d in _declarations(text) if d.has_body and not d.device and not d.member]


# --- judging one -------------------------------------------------------------------------------


def _chosen(problem: Problem, text: str) -> SolveDefinition | None:
    """Of overloads the one that the spec's arguments can call."""
    declared = _declarations(text)
    fits = [d for d in _bodies(text) if d.sure and not _fault(problem, d, declared)]
    with_c_name = [d for d in fits if d.extern_c]
    return next(iter(with_c_name or fits), None) or solve_definition(text)


def _signature(problem: Problem, definition: SolveDefinition | None = None) -> str:
    parts: list[str] = []
    given = definition.parameters if definition is not None else ()
    for index, argument in enumerate(problem.arguments):
        wanted = _wanted(argument)
        if len(given) == len(problem.arguments) and given[index].type.known:
            wanted = given[index].type
        parts.append(f"{wanted.text} {argument.name}")
    return f'extern "C" void {_NAME}({", ".join(parts)})'


def _wanted(argument: Argument) -> CType:
    return ctype_of(argument.type, argument.role.is_array, argument.role is Role.IN)


def _missing(problem: Problem, declared: Sequence[SolveDefinition], file: str) -> str:
    line = f"write: {_signature(problem)}"
    for other in declared:
        where = f"{file}:{other.line}: "
        if other.member:
            return f"{where}solve is a member of a class, not a function of its own; {line}"
        if other.device:
            return f"{where}solve is a kernel; the function that launches it is missing; {line}"
        if not other.has_body:
            return f"{where}solve is declared but not defined; {line}"
    return f"{file}: there is no function solve; {line}"


def _declared_extern_c(definition: SolveDefinition, declared: Sequence[SolveDefinition]) -> bool:
    types = [parameter.type for parameter in definition.parameters]
    return any(
        other.extern_c and [parameter.type for parameter in other.parameters] == types
        for other in declared
        if other.line <= definition.line and not other.has_body and other.sure
    )


def _fault(
    problem: Problem, definition: SolveDefinition, declared: Sequence[SolveDefinition]
) -> str:
    """Why this definition can't be called, empty if it can."""
    if definition.static:
        return "solve is static, so nothing outside this file can call it"
    if definition.template:
        return "solve is a template, so there is no function to call"
    extern_c = definition.extern_c or _declared_extern_c(definition, declared)
    if definition.namespace and not extern_c:
        return "solve is in a namespace, so it has no C name"
    mismatch = _mismatch(problem, definition)
    if mismatch or extern_c:
        return mismatch
    if definition.returns != "void":
        return 'solve must return void and be extern "C"'
    if definition.inline:
        return "solve is inline, so it may not exist for a caller"
    if not definition.plain_end:
        return 'solve needs extern "C" to be found'
    return ""


def _mismatch(problem: Problem, definition: SolveDefinition) -> str:
    given = definition.parameters
    wanted = problem.arguments
    if len(given) != len(wanted):
        return f"solve has {len(given)} parameters, but {problem.name} passes {len(wanted)}"
    for parameter, argument in zip(given, wanted, strict=True):
        fault = _type_fault(parameter, argument)
        if fault:
            return fault
    return ""


def _type_fault(parameter: Parameter, argument: Argument) -> str:
    given, wanted = parameter.type, _wanted(argument)
    said = f"parameter {parameter.text!r} of solve, but {argument.name} is passed as {wanted.text}"
    if given.reference:
        return said
    if given.shape is None and not given.known:
        # The author's own type: pointers to it are pointers, the rest is the compiler's to say.
        return said if given.pointers and not wanted.pointers else ""
    if given.pointers != wanted.pointers:
        return said
    if given.base == "void" or given.shape is None or wanted.shape is None:
        return ""
    if given.pointers:
        numbers = {given.shape[0], wanted.shape[0]} == {"integer", "float"}
        return said if numbers or given.shape[1] != wanted.shape[1] else ""
    integers = given.shape[0] == wanted.shape[0] == "integer"
    return said if given.shape != wanted.shape and not integers else ""


def _doubts(problem: Problem, definition: SolveDefinition) -> Iterator[tuple[str, int]]:
    """Integers by value of another width or sign: the registers' upper halves are not promised.
    And the spec's own names in another order."""
    given_names = [parameter.name for parameter in definition.parameters]
    names = [argument.name for argument in problem.arguments]
    if given_names != names and sorted(given_names) == sorted(names):
        message = (
            f"solve's parameters are {', '.join(given_names)}; the problem passes "
            f"{', '.join(names)}, in this order"
        )
        yield message, definition.line
    for parameter, argument in zip(definition.parameters, problem.arguments, strict=True):
        given, wanted = parameter.type, _wanted(argument)
        if given.pointers or given.shape is None or given.base == wanted.base:
            continue
        same = given.shape == wanted.shape and "unsigned" not in given.base
        if not same:
            message = f"{argument.name} is passed as {wanted.text}, but solve takes {given.text}"
            yield message, parameter.line
