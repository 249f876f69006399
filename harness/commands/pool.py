"""Judging several submissions side by side, each in a process of its own pool.

Processes, not threads: the judge's own work (inputs, references, comparing) is numpy's and
Python's, and an interrupt must reach what a judge has started. The pool's processes ignore Ctrl-C,
which the terminal sends to all; the parent ends them with SIGTERM, which unwinds the judge, which
ends its compilers and workers. They also end when the parent is killed.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from harness import backends, catalog
from harness.catalog import Submission
from harness.commands.options import Options
from harness.commands.session import Choice, failed_report, judge_one
from harness.errors import SourceError, UsageError
from harness.model import Finding, Problem, Report
from harness.source import read_source

if TYPE_CHECKING:
    from harness.settings import Event

_TERMINATED = 128 + signal.SIGTERM
_GRACE = 5.0  # seconds that a process of the pool has to end what it started


@dataclass(frozen=True)
class Job:
    """One submission and how to judge it; travels to another process."""

    submission: Submission
    backend: str
    options: Options
    seed: int
    note: Finding | None = None


def judge_job(job: Job, emit: Callable[[Event], None], choice: Choice) -> Report:
    """Judge one. What goes wrong with it becomes its report, so that the others are judged too."""
    submission = job.submission
    try:
        if submission.fault:
            raise SourceError(submission.fault)
        problem = _problem(submission)
        source = read_source(submission.path)
        return judge_one(
            problem, source, choice, job.options, job.seed, emit, expected=submission.expected
        )
    except Exception as error:
        if os.environ.get("LEETK_DEBUG"):
            raise
        return failed_report(error, submission, job.backend, job.seed)


def _problem(submission: Submission) -> Problem:
    """Its problem. The file is named where the directive is what is wrong, not the spec."""
    try:
        return catalog.find_problem(submission.problem)
    except UsageError as error:
        raise UsageError(f"{submission.path}: {error}") from error


def judge_jobs(jobs: Sequence[Job], processes: int) -> Generator[Report, None, None]:
    """The reports in the jobs' order, ``processes`` judged at a time."""
    executor = ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context("spawn"), initializer=_start
    )
    try:
        for job, future in [(job, executor.submit(_judge_alone, job)) for job in jobs]:
            try:
                yield future.result()
            except Exception as error:  # a process of the pool died
                yield failed_report(error, job.submission, job.backend, job.seed)
    except BaseException:
        _end(executor)
        raise
    executor.shutdown()


def _judge_alone(job: Job) -> Report:
    try:
        choice = Choice(backends.backend(job.backend, job.options.nvcc), job.note)
        return judge_job(job, lambda event: None, choice)
    except SystemExit:
        # Told to end, and by now what the judge had started is ended. The pool would take the
        # exception for a result and wait for the next job.
        os._exit(_TERMINATED)


def _end(executor: ProcessPoolExecutor) -> None:
    children = multiprocessing.active_children()
    for child in children:
        child.terminate()
    for child in children:
        child.join(_GRACE)
        if child.is_alive():
            child.kill()
    # Its thread waits for them, too: only then nobody is left that has not been waited for.
    executor.shutdown(cancel_futures=True)


def _start() -> None:
    """In each process of the pool, before its first job."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _terminated)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(_TERMINATED)


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
