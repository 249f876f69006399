"""A solution file to a ``Source``, or one line that says why not.

Accepted and put right: a byte order mark, CRLF, CR alone (read as LF), and bytes that are not UTF-8
as long as they stand in comments, where no compiler looks: people paste comments in GBK, Shift-JIS
or Latin-1. Anywhere else such bytes would change the program, so they are refused with their line.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from harness.errors import SourceError
from harness.model import Finding, Source
from harness.source import lexer

MAX_BYTES = 8 << 20
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_ESCAPED = re.compile("[\udc80-\udcff]")
_DOUBLED_CR = re.compile(r"\r+(?=\r\n)")
_LONE_CR = re.compile(r"\r(?!\n)")


def read_source(path: Path | str) -> Source:
    """Read a solution. Raises SourceError with one line: what, where, what to do."""
    path = Path(path)
    data = _read_bytes(path)
    if not data.strip():
        raise SourceError(f"{path}: the file is empty; write the solution into it and save it")
    if data[:2] in _UTF16_MARKS:
        raise SourceError(f"{path}: the file is UTF-16, not UTF-8; save it as UTF-8")
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise SourceError(
            f"{path}:{line}: a NUL byte, so this is no text file; give a CUDA source in UTF-8"
        )
    text, warnings = _decode(path, data.removeprefix(b"\xef\xbb\xbf"))
    if not text.strip():
        raise SourceError(f"{path}: the file is empty; write the solution into it and save it")
    return Source(path, text, warnings)


def read_text(path: Path) -> str:
    """The text of a header beside a solution, by the same rules."""
    data = _read_bytes(path).removeprefix(b"\xef\xbb\xbf")
    return _decode(path, data)[0]


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise SourceError(f"{path}: a directory; give the path of a .cu file in it")
        if path.exists() and not path.is_file():
            raise SourceError(f"{path}: not a regular file; give the path of a .cu file")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise SourceError(
                f"{path}: {size >> 20} MiB is too large for a source; give the .cu file itself"
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise SourceError(f"{path}: no such file{_nearest(path)}") from None
    except NotADirectoryError:
        raise SourceError(f"{path}: no such file; {path.parent} is no directory") from None
    except PermissionError:
        raise SourceError(
            f"{path}: no permission to read it; allow it with chmod u+r {path}"
        ) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SourceError(
            f"{path}: cannot be read ({reason}); give the path of a .cu file"
        ) from None


def _nearest(path: Path) -> str:
    """What the user may have meant: a name in the same folder that looks alike."""
    import difflib

    try:
        names = [name for name in os.listdir(path.parent) if name.endswith((".cu", ".cuh", ".cpp"))]
    except OSError:
        return f"; there is no folder {path.parent}"
    close = difflib.get_close_matches(path.name, names, n=1, cutoff=0.4)
    return f"; did you mean {path.parent / close[0]}?" if close else "; check the path"


def _decode(path: Path, data: bytes) -> tuple[str, tuple[Finding, ...]]:
    text = data.decode("utf-8", "surrogateescape")
    if "\r" in text:
        text = _LONE_CR.sub("\n", _DOUBLED_CR.sub("", text))
    if text.isascii() or not _ESCAPED.search(text):
        return text, ()
    lines: list[int] = []
    for token in lexer.tokens(text):
        match = _ESCAPED.search(token.text)
        if match is None:
            continue
        line = token.line + token.text[: match.start()].count("\n")
        if token.kind != lexer.COMMENT:
            raise SourceError(f"{path}:{line}: bytes that are not UTF-8; save the file as UTF-8")
        lines.append(line)
    message = f"line {lines[0]}: bytes that are not UTF-8, in a comment; save the file as UTF-8"
    if len(lines) > 1:
        message = f"{message} (and {len(lines) - 1} more)"
    finding = Finding("encoding", "warning", message, str(path), lines[0])
    return _ESCAPED.sub(_REPLACEMENT, text), (finding,)
