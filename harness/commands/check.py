"""``leetk check``: judge every solution that names its problem, against what it expects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.commands.options import Options, judging_options
from harness.errors import NothingSelected, UsageError

if TYPE_CHECKING:
    from harness.catalog import Submission
    from harness.commands.progress import Progress
    from harness.commands.session import Choice
    from harness.model import Report


@click.command("check", short_help="Judge every solution below some folders, for CI.")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="How many at a time.",
)
@judging_options
def command(paths: tuple[str, ...], jobs: int, **values: Any) -> int:
    """Judge every solution below PATH (default: solutions) that names its problem in a comment:

    \b
        // leetk: problem matmul
        // leetk: expect wrong_answer     (only where it is meant to fail)

    A file with a wrong directive, or whose problem is wrong, is a line of its own; the others are
    judged. The exit code is the worst: 0 all as expected, 1 some not, 2 a wrong option, path,
    directive or spec, 3 the judge failed, 4 skipped, 5 no solution found, 130 interrupted.
    """
    from harness.catalog import count_passed_over, find_submissions
    from harness.commands.progress import Progress
    from harness.commands.session import NO_PROBLEM, choose_backend, exit_code
    from harness.commands.targets import checked_targets
    from harness.report import Batch
    from harness.report.summary import Summary
    from harness.report.terminal import Terminal

    options = Options(**values)
    outputs = checked_targets(options)
    if not paths and not Path("solutions").exists():
        raise UsageError("there is no folder solutions here; name what to check: leetk check PATH")
    folders = [Path(path) for path in paths or ("solutions",)]
    submissions = find_submissions(folders)
    if not submissions:
        where = ", ".join(str(folder) for folder in folders)
        raise NothingSelected(
            f"no solution below {where} names its problem (// leetk: problem NAME)"
        )
    seed = options.chosen_seed()
    choice = choose_backend(options.backend, options.nvcc)
    out = Terminal(outputs.human)
    if jobs > 1 and choice.backend.can_time and not options.no_perf:
        jobs = 1
        out.prose("judging one at a time: times taken side by side on one GPU disturb each other")
    summary = Summary(out, [(str(item.path), item.problem or NO_PROBLEM) for item in submissions])
    reports = []
    with Progress(options.progress) as progress:
        for report in _judge_all(submissions, choice, options, seed, jobs, progress):
            reports.append(report)
            progress.pause()
            summary.row(report)
            progress.resume()
    code = exit_code(reports)
    summary.close(reports, seed, verbose=options.verbose)
    passed_over, first = count_passed_over(folders, submissions)
    if passed_over:
        files = "file names" if passed_over == 1 else "files name"
        out.prose(f"not judged: {passed_over} .cu {files} no problem (first {first})")
    outputs.write(Batch(tuple(reports), seed, code))
    return code


def _judge_all(
    submissions: Sequence[Submission],
    choice: Choice,
    options: Options,
    seed: int,
    jobs: int,
    progress: Progress,
) -> Iterator[Report]:
    """The reports in the submissions' order, each as soon as it and all before it are there."""
    from harness.commands.pool import Job, judge_job, judge_jobs

    work = [
        Job(submission, choice.backend.name, options, seed, choice.note)
        for submission in submissions
    ]
    total = len(work)
    if jobs == 1 or total == 1:
        for number, job in enumerate(work, 1):
            progress.prefix = f"[{number} of {total}] {job.submission.path}: "
            yield judge_job(job, progress.emit, choice)
        return
    progress.show(f"judging {total} solutions, {jobs} at a time")
    for number, report in enumerate(judge_jobs(work, min(jobs, total)), 1):
        yield report
        progress.show(f"judged {number} of {total}")
