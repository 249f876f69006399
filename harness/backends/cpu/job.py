"""One solution's compilation: the rewritten files, the judge's headers, the options."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.backends.cpu import processor, runtime_units
from harness.backends.cpu.sources import TREE, SourceTree, source_tree
from harness.backends.cpu.toolchain import Toolchain
from harness.build.cache import Cache
from harness.model import BuildOptions, Diagnostic, Problem, Source
from harness.source import scan

INCLUDE = "include"
_PROTOTYPE = "leetk_prototype.h"

# runtime/README.md says what each is for.
_SOLUTION = (
    *("-std=c++17", "-O2", "-fPIC", "-pipe", "-fdiagnostics-color=never"),
    # binutils before 2.42 take the file of a #line for the compiled one in DWARF 5.
    *("-gdwarf-4", "-g1"),
    *("-ffp-contract=fast", "-fno-math-errno"),
    *("-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-fno-finite-loops"),
    # A kernel's malloc is the device's, of which the compiler knows nothing: api/heap.cpp.
    *("-fno-builtin-malloc", "-fno-builtin-free"),
    *("-fsigned-char", "-fstack-protector-strong", "-fno-semantic-interposition"),
    *("-fsanitize=alignment", "-fno-sanitize-recover=alignment"),
)
# Calls for each stretch of code and each access, in the order of the source: leetk/trace.cpp.
_TRACED = (
    *("-O1", "-fno-reorder-blocks", "-fno-sanitize=alignment"),
    *("-fsanitize=thread", "-fsanitize-coverage=trace-pc", "-DLEETK_TRACED"),
)
# The same calls for each access, and one for each index that is out of an array's range.
# A load stays where it is written, in front of the guard that is behind it.
_CHECKED = (
    *("-O1", "-fno-sanitize=alignment"),
    *("-fsanitize=thread", "-fsanitize=bounds"),
)
_CHECKED_GCC = ("-fno-tree-sink",)
# A function can ask for none of these calls. To nvcc, which has no such checks, that says nothing.
_UNSEEN = ("no_sanitize_thread", "no_sanitize_undefined", "disable_sanitizer_instrumentation")
_INSTRUMENTED = (
    *(f"-D{name}(...)=unused" for name in ("no_sanitize", "__no_sanitize__")),
    *(f"-D{mark}{name}{mark}=unused" for mark in ("", "__") for name in _UNSEEN),
)
_OWN_MACROS = re.compile(
    rf"^([ \t]*#[ \t]*(?:undef|define)[ \t]+)(?=(?:__)?(?:no_sanitize|{'|'.join(_UNSEEN)})\b)", re.M
)
_TRACED_GCC = ("-fno-thread-jumps", "-fno-tree-sra", "--param", "tsan-distinguish-volatile=1")
_TRACED_CLANG = ("-mllvm", "-tsan-distinguish-volatile=1")
# What api/heap.cpp stands in for, by the linker's names: malloc, free, new and delete.
WRAPPED = tuple(
    f"-Wl,--wrap={name}"
    for name in (
        *("malloc", "free", "_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"),
        *("_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"),
    )
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
# A function that calls itself has a frame for each call, as with nvcc.
_FRAMES = ("--param=max-inline-recursive-depth=0", "--param=max-inline-recursive-depth-auto=0")
_GCC = ("-fno-diagnostics-show-caret", "-fmax-errors=20", "-fno-gnu-unique", *_FRAMES)
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

    def compile_options(self) -> tuple[str, ...]:
        """The compiler's options for the solution, relative to a work folder."""
        folder = os.path.dirname(self.tree.main.place)
        prototype = ("-include", _PROTOTYPE) if _PROTOTYPE in self.headers else ()
        return (
            *language_options(self.toolchain, self.options),
            *("-I", INCLUDE, "-isystem", str(runtime_units.RUNTIME)),
            *("-iquote", str(self.tree.folder), "-idirafter", os.path.join(TREE, folder)),
            *("-include", "cuda_runtime.h"),
            *prototype,
        )

    @property
    def instrumented(self) -> bool:
        return self.options.traced or self.options.checked

    def text(self, text: str) -> str:
        """A rewritten file's text. Instrumented, macros of the options' names stay as they are."""
        return _OWN_MACROS.sub(r"\1leetk_", text) if self.instrumented else text

    def link_options(self) -> tuple[str, ...]:
        """The linker's options: nothing may be left undefined, and ``solve`` must be there."""
        if sys.platform == "darwin":
            return ("-Wl,-undefined,error", "-Wl,-u,_solve", "-lm")
        return ("-Wl,-z,defs", "-Wl,--require-defined=solve", *WRAPPED, "-lm")


def language_options(toolchain: Toolchain, options: BuildOptions) -> tuple[str, ...]:
    """Those of the compiler's options that are the same for every solution."""
    return (
        *_SOLUTION,
        *processor.options(),
        *(_GUARDED if sys.platform == "linux" else ()),
        *(_FILLED if toolchain.fills else ()),
        *_WARNINGS,
        *_instruments(toolchain, options),
        *(_CLANG if toolchain.clang else _GCC),
    )


def _instruments(toolchain: Toolchain, options: BuildOptions) -> tuple[str, ...]:
    if not (options.traced or options.checked):
        return ()
    clang = toolchain.clang
    kind = _TRACED_CLANG if clang else _TRACED_GCC
    if options.traced:
        return (*_TRACED, *_INSTRUMENTED, *kind)
    return (*_CHECKED, *_INSTRUMENTED, *kind, *(() if clang else _CHECKED_GCC))


def make_job(
    problem: Problem,
    source: Source,
    headers: Sequence[tuple[Path, str]],
    options: BuildOptions,
    toolchain: Toolchain,
    cache: Cache,
) -> Job:
    """Read and rewrite everything; ``headers`` are the author's own, with their texts. Raises
    CompileFailed for a ``solve`` that is not the problem's."""
    findings = scan.check_signature(problem, source.text, str(source.path))
    warnings = tuple(Diagnostic(f.file, f.line, f.column, f.severity, f.message) for f in findings)
    tree = source_tree(source, headers)
    supplied = _headers(problem, source.text)
    return Job(problem, source, options, toolchain, cache, tree, supplied, warnings)


def _headers(problem: Problem, text: str) -> dict[str, str]:
    header = scan.solve_header(problem, text)
    headers = {"solve.h": header}
    if scan.needs_prototype(problem, text):
        headers[_PROTOTYPE] = header.replace("SOLVE_H", "LEETK_PROTOTYPE_H")
    return headers
