"""Host functions that device code calls unseen: constructors, destructors, operators, conversions,
default arguments, functors, what templates come to, and the C++ library's functions.

``rules`` reads tokens, which show calls by name alone. The compiler's call graph shows the rest. It
is asked in two steps, because a cold run must stay quick: ``suspected`` goes through the dump of
the compilation that was made anyway, by names alone, and may suspect too much; ``HostCalls`` then
takes the places of a second, unoptimised compilation and says what is so.

Decisions, each tried with nvcc 13.0:

- ``__global__`` and ``__device__`` functions must not call a host function, be it constexpr or of
  the C++ library: an error.
- What a class gets without a declaration (or with ``= default`` at its first one), and a lambda,
  runs where its callers run.
- A ``__host__ __device__`` function may call a host function, nvcc only warns. But for the device
  it makes no code behind such a call, so what a kernel reaches of that is refused.
- Names of which the text can't say what they are (macros, conditions) are let pass; so is the C++
  library where ``cuda::std`` is used, which is the same here and for both sides with nvcc.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from harness.backends.cpu import callgraph
from harness.backends.cpu.callgraph import Placed, Symbol
from harness.backends.cpu.rules import library
from harness.backends.cpu.rules.model import Function, Space
from harness.backends.cpu.rules.text import UNKNOWN
from harness.backends.cpu.rules.unit import Unit
from harness.backends.cpu.sources import Place
from harness.errors import Refused
from harness.model import Diagnostic

_CLASS = re.compile(r"\b(?:class|struct|union)\b([^;{:]*)")
_LAMBDA = "lambda"
_CUDA_STD = re.compile(r"#\s*include\s*<cuda/std/|\bcuda\s*::\s*std\b")
_ARGUMENTS = re.compile(r"<[^<>]*>")
_IN_CLASS_HEAD = re.compile(r"\b(?:class|struct|union)\s[^;{(]*$")
_STRICT = frozenset((Space.DEVICE, Space.KERNEL))


@dataclass(frozen=True)
class HostCall:
    """``strict``: nvcc rejects it, else it only warns."""

    place: Place
    caller: str
    callee: str
    constexpr: bool
    strict: bool
    addressed: bool = False


def diagnostic(call: HostCall, spaces: Spaces) -> Diagnostic:
    """The error that nvcc would give."""
    kind = "constexpr __host__" if call.constexpr else "__host__"
    message = f"calling the {kind} function '{call.callee}' from {call.caller} is not allowed"
    if call.addressed:
        message = f"the __host__ function '{call.callee}' is undefined in device code"
    if call.callee == _LAMBDA:
        message = (
            f"{call.caller} can't call a lambda of host code: nvcc has no --extended-lambda here; "
            "pass an object whose operator() is __device__"
        )
    elif not call.callee.startswith("std::"):
        message += "; mark it __device__"
    elif call.constexpr:
        message += "; nvcc takes it with --expt-relaxed-constexpr alone"
    place = call.place
    line = spaces.texts[place.file].split("\n")[place.line - 1]
    return Diagnostic(place.file, place.line, place.column, "error", message, line)


def refusal(call: HostCall) -> Refused:
    """Of a call that nvcc only warns of."""
    feature = f"the host function {call.callee} in a function for both sides that a kernel calls"
    why = "has no code on a GPU"
    remedy = f"mark {call.callee} __device__"
    if call.callee.startswith("std::"):
        remedy = "write it out or use a function of CUDA's"
    return Refused(feature, call.place.file, call.place.line, remedy, why)


class Spaces:
    """Where the author's functions run. ``units`` and ``texts`` are by the files' names."""

    def __init__(self, units: Mapping[str, Unit], texts: Mapping[str, str]) -> None:
        self.units = units
        self.texts = texts
        self._functions: dict[str, list[Function]] = {}
        for unit in units.values():
            for function in unit.declared.functions:
                self._functions.setdefault(function.name, []).append(function)

    @cached_property
    def has_cuda_std(self) -> bool:
        """Whether CUDA's own C++ library is used."""
        return any(_CUDA_STD.search(text) for text in self.texts.values())

    @cached_property
    def _classes(self) -> frozenset[str]:
        found: set[str] = set()
        for unit in self.units.values():
            for words in _CLASS.findall(" ".join(t.text for t in unit.stream.tokens)):
                found |= set(words.split())
        return frozenset(found)

    @staticmethod
    def _declared(function: Function) -> Space:
        first = function.owner == function.place.owner
        return Space.UNKNOWN if "default" in function.words and first else function.space

    def of(self, function: Function) -> Space:
        """By all its declarations; UNKNOWN for what isn't certain, and for what runs where its
        callers run."""
        found = {
            self._declared(other)
            for other in self._functions[function.name]
            if other.owner == function.owner and len(other.takes) == len(function.takes)
        }
        return found.pop() if len(found) == 1 else Space.UNKNOWN

    def named(self, name: str) -> frozenset[Space]:
        """The spaces of all functions of that name; a destructor's is that of its class."""
        found = self._functions.get(name.removeprefix("~"), ())
        return frozenset(self._declared(function) for function in found)

    def is_class(self, scope: str) -> bool:
        """Whether the innermost part of a scope may name a class of the author's."""
        return bool(self._classes & set(re.findall(r"\w+", scope)))


