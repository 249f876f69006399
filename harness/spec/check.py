"""What the keys of a spec say together: checks across arguments, sizes, examples and reference.

Takes a ``Spec`` whose keys are each right and gives the ``Problem``. Whatever disagrees is a
SpecError at the line of the later of the two. Decisions:

- An einsum has one operand for each input array, in the order of the arguments, and one output.
  A letter stands for one extent: two shapes that give it different ones are refused.
- A ``reduction`` must be the number of terms which the einsum sums: another number makes the bound
  on rounding too wide or too narrow, and is usually a swapped dimension.
- Two shape expressions are the same when they agree on a few odd sizes, not when spelt alike.
- Floats fill from [-10, 10] where no data rule is given, integers from [-100, 100], booleans both.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from harness.expr import Expr, ExprError
from harness.model import (
    Argument,
    DataRule,
    Example,
    Perf,
    Problem,
    Reference,
    Role,
    Tolerance,
)
from harness.nearest import nearest
from harness.spec.examples import build_example
from harness.spec.models import (
    INTEGER_RANGES,
    ArgumentSpec,
    Data,
    Spec,
    identifier_problem,
    misfit,
    show,
)
from harness.spec.yamlpos import Document, Location

MAX_SIZE = 2**31 - 1
# Odd, distinct and large enough that min, max, // and % show their differences.
_PROBES = (7, 19, 31, 53, 71, 97, 113, 131)


def build(spec: Spec, document: Document) -> Problem:
    """The Problem, or a SpecError about the first thing that does not fit."""
    checker = _Checker(spec, document)
    sizes = checker.sizes()
    arguments = checker.arguments(sizes)
    reference = checker.reference(arguments)
    tolerance = checker.tolerance(arguments)
    examples: list[Example] = []
    for index, example in enumerate(spec.examples):
        examples.append(build_example(example, index, arguments, sizes, document))
    tests = tuple(
        checker.complete(test, ("tests", index), f"test {index + 1}")
        for index, test in enumerate(spec.tests)
    )
    return Problem(
        name=spec.name,
        title=spec.title.strip(),
        statement=spec.statement.strip(),
        sizes=sizes,
        arguments=arguments,
        reference=reference,
        tolerance=tolerance,
        examples=tuple(examples),
        tests=tests,
        perf=checker.perf(),
        path=document.path,
        extreme_data=checker.extreme_data(arguments),
    )


class _Checker:
    def __init__(self, spec: Spec, document: Document) -> None:
        self.spec = spec
        self.document = document
        self.fail = document.error

    # --- sizes and expressions -----------------------------------------------------------------

    def sizes(self) -> Mapping[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for name, bounds in self.spec.sizes.items():
            location = ("sizes", name)
            problem = identifier_problem(name)
            if problem:
                raise self.fail(location, problem)
            if len(bounds) != 2:
                raise self.fail(location, f"the size {name} needs two bounds, such as [1, 8192]")
            low, high = bounds
            if not 1 <= low <= high <= MAX_SIZE:
                raise self.fail(
                    location, f"the size {name} is [{low}, {high}]; 1 <= low <= high is needed"
                )
            found[name] = (low, high)
        return found

    def expression(self, expr: Expr, location: Location, least: int) -> None:
        """Check names, and the value at the smallest and the largest sizes."""
        for name in sorted(expr.names):
            if name not in self.spec.sizes:
                hint = nearest(name, self.spec.sizes)
                raise self.fail(location, f"unknown size {name!r} in {expr.text!r}; {hint}")
        for pick in (0, 1):
            sizes = {name: bounds[pick] for name, bounds in self.spec.sizes.items()}
            try:
                value = expr.evaluate(sizes)
            except ExprError as error:
                raise self.fail(location, str(error)) from None
            if value < least:
                shown = ", ".join(f"{k}={v}" for k, v in sizes.items())
                message = f"{expr.text!r} is {value} for {shown}; it must be positive"
                raise self.fail(location, message)

    def complete(
        self, given: Mapping[str, int], location: Location, what: str
    ) -> Mapping[str, int]:
        """All sizes, each in its range."""
        for name, value in given.items():
            if name not in self.spec.sizes:
                hint = nearest(name, self.spec.sizes)
                raise self.fail((*location, name), f"unknown size {name!r} in {what}; {hint}")
            low, high = self.spec.sizes[name]
            if not low <= value <= high:
                message = f"{name} is {value} in {what}; its range is {low} to {high}"
                raise self.fail((*location, name), message)
        missing = [name for name in self.spec.sizes if name not in given]
        if missing:
            raise self.fail(location, f"{what} lacks the size {', '.join(missing)}")
        return {name: given[name] for name in self.spec.sizes}

    # --- arguments -----------------------------------------------------------------------------

    def arguments(self, sizes: Mapping[str, tuple[int, int]]) -> tuple[Argument, ...]:
        seen: dict[str, int] = {}
        found: list[Argument] = []
        for index, argument in enumerate(self.spec.arguments):
            here: Location = ("arguments", index)
            line = self.document.line((*here, "name"))
            if argument.name in seen:
                message = f"the argument {argument.name!r} is already on line {seen[argument.name]}"
                raise self.fail((*here, "name"), message)
            seen[argument.name] = line
            found.append(self._argument(argument, here, sizes))
        if not any(a.role in (Role.OUT, Role.INOUT) for a in found):
            raise self.fail(("arguments",), "no argument has the role out or inout")
        self._check_use(found)
        return tuple(found)

    def _argument(
        self, spec: ArgumentSpec, here: Location, sizes: Mapping[str, tuple[int, int]]
    ) -> Argument:
        role = Role(spec.role)
        if role is Role.SIZE:
            self._size_argument(spec, here, sizes)
        elif spec.name in sizes:
            message = f"{spec.name!r} is a size, so its role must be size, not {spec.role}"
            raise self.fail((*here, "role"), message)
        for index, expr in enumerate(spec.shape or ()):
            self.expression(expr, (*here, "shape", index), 1)
        data = None
        if role in (Role.IN, Role.INOUT) or spec.data is not None:
            data = self._data(spec, here)
        return Argument(
            name=spec.name,
            type=spec.type,
            role=role,
            shape=tuple(spec.shape or ()),
            data=data,
            value=self._value(spec, here),
        )

    def _size_argument(
        self, spec: ArgumentSpec, here: Location, sizes: Mapping[str, tuple[int, int]]
    ) -> None:
        if spec.name not in sizes:
            message = f"{spec.name!r} is not among the sizes; {nearest(spec.name, sizes)}"
            raise self.fail((*here, "name"), message)
        if spec.type == "bool" or spec.type not in INTEGER_RANGES:
            message = f"the size {spec.name} is {spec.type}; a size is an integer, such as int32"
            raise self.fail((*here, "type"), message)
        problem = misfit(sizes[spec.name][1], spec.type)
        if problem:
            raise self.fail((*here, "type"), f"the size {spec.name}: {problem}")

    def _value(self, spec: ArgumentSpec, here: Location) -> float | int | bool | None:
        if spec.value is None:
            return None
        problem = misfit(spec.value, spec.type)
        if problem:
            raise self.fail((*here, "value"), problem)
        return spec.value

    def _data(self, spec: ArgumentSpec, here: Location) -> DataRule:
        if spec.data is None:
            if spec.type in INTEGER_RANGES:
                low, high = INTEGER_RANGES[spec.type]
                return DataRule("integers", (max(low, -100), min(high, 100)))
            return DataRule("uniform", (-10.0, 10.0))
        rule = _rule(spec.data)
        here = (*here, "data")
        if rule.kind in ("uniform", "normal") and spec.type in INTEGER_RANGES:
            raise self.fail(here, f"{rule.kind} needs a float type; use integers for {spec.type}")
        if rule.kind in ("integers", "constant"):
            for number in rule.params:
                problem = misfit(number, spec.type)
                if problem:
                    raise self.fail(here, problem)
        if rule.kind == "permutation" and (spec.role == "scalar" or len(spec.shape or ()) != 1):
            raise self.fail(here, "a permutation needs an array of one dimension")
        if rule.kind == "python":
            return DataRule("python", (), self._python(rule.function, here, "data"))
        return rule

    def _check_use(self, arguments: list[Argument]) -> None:
        """A size that no shape and no argument uses is a typing error."""
        used = {a.name for a in arguments if a.role is Role.SIZE}
        for argument in arguments:
            for expr in argument.shape:
                used |= expr.names
        for name in self.spec.sizes:
            if name not in used:
                raise self.fail(("sizes", name), f"no argument uses the size {name}")

    # --- reference and tolerance ---------------------------------------------------------------

    def reference(self, arguments: tuple[Argument, ...]) -> Reference:
        spec = self.spec.reference
        if spec.python is not None:
            function = self._python(spec.python, ("reference", "python"), "reference")
            return Reference(python=function, directory=self.document.path.parent)
        text = re.sub(r"\s", "", spec.einsum or "")
        problem = self._einsum_problem(text, arguments)
        if problem:
            raise self.fail(("reference", "einsum"), f"einsum {text!r}: {problem}")
        return Reference(einsum=text, directory=self.document.path.parent)

    def _einsum_problem(self, text: str, arguments: tuple[Argument, ...]) -> str:
        if not re.fullmatch(r"[A-Za-z]+(,[A-Za-z]+)*->[A-Za-z]*", text):
            return 'it must look like "mn,nk->mk": letters, commas and ->'
        left, output = text.split("->")
        operands = left.split(",")
        inputs = [a for a in arguments if a.role in (Role.IN, Role.INOUT)]
        outputs = [a for a in arguments if a.role in (Role.OUT, Role.INOUT)]
        if len(outputs) != 1:
            return f"it gives one output, but there are {len(outputs)}; use a python reference"
        if len(operands) != len(inputs):
            names = ", ".join(a.name for a in inputs) or "none"
            return f"it has {len(operands)} operands for {len(inputs)} inputs ({names})"
        for letter in output:
            if letter not in left:
                return f"the output letter {letter!r} is in no operand"
        if len(set(output)) != len(output):
            return "a letter occurs twice in the output"
        extents: dict[str, tuple[Expr, str]] = {}
        for letters, argument in zip((*operands, output), (*inputs, *outputs), strict=True):
            # A full sum has no letters left; its output is an array of one element.
            if not letters and all(self._same(e, None) for e in argument.shape):
                continue
            if len(letters) != len(argument.shape):
                depth = len(argument.shape)
                return (
                    f"{letters!r} is {len(letters)} letters, but {argument.name} has {depth} axes"
                )
            for letter, expr in zip(letters, argument.shape, strict=True):
                first, name = extents.setdefault(letter, (expr, argument.name))
                if not self._same(first, expr):
                    return (
                        f"{letter!r} is {first.text} in {name} but {expr.text} in {argument.name}"
                    )
        return ""

    def _same(self, first: Expr, second: Expr | None) -> bool:
        """Whether two expressions agree at a few sizes; None stands for 1."""
        return all(
            _value_at(first, sizes) == (1 if second is None else _value_at(second, sizes))
            for sizes in self._probes()
        )

    def _probes(self) -> list[Mapping[str, int]]:
        """Sizes to compare expressions at."""
        return [
            {name: _PROBES[(shift + i) % len(_PROBES)] for i, name in enumerate(self.spec.sizes)}
            for shift in range(3)
        ]

    def tolerance(self, arguments: tuple[Argument, ...]) -> Tolerance:
        spec = self.spec.tolerance
        here: Location = ("tolerance", "reduction")
        if spec.reduction is not None:
            self.expression(spec.reduction, here, 1)
            terms = self._terms(arguments)
            if terms is not None and any(
                _value_at(spec.reduction, sizes) != math.prod(_value_at(e, sizes) for e in terms)
                for sizes in self._probes()
            ):
                summed = "*".join(expr.text for expr in terms) or "1"
                message = f"reduction is {spec.reduction.text}, but the einsum sums {summed} terms"
                raise self.fail(here, message)
        return Tolerance(float(spec.atol), float(spec.rtol), spec.reduction)

    def extreme_data(self, arguments: tuple[Argument, ...]) -> bool | None:
        """Of a python reference, true says that it only moves floats: then it has to be exact."""
        spec = self.spec
        if spec.extreme_data and spec.reference.python is not None:
            exact = spec.tolerance.atol == spec.tolerance.rtol == 0
            arrays = [a for a in arguments if a.role.is_array and a.type.startswith("float")]
            outputs = [a for a in arguments if a.role in (Role.OUT, Role.INOUT)]
            if not exact or not all(a in arrays for a in outputs):
                message = "extreme_data: true is for a python reference that moves floats: it needs"
                raise self.fail(("extreme_data",), f"{message} float outputs and tolerance: exact")
        return spec.extreme_data

    def _terms(self, arguments: tuple[Argument, ...]) -> list[Expr] | None:
        """The extents that the einsum sums over; None for a python reference."""
        if self.spec.reference.einsum is None:
            return None
        left, output = re.sub(r"\s", "", self.spec.reference.einsum).split("->")
        inputs = [a for a in arguments if a.role in (Role.IN, Role.INOUT)]
        extents: dict[str, Expr] = {}
        for letters, argument in zip(left.split(","), inputs, strict=True):
            extents.update(zip(letters, argument.shape, strict=True))
        return [expr for letter, expr in extents.items() if letter not in output]

    def _python(self, text: str, here: Location, default: str) -> str:
        """``file.py:function`` with the function's name filled in; the file must be there."""
        file, _, function = text.partition(":")
        function = function or default
        if not file.endswith(".py") or not function.isidentifier():
            raise self.fail(here, f"{show(text)} is not file.py:function")
        path = self.document.path.parent / file
        if not path.is_file():
            others = sorted(other.name for other in path.parent.glob("*.py"))
            raise self.fail(
                here, f"there is no file {file} beside the spec; {nearest(file, others)}"
            )
        return f"{file}:{function}"

    # --- perf ----------------------------------------------------------------------------------

    def perf(self) -> Perf | None:
        spec = self.spec.perf
        if spec is None:
            return None
        sizes = self.complete(spec.sizes, ("perf", "sizes"), "perf")
        for key in ("flops", "bytes"):
            expr: Expr | None = getattr(spec, key)
            if expr is not None:
                self.expression(expr, ("perf", key), 1)
        if spec.baseline == "matmul" and not self._is_matmul():
            raise self.fail(
                ("perf", "baseline"),
                'the baseline matmul needs an einsum such as "mn,nk->mk"; valid: matmul, copy',
            )
        return Perf(sizes, spec.flops, spec.bytes, spec.baseline or "")

    def _is_matmul(self) -> bool:
        match = re.fullmatch(
            r"(\w)(\w),(\w)(\w)->(\w)(\w)", re.sub(r"\s", "", self.spec.reference.einsum or "")
        )
        if match is None:
            return False
        m, n, n2, k, m2, k2 = match.groups()
        return n == n2 and m == m2 and k == k2 and len({m, n, k}) == 3


def _value_at(expr: Expr, sizes: Mapping[str, int]) -> int:
    """The value, or 0 where there is none: the probes are outside the sizes' ranges."""
    try:
        return expr.evaluate(sizes)
    except ExprError:
        return 0


def _rule(data: Data) -> DataRule:
    (kind,) = data.model_fields_set
    value = getattr(data, kind)
    if kind == "python":
        return DataRule(kind, (), value)
    if kind == "permutation":
        return DataRule(kind)
    params = value if isinstance(value, list) else [value]
    return DataRule(kind, tuple(params))
