"""The keys of a problem spec as pydantic models: which there are, and what each may hold.

Unknown keys are forbidden and nothing is coerced. What a single key or its neighbours in one
mapping can get wrong is checked here; what needs the rest of the spec is in ``check``.
Validators raise ``complaint``, whose text goes to the user as it stands.

A tolerance over 0.1 is refused: it would accept almost anything, and is a typing error.
"""

from __future__ import annotations

import keyword
import math
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

from harness.expr import Expr, ExprError, parse
from harness.nearest import nearest

# The first model looks for pydantic's plugins in every installed package: 20 ms for nothing.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

MAX_TOLERANCE = 0.1
INTEGER_RANGES: Mapping[str, tuple[int, int]] = {
    "bool": (0, 1),
    "uint8": (0, 2**8 - 1),
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
}
FLOAT_LARGEST: Mapping[str, float] = {
    "float16": 65504.0,
    "float32": 3.4028234663852886e38,
    "float64": 1.7976931348623157e308,
}
_NAME = re.compile(r"[a-z0-9_-]+")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# The C++ words that someone could take for an argument's name; Python's keywords cover the others.
_RESERVED = frozenset(
    "alignas auto bool case catch char const constexpr default delete do double enum extern float "
    "goto inline int long namespace new operator private protected public register short signed "
    "sizeof static struct switch template this throw typedef typename union unsigned using virtual "
    "void volatile wchar_t solve".split()
)

TypeName = Literal[
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "float16",
    "float32",
    "float64",
]
RoleName = Literal["in", "out", "inout", "size", "scalar"]


def show(value: object) -> str:
    """A value as a message shows it: short."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def complaint(message: str, key: str | int | None = None) -> PydanticCustomError:
    """What a validator raises: ``key`` is the key below the model that the message is about."""
    return PydanticCustomError("leetk", "{text}", {"text": message, "key": key})


def _expression(value: object) -> Expr:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise complaint(f"{show(value)} is not an integer expression over the sizes")
    try:
        return parse(value)
    except ExprError as error:
        raise complaint(str(error)) from None


# Pydantic need not know what an Expr is made of.
if TYPE_CHECKING:
    ExprField = Expr
else:
    ExprField = Annotated[Any, BeforeValidator(_expression)]


class Model(BaseModel):
    """Base of the models: no unknown keys, no coercion."""

    # Only the whole Spec's validator is ever used, so the parts build none of their own.
    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, value: Any) -> Any:
        value = cls.shorthand(value)
        if isinstance(value, Mapping):
            for key in value:
                if key not in cls.model_fields:
                    hint = nearest(key, cls.model_fields)
                    raise complaint(f"unknown key {key!r}; {hint}", key)
        return value

    @classmethod
    def shorthand(cls, value: Any) -> Any:
        """The mapping that a short form such as ``tolerance: exact`` stands for."""
        return value


class Data(Model):
    """How an input is filled: exactly one kind."""

    uniform: list[float] | None = None
    normal: list[float] | None = None
    integers: list[int] | None = None
    constant: float | bool | None = None
    arange: list[float] | None = None
    permutation: bool | None = None
    python: str | None = None

    @classmethod
    def shorthand(cls, value: Any) -> Any:
        if value == "arange":
            return {"arange": [0, 1]}
        if value == "permutation":
            return {"permutation": True}
        if isinstance(value, str):
            kind = value if value in cls.model_fields else None
            hint = f"{kind} needs numbers" if kind else nearest(value, cls.model_fields)
            raise complaint(f"unknown data {value!r}; {hint}")
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Data:
        if len(self.model_fields_set) != 1:
            raise complaint(f"data has one kind; valid: {', '.join(Data.model_fields)}")
        for kind, what in (
            ("uniform", "low, high"),
            ("normal", "mean, deviation"),
            ("integers", "low, high"),
            ("arange", "start, step"),
        ):
            numbers = getattr(self, kind)
            if kind in self.model_fields_set and (numbers is None or len(numbers) != 2):
                raise complaint(f"{kind} takes two numbers, [{what}]", kind)
            if numbers and not all(math.isfinite(number) for number in numbers):
                raise complaint(f"{kind} takes finite numbers", kind)
            if numbers and kind in ("uniform", "integers") and numbers[0] > numbers[1]:
                raise complaint(f"{kind} is [low, high], but {numbers[0]} > {numbers[1]}", kind)
        if self.normal and self.normal[1] < 0:
            raise complaint("normal is [mean, deviation], and the deviation is negative", "normal")
        if self.permutation is False:
            raise complaint("permutation takes no value; write data: permutation", "permutation")
        return self


class ArgumentSpec(Model):
    """One C parameter of solve."""

    name: str
    type: TypeName
    role: RoleName
    shape: list[ExprField] | None = None
    data: Data | None = None
    value: int | float | bool | None = None

    @model_validator(mode="after")
    def _fits_role(self) -> ArgumentSpec:
        problem = identifier_problem(self.name)
        if problem:
            raise complaint(problem, "name")
        if self.role in ("in", "out", "inout"):
            if not self.shape:
                raise complaint(f"the array {self.name} needs a shape, such as [M, N]", "shape")
            if self.value is not None:
                raise complaint("an array has data, not a value", "value")
        elif self.shape is not None:
            raise complaint(f"a {self.role} has no shape", "shape")
        if self.data is not None and self.role in ("out", "size"):
            what = "an output is only written" if self.role == "out" else "a size comes from sizes"
            raise complaint(f"{self.name} takes no data: {what}", "data")
        if self.role == "size" and self.value is not None:
            raise complaint("a size takes no value: it comes from sizes", "value")
        if self.role == "scalar" and (self.value is None) == (self.data is None):
            raise complaint("a scalar needs either a value or data", "name")
        return self


class ReferenceSpec(Model):
    """Where right answers come from: exactly one of the two."""

    einsum: str | None = None
    python: str | None = None

    @model_validator(mode="after")
    def _one(self) -> ReferenceSpec:
        if (self.einsum is None) == (self.python is None):
            raise complaint('a reference is either einsum: "mn,nk->mk" or python: file.py:function')
        return self


class ToleranceSpec(Model):
    """How far a float output may be off."""

    atol: float
    rtol: float
    reduction: ExprField | None = None

    @classmethod
    def shorthand(cls, value: Any) -> Any:
        if value == "exact":
            return {"atol": 0, "rtol": 0}
        if isinstance(value, str):
            raise complaint(
                f"unknown tolerance {value!r}; valid: exact, or atol, rtol and reduction"
            )
        return value

    @model_validator(mode="after")
    def _sane(self) -> ToleranceSpec:
        for key in ("atol", "rtol"):
            number = getattr(self, key)
            if not 0 <= number <= MAX_TOLERANCE:
                raise complaint(
                    f"{key} is {number}; it must lie between 0 and {MAX_TOLERANCE}", key
                )
        return self


class ExampleSpec(Model):
    """A worked example. ``sizes`` only where they can't be read off the arrays."""

    inputs: dict[str, Any]
    outputs: dict[str, Any]
    sizes: dict[str, int] = {}


