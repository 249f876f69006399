"""What a file declares at namespace and class scope, as far as tokens tell: functions with their
execution space, variables, and the names about which nothing is certain.

A declaration that is not understood makes its name *doubtful* and costs a diagnostic; it never
makes one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from harness.backends.cpu.rules.text import UNKNOWN, Stream
from harness.backends.cpu.rules.variables import (
    ATTRIBUTES,
    FUNDAMENTAL,
    SPECIFIERS,
    Place,
    Variable,
    variables,
)
from harness.source import lexer

_CLASS_KEYS = frozenset(("class", "struct", "union"))
_SHOUTED = re.compile(r"[A-Z][A-Z0-9_]{2,}")


class Space(Enum):
    """Where a function runs."""

    HOST = "__host__"
    DEVICE = "__device__"
    BOTH = "__host__ __device__"
    KERNEL = "__global__"
    UNKNOWN = ""

    @property
    def on_device(self) -> bool:
        return self in (Space.DEVICE, Space.BOTH, Space.KERNEL)

    @property
    def on_host(self) -> bool:
        return self in (Space.HOST, Space.BOTH)


@dataclass(frozen=True, eq=False)
class Function:
    """A declaration or definition. ``at`` is the index of its name; ``header`` the range up to the
    body or semicolon, ``parameters`` and ``body`` the indices of the brackets. ``words`` stand
    outside the parameters, ``returns`` before the name without specifiers. ``types`` and
    ``values`` are template parameters, None where there are none; ``takes`` has the words of each
    parameter; ``owner`` is the class of a member, as far as it is known. An operator's name is
    ``operator+``."""

    name: str
    at: int
    header: tuple[int, int]
    parameters: tuple[int, int]
    body: tuple[int, int] | None
    space: Space
    words: frozenset[str]
    returns: tuple[str, ...]
    types: frozenset[str] | None
    values: frozenset[str]
    place: Place
    member: bool
    owner: str
    specialised: bool
    takes: tuple[tuple[str, ...], ...]

    @property
    def is_template(self) -> bool:
        return self.types is not None or self.place.templates is not None

    def accepts(self, count: int) -> bool:
        """Whether it can be called with so many arguments."""
        if any("..." in words for words in self.takes):
            return count >= len(self.takes) - 1
        needed = sum("=" not in words for words in self.takes)
        return needed <= count <= len(self.takes)

    @property
    def is_local(self) -> bool:
        """Whether no code is made unless something in the file uses it."""
        inline = {"inline", "__inline__", "__forceinline__", "constexpr", "static"}
        anonymous = "" in self.place.namespace
        return bool(inline & self.words) or anonymous or self.member or self.is_template


@dataclass
class Declared:
    """All that one stream declares. ``doubtful`` are names of which this module can't say what they
    are, ``members`` those that classes give to something,
    ``classes`` those of classes that are no templates."""

    functions: list[Function] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    classes: set[str] = field(default_factory=set)
    members: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)


def declarations(stream: Stream) -> Declared:
    """Read a stream. Nothing is found where the brackets don't pair up."""
    walker = _Walker(stream)
    if stream.partner:
        walker.walk(0, len(stream.tokens), Place())
    walker.found.doubtful |= stream.doubtful
    return walker.found


