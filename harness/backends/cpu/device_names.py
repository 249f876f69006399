"""Variables and functions of the device that host code uses as its own, and lines of device code.

nvcc only warns of such variables, and says nothing of such functions: on a GPU the host then has
another variable of that name, and an address that is no device function's. Here they would be the
same, so such a source is refused, never accepted. Only what holds for every reading is concluded
(no macros, no conditions, no local names in between).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.backends.cpu.rewrite.launches import find_launches
from harness.backends.cpu.rules import library
from harness.source import lexer
from harness.source.functions import Function, Outline
from harness.source.lexer import Token
from harness.source.scopes import FUNCTION, Scope, closing_of, in_device_code, opening_of

_ARCH = "__CUDA_ARCH__"
# Before a name they leave it an expression; any other word makes it a declaration.
_EXPRESSION_WORDS = frozenset(
    ("return", "else", "do", "case", "throw", "and", "or", "not", "co_return", "sizeof")
)


def is_device_line(outline: Outline, line: int) -> bool:
    """Whether the last token of the line stands in device code."""
    pairs = zip(outline.tokens, outline.scopes, strict=True)
    found = [scope for token, scope in pairs if token.line == line and not token.directive]
    return bool(found) and in_device_code(outline.tokens, found[-1])


class _Program:
    """A source with what is known of all names in it."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.tokens = outline.tokens
        self.functions: dict[str, list[Function]] = {}
        self.uses: dict[str, int] = {}
        for function in outline.functions:
            self.functions.setdefault(function.name.text, []).append(function)
        for token in outline.tokens:
            if token.kind == lexer.IDENTIFIER:
                self.uses[token.text] = self.uses.get(token.text, 0) + 1
        self.defined = set(outline.macros)
        self._bodies = {id(f.scope): f for f in outline.functions if f.scope is not None}

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
        if end < 0:
            return True
        for index in range(begin, end):
            if self.tokens[index].text != name or self.tokens[index] is caller.name:
                continue
            before = self.tokens[index - 1]
            after = self.tokens[index + 1].text
            if before.text in ("*", "&", "&&", ">"):
                before = self.tokens[index - 2]  # of a type, unless it is an expression
                typed = before.text in ("*", "&", ">", "(") or before.kind == lexer.IDENTIFIER
            else:
                typed = before.kind == lexer.IDENTIFIER
            if typed and before.text not in _EXPRESSION_WORDS and after in "=,);{[:":
                return True
        return False


def device_variables_on_host(outline: Outline) -> list[Token]:
    """Where host code reads or writes a ``__device__`` or ``__constant__`` variable as if it were
    its own. nvcc only warns: on a GPU that is another variable."""
    return list(_uses_on_host(_Program(outline)))


def _uses_on_host(program: _Program) -> Iterator[Token]:
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
            yield token


def branches_on_host(outline: Outline) -> list[Token]:
    """Directives that ask for ``__CUDA_ARCH__`` in functions that host code surely runs. Here the
    device's branch is compiled for both sides."""
    program = _Program(outline)
    asking: dict[str, Token] = {}
    for index, token in enumerate(program.tokens):
        if not token.directive or token.text != _ARCH:
            continue
        scope = outline.scopes[index]
        owner = next((f for f in outline.functions if _encloses(f, scope)), None)
        if owner is not None:
            asking.setdefault(owner.name.text, token)
    return [asking[name] for name in asking if _runs_on_host(program, name)]


def _encloses(function: Function, scope: Scope | None) -> bool:
    while scope is not None:
        if scope is function.scope:
            return True
        scope = scope.parent
    return False


def _runs_on_host(program: _Program, name: str) -> bool:
    """Whether it is a host function, or host code surely calls it."""
    functions = program.functions[name]
    if all(not {"__device__", "__global__"} & set(f.words) for f in functions):
        return True
    for index, token in enumerate(program.tokens[:-1]):
        called = token.text == name and program.tokens[index + 1].text == "("
        if not called or any(token is function.name for function in functions):
            continue
        caller = program.caller(index)
        if caller is not None and program.runs_on_host(index) and not program.hidden(name, caller):
            return True
    return False


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


def device_functions_on_host(outline: Outline, others: Sequence[Outline] = ()) -> list[Token]:
    """Where host code takes the address of a ``__device__`` function, to launch a kernel with it or
    to keep it in a variable. ``others`` are the solution's other files.

    nvcc compiles that, but the address is that of a host function without a use: a kernel that
    calls it fails. Template arguments, ``decltype`` and arguments of functions are let pass.
    """
    program = _Program(outline)
    both = {name for other in others for name in _host_names(other)} | _host_names(outline)
    device = {f.name.text for f in outline.functions if f.on_device} - both
    device = {name for name in device if not _is_of_library(name)}
    declared = {id(function.name) for function in outline.functions}
    found: list[Token] = []
    for index, token in enumerate(program.tokens[:-1]):
        if token.text not in device or id(token) in declared:
            continue
        if not (_is_launched(program.tokens, index) or _is_kept(program.tokens, index)):
            continue
        caller = program.caller(index)
        if caller is None or not caller.on_host or caller.on_device:
            continue
        if program.runs_on_host(index) and not program.hidden(token.text, caller):
            found.append(token)
    return found


def _host_names(outline: Outline) -> set[str]:
    """Names that may mean something else than a device function."""
    found = set(outline.macros) | {variable.name.text for variable in outline.variables}
    for function in outline.functions:
        doubtful = function.member or bool(outline.macros & set(function.words))
        if function.on_host or not function.on_device or doubtful:
            found.add(function.name.text)
    return found


def _is_of_library(name: str) -> bool:
    """Whether a header may declare a host function of that name, too."""
    patterns = (library.DEVICE_C, library.RUNTIME_MATH)
    return name in library.HOST_C | library.HOST_STD or any(p.fullmatch(name) for p in patterns)


def _is_kept(tokens: Sequence[Token], index: int) -> bool:
    """``pointer = function;`` and ``pointer = &function;``."""
    before = index - 1 - (tokens[index - 1].text == "&")
    return tokens[before].text == "=" and tokens[index + 1].text == ";"


def _is_launched(tokens: Sequence[Token], index: int) -> bool:
    """Whether the name is, alone or after ``&``, an argument of a launch."""
    before = index - 1 - (tokens[index - 1].text == "&")
    if tokens[before].text not in ("(", ",") or tokens[index + 1].text not in (",", ")"):
        return False
    begin = opening_of(tokens, closing) if (closing := _closing_after(tokens, index)) > 0 else -1
    if begin < 1 or any(token.text in ("<", ">") for token in tokens[begin:closing]):
        return False
    statement = begin
    while statement > 0 and tokens[statement - 1].text not in (";", "{", "}"):
        statement -= 1
    launches, _ = find_launches(tokens[statement : closing + 1])
    return any(statement + launch.arguments == begin for launch in launches)


def _closing_after(tokens: Sequence[Token], index: int) -> int:
    """The parenthesis that closes what encloses the token, -1 if that is something else."""
    while index < len(tokens):
        word = tokens[index].text
        if word in ("(", "[", "{"):
            index = closing_of(tokens, index)
            if index < 0:
                return -1
        elif word in (")", "]", "}", ";"):
            return index if word == ")" else -1
        index += 1
    return -1