# --- the first look ----------------------------------------------------------------------------


def suspected(symbols: Mapping[int, Symbol], spaces: Spaces) -> bool:
    """Whether device code may call a host function."""
    waiting = [order for order, symbol in symbols.items() if _may_be_device(symbol, spaces)]
    seen = set(waiting)
    while waiting:
        caller = symbols[waiting.pop()]
        for order in (*caller.calls, *caller.addressed):
            while order in symbols and symbols[order].alias >= 0:
                order = symbols[order].alias
            if order in seen or order not in symbols:
                continue
            callee = symbols[order]
            if _is_suspect(callee, spaces):
                return True
            if _is_passed_through(callee, spaces):
                seen.add(order)
                waiting.append(order)
    return False


def _may_be_device(symbol: Symbol, spaces: Spaces) -> bool:
    if callgraph.of_library(symbol.mangled):
        return False
    return bool(spaces.named(callgraph.base_name(symbol.shown)) & _STRICT)


def _is_suspect(symbol: Symbol, spaces: Spaces) -> bool:
    if callgraph.of_library(symbol.mangled):
        return not (spaces.has_cuda_std or _is_everywhere(symbol.mangled, symbol.shown))
    if callgraph.is_lambda(symbol.mangled):
        if symbol.shown.startswith("<lambda"):
            return True  # outside functions
        around = callgraph.base_name(symbol.shown.partition("::<lambda")[0])
        return Space.HOST in spaces.named(around)
    scope, name = callgraph.split_name(symbol.shown)
    local = ")" in scope  # a class in a function, of which nothing is known
    return local or Space.HOST in spaces.named(name)


def _is_passed_through(symbol: Symbol, spaces: Spaces) -> bool:
    """Whether it is the author's and may call for its caller."""
    if callgraph.is_lambda(symbol.mangled):
        return True
    scope, name = callgraph.split_name(symbol.shown)
    return Space.BOTH in spaces.named(name) or spaces.is_class(scope)


def _is_everywhere(mangled: str, shown: str) -> bool:
    """Whether it is a function of the C++ library that device code may call."""
    scope, name = callgraph.split_name(shown)
    if scope.endswith("initializer_list<_E>") or name in library.EVERYWHERE_STD:
        return True
    plain = re.match(r"_ZSt\d+[a-z]\w*?\d*[fdeixljmPF]*$", mangled) is not None
    return plain and "[with" not in shown and library.DEVICE_C.fullmatch(name) is not None


# --- the second --------------------------------------------------------------------------------


class HostCalls:
    """The calls of host functions in device code."""

    def __init__(
        self, placed: Mapping[str, Placed], symbols: Mapping[int, Symbol], spaces: Spaces
    ) -> None:
        """``symbols`` tell whose address is taken, and for which functions code is made: ``placed``
        has more, because nothing was optimised there."""
        made = {symbol.mangled for symbol in symbols.values()}
        self._placed = {name: each for name, each in placed.items() if name in made}
        self._symbols = symbols
        self._spaces = spaces
        self._headers: dict[str, list[str]] = {}
        self._files = {
            name: _File(unit, spaces.texts[name], spaces) for name, unit in spaces.units.items()
        }

    def found(self) -> list[HostCall]:
        """Each once, by their places."""
        calls = {
            (c.place.file, c.place.line, c.place.column, c.callee, not c.strict): c
            for c in (*self._calls(), *self._addresses())
        }
        return [calls[key] for key in sorted(calls)]

    def _calls(self) -> Iterator[HostCall]:
        on_host = self._reached_on_host()
        roots = [p for p in self._placed.values() if self._space(p) in _STRICT]
        waiting = [(root, True) for root in roots]
        done: set[tuple[str, bool]] = set()
        while waiting:
            caller, strict = waiting.pop()
            if (caller.mangled, strict) in done:
                continue
            done.add((caller.mangled, strict))
            for callee, place in self._called(caller):
                space = self._space(callee)
                if space is Space.HOST:
                    yield self._call(caller, callee, place, strict)
                elif space is Space.BOTH:
                    waiting.append((callee, False))
                elif space is Space.UNKNOWN and callee.place.file in self._files:
                    waiting.append((callee, strict and callee.mangled not in on_host))

    def _addresses(self) -> Iterator[HostCall]:
        """Host functions to which device code takes a pointer."""
        for symbol in self._symbols.values():
            caller = self._placed.get(symbol.mangled)
            if caller is None or self._space(caller) not in _STRICT:
                continue
            for order in symbol.addressed:
                name = self._symbols[order].mangled if order in self._symbols else ""
                callee = self._placed.get(name)
                if callee is not None and self._space(callee) is Space.HOST:
                    call = self._call(caller, callee, caller.place, True)
                    yield replace(call, addressed=True)

    def _reached_on_host(self) -> set[str]:
        """What host functions call that runs where its callers do."""
        found: set[str] = set()
        own = [p for p in self._placed.values() if p.place.file in self._files]
        waiting = [p for p in own if self._space(p) is Space.HOST]
        while waiting:
            for callee, _ in self._called(waiting.pop()):
                if callee.mangled not in found and self._space(callee) is Space.UNKNOWN:
                    found.add(callee.mangled)
                    waiting.append(callee)
        return found

    def _called(self, caller: Placed) -> Iterator[tuple[Placed, Place]]:
        for name, place in caller.calls:
            if name in self._placed:
                yield self._placed[name], place

    def _call(self, caller: Placed, callee: Placed, place: Place, strict: bool) -> HostCall:
        constexpr = callee.shown.removeprefix("static ").startswith("constexpr ")
        where = place if place.file in self._files else caller.place
        by = f"the {self._space(caller).value} function '{_said(caller)}'"
        if not self._space(caller).value:
            by = f"'{_said(caller)}', which runs on the device here,"
        return HostCall(where, by, _said(callee), constexpr, strict)

    def _space(self, function: Placed) -> Space:
        """Where it runs; UNKNOWN for the runtime's, for what isn't certain, and for what runs where
        its callers do."""
        place = function.place
        if callgraph.of_library(function.mangled):
            everywhere = self._spaces.has_cuda_std or _is_everywhere(
                function.mangled, function.shown
            )
            return Space.UNKNOWN if everywhere or self._is_defaulted(place) else Space.HOST
        file = self._files.get(place.file)
        if file is None:
            return Space.UNKNOWN
        if callgraph.is_lambda(function.mangled):
            outside = function.shown.startswith("<lambda")
            return Space.HOST if outside else file.space_around(place)
        return file.space_at(place, callgraph.base_name(function.shown))

    def _is_defaulted(self, place: Place) -> bool:
        """Whether the C++ library's function there has no code of its own."""
        if place.file not in self._headers:
            self._headers[place.file] = _lines(place.file)
        lines = self._headers[place.file][place.line - 1 : place.line + 5]
        if not lines or _IN_CLASS_HEAD.search(lines[0][: place.column - 1]):
            return True
        declaration = re.split(r"[;{]", "\n".join(lines)[place.column - 1 :], maxsplit=1)[0]
        return re.search(r"=\s*default\s*$", declaration) is not None


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text("utf-8", "replace").split("\n")
    except OSError:
        return []


