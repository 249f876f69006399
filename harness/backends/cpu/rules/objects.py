"""Objects in the device's memory that need code to come into being or to go.

nvcc 13.0 runs no code for a variable at file level and for a ``static`` one in device code. A
constructor may be constexpr, or empty: without parameters, initialisers and statements. The same
holds for a destructor, and for members. A class with a virtual function can't be there at all.
``__shared__`` variables of functions may be anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from harness.backends.cpu.rules.model import Function
from harness.backends.cpu.rules.unit import Fault, Unit
from harness.backends.cpu.rules.variables import Variable

_MEMORY = ("__shared__", "__constant__", "__device__", "__managed__")


def object_faults(unit: Unit) -> Iterator[Fault]:
    """Variables with a memory of the device's that a constructor or a destructor would handle."""
    objects = Objects(unit)
    for variable in unit.declared.variables:
        memory = next((word for word in _MEMORY if word in variable.words), "")
        if memory and not variable.place.owner and objects.need_code(variable):
            yield _fault(unit, variable, f"the {memory} variable")
    for body in unit.bodies:
        if not body.function.space.on_device or body.function.is_template:
            continue
        for variable in body.locals:
            kept = "static" in variable.words and not variable.words & set(_MEMORY)
            if kept and objects.need_code(variable):
                yield _fault(unit, variable, "the static variable")


def _fault(unit: Unit, variable: Variable, what: str) -> Fault:
    return Fault(
        unit.stream.tokens[variable.at],
        f"{what} '{variable.name}' needs code to make or to destroy it: dynamic initialisation is "
        "not supported in device memory; assign to it in a kernel",
    )


class Objects:
    """What the author's classes that are no templates need."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    def need_code(self, variable: Variable) -> bool:
        """Whether the variable surely needs code; never where a name is unclear."""
        if not self._is_object(variable) or "extern" in variable.words:
            return False
        name = variable.type[-1]
        if self._destroys(name):
            return True
        if not self._is_given(variable):
            return self._makes(name, frozenset())
        makers = [f for f in self._constructors.get(name, []) if f.body is not None]
        return not variable.array and bool(makers) and all(map(self._has_code, makers))

    def _is_given(self, variable: Variable) -> bool:
        """Whether there is an initialiser that is not empty."""
        span = range(*variable.init) if variable.init else ()
        return any(self._unit.stream.text(i) not in ("=", "{", "}") for i in span)

    def _is_object(self, variable: Variable) -> bool:
        if variable.pointers or variable.reference or set(variable.type[1::2]) - {"::"}:
            return False
        name = variable.type[-1] if len(variable.type) % 2 else ""
        return name in self._unit.classes and self._bodies.count(name) == 1

    @cached_property
    def _bodies(self) -> tuple[str, ...]:
        """The names of the classes that the file defines, once for each definition."""
        stream = self._unit.stream
        keys = ("struct", "class")
        return tuple(
            stream.text(i)
            for i in range(1, len(stream.tokens))
            if stream.text(i - 1) in keys and stream.text(i + 1) in ("{", ":", "final")
        )

    @cached_property
    def _members(self) -> Mapping[str, list[Function]]:
        found: dict[str, list[Function]] = {}
        for function in self._unit.declared.functions:
            if function.member:
                found.setdefault(function.owner, []).append(function)
        return found

    @cached_property
    def _constructors(self) -> Mapping[str, list[Function]]:
        """Those that don't copy or move."""
        return {
            name: [f for f in functions if self._is_constructor(f, name)]
            for name, functions in self._members.items()
        }

    def _is_constructor(self, function: Function, name: str) -> bool:
        copies = len(function.takes) == 1 and name in function.takes[0]
        return function.name == name and not self._is_destructor(function) and not copies

    def _is_destructor(self, function: Function) -> bool:
        return self._unit.stream.text(function.at - 1) == "~"

    def _has_code(self, function: Function) -> bool:
        """Whether a constructor or destructor surely does something when the program runs."""
        if function.body is None or {"constexpr", "consteval"} & function.words:
            return False
        stream = self._unit.stream
        if not all(stream.sure[function.at : function.body[1]]):
            return False
        something = ":" in function.words or function.body[1] > function.body[0] + 1
        return something or bool(function.takes)

    def _makes(self, name: str, seen: frozenset[str]) -> bool:
        """Whether a default constructor needs code, the class's own or one of its members'."""
        if any("virtual" in function.words for function in self._members.get(name, [])):
            return True
        makers = [f for f in self._constructors.get(name, []) if f.accepts(0)]
        if makers:
            defined = [f for f in makers if f.body is not None]
            if len(defined) != 1 or "constexpr" in defined[0].words:
                return False
            preset = any(member.init is not None for member in self._data(name))
            return preset or self._has_code(defined[0])
        return any(
            self._is_object(member)
            and member.init is None
            and member.type[-1] not in seen
            and self._makes(member.type[-1], seen | {name})
            for member in self._data(name)
        )

    def _destroys(self, name: str, seen: frozenset[str] = frozenset()) -> bool:
        if any(
            self._is_destructor(function) and self._has_code(function)
            for function in self._members.get(name, [])
        ):
            return True
        return any(
            self._is_object(member)
            and member.type[-1] not in seen
            and self._destroys(member.type[-1], seen | {name})
            for member in self._data(name)
        )

    def _data(self, name: str) -> Iterator[Variable]:
        for variable in self._unit.declared.variables:
            if variable.place.owner == name and "static" not in variable.words:
                yield variable
