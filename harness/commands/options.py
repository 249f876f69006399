"""The options that ``run`` and ``check`` share, and what they were set to."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from harness.model import BuildOptions
    from harness.settings import Limits

Command = TypeVar("Command", bound=Callable[..., Any])

MAX_SEED = 2**63 - 1
_SHIFTS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


@dataclass(frozen=True)
class Options:
    """What the user asked for. ``seed`` None: draw one. ``progress`` None: on a terminal only. A
    limit that is None is the judge's own (``harness.settings.Limits``)."""

    backend: str = "auto"
    seed: int | None = None
    strict: bool = False
    sanitize: bool = False
    no_perf: bool = False
    timeout: float | None = None
    compile_timeout: float | None = None
    total_timeout: float | None = None
    memory_limit: int | None = None
    output_limit: int | None = None
    max_processes: int | None = None
    json: str | None = None
    junit: str | None = None
    github: bool = False
    nvcc: str = ""
    fast_math: bool = False
    no_cache: bool = False
    verbose: bool = False
    progress: bool | None = None

    def build(self) -> BuildOptions:
        from harness.model import BuildOptions

        given = BuildOptions(nvcc=self.nvcc, fast_math=self.fast_math, use_cache=not self.no_cache)
        if self.compile_timeout is None:
            return given
        return replace(given, seconds=self.compile_timeout)

    def limits(self) -> Limits:
        from harness.settings import Limits

        given = {
            "case_seconds": self.timeout,
            "total_seconds": self.total_timeout,
            "memory_bytes": self.memory_limit,
            "output_bytes": self.output_limit,
            "processes": self.max_processes,
        }
        chosen: dict[str, Any] = {k: v for k, v in given.items() if v is not None}
        return replace(Limits(), **chosen)

    def chosen_seed(self) -> int:
        """The seed asked for, or a fresh one that no submission can know beforehand."""
        if self.seed is not None:
            return self.seed
        import secrets

        return secrets.randbelow(2**31)


def _positive(
    context: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    if value is not None and not (math.isfinite(value) and value > 0):
        raise click.BadParameter(f"{value:g} is not a positive number of seconds")
    return value


def _count(context: click.Context, parameter: click.Parameter, value: int | None) -> int | None:
    if value is not None and value < 0:
        raise click.BadParameter(f"{value} is not a number of processes")
    return value


def _size(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """``512M`` to bytes."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,15})([KMGT]?)i?B?", value.strip(), re.IGNORECASE)
    size = int(match[1]) << _SHIFTS[match[2].upper()] if match else 0
    if not 0 < size < 1 << 63:
        raise click.BadParameter(f"{value!r} is not a size: write it as 512M or 2G")
    return size


def _seed(context: click.Context, parameter: click.Parameter, value: int | None) -> int | None:
    if value is not None and not 0 <= value <= MAX_SEED:
        raise click.BadParameter(f"a seed is from 0 to {MAX_SEED}")
    return value


def judging_options(command: Command) -> Command:
    """Add the shared options to a command; their values arrive as the fields of ``Options``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--backend",
        type=click.Choice(["auto", "cuda", "cpu"]),
        default="auto",
        help="What runs the solution. auto: the GPU if everything it needs is here, else the CPU.",
    ),
    click.option(
        "--seed",
        type=int,
        metavar="N",
        callback=_seed,
        help="Replay a run: its seed is in the last line of the report.",
    ),
    click.option(
        "--sanitize",
        is_flag=True,
        help="On a GPU: run compute-sanitizer on the smallest failing case, or on a small one. "
        "The CPU backend looks at each access in any case.",
    ),
    click.option("--strict", is_flag=True, help="Warnings and other findings fail a solution too."),
    click.option("--no-perf", is_flag=True, help="Don't time it."),
    click.option(
        "--timeout",
        type=float,
        metavar="SECONDS",
        callback=_positive,
        help="How long one call of solve may take (default 10); four times that in the two cases "
        "of leetk's own with very large grids.",
    ),
    click.option(
        "--compile-timeout",
        type=float,
        metavar="SECONDS",
        callback=_positive,
        help="How long the compiler may take (default 120).",
    ),
    click.option(
        "--total-timeout",
        type=float,
        metavar="SECONDS",
        callback=_positive,
        help="How long all cases of a solution may take; those that haven't begun by then are left "
        "out (default 300).",
    ),
    click.option(
        "--memory-limit",
        metavar="SIZE",
        callback=_size,
        help="How much host memory a solution may take, such as 512M (default 8G).",
    ),
    click.option(
        "--output-limit",
        metavar="SIZE",
        callback=_size,
        help="How much one call of solve may print (default 1M).",
    ),
    click.option(
        "--max-processes",
        type=int,
        metavar="N",
        callback=_count,
        help="How many processes a solution may have running beside its own (default 64).",
    ),
    click.option("--json", metavar="FILE", help="Write the report as JSON; - is standard output."),
    click.option(
        "--junit", metavar="FILE", help="Write the report as JUnit XML; - is standard output."
    ),
    click.option("--github", is_flag=True, help="Print annotations for GitHub Actions."),
    click.option("--nvcc", metavar="PATH", default="", help="The nvcc to build with."),
    click.option("--fast-math", is_flag=True, help="Build with --use_fast_math."),
    click.option("--no-cache", is_flag=True, help="Compile again, even if nothing has changed."),
    click.option("-v", "--verbose", is_flag=True, help="Show examples and commands as well."),
    click.option(
        "--progress/--no-progress", default=None, help="Show progress (default: on a terminal)."
    ),
)
