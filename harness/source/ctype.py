"""The C types of ``solve``'s parameters, as far as its text tells: what a call by the C ABI needs.

A type is known when it is a fundamental type or one of the standard names for one; typedefs of the
author's are unknown, and only the compiler can judge them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.source import lexer
from harness.source.lexer import Token, joined

_FUNDAMENTAL = frozenset(
    ("unsigned", "signed", "int", "long", "short", "char", "float", "double", "bool", "void")
)
_QUALIFIERS = frozenset(
    ("const", "volatile", "__restrict__", "__restrict", "restrict", "register", "struct")
)
_NAMES = {
    "int8_t": "signed char",
    "uint8_t": "unsigned char",
    "int16_t": "short",
    "uint16_t": "unsigned short",
    "int32_t": "int",
    "uint32_t": "unsigned int",
    "int64_t": "long",
    "uint64_t": "unsigned long",
    "size_t": "unsigned long",
    "ssize_t": "long",
    "ptrdiff_t": "long",
    "intptr_t": "long",
    "uint": "unsigned int",
    "uchar": "unsigned char",
    "half": "__half",
    "__half": "__half",
}
# Sort and size in bytes on the platforms that CUDA runs on.
_SHAPES = {
    "bool": ("integer", 1),
    "char": ("integer", 1),
    "signed char": ("integer", 1),
    "unsigned char": ("integer", 1),
    "short": ("integer", 2),
    "unsigned short": ("integer", 2),
    "int": ("integer", 4),
    "unsigned int": ("integer", 4),
    "long": ("integer", 8),
    "unsigned long": ("integer", 8),
    "long long": ("integer", 8),
    "unsigned long long": ("integer", 8),
    "__half": ("half", 2),
    "float": ("float", 4),
    "double": ("float", 8),
}
_SPELLED = {
    "bool": "bool",
    "int8": "signed char",
    "uint8": "unsigned char",
    "int16": "short",
    "int32": "int",
    "int64": "long long",
    "float16": "__half",
    "float32": "float",
    "float64": "double",
}


@dataclass(frozen=True)
class CType:
    """``base`` without qualifiers; ``const`` is that of what a pointer points to."""

    base: str
    pointers: int = 0
    const: bool = False
    reference: bool = False

    @property
    def shape(self) -> tuple[str, int] | None:
        """Sort and bytes of the base, None when the text does not tell."""
        return _SHAPES.get(self.base)

    @property
    def known(self) -> bool:
        return not self.reference and (
            self.base in _SHAPES or (self.base == "void" and self.pointers > 0)
        )

    @property
    def text(self) -> str:
        const = "const " if self.const else ""
        return f"{const}{self.base}{'*' * self.pointers}{'&' if self.reference else ''}"


@dataclass(frozen=True)
class Parameter:
    """``text`` is the parameter as it is written."""

    type: CType
    name: str
    text: str
    line: int


def ctype_of(dtype: str, pointer: bool, const: bool) -> CType:
    """The C type of a spec's type: ``float32`` behind a pointer is ``float*``."""
    return CType(_SPELLED[dtype], int(pointer), pointer and const)


def parse_parameters(tokens: Sequence[Token]) -> tuple[Parameter, ...]:
    """The parameters between (and without) a function's parentheses."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in "([{<") - (token.text in ")]}>") if len(token.text) == 1 else 0
        if token.text == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    if len(parts) == 1 and joined(parts[0]) in ("", "void"):
        return ()
    return tuple(_parameter(part) for part in parts if part)


def _parameter(tokens: Sequence[Token]) -> Parameter:
    words = [token.text for token in tokens]
    if "=" in words:
        tokens = tokens[: words.index("=")]
    text = joined(tokens)
    line = tokens[0].line if tokens else 0
    if any(token.text in ("(", "<") for token in tokens):
        return Parameter(CType(text), "", text, line)
    pointers = sum(token.text == "*" for token in tokens)
    pointers += sum(token.text == "[" for token in tokens)
    reference = any(token.text in ("&", "&&") for token in tokens)
    head: list[str] = []
    const = False
    for token in tokens:
        if token.text in ("*", "&", "&&", "["):
            break
        if token.text == "const":
            const = True
        elif token.kind == lexer.IDENTIFIER and token.text not in _QUALIFIERS:
            head.append(token.text)
    names = [t.text for t in tokens if t.kind == lexer.IDENTIFIER and t.text not in _QUALIFIERS]
    base, used = _base(head)
    name = names[-1] if len(names) > used else ""
    return Parameter(CType(base, pointers, const and pointers > 0, reference), name, text, line)


def _base(words: list[str]) -> tuple[str, int]:
    """The canonical base type and how many of ``words`` it takes; the rest is the name."""
    words = [word for word in words if word != "std"]
    fundamental = [word for word in words if word in _FUNDAMENTAL]
    if not fundamental:
        first = words[0] if words else ""
        return _NAMES.get(first, first), 1
    return _canonical(fundamental), len(fundamental)


def _canonical(words: list[str]) -> str:
    unsigned = "unsigned " if "unsigned" in words else ""
    longs = words.count("long")
    if "double" in words or "float" in words or "bool" in words or "void" in words:
        return "long double" if longs else next(w for w in words if w != "const")
    if "char" in words:
        return f"{'signed ' if 'signed' in words else unsigned}char"
    if "short" in words:
        return f"{unsigned}short"
    return unsigned + (" ".join(["long"] * longs) if longs else "int")
