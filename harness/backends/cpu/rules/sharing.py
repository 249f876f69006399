"""An array of each thread's own that was meant to be ``__shared__``.

nvcc says nothing of it: every thread then fills one element of its own array and reads others that
nobody filled. It is warned of where nothing else can be meant: the kernel has a barrier, every
store to the array is at an index of the thread, and it is read at another index; and the array is
used in no other way.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.backends.cpu.rules.body import Body
from harness.backends.cpu.rules.model import Space
from harness.backends.cpu.rules.unit import Fault, Unit
from harness.backends.cpu.rules.variables import Variable

_BARRIERS = frozenset(("__syncthreads", "__syncwarp"))
_SPACES = frozenset(("__shared__", "static", "extern", "__device__", "__constant__"))
_UPDATES = frozenset(("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"))


def sharing_faults(unit: Unit) -> Iterator[Fault]:
    """Warnings of local arrays through which threads can't exchange anything."""
    for body in unit.bodies:
        if body.function.space is not Space.KERNEL:
            continue
        if not any(call.name in _BARRIERS for call in body.calls):
            continue
        threads = _thread_names(body)
        for variable in body.locals:
            plain = variable.array and not variable.pointers and variable.init is None
            if plain and not variable.words & _SPACES and _exchanges(body, variable, threads):
                yield Fault(
                    body.stream.tokens[variable.at],
                    f"each thread has an array '{variable.name}' of its own, of which it fills its "
                    "own element and reads others: is __shared__ missing?",
                    "warning",
                )


def _thread_names(body: Body) -> frozenset[str]:
    """``threadIdx`` and the variables that begin with a part of it."""
    stream = body.stream
    found = {"threadIdx"}
    for variable in body.locals:
        if variable.init and not variable.array:
            if any(stream.text(i) == "threadIdx" for i in range(*variable.init)):
                found.add(variable.name)
    return frozenset(found)


def _exchanges(body: Body, variable: Variable, threads: frozenset[str]) -> bool:
    """Whether all that is done with the array is storing at the thread's own index, and reading at
    another one."""
    stream = body.stream
    if body.objects.get(variable.name) is not variable:
        return False  # the name means several things
    stores: set[tuple[str, ...]] = set()
    loads: set[tuple[str, ...]] = set()
    for index in range(body.begin, body.end):
        if stream.text(index) != variable.name or index == variable.at:
            continue
        if stream.text(index - 1) in (".", "->", "::", "&", "++", "--"):
            return False
        after = index + 1
        while stream.text(after) == "[":
            after = stream.partner[after] + 1
        subscript = tuple(stream.text(i) for i in range(index + 1, after))
        if not subscript or stream.text(after) in _UPDATES:
            return False
        (stores if stream.text(after) == "=" else loads).add(subscript)
    own = bool(stores) and all(threads.intersection(store) for store in stores)
    return own and bool(loads - stores)
