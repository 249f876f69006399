"""Accesses to arrays in a line's text, by the columns that compilers give them (from 1, in UTF-8
bytes). A line at a time: what goes on in the next one isn't seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CLOSING = {"]": "[", ")": "(", "}": "{"}
_OPENING = frozenset(_CLOSING.values())
# Neither ``x & a[i]`` nor ``*&a[i]``.
_ADDRESS_AFTER = re.compile(r"(?:[=<>]|\breturn)\s*&\s*$")
_NAME_BEFORE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)*$")


def expression(line: str, column: int) -> str:
    """The access to an array that a compiler puts at this column: ``a[i + 1]``, whose last bracket
    g++ names. Empty where there is none."""
    before = _before(line, column)
    if not before.endswith("]"):
        return ""
    at = len(before)
    while at > 0 and before[at - 1] in _CLOSING and before[at - 1] != "}":
        at = _opening(before, at - 1)
    name = _NAME_BEFORE.search(before[: max(at, 0)])
    return before[name.start() :] if name else ""


def takes_address(line: str, column: int) -> bool:
    """Whether the access at this column, or the one into what it gives, is no more than an address
    that is stored, compared or returned: ``a[i]`` in ``p != &a[i][0]``, but not in ``f(&a[i][0])``,
    where the function may use it, nor in ``p = &a[i]->x``."""
    access = expression(line, column)
    before = _before(line, column)
    head = before[: len(before) - len(access)]
    if not access or not _ADDRESS_AFTER.search(head):
        return False
    rest = line[len(before) :].lstrip()
    while rest.startswith("["):
        closing = _closing(rest)
        if closing < 0:
            return False
        rest = rest[closing + 1 :].lstrip()
    return rest.startswith((";", ",", ")", "&&", "||")) and not re.match(r"\)\s*(?:\[|->)", rest)


def _closing(text: str) -> int:
    """Where the bracket that opens the text is closed; -1 if it is not."""
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if not depth:
            return index
    return -1


def _opening(text: str, closing: int) -> int:
    """Where the bracket at ``closing`` was opened; -1 if it was not."""
    depth = 0
    for index in range(closing, -1, -1):
        depth += (text[index] in _CLOSING) - (text[index] in _OPENING)
        if not depth:
            return index
    return -1


def argument_columns(line: str, column: int) -> list[int]:
    """The columns of the accesses to arrays that are whole arguments of the call whose opening
    parenthesis is at ``column``: of ``b[j]`` in ``f(a, b[j])``, but none in ``f(-b[j])``."""
    opening = len(_before(line, column)) - 1
    if line[opening : opening + 1] != "(":
        return []
    found = []
    for begin, end in _arguments(line, opening):
        at = len(line[:end].encode("utf-8", "replace"))
        if begin < end and expression(line, at) == line[begin:end]:
            found.append(at)
    return found


def _arguments(line: str, opening: int) -> Iterator[tuple[int, int]]:
    """Where each begins and ends, without blanks; none of a call that goes on in the next line."""
    depth, begins, ends = 0, [opening + 1], []
    for index in range(opening, len(line)):
        depth += (line[index] in _OPENING) - (line[index] in _CLOSING)
        if not depth:
            ends.append(index)
            break
        if depth == 1 and line[index] == ",":
            ends.append(index)
            begins.append(index + 1)
    for begin, end in zip(begins, ends, strict=True) if not depth else ():
        text = line[begin:end]
        yield begin + len(text) - len(text.lstrip()), begin + len(text.rstrip())


def _before(line: str, column: int) -> str:
    """The line up to and with a column."""
    return line.encode("utf-8", "replace")[:column].decode("utf-8", "replace")
