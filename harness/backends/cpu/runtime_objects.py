"""The runtime's objects: compiled beside the first solution, or ahead of it (prebuilt.py)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.backends.cpu.runtime_units import Unit
from harness.backends.cpu.toolchain import Toolchain
from harness.build import compiler, diagnostics
from harness.build.compiler import CompilerRun, Limits
from harness.errors import CompileFailed, JudgeError
from harness.parallel import cores


def finish(
    units: Sequence[Unit],
    runs: Sequence[CompilerRun],
    toolchain: Toolchain,
    limits: Limits,
    work: Path,
) -> dict[str, Path | bytes]:
    """The objects in ``work`` by their names, once every unit has been compiled by ``runs``; units
    that failed are compiled file by file.

    Raises JudgeError when the runtime does not compile.
    """
    pairs = list(zip(units, runs, strict=True))
    bad = [unit for unit, run in pairs if run.code and len(unit.files) > 1]
    done = [(unit, run) for unit, run in pairs if unit not in bad]
    parts = [part for unit in bad for part in unit.apart()]
    done += zip(parts, compile_units(parts, toolchain, limits, work), strict=True)
    for _, run in done:
        _check(run, limits, work)
    return {unit.object: work / unit.object for unit, _ in done}


def compile_units(
    units: Sequence[Unit], toolchain: Toolchain, limits: Limits, work: Path
) -> tuple[CompilerRun, ...]:
    """Compile each in ``work``."""
    for unit in units:
        unit.write(work)
    commands = [unit.command(toolchain) for unit in units]
    return compiler.run_compilers(commands, limits=limits, cwd=work, parallel=cores())


def _check(run: CompilerRun, limits: Limits, work: Path) -> None:
    if run.timed_out:
        raise JudgeError(f"compiling the runtime took more than {limits.seconds:g} s")
    try:
        compiler.check_machine(run, limits, work)
    except CompileFailed as error:
        raise JudgeError(f"compiling the runtime: {error}") from None
    if run.code:
        reason = diagnostics.summary(diagnostics.parse(run.output), run.output.strip()[:200])
        raise JudgeError(f"compiling the runtime with {run.command[0]} failed: {reason}")
