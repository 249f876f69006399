"""Members of the author's own classes, and operators for them and for CUDA's vector types: host
functions that device code calls, device functions that host code calls.

Only objects whose type is written in the same function count, and only classes whose functions of
one name all run on the same side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.backends.cpu.rules.body import Body, Call
from harness.backends.cpu.rules.model import Function, Space
from harness.backends.cpu.rules.unit import Fault, Unit
from harness.backends.cpu.rules.variables import Variable
from harness.source import lexer

_VECTOR = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]|dim3")
_OPERATORS = frozenset(
    "+ - * / % == != < > <= >= += -= *= /= %= && || & | ^ << >> ^= &= |=".split()
)
_ALSO_UNARY = frozenset(("+", "-", "*", "&", "&&"))


def class_faults(unit: Unit) -> Iterator[Fault]:
    """Calls of members, constructors and operators on the wrong side."""
    classes = _Classes(unit)
    for body in unit.bodies:
        space = body.function.space
        on_device = space in (Space.DEVICE, Space.KERNEL) and body.function in unit.on_device
        if on_device:
            wrong = Space.HOST
        elif space.on_host and not (space is Space.BOTH and unit.unchecked):
            wrong = Space.DEVICE
        else:
            continue
        check = _Check(classes, body, wrong)
        for call in body.calls:
            yield from check.call(call)
        for variable in body.locals:
            yield from check.variable(variable)
        for index in body.evaluated:
            yield from check.operator(index)


class _Classes:
    """The members of classes that are no templates, and the operators outside classes."""

    def __init__(self, unit: Unit) -> None:
        self._names = unit.classes
        self._members: dict[str, dict[str, list[Function]]] = {}
        self.operators: dict[str, list[Function]] = {}
        for function in unit.all_functions:
            if function.member:
                of_class = self._members.setdefault(function.owner, {})
                of_class.setdefault(_member_name(function), []).append(function)
            elif function.name.startswith("operator"):
                self.operators.setdefault(function.name, []).append(function)

    def has(self, name: str) -> bool:
        return name in self._names

    def members(self, owner: str, name: str) -> list[Function]:
        """Overloads of a member; none of them if one of them isn't plain."""
        found = self._members.get(owner, {}).get(name, [])
        plain = all(not f.is_template and f.space is not Space.UNKNOWN for f in found)
        return found if plain else []

    def converts(self, owner: str) -> bool:
        """Whether objects may turn into something that has operators of its own."""
        usual = re.compile(r"operator\W+")
        return any(
            name.startswith("operator") and not usual.fullmatch(name)
            for name in self._members.get(owner, ())
        )


def _member_name(function: Function) -> str:
    return f"~{function.name}" if "~" in function.words else function.name


def _on_side(functions: Sequence[Function], wrong: Space) -> bool:
    return bool(functions) and all(function.space is wrong for function in functions)


