"""The part of a source that a profile shows: the functions around the lines that it counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_CONTEXT = 2  # lines around one that is counted
_GAP = 2  # a stretch of so few lines is shown, not left out


@dataclass(frozen=True)
class Row:
    """A line of the source with its number, from 1. ``skipped`` lines before it are left out."""

    number: int
    text: str
    skipped: int


def excerpt(text: str, counted: Iterable[int]) -> list[Row]:
    """The lines with these numbers, the heads and ends of the functions around them and some lines
    beside them. Numbers beyond the text are passed over."""
    lines = text.split("\n")
    wanted = {number for number in counted if 0 < number <= len(lines)}
    functions = _functions(text) if wanted else []
    shown: set[int] = set()
    for number in wanted:
        around = next((f for f in functions if f.first <= number <= f.last), None)
        near = set(range(number - _CONTEXT, number + _CONTEXT + 1))
        if around is None:
            shown |= near & set(range(1, len(lines) + 1))
        else:
            shown |= near & set(range(around.first, around.last + 1))
            shown |= {*range(around.first, around.opening + 1), around.last}
    return list(_rows(lines, sorted(shown), functions))


@dataclass(frozen=True)
class _Function:
    """Its ``first`` and ``last`` line, and that of the brace that opens its body."""

    first: int
    opening: int
    last: int


def _functions(text: str) -> list[_Function]:
    from harness.source.functions import Outline
    from harness.source.scopes import closing_of

    outline = Outline(text)
    found = []
    for function in outline.functions:
        if function.scope is None:
            continue
        begin, opening = function.scope.header
        closing = max(closing_of(outline.tokens, opening), opening)  # itself where none closes it
        lines = (outline.tokens[index].line for index in (begin, opening, closing))
        found.append(_Function(*lines))
    return found


def _rows(
    lines: Sequence[str], shown: Sequence[int], functions: Sequence[_Function]
) -> Iterator[Row]:
    """With short gaps filled; what lies between two functions is never a gap."""
    ends = {function.last for function in functions}
    before = 0
    for number in shown:
        gap = number - before - 1 if before and before not in ends else 0
        if gap <= _GAP:
            for filled in range(number - gap, number):
                yield Row(filled, lines[filled - 1], 0)
            gap = 0
        yield Row(number, lines[number - 1], gap)
        before = number
