"""From a problem's YAML file to a ``Problem``, or one line that says what is wrong with it.

Three steps: ``yamlpos`` reads values with their lines; the models in ``models`` check each
key; ``check`` checks what several keys say together and builds the Problem. Every fault is a
SpecError ``path:line: what; the nearest valid choice``. Of several faults the first in the file is
told.
"""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from harness.errors import SpecError
from harness.model import Problem
from harness.nearest import nearest
from harness.spec import check
from harness.spec.models import Spec, show
from harness.spec.yamlpos import Document, Location, load


def load_problem(path: Path) -> Problem:
    """Read and validate a spec. Raises SpecError, one line with the file and the line."""
    document = load(path)
    if not isinstance(document.value, dict):
        raise document.error((), "a spec is a mapping of name, title, statement, sizes, ...")
    try:
        spec = Spec.model_validate(document.value)
    except ValidationError as error:
        raise _first(document, error.errors(include_url=False)) from None
    return check.build(spec, document)


# --- pydantic's errors as one line ------------------------------------------------------------


def _first(document: Document, errors: list[ErrorDetails]) -> SpecError:
    """The error that stands first in the file."""
    found = [_located(document, error) for error in errors]
    _, location, message = min(found, key=lambda item: item[0])
    return document.error(location, message)


def _located(document: Document, error: ErrorDetails) -> tuple[int, Location, str]:
    location = _real(document, tuple(error["loc"]))
    context = error.get("ctx", {})
    if error["type"] == "leetk":
        message = str(context["text"])
        if context["key"] is not None:
            location = (*location, context["key"])
    elif error["type"] == "missing":
        message = f"missing key {error['loc'][-1]!r}{_inside(error['loc'][:-1])}"
        if error["loc"] == ("name",):
            message += f"; add the line: name: {document.path.stem}"
    elif error["type"] == "literal_error":
        valid = [word.strip("' ") for word in re.split(r",| or ", str(context["expected"]))]
        given = error["input"]
        label = _label(error["loc"])
        hint = f"valid: {', '.join(valid)}"
        if isinstance(given, str):
            known = _C_TYPES.get(given.lower()) if label == "type" else None
            hint = f"did you mean {known!r}?" if known else nearest(given, valid)
        message = f"unknown {label} {show(given)}; {hint}"
    else:
        message = f"{_label(error['loc'])} must be {_wanted(error)}, not {show(error['input'])}"
    return document.line(location), location, message


def _real(document: Document, location: Location) -> Location:
    """The location without what pydantic adds to name a union's member."""
    kept: Location = ()
    for part in location:
        if (*kept, part) in document.lines:
            kept = (*kept, part)
    return kept


# What C and CUDA call the types; by spelling alone, float would be nearest to float16.
_C_TYPES = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "__half": "float16",
    "char": "int8",
    "signed char": "int8",
    "unsigned char": "uint8",
    "byte": "uint8",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "long long": "int64",
    "uint8_t": "uint8",
    **{f"int{bits}_t": f"int{bits}" for bits in (8, 16, 32, 64)},
}

_WANTED = {
    "string": "text (in quotes if it looks like a number)",
    "int": "an integer",
    "float": "a number",
    "bool": "true or false",
    "list": "a list, such as [1, 8192]",
    "dict": "a mapping",
    "model": "a mapping",
}


def _wanted(error: ErrorDetails) -> str:
    kind = error["type"].split("_")[0]
    if kind == "list" and _label(error["loc"]) == "shape":
        given = error["input"]
        return f"a list, such as [{given}]" if isinstance(given, (str, int)) else "a list"
    return _WANTED.get(kind, "something else")


def _label(location: Location) -> str:
    names = [part for part in location if isinstance(part, str)]
    return names[-1] if names else "the spec"


def _inside(location: Location) -> str:
    if not location:
        return ""
    last = location[-1]
    if isinstance(last, int):
        return f" in {str(location[-2]).rstrip('s')} {last + 1}"
    return f" in {last}"
