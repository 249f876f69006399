"""Smaller things in CUDA sources that the host compiler can't know, as edits.

- ``__launch_bounds__(256)``: a launch of more threads is an error. The runtime checks it in the
  kernel, where the bound may depend on template parameters: ``LEETK_LAUNCH_BOUNDS(256);`` becomes
  the kernel's first statement, and the first thread to run takes the launch back.
- ``cudaLaunchKernel((void*)kernel, ...)`` and its cooperative kin: the cast goes, because the
  runtime needs the types of the kernel's parameters.
- ``asm`` that reads a special register (``mov.u32 %0, %%laneid;``) or is one of a few plain
  instructions: a call of the runtime. All other inline PTX is refused (``refuse.py``).
- The second ``__syncthreads()`` of a line becomes ``::leetk::NthOfLine<2>::__syncthreads()``, and
  so on: the compiler tells the runtime a barrier's line, but not its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.backends.cpu.rewrite.edits import Edit
from harness.source import lexer
from harness.source.lexer import Token, joined
from harness.source.scopes import closing_of

WORDS = ("__launch_bounds__", "cudaLaunch", "asm", "__syncthreads")

ASM = frozenset(("asm", "__asm__", "__asm"))
_ASM_WORDS = frozenset(("volatile", "__volatile__", "__volatile", "inline", "__inline__"))
_LAUNCHERS = frozenset(("cudaLaunchKernel", "cudaLaunchCooperativeKernel"))
_BARRIERS = frozenset(
    ("__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or")
)
_MOST_BARRIERS = 100  # of a line
_CASTS = frozenset(("reinterpret_cast", "static_cast"))
# Their parentheses hold no parameters.
_SPECIFIERS = frozenset(
    ("__launch_bounds__", "__maxnreg__", "__attribute__", "alignas", "__align__", "decltype")
)
# Tokens between a kernel's bounds and its parameters.
_LONGEST = 200
_READ = re.compile(
    r"mov\.(?P<type>[subf]32|[subf]64) %0, %%?(?P<name>laneid|warpid|nwarpid|smid|nsmid|clock|"
    r"clock64|globaltimer|lanemask_(?:eq|lt|le|gt|ge)|(?:n?tid|n?ctaid)\.[xyz]);?"
)
_INSTRUCTIONS = {
    "bar.sync 0": "__syncthreads()",
    "barrier.sync 0": "__syncthreads()",
    "bar.warp.sync 0xffffffff": "__syncwarp()",
    "membar.cta": "__threadfence_block()",
    "membar.gl": "__threadfence()",
    "membar.sys": "__threadfence_system()",
    "fence.acq_rel.gpu": "__threadfence()",
    "trap": "__trap()",
}


@dataclass(frozen=True)
class _Asm:
    """An ``asm`` statement: indices of its parentheses, its text, and the index of the one output's
    opening parenthesis, -1 without one."""

    opening: int
    closing: int
    text: str
    output: int


def kernel_edits(stream: Sequence[Token]) -> Iterator[Edit]:
    """The edits for a stream of significant tokens. They add and drop no line."""
    for index, token in enumerate(stream):
        if token.kind != lexer.IDENTIFIER:
            continue
        if token.text == "__launch_bounds__":
            yield from _bounds(stream, index)
        elif token.text in _LAUNCHERS:
            yield from _uncast(stream, index + 1)
        elif token.text in ASM:
            yield from _asm_edits(stream, index)
    yield from _barriers(stream)


def _barriers(stream: Sequence[Token]) -> Iterator[Edit]:
    """A macro's body stands in one line, wherever it is used."""
    line, number = 0, 0
    for index, token in enumerate(stream[:-1]):
        if token.text not in _BARRIERS or stream[index + 1].text != "(":
            continue
        if index and stream[index - 1].text in ("::", ".", "->"):
            continue
        here = -1 if token.directive else token.line
        number = number + 1 if here == line else 1
        line = here
        if 1 < number < _MOST_BARRIERS:
            yield Edit(token.start, token.start, f"::leetk::NthOfLine<{number}>::")


def is_known_asm(stream: Sequence[Token], index: int) -> bool:
    """Whether the ``asm`` at ``index`` is one that the runtime has a call for."""
    return next(_asm_edits(stream, index), None) is not None


# --- launch bounds -----------------------------------------------------------------------------


