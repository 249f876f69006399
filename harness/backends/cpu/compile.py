"""Makes a library that the cache does not have: checks, compiles, links, keeps it.

The runtime's objects are cached apart from the solutions: the first run compiles them beside the
solution, later ones only link them. Everything is made in a private folder that goes away whatever
happens.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from harness.backends.cpu import (
    callgraph,
    device_names,
    host_calls,
    kernel_types,
    messages,
    prebuilt,
    precompiled,
    returns,
    rules,
    runtime_objects,
    runtime_units,
)
from harness.backends.cpu.build import RECORD
from harness.backends.cpu.job import INCLUDE, Job
from harness.backends.cpu.refuse import refusal_of
from harness.backends.cpu.rules.unit import Unit
from harness.backends.cpu.runtime_units import RUNTIME
from harness.backends.cpu.sources import TREE
from harness.build import compiler, diagnostics
from harness.build.compiler import CompilerRun, Limits
from harness.errors import CompileFailed, JudgeError, Refused, ToolchainMissing
from harness.model import Diagnostic
from harness.source.functions import Outline

_OBJECT = "solution.o"
_FINISHED = "finished.o"
_CALLS = "calls.txt"
_PLACES = "places"


def compile_library(job: Job, runtime_key: str, key: str, name: str) -> Path:
    """Make the library and return its cache entry, ``key``; the runtime's is ``runtime_key``.

    Raises CompileFailed, Refused or JudgeError.
    """
    job.tree.refuse(RUNTIME)
    work = job.cache.work_folder()
    try:
        return _compile(job, runtime_key, key, name, work)
    except OSError as error:
        raise JudgeError(
            f"the build folder {work} can't be written: {error.strerror or error}"
        ) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _compile(job: Job, runtime_key: str, key: str, name: str, work: Path) -> Path:
    _write(job, work)
    objects = job.cache.get(runtime_key) or prebuilt.get(runtime_key)
    units = runtime_units.units() if objects is None else ()
    run, runtime_runs = _compile_with(units, job, runtime_key, work)
    if run.timed_out:
        compiler.check_machine(run, _limits(job), work)
    if objects is None:
        made = runtime_objects.finish(units, runtime_runs, job.toolchain, _limits(job), work)
        objects = job.cache.put(runtime_key, made)
    declared = _declared(job)
    found = _obey_rules(job, _checked(run, job, work), run, declared)
    _check_calls(job, run, declared, work)
    _finish_functions(run, job, work)
    (linked,) = _run([_link_command(job, objects, name)], job, work)
    found += _checked(linked, job, work)
    diagnosed = [asdict(item) for item in (*job.warnings, *found)]
    record = {"command": run.command, "diagnostics": diagnosed}
    return job.cache.put(key, {name: work / name, RECORD: json.dumps(record).encode()})


def _compile_with(
    units: Sequence[runtime_units.Unit], job: Job, runtime_key: str, work: Path
) -> tuple[CompilerRun, Sequence[CompilerRun]]:
    """Compile the solution and, beside it, what there is not yet: these units of the runtime and
    the precompiled headers. The solution's run and the units'."""
    for unit in units:
        unit.write(work)
    solution = _compile_command(job, work)
    commands = [solution, *(unit.command(job.toolchain) for unit in units)]
    headers = precompiled.Headers(job.toolchain, job.options, runtime_key)
    if headers.key:
        made = job.cache.get(headers.key) or prebuilt.get(headers.key)
        if made is None:
            *runs, last = _run([*commands, headers.command(work)], job, work)
            headers.keep(job.cache, last, work)
            return runs[0], runs[1:]
        precompiled.offer(made, work)
    run, *others = _run(commands, job, work)
    if precompiled.withdraw(run, work):
        (run,) = _run([solution], job, work)
    return run, others


def _finish_functions(run: CompilerRun, job: Job, work: Path) -> None:
    """Compile once more where functions end without a value."""
    places = returns.unfinished(_found(run, job, work))
    if not places:
        return
    for file in job.tree.files:
        here = [place for place in places if place.file == file.shown]
        text = job.text(returns.finished(file.compiled, here))
        (work / TREE / file.place).write_bytes(text.encode("utf-8", "surrogateescape"))
    again = [word if word != _OBJECT else _FINISHED for word in _compile_command(job, work)]
    (second,) = _run([again], job, work)
    if second.code == 0:  # else a type without a value to return: left as it is
        os.replace(work / _FINISHED, work / _OBJECT)


def _write(job: Job, work: Path) -> None:
    job.tree.write(work, job.text)
    folder = work / INCLUDE
    folder.mkdir()
    for header, text in job.headers.items():
        (folder / header).write_text(text, "utf-8")


def _limits(job: Job) -> Limits:
    return Limits(seconds=job.options.seconds)


def _run(commands: Sequence[Sequence[str]], job: Job, work: Path) -> tuple[CompilerRun, ...]:
    parallel = os.cpu_count() or 1
    return compiler.run_compilers(commands, limits=_limits(job), cwd=work, parallel=parallel)


def _compile_command(job: Job, work: Path) -> tuple[str, ...]:
    place = os.path.join(TREE, job.tree.main.place)
    options = (*job.compile_options(), f"-fdebug-prefix-map={work}=.")
    if not (job.toolchain.clang or job.options.traced or job.options.checked):
        options = (*options, f"{callgraph.DUMP_OPTION}={_CALLS}")
    return (*job.toolchain.command, *options, "-x", "c++", "-c", place, "-o", _OBJECT)


def _link_command(job: Job, objects: Path, name: str) -> tuple[str, ...]:
    # In this order, because red zones lie before and behind the solution's variables.
    before, after = (f"{name}.o" for name in runtime_units.AROUND)
    rest = sorted({path.name for path in objects.glob("*.o")} - {before, after})
    runtime = [str(objects / file) for file in (before, after, *rest)]
    parts = (runtime[0], _OBJECT, *runtime[1:])
    command = (*job.toolchain.command, "-shared", "-o", name, *parts)
    return (*command, *job.link_options())


# --- what came of it ---------------------------------------------------------------------------


def _declared(job: Job) -> dict[str, Unit]:
    """What each file of the solution declares, by the name that the user knows it by."""
    texts = {file.shown: file.text for file in job.tree.files}
    return {
        shown: rules.read(text, [other for name, other in texts.items() if name != shown])
        for shown, text in texts.items()
    }


def _obey_rules(
    job: Job, found: Sequence[Diagnostic], run: CompilerRun, units: Mapping[str, Unit]
) -> tuple[Diagnostic, ...]:
    """The warnings of a source that compiled, less those that concern the host compiler alone.

    Raises CompileFailed for what nvcc would not compile, Refused for what would mean another thing
    on a device.
    """
    texts = {file.shown: file.text for file in job.tree.files}
    outlines = {shown: Outline(text) for shown, text in texts.items()}
    faults: list[Diagnostic] = []
    kept: list[Diagnostic] = []
    for shown, text in texts.items():
        for broken in rules.check(text, shown, unit=units[shown]):
            (faults if broken.severity == "error" else kept).append(broken)
    for item in found:
        if "[-Wvla]" not in item.message:
            kept.append(item)
        elif any(fault.file == item.file and fault.line == item.line for fault in faults):
            continue  # told already
        elif item.file in outlines and device_names.is_device_line(outlines[item.file], item.line):
            message = "the size of an array in device code must be a constant"
            faults.append(replace(item, severity="error", message=message))
    if faults:
        raise _failed(job, run, faults, kept)
    _refuse_other_meanings(outlines)
    return tuple(kept)


def _failed(
    job: Job, run: CompilerRun, faults: Sequence[Diagnostic], more: Sequence[Diagnostic] = ()
) -> CompileFailed:
    return CompileFailed(
        diagnostics.summary(faults, ""),
        diagnostics=(*job.warnings, *faults, *more),
        command=run.command,
        seconds=run.seconds,
    )


def _check_calls(job: Job, run: CompilerRun, units: Mapping[str, Unit], work: Path) -> None:
    """Raise CompileFailed for host functions that device code calls, Refused for those that it
    reaches by way of functions for both sides."""
    if _CALLS not in " ".join(run.command) or not (work / _CALLS).is_file():
        return
    symbols = callgraph.read_dump((work / _CALLS).read_text("utf-8", "replace"))
    spaces = host_calls.Spaces(units, {file.shown: file.text for file in job.tree.files})
    types = kernel_types.check(symbols, spaces)
    if not host_calls.suspected(symbols, spaces):
        _fail_for(job, run, types)
        return
    again = [word for word in _compile_command(job, work) if _CALLS not in word]
    (second,) = _run([[*again[:-1], _PLACES + ".o", *callgraph.PLACES_OPTIONS]], job, work)
    graph = work / (_PLACES + ".ci")
    if second.code or not graph.is_file():
        _fail_for(job, run, types)
        return
    placed = callgraph.read_places(graph.read_text("utf-8", "replace"), job.tree.original)
    calls = host_calls.HostCalls(placed, symbols, spaces).found()
    faults = [host_calls.diagnostic(call, spaces) for call in calls if call.strict]
    _fail_for(job, run, faults or types)
    for call in calls:
        raise host_calls.refusal(call)


def _fail_for(job: Job, run: CompilerRun, faults: Sequence[Diagnostic]) -> None:
    if faults:
        raise _failed(job, run, faults)


def _refuse_other_meanings(outlines: Mapping[str, Outline]) -> None:
    """Raise Refused for host code that nvcc compiles to something else."""
    for shown, outline in outlines.items():
        for token in device_names.device_variables_on_host(outline):
            feature = f"the device variable {token.text} in host code"
            why = "is another variable than the one on the device, on a GPU as here"
            raise Refused(feature, shown, token.line, "use cudaMemcpyToSymbol or a kernel", why)
        headers = [other for name, other in outlines.items() if name != shown]
        for token in device_names.device_functions_on_host(outline, headers):
            feature = f"the address of the device function {token.text} in host code"
            why = "can't be called on a GPU"
            advice = f"make a __device__ pointer to {token.text} and use cudaMemcpyFromSymbol"
            raise Refused(feature, shown, token.line, advice, why)
        for token in device_names.branches_on_host(outline):
            feature = "a branch of __CUDA_ARCH__ in a function that the host calls"
            why = "is taken as on a device here"
            raise Refused(feature, shown, token.line, "run it with --backend cuda", why)


def _found(run: CompilerRun, job: Job, work: Path) -> tuple[Diagnostic, ...]:
    """What the compiler said, with columns in the rewritten text."""
    roots = {".": "", str(work): "", str(work / TREE): str(job.tree.folder)}
    internal = (str(RUNTIME), f"{INCLUDE}/", f"{work}/{INCLUDE}/")
    return diagnostics.parse(run.output, roots, internal)


def _checked(run: CompilerRun, job: Job, work: Path) -> tuple[Diagnostic, ...]:
    """The warnings of a run that went well.

    Raises CompileFailed, Refused, JudgeError or ToolchainMissing for one that did not.
    """
    compiler.check_machine(run, _limits(job), work)
    found = messages.tidy(_found(run, job, work), job.tree)
    if run.code == 0:
        return found
    errors = diagnostics.errors(found)
    if errors and "leetk::" in errors[0].message and not errors[0].line:
        raise JudgeError(f"the runtime does not link: {errors[0].message}")
    missing = messages.missing_header(errors)
    if missing and not errors[0].file:
        raise ToolchainMissing(f"{run.command[0]} lacks the header {missing}: install its library")
    refusal = refusal_of(errors, RUNTIME, job.shown)
    if refusal is not None:
        raise refusal
    message = messages.failure(found, job.problem, job.shown, run)
    raise CompileFailed(
        message, diagnostics=(*job.warnings, *found), command=run.command, seconds=run.seconds
    )
