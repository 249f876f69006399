"""``leetk compare``: solutions of one problem side by side."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.contest import Contest
    from harness.history import Entry
    from harness.model import Problem, Source

_FOLDER = "solutions"
_COUNTED_SIZE = 256


@click.command("compare", short_help="Compare solutions: times on a GPU, else counters.")
@click.argument("problem_name", metavar="PROBLEM")
@click.argument("paths", metavar="[SOLUTION]...", nargs=-1)
@click.option(
    "--size",
    "sizes",
    metavar="NAME=VALUE",
    multiple=True,
    help="The size to time at; once for each size. Left out: as in the perf case.",
)
@click.option(
    "--backend",
    type=click.Choice(["auto", "cuda", "cpu"]),
    default="auto",
    help="cuda compares times, cpu the memory traffic. auto: the GPU if one is usable.",
)
@click.option(
    "--rounds",
    type=click.IntRange(8, 1000),
    default=12,
    show_default=True,
    help="How often each solution is timed, in turn with the others.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, metavar="N", help="Of the inputs.")
@click.option(
    "--against",
    metavar="best|NUMBER",
    help="An earlier time to hold them against: the best on this machine, or the one that "
    "leetk history shows under this number.",
)
@click.option("--json", metavar="FILE", help="Write the figures as JSON; - is standard output.")
@click.option(
    "--markdown",
    metavar="FILE",
    help="Put the table between the markers of a Markdown file; - is standard output.",
)
@click.option(
    "--plot", metavar="FILE.svg", help="Draw bars and, on a GPU, a roofline (needs matplotlib)."
)
def command(
    problem_name: str,
    paths: tuple[str, ...],
    sizes: tuple[str, ...],
    backend: str,
    rounds: int,
    seed: int,
    against: str | None,
    json: str | None,
    markdown: str | None,
    plot: str | None,
) -> int:
    """Compare the CUDA files SOLUTION of PROBLEM with the first of them; without any, the whole
    ladder in the folder solutions.

    Each is judged first. On a GPU they are then timed in turn, round by round, and the table says
    FASTER, SAME or SLOWER with the interval that shows it. Without a GPU their memory traffic is
    compared instead, and no time is claimed.

    \b
    --markdown README.md writes between these two lines:
        <!-- leetk compare PROBLEM -->
        <!-- end of leetk compare -->

    Exit codes: 0 compared, 1 a solution is not accepted, 2 a wrong option, path or spec, 3 leetk
    failed, 4 nothing here to compile or run with.
    """
    from harness.catalog import find_problem
    from harness.commands.session import parse_sizes
    from harness.commands.targets import STDOUT, check_writable, replace_file
    from harness.model import ExitCode
    from harness.report.contest import markdown as to_markdown
    from harness.report.contest import render
    from harness.report.contest_json import to_json
    from harness.report.terminal import Terminal

    if json == STDOUT and markdown == STDOUT:
        raise UsageError("--json and --markdown both want standard output; give one a file")
    if against not in (None, "best") and not against.removeprefix("#").isdecimal():
        raise UsageError(f"--against {against}: write best, or a number that leetk history shows")
    problem = find_problem(problem_name)
    if json not in (None, STDOUT):
        check_writable(json, "--json")
    if plot is not None:
        _check_plot(plot)
    page = None if markdown in (None, STDOUT) else _Page(Path(markdown), problem.name)
    sources = _sources(problem, paths)
    wanted = parse_sizes(sizes, problem)
    contest = _contest(problem, sources, wanted, backend, rounds, seed)
    contest = _remembered(contest, sources, against)
    if STDOUT not in (json, markdown):
        render(contest, Terminal(sys.stdout))
    if json is not None:
        _write(json, to_json(contest), "--json")
    if plot is not None:
        from harness.report.plot import svg

        replace_file(plot, svg(contest), "--plot")
    if markdown == STDOUT:
        sys.stdout.write(to_markdown(contest))
    elif page is not None:
        replace_file(str(page.path), page.with_table(to_markdown(contest)), "--markdown")
    return ExitCode.OK if contest.accepted else ExitCode.NOT_ACCEPTED


def _check_plot(target: str) -> None:
    """Before minutes of work: whether there is something to draw with and a place for it."""
    from importlib.util import find_spec

    from harness.commands.targets import check_writable
    from harness.errors import ToolchainMissing

    if not target.endswith(".svg"):
        raise UsageError(f"--plot {target}: the picture is an SVG; name the file so")
    if find_spec("matplotlib") is None:
        raise ToolchainMissing('--plot needs matplotlib: pip install "leetk[plot]"')
    check_writable(target, "--plot")


def _remembered(contest: Contest, sources: Sequence[Source], against: str | None) -> Contest:
    """Put the times into the history; the contest with the earlier time that was asked for."""
    from harness.contest import Reference
    from harness.history import History, best, entry
    from harness.model import Verdict

    made = [
        entry(contest.problem, source, standing.timing, contest.environment, contest.seed)
        for source, standing in zip(sources, contest.standings, strict=True)
        if standing.timing is not None and standing.verdict is Verdict.ACCEPTED
    ]
    if not made:
        if against is not None:
            raise UsageError(f"--against {against}: nothing was timed here to hold against it")
        return contest
    history = History()
    if against is not None:
        known = history.entries(contest.problem)
        found = best(known, made[0]) if against == "best" else _numbered(known, against, made[0])
        if found is None:
            raise UsageError(f"--against {against}: no such time was measured on this machine yet")
        name = f"#{found.number} {Path(found.solution).name}"
        contest = replace(contest, reference=Reference(name, found.median_ms))
    try:
        history.add(made)
    except UsageError as error:
        click.echo(f"leetk: not kept: {error}", err=True)
    return contest


def _numbered(known: Sequence[Entry], against: str, like: Entry) -> Entry | None:
    """The entry of that number. Raises UsageError for one that can't be compared."""
    number = int(against.removeprefix("#"))
    found = next((one for one in known if one.number == number), None)
    if found is not None and not found.alike(like):
        raise UsageError(
            f"--against {against}: measured at {found.sizes} on {found.machine}, now it is "
            f"{like.sizes} on {like.machine}; such times are not compared"
        )
    return found


