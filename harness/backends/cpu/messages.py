"""The host compiler's messages in terms of the author's source, without the judge's macros."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from harness.backends.cpu.sources import SourceTree
from harness.build import diagnostics
from harness.build.compiler import CompilerRun
from harness.model import Diagnostic, Problem
from harness.source import scan

_MISSING_HEADER = re.compile(
    r"^(?P<name>[^:]+): No such file or directory|^'(?P<clang>[^']+)' file not found"
)
_NO_SOLVE = re.compile(r"required symbol .*solve|undefined symbol: _?solve\b|[\"_]_?solve\"")
_QUIET = ("[-Wnarrowing]",)
# What the compiler says of the macros that a launch was rewritten into, in CUDA's terms.
_LAUNCH_TERMS = (
    (
        re.compile(r"no match(?:ing function)? for call to .*\bLauncher\b"),
        "these arguments do not fit the kernel's parameters",
    ),
    (
        re.compile(r"too few arguments to function '?leetk::Config|few arguments .*configure"),
        "too few launch parameters: a launch has at least <<<grid, block>>>",
    ),
    (
        re.compile(r"too many arguments to function '?leetk::Config|many arguments .*configure"),
        "too many launch parameters: a launch has at most <<<grid, block, shared, stream>>>",
    ),
    (
        re.compile(
            r"the value of '?warpSize'? is not usable in a constant"
            r"|initializer of 'warpSize' is unknown"
        ),
        "warpSize is a variable in CUDA, no constant expression: use a constant of your own, 32",
    ),
    (
        re.compile(r"no match(?:ing function)? for (?:call to )?.*configure"),
        "<<<grid, block>>> takes numbers or dim3, then bytes of shared memory, then a stream",
    ),
)
_INTERNAL = re.compile(r"leetk(?:::|_)|LEETK_|<lambda\(auto")


def tidy(found: Iterable[Diagnostic], tree: SourceTree) -> tuple[Diagnostic, ...]:
    """The diagnostics with columns of the original source, in CUDA's terms, and without those that
    only repeat another one in terms of the judge's macros."""
    kept: list[Diagnostic] = []
    doubtful: list[Diagnostic] = []
    for item in found:
        if any(tag in item.message for tag in _QUIET):
            continue
        column = tree.column(item.file, item.line, item.column)
        item = replace(item, column=column, message=_in_terms_of_cuda(item.message))
        if not _INTERNAL.search(item.message):
            kept.append(item)
        elif item.severity != "note":
            doubtful.append(item)
    # Errors of the macros count only where nothing else explains the failure.
    if not diagnostics.errors(kept):
        kept += doubtful
    generic = {message for _, message in _LAUNCH_TERMS[:1]}
    precise = {d.line for d in diagnostics.errors(kept) if d.message not in generic}
    kept = [d for d in kept if d.message not in generic or d.line not in precise]
    return tuple(dict.fromkeys(kept))


def _in_terms_of_cuda(message: str) -> str:
    for pattern, better in _LAUNCH_TERMS:
        if pattern.search(message):
            return better
    return message.removesuffix(" [-fpermissive]")


def failure(found: Sequence[Diagnostic], problem: Problem, file: str, run: CompilerRun) -> str:
    """One line for a build that failed."""
    errors = diagnostics.errors(found)
    if errors:
        first = errors[0]
        name = missing_header(errors)
        if name:
            return (
                f"{first.file}:{first.line}: includes {name}, which does not exist; put it beside "
                f"{first.file} or remove the line"
            )
        if _NO_SOLVE.search(first.message):
            line = scan.prototype(problem).rstrip(";")
            return f"{file}: there is no C function solve; write: {line}"
    last = run.output.strip().splitlines()
    fallback = f"the compiler failed with exit status {run.code}" + (
        f": {last[-1]}" if last else ""
    )
    return diagnostics.summary(found, fallback)


def missing_header(errors: Sequence[Diagnostic]) -> str:
    """The header that the first error says is not there, empty if it says something else."""
    header = _MISSING_HEADER.search(errors[0].message) if errors else None
    return "" if header is None else str(header["name"] or header["clang"])
