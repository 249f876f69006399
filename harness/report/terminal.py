"""A place to write lines for people: colours, symbols and widths of one stream.

Decisions: everything printed goes through ``clean``, so no text of a submission can steer the
terminal; rich's markup is never read. Colour only on a terminal and without NO_COLOR. Only prose is
wrapped, and only on a terminal; paths, commands, numbers and code stay whole, so that they can be
copied. What the stream's encoding cannot hold is written as an escape, and the symbols become
ASCII.

rich is imported when there is something for it to do: output that goes into a file or a pipe has no
colours, and does without.
"""

from __future__ import annotations

import errno
import os
import re
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from harness.report.text import clean

if TYPE_CHECKING:
    from rich.console import Console

_OWN_LINE = re.compile(r"\s|[-*] |\d+[.)] ")

Part = str | tuple[str, str]
"""A piece of a line: text, or text with one of rich's styles."""


@dataclass(frozen=True)
class Symbols:
    good: str
    bad: str
    skipped: str
    plus_minus: str
    more: str


UNICODE = Symbols(good="✓", bad="✗", skipped="-", plus_minus="±", more="…")
ASCII = Symbols(good="[ok]", bad="[x]", skipped="[-]", plus_minus="+/-", more="...")


def cells(text: str) -> int:
    """The columns that ``text`` takes on a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


class Terminal:
    """Writes to ``stream``. ``width`` (columns) wraps prose; by default the terminal's own, and
    none where the stream is no terminal."""

    def __init__(self, stream: TextIO, *, width: int | None = None) -> None:
        self._encoding = getattr(stream, "encoding", None) or "utf-8"
        self._stream = stream
        self._console = _console(stream, width) if _is_terminal(stream) else None
        self._width = width or (self._console.width if self._console else None)
        self.symbols = UNICODE if self._holds("✓✗±…") else ASCII

    @property
    def width(self) -> int | None:
        """In columns; None where lines may be of any length."""
        return self._width

    def line(self, *parts: Part, indent: int = 0) -> None:
        """One line, never wrapped or cut."""
        pairs = [part if isinstance(part, tuple) else (part, "") for part in parts]
        if self._console is None:
            text = " " * indent + "".join(self._safe(words) for words, _ in pairs)
            self._stream.write(f"{text.rstrip().expandtabs()}\n")
            return
        from rich.text import Text

        line = Text(" " * indent)
        for words, style in pairs:
            line.append(self._safe(words), style or None)
        line.rstrip()
        self._console.print(line)

    def prose(self, text: str, *, style: str = "", indent: int = 0) -> None:
        """A sentence or more, wrapped between words; newlines are kept, and so are lines that
        begin with a blank: formulas, code."""
        for paragraph in clean(text).split("\n"):
            whole = paragraph.startswith(" ")
            for row in [paragraph] if whole else self._wrapped(paragraph, indent):
                self.line((row, style), indent=indent)

    def paragraphs(self, text: str) -> None:
        """Prose whose own line breaks count only where nothing is wrapped: paragraphs are filled
        to the width. Blank lines, lines that begin with a blank and items of lists are kept."""
        rows: list[str] = []
        for line in clean(text).split("\n"):
            own = not line or _OWN_LINE.match(line) is not None
            if self._width is None or own or not rows or not rows[-1] or rows[-1][0] == " ":
                rows.append(line)
            else:
                rows[-1] += f" {line}"
        self.prose("\n".join(rows))

    def labelled(self, label: str, text: str, *, style: str = "bold", indent: int = 0) -> None:
        """``hint: text``, wrapped like prose, with the label in a style."""
        first, *rest = self._wrapped(f"{label}: {' '.join(clean(text).split())}", indent)
        self.line((label, style), first.removeprefix(label), indent=indent)
        for row in rest:
            self.line(row, indent=indent)

    def table(self, rows: list[tuple[Part, ...]], *, indent: int = 0) -> None:
        """Left-aligned columns, as wide as their widest cell, two blanks between them."""
        widths = [max(self._cells(cell) for cell in column) for column in zip(*rows, strict=True)]
        for row in rows:
            self.row(row, widths, indent=indent)

    def row(self, cells: tuple[Part, ...], widths: list[int], *, indent: int = 0) -> None:
        """One row of a table whose widths are known beforehand."""
        parts: list[Part] = []
        for cell, width in zip(cells, widths, strict=True):
            parts += [cell, " " * (max(width - self._cells(cell), 0) + 2)]
        self.line(*parts, indent=indent)

    def blank(self) -> None:
        self.line()

    def _cells(self, part: Part) -> int:
        return cells(self._safe(part[0] if isinstance(part, tuple) else part))

    def _wrapped(self, text: str, indent: int) -> list[str]:
        if self._width is None:
            return [text]
        room = max(self._width - indent, 20)
        return textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]

    def _safe(self, text: str) -> str:
        text = clean(text)
        return text.encode(self._encoding, "backslashreplace").decode(self._encoding)

    def _holds(self, text: str) -> bool:
        try:
            text.encode(self._encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True


def _is_terminal(stream: TextIO) -> bool:
    """Whether to write for one; FORCE_COLOR says so of a file, as it does to rich."""
    if os.environ.get("FORCE_COLOR"):
        return True
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def _console(stream: TextIO, width: int | None) -> Console:
    from rich.console import Console

    class Unforgiving(Console):
        def on_broken_pipe(self) -> None:
            """rich would leave with code 1; what a reader that went away means is the command's."""
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    plain = "NO_COLOR" in os.environ and os.environ["NO_COLOR"] != ""
    return Unforgiving(
        file=stream,
        width=width,
        color_system=None if plain else "auto",
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=True,
    )
