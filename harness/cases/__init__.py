"""Which sizes to judge, and their data.

Beside a spec's examples and tests every problem gets shapes that break kernels:

- each size 1 to 3; sizes one below, at and one above a tile of 16, 32, 64, 128;
- one size at 1 or 2 while the others are large, one at its maximum while the others are tiny;
- all sizes equal (which hides swapped sizes), all different (which shows them), none a multiple of
  4 (which breaks float4), all a multiple of 4 and of no tile, all a multiple of every tile (which
  is where fast paths are);
- a small multiple of 3, 5 or 2 where the others are 8 (which shows a way for multiples of 4 that is
  taken by the wrong ones);
- numbers that people choose, 200 and 1000, and multiples of 16 that leave 16, 32 or 48 of a tile of
  64, each size in turn and beside others that are small;
- random shapes from the run's seed, so that sizes can't be known beforehand: any numbers, round
  ones, powers of two and multiples of tiles, also one more or less, and now and then all equal.

Each set of sizes comes once, but some are called again with other data (``kinds``): two because a
submission may keep an answer by the sizes; a few, with and without tails, and some of the random
ones because of what the spec's own data never show.

All of it is small, so that a CPU runs it in a fraction of a second: most cases are well below the
work of a 130-cube matmul (``CASE_WORK``), only a handful come near it. Within a group the cheap
ones run first, so that a wrong submission is told soon and on the smallest shape.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from harness.cases.inputs import case_inputs
from harness.cases.kinds import CHANGED, OTHER, kinds_of
from harness.errors import UsageError
from harness.expr import ExprError
from harness.model import Case, CaseData, CaseKind, Problem
from harness.nearest import nearest

CASE_WORK = 4.4e6
_FUZZ_WORK = 1.2e6
_FUZZ_CASES = 6
_FUZZ_ELEMENTS = 3e5
_FUZZ_LARGEST = 200
_FUZZ_TRIES = 200
_KINDS_WORK = 5e5
_KINDS_ELEMENTS = 5e4
Sizes = Mapping[str, int]


def plan_cases(problem: Problem, seed: int) -> tuple[Case, ...]:
    """Examples, the spec's tests, then automatic shapes and random ones, each set of sizes once.
    The perf case is not among them."""
    planned = [
        _case(problem, CaseKind.EXAMPLE, f"example {index + 1}", example.sizes, seed, index)
        for index, example in enumerate(problem.examples)
    ]
    seen: set[tuple[int, ...]] = set()

    wide = _wide_shapes(problem)

    def add(kind: CaseKind, prefix: str, shapes: Iterable[Sizes], limit: float) -> None:
        group: list[Case] = []
        for sizes in shapes:
            case = _case(problem, kind, f"{prefix}{_shape_name(sizes)}", sizes, seed)
            case = replace(case, once=sizes in wide)
            key = tuple(sizes.values())
            if key not in seen and case.work <= limit:
                seen.add(key)
                group.append(case)
        planned.extend(sorted(group, key=lambda case: case.work))

    add(CaseKind.TEST, "", problem.tests, math.inf)
    add(CaseKind.TEST, "", [*_edge_shapes(problem), *wide], CASE_WORK)
    first = len(problem.examples)
    for place, again in ((first, (OTHER,)), ((first + len(planned)) // 2, (CHANGED, OTHER))):
        if place < len(planned):
            planned[place] = replace(planned[place], again=again)
    add(CaseKind.FUZZ, "fuzz ", _random_shapes(problem, seed, seen), CASE_WORK)
    kinds = kinds_of(problem)
    for place in _for_kinds(problem, planned) if kinds else ():
        planned[place] = replace(planned[place], again=(*planned[place].again, *kinds))
    return tuple(planned)


def _for_kinds(problem: Problem, planned: Sequence[Case]) -> Iterable[int]:
    """Which cases get all kinds of data: of those whose sizes are all multiples of 16, all
    multiples of 4 alone, no multiples of 4, and of the random ones, the largest that is cheap."""
    found: dict[object, int] = {}
    for place, case in enumerate(planned):
        large = case.work > _KINDS_WORK or elements(problem, case.sizes) > _KINDS_ELEMENTS
        if case.example is not None or case.once or large:
            continue
        sizes = case.sizes.values()
        group: object = CaseKind.FUZZ
        if case.kind is not CaseKind.FUZZ:
            group = next((n for n in (16, 4) if all(v % n == 0 for v in sizes)), 0)
            if not group and any(v % 4 == 0 for v in sizes):
                continue
        if group not in found or case.work > planned[found[group]].work:
            found[group] = place
    return found.values()


def perf_case(problem: Problem, seed: int, sizes: Sizes) -> Case | None:
    """The timed case, with ``sizes`` in place of the spec's own; None without one in the spec.
    Raises UsageError for sizes that the problem does not have."""
    if problem.perf is None:
        return None
    whole = _complete(problem, sizes)
    return _case(problem, CaseKind.PERF, f"perf {_shape_name(whole)}", whole, seed)


def sized_case(problem: Problem, seed: int, sizes: Sizes) -> Case:
    """One case of these sizes; those that are missing come from the perf case.
    Raises UsageError for sizes that the problem does not have."""
    whole = _complete(problem, sizes)
    case = _case(problem, CaseKind.TEST, _shape_name(whole), whole, seed)
    if whole in _wide_shapes(problem):
        return replace(case, once=True)  # as it is called among the others
    if case.work > CASE_WORK:
        return case
    return replace(case, again=(CHANGED, OTHER, *kinds_of(problem)))


def case_data(problem: Problem, case: Case) -> CaseData:
    """The case's inputs, right answers and rounding slack.

    Data depend on the seed, the problem and the sizes alone. Raises ReferenceFault when the spec's
    reference or data function fails.
    """
    from harness.cases.reference import answer

    inputs, scalars = case_inputs(problem, case)
    return answer(problem, case, inputs, scalars)


def unanswered(problem: Problem, case: Case) -> CaseData:
    """The case's inputs alone, for who only looks at what a call does."""
    inputs, scalars = case_inputs(problem, case)
    return CaseData(inputs, scalars, {}, {})


