"""Storage that CUDA or the runtime needs otherwise, as edits: ``extern __shared__`` arrays, the
``static`` beside ``__shared__``, and ``thread_local``.

The specifiers of a declaration may stand in any order (``__shared__ extern``, the type first, an
alignment anywhere). The alignment goes: the dynamic arena is aligned to more than any type needs.
A type with a comma in it, or an array of rows, travels as ``__typeof__(...)``, whose parentheses
keep it one macro argument.

``__shared__`` is ``static thread_local`` in the runtime, which poisons all thread-local variables
when a block starts; so the solution's own become static ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from harness.backends.cpu.rewrite.edits import Edit
from harness.source import lexer
from harness.source.lexer import Token, joined
from harness.source.scopes import closing_of, opening_of

_ALIGNERS = frozenset(("alignas", "__align__", "__attribute__", "_Alignas"))
_DROPPED = frozenset(("extern", "__shared__", "static", "thread_local"))
_THREAD_LOCAL = frozenset(("thread_local", "__thread"))
_MACRO = "LEETK_DYNAMIC_SHARED"
_FILE_MACRO = "LEETK_DYNAMIC_SHARED_FILE"
_CONTROL = frozenset(("else", "do", "return", "case", "default"))
# Tokens on one side of ``__shared__``. What has no end must not be searched for it at each word.
_LONGEST = 200


@dataclass(frozen=True)
class Unsized:
    """An ``extern __shared__`` variable that is no array: nvcc takes it, the rewriter doesn't."""

    token: Token


def storage_edits(
    stream: Sequence[Token], at_file_level: Callable[[Token], bool]
) -> tuple[list[Edit], list[Unsized]]:
    """The edits for all such declarations of a stream of significant tokens. ``at_file_level``
    says whether a token stands outside functions and classes."""
    edits: list[Edit] = []
    unsized: list[Unsized] = []
    done = -1
    for index, token in enumerate(stream):
        if token.text in _THREAD_LOCAL:
            edits.append(_thread_local(stream, index, at_file_level(token)))
        if token.text != "__shared__" or index <= done:
            continue
        begin = _declaration_begin(stream, index)
        end = _head_end(stream, begin)
        specifiers = [i for i in range(begin, end) if stream[i].text in _DROPPED]
        words = {stream[i].text for i in specifiers}
        if "extern" in words:
            is_array = end < len(stream) and stream[end].text == "["
            if not is_array or stream[end - 1].kind != lexer.IDENTIFIER:
                unsized.append(Unsized(token))
                continue
            macro = _FILE_MACRO if at_file_level(token) else _MACRO
            found, done = _dynamic(stream, begin, end - 1, macro)
            edits += found
            continue
        edits += _alignment_first(stream, index)
        if "static" in words:
            static = next(stream[i] for i in specifiers if stream[i].text == "static")
            edits.append(Edit(static.start, static.end, " " * len(static.text)))
    # Two of them in one declaration have its ``static`` in common; a ``thread_local`` beside
    # ``extern __shared__``, which nvcc refuses, goes with what is replaced there.
    return _apart(list(dict.fromkeys(edits))), unsized


def _apart(edits: list[Edit]) -> list[Edit]:
    """Without those that lie in another one; of two at one place the later goes."""
    kept: list[Edit] = []
    covered = -1  # how far those that were kept reach; all of them begin before what comes next
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.end <= covered:
            continue
        kept.append(edit)
        if edit.start < edit.end:
            covered = max(covered, edit.end)
    return kept


def shared_declarations(stream: Sequence[Token]) -> Iterator[int]:
    """The index of each ``__shared__`` that is not ``extern``."""
    for index, token in enumerate(stream):
        if token.text == "__shared__":
            begin = _declaration_begin(stream, index)
            head = stream[begin : _head_end(stream, begin)]
            if all(other.text != "extern" for other in head):
                yield index


def declarator(stream: Sequence[Token], shared: int) -> tuple[int, int] | None:
    """The first name that the declaration with this ``__shared__`` declares: its index, and that
    of what follows it and its brackets. None for what is not plainly a variable."""
    begin = _declaration_begin(stream, shared)
    index = _head_end(stream, begin)
    head = {token.text for token in stream[begin:index]}
    if index >= len(stream) or stream[index - 1].kind != lexer.IDENTIFIER:
        return None
    if head & {"struct", "union", "class", "enum"}:
        return None
    _, after = _brackets(stream, index)
    return (index - 1, after) if after < len(stream) else None


