"""``leetk list``: the problems."""

from __future__ import annotations

import sys

import click


@click.command("list", short_help="List the problems.")
def command() -> int:
    """List the problems that leetk knows: those in $LEETK_PROBLEMS, in ./problems, and its own."""
    from harness.catalog import list_all, problem_folders
    from harness.errors import NothingSelected
    from harness.model import ExitCode
    from harness.report.terminal import Part, Terminal

    problems, wrong = list_all()
    for error in wrong:
        click.echo(f"leetk: {' '.join(str(error).split())}", err=True)
    if not problems and not wrong:
        folders = ", ".join(str(folder) for folder in problem_folders())
        raise NothingSelected(f"no problem in {folders or 'any folder'}")
    if not problems:
        return ExitCode.USAGE
    out = Terminal(sys.stdout)
    rows: list[tuple[Part, ...]] = [
        ((problem.name, "bold"), problem.title, ", ".join(problem.sizes)) for problem in problems
    ]
    out.table([("problem", "title", "sizes"), *rows])
    return ExitCode.USAGE if wrong else ExitCode.OK