def _case(
    problem: Problem, kind: CaseKind, name: str, sizes: Sizes, seed: int, example: int | None = None
) -> Case:
    return Case(name, kind, dict(sizes), seed, example, work(problem, sizes))


def _shape_name(sizes: Sizes) -> str:
    return "x".join(str(value) for value in sizes.values())


def _complete(problem: Problem, sizes: Sizes) -> Sizes:
    whole = dict(problem.perf.sizes) if problem.perf is not None else {}
    for name, value in sizes.items():
        if name not in problem.sizes:
            hint = nearest(name, problem.sizes)
            raise UsageError(f"{problem.name} has no size {name!r}; {hint}")
        low, high = problem.sizes[name]
        if not low <= value <= high:
            raise UsageError(f"{name}={value} is out of range; {name} is {low} to {high}")
        whole[name] = value
    missing = [name for name in problem.sizes if name not in whole]
    if missing:
        raise UsageError(f"{problem.name} needs the size {', '.join(missing)} too")
    return {name: whole[name] for name in problem.sizes}


def work(problem: Problem, sizes: Sizes) -> float:
    """An estimate of the arithmetic: the spec's flops, an einsum's multiplications and additions,
    or the number of elements, whichever is largest."""
    try:
        extents = {a.name: [e.evaluate(sizes) for e in a.shape] for a in problem.arrays}
        if any(extent < 1 for shape in extents.values() for extent in shape):
            return math.inf  # sizes that don't go together, such as a kernel wider than its input
        found = [float(sum(math.prod(shape) for shape in extents.values()))]
        if problem.perf is not None and problem.perf.flops is not None:
            found.append(float(problem.perf.flops.evaluate(sizes)))
    except ExprError:
        return math.inf
    left, _, output = problem.reference.einsum.partition("->")
    letters: dict[str, int] = {}
    for word, argument in zip(left.split(","), problem.inputs, strict=False):
        letters.update(zip(word, extents[argument.name], strict=False))
    if set(letters) - set(output):
        found.append(2.0 * math.prod(letters.values()))
    return max(found)


def elements(problem: Problem, sizes: Sizes) -> int:
    """Of all arrays together. The sizes are a case's."""
    total: int = sum(math.prod(e.evaluate(sizes) for e in a.shape) for a in problem.arrays)
    return total


# --- shapes ------------------------------------------------------------------------------------


