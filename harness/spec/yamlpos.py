"""YAML with positions: plain values, and the line on which each of them stands.

Specs are small and written by hand, so what matters is that a mistake is named with its line and
that nothing surprising happens to a name. Decisions:

- PyYAML parses (libyaml where it is built in); scalars are then read here by YAML 1.2's rules, so
  that a size called ``N``, ``y`` or ``on`` stays a name and ``1e-4`` is a number.
- Keys are always text. A key that occurs twice is an error, and so are anchors, aliases and tags.
- Lines count from 1. The position of a mapping's value is its key's line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Union

import yaml

from harness.errors import SpecError

Value = Union[None, bool, int, float, str, "list[Value]", "dict[str, Value]"]
Location = tuple[str | int, ...]

MAX_BYTES = 4 << 20
MAX_DEPTH = 40

_INTEGER = re.compile(r"[-+]?[0-9][0-9_]*")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F_]+")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"[-+]?\.(inf|Inf|INF)")
_WORDS: Mapping[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


@dataclass(frozen=True)
class Document:
    """A YAML file: its value and the lines of all that is in it, by location (keys and indices
    from the top)."""

    path: Path
    value: Value
    lines: Mapping[Location, int]

    def line(self, location: Location) -> int:
        """The line of a location, or of the nearest thing around it that is there."""
        while location and location not in self.lines:
            location = location[:-1]
        return self.lines.get(location, 1)

    def error(self, location: Location, message: str) -> SpecError:
        return fault(self.path, self.line(location), message)


def fault(path: Path, line: int | None, message: str) -> SpecError:
    """A SpecError of one line, ``path:line: message``."""
    where = f"{path}:{line}" if line else f"{path}"
    return SpecError(f"{where}: {' '.join(message.split())}")


def load(path: Path) -> Document:
    """Read a file. Raises SpecError with the line for whatever is wrong with it as YAML."""
    text = _read(path)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Reader(path, yaml.parse(text, Loader=loader)).document()
    except yaml.YAMLError as error:
        raise _syntax(path, text, error) from None


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise fault(path, None, "no such file") from None
    except IsADirectoryError:
        raise fault(path, None, "is a directory; give the spec's .yaml file") from None
    except OSError as error:
        raise fault(path, None, f"cannot be read: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise fault(path, None, f"is larger than {MAX_BYTES >> 20} MiB; it is no problem spec")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise fault(path, line, f"not UTF-8 text (byte 0x{data[error.start]:02x})") from None


def _syntax(path: Path, text: str, error: yaml.YAMLError) -> SpecError:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "not valid YAML"
    position = getattr(error, "position", None)
    line = mark.line + 1 if mark else 1
    if mark is None and isinstance(position, int):
        line = text.count("\n", 0, position) + 1
    lines = text.splitlines()
    at = lines[line - 1] if line <= len(lines) else ""
    if at[: len(at) - len(at.lstrip())].count("\t"):
        problem = "a tab in the indentation; YAML is indented with spaces"
    return fault(path, line, f"bad YAML: {problem}")


class _Reader:
    """Turns the parser's events into values and notes their lines. Events and not PyYAML's nodes,
    because composing nodes recurses in C without a bound: deep nesting would end the process."""

    def __init__(self, path: Path, events: Iterator[yaml.Event]) -> None:
        self.path = path
        self.lines: dict[Location, int] = {}
        self._events = events

    def document(self) -> Document:
        event = self._after(yaml.StreamStartEvent, yaml.DocumentStartEvent)
        if isinstance(event, yaml.StreamEndEvent):
            message = "the file is empty; a spec is a mapping of name, title, ..."
            raise fault(self.path, 1, message)
        value = self._read(event, ())
        last = self._after(yaml.DocumentEndEvent)
        if not isinstance(last, yaml.StreamEndEvent):
            raise fault(self.path, _line(last), "a second document begins; a file holds one spec")
        return Document(self.path, value, self.lines)

    def _after(self, *kinds: type[yaml.Event]) -> yaml.Event:
        """The next event that is of none of these kinds."""
        return next(event for event in self._events if not isinstance(event, kinds))

    def _read(self, event: yaml.Event, location: Location) -> Value:
        line = self.lines.setdefault(location, _line(event))
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            raise fault(self.path, line, "anchors and aliases are not used in specs; write it out")
        if isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)) and event.tag:
            raise fault(self.path, line, f"the tag {event.tag!r} is not used in specs")
        if len(location) > MAX_DEPTH:
            raise fault(self.path, line, "nested too deeply")
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(location)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(location)
        assert isinstance(event, yaml.ScalarEvent)
        return str(event.value) if event.style else scalar(event.value)

    def _sequence(self, location: Location) -> list[Value]:
        result: list[Value] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            result.append(self._read(event, (*location, len(result))))
        return result

    def _mapping(self, location: Location) -> dict[str, Value]:
        result: dict[str, Value] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            line = _line(event)
            if not isinstance(event, yaml.ScalarEvent) or event.tag or event.anchor:
                raise fault(self.path, line, "a key must be a plain word")
            key = str(event.value)
            here = (*location, key)
            if key in result:
                first = self.lines[here]
                raise fault(self.path, line, f"the key {key!r} is already on line {first}")
            self.lines[here] = line
            result[key] = self._read(next(self._events), here)
        return result


def _line(event: yaml.Event) -> int:
    return int(event.start_mark.line) + 1 if event.start_mark is not None else 1


def scalar(text: str) -> Value:
    """A plain scalar by YAML 1.2's rules: null, true, false, an integer, a number, else text."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text) and len(text) < 1000:
        return int(text.rstrip("_"))
    if _HEXADECIMAL.fullmatch(text) and len(text) < 1000:
        return int(text[2:].replace("_", "") or "0", 16)
    if _NUMBER.fullmatch(text):
        return float(text.replace("_", ""))
    if _INFINITY.fullmatch(text):
        return float("-inf") if text.startswith("-") else float("inf")
    return float("nan") if text in (".nan", ".NaN", ".NAN") else text