class _Walker:
    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.found = Declared()

    def walk(self, begin: int, end: int, place: Place) -> None:
        stream = self._stream
        index = begin
        while index < end:
            word = stream.text(index)
            if word == ";":
                self._statement(begin, index, place)
                begin = index + 1
            elif word == ":" and stream.text(index - 1) in ("public", "private", "protected"):
                begin = index + 1
            elif word in ("(", "["):
                index = stream.partner[index]
            elif word == "{":
                closing = stream.partner[index]
                if not self._belongs(begin, index):
                    self._block(begin, index, closing, place)
                    begin = closing + 1
                index = closing
            index += 1

    # --- braces ---

    def _belongs(self, begin: int, brace: int) -> bool:
        """Whether the braces are an initialiser within a statement."""
        stream = self._stream
        start, _, _ = self._template(begin)
        before = stream.text(brace - 1)
        words = [stream.text(i) for i in range(begin, min(brace, begin + 2))]
        if brace == begin or "namespace" in words or stream.kind(brace - 1) == lexer.STRING:
            return False
        if self._class_key(start, brace) >= 0:
            return False
        if before in ("=", ",", "(", "return"):
            return True
        shape = self._shape(start, brace)
        if shape is None:
            return stream.is_word(brace - 1) or before in ("]", ">")
        colon = any(stream.text(i) == ":" for i in self._top(shape[2] + 1, brace))
        return colon and (stream.is_word(brace - 1) or before == ">")

    def _block(self, begin: int, brace: int, closing: int, place: Place) -> None:
        stream = self._stream
        words = [stream.text(i) for i in range(begin, brace)]
        if not words:
            return
        if stream.kind(brace - 1) == lexer.STRING and "extern" in words:
            self.walk(brace + 1, closing, place)
            return
        if "namespace" in words[:2]:
            name = words[-1] if words[-1] != "namespace" else ""
            inside = replace(place, namespace=(*place.namespace, name))
            self.walk(brace + 1, closing, inside)
            return
        start, types, _ = self._template(begin)
        key = self._class_key(start, brace)
        if key >= 0:
            self._class(key, brace, closing, types, place)
        elif self._shape(start, brace) is not None:
            self._function(begin, brace, (brace, closing), place)
        else:
            self._doubt(begin, brace)

    def _class(
        self, key: int, brace: int, closing: int, types: frozenset[str] | None, place: Place
    ) -> None:
        stream = self._stream
        if stream.text(key) == "enum":
            for begin, end in stream.parts(brace + 1, closing):
                self._doubt(begin, min(begin + 1, end))
            return
        words = [stream.text(i) for i in self._top(key + 1, brace)]
        words = words[: words.index(":")] if ":" in words else words
        names = [w for w in words if w.isidentifier() and w not in ATTRIBUTES]
        outer = place.templates
        templates = outer if types is None else types | (outer or frozenset())
        if names and templates is None:
            self.found.classes.add(names[0])
        inside = replace(place, owner=names[0] if names else "?", templates=templates)
        self.walk(brace + 1, closing, inside)

    def _class_key(self, begin: int, brace: int) -> int:
        """The index of the ``struct`` or its kin that the braces define, -1 without one."""
        stream = self._stream
        top = [i for i in self._top(begin, brace)]
        for position, index in enumerate(top):
            word = stream.text(index)
            if word == "enum":
                return index
            if word in _CLASS_KEYS:
                rest = [stream.text(i) for i in top[position + 1 :]]
                rest = rest[: rest.index(":")] if ":" in rest else rest
                return -1 if "=" in rest or self._shape(index + 1, brace, False) else index
            if word in ("(", "="):
                return -1
        return -1

    # --- statements ---

    def _statement(self, begin: int, end: int, place: Place) -> None:
        stream = self._stream
        if stream.text(begin) == "extern" and stream.kind(begin + 1) == lexer.STRING:
            begin += 2
        if begin >= end or stream.text(begin) in ("using", "static_assert", "namespace"):
            return
        if stream.text(begin) == "typedef":
            return
        start, types, _ = self._template(begin)
        if start < 0:  # an explicit instantiation
            return
        shape = self._shape(start, end)
        if shape is None:
            if types is None:
                self._variables(begin, end, place)
            else:
                self._doubt(start, end)
        elif self._is_prototype(*shape[1:]) or place.owner:
            self._function(begin, end, None, place)
        else:
            self._variables(begin, end, place)
            self.found.doubtful.add(stream.text(shape[0]))

    def _is_prototype(self, opening: int, closing: int) -> bool:
        """A parameter list rather than arguments of a variable's constructor."""
        stream = self._stream
        for begin, end in stream.parts(opening + 1, closing):
            words = [stream.text(i) for i in range(begin, end)]
            typed = bool(FUNDAMENTAL.intersection(words)) or words == ["..."]
            pairs = any(
                stream.is_word(i) and (stream.is_word(i + 1) or stream.text(i + 1) in ("*", "&"))
                for i in range(begin, end - 1)
            )
            if not (typed or pairs) or stream.kind(begin) in (lexer.NUMBER, lexer.STRING):
                return False
        return True

    def _function(self, begin: int, end: int, body: tuple[int, int] | None, place: Place) -> None:
        stream = self._stream
        start, types, values = self._template(begin)
        shape = self._shape(start, end)
        if shape is None:
            return
        name, opening, closing = shape
        top = [*self._top(begin, name), *self._top(closing + 1, end)]
        words = frozenset(stream.text(i) for i in top)
        head = [stream.text(i) for i in self._top(start, name)]
        returns = tuple(w for w in head if w not in SPECIFIERS and w not in ATTRIBUTES)
        sure = all(stream.sure[i] for i in range(begin, end))
        qualifier = name - 1 - (stream.text(name - 1) == "~")
        qualified = qualifier > start and stream.text(qualifier) == "::"
        owner = stream.text(qualifier - 1) if qualified else place.owner
        function = Function(
            name="".join(stream.text(i) for i in range(name, opening))
            if stream.text(name) == "operator"
            else stream.text(name),
            at=name,
            header=(begin, end),
            parameters=(opening, closing),
            body=body,
            space=self._space(words, returns) if sure else Space.UNKNOWN,
            words=words,
            returns=returns,
            types=types,
            values=values,
            place=place,
            member=bool(place.owner) or qualified,
            owner=owner,
            specialised=stream.text(name + 1) == "<",
            takes=self._takes(opening, closing),
        )
        self.found.functions.append(function)
        if function.member or "friend" in words:
            self.found.members.add(function.name)
        if not returns and not function.member:
            self.found.doubtful.add(function.name)  # a macro of somebody's

    def _takes(self, opening: int, closing: int) -> tuple[tuple[str, ...], ...]:
        stream = self._stream
        parts = stream.parts(opening + 1, closing)
        found = [tuple(stream.text(i) for i in range(*part)) for part in parts]
        return () if found == [("void",)] else tuple(found)

    @staticmethod
    def _space(words: frozenset[str], returns: tuple[str, ...]) -> Space:
        shouted = [word for word in returns if _SHOUTED.fullmatch(word)]
        named = [word for word in returns if word[:1].isalpha() or word[:1] == "_"]
        if UNKNOWN in words or (shouted and len(named) > 1):
            return Space.UNKNOWN
        if "__global__" in words:
            return Space.KERNEL
        if "__device__" in words:
            return Space.BOTH if "__host__" in words else Space.DEVICE
        return Space.HOST

    def _variables(self, begin: int, end: int, place: Place) -> None:
        stream = self._stream
        if not all(stream.sure[begin:end]):
            self._doubt(begin, end)
            return
        for variable in variables(stream, begin, end, place):
            self.found.variables.append(variable)
            if place.owner:
                self.found.members.add(variable.name)
            if not variable.type:
                self.found.doubtful.add(variable.name)

    def _doubt(self, begin: int, end: int) -> None:
        stream = self._stream
        self.found.doubtful |= {stream.text(i) for i in range(begin, end) if stream.is_word(i)}

    # --- pieces of a declaration ---

    def _template(self, begin: int) -> tuple[int, frozenset[str] | None, frozenset[str]]:
        """The index after ``template <...>``, with the names of the type and other parameters;
        -1 for an explicit instantiation."""
        stream = self._stream
        types: frozenset[str] | None = None
        values: frozenset[str] = frozenset()
        while stream.text(begin) == "template":
            if stream.text(begin + 1) != "<" or (closing := stream.angle(begin + 1)) < 0:
                return -1, types, values
            types = types or frozenset()
            for first, last in stream.parts(begin + 2, closing):
                words = [stream.text(i) for i in range(first, last)]
                words = words[: words.index("=")] if "=" in words else words
                is_type = bool({"typename", "class"} & set(words[:1])) or "<" in words
                types, values = (
                    (types | set(words[-1:]), values)
                    if is_type
                    else (types, values | set(words[-1:]))
                )
            begin = closing + 1
        return begin, types, values

    def _top(self, begin: int, end: int) -> Iterator[int]:
        """The indices outside brackets and template arguments."""
        stream = self._stream
        index = begin
        while index < end:
            word = stream.text(index)
            if word in ("(", "[", "{"):
                index = stream.partner[index]
            elif word == "<" and 0 < stream.angle(index) < end:
                index = stream.angle(index)
            else:
                yield index
            index += 1

    def _shape(self, begin: int, end: int, operators: bool = True) -> tuple[int, int, int] | None:
        """The name of the function and the parentheses around its parameters."""
        stream = self._stream
        index = begin
        while index < end:
            word = stream.text(index)
            if word == "operator" and operators:
                opening = index + 1
                if stream.text(opening) == "(":
                    opening += 2
                while opening < end and stream.text(opening) != "(":
                    opening += 1
                return (index, opening, stream.partner[opening]) if opening < end else None
            if word in ATTRIBUTES and stream.text(index + 1) == "(":
                index = stream.partner[index + 1]
            elif word in ("[", "{"):
                index = stream.partner[index]
            elif word == "=":
                return None
            elif word == "<" and stream.is_word(index - 1):
                closing = stream.angle(index)
                if 0 < closing < end:
                    if stream.text(closing + 1) == "(":
                        return index - 1, closing + 1, stream.partner[closing + 1]
                    index = closing
            elif word == "(":
                named = index > begin and stream.is_word(index - 1)
                named = named and stream.text(index - 1) not in FUNDAMENTAL
                return (index - 1, index, stream.partner[index]) if named else None
            index += 1
        return None
