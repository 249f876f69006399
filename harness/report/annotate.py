"""A kernel's source with its figures: beside the lines where all of them fit, else below each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.report.excerpt import Row, excerpt
from harness.report.figures import is_costly, worst
from harness.report.problems import access_name
from harness.report.terminal import cells

if TYPE_CHECKING:
    from harness.counters import KernelCounters, LineCounters
    from harness.report.terminal import Part, Terminal

_HEAD = ("access", "requests", "each", "ideal", "conflicts", "lanes", "")
_LEFT = ("access", "")  # the others are numbers
_UNLIMITED = 140  # columns, where the stream is no terminal
_TAB = 4
_STYLES = {"!!": "bold red", "!": "yellow", "": ""}


@dataclass(frozen=True)
class _Figures:
    """One access: the line, its mark, and its cells in the order of ``_HEAD``."""

    line: LineCounters
    mark: str
    cells: tuple[str, ...]


def annotated(
    kernel: KernelCounters, solution: str, sources: Mapping[str, str], out: Terminal
) -> None:
    """Write the lines of each file that the kernel's accesses name, ``solution`` first; what can't
    be read as a bare list."""
    if not kernel.lines:
        out.line("no access to global or shared memory was counted", indent=2)
        return
    figures = _figures(kernel, sources)
    files = sorted({line.file for line in kernel.lines}, key=lambda file: (file != solution, file))
    excerpts = {
        file: excerpt(sources[file], (one.line.line for one in figures if one.line.file == file))
        for file in files
        if file in sources
    }
    layout = _Layout(figures, excerpts, out)
    for file in files:
        name = "" if file == solution else file or "not in the source"
        here = [one for one in figures if one.line.file == file]
        layout.file(name, excerpts.get(file, []), here)


def _figures(kernel: KernelCounters, sources: Mapping[str, str]) -> list[_Figures]:
    bad = worst(kernel)
    found = []
    for line in kernel.lines:
        mark = "!!" if line in bad else "!" if is_costly(line) else ""
        size = "" if line.size == 4 else f", {line.size} B"
        row = (
            f"{line.space} {line.access}{size}",
            f"{line.requests:,}",
            _short(line.each),
            _short(line.least),
            f"{line.conflicts:,}" if line.space == "shared" else "",
            _short(line.active),
            access_name(line, sources),
        )
        found.append(_Figures(line, mark, row))
    return found


def _short(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.1f}"


class _Layout:
    """Widths that all files of a kernel share. ``beside`` is the column of the figures, counted
    from that of the code; 0 where they stand below the code, for want of room."""

    def __init__(
        self, figures: Sequence[_Figures], excerpts: Mapping[str, Sequence[Row]], out: Terminal
    ) -> None:
        self._out = out
        rows = [one.cells for one in figures]
        self._widths = [
            max(map(cells, (name, *column))) if any(column) else 0  # no shared memory: no conflicts
            for name, *column in zip(_HEAD, *rows, strict=True)
        ]
        self._digits = max(len(str(one.line.line)) for one in figures) + 1
        self._room = (out.width or _UNLIMITED) - self._digits - 5
        counted = {(one.line.file, one.line.line) for one in figures}
        widest = max(
            (
                cells(_code(row))
                for file, excerpt in excerpts.items()
                for row in excerpt
                if (file, row.number) in counted
            ),
            default=0,
        )
        needed = sum(width + 2 for width in self._widths if width)
        self._beside = widest + 2 if widest + needed <= self._room else 0
        self._write("", "", self._indent, "bold", self._cells(_HEAD))

    @property
    def _indent(self) -> str:
        return " " * (self._beside or 2)

    def file(self, name: str, rows: Sequence[Row], figures: Sequence[_Figures]) -> None:
        """``name`` is shown where it is not empty."""
        if name:
            self._out.line((f"{name}:", "bold"), indent=3)
        shown = {row.number for row in rows}
        for row in rows:
            self._row(row, [one for one in figures if one.line.line == row.number])
        for one in figures:
            if one.line.line not in shown:
                number = str(one.line.line or "?")
                self._write(one.mark, number, self._indent, "", self._cells(one.cells))

    def _row(self, row: Row, figures: Sequence[_Figures]) -> None:
        if row.skipped:
            self._write("", self._out.symbols.more, "", "dim")
        number, code = str(row.number), _code(row)
        if not self._beside or not figures:
            mark = max((one.mark for one in figures), default="")
            self._write(mark, number, code, "" if figures else "dim")
            number = code = ""
        for one in figures:
            left = f"{code}{self._indent[cells(code) :]}"
            self._write(one.mark, number, left, "", self._cells(one.cells))
            number = code = ""

    def _cut(self, code: str) -> str:
        """To the terminal's width: the whole of it is in the author's file."""
        if self._out.width is None or cells(code) <= self._room:
            return code
        more = self._out.symbols.more
        while cells(code) > self._room - len(more):
            code = code[:-1]
        return code + more

    def _cells(self, row: Iterable[str]) -> str:
        parts = []
        for name, cell, width in zip(_HEAD, row, self._widths, strict=True):
            if width:
                pad = " " * (width - cells(cell))
                parts.append(cell + pad if name in _LEFT else pad + cell)
        return "  ".join(parts).rstrip()

    def _write(self, mark: str, number: str, code: str, style: str, figures: str = "") -> None:
        shown = self._cut(code + figures)
        parts: list[Part] = [
            (f"{mark:<2} ", _STYLES[mark]),
            (f"{number:>{self._digits}}  ", "dim"),
            (shown[: len(code)], style),
            (shown[len(code) :], _STYLES[mark] or style),
        ]
        self._out.line(*parts)


def _code(row: Row) -> str:
    return row.text.expandtabs(_TAB).rstrip()
