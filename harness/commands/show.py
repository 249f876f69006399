"""``leetk show``: all that a solver needs to know of a problem."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from harness.model import Argument, Perf, Problem, Tolerance
    from harness.report.terminal import Part, Terminal


@click.command("show", short_help="Show a problem: statement, arguments, examples, starter.")
@click.argument("problem", metavar="PROBLEM")
@click.option(
    "--prove",
    is_flag=True,
    help="Hold wrong outputs against the spec instead: exit 1 if it lets one pass.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="N", help="Of the data for --prove.  [default: 0]"
)
@click.option("--json", metavar="FILE", help="Write the proof as JSON; - is standard output.")
def command(problem: str, prove: bool, seed: int | None, json: str | None) -> int:
    """Show PROBLEM (a name or the path of a spec) and the solve function to write.

    The spec's examples are worked out with its reference first: one that is wrong is an error.

    --prove is for who writes a spec. It turns the right answers of all planned cases into wrong
    ones, such as zeros, a transpose or half precision, and has the judge's own comparison reject
    them. No compiler is needed.
    """
    from harness.catalog import find_problem
    from harness.errors import UsageError
    from harness.model import ExitCode
    from harness.report.terminal import Terminal

    if not prove:
        for name, value in (("--seed", seed), ("--json", json)):
            if value is not None:
                raise UsageError(f"{name} of leetk show goes with --prove")
    found = find_problem(problem)
    if prove:
        return _prove(found, seed or 0, json)
    _check_examples(found)
    _show(found, problem, Terminal(sys.stdout))
    return ExitCode.OK


def _prove(problem: Problem, seed: int, json: str | None) -> int:
    from harness.commands.proof import render, to_json
    from harness.commands.targets import STDOUT, check_writable, replace_file
    from harness.judge.prove import prove
    from harness.model import ExitCode
    from harness.report.terminal import Terminal

    if json not in (None, STDOUT):
        check_writable(json, "--json")
    proof = prove(problem, seed)
    if json == STDOUT:
        sys.stdout.write(to_json(proof))
    else:
        render(proof, Terminal(sys.stdout))
    if json not in (None, STDOUT):
        replace_file(json, to_json(proof), "--json")
    return ExitCode.OK if proof.holds else ExitCode.NOT_ACCEPTED


def _check_examples(problem: Problem) -> None:
    """Raise ReferenceFault, which names the line, for an example that the reference contradicts."""
    from harness.cases import case_data, plan_cases

    for case in plan_cases(problem, 0):
        if case.example is not None:
            case_data(problem, case)


def _show(problem: Problem, asked: str, out: Terminal) -> None:
    from harness.report.text import example_inputs

    out.line((problem.name, "bold"), f": {problem.title}")
    out.blank()
    out.paragraphs(problem.statement.strip())
    out.blank()
    out.line(("arguments of solve, in this order", "bold"))
    out.table([_argument_row(argument) for argument in problem.arguments], indent=2)
    out.blank()
    out.line(("sizes", "bold"))
    rows: list[tuple[Part, ...]] = [
        (name, f"{low} to {high}") for name, (low, high) in problem.sizes.items()
    ]
    out.table(rows, indent=2)
    for number, example in enumerate(problem.examples, 1):
        out.blank()
        out.line((f"example {number}", "bold"))
        for line in example_inputs(example, problem):
            out.line(line, indent=2)
        for line in _example_outputs(problem, number - 1):
            out.line(line, indent=2)
    out.blank()
    _judging(problem, out)
    out.blank()
    _starter(problem, asked, out)


_ROLES = {
    "in": "input, read-only",
    "out": "output, to be written; it does not start as zero",
    "inout": "input that is overwritten with the output",
    "size": "a size",
    "scalar": "a number",
}


def _argument_row(argument: Argument) -> tuple[Part, ...]:
    extents = "".join(f"[{extent.text}]" for extent in argument.shape)
    return (f"{argument.name}{extents}", argument.type, _ROLES[argument.role.value])


def _example_outputs(problem: Problem, index: int) -> list[str]:
    from harness.report.text import assignment

    outputs = problem.examples[index].outputs
    return [
        f"gives {assignment(argument.name, outputs[argument.name], argument.type)}"
        for argument in problem.outputs
        if argument.name in outputs
    ]


def _judging(problem: Problem, out: Terminal) -> None:
    from harness.cases import kinds, plan_cases
    from harness.model import CaseKind
    from harness.report.text import plural, sizes

    planned = plan_cases(problem, 0)
    count = {kind: sum(case.kind is kind for case in planned) for kind in CaseKind}
    out.line(("how it is judged", "bold"))
    out.line(
        f"{plural(count[CaseKind.EXAMPLE], 'example')}, {plural(count[CaseKind.TEST], 'test')} "
        f"and {plural(count[CaseKind.FUZZ], 'fuzzed shape')}, whose data change with the seed",
        indent=2,
    )
    for kind in kinds.kinds_of(problem):
        out.prose(f"some again with {kinds.WORDS[kind]}", indent=2)
    out.prose(_tolerance(problem.tolerance), indent=2)
    if problem.perf is not None:
        out.line(f"timed on a GPU at {sizes(problem.perf.sizes)}", indent=2)
        _work(problem, problem.perf, out)


def _work(problem: Problem, perf: Perf, out: Terminal) -> None:
    """What the timed call has to do and how large its arrays are."""
    from harness.report.text import joined, mebibytes

    if perf.flops is not None:
        out.line(f"that is {perf.flops.evaluate(perf.sizes):,} FLOP ({perf.flops})", indent=4)
    arrays = [argument for argument in problem.arguments if argument.shape]
    each = [f"{argument.name} {mebibytes(_bytes(argument, perf.sizes))}" for argument in arrays]
    if each:
        together = mebibytes(sum(_bytes(argument, perf.sizes) for argument in arrays))
        whole = f", together {together}" if len(each) > 1 else ""
        out.line(f"the arrays take {joined(each)}{whole}", indent=4)
    if perf.bytes is not None:
        least = perf.bytes.evaluate(perf.sizes)
        most = ""
        if perf.flops is not None and least:
            most = f", so at most {perf.flops.evaluate(perf.sizes) / least:,.4g} FLOP/byte"
        out.line(f"a call has to move {mebibytes(least)} at least ({perf.bytes}){most}", indent=4)


def _bytes(argument: Argument, sizes: Mapping[str, int]) -> int:
    import numpy as np

    count = math.prod(extent.evaluate(sizes) for extent in argument.shape)
    return count * np.dtype(argument.type).itemsize


def _tolerance(tolerance: Tolerance) -> str:
    if tolerance.atol == tolerance.rtol == 0 and tolerance.reduction is None:
        return "outputs must be exact"
    text = f"outputs may be off by {tolerance.atol:g} + {tolerance.rtol:g} * |right answer|"
    if tolerance.reduction is None:
        return text
    terms = tolerance.reduction.text
    return f"{text}, and by the rounding of a float32 sum of {terms} terms"


def _starter(problem: Problem, asked: str, out: Terminal) -> None:
    from harness.source.scan import prototype

    out.line(("a start", "bold"))
    for line in (
        f"// leetk: problem {problem.name}",
        "#include <cuda_runtime.h>",
        "",
        f"{prototype(problem).rstrip().rstrip(';')} {{",
        "}",
    ):
        out.line(line, indent=2)
    out.blank()
    out.line("judge it with: ", (f"leetk run {shlex.quote(asked)} FILE.cu", "bold"))