def _edge_shapes(problem: Problem) -> list[Sizes]:
    names = list(problem.sizes)
    shapes: list[Sizes] = []

    def add(values: Sequence[int], shift: int = 0) -> None:
        """``values`` go round the sizes, the first one to the size number ``shift``."""
        picked = {
            name: values[(place - shift) % len(names) % len(values)]
            for place, name in enumerate(names)
        }
        shapes.append(_clamped(problem, picked))

    everyone = range(len(names))
    for value in (1, 2, 3, 50, 128):
        add([value])
    add([1, 2, 3])
    add([3, 1, 2])
    for tile in (16, 32, 64):
        for shift in range(min(3, len(names) + 1)):
            add([tile - 1, tile + 1, tile], shift)
    add([127, 33, 129] if len(names) > 2 else [127, 129])
    for shift in everyone:
        add([1, 33, 47], shift)
        add([2, 301, 259], shift)
        add([1025, 5, 7], shift)
        add([1000, 7, 48], shift)
        add([200, 112, 5], shift)
        for value in (3, 5, 6):
            add([value, 8, 8], shift)
    add([37, 53, 71])
    add([160, 144, 6])
    add([6, 80, 160])
    add([20, 36, 12])
    add([129, 17, 131])
    if len(names) == 2:
        add([144, 160])
        add([256])
        add([257, 515])
        add([515, 257])
    if len(names) == 1:
        for value in (
            48,
            100,
            112,
            127,
            128,
            129,
            200,
            255,
            256,
            257,
            511,
            513,
            997,
            1000,
            1023,
            1024,
            1025,
            4097,
            10_000,
            65536,
            65537,
            1_000_003,
        ):
            add([value])
    shapes.extend(_largest(problem, name, shift) for shift, name in enumerate(names))
    return shapes


def _wide_shapes(problem: Problem) -> list[Sizes]:
    """Two extents of an output over 32 tiles of 16: a grid that was taken for the block is then too
    large. That shows in any order of threads, so one call is enough of so large a grid. Nine tiles
    of 128 by two, where blocks are counted in groups of eight tiles. And a square of some size that
    is no power of two, for a plane."""
    rest = dict.fromkeys(problem.sizes, 2)
    sides = [(515, 530), (1157, 275), (320, 320)][: 3 if len(problem.sizes) == 2 else 2]
    return [
        _clamped(problem, {**rest, one: height, other: width})
        for one, other in _output_pairs(problem)
        for height, width in sides
    ]


def _output_pairs(problem: Problem) -> list[tuple[str, str]]:
    """Sizes that span one output together: the grid follows them."""
    pairs: dict[tuple[str, str], None] = {}
    for array in problem.outputs:
        used = [name for name in problem.sizes if any(name in e.names for e in array.shape)]
        pairs.update(dict.fromkeys(combinations(used, 2)))
    return list(pairs)


def _clamped(problem: Problem, sizes: Sizes) -> Sizes:
    return {
        name: min(max(value, problem.sizes[name][0]), problem.sizes[name][1])
        for name, value in sizes.items()
    }


def _largest(problem: Problem, name: str, shift: int) -> Sizes:
    """One size at its maximum, or as large as the work allows, and the others tiny."""
    tiny = (1, 3, 2)
    others = {other: tiny[(place + shift) % len(tiny)] for place, other in enumerate(problem.sizes)}
    low, high = problem.sizes[name]

    def shape(value: int) -> Sizes:
        return _clamped(problem, {**others, name: value})

    if work(problem, shape(high)) <= CASE_WORK:
        return shape(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if work(problem, shape(middle)) <= CASE_WORK else (low, middle)
    return shape(low)


def _random_shapes(problem: Problem, seed: int, seen: set[tuple[int, ...]]) -> list[Sizes]:
    """As many as there are to be, unless the problem has no more: none is in ``seen``."""
    # Seeding by text is defined by hashing, the same in every Python.
    generator = random.Random(f"leetk {seed} {problem.name}")
    shapes: list[Sizes] = []
    taken = set(seen)
    for number in range(_FUZZ_CASES):
        limit = CASE_WORK if number == 0 else _FUZZ_WORK
        for _ in range(_FUZZ_TRIES):
            sizes = _clamped(problem, _random_shape(problem, generator))
            key = tuple(sizes.values())
            if key in taken or work(problem, sizes) > limit:
                continue
            if elements(problem, sizes) <= _FUZZ_ELEMENTS:
                taken.add(key)
                shapes.append(sizes)
                break
    return shapes


def _random_shape(problem: Problem, generator: random.Random) -> Sizes:
    if generator.random() < 0.1:
        return dict.fromkeys(problem.sizes, _random_size(generator))
    return {name: _random_size(generator) for name in problem.sizes}


def _random_size(generator: random.Random) -> int:
    """Half of them log-uniform; the others such as kernels are written for, or beside them."""
    kind = generator.random()
    if kind < 0.5:
        return int(math.exp(generator.random() * math.log(_FUZZ_LARGEST + 1)))
    if kind < 0.65:
        return generator.choice((10, 20, 25, 50, 100, 150, 200, 250, 300, 400, 500, 600, 750, 1000))
    beside = generator.choice((0, 0, 0, -1, 1))
    if kind < 0.8:
        return max(1, (1 << generator.randint(0, 10)) + beside)
    tile = generator.choice((4, 8, 12, 16, 24, 32, 48, 64))
    return tile * generator.randint(1, 8) + beside
