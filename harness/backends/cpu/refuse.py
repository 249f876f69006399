"""CUDA features that this backend does not have, told apart from mistakes in the source.

A solution that uses one is skipped, with the feature's name and line, and never judged: the fault
is ours. Two looks:

- ``check`` before compiling: what is surely compiled and uses a header or a name of CUDA's that the
  runtime's headers lack, inline PTX, a launch in device code, and syntax that the rewriter can't
  read. Which names the runtime has is read off its headers, so there is no list to keep up to date.
- ``refusal_of`` after a failed compilation: when the first error says that a name or a header is
  unknown and CUDA has it. A misspelt name stays the compile error that it is.

``cuda_names.txt`` holds the names: facts about CUDA 13, one a line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from harness.backends.cpu.rewrite.kernel_edits import ASM, is_known_asm
from harness.backends.cpu.rewrite.launches import find_launches, streams
from harness.backends.cpu.rewrite.shared_memory import storage_edits
from harness.errors import Refused
from harness.model import Diagnostic
from harness.source import lexer
from harness.source.conditions import COMMON, Certainty, certainties
from harness.source.includes import included_names
from harness.source.lexer import Token
from harness.source.scopes import in_device_code, scopes

REMEDY = "run it with --backend cuda on a machine with an NVIDIA GPU"

# As runtime/api/qualifiers.h defines them.
_MACROS: Mapping[str, int] = {**COMMON, "__CUDA_ARCH__": 900, "__CUDACC_VER_MAJOR__": 13}
# Names that a solution would not define itself; others are left to the compiler.
_UNMISTAKABLE = re.compile(r"__[a-z]\w+|cuda[A-Z]\w+|tex(?:[123]D|Cubemap)\w*|surf[123]D\w*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTES = "'`\""
_UNKNOWN_NAME = re.compile(
    rf"[{_QUOTES}](?:\w+::)*(?P<name>\w+)[{_QUOTES}] (?:was not declared|has not been declared|"
    r"does not name a type|is not a member of|does not name a template)"
    rf"|(?:undeclared identifier|unknown type name|no member named|no type named) "
    rf"[{_QUOTES}](?P<clang>\w+)[{_QUOTES}]"
    rf"|undefined reference to [{_QUOTES}](?P<linked>\w+)"
)
# A name that one of the libraries with a namespace of their own lacks.
_UNKNOWN_IN_LIBRARY = re.compile(
    rf"[{_QUOTES}](?P<name>\w+)[{_QUOTES}] (?:is not a member of|in namespace) "
    rf"[{_QUOTES}](?P<library>cub|thrust)[{_QUOTES}]"
    rf"|no (?:member|type|template) named [{_QUOTES}](?P<clang>\w+)[{_QUOTES}] in namespace "
    rf"[{_QUOTES}](?P<clang_library>cub|thrust)[{_QUOTES}]"
)
_UNKNOWN_MEMBER = re.compile(
    rf"(?:has no member named|no member named) [{_QUOTES}](?P<name>\w+)[{_QUOTES}]"
)
_UNKNOWN_HEADER = re.compile(
    rf"^(?P<name>[^:]+): No such file or directory|^[{_QUOTES}](?P<clang>[^']+)[{_QUOTES}] "
    r"file not found"
)
_ASSEMBLER = re.compile(
    r"no such instruction|bad instruction|unknown mnemonic|invalid instruction|unknown token in|"
    r"invalid operand for instruction|unrecognized instruction|operand .* in .asm|in .asm. block"
)


@dataclass(frozen=True)
class Names:
    """What CUDA has. ``headers`` may end in a slash: all below."""

    headers: frozenset[str]
    identifiers: frozenset[str]
    members: frozenset[str]

    def has_header(self, name: str) -> bool:
        folder = name.partition("/")[0] + "/"
        return name in self.headers or ("/" in name and folder in self.headers)


@lru_cache(maxsize=1)
def cuda_names() -> Names:
    """The names in ``cuda_names.txt``."""
    lines = Path(__file__).with_name("cuda_names.txt").read_text("utf-8").split()
    words = [line for line in lines if not line.startswith("#")]
    members = frozenset(word[1:] for word in words if word.startswith("."))
    headers = frozenset(word for word in words if word.endswith(("/", ".h", ".hpp")))
    return Names(headers, frozenset(words) - headers, members)


def check(text: str, file: str, runtime: Path) -> None:
    """Raise Refused for the first feature in ``text`` that is surely used and not here.
    ``runtime`` is the folder with the headers."""
    tokens = lexer.significant(lexer.tokens(text))
    for token, feature in sorted(
        _features(text, tokens, runtime), key=lambda found: found[0].start
    ):
        raise Refused(feature, file, token.line, REMEDY)


def refusal_of(errors: Sequence[Diagnostic], runtime: Path, file: str) -> Refused | None:
    """The refusal that the first of a compiler's errors amounts to, if it does. ``file`` is the
    solution, for errors that name no place."""
    if not errors:
        return None
    first = errors[0]
    feature = _missing_feature(first, runtime)
    if not feature:
        return None
    return Refused(feature, first.file or file, first.line, REMEDY)


def _missing_feature(error: Diagnostic, runtime: Path) -> str:
    names = cuda_names()
    header = _UNKNOWN_HEADER.search(error.message)
    if header:
        name = header["name"] or header["clang"]
        return f"<{name}>" if names.has_header(name) and not _is_here(runtime, name) else ""
    member = _UNKNOWN_MEMBER.search(error.message)
    if member and member["name"] in names.members:
        return f"cudaDeviceProp::{member['name']}"
    library = _UNKNOWN_IN_LIBRARY.search(error.message)
    if library:
        namespace = library["library"] or library["clang_library"]
        name = f"{namespace}::{library['name'] or library['clang']}"
        return name if name in names.identifiers else ""
    unknown = _UNKNOWN_NAME.search(error.message)
    if unknown:
        name = next(word for word in unknown.groups() if word is not None)
        return name if name in names.identifiers else ""
    if _ASSEMBLER.search(error.message) and _shows_asm(error.source_line):
        return "inline PTX assembly"
    return ""


def _is_here(runtime: Path, header: str) -> bool:
    return os.path.isfile(runtime / header)  # False for a name that no file can have


def _shows_asm(line: str) -> bool:
    # The statement may begin lines above; a line that is plainly something else is none of it.
    return not line or '"' in line or any(word in line for word in ASM)


def _features(text: str, tokens: Sequence[Token], runtime: Path) -> Iterator[tuple[Token, str]]:
    sure = certainties(tokens, _MACROS)
    certain = {
        token.start for token, answer in zip(tokens, sure, strict=True) if answer is Certainty.YES
    }
    unused = _unused_macros(tokens)
    names = cuda_names()
    for name, _, token in included_names(text):
        if token.start in certain and names.has_header(name) and not _is_here(runtime, name):
            yield token, f"<{name}>"
    live = lexer.Tokens(t for t in tokens if t.start in certain and t.start not in unused)
    yield from _missing_identifiers(live, runtime)
    for index, token in enumerate(live):
        if token.text in ASM and token.kind == lexer.IDENTIFIER:
            if _has_code(live, index) and not is_known_asm(live, index):
                yield token, "inline PTX assembly"
    yield from _launch_features(tokens, certain)


def _missing_identifiers(live: Sequence[Token], runtime: Path) -> Iterator[tuple[Token, str]]:
    """CUDA's names that no header of the runtime mentions."""
    names = cuda_names().identifiers
    defined = _macros(live)
    for token in live:
        if token.kind != lexer.IDENTIFIER or token.text not in names or token.text in defined:
            continue
        if _UNMISTAKABLE.fullmatch(token.text) and token.text not in runtime_words(runtime):
            yield token, token.text