def _alignment_first(stream: Sequence[Token], index: int) -> list[Edit]:
    """``__shared__ alignas(16)`` the other way round: ``alignas`` can't follow a ``static``."""
    opening = index + 2
    if opening >= len(stream) or stream[index + 1].text != "alignas":
        return []
    closing = closing_of(stream, opening)
    if closing < 0:
        return []
    shared, alignas = stream[index], stream[index + 1]
    alignment = joined(stream[index + 1 : closing + 1])
    emptied = [Edit(token.start, token.end, "") for token in stream[opening : closing + 1]]
    return [
        Edit(shared.start, shared.end, alignment),
        Edit(alignas.start, alignas.end, shared.text),
        *emptied,
    ]


def _declaration_begin(stream: Sequence[Token], index: int) -> int:
    least = max(0, index - _LONGEST)
    while index > least:
        before = stream[index - 1]
        if before.kind == lexer.IDENTIFIER and before.text not in _CONTROL:
            index -= 1
        elif before.text == "::" or before.text == "*":
            index -= 1
        elif before.text == ")":
            opening = opening_of(stream, index - 1)
            if opening <= 0 or stream[opening - 1].text not in _ALIGNERS:
                break
            index = opening - 1
        else:
            break
    return index


def _head_end(stream: Sequence[Token], begin: int) -> int:
    """The index of what ends the first declarator's name: its ``[``, or the end of a declaration
    without one."""
    index = begin
    most = min(len(stream), begin + 2 * _LONGEST)
    while index < most:
        word = stream[index].text
        if word == "(":
            index = max(index, closing_of(stream, index))
        elif word in ("[", ";", "{", "}", "=", ")"):
            break
        index += 1
    return index


def _thread_local(stream: Sequence[Token], index: int, at_file_level: bool) -> Edit:
    token = stream[index]
    begin = _declaration_begin(stream, index)
    words = {other.text for other in stream[begin : _head_end(stream, begin)]}
    plain = at_file_level or words & {"static", "extern"}
    return Edit(token.start, token.end, ("" if plain else "static").ljust(len(token.text)))


def _dynamic(stream: Sequence[Token], begin: int, name: int, macro: str) -> tuple[list[Edit], int]:
    """Edits for one ``extern __shared__`` declaration, and the last index that they cover."""
    base = [stream[i] for i in _without_specifiers(stream, begin, name)]
    stars = []
    while base and base[-1].text == "*":
        stars.append(base.pop())
    pieces: dict[int, str] = {}
    index = name
    first = begin
    while True:
        rows, after = _brackets(stream, index + 1)
        pieces[first] = f"{macro}({_type(base, stars, rows)}, {stream[index].text})"
        if after >= len(stream) or stream[after].text != ",":
            break
        following = after + 1
        stars = []
        while following < len(stream) and stream[following].text == "*":
            stars.append(stream[following])
            following += 1
        if following + 1 >= len(stream) or stream[following + 1].text != "[":
            break
        pieces[after] = ";"
        first, index = after + 1, following
    edits = [Edit(stream[i].start, stream[i].end, pieces.get(i, "")) for i in range(begin, after)]
    return edits, after


def _without_specifiers(stream: Sequence[Token], begin: int, end: int) -> Iterator[int]:
    index = begin
    while index < end:
        word = stream[index].text
        if word in _ALIGNERS and index + 1 < end and stream[index + 1].text == "(":
            index = closing_of(stream, index + 1)
        elif word not in _DROPPED:
            yield index
        index += 1


def _brackets(stream: Sequence[Token], index: int) -> tuple[list[Token], int]:
    """The bounds after the first pair of brackets, and the index after the declarator with its
    attributes."""
    rows: list[Token] = []
    first = True
    while index < len(stream):
        word = stream[index].text
        if word == "[":
            closing = closing_of(stream, index)
            if closing < 0:
                break
            if not first:
                rows += stream[index : closing + 1]
            first = False
            index = closing + 1
        elif word in _ALIGNERS and index + 1 < len(stream) and stream[index + 1].text == "(":
            index = closing_of(stream, index + 1) + 1
        else:
            break
    return rows, index


def _type(base: Sequence[Token], stars: Sequence[Token], rows: Sequence[Token]) -> str:
    text = joined(base) + "*" * len(stars) + joined(rows)
    return f"__typeof__({text})" if "," in text else text
