"""Whether a spec can tell wrong from right: wrong outputs are held against it, without a compiler.

For every case that the judge plans, and for each output by itself, the right answer is turned into
each of ``mutations.MUTATIONS`` and goes through the judge's own comparison, while the other outputs
stay right. The right answer goes through it too, for all kinds of data: a tolerance below the
type's own rounding would reject everyone.

Decisions:

- A wrong output is let through when it passes in more tests and fuzzed shapes than reject it.
  Single cases may let it pass (one element can be right by chance); a run judges them all. Examples
  are shown but don't count: they are public, and a submission may know their answers.
- What equals the right answer in a case is not wrong there and is skipped, as is what can't be made
  (the transpose of a vector). But where zeros, or one and the same number, are the right answer in
  every case, a kernel that computes nothing is right: that is let through as well.
- The perf case is left out: it takes as long as a run, and what it compares, the other cases do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.cases import case_data, plan_cases
from harness.compare import compare_output, poison_pattern
from harness.judge.mutations import MUTATIONS, Mutation, Subject, right_output
from harness.model import Argument, Case, CaseData, CaseKind, Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]

KINDS = (CaseKind.EXAMPLE, CaseKind.TEST, CaseKind.FUZZ)
EQUAL = "it equals the right answer"


@dataclass(frozen=True)
class Count:
    """What came of one wrong output in the cases of one kind."""

    rejected: int = 0
    passed: int = 0
    skipped: int = 0

    @property
    def judged(self) -> int:
        return self.rejected + self.passed


@dataclass(frozen=True)
class Row:
    """One wrong output of one argument. ``passed``: the cases that let it pass; ``skipped``: why
    how many cases were; ``fault``: what is wrong with the spec and what to do, empty if nothing."""

    output: str
    wrong: str
    about: str
    kinds: Mapping[CaseKind, Count]
    passed: tuple[str, ...]
    skipped: Mapping[str, int]
    fault: str = ""

    @property
    def judged(self) -> int:
        """In how many cases it is wrong."""
        return sum(count.judged for count in self.kinds.values())


@dataclass(frozen=True)
class Proof:
    """All of it. ``cases``: how many of each kind; ``refused``: outputs whose right answer is
    rejected, with a sentence; ``perf``: the sizes of the case that is left out."""

    problem: str
    seed: int
    cases: Mapping[CaseKind, int]
    rows: tuple[Row, ...]
    refused: Mapping[str, str]
    perf: Mapping[str, int] | None

    @property
    def faults(self) -> tuple[str, ...]:
        return (*self.refused.values(), *(row.fault for row in self.rows if row.fault))

    @property
    def holds(self) -> bool:
        return not self.faults


def prove(problem: Problem, seed: int, mutations: Sequence[Mutation] = MUTATIONS) -> Proof:
    """Hold each mutation against each output in each case planned for this seed.

    Raises ReferenceFault, as judging would, when the spec's reference or data fail.
    """
    planned = plan_cases(problem, seed)
    tallies = {
        argument.name: [_Tally(argument, mutation) for mutation in mutations]
        for argument in problem.outputs
    }
    refused: dict[str, list[str]] = {argument.name: [] for argument in problem.outputs}
    before: dict[str, Numbers] = {}
    constants: dict[str, Any] = {}
    for case in planned:
        data = case_data(problem, case)
        for argument in problem.outputs:
            name = argument.name
            right = right_output(data, argument)
            if case.example is None:
                constants.setdefault(name, right.reshape(-1)[0])
            if not _passes(problem, data, argument, right):
                refused[name].append(case.name)
            constant = constants.get(name, right.reshape(-1)[0])
            subject = Subject(problem, case, data, argument, right, before.get(name), constant)
            for tally in tallies[name]:
                tally.judge(subject)
            before[name] = right
        for name, kind in _refused_kinds(problem, case):
            refused[name].append(f"{case.name} with {kind} data")
    return Proof(
        problem=problem.name,
        seed=seed,
        cases={kind: sum(case.kind is kind for case in planned) for kind in KINDS},
        rows=tuple(tally.row() for each in tallies.values() for tally in each),
        refused={
            name: _refused_text(problem, name, names, planned)
            for name, names in refused.items()
            if names
        },
        perf=problem.perf.sizes if problem.perf is not None else None,
    )


def _refused_kinds(problem: Problem, case: Case) -> Iterator[tuple[str, str]]:
    """Outputs whose right answer to other data of the case is rejected."""
    for kind in case.again:
        data = case_data(problem, replace(case, data=kind))
        for argument in problem.outputs:
            if not _passes(problem, data, argument, right_output(data, argument)):
                yield argument.name, kind


def _passes(problem: Problem, data: CaseData, argument: Argument, got: Numbers) -> bool:
    """The judge's own comparison."""
    poison = poison_pattern(argument.type, 0)
    return compare_output(argument, got, data, problem.tolerance, poison) is None


