"""CUDA's additions to the C++ grammar, rewritten into macros of the runtime's headers.

Only what no macro can express is touched, by replacements that never add or drop a line:

- ``k<1><<<grid, block>>>(a, b)`` becomes
  ``LEETK_LAUNCH("k<1>", (k<1>), (grid, block), (a, b))``, wherever it stands: in a macro's body, in
  another launch's arguments, across lines (in a macro's body with ``LEETK_WORDS(k<1>)`` for the
  name, as ``k`` may be its parameter);
- ``extern __shared__ float s[];`` becomes ``LEETK_DYNAMIC_SHARED(float, s);``, outside functions
  ``LEETK_DYNAMIC_SHARED_FILE``;
- the ``static`` beside ``__shared__`` goes, because ``__shared__`` is a ``static`` of its own, and
  ``thread_local`` becomes ``static``;
- launch bounds, casts of kernels and a little inline PTX (``kernel_edits.py``);
- loops that wait (``spins.py``).

A ``<<<`` that is no whole launch stays as it is: the compiler complains about it, or ``refuse.py``
names it where a macro may hold the missing part.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from harness.backends.cpu.rewrite import kernel_edits, spins
from harness.backends.cpu.rewrite.edits import Edit, Edited
from harness.backends.cpu.rewrite.launches import Launch, find_launches, streams
from harness.backends.cpu.rewrite.shared_memory import storage_edits
from harness.source import lexer
from harness.source.lexer import Token, joined
from harness.source.scopes import scopes

_WORDS = ("<<", "__shared__", "thread_local", "__thread", *kernel_edits.WORDS, *spins.WORDS)


@dataclass(frozen=True)
class Rewritten:
    """``text`` is what the compiler gets: a ``#line`` that names ``file``, then the source, line by
    line. ``launches`` counts the rewritten ones."""

    text: str
    file: str
    launches: int
    edits: tuple[Edit, ...]
    original: str

    @cached_property
    def _edited(self) -> Edited:
        return Edited(self.original, self.edits)

    def column(self, line: int, column: int) -> int:
        """The column in the original text of a column in the rewritten one (both from 1)."""
        return self._edited.column(line, column)


def rewrite(text: str, file: str) -> Rewritten:
    """Rewrite a source. ``file`` is the name that diagnostics, ``__FILE__`` and debug information
    shall show."""
    edits: list[Edit] = []
    launches = 0
    if any(word in text for word in _WORDS):
        found = lexer.significant(lexer.tokens(text))
        levels = _FileLevel(found)
        volatile = spins.volatile_names(found)
        for stream in streams(found):
            whole, _ = find_launches(stream)
            launches += len(whole)
            for launch in whole:
                edits += _launch_edits(stream, launch)
            edits += storage_edits(stream, levels)[0]
            edits += kernel_edits.kernel_edits(stream)
            edits += spins.spin_edits(stream, volatile)
    edits.sort()
    edited = Edited(text, edits)
    return Rewritten(line_directive(file) + edited.text, file, launches, tuple(edits), text)


class _FileLevel:
    """Whether a token stands outside functions and classes. The scopes are found when first asked
    for: few sources need them."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens

    @cached_property
    def _outside(self) -> frozenset[int]:
        pairs = zip(self._tokens, scopes(self._tokens), strict=True)
        return frozenset(token.start for token, scope in pairs if scope.at_file_level)

    def __call__(self, token: Token) -> bool:
        return not token.directive and token.start in self._outside


def _launch_edits(stream: Sequence[Token], launch: Launch) -> list[Edit]:
    name = _name(stream[launch.begin : launch.open])
    begin = stream[launch.begin].start
    chevrons = stream[launch.open : launch.config]
    closers = stream[launch.close : launch.arguments]
    end = stream[launch.end].end
    return [
        Edit(begin, begin, f"LEETK_LAUNCH({name}, ("),
        Edit(chevrons[0].start, chevrons[0].end, "), ("),
        *(Edit(token.start, token.end, "") for token in chevrons[1:]),
        Edit(closers[0].start, closers[0].end, "), "),
        *(Edit(token.start, token.end, "") for token in closers[1:]),
        Edit(end, end, ")"),
    ]


def _name(callee: Sequence[Token]) -> str:
    """The kernel's name as a literal. In a macro's body it may be a parameter, whose value only the
    compiler knows."""
    written = joined(callee)
    return f"LEETK_WORDS({written})" if callee[0].directive == "define" else _quoted(written)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def line_directive(file: str, line: int = 1) -> str:
    """``#line 1 "file"`` with a line end, for any name a file system allows."""
    name = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}"
        for byte in os.fsencode(file)
    )
    return f'#line {line} "{name}"\n'
