"""The author's own headers: the files beside a solution that it includes, and what they include."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from harness.source import lexer
from harness.source.read import MAX_BYTES

_CUDA_SUFFIXES = (".cu", ".cuh")


def local_includes(path: Path) -> tuple[Path, ...]:
    """All existing files that ``path`` includes with ``"..."`` (or, for CUDA headers that stand
    beside the file, with ``<...>``), directly or not, each once, in order of appearance. Conditions
    are not evaluated: a file too many does no harm."""
    found: dict[Path, None] = {}
    waiting = [path]
    seen = {_normal(path)}
    while waiting:
        current = waiting.pop(0)
        for name, quoted in _names(current):
            target = Path(os.path.normpath(current.parent / name))
            if not quoted and target.suffix not in _CUDA_SUFFIXES:
                continue
            if _normal(target) not in seen and _is_header(target):
                seen.add(_normal(target))
                found[target] = None
                waiting.append(target)
    return tuple(found)


def included_names(text: str) -> Iterator[tuple[str, bool, lexer.Token]]:
    """Each include's name, whether it stands in quotes, and its token."""
    if "include" not in text:
        return
    for token in lexer.tokens(text):
        if token.kind == lexer.INCLUDE and token.directive == "include":
            quoted = token.text.endswith('"')
            name = token.text[token.text.index('"' if quoted else "<") + 1 : -1]
            yield name, quoted, token


def _names(path: Path) -> Iterator[tuple[str, bool]]:
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return
    for name, quoted, _ in included_names(text):
        yield name, quoted


def _is_header(path: Path) -> bool:
    """Whether it is a file of a source's size. Any name may stand in an include, too long a one or
    that of the system's memory, too."""
    try:
        return os.path.isfile(path) and os.path.getsize(path) <= MAX_BYTES
    except OSError:
        return False


def _normal(path: Path) -> str:
    return os.path.abspath(path)
