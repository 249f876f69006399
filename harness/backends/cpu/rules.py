"""CUDA's rules that the host compiler doesn't know: what nvcc would reject is not accepted here.

To the host compiler ``__global__`` and ``__device__`` are empty words, so a kernel that returns a
value or calls a host function would compile. These checks read the tokens of a source that did
compile; they conclude only what holds for every reading (all overloads, no macros, no conditions,
no local names in between), because a right solution must not fail by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.backends.cpu.launches import find_launches
from harness.backends.cpu.shared_memory import declarator, shared_declarations
from harness.source import lexer
from harness.source.functions import Function, Outline
from harness.source.lexer import Token, joined
from harness.source.scopes import FUNCTION, Scope, closing_of, in_device_code

_VALUE_TYPES = frozenset(
    ("int", "float", "double", "bool", "char", "short", "long", "unsigned", "size_t", "auto")
)
# What the standard library has for the host alone, by the name after std::.
_HOST_STD = frozenset(
    (
        "max",
        "min",
        "swap",
        "clamp",
        "minmax",
        "exchange",
        "accumulate",
        "copy",
        "fill",
        "gcd",
        "inner_product",
        "iota",
        "lcm",
        "max_element",
        "min_element",
        "reduce",
        "reverse",
        "sort",
        "transform",
        "cerr",
        "cout",
        "endl",
        "string",
        "to_string",
        "vector",
        "map",
        "set",
        "queue",
        "deque",
        "list",
        "unordered_map",
    )
)
_HOST_C = frozenset(
    (
        "abort",
        "calloc",
        "exit",
        "fflush",
        "fprintf",
        "fputs",
        "getenv",
        "putchar",
        "puts",
        "qsort",
        "rand",
        "realloc",
        "srand",
        "strcmp",
        "strlen",
        "time",
        "usleep",
    )
)
_DEVICE_BUILTINS = frozenset(
    (
        "__syncthreads",
        "__syncthreads_and",
        "__syncthreads_count",
        "__syncthreads_or",
        "__syncwarp",
        "__threadfence",
        "__threadfence_block",
        "__threadfence_system",
        "__ldg",
        "__brev",
        "__clz",
        "__ffs",
        "__popc",
        "__expf",
        "__fdividef",
        "__float_as_int",
        "__int_as_float",
        "__sinf",
        "__cosf",
        "atomicAdd",
        "atomicAnd",
        "atomicCAS",
        "atomicExch",
        "atomicMax",
        "atomicMin",
        "atomicOr",
        "atomicSub",
        "atomicXor",
    )
)
# Before a name they leave it an expression; any other word makes it a declaration.
_EXPRESSION_WORDS = frozenset(
    ("return", "else", "do", "case", "throw", "and", "or", "not", "co_return", "sizeof")
)


@dataclass(frozen=True)
class Violation:
    """A broken rule at ``token``."""

    token: Token
    message: str


def violations(outline: Outline, others: Sequence[Outline] = ()) -> list[Violation]:
    """What nvcc would reject in a source, in order. ``others`` are the author's other files, whose
    functions it may call."""
    found = [v for rule in _RULES for v in rule(_Program(outline, others))]
    return sorted(found, key=lambda violation: violation.token.start)


def is_device_line(outline: Outline, line: int) -> bool:
    """Whether the last token of the line stands in device code."""
    pairs = zip(outline.tokens, outline.scopes, strict=True)
    found = [scope for token, scope in pairs if token.line == line and not token.directive]
    return bool(found) and in_device_code(outline.tokens, found[-1])


class _Program:
    """A source with what is known of all names in it."""

    def __init__(self, outline: Outline, others: Sequence[Outline]) -> None:
        self.outline = outline
        self.tokens = outline.tokens
        self.functions: dict[str, list[Function]] = {}
        self.uses: dict[str, int] = {}
        for part in (outline, *others):
            for function in part.functions:
                self.functions.setdefault(function.name.text, []).append(function)
            for token in part.tokens:
                if token.kind == lexer.IDENTIFIER:
                    self.uses[token.text] = self.uses.get(token.text, 0) + 1
        self.defined = {name for part in (outline, *others) for name in part.macros}
        self._bodies = {id(f.scope): f for f in outline.functions if f.scope is not None}

    def free(self, name: str) -> list[Function]:
        """The functions of that name; none if a macro or a member has it, too, or if a macro may
        hold the execution space of one."""
        found = self.functions.get(name, [])
        unclear = any(f.member or self.defined & set(f.words) for f in found)
        return [] if name in self.defined or unclear else found

    def caller(self, index: int) -> Function | None:
        """The function at file level whose body holds the token, if that is surely compiled."""
        if not self.outline.sure[index] or self.tokens[index].directive:
            return None
        scope: Scope | None = self.outline.scopes[index]
        while scope is not None:
            function = self._bodies.get(id(scope))
            if function is not None:
                idle = len(self.functions[function.name.text])
                unused = function.optional and self.uses[function.name.text] <= idle
                unclear = function.member or bool(self.defined & set(function.words))
                return None if unused or unclear else function
            scope = scope.parent
        return None

    def runs_on_device(self, index: int) -> bool:
        """Whether the code there runs on the device and nowhere else."""
        return in_device_code(self.tokens, self.outline.scopes[index])

    def runs_on_host(self, index: int) -> bool:
        """Whether the code there runs on the host and nowhere else."""
        scope: Scope | None = self.outline.scopes[index]
        while scope is not None:
            if scope.kind == FUNCTION:
                header = self.tokens[scope.header[0] : scope.header[1]]
                if any(token.text in ("__device__", "__global__") for token in header):
                    return False
            scope = scope.parent
        return True

    def hidden(self, name: str, caller: Function) -> bool:
        """Whether a parameter or a local variable of the caller may have the name."""
        scope = caller.scope
        assert scope is not None
        begin = scope.header[0]
        end = closing_of(self.tokens, scope.header[1])
        for index in range(begin, end):
            if self.tokens[index].text != name or self.tokens[index] is caller.name:
                continue
            before = self.tokens[index - 1]
            after = self.tokens[index + 1].text
            if before.text in ("*", "&", "&&", ">"):
                before = self.tokens[index - 2]  # of a type, unless it is an expression
                typed = before.text in ("*", "&", ">") or before.kind == lexer.IDENTIFIER
            else:
                typed = before.kind == lexer.IDENTIFIER
            if typed and before.text not in _EXPRESSION_WORDS and after in "=,);{[:":
                return True
        return False


# --- the rules ---------------------------------------------------------------------------------


def _kernels(program: _Program) -> Iterator[Violation]:
    for function in program.outline.functions:
        if not function.kernel:
            continue
        name = function.name.text
        if function.member and "friend" not in function.words:
            yield Violation(function.name, f"the kernel {name} must not be a member of a class")
        words = set(function.words)
        if words & _VALUE_TYPES or ("void" in words and "*" in words):
            yield Violation(function.name, f"the kernel {name} must return void")


def _launches(program: _Program) -> Iterator[Violation]:
    code = [i for i, token in enumerate(program.tokens) if not token.directive]
    stream = [program.tokens[i] for i in code]
    for launch in find_launches(stream)[0]:
        name = stream[launch.begin]
        known = program.free(name.text)
        plain = launch.open == launch.begin + 1 or stream[launch.begin + 1].text == "<"
        caller = program.caller(code[launch.begin])
        if not plain or not known or caller is None or program.hidden(name.text, caller):
            continue
        if not any(function.kernel for function in known):
            yield Violation(name, f"{name.text} is launched but is no kernel: it lacks __global__")


def _calls(program: _Program) -> Iterator[Violation]:
    for index, token in enumerate(program.tokens[:-1]):
        if token.kind != lexer.IDENTIFIER or not _is_call(program.tokens, index):
            continue
        caller = program.caller(index)
        if caller is None or program.hidden(token.text, caller):
            continue
        qualified = program.tokens[index - 1].text == "::"
        known = [] if qualified else program.free(token.text)
        if program.runs_on_device(index):
            fault = _fault_on_device(program, index, known)
        elif program.runs_on_host(index):
            fault = _fault_on_host(token.text, known, token.text in program.functions)
        else:
            continue
        if fault:
            yield Violation(token, fault)


def _fault_on_device(program: _Program, index: int, known: Sequence[Function]) -> str:
    name = program.tokens[index].text
    if known:
        if all(function.kernel for function in known):
            return f"the kernel {name} is called like a function"
        if not any(function.on_device for function in known):
            return f"device code calls the host function {name}: it lacks __device__"
        return ""
    before = program.tokens[index - 1].text
    if before == "::" and program.tokens[index - 2].text == "std" and name in _HOST_STD:
        return f"device code calls std::{name}, which is a host function"
    if before != "::" and name in _HOST_C and name not in program.functions:
        return f"device code calls {name}, which is a host function"
    return ""


def _fault_on_host(name: str, known: Sequence[Function], declared: bool) -> str:
    if known:
        if all(function.kernel for function in known):
            return f"the kernel {name} is called without <<<grid, block>>>"
        if not any(function.on_host for function in known):
            return f"host code calls the __device__ function {name}"
    elif not declared and name in _DEVICE_BUILTINS:
        return f"host code calls {name}, which is for device code only"
    return ""


def _is_call(tokens: Sequence[Token], index: int) -> bool:
    """Whether a name is called there: ``f(``, ``f<T>(``, not ``int f(`` or ``a.f(``."""
    before = tokens[index - 1] if index else None
    if before is not None:
        if before.text in (".", "->", "~", "new", "template"):
            return False
        if before.kind == lexer.IDENTIFIER and before.text not in _EXPRESSION_WORDS:
            return False
    after = tokens[index + 1].text
    if after == "<":
        closing = _angle_closing(tokens, index + 1)
        after = tokens[closing + 1].text if 0 < closing < len(tokens) - 1 else ""
    return after == "("


def _angle_closing(tokens: Sequence[Token], opening: int) -> int:
    """The ``>`` of a template argument list of names and numbers, -1 for anything else."""
    depth = 0
    for index in range(opening, min(len(tokens), opening + 40)):
        token = tokens[index]
        depth += (token.text == "<") - (token.text == ">")
        if not depth:
            return index
        simple = token.kind in (lexer.IDENTIFIER, lexer.NUMBER)
        if not simple and token.text not in ("<", ">", ",", "::", "*", "&"):
            return -1
    return -1


def _streams(program: _Program) -> Iterator[Violation]:
    """``std::cout`` and such in device code, which are no calls."""
    for index, token in enumerate(program.tokens):
        if token.text not in ("cout", "cerr") or program.caller(index) is None:
            continue
        if program.tokens[index - 1].text == "::" and program.runs_on_device(index):
            message = f"device code uses std::{token.text}; printf works there"
            yield Violation(token, message)


def _shared(program: _Program) -> Iterator[Violation]:
    code = [i for i, token in enumerate(program.tokens) if not token.directive]
    stream = [program.tokens[i] for i in code]
    for position in shared_declarations(stream):
        index = code[position]
        if not program.outline.sure[index]:
            continue
        named = declarator(stream, position)
        if named is not None and stream[named[1]].text in ("=", "{"):
            name = stream[named[0]]
            yield Violation(name, f"the __shared__ variable {name.text} has an initialiser")
        caller = program.caller(index)
        if caller is not None and program.runs_on_host(index):
            yield Violation(stream[position], "a __shared__ variable in host code")


def _exceptions(program: _Program) -> Iterator[Violation]:
    for index, token in enumerate(program.tokens):
        if token.kind == lexer.IDENTIFIER and token.text in ("try", "throw"):
            if program.caller(index) is not None and program.runs_on_device(index):
                yield Violation(token, "device code has no exceptions (try, throw)")


def _variables(program: _Program) -> Iterator[Violation]:
    """Variables of the host that device code uses, where nvcc knows no value for them."""
    host = {v.name.text: v for v in program.outline.variables if not v.spaces}
    for index, token in enumerate(program.tokens[:-1]):
        variable = host.get(token.text)
        if variable is None or token is variable.name or token.text in program.defined:
            continue
        if program.tokens[index - 1].text in (".", "->", "::", "sizeof"):
            continue
        caller = program.caller(index)
        if caller is None or not program.runs_on_device(index):
            continue
        if program.hidden(token.text, caller) or _unevaluated(program.tokens, index):
            continue
        known = variable.constant and not (variable.array and _indexed(program.tokens, index))
        if not known:
            yield Violation(
                token,
                f"device code uses the host variable {token.text}: it lacks __device__ or "
                "__constant__",
            )


def _unevaluated(tokens: Sequence[Token], index: int) -> bool:
    before = [token.text for token in tokens[max(0, index - 2) : index]]
    return before[-1:] == ["("] and before[0] in ("sizeof", "decltype", "alignof")


def _indexed(tokens: Sequence[Token], index: int) -> bool:
    """Whether an array is subscripted with something that is no plain number."""
    if tokens[index + 1].text != "[":
        return False
    return not joined(tokens[index + 2 : closing_of(tokens, index + 1)]).isdecimal()


def device_variables_on_host(outline: Outline) -> list[Token]:
    """Where host code reads or writes a ``__device__`` or ``__constant__`` variable as if it were
    its own. nvcc only warns: on a GPU that is another variable."""
    program = _Program(outline, ())
    return [token for _, token in _device_variables_in_host_code(program)]


def _device_variables_in_host_code(program: _Program) -> Iterator[tuple[int, Token]]:
    device = {
        v.name.text: v
        for v in program.outline.variables
        if v.spaces & {"__device__", "__constant__"} and "__managed__" not in v.words
    }
    for index, token in enumerate(program.tokens[:-1]):
        variable = device.get(token.text)
        if variable is None or token is variable.name or token.text in program.defined:
            continue
        if program.tokens[index - 1].text in (".", "->", "::"):
            continue
        caller = program.caller(index)
        if caller is None or not program.runs_on_host(index):
            continue
        if not program.hidden(token.text, caller) and not _is_symbol(program.tokens, index):
            yield index, token


def _is_symbol(tokens: Sequence[Token], index: int) -> bool:
    """Whether the name is an argument of cudaMemcpyToSymbol and its kin, or of sizeof."""
    depth = 0
    for position in range(index - 1, max(-1, index - 200), -1):
        word = tokens[position].text
        if word in (";", "{", "}"):
            return False
        if word == ")":
            depth += 1
        elif word == "(":
            if depth:
                depth -= 1
                continue
            called = tokens[position - 1].text if position else ""
            if "Symbol" in called or called in ("sizeof", "decltype", "alignof"):
                return True
    return False


_RULES = (_kernels, _launches, _calls, _streams, _shared, _exceptions, _variables)