class PerfSpec(Model):
    """The timed case."""

    sizes: dict[str, int]
    flops: ExprField | None = None
    bytes: ExprField | None = None
    baseline: Literal["matmul", "copy"] | None = None


class Spec(Model):
    """A whole spec, key by key; what the keys say together is checked afterwards."""

    name: str
    title: str
    statement: str
    sizes: dict[str, list[int]]
    arguments: list[ArgumentSpec]
    reference: ReferenceSpec
    tolerance: ToleranceSpec
    examples: list[ExampleSpec] = []
    tests: list[dict[str, int]] = []
    extreme_data: bool | None = None
    perf: PerfSpec | None = None

    @model_validator(mode="after")
    def _names(self) -> Spec:
        if not _NAME.fullmatch(self.name):
            raise complaint(f"the name {self.name!r} may hold only a-z, 0-9, _ and -", "name")
        for key in ("title", "statement"):
            if not getattr(self, key).strip():
                raise complaint(f"the {key} is empty", key)
        if not self.arguments:
            raise complaint("there are no arguments", "arguments")
        if not self.sizes:
            raise complaint("there are no sizes; a problem has at least one", "sizes")
        return self


Spec.model_rebuild()


def identifier_problem(name: str) -> str:
    """Why C++ or Python would not take a name; empty when both do."""
    if not _IDENTIFIER.fullmatch(name):
        return f"{name!r} is not a C identifier"
    if name in _RESERVED or keyword.iskeyword(name):
        return f"{name!r} is a reserved word; choose another name"
    return ""


def misfit(value: float | int | bool, kind: str) -> str:
    """Why a number can't be of a type; empty when it can."""
    if kind == "bool":
        return "" if value in (0, 1) else f"{show(value)} is not true or false"
    if isinstance(value, bool):
        return f"{show(value)} is not a number of type {kind}"
    if kind in FLOAT_LARGEST:
        fits = not math.isfinite(value) or abs(value) <= FLOAT_LARGEST[kind]
        return "" if fits else f"{show(value)} does not fit into {kind}"
    if not math.isfinite(value) or value != int(value):
        return f"{show(value)} is not an integer, as {kind} needs"
    low, high = INTEGER_RANGES[kind]
    return "" if low <= value <= high else f"{show(value)} does not fit into {kind}"