@dataclass(frozen=True)
class _Check:
    """One body, and the side whose functions it must not call."""

    classes: _Classes
    body: Body
    wrong: Space

    def call(self, call: Call) -> Iterator[Fault]:
        if self.body.depends(call.opening, call.closing):
            return
        if call.name in self.body.objects and not call.method and not call.qualifier:
            owner = self._class_of(self.body.objects[call.name])
            found = self.classes.members(owner, "operator()")
        elif call.method:
            found = self.classes.members(self._owner_before(call.at), call.name)
        elif call.qualifier:
            owner = call.qualifier[0] if len(call.qualifier) == 1 else ""
            found = self.classes.members(owner, call.name)
        elif call.name in self.body.names:
            return
        elif self.classes.has(call.name):
            found = self._constructors(call.name, call.opening, call.closing)
        else:
            found = self.classes.members(self.body.function.owner, call.name)
        yield from self._fault(found, call.at)

    def variable(self, variable: Variable) -> Iterator[Fault]:
        """Constructors and destructors of a local variable."""
        stream = self.body.stream
        owner = self._class_of(variable)
        if not owner or variable.pointers or variable.words & {"static", "__shared__", "extern"}:
            return
        if variable.init is None:
            found = self._constructors(owner, variable.at, variable.at)
        else:
            begin = variable.init[0] + (stream.text(variable.init[0]) == "=")
            if stream.text(begin) not in ("(", "{"):
                return
            found = self._constructors(owner, begin, stream.partner[begin])
        destructors = self.classes.members(owner, f"~{owner}")
        if not variable.reference and not any("default" in f.words for f in destructors):
            yield from self._fault(destructors, variable.at)
        if not variable.reference:
            yield from self._fault(found, variable.at)

    def operator(self, index: int) -> Iterator[Fault]:
        stream = self.body.stream
        symbol = stream.text(index)
        if symbol == "[":
            owner = self._plain_class(index - 1)
            yield from self._fault(self.classes.members(owner, "operator[]"), index)
        if symbol not in _OPERATORS or stream.kind(index) != lexer.PUNCT:
            return
        left, right = self._plain_class(index - 1), self._plain_class(index + 1)
        after = stream.text(index + 2)
        if after in (".", "->", "[", "(", "::", "<"):
            right = ""
        before = index - 1
        operand = stream.is_word(before) or stream.kind(before) == lexer.NUMBER
        operand = operand or stream.text(before) in (")", "]")
        if not operand or (stream.text(before) == ")" and symbol in _ALSO_UNARY):
            right = ""
        if stream.text(before) in ("return", "case", "else"):
            right = ""
        name = f"operator{symbol}"
        for owner in {left, right} - {""}:
            if self.classes.converts(owner):
                continue
            outside = self.classes.operators.get(name, [])
            if any(f.is_template or f.space is Space.UNKNOWN for f in outside):
                continue
            found = [f for f in outside if any(owner in words for words in f.takes)]
            if len(outside) == len(found):
                yield from self._fault([*found, *self.classes.members(owner, name)], index)
                return

    # --- types ---

    def _class_of(self, variable: Variable) -> str:
        """The class of an object, empty for what is none of the author's or of CUDA's vectors."""
        name = variable.type[0] if len(variable.type) == 1 else ""
        return name if self.classes.has(name) or _VECTOR.fullmatch(name) else ""

    def _plain_class(self, index: int) -> str:
        """The class of the object named at ``index``, if it is one and no pointer to one."""
        stream = self.body.stream
        if stream.text(index - 1) in (".", "->", "::") or not stream.is_word(index):
            return ""
        variable = self.body.objects.get(stream.text(index))
        if variable is None or variable.pointers or variable.array:
            return ""
        return self._class_of(variable)

    def _owner_before(self, index: int) -> str:
        """The class of ``x`` in ``x.f()``, ``x->f()`` and ``x[i].f()``."""
        stream = self.body.stream
        arrow = stream.text(index - 1) == "->"
        place = index - 2
        depth = int(arrow)
        if stream.text(place) == "]":
            place = stream.partner[place] - 1
            depth += 1
        if not stream.is_word(place) or stream.text(place - 1) in (".", "->", "::"):
            return ""
        variable = self.body.objects.get(stream.text(place))
        if variable is None or variable.pointers + variable.array != depth:
            return ""
        return self._class_of(variable)

    def _constructors(self, owner: str, opening: int, closing: int) -> list[Function]:
        """The constructors for the arguments in the brackets (none where both are the same),
        if it is surely one of them."""
        stream = self.body.stream
        arguments = stream.parts(opening + 1, closing) if closing > opening else []
        found = [f for f in self.classes.members(owner, owner) if "delete" not in f.words]
        if len(arguments) == 1:
            begin, end = arguments[0]
            if end - begin > 1 or stream.kind(begin) != lexer.NUMBER:
                return []  # perhaps a copy
        if any("default" in f.words for f in found) and not arguments:
            return []
        count = len(arguments)
        return [f for f in found if "default" not in f.words and f.accepts(count)]

    def _fault(self, found: Sequence[Function], at: int) -> Iterator[Fault]:
        if _on_side(found, self.wrong):
            function, caller = found[0], self.body.function
            owner = f"{function.owner}::" if function.owner else ""
            shown = f"{owner}{_member_name(function)}"
            yield Fault(
                self.body.stream.tokens[at],
                f"calling the {self.wrong.value} function '{shown}' from the {caller.space.value} "
                f"function '{caller.name}' is not allowed; mark it __host__ __device__",
            )