def _write(target: str, text: str, option: str) -> None:
    from harness.commands.targets import STDOUT, replace_file

    if target == STDOUT:
        sys.stdout.write(text)
    else:
        replace_file(target, text, option)


class _Page:
    """A Markdown file with a place for the table. Raises UsageError where there is none."""

    def __init__(self, path: Path, problem: str) -> None:
        self.path = path
        begin, end = f"<!-- leetk compare {problem} -->", "<!-- end of leetk compare -->"
        try:
            self._text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"--markdown {path}: cannot be read: {why}") from None
        self._place = re.search(
            f"(?<={re.escape(begin)}\n).*?(?={re.escape(end)})", self._text, re.DOTALL
        )
        if self._place is None:
            raise UsageError(
                f"--markdown {path}: has no place for the table; put these two lines there: "
                f"{begin} and {end}"
            )

    def with_table(self, table: str) -> str:
        assert self._place is not None
        before, after = self._text[: self._place.start()], self._text[self._place.end() :]
        return f"{before}\n{table}\n{after}"


def _sources(problem: Problem, paths: Sequence[str]) -> list[Source]:
    """The named files; of folders, and without any names of ``solutions``, those that name the
    problem, in the order of their numbers. Raises UsageError."""
    from harness.catalog import find_submissions
    from harness.model import Verdict
    from harness.source import read_source

    if not paths and not Path(_FOLDER).is_dir():
        raise UsageError(
            f"there is no folder {_FOLDER} here; name what to compare: "
            f"leetk compare {problem.name} A.cu B.cu"
        )
    sources: list[Source] = []
    for path in [Path(name) for name in paths or (_FOLDER,)]:
        if not path.is_dir():
            sources.append(read_source(path))
            continue
        found = [item for item in find_submissions([path]) if item.problem == problem.name]
        meant = [
            item.path
            for item in found
            if not item.fault and (not item.expected or Verdict.ACCEPTED in item.expected)
        ]
        sources += [read_source(one) for one in sorted(meant, key=_natural)]
    if not sources:
        where = ", ".join(paths) or _FOLDER
        raise UsageError(f"no solution below {where} names the problem {problem.name}")
    return sources


def _natural(path: Path) -> list[tuple[int, str]]:
    """``v2`` before ``v10``."""
    parts = re.split(r"(\d+)", str(path))
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _contest(
    problem: Problem,
    sources: Sequence[Source],
    sizes: dict[str, int],
    backend: str,
    rounds: int,
    seed: int,
) -> Contest:
    from harness.analysis.contest import with_counters
    from harness.commands.progress import Progress
    from harness.commands.session import choose_backend
    from harness.judge.contest import contest
    from harness.model import BuildOptions
    from harness.settings import Settings

    choice = choose_backend(backend)
    settings = Settings(seed=seed, sizes=sizes)
    with Progress(None) as progress:
        made = contest(
            problem, sources, choice.backend, settings, BuildOptions(), rounds, progress.emit
        )
        counted = {
            name: min(max(_COUNTED_SIZE, low), high) for name, (low, high) in problem.sizes.items()
        }
        if not made.timed:
            counted |= sizes
        counting = choose_backend("cpu").backend
        return with_counters(
            made, problem, sources, counting, BuildOptions(), settings.limits, counted
        )