@dataclass
class _Tally:
    """Counts one mutation of one output, case by case."""

    argument: Argument
    mutation: Mutation
    outcomes: list[tuple[CaseKind, str]] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)

    def judge(self, subject: Subject) -> None:
        kind = subject.case.kind
        got = self.mutation.make(subject)
        if isinstance(got, str) or _equal(got, subject.right):
            why = got if isinstance(got, str) else EQUAL
            self.skipped[why] = self.skipped.get(why, 0) + 1
            self.outcomes.append((kind, "skipped"))
        elif _passes(subject.problem, subject.data, subject.argument, got):
            self.passed.append(subject.case.name)
            self.outcomes.append((kind, "passed"))
        else:
            self.outcomes.append((kind, "rejected"))

    def row(self) -> Row:
        kinds = {
            kind: Count(
                *(self.outcomes.count((kind, what)) for what in ("rejected", "passed", "skipped"))
            )
            for kind in KINDS
        }
        return Row(
            output=self.argument.name,
            wrong=self.mutation.name,
            about=self.mutation.about,
            kinds=kinds,
            passed=tuple(self.passed),
            skipped=dict(self.skipped),
            fault=self._fault([kinds[CaseKind.TEST], kinds[CaseKind.FUZZ]]),
        )

    def _fault(self, counts: Sequence[Count]) -> str:
        """``counts`` of the cases that aren't public."""
        name, mutation = self.argument.name, self.mutation
        what = f"{name}: {mutation.name} ({mutation.about})"
        cases = sum(count.judged + count.skipped for count in counts)
        judged = sum(count.judged for count in counts)
        passed = sum(count.passed for count in counts)
        if 2 * passed > judged:
            share = f"{passed} of {judged} tests and fuzzed shapes where it is wrong"
            return f"{what} passes in {share}; {mutation.remedy}"
        if cases and not judged and mutation.differs and set(self.skipped) <= {EQUAL}:
            return (
                f"{what} is the right answer in all {cases} tests and fuzzed shapes, so that a "
                "kernel which computes nothing is accepted; mend the reference or the data"
            )
        return ""


def _equal(got: Numbers, right: Numbers) -> bool:
    """Whether no element is wrong. A NaN is right where it has the same bits."""
    word = f"u{right.dtype.itemsize}"
    return bool(((got == right) | (got.view(word) == right.view(word))).all())


def _refused_text(
    problem: Problem, name: str, names: Sequence[str], planned: Sequence[Case]
) -> str:
    argument = next(a for a in problem.outputs if a.name == name)
    dtype = np.dtype(argument.type)
    remedy = f"give it an rtol of {np.finfo(dtype).eps:.1g} at least" if dtype.kind == "f" else ""
    return (
        f"{name}: the right answer itself, rounded to {argument.type}, is rejected in {len(names)} "
        f"of {len(planned)} cases, first {names[0]}; {remedy or 'mend the reference'}"
    )
