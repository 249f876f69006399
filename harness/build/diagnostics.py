"""What compilers print, as ``Diagnostic``s: g++, clang, nvcc's front end, ptxas, gas and linkers.

Line by line, with little state: where a template was instantiated (so that an error inside a header
of the judge's own is shown at the author's line), and the source line with its caret that some
compilers print below a message. A message that is repeated, as by nvcc's two passes, comes once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from harness.model import Diagnostic

MOST = 50

# GCC's quotation marks in a UTF-8 locale: made plain, for terminals and for whoever reads on.
_PLAIN = str.maketrans({"\u2018": "'", "\u2019": "'"})

_GNU = re.compile(
    r"^(?P<file>\S.*?)(?::(?P<line>\d+))?(?::(?P<column>\d+))?: "
    r"(?P<severity>fatal error|error|warning|note|Error|Warning|sorry, unimplemented|"
    r"internal compiler error): (?P<message>.*)$"
)
_EDG = re.compile(
    r"^(?P<file>\S.*?)\((?P<line>\d+)\): "
    r"(?P<severity>error|warning|remark|catastrophic error|internal error)"
    r"(?P<number> #[\w-]+)?: (?P<message>.*)$"
)
_NVIDIA = re.compile(
    r"^(?P<tool>ptxas|nvlink|nvcc|cicc|fatbinary|cudafe\+\+)(?P<place> [^;]*, line \d+;)?\s+"
    r"(?P<severity>error|fatal|warning)\s*:\s+(?P<message>.*)$"
)
_LINK_LINE = re.compile(
    r"^(?:\S*ld(?:\.\w+)?: )?(?P<file>[^:\n]+):(?P<line>\d+): (?P<message>undefined reference .*)$"
)
_LINK = re.compile(
    r"^.*?(?P<message>undefined reference to .*|required symbol .* not defined|"
    r"multiple definition of .*|undefined symbol: .*)$"
)
_REQUIRED = re.compile(
    r"^(?P<file>\S.*?):(?P<line>\d+):(?:(?P<column>\d+):)?\s+(?:recursively )?"
    r"required (?:from|by) (?P<what>.*)$"
)
_SHOWN = re.compile(r"^\s*(?P<line>\d+) \| ?(?P<text>.*)$")
_CARET = re.compile(r"^\s*\^[\s~^]*$")
_NOISE = (
    "In file included from",
    "each undeclared identifier is reported only once",
    "in definition of macro",
    "ld returned",
    "Assembler messages",
    "compilation terminated",
    "linker command failed",
    "Remark: ",
    "unrecognized command-line option",
)
_SEVERITIES = {
    "fatal error": "error",
    "Error": "error",
    "Warning": "warning",
    "sorry, unimplemented": "error",
    "internal compiler error": "error",
    "catastrophic error": "error",
    "internal error": "error",
    "fatal": "error",
    "remark": "note",
}


@dataclass
class _Place:
    file: str
    line: int
    column: int


def parse(
    text: str,
    roots: Mapping[str, str] | None = None,
    internal: Sequence[str] = (),
) -> tuple[Diagnostic, ...]:
    """The diagnostics in a compiler's output, ``MOST`` at most.

    ``roots`` maps paths that the compiler saw (files, or folders whose contents it stands for) to
    those to show. ``internal`` are folders of the judge's own: what is said there is moved to the
    author's line that led to it, and notes from there are dropped.
    """
    parser = _Parser(_renamer(roots or {}), tuple(internal))
    for line in text.translate(_PLAIN).splitlines():
        parser.line(line)
    parser.settle()
    return tuple(dict.fromkeys(parser.found))[:MOST]


def errors(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The errors alone."""
    return tuple(d for d in diagnostics if d.severity == "error")


def summary(diagnostics: Sequence[Diagnostic], fallback: str) -> str:
    """One line for a failed build: the first error, and how many there are."""
    found = errors(diagnostics)
    if not found:
        return fallback
    first = found[0]
    where = (
        f"{first.file}:{first.line}: " if first.line else f"{first.file}: " if first.file else ""
    )
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"{where}{first.message}{more}"