def _bounds(stream: Sequence[Token], index: int) -> Iterator[Edit]:
    opening = index + 1
    if opening >= len(stream) or stream[opening].text != "(":
        return
    closing = closing_of(stream, opening)
    body = _body_after(stream, closing + 1) if closing > 0 else -1
    if body < 0:
        return
    bounds = joined(stream[opening + 1 : closing])
    end = stream[body].end
    yield Edit(end, end, f" LEETK_LAUNCH_BOUNDS({bounds});")


def _body_after(stream: Sequence[Token], index: int) -> int:
    """The ``{`` of the function whose declaration goes on at ``index``, -1 for a mere
    declaration."""
    most = min(len(stream), index + _LONGEST)
    while index < most:
        word = stream[index].text
        if word == "{":
            return index
        if word in (";", "}"):
            return -1
        if word == "(":
            if stream[index - 1].text not in _SPECIFIERS:
                after = closing_of(stream, index) + 1
                plain = 0 < after < len(stream) and stream[after].text == "{"
                return after if plain else -1
            index = closing_of(stream, index)
            if index < 0:
                return -1
        index += 1
    return -1


# --- casts of kernels --------------------------------------------------------------------------


def _uncast(stream: Sequence[Token], opening: int) -> Iterator[Edit]:
    if opening >= len(stream) or stream[opening].text != "(":
        return
    begin = opening + 1
    words = [token.text for token in stream[begin : begin + 7]]
    if words[:1] == ["("]:
        count = _void_pointer(words[1:])
        if count and words[1 + count : 2 + count] == [")"]:
            yield from _dropped(stream[begin : begin + count + 2])
    elif words[:1] and words[0] in _CASTS and words[1:2] == ["<"]:
        count = _void_pointer(words[2:])
        if count and words[2 + count : 4 + count] == [">", "("]:
            yield from _dropped(stream[begin : begin + count + 3])


def _void_pointer(words: Sequence[str]) -> int:
    """How many of the words make ``void*`` or ``const void*``, 0 if they don't."""
    for form in (["void", "*"], ["const", "void", "*"], ["void", "const", "*"]):
        if list(words[: len(form)]) == form:
            return len(form)
    return 0


def _dropped(tokens: Sequence[Token]) -> Iterator[Edit]:
    for token in tokens:
        yield Edit(token.start, token.end, "")


# --- inline PTX --------------------------------------------------------------------------------


def _asm_edits(stream: Sequence[Token], index: int) -> Iterator[Edit]:
    found = _asm_at(stream, index)
    if found is None:
        return
    whole = stream[index : found.closing + 1]
    text = " ".join(found.text.split())
    if found.output < 0:
        call = _INSTRUCTIONS.get(text.rstrip("; "))
        if call is None:
            return
        yield Edit(whole[0].start, whole[0].end, call)
        yield from _dropped(whole[1:])
        return
    read = _READ.fullmatch(text)
    if read is None:
        return
    name = read["name"].replace(".", "_")
    output_end = closing_of(stream, found.output)
    yield from _dropped(stream[index : found.output])
    after = stream[output_end + 1 : found.closing + 1]
    yield Edit(after[0].start, after[0].end, f" = ::leetk::ptx_{name}()")
    yield from _dropped(after[1:])


def _asm_at(stream: Sequence[Token], index: int) -> _Asm | None:
    opening = index + 1
    while opening < len(stream) and stream[opening].text in _ASM_WORDS:
        opening += 1
    if opening >= len(stream) or stream[opening].text != "(":
        return None
    closing = closing_of(stream, opening)
    if closing < 0:
        return None
    at = opening + 1
    text = ""
    while at < closing and stream[at].kind == lexer.STRING and stream[at].text[0] == '"':
        text += stream[at].text[1:-1].replace("\\n", " ").replace("\\t", " ")
        at += 1
    if _nothing_more(stream[at:closing]):
        return _Asm(opening, closing, text, -1)
    outputs = [token.text for token in stream[at : at + 3]]
    if outputs not in ([":", '"=r"', "("], [":", '"=l"', "("]):
        return None
    output = at + 2
    if not _nothing_more(stream[closing_of(stream, output) + 1 : closing]):
        return None
    return _Asm(opening, closing, text, output)


def _nothing_more(tokens: Sequence[Token]) -> bool:
    """Whether these are no operands, but colons and what the statement clobbers."""
    return re.fullmatch(r':*("memory")?', "".join(token.text for token in tokens)) is not None
