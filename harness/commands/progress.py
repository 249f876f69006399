"""What happens now, while a solution is compiled and run: one line on standard error that is gone
when it ends. Where standard error is no terminal and progress was asked for, one line an event."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.status import Status

    from harness.settings import Event

_STAGES = {"build": "compiling", "case": "running", "perf": "timing"}


class Progress:
    """A context manager; ``emit`` takes the judge's events. ``wanted`` None: only on a terminal.
    ``prefix`` says which submission of how many."""

    def __init__(self, wanted: bool | None) -> None:
        live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._live = live and wanted is not False
        self._lines = bool(wanted) and not live
        self._status: Status | None = None
        self._last = ""
        self.prefix = ""

    def __enter__(self) -> Progress:
        if self._live:
            from rich.console import Console

            from harness.report.terminal import UNICODE, Terminal

            symbols = Terminal(sys.stderr).symbols
            spinner = "dots" if symbols is UNICODE else "line"
            console = Console(file=sys.stderr, markup=False, emoji=False, highlight=False)
            self._status = console.status("", spinner=spinner)
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.pause()
        self._status = None

    def emit(self, event: Event) -> None:
        """Show an event of the judge."""
        if event.stage in _STAGES:
            # The prefix names the submission already.
            known = bool(event.detail) and event.detail in self.prefix
            self.show(describe(replace(event, detail="") if known else event))

    def show(self, text: str) -> None:
        """Replace the line's text."""
        text = f"{self.prefix}{text}"
        if self._status is not None:
            from rich.text import Text

            from harness.report.text import one_line

            self._status.update(Text(one_line(text), overflow="ellipsis", no_wrap=True))
        elif self._lines and text != self._last:
            self._last = text
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()

    def pause(self) -> None:
        """Take the line away, so that something else can be printed."""
        if self._status is not None:
            self._status.stop()

    def resume(self) -> None:
        if self._status is not None:
            self._status.start()


def describe(event: Event) -> str:
    """``running 3 of 42: fuzz 1``."""
    count = ""
    if event.total > 1:
        count = f" {min(event.done + (event.result is None), event.total)} of {event.total}"
    separator = ": " if count else " "
    return f"{_STAGES[event.stage]}{count}{separator}{event.detail}".rstrip(": ")