def _said(function: Placed) -> str:
    if callgraph.is_lambda(function.mangled):
        return _LAMBDA
    scope, name = callgraph.split_name(function.shown)
    while _ARGUMENTS.search(scope):
        scope = _ARGUMENTS.sub("", scope)
    scope = scope.rpartition(" ")[2]
    name = re.sub(r"^operator(?=\w)", "operator ", name)
    return f"{scope}::{name}" if scope and "(" not in scope else name


class _File:
    """What one of the author's files declares, by its offset in the text."""

    def __init__(self, unit: Unit, text: str, spaces: Spaces) -> None:
        self._stream = unit.stream
        self._text = text
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self._spaces = spaces
        self._functions: dict[int, list[Function]] = {}
        for function in unit.declared.functions:
            start = unit.stream.tokens[function.at].start
            self._functions.setdefault(start, []).append(function)

    def space_at(self, place: Place, name: str) -> Space:
        """Of the function that is declared there."""
        offset = self._offset(place)
        found = self._functions.get(offset + name.startswith("~"), ())
        spaces = {self._spaces.of(f) for f in found if f.name == name.removeprefix("~")}
        if spaces:
            return spaces.pop() if len(spaces) == 1 else Space.UNKNOWN
        return self._local_space(offset, name.removeprefix("~"))

    def _local_space(self, offset: int, name: str) -> Space:
        """Of a member of a class in a function, which has no declaration among the file's."""
        stream = self._stream
        for index, token in enumerate(stream.tokens):
            if token.start != offset:
                continue
            begin = index
            while begin > 0 and stream.text(begin - 1) not in (";", "{", "}", ":"):
                begin -= 1
            words = {stream.text(i) for i in range(begin, index)}
            named = token.text == name and stream.text(index + 1) == "("
            if not (named or token.text in ("operator", "~")) or UNKNOWN in words:
                return Space.UNKNOWN
            if "__device__" in words:
                return Space.BOTH if "__host__" in words else Space.DEVICE
            return Space.HOST
        return Space.UNKNOWN

    def space_around(self, place: Place) -> Space:
        """Where a lambda runs that is written there: on the host, or where its callers do."""
        offset = self._offset(place)
        tokens = self._stream.tokens
        for functions in self._functions.values():
            for function in functions:
                if function.body is None:
                    continue
                begin, end = (tokens[index].start for index in function.body)
                if begin < offset < end:
                    host = function.space is Space.HOST
                    return Space.HOST if host else Space.UNKNOWN
        return Space.UNKNOWN

    def _offset(self, place: Place) -> int:
        """-1 outside the text."""
        if not 0 < place.line <= len(self._lines):
            return -1
        begin = self._lines[place.line - 1]
        line = self._text[begin:].partition("\n")[0].encode("utf-8", "surrogateescape")
        return begin + len(line[: place.column - 1].decode("utf-8", "replace"))
