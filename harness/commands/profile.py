"""``leetk profile``: what a solution's memory accesses cost, by source line."""

from __future__ import annotations

import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from harness.analysis.resources import PtxasLog
    from harness.counters import Profile
    from harness.model import Case, Problem, Source


@click.command("profile", short_help="Count a solution's memory accesses by source line.")
@click.argument("targets", metavar="[PROBLEM] SOLUTION", nargs=-1, required=True)
@click.option(
    "--size",
    "sizes",
    metavar="NAME=VALUE",
    multiple=True,
    help="The size to count at; once for each size. Left out: 256, or what the problem allows.",
)
@click.option(
    "--backend",
    type=click.Choice(["auto", "cuda", "cpu"]),
    default="auto",
    help="What counts: cuda takes Nsight Compute on the GPU, cpu needs neither. auto: "
    "cuda where a GPU is usable and Nsight Compute may read its counters, else cpu.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, metavar="N", help="Of the inputs.")
@click.option("--json", metavar="FILE", help="Write the counters as JSON; - is standard output.")
def command(
    targets: tuple[str, ...], sizes: tuple[str, ...], backend: str, seed: int, json: str | None
) -> int:
    """Count what the kernels of the CUDA file SOLUTION ask of memory when it solves PROBLEM.

    Global memory is counted in sectors of 32 bytes, shared memory in wavefronts, as Nsight Compute
    counts them; what is more than the accesses need at least is marked and explained. PROBLEM may
    be left out where the file names it in a comment: // leetk: problem matmul

    Exit codes: 0 counted, 1 the solution fails, 2 a wrong option, path or spec, 3 leetk failed,
    4 no compiler, GPU or profiler for the asked backend.
    """
    from harness.analysis.work import with_work
    from harness.cases import sized_case
    from harness.commands.names import named_targets
    from harness.commands.session import parse_sizes
    from harness.commands.targets import STDOUT, check_writable, replace_file
    from harness.errors import CompileFailed
    from harness.model import ExitCode
    from harness.report.profile import render, to_json
    from harness.report.terminal import Terminal

    if json not in (None, STDOUT):
        check_writable(json, "--json")
    found, source, mismatch = named_targets(targets, "profile")
    if mismatch is not None:
        click.echo(f"leetk: {source.path}: {mismatch.message}", err=True)
    chosen = {
        name: min(max(256, low), high) for name, (low, high) in found.sizes.items()
    } | parse_sizes(sizes, found)
    case = sized_case(found, seed, chosen)
    try:
        with _Ptxas(found, source, backend) as ptxas:
            counted = with_work(ptxas.complete(_counted(found, source, case, backend)), found)
    except CompileFailed as error:
        click.echo(f"leetk: compile_error: {error}", err=True)
        return ExitCode.NOT_ACCEPTED
    if json != STDOUT:
        render(counted, Terminal(sys.stdout), _texts(counted, source))
    if json == STDOUT:
        sys.stdout.write(to_json(counted))
    elif json is not None:
        replace_file(json, to_json(counted), "--json")
    return ExitCode.OK


def _counted(problem: Problem, source: Source, case: Case, name: str) -> Profile:
    """By the backend of that name, or for ``auto`` by the first that can count here. What kept a
    GPU from it is told. Raises ToolchainMissing as the backends do."""
    from harness.commands.session import choose_backend
    from harness.errors import ToolchainMissing
    from harness.judge.profile import profile
    from harness.model import BuildOptions
    from harness.settings import Limits

    backend = choose_backend(name).backend
    try:
        return profile(problem, source, backend, case, BuildOptions(), Limits())
    except ToolchainMissing as error:
        if name != "auto" or backend.name == "cpu":
            raise
        click.echo(f"leetk: counted by the cpu backend: {error}", err=True)
    return profile(problem, source, choose_backend("cpu").backend, case, BuildOptions(), Limits())


class _Ptxas:
    """Brings what ptxas says of a solution. Where no GPU counts, nvcc works beside the count."""

    def __init__(self, problem: Problem, source: Source, name: str) -> None:
        """``name`` is the backend's, or ``auto``."""
        from harness import backends

        self._pool = ThreadPoolExecutor(1)
        self._problem, self._source = problem, source
        beside = name == "cpu" or (name == "auto" and backends.backend("cuda", "").absent())
        self._asked = self._ask() if beside else None

    def _ask(self) -> Future[PtxasLog]:
        from harness.analysis.resources import ptxas_log
        from harness.model import BuildOptions

        return self._pool.submit(ptxas_log, self._problem, self._source, BuildOptions())

    def __enter__(self) -> _Ptxas:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def complete(self, profile: Profile) -> Profile:
        """With the resources of the kernels whose backend does not know them."""
        from harness.analysis.resources import with_resources

        if all(kernel.resources is not None for kernel in profile.kernels):
            return profile
        log = (self._asked or self._ask()).result()
        if log.note:
            click.echo(f"leetk: {log.note}", err=True)
        return with_resources(profile, log.text, log.arch)


def _texts(profile: Profile, source: Source) -> dict[str, str]:
    """The sources that the profile's lines name; one that can't be read any more is left out."""
    from harness.errors import SourceError
    from harness.source.read import read_text

    texts = {str(source.path): source.text}
    for file in {line.file for kernel in profile.kernels for line in kernel.lines} - {"", *texts}:
        with suppress(SourceError):
            texts[file] = read_text(Path(file))
    return texts
