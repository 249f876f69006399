"""Renderers of a ``Report``: they only render, nothing is decided here.

``text`` holds what all of them share; ``terminal`` and ``console`` write for people (rich is known
only there); ``json``, ``junit`` and ``github`` each turn reports into one string for a machine.

To add a machine format, write a module with ``render(batch) -> str`` and name it in ``FORMATS``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from harness.model import Report

FORMATS = {
    "json": "harness.report.json",
    "junit": "harness.report.junit",
    "github": "harness.report.github",
}


@dataclass(frozen=True)
class Batch:
    """What one command judged. ``single`` is true for ``leetk run``, whose JSON is the report
    itself; ``leetk check`` wraps its reports in a summary. ``exit_code`` is the command's."""

    reports: tuple[Report, ...]
    seed: int
    exit_code: int
    single: bool = False


def renderer(name: str) -> Callable[[Batch], str]:
    """The renderer of a format, imported only now. Raises KeyError for an unknown name."""
    return cast("Callable[[Batch], str]", import_module(FORMATS[name]).render)
