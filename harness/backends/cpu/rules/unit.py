"""All files of one solution together, as the rules see them: who is called by which name, and for
which functions a compiler surely makes code.

nvcc looks at many rules only when it makes device code: a ``static`` or ``inline`` function that
nothing uses, and a template that nothing instantiates, may break them unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from harness.backends.cpu.rewrite.launches import Launch, find_launches
from harness.backends.cpu.rules.body import Body, Call
from harness.backends.cpu.rules.model import Declared, Function, Space, declarations
from harness.backends.cpu.rules.text import Macro, Stream, expand, macros_of
from harness.backends.cpu.rules.variables import Variable
from harness.source import lexer
from harness.source.conditions import certainties
from harness.source.lexer import Token

_UNCHECKED = frozenset(("nv_exec_check_disable", "hd_warning_disable", "nvcc_exec_check_disable"))
_FOREIGN = frozenset(("std", "cuda", "thrust", "cub"))


@dataclass(frozen=True)
class Fault:
    """``severity``: error or warning. ``token`` stands in the checked file."""

    token: Token
    message: str
    severity: str = "error"


class Unit:
    """``stream``, ``declared`` and ``bodies`` are those of the checked file; the rest comes from
    all files."""

    def __init__(self, tokens: Sequence[Token], headers: Sequence[str]) -> None:
        every = [tokens, *(lexer.significant(lexer.tokens(text)) for text in headers)]
        answers = [certainties(each) for each in every]
        tables = [macros_of(*pair) for pair in zip(every, answers, strict=True)]
        # Whether a pragma tells nvcc not to check who calls whom.
        self.unchecked = any(
            token.text in _UNCHECKED for token in tokens if token.directive == "pragma"
        )
        streams = [
            expand(each, _merged(tables[:index] + tables[index + 1 :]), answers[index])
            for index, each in enumerate(every)
        ]
        self.stream = streams[0]
        self._all = [declarations(stream) for stream in streams]
        self.declared = self._all[0]
        found = [_bodies(*pair) for pair in zip(streams, self._all, strict=True)]
        self.bodies = found[0]
        self._all_bodies = [body for part in found for body in part]

    # --- names ---

    @cached_property
    def functions(self) -> dict[str, list[Function]]:
        """Functions that are no members, by name."""
        found: dict[str, list[Function]] = {}
        for declared in self._all:
            for function in declared.functions:
                if not function.member:
                    found.setdefault(function.name, []).append(function)
        return found

    @property
    def all_functions(self) -> list[Function]:
        """Those of all files, members included."""
        return [function for declared in self._all for function in declared.functions]

    @cached_property
    def classes(self) -> frozenset[str]:
        """The author's own classes that are no templates."""
        return frozenset(name for declared in self._all for name in declared.classes)

    @cached_property
    def variables(self) -> dict[str, list[Variable]]:
        """Variables of namespaces, by name."""
        found: dict[str, list[Variable]] = {}
        for declared in self._all:
            for variable in declared.variables:
                if not variable.place.owner:
                    found.setdefault(variable.name, []).append(variable)
        return found

    @cached_property
    def unclear(self) -> frozenset[str]:
        """Names that may mean something else than what is known of them."""
        return frozenset(
            name for declared in self._all for name in (*declared.members, *declared.doubtful)
        )

    def visible(self, body: Body, name: str) -> bool:
        """Whether ``name`` in this body means what is declared outside functions and classes."""
        return name not in body.names and name not in self.unclear

    def callees(self, body: Body, call: Call) -> list[Function]:
        """What a call by a plain name may call; nothing where that isn't certain."""
        if call.method or call.qualifier or not self.visible(body, call.name):
            return []
        found = self.functions.get(call.name, [])
        if any(f.space is Space.UNKNOWN for f in found):
            return []
        stream = body.stream
        if any(stream.text(i) == "..." for i in range(call.opening, call.closing)):
            return []
        count = len(stream.parts(call.opening + 1, call.closing))
        return [function for function in found if function.accepts(count)]

    @cached_property
    def uses_std(self) -> bool:
        """Whether ``using namespace std`` stands anywhere."""
        words = [token.text for token in self.stream.tokens]
        return any(words[i : i + 3] == ["using", "namespace", "std"] for i in range(len(words) - 2))

    # --- launches ---

    @cached_property
    def launches(self) -> list[Launch]:
        return find_launches(self.stream.tokens)[0] if self.stream.partner else []

    # --- what code is made for ---

    @cached_property
    def _definitions(self) -> dict[tuple[str, bool], list[Body]]:
        found: dict[tuple[str, bool], list[Body]] = {}
        for body in self._all_bodies:
            found.setdefault((body.function.name, body.function.member), []).append(body)
        return found

    @cached_property
    def on_device(self) -> frozenset[Function]:
        """Functions for which device code is surely made."""
        roots = [b for b in self._all_bodies if _is_device_root(b.function)]
        kernels = {
            body.function.name: body
            for found in self._definitions.values()
            for body in found
            if len(found) == 1 and body.function.space is Space.KERNEL
        }
        for body in self._reached(
            [b for b in self._all_bodies if b.function.space.on_host and _is_compiled(b)],
            lambda function: function.space.on_host,
        ):
            for index in body.evaluated:
                name = body.stream.text(index)
                if name in kernels and name not in body.names:
                    roots.append(kernels[name])
        reached = self._reached(roots, lambda function: function.space.on_device)
        return frozenset(body.function for body in reached)

    @cached_property
    def on_host(self) -> frozenset[Function]:
        """Functions for which host code is surely made."""
        roots = [
            body
            for body in self._all_bodies
            if body.function.space.on_host and not body.function.is_local
        ]
        reached = self._reached(roots, lambda function: function.space.on_host)
        return frozenset(body.function for body in reached)

    def called_from(self, body: Body) -> list[Body]:
        """A device function and all that it surely calls on the device."""
        return self._reached([body], lambda function: function.space.on_device)

    def _reached(self, roots: Sequence[Body], wanted: Callable[[Function], bool]) -> list[Body]:
        found = {body.function: body for body in roots}
        waiting = list(found.values())
        while waiting:
            for body in self._called(waiting.pop()):
                if body.function not in found and wanted(body.function):
                    found[body.function] = body
                    waiting.append(body)
        return list(found.values())

    def _called(self, body: Body) -> Iterator[Body]:
        """The definitions that a body surely uses: those that are alone in bearing the name."""
        for call in body.calls:
            if call.qualifier[:1] and call.qualifier[0] in _FOREIGN:
                continue
            if not call.method and call.name in body.names:
                continue
            found = self._definitions.get((call.name, call.method), [])
            if len(found) == 1:
                yield found[0]


def _merged(tables: Sequence[dict[str, Macro | None]]) -> dict[str, Macro | None]:
    merged: dict[str, Macro | None] = {}
    for table in tables:
        for name, macro in table.items():
            merged[name] = None if name in merged else macro
    return merged


def _bodies(stream: Stream, declared: Declared) -> list[Body]:
    return [Body(stream, f) for f in declared.functions if f.body is not None]


def _is_device_root(function: Function) -> bool:
    if function.space is Space.KERNEL:
        return not function.is_template and not function.member
    return function.space.on_device and not function.is_local


def _is_compiled(body: Body) -> bool:
    """Whether a host compiler looks at all of it: no template."""
    return not body.function.is_template
