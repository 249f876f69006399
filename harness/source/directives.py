"""``// leetk: ...`` comments: what a solution says about itself.

``// leetk: problem matmul`` names its problem, ``// leetk: expect wrong_answer`` the verdict that
it is meant to get (several, with commas: any of them). They count in any comment, at the start of
one of its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from harness.errors import SourceError
from harness.model import Verdict
from harness.nearest import nearest
from harness.source import lexer

_LINE = re.compile(r"^[\s/*!]*leetk:[ \t]*(?P<rest>.*?)[\s*/]*$")
_KEYS = ("problem", "expect")


@dataclass(frozen=True)
class Directives:
    """``expected`` is empty where the solution is meant to be accepted."""

    problem: str | None = None
    expected: tuple[Verdict, ...] = ()


def directives(text: str, file: str = "") -> Directives:
    """The directives in ``text``. Raises SourceError, with ``file:line:`` before it, for one that
    is not understood: a directive that did nothing would be found out too late."""
    problem: str | None = None
    expected: list[Verdict] = []
    for line, rest in _lines(text):
        where = f"{file}:{line}: " if file else f"line {line}: "
        key, _, value = rest.partition(" ")
        values = value.replace(",", " ").split()
        if key not in _KEYS:
            raise SourceError(f"{where}unknown directive {key!r}; {nearest(key, _KEYS)}")
        if not values:
            raise SourceError(f"{where}the directive {key!r} needs a value: // leetk: {key} NAME")
        if key == "problem":
            if len(values) > 1 or problem not in (None, values[0]):
                raise SourceError(f"{where}a solution names one problem; keep one of the two")
            problem = values[0]
        else:
            expected.extend(_verdict(word, where) for word in values)
    return Directives(problem, tuple(dict.fromkeys(expected)))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    if "leetk:" not in text:
        return
    for token in lexer.tokens(text):
        if token.kind != lexer.COMMENT or "leetk:" not in token.text:
            continue
        for number, line in enumerate(token.text.split("\n")):
            match = _LINE.match(line)
            if match:
                yield token.line + number, match["rest"]


def _verdict(word: str, where: str) -> Verdict:
    names = tuple(verdict.value for verdict in Verdict)
    if word not in names:
        raise SourceError(f"{where}unknown verdict {word!r}; {nearest(word, names)}")
    return Verdict(word)
