"""A solution and its local headers as the compiler gets them: rewritten copies in a private tree.

Headers may hold launches and shared arrays, too, so all are copied, in the folders that they have
to each other, and each begins with a ``#line`` that names the original.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.backends.cpu.rewrite import Rewritten, line_directive, rewrite
from harness.model import Source
from harness.source import lexer
from harness.source.scopes import FILE, LINKAGE, scopes

TREE = "tree"


@dataclass(frozen=True)
class Place:
    """Lines and columns count from 1, columns in bytes."""

    file: str
    line: int
    column: int


@dataclass(frozen=True)
class SourceFile:
    """``shown`` is the path as the user knows it, ``place`` the copy's path below the tree."""

    shown: str
    place: str
    text: str
    rewritten: Rewritten
    ending: str = ""

    @property
    def compiled(self) -> str:
        """What the compiler gets: the rewritten text, behind it what must come last."""
        return self.rewritten.text + self.ending


@dataclass(frozen=True)
class SourceTree:
    """``main`` first. ``folder`` is the original folder of the solution."""

    files: tuple[SourceFile, ...]
    folder: Path

    @property
    def main(self) -> SourceFile:
        return self.files[0]

    def refuse(self, runtime: Path) -> None:
        """Raise Refused for the first feature that this backend lacks."""
        from harness.backends.cpu import refuse

        for file in self.files:
            refuse.check(file.text, file.shown, runtime)

    def write(self, work: Path, change: Callable[[str], str]) -> None:
        """Write the copies, with their texts changed, below ``work``."""
        for file in self.files:
            target = work / TREE / file.place
            target.parent.mkdir(parents=True, exist_ok=True)
            data = change(file.compiled).encode("utf-8", "surrogateescape")
            target.write_bytes(data)

    def column(self, shown: str, line: int, column: int) -> int:
        """The column in the original of one that the compiler named."""
        for file in self.files:
            if file.shown == shown:
                return file.rewritten.column(line, column)
        return column

    def original(self, place: Place) -> Place:
        """The place in the author's file of one in what is compiled."""
        return replace(place, column=self.column(place.file, place.line, place.column))


def source_tree(source: Source, headers: Sequence[tuple[Path, str]]) -> SourceTree:
    """Rewrite the solution and its headers."""
    texts = [(source.path, source.text), *headers]
    common = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path, _ in texts])
    files = tuple(
        SourceFile(
            str(path),
            os.path.relpath(os.path.abspath(path), common),
            text,
            rewrite(text, str(path)),
            _warp_size(text, str(path)) if path == source.path else "",
        )
        for path, text in texts
    )
    return SourceTree(files, Path(os.path.dirname(os.path.abspath(source.path))))


def _warp_size(text: str, file: str) -> str:
    """The definition of ``warpSize``, at the file's last line: so late that no array's size and no
    template argument can use it, as in CUDA, and early enough for the optimiser. Nothing where the
    file has one of its own."""
    if re.search(r"\bint\s+(?:const\s+)?warpSize\s*[={]", text) and _defines_warp_size(text):
        return ""
    last = max(1, text.count("\n") + (not text.endswith("\n")))
    place = line_directive(file, last)
    return f"\n\n#undef warpSize\n{place}const int warpSize = 32;\n"


def _defines_warp_size(text: str) -> bool:
    tokens = lexer.significant(lexer.tokens(text))
    pairs = zip(tokens, scopes(tokens), strict=True)
    return any(
        token.text == "warpSize" and not token.directive and scope.kind in (FILE, LINKAGE)
        for token, scope in pairs
    )
