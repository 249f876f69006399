"""Declarations of variables, read from tokens: at namespace and class scope and in functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.backends.cpu.rules.text import UNKNOWN, Stream

FUNDAMENTAL = frozenset(
    ("void", "bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double")
)
# Words before a parenthesis that is no parameter list.
ATTRIBUTES = frozenset(
    """
    __launch_bounds__ __maxnreg__ __cluster_dims__ __block_size__ alignas __align__ __attribute__
    __declspec decltype noexcept explicit throw typeof __typeof__ _Pragma __pragma asm __asm__
    static_assert
    """.split()
)
# Words of a declaration that are not its type.
SPECIFIERS = frozenset(
    """
    static inline constexpr extern const volatile virtual friend typename __inline__
    __forceinline__ __noinline__ thread_local mutable register __host__ __device__ __global__
    __shared__ __constant__ __managed__ struct class enum union explicit __restrict__ __restrict
    restrict
    """.split()
)


@dataclass(frozen=True)
class Place:
    """What encloses a declaration. ``owner`` is a class's name, ``templates`` the parameters of
    enclosing class templates."""

    namespace: tuple[str, ...] = ()
    owner: str = ""
    templates: frozenset[str] | None = None


@dataclass(frozen=True, eq=False)
class Variable:
    """``declarator`` is the range from after the type to the end with the initialiser; ``init`` the
    range of the initialiser, None without. ``constant`` speaks of the object, not of what it points
    to."""

    name: str
    at: int
    words: frozenset[str]
    type: tuple[str, ...]
    pointers: int
    reference: bool
    array: bool
    constant: bool
    init: tuple[int, int] | None
    place: Place


def variables(stream: Stream, begin: int, end: int, place: Place) -> Iterator[Variable]:
    """The variables that the declaration ``[begin, end)`` declares; those whose type is not seen
    have an empty one."""
    base: list[str] = []
    words: list[str] = []
    for position, (first, last) in enumerate(stream.parts(begin, end)):
        name = _declared_name(stream, first, last)
        if name < 0:
            return
        head = [stream.text(i) for i in _outside_attributes(stream, first, name)]
        stars = [word for word in head if word in ("*", "&", "&&")]
        if not position:
            words = head
            base = [word for word in head if word not in SPECIFIERS and word not in stars]
        pointers = stars.count("*")
        after_star = head[len(head) - head[::-1].index("*") :] if pointers else words
        yield Variable(
            name=stream.text(name),
            at=name,
            words=frozenset(words),
            type=tuple(base),
            pointers=pointers,
            reference="&" in stars or "&&" in stars,
            array=stream.text(name + 1) == "[",
            constant="const" in after_star or "constexpr" in words,
            init=_initialiser(stream, name + 1, last),
            place=place,
        )


def _outside_attributes(stream: Stream, begin: int, end: int) -> Iterator[int]:
    index = begin
    while index < end:
        if stream.text(index) in ATTRIBUTES and stream.text(index + 1) == "(":
            index = stream.partner[index + 1]
        else:
            yield index
        index += 1


def _declared_name(stream: Stream, begin: int, end: int) -> int:
    """The index of the name that one declarator declares, -1 for what is no plain one."""
    name = -1
    index = begin
    while index < end:
        word = stream.text(index)
        if word in ATTRIBUTES and stream.text(index + 1) == "(":
            index = stream.partner[index + 1]
        elif word == "<" and stream.is_word(index - 1) and 0 < stream.angle(index) < end:
            index = stream.angle(index)
            name = -1
        elif stream.is_word(index):
            name = index
        elif word == "(" and name >= 0 and stream.text(index + 1) == "*":
            return -1  # a pointer to a function or to an array
        elif word in ("=", "[", "{", "("):
            if word == "[" and name < 0 and stream.text(index + 1) == "[":
                index = stream.partner[index]
            else:
                break
        elif word == UNKNOWN or word == ":":
            return -1
        index += 1
    return name


def _initialiser(stream: Stream, index: int, end: int) -> tuple[int, int] | None:
    while index < end:
        word = stream.text(index)
        if word in ("=", "{", "("):
            return index, end
        if word == "[":
            index = stream.partner[index]
        elif word in ATTRIBUTES and stream.text(index + 1) == "(":
            index = stream.partner[index + 1]
        index += 1
    return None
