"""Problems made by hand, for tests that need a signature and nothing else."""

from __future__ import annotations

from pathlib import Path

from harness.expr import parse
from harness.model import Argument, Problem, Reference, Role, Tolerance


def problem(name: str, *arguments: tuple[str, str, str]) -> Problem:
    """A problem whose arguments are ``(name, type, role)``; arrays have N elements."""
    made = tuple(
        Argument(n, t, Role(r), (parse("N"),) if Role(r).is_array else ()) for n, t, r in arguments
    )
    return Problem(
        name=name,
        title=name,
        statement="",
        sizes={"N": (1, 8192)},
        arguments=made,
        reference=Reference(),
        tolerance=Tolerance(0.0, 0.0),
        examples=(),
        tests=(),
        perf=None,
        path=Path(f"{name}.yaml"),
    )


COPY = problem(
    "copy", ("input", "float32", "in"), ("output", "float32", "out"), ("N", "int32", "size")
)
EVERY_TYPE = problem(
    "every_type",
    ("a", "bool", "in"),
    ("b", "int8", "in"),
    ("c", "uint8", "in"),
    ("d", "int16", "in"),
    ("e", "int64", "in"),
    ("f", "float64", "inout"),
    ("g", "float32", "scalar"),
    ("N", "int32", "size"),
)
