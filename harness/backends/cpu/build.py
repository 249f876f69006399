"""A solution to a shared library, through the cache.

The library's name holds the key of all that went into it, so that loading it never finds an older
one. What is needed only when it has to be made is imported then: a second run is quick, and so the
key is made of the texts as they were written and of the code that rewrites them.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from harness import __version__
from harness.backends.cpu import fingerprint, processor
from harness.backends.cpu.toolchain import Toolchain
from harness.build import environment
from harness.build.cache import Cache
from harness.model import Artifact, BuildOptions, Diagnostic, Problem, Source
from harness.source.includes import local_includes
from harness.source.read import read_text

RECORD = "build.json"


def build(
    problem: Problem,
    source: Source,
    options: BuildOptions,
    toolchain: Toolchain,
    cache: Cache,
    compiling: Callable[[], None],
) -> Artifact:
    """Build the library, or take it from the cache. ``compiling`` is called before the compiler.

    Raises CompileFailed, Refused, SourceError for a header that is not text, or JudgeError when the
    disk is full or the runtime fails to compile.
    """
    begin = time.monotonic()
    headers = [(path, read_text(path)) for path in local_includes(source.path)]
    runtime = runtime_key(toolchain, cache)
    key = Cache.key(
        (
            runtime,
            *_key_parts(problem, source, headers, cache),
            f"{options.traced} {options.checked}",
        )
    )
    name = f"solve-{key[:16]}.so"
    entry = cache.get(key)
    cached = entry is not None
    if entry is None:
        from harness.backends.cpu.compile import compile_library
        from harness.backends.cpu.job import make_job

        compiling()
        job = make_job(problem, source, headers, options, toolchain, cache)
        entry = compile_library(job, runtime, key, name)
    return _artifact(cache, entry, name, time.monotonic() - begin, cached)


def runtime_key(toolchain: Toolchain, cache: Cache) -> str:
    """The key of the runtime's objects."""
    influences = environment.influences()
    parts = ("runtime", __version__, toolchain.identity, *influences, fingerprint.runtime(cache))
    return Cache.key(parts)


def _key_parts(
    problem: Problem, source: Source, headers: Sequence[tuple[Path, str]], cache: Cache
) -> list[str]:
    """What the solution's object depends on, besides: how it is rewritten and compiled, where its
    messages say that it lies, what ``solve`` should be, and the texts."""
    signature = (
        " ".join((a.name, a.type, a.role.value, *map(str, a.shape))) for a in problem.arguments
    )
    place = (str(source.path), os.path.dirname(os.path.abspath(source.path)))
    texts = (part for path, text in headers for part in (str(path), text))
    return [
        fingerprint.rewriter(cache),
        *processor.options(),
        *(problem.name, *signature),
        *(*place, source.text, *texts),
    ]


def _artifact(cache: Cache, entry: Path, name: str, seconds: float, cached: bool) -> Artifact:
    record = json.loads((entry / RECORD).read_text("utf-8"))
    found = tuple(Diagnostic(**item) for item in record["diagnostics"])
    if cache.warning:
        found = (*found, Diagnostic("", 0, 0, "warning", cache.warning))
    return Artifact(entry / name, tuple(record["command"]), seconds, cached, found)
