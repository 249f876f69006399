"""Worked examples: nested lists to frozen numpy arrays, and the sizes that their shapes say.

A size that is by itself a dimension of some array is read off that array; all arrays must then
agree. A size that only occurs inside an expression is given under the example's ``sizes``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from harness.expr import ExprError
from harness.model import Argument, Example, Role
from harness.nearest import nearest
from harness.spec.models import ExampleSpec, misfit, show
from harness.spec.yamlpos import Document, Location

if TYPE_CHECKING:
    from harness.model import Array

Number = int | float | bool


def build_example(
    spec: ExampleSpec,
    index: int,
    arguments: tuple[Argument, ...],
    ranges: Mapping[str, tuple[int, int]],
    document: Document,
) -> Example:
    """One example, or a SpecError at the line of what does not fit."""
    reader = _Reader(f"example {index + 1}", ("examples", index), document)
    inputs = [a for a in arguments if a.role in (Role.IN, Role.INOUT, Role.SCALAR)]
    outputs = [a for a in arguments if a.role in (Role.OUT, Role.INOUT)]
    given_in = reader.values(spec.inputs, "inputs", inputs)
    given_out = reader.values(spec.outputs, "outputs", outputs)
    sizes = reader.sizes(spec.sizes, [("inputs", given_in), ("outputs", given_out)], arguments)
    reader.check_ranges(sizes, ranges)
    reader.check_shapes(sizes, [("inputs", given_in), ("outputs", given_out)], arguments)
    return Example(given_in, given_out, {name: sizes[name] for name in ranges})


Given = Mapping[str, "Array | Number"]


class _Reader:
    def __init__(self, what: str, here: Location, document: Document) -> None:
        self.what = what
        self.here = here
        self.document = document
        self.origin: dict[str, str] = {}

    def fail(self, where: Location, message: str) -> Exception:
        return self.document.error((*self.here, *where), f"{self.what}: {message}")

    def values(
        self, given: Mapping[str, object], section: str, arguments: Iterable[Argument]
    ) -> Given:
        wanted = {a.name: a for a in arguments}
        for name in given:
            if name not in wanted:
                kind = section.rstrip("s")
                hint = nearest(name, wanted)
                raise self.fail((section, name), f"{name!r} is no {kind}; {hint}")
        found: dict[str, Array | Number] = {}
        for name, argument in wanted.items():
            if name in given:
                found[name] = self._value(given[name], argument, (section, name))
            elif argument.role is not Role.SCALAR:
                raise self.fail((section,), f"the {section.rstrip('s')} {name} is missing")
            elif argument.value is None:
                raise self.fail((section,), f"the scalar {name} is missing")
        return found

    def _value(self, given: object, argument: Argument, where: Location) -> Array | Number:
        import numpy as np

        if argument.role is Role.SCALAR:
            self._number(given, argument, where)
            assert isinstance(given, (int, float))
            return given
        shape = self._shape(given, argument, where)
        if len(shape) != len(argument.shape):
            wanted = ", ".join(expr.text for expr in argument.shape)
            depth = len(shape)
            message = f"{argument.name} has {depth} dimensions; its shape is [{wanted}]"
            raise self.fail(where, message)
        array = np.array(given, dtype=np.dtype(argument.type)).reshape(shape)
        array.setflags(write=False)
        return array

    def _shape(self, given: object, argument: Argument, where: Location) -> tuple[int, ...]:
        """The shape of nested lists; every element is checked on the way."""
        if not isinstance(given, list):
            self._number(given, argument, where)
            return ()
        shapes = [self._shape(item, argument, (*where, i)) for i, item in enumerate(given)]
        for i, shape in enumerate(shapes):
            if shape != shapes[0]:
                message = f"{argument.name} is ragged: its rows differ in length"
                raise self.fail((*where, i), message)
        return (len(given), *(shapes[0] if shapes else ()))

    def _number(self, given: object, argument: Argument, where: Location) -> None:
        if not isinstance(given, (int, float)):
            message = f"{argument.name} holds {show(given)}, which is not a number"
            raise self.fail(where, message)
        problem = misfit(given, argument.type)
        if problem:
            raise self.fail(where, f"{argument.name}: {problem}")

    def sizes(
        self,
        given: Mapping[str, int],
        sections: Iterable[tuple[str, Given]],
        arguments: tuple[Argument, ...],
    ) -> Mapping[str, int]:
        """Read the sizes off the arrays; ``given`` fills in what no dimension says by itself."""
        sizes: dict[str, int] = {}
        names: set[str] = set()
        for argument in arguments:
            for expr in argument.shape:
                names |= expr.names
        for section, values in sections:
            for argument in (a for a in arguments if a.name in values and a.role.is_array):
                shape = getattr(values[argument.name], "shape", ())
                for extent, expr in zip(shape, argument.shape, strict=True):
                    if expr.text in names:
                        self._note(sizes, expr.text, extent, argument, (section, argument.name))
        for name, value in given.items():
            if name in sizes and sizes[name] != value:
                message = f"{name} is given as {value}, but {self.origin[name]} has {sizes[name]}"
                raise self.fail(("sizes", name), message)
            sizes[name] = value
        return sizes

    def _note(
        self, sizes: dict[str, int], name: str, extent: int, argument: Argument, where: Location
    ) -> None:
        if sizes.setdefault(name, extent) != extent:
            message = (
                f"the shapes disagree: {name} is {sizes[name]} in {self.origin[name]} "
                f"and {extent} in {argument.name}"
            )
            raise self.fail(where, message)
        self.origin.setdefault(name, argument.name)

    def check_ranges(self, sizes: Mapping[str, int], ranges: Mapping[str, tuple[int, int]]) -> None:
        for name in sizes:
            if name not in ranges:
                raise self.fail(("sizes", name), f"unknown size {name!r}; {nearest(name, ranges)}")
        for name, (low, high) in ranges.items():
            if name not in sizes:
                message = f"no array shows the size {name}; add sizes: {{{name}: ...}} to it"
                raise self.fail((), message)
            if not low <= sizes[name] <= high:
                message = f"{name} is {sizes[name]}; its range is {low} to {high}"
                raise self.fail((), message)

    def check_shapes(
        self,
        sizes: Mapping[str, int],
        sections: Iterable[tuple[str, Given]],
        arguments: tuple[Argument, ...],
    ) -> None:
        for section, values in sections:
            for argument in (a for a in arguments if a.name in values and a.role.is_array):
                where = (section, argument.name)
                shape = tuple(getattr(values[argument.name], "shape", ()))
                try:
                    wanted = tuple(expr.evaluate(sizes) for expr in argument.shape)
                except ExprError as error:
                    raise self.fail(where, str(error)) from None
                if shape != wanted:
                    raise self.fail(
                        where,
                        f"{argument.name} is {'x'.join(map(str, shape))}, "
                        f"but the sizes make it {'x'.join(map(str, wanted))}",
                    )