class _Parser:
    def __init__(self, rename: Callable[[str], str], internal: tuple[str, ...]) -> None:
        self.rename = rename
        self.internal = internal
        self.found: list[Diagnostic] = []
        self.context: list[_Place] = []
        self.stray: Diagnostic | None = None  # an internal error that still lacks its place
        self.edg: list[str] | None = None  # lines below an EDG message

    def line(self, line: str) -> None:
        line = line.rstrip()
        required = _REQUIRED.match(line)
        if required:
            self._finish_edg()
            place = _place(required)
            if not self._is_internal(place.file):
                self.context.append(place)
            return
        for pattern, take in (
            (_EDG, self._edg),
            (_GNU, self._gnu),
            (_NVIDIA, self._nvidia),
            (_LINK_LINE, self._link_line),
            (_LINK, self._link),
        ):
            match = pattern.match(line)
            if match:
                self._finish_edg()
                if not any(noise in line for noise in _NOISE):
                    take(match)
                return
        self._below(line)

    def settle(self) -> None:
        """The end of the output."""
        self._finish_edg()
        if self.stray is not None:
            self._add(self.stray)
            self.stray = None

    def _is_internal(self, file: str) -> bool:
        return any(file.startswith(folder) for folder in self.internal)

    def _add(self, diagnostic: Diagnostic) -> None:
        source = diagnostic.source_line or source_line(diagnostic.file, diagnostic.line)
        self.found.append(replace(diagnostic, source_line=source))

    def _gnu(self, match: re.Match[str]) -> None:
        severity = _SEVERITIES.get(match["severity"], match["severity"])
        place = _place(match)
        message = match["message"]
        if severity == "note":
            self._note(place, message)
            return
        if self.stray is not None:
            self.settle()
        if not match["line"] and place.file.rpartition("/")[2] in _TOOLS:
            place = _Place("", 0, 0)
        if self._is_internal(place.file):
            if not self.context:
                self.stray = Diagnostic("", 0, 0, severity, message)
                return
            place = self.context[-1]
        self.context = []
        file = self.rename(place.file)
        self._add(Diagnostic(file, place.line, place.column, severity, message))

    def _note(self, place: _Place, message: str) -> None:
        """A note; one in the author's file gives an error of an internal header its place."""
        if self._is_internal(place.file):
            return
        file = self.rename(place.file)
        if self.stray is not None and place.line:
            stray, self.stray = self.stray, None
            self._add(replace(stray, file=file, line=place.line, column=place.column))
        if "LEETK_" not in message and place.line:
            self._add(Diagnostic(file, place.line, place.column, "note", message))

    def _edg(self, match: re.Match[str]) -> None:
        severity = _SEVERITIES.get(match["severity"], match["severity"])
        number = (match["number"] or "").strip()
        message = f"{match['message']} [{number}]" if number else match["message"]
        file = self.rename(match["file"])
        self.found.append(Diagnostic(file, int(match["line"]), 0, severity, message))
        self.edg = []

    def _finish_edg(self) -> None:
        """Give the EDG message its source line, its column, and the lines that continue it."""
        if self.edg is None:
            return
        below, self.edg = self.edg, None
        last = self.found[-1]
        caret = next((i for i, line in enumerate(below) if _CARET.match(line)), -1)
        shown = below[caret - 1] if caret > 0 else ""
        more = below[: caret - 1] if caret > 0 else below
        details = [line.strip() for line in more if line.strip() and "detected" not in line]
        message = "; ".join([last.message, *details])
        source = source_line(last.file, last.line)
        column = _edg_column(shown, below[caret].index("^"), source) if caret > 0 else 0
        self.found[-1] = replace(
            last, message=message, column=column, source_line=source or shown.strip()
        )

    def _nvidia(self, match: re.Match[str]) -> None:
        severity = _SEVERITIES.get(match["severity"], match["severity"])
        message = match["message"]
        if "aborted due to errors" not in message:
            self._add(Diagnostic("", 0, 0, severity, f"{match['tool']}: {message}"))

    def _link_line(self, match: re.Match[str]) -> None:
        file = self.rename(match["file"])
        self._add(Diagnostic(file, int(match["line"]), 0, "error", match["message"]))

    def _link(self, match: re.Match[str]) -> None:
        self._add(Diagnostic("", 0, 0, "error", match["message"]))

    def _below(self, line: str) -> None:
        """A line that begins no message: the source line of the one above, or its continuation."""
        if self.edg is not None:
            if line:
                self.edg.append(line)
            if not line or _CARET.match(line):
                self._finish_edg()
            return
        shown = _SHOWN.match(line)
        if shown and self.found and int(shown["line"]) == self.found[-1].line:
            if not self.found[-1].source_line:
                self.found[-1] = replace(self.found[-1], source_line=shown["text"])


_TOOLS = frozenset(("cc1plus", "cc1", "g++", "gcc", "clang", "clang++", "collect2", "c++", "as"))


def _place(match: re.Match[str]) -> _Place:
    return _Place(match["file"], int(match["line"] or 0), int(match["column"] or 0))


def _edg_column(shown: str, caret: int, source: str) -> int:
    """The column in ``source`` of the word above the caret in the line as EDG shows it, which has
    macros expanded and blanks squeezed."""
    match = re.match(r"\w+|\S", shown[caret:])
    if not source or match is None:
        return 0
    word = match.group()
    bounded = rf"(?<!\w){re.escape(word)}(?!\w)" if word[0].isalnum() else re.escape(word)
    before = len(re.findall(bounded, shown[:caret]))
    places = [found.start() for found in re.finditer(bounded, source)]
    if not places:
        return 0
    return places[min(before, len(places) - 1)] + 1


def _renamer(roots: Mapping[str, str]) -> Callable[[str], str]:
    ordered = sorted(roots.items(), key=lambda item: -len(item[0]))

    def rename(file: str) -> str:
        for root, shown in ordered:
            if file == root:
                return shown
            if file.startswith(root.rstrip("/") + "/"):
                return os.path.join(shown, file[len(root.rstrip("/")) + 1 :])
        return file

    return rename


def source_line(file: str, line: int) -> str:
    """Line ``line`` of ``file`` as it is on disk, empty if there is none."""
    if not file or line < 1:
        return ""
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return ""
    lines = _lines(file, status.st_mtime_ns, status.st_size)
    return lines[line - 1] if line <= len(lines) else ""


@lru_cache(maxsize=8)
def _lines(file: str, modified: int, size: int) -> tuple[str, ...]:
    """The file's lines; when it was modified and its size only tell one version from another."""
    try:
        with open(file, "rb") as stream:
            data = stream.read(8 << 20)
    except OSError:
        return ()
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
