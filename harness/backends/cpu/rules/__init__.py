"""CUDA's own compile-time rules, checked before the host compiler runs.

One pass of a host compiler takes ``__device__`` and its kin for nothing, so it accepts programs
that nvcc rejects: a kernel that returns a value, a host function that calls a device function, an
initialised ``__shared__`` variable. ``check`` finds those that tokens can prove.

Decisions:

- What isn't certain is let pass: names that are declared twice, hidden by a local one, or made by a
  macro that can't be read; code under an ``#if`` that the text doesn't settle; calls that depend on
  template parameters; functions that nvcc may never make code for. A rejected right solution is
  worse than one missing message.
- The rules are those of nvcc 13.0 with the cuda backend's flags: no ``--expt-relaxed-constexpr``,
  no ``--extended-lambda``, no relocatable device code. Each was tried with nvcc.
- What nvcc only warns of is a warning or nothing here, too; a ``__shared__`` that is surely missing
  is a warning although nvcc says nothing (sharing.py).
- Calls that tokens don't show (constructors, operators, templates) are host_calls.py's, which asks
  GCC's call graph.

    text.py, values.py       macros and conditions; constants
    model.py, variables.py   declarations
    body.py, unit.py         one function; all files together
    library.py               CUDA's, C's and the C++ library's names
    sizes.py                 how many bytes variables take
    calls.py, math.py, classes.py, kernels.py, storage.py, objects.py, tables.py, shared.py,
    constants.py, sharing.py the rules themselves
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.backends.cpu.rules.calls import call_faults
from harness.backends.cpu.rules.classes import class_faults
from harness.backends.cpu.rules.constants import constant_faults
from harness.backends.cpu.rules.kernels import kernel_faults
from harness.backends.cpu.rules.math import math_faults
from harness.backends.cpu.rules.objects import object_faults
from harness.backends.cpu.rules.shared import shared_faults
from harness.backends.cpu.rules.sharing import sharing_faults
from harness.backends.cpu.rules.storage import storage_faults
from harness.backends.cpu.rules.unit import Fault, Unit
from harness.model import Diagnostic
from harness.source import lexer
from harness.source.lexer import Token

_MOST = 50


def read(text: str, headers: Sequence[str] = (), tokens: Sequence[Token] | None = None) -> Unit:
    """What ``text`` declares, with ``headers``, the texts of the solution's other files."""
    return Unit(lexer.significant(lexer.tokens(text) if tokens is None else tokens), headers)


def check(
    text: str,
    file: str,
    tokens: Sequence[Token] | None = None,
    headers: Sequence[str] = (),
    unit: Unit | None = None,
) -> tuple[Diagnostic, ...]:
    """The errors and warnings that nvcc would give for ``text`` and a host compiler wouldn't, in
    the order of their places.

    ``file`` is the name to show, ``tokens`` are those of ``text`` if they are known, and
    ``headers`` the texts of the solution's other files, whose declarations count but which are not
    checked themselves. ``unit`` is what ``read`` made of the same, if it is known.
    """
    unit = unit or read(text, headers, tokens)
    if not unit.stream.partner:
        return ()
    faults = {(fault.token.start, fault.message): fault for fault in _faults(unit)}
    lines = text.split("\n")
    ordered = [faults[key] for key in sorted(faults)]
    return tuple(_diagnostic(fault, file, text, lines) for fault in ordered[:_MOST])


def _faults(unit: Unit) -> Iterator[Fault]:
    yield from call_faults(unit)
    yield from class_faults(unit)
    yield from math_faults(unit)
    yield from kernel_faults(unit)
    yield from storage_faults(unit)
    yield from object_faults(unit)
    yield from shared_faults(unit)
    yield from constant_faults(unit)
    yield from sharing_faults(unit)


def _diagnostic(fault: Fault, file: str, text: str, lines: Sequence[str]) -> Diagnostic:
    """Columns count bytes of UTF-8 from 1, as compilers count them."""
    token = fault.token
    begin = text.rfind("\n", 0, token.start) + 1
    column = len(text[begin : token.start].encode("utf-8", "surrogateescape")) + 1
    line = lines[token.line - 1] if token.line <= len(lines) else ""
    return Diagnostic(file, token.line, column, fault.severity, fault.message, line)
