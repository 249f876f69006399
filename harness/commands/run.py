"""``leetk run``: judge one solution."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from harness.commands.options import Options, judging_options
from harness.errors import UsageError
from harness.timeline import mark

if TYPE_CHECKING:
    from contextlib import ExitStack

    from harness.model import Finding, Problem, Report, Source
    from harness.worker.process import WorkerProcess


@click.command("run", short_help="Judge one solution.")
@click.argument("targets", metavar="[PROBLEM] SOLUTION", nargs=-1, required=True)
@click.option(
    "--size",
    "sizes",
    metavar="NAME=VALUE",
    multiple=True,
    help="Judge one case of this size instead of the planned ones; once for each size.",
)
@judging_options
def command(targets: tuple[str, ...], sizes: tuple[str, ...], **values: Any) -> int:
    """Judge the CUDA file SOLUTION against PROBLEM, a name or the path of a spec.

    PROBLEM may be left out where the file names it in a comment: // leetk: problem matmul

    Exit codes: 0 accepted, 1 not accepted, 2 a wrong option, path or spec, 3 the judge failed,
    4 no compiler or GPU for the asked backend, 130 interrupted.
    """
    from contextlib import ExitStack

    from harness.commands.names import named_targets
    from harness.commands.progress import Progress
    from harness.commands.session import choose_backend, exit_code, judge_one, parse_sizes
    from harness.commands.targets import checked_targets
    from harness.model import Verdict
    from harness.parallel import background
    from harness.report import Batch

    mark("command begins")
    options = Options(**values)
    outputs = checked_targets(options)
    _check_size_words(sizes, targets)
    with ExitStack() as stack:
        # They start while this process still imports what a judge needs, one after the other, so as
        # not to be in its way.
        started = [_start_worker(stack)]
        # A GPU's driver takes a while to answer.
        chosen = background(lambda: choose_backend(options.backend, options.nvcc))
        problem, source, mismatch = named_targets(targets)
        mark("problem and source are read")
        wanted = parse_sizes(sizes, problem)
        seed = options.chosen_seed()
        choice = chosen()
        if choice.backend.slots > 1:
            started.append(_start_worker(stack))
        mark("backend is chosen")
        with Progress(options.progress) as progress:
            report = judge_one(
                *(problem, source, choice, options, seed, progress.emit),
                sizes=wanted,
                started=started,
            )
    mark("judged")
    notes = [mismatch] if mismatch is not None else []
    if wanted and len(wanted) < len(problem.sizes):
        notes.append(_filled(problem, wanted))
    report = replace(report, findings=(*notes, *report.findings))

    from harness.report.console import render
    from harness.report.terminal import Terminal

    render(report, Terminal(outputs.human), problem=problem, verbose=options.verbose)
    code = exit_code([report])
    outputs.write(Batch((report,), seed, code, single=True))
    if report.timing is not None and report.verdict is Verdict.ACCEPTED:
        _keep(report, source)
    mark("report is written")
    return code


def _keep(report: Report, source: Source) -> None:
    """Put the time into the history; a word where that can't be done."""
    from harness.history import History, entry

    assert report.timing is not None
    made = entry(report.problem, source, report.timing, report.environment, report.seed)
    try:
        History().add([made])
    except UsageError as error:
        click.echo(f"leetk: not kept: {error}", err=True)


def _start_worker(stack: ExitStack) -> WorkerProcess:
    """A process for a worker, which ends with ``stack`` if nobody else has ended it."""
    from harness.worker.process import WorkerProcess, memory_file

    arena = memory_file()
    stack.callback(os.close, arena)
    process = WorkerProcess(arena)
    stack.callback(process.close)
    return process


def _filled(problem: Problem, wanted: Mapping[str, int]) -> Finding:
    """A word on the sizes that ``--size`` left open."""
    from harness.model import Finding

    others = [name for name in problem.sizes if name not in wanted]
    text = (
        f"{', '.join(others)} {'is' if len(others) == 1 else 'are'} not given: as in the perf case"
    )
    return Finding("option", "info", text)


def _check_size_words(sizes: tuple[str, ...], targets: tuple[str, ...]) -> None:
    """Of ``--size M 3`` the 3 would be taken for a file."""
    for item in sizes:
        if "=" not in item and any(target.isdecimal() for target in targets):
            raise UsageError(
                f"--size {item}: give --size once for each size: --size M=3 --size N=4"
            )
