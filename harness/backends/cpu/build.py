"""A solution to a shared library, through the cache.

The library's name holds the key of all that went into it, so that loading it never finds an older
one. What is needed only when it has to be made is in ``compile.py``: a second run is quick.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from harness import __version__
from harness.backends.cpu import processor, runtime_units
from harness.backends.cpu.sources import TREE, SourceTree, source_tree
from harness.backends.cpu.toolchain import Toolchain
from harness.build import environment
from harness.build.cache import Cache
from harness.model import Artifact, BuildOptions, Diagnostic, Problem, Source
from harness.source import scan

INCLUDE = "include"
RECORD = "build.json"
_PROTOTYPE = "leetk_prototype.h"

# runtime/README.md says what each is for.
_SOLUTION = (
    *("-std=c++17", "-O2", "-fPIC", "-pipe", "-fdiagnostics-color=never"),
    # binutils before 2.42 take the file of a #line for the compiled one in DWARF 5.
    *("-gdwarf-4", "-g1"),
    *("-ffp-contract=fast", "-fno-math-errno"),
    *("-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-fno-finite-loops"),
    *("-fsigned-char", "-fstack-protector-strong", "-fno-semantic-interposition"),
    *("-fsanitize=alignment", "-fno-sanitize-recover=alignment"),
)
_GUARDED = ("-fstack-clash-protection",)
# A sum that starts from what lies on the stack is wrong each time, not now and then.
_FILLED = ("-ftrivial-auto-var-init=pattern",)
# Warnings that a learner can act on. Off: what CUDA code does on purpose, what the host compiler
# says of nvcc's own pragmas and attributes, and guesses that are often wrong.
_WARNINGS = (
    "-Wall",
    "-Wvla",
    *(
        f"-Wno-{name}"
        for name in (
            "address",
            "array-bounds",
            "attributes",
            "class-memaccess",
            "comment",
            "deprecated-declarations",
            "ignored-attributes",
            "maybe-uninitialized",
            "parentheses",
            "psabi",
            "sign-compare",
            "stringop-overflow",
            "unknown-pragmas",
            "unused-local-typedefs",
        )
    ),
)
_GCC = ("-fno-diagnostics-show-caret", "-fmax-errors=20", "-fno-gnu-unique")
_CLANG = (
    "-fno-caret-diagnostics",
    "-ferror-limit=20",
    "-Wno-unknown-warning-option",
    "-Wno-embedded-directive",
    "-Wno-unknown-attributes",
)


@dataclass(frozen=True)
class Job:
    """All that one build needs. ``headers`` are those that the judge supplies, by name;
    ``warnings`` what the text alone gave rise to."""

    problem: Problem
    source: Source
    options: BuildOptions
    toolchain: Toolchain
    cache: Cache
    tree: SourceTree
    headers: dict[str, str]
    warnings: tuple[Diagnostic, ...]

    @property
    def shown(self) -> str:
        """The solution's path as the user knows it."""
        return str(self.source.path)

    @property
    def common_key(self) -> tuple[str, ...]:
        """What both the solution's object and the runtime's depend on."""
        identity = self.toolchain.identity
        return (__version__, identity, *environment.influences(), runtime_units.digest())

    @property
    def key(self) -> str:
        """The library's key."""
        return Cache.key(
            (
                *self.common_key,
                *self.compile_options(),
                *self.link_options(),
                *self.tree.key_parts(),
                *(part for item in sorted(self.headers.items()) for part in item),
                *(part for d in self.warnings for part in (str(d.line), d.message)),
            )
        )

    def compile_options(self) -> tuple[str, ...]:
        """The compiler's options for the solution, relative to a work folder."""
        folder = os.path.dirname(self.tree.main.place)
        prototype = ("-include", _PROTOTYPE) if _PROTOTYPE in self.headers else ()
        return (
            *_SOLUTION,
            *processor.options(),
            *(_GUARDED if sys.platform == "linux" else ()),
            *(_FILLED if self.toolchain.fills else ()),
            *_WARNINGS,
            *(_CLANG if self.toolchain.clang else _GCC),
            *("-I", INCLUDE, "-isystem", str(runtime_units.RUNTIME)),
            *("-iquote", str(self.tree.folder), "-idirafter", os.path.join(TREE, folder)),
            *("-include", "cuda_runtime.h"),
            *prototype,
        )

    def link_options(self) -> tuple[str, ...]:
        """The linker's options: nothing may be left undefined, and ``solve`` must be there."""
        if sys.platform == "darwin":
            return ("-Wl,-undefined,error", "-Wl,-u,_solve", "-lm")
        return ("-Wl,-z,defs", "-Wl,--require-defined=solve", "-lm")


def build(
    problem: Problem, source: Source, options: BuildOptions, toolchain: Toolchain, cache: Cache
) -> Artifact:
    """Build the library, or take it from the cache.

    Raises CompileFailed, Refused, or JudgeError when the disk is full or the runtime fails to
    compile.
    """
    begin = time.monotonic()
    findings = scan.check_signature(problem, source.text, str(source.path))
    warnings = tuple(Diagnostic(f.file, f.line, f.column, f.severity, f.message) for f in findings)
    tree = source_tree(source)
    headers = _headers(problem, source.text)
    job = Job(problem, source, options, toolchain, cache, tree, headers, warnings)
    key = job.key
    name = f"solve-{key[:16]}.so"
    entry = cache.get(key)
    cached = entry is not None
    if entry is None:
        from harness.backends.cpu.compile import compile_library

        entry = compile_library(job, key, name)
    return _artifact(job, entry, name, time.monotonic() - begin, cached)


def _headers(problem: Problem, text: str) -> dict[str, str]:
    header = scan.solve_header(problem, text)
    headers = {"solve.h": header}
    if scan.needs_prototype(problem, text):
        headers[_PROTOTYPE] = header.replace("SOLVE_H", "LEETK_PROTOTYPE_H")
    return headers


def _artifact(job: Job, entry: Path, name: str, seconds: float, cached: bool) -> Artifact:
    record = json.loads((entry / RECORD).read_text("utf-8"))
    found = tuple(Diagnostic(**item) for item in record["diagnostics"])
    if job.cache.warning:
        found = (*found, Diagnostic("", 0, 0, "warning", job.cache.warning))
    return Artifact(entry / name, tuple(record["command"]), seconds, cached, found)
