"""``leetk doctor``: what this machine has, what it lacks and how to get it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from harness.doctor import Examination
    from harness.model import ExitCode
    from harness.report.json import Json
    from harness.report.terminal import Terminal


@click.command("doctor", short_help="Say what is installed, what is missing and how to get it.")
@click.option("--json", "as_json", is_flag=True, help="Print the checks as JSON.")
def command(as_json: bool) -> int:
    """Say what this machine has for judging, what is missing, and the command that brings it.

    Exit codes: 0 a backend can judge, 2 a problem spec is wrong, 4 nothing can judge.
    """
    from harness.doctor import examine

    found = examine()
    if as_json:
        from harness.report.json import dumps

        sys.stdout.write(dumps(_as_json(found)))
    else:
        from harness.report.terminal import Terminal

        _show(found, Terminal(sys.stdout))
    return _exit_code(found)


def _exit_code(found: Examination) -> ExitCode:
    from harness.model import ExitCode

    if not found.usable:
        return ExitCode.UNAVAILABLE
    return ExitCode.OK if found.sound else ExitCode.USAGE


def _as_json(found: Examination) -> dict[str, Json]:
    return {
        "schema_version": 1,
        "usable": list(found.usable),
        "checks": [
            {
                "name": check.name,
                "state": check.state.value,
                "detail": check.detail,
                "remedy": check.remedy,
            }
            for check in found.checks
        ],
    }


def _show(found: Examination, out: Terminal) -> None:
    from harness.doctor import State

    marks = {
        State.OK: (out.symbols.good, "green"),
        State.OPTIONAL: (out.symbols.skipped, "yellow"),
        State.MISSING: (out.symbols.bad, "red"),
    }
    for check in found.checks:
        out.line(marks[check.state], f" {check.name}: {check.detail}")
        if check.remedy:
            out.line("what to do: ", (check.remedy, "bold"), indent=4)
    out.blank()
    if found.usable:
        out.line(("ready to judge", "bold green"), f" with: {', '.join(found.usable)}")
    else:
        out.line(("nothing can judge here yet", "bold red"), ": see the lines marked above")
