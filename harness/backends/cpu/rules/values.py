"""Which names of a device function surely have no constant value, and which statements surely are
not cut off by a constant condition."""

from __future__ import annotations

from functools import cached_property

from harness.backends.cpu.rules import library
from harness.backends.cpu.rules.body import Body
from harness.backends.cpu.rules.unit import Unit
from harness.backends.cpu.rules.variables import FUNDAMENTAL, Variable

UNEVALUATED = frozenset(("sizeof", "decltype", "alignof"))
_PLAIN = FUNDAMENTAL | {"size_t", "uint", "int32_t", "uint32_t", "int64_t", "uint64_t"}


class Values:
    """The names of one function that is no template."""

    def __init__(self, unit: Unit, body: Body) -> None:
        self._unit = unit
        self._body = body

    def vary(self, begin: int, end: int) -> bool:
        """Whether an expression surely needs code to find its value."""
        stream = self._body.stream
        words = [stream.text(i) for i in range(begin, end)]
        if UNEVALUATED.intersection(words) or not all(stream.sure[begin:end]):
            return False
        if "{" in words and "[" in words:
            return False  # a lambda, perhaps
        return any(self._varies(index) for index in range(begin, end))

    def _varies(self, index: int) -> bool:
        stream = self._body.stream
        name = stream.text(index)
        if stream.text(index - 1) in (".", "->", "::"):
            return False
        if stream.text(index + 1) == "(":
            own = self._unit.functions.get(name, [])
            plain = all(not f.is_template and "constexpr" not in f.words for f in own)
            return bool(own) and plain and self._unit.visible(self._body, name)
        return name in self._names

    def may_be_dead(self, index: int) -> bool:
        """Whether a condition without a varying name may keep this token from ever running."""
        stream = self._body.stream
        for opening, end in self._conditions:
            closing = stream.partner[opening]
            if closing < index < end and not self.vary(opening + 1, closing):
                return True
        return False

    @cached_property
    def _conditions(self) -> tuple[tuple[int, int], ...]:
        """For each ``if``: where its condition opens, and the index after all its branches."""
        body = self._body
        found: list[tuple[int, int]] = []
        for index in body.evaluated:
            if body.stream.text(index) == "if" and body.stream.text(index + 1) == "(":
                found.append((index + 1, body.statement_end(index)))
        return tuple(found)

    @cached_property
    def _names(self) -> frozenset[str]:
        declared: dict[str, list[Variable]] = {}
        for variable in self._body.locals:
            declared.setdefault(variable.name, []).append(variable)
        found = set(self._parameters)
        for name, same in declared.items():
            found.discard(name)
            if all(not v.constant and not v.reference and _PLAIN.issuperset(v.type) for v in same):
                found.add(name)
        found |= library.DEVICE_VARIABLES - set(declared) - {"warpSize"}
        for name, same in declared.items():
            if len(same) == 1 and self._is_fixed_at_run_time(same[0], found):
                found.add(name)
        return frozenset(found)

    @cached_property
    def _parameters(self) -> frozenset[str]:
        stream = self._body.stream
        opening, closing = self._body.function.parameters
        found: set[str] = set()
        for begin, end in stream.parts(opening + 1, closing):
            words = [stream.text(i) for i in range(begin, end)]
            words = words[: words.index("=")] if "=" in words else words
            if len(words) > 1 and words[-1].isidentifier() and words[-1] not in FUNDAMENTAL:
                found.add(words[-1])
        return frozenset(found)

    def _is_fixed_at_run_time(self, variable: Variable, varying: set[str]) -> bool:
        """``const int stride = blockDim.x``: constant, but not for the compiler."""
        if not variable.constant or "constexpr" in variable.words or variable.init is None:
            return False
        words = {self._body.stream.text(i) for i in range(*variable.init)}
        return not variable.pointers and bool(words & varying) and not words & UNEVALUATED
