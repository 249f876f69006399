"""Functions that end without the value that they promise.

nvcc only warns, and on a GPU such a function returns whatever a register holds, which does no harm
where nobody uses it. A host compiler takes the end of such a function for unreachable and lets it
run on into the next one. So they get a ``return`` of no particular value.
"""

from __future__ import annotations

from collections.abc import Iterable

from harness.model import Diagnostic

_WARNING = "[-Wreturn-type]"
_RETURN = "return ::leetk::Anything();"


def unfinished(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What a compiler said of such functions; the place is that of the closing brace."""
    return [item for item in found if _WARNING in item.message and item.line and item.column]


def finished(text: str, places: Iterable[Diagnostic]) -> str:
    """The compiled text with returns before the braces at these places, which are counted from the
    text's second line: the first is a ``#line``."""
    lines = text.split("\n")
    for line, column in sorted({(p.line, p.column) for p in places}, reverse=True):
        if line >= len(lines):
            continue
        data = lines[line].encode("utf-8", "surrogateescape")
        if data[column - 1 : column] == b"}":
            data = data[: column - 1] + _RETURN.encode() + data[column - 1 :]
            lines[line] = data.decode("utf-8", "surrogateescape")
    return "\n".join(lines)
