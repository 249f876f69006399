"""Who calls whom in a compiled solution, as GCC saw it before it inlined anything.

Tokens don't show a constructor, an operator, a conversion, a default argument or what a template
comes to; the compiler's call graph has them all. Two views of it:

- ``read_dump``: what ``-fdump-ipa-cgraph`` writes beside the object. It costs a few milliseconds,
  but has no places, and calls that were folded to constants are gone.
- ``read_places``: what ``-fcallgraph-info`` writes. It has the place of each function and call, but
  only without optimisation, so it takes a compilation of its own.

Clang writes neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from harness.backends.cpu.sources import Place

DUMP_OPTION = "-fdump-ipa-cgraph"
PLACES_OPTIONS = ("-O0", "-fcallgraph-info", "-fno-sanitize=all", "-w")

_BEGIN = "\nInitial Symbol table:"
_END = "\nRemoving unused symbols"
_MADE = "\n  Type: function definition analyzed"
_HEADER = re.compile(r"(?P<name>\S.*)/(?P<order>\d+) \((?P<shown>.*)\)(?: @0x[0-9a-f]+)?$", re.M)
_ORDER = re.compile(r"/(\d+)(?= |$)")
_REFERENCE = re.compile(r"/(\d+) \((addr|alias)\)")
_NODE = re.compile(
    r'node: \{ title: "(?P<title>[^"]*)" label: "(?P<shown>[^"]*?)\\n(?P<place>[^"]*?:\d+:\d+)'
    r'(?:\\n[^"]*)?"'
)
_EDGE = re.compile(
    r'edge: \{ sourcename: "(?P<source>[^"]*)" targetname: "(?P<target>[^"]*)" '
    r'label: "(?P<place>[^"]*:\d+:\d+)"'
)
_TEMPLATE = " [with "
_TRAILING = (" const", " volatile", " &", " &&", " noexcept", " mutable")
_OPERATOR = re.compile(r"\boperator(?:\s*\(\)|[^\w\s()]+|\s*\"\"\s*\w+|\s[^()]+)$")
_LAST_WORD = re.compile(r"~?\w+$")
_COMPLETE = re.compile(r"(?<=[CD])1(?=E)")


@dataclass(frozen=True)
class Symbol:
    """A function. ``calls`` and ``addressed`` (its address is taken) are orders of others;
    ``alias`` is the order of the function that it is another name of, -1 for none."""

    mangled: str
    shown: str
    calls: tuple[int, ...] = ()
    addressed: tuple[int, ...] = ()
    alias: int = -1


@dataclass(frozen=True)
class Placed:
    """A function with its place; ``calls`` are the mangled names with the places of the calls."""

    mangled: str
    shown: str
    place: Place
    calls: tuple[tuple[str, Place], ...] = ()


def read_dump(text: str) -> Mapping[int, Symbol]:
    """The functions that code is made for, by their order. Empty where the text is something
    else."""
    begin = text.find(_BEGIN)
    end = text.find(_END, begin)
    if begin < 0 or end < 0:
        return {}
    found: dict[int, Symbol] = {}
    # Found by its second line: few of the functions have code, and a dump has 10,000 lines.
    while (begin := text.find(_MADE, begin + 1, end)) >= 0:
        match = _HEADER.match(text, text.rfind("\n", 0, begin) + 1)
        if match is None:
            continue
        fields: dict[str, str] = {}
        at = begin + 1
        while text.startswith("  ", at):
            after = text.index("\n", at) + 1
            name, _, value = text[at:after].strip().partition(": ")
            fields[name] = value
            at = after
        references = _REFERENCE.findall(fields.get("References", ""))
        aliases = [int(order) for order, kind in references if kind == "alias"]
        found[int(match["order"])] = Symbol(
            match["name"],
            match["shown"],
            tuple(int(order) for order in _ORDER.findall(fields.get("Calls", ""))),
            tuple(int(order) for order, kind in references if kind == "addr"),
            aliases[0] if aliases else -1,
        )
    return found


def read_places(text: str, original: Callable[[Place], Place]) -> Mapping[str, Placed]:
    """The functions that have a place, by their mangled names. ``original`` turns a place in what
    was compiled into that in the author's file."""

    def place(label: str) -> Place:
        file, line, column = label.rsplit(":", 2)
        return original(Place(file, int(line), int(column)))

    nodes = {_symbol(match["title"]): match for match in _NODE.finditer(text)}
    calls: dict[str, list[tuple[str, Place]]] = {}
    for edge in _EDGE.finditer(text):
        target = _symbol(edge["target"])
        if target not in nodes:
            target = _COMPLETE.sub("2", target, count=1)
        calls.setdefault(_symbol(edge["source"]), []).append((target, place(edge["place"])))
    return {
        name: Placed(name, match["shown"], place(match["place"]), tuple(calls.get(name, ())))
        for name, match in nodes.items()
    }


def _symbol(title: str) -> str:
    # Local ones have the file in front, and a second name behind a dot.
    return title.rpartition(":")[2].partition(".")[0]


def base_name(shown: str) -> str:
    """The name of a function without scopes, parameters and template arguments, as in
    ``operator+`` or ``~S``; empty for what is not understood."""
    return split_name(shown)[1]


def split_name(shown: str) -> tuple[str, str]:
    """The scope of a function's name and the name itself."""
    head = shown.partition(_TEMPLATE)[0]
    while head.endswith(_TRAILING):
        head = head.rpartition(" ")[0]
    if not head.endswith(")"):
        return "", ""
    depth = 0
    opening = len(head)
    for opening in range(len(head) - 1, -1, -1):
        depth += (head[opening] == ")") - (head[opening] == "(")
        if not depth:
            break
    head = head[:opening]
    match = _OPERATOR.search(head) or _LAST_WORD.search(head)
    if match is None:
        return "", ""
    scope = head[: match.start()]
    return (scope[:-2] if scope.endswith("::") else ""), "".join(match[0].split())


def is_lambda(mangled: str) -> bool:
    """Whether it is the function of a lambda."""
    return re.search(r"U[lL].*E\d*_(?:cl|4_FUN|cv)", mangled) is not None


def of_library(mangled: str) -> bool:
    """Whether it belongs to the C++ library."""
    return re.match(r"_ZN?[VK]*[RO]?(?:St|S[absiod]|9__gnu_cxx)|_ZZN?K?St", mangled) is not None