@lru_cache(maxsize=4)
def runtime_words(runtime: Path) -> frozenset[str]:
    """All identifiers in the headers of the runtime, those that macros make included as far as
    they are written out."""
    words: set[str] = set()
    for path in runtime.rglob("*"):
        if path.is_file() and path.suffix in ("", ".h"):
            words.update(_WORD.findall(path.read_text("utf-8")))
    return frozenset(words)


def _has_code(live: Sequence[Token], index: int) -> bool:
    """Whether an ``asm`` statement has any text: an empty one is a barrier for the compiler."""
    for token in live[index + 1 : index + 12]:
        if token.kind == lexer.STRING:
            return bool(token.text.strip('"').strip())
        if token.text in (";", ":", "{", "}"):
            return False
    return False


def _unused_macros(tokens: Sequence[Token]) -> set[int]:
    """Where the tokens of macros stand that nothing in the file uses."""
    uses: dict[str, int] = {}
    bodies: dict[str, list[int]] = {}
    name = ""
    for index, token in enumerate(tokens):
        if token.kind == lexer.IDENTIFIER:
            uses[token.text] = uses.get(token.text, 0) + 1
        if token.kind == lexer.PREPROCESSOR and token.directive == "define":
            name = tokens[index + 1].text if index + 1 < len(tokens) else ""
        elif token.directive == "define":
            bodies.setdefault(name, []).append(token.start)
    return {start for name, starts in bodies.items() if uses.get(name) == 1 for start in starts}


def _macros(tokens: Sequence[Token]) -> set[str]:
    return {
        after.text
        for token, after in pairwise(tokens)
        if token.kind == lexer.PREPROCESSOR and token.directive == "define"
    }


def _launch_features(tokens: Sequence[Token], certain: set[int]) -> Iterator[tuple[Token, str]]:
    where = {token.start: scope for token, scope in zip(tokens, scopes(tokens), strict=True)}
    macros = _macros(tokens)
    for stream in streams(tokens):
        whole, torn = find_launches(stream)
        for launch in whole:
            token = stream[launch.open]
            if token.start in certain and not token.directive:
                if in_device_code(tokens, where[token.start]):
                    yield token, "dynamic parallelism (a launch in device code)"
        for part in torn:
            token = stream[part.open]
            around = {near.text for near in stream[max(0, part.open - 1) : part.open + 40]}
            if token.start in certain and (token.directive or around & macros):
                yield token, "a launch whose parts come from several macros"
        for unsized in storage_edits(stream, lambda token: False)[1]:
            if unsized.token.start in certain:
                yield unsized.token, "extern __shared__ of something other than an array"
