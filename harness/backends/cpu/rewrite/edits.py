"""Small replacements in a text, and the way back from a column in the new text to the old one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """Replace ``[start, end)`` by ``text``; an insertion where both are equal."""

    start: int
    end: int
    text: str


class Edited:
    """The text after ``edits`` (which must not overlap), with the map back."""

    def __init__(self, text: str, edits: Sequence[Edit]) -> None:
        self.original = text
        pieces: list[str] = []
        # Where unchanged stretches and replacements begin: in the new text, and in the old one.
        self._new: list[int] = [0]
        self._old: list[int] = [0]
        self._grown: list[bool] = [False]
        at = length = 0
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            if edit.start < at:
                raise ValueError("edits overlap")
            kept = text[at : edit.start]
            pieces += (kept, edit.text)
            length += len(kept)
            self._mark(length, edit.start, True)
            length += len(edit.text)
            at = edit.end
            self._mark(length, at, False)
        pieces.append(text[at:])
        self.text = "".join(pieces)

    def _mark(self, new: int, old: int, grown: bool) -> None:
        self._new.append(new)
        self._old.append(old)
        self._grown.append(grown)

    def column(self, line: int, column: int) -> int:
        """The column in the original of ``line:column`` in the new text; both from 1, columns in
        UTF-8 bytes as compilers count them, 0 unchanged when it is not known."""
        new_begin = _line_begin(self.text, line)
        old_begin = _line_begin(self.original, line)
        if new_begin < 0 or old_begin < 0 or column <= 0:
            return column
        stop = self.text.find("\n", new_begin)
        new_line = self.text[new_begin : stop if stop >= 0 else len(self.text)]
        characters = len(
            new_line.encode("utf-8", "replace")[: column - 1].decode("utf-8", "replace")
        )
        offset = self._offset(new_begin + characters)
        if offset < old_begin:
            return column
        return len(self.original[old_begin:offset].encode("utf-8", "replace")) + 1

    def _offset(self, new: int) -> int:
        index = bisect_right(self._new, new) - 1
        if self._grown[index]:
            return self._old[index]
        return self._old[index] + new - self._new[index]


def _line_begin(text: str, line: int) -> int:
    begin = 0
    for _ in range(line - 1):
        begin = text.find("\n", begin) + 1
        if not begin:
            return -1
    return begin
