"""``leetk history``: the times that were measured here."""

from __future__ import annotations

import sys

import click


@click.command("history", short_help="Show the times that were measured here.")
@click.argument("problem", metavar="[PROBLEM]", default="")
@click.option(
    "--last",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    metavar="N",
    help="How many to show.",
)
@click.option("--json", "as_json", is_flag=True, help="All of them as JSON on standard output.")
def command(problem: str, last: int, as_json: bool) -> int:
    """Show the times of PROBLEM's solutions, or of all, that leetk run and leetk compare measured
    on a GPU here: by machine, with the change since the same solution was timed before.

    They are kept in a SQLite file in your data folder; LEETK_HISTORY names another one.
    """
    from harness.history import History, changes
    from harness.model import ExitCode
    from harness.report.history import render, to_json
    from harness.report.terminal import Terminal

    history = History()
    entries = history.entries(problem)
    found = changes(entries)
    if as_json:
        sys.stdout.write(to_json(entries, found))
    elif entries:
        render(entries[-last:], found, Terminal(sys.stdout))
    else:
        of = f" of {problem}" if problem else ""
        click.echo(f"no time{of} was measured here yet; leetk run on a GPU measures one")
    return ExitCode.OK
