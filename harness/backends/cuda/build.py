"""From a solution's source to a shared library for one GPU architecture, by nvcc.

- The user's file is compiled where it stands and by its own name, so that messages, ``-lineinfo``
  and ``#include "..."`` are as they would be by hand. nvcc passes names through a shell and splits
  some at commas, and it takes a file's language from its ending; a file whose path or bytes nvcc
  would not take as they are is compiled as a copy, with ``#line`` where that can name it.
- ``solve.h`` is on the include path, and is included ahead of the source where that alone gives
  ``solve`` its C name.
- ``peek.cpp`` is compiled in, the CUDA runtime linked statically, and nothing may stay undefined,
  so that a missing function is a compile error and not a failed load.
- One nvcc does it all, with ``-t``: it then runs its host front end, its device front end and
  peek.cpp side by side, which takes a third off the wait and changes neither messages nor code.
- Every command is a new list: a flag of one build can't reach the next (FAULTS 7).
- A compiler that cannot work here (host compiler too new, unknown architecture, parts missing) is
  ToolchainMissing, never the submission's fault.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from harness import __version__
from harness.backends.cuda.toolkit import HOST_REMEDY, REMEDY, Toolkit, host_compiler
from harness.build import diagnostics as messages
from harness.build.compiler import CompilerRun, Limits, check_machine, run_compiler
from harness.build.environment import influences
from harness.errors import CompileFailed, JudgeError, SourceError, ToolchainMissing
from harness.model import Artifact, BuildOptions, Diagnostic, Finding, Problem, Source
from harness.scratch import Scratch
from harness.source import scan
from harness.timeline import mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.build.cache import Cache

FLAGS = ("-O3", "-std=c++17", "-lineinfo", "-Xptxas", "-v")

# Some targets have an "a" or "f" behind the number: with it, the instructions that only those
# devices have, such as a Hopper's wgmma.
_SPECIFIC = re.compile(r"sm_(?P<name>\d+[af])")

# The runtime's functions that peek.cpp has a __wrap_ for.
WRAPPED = (
    *("cudaMalloc", "cudaMallocManaged", "cudaMallocPitch"),
    *("cudaMallocAsync", "cudaMallocAsync_ptsz"),
    *("cudaFree", "cudaFreeAsync", "cudaFreeAsync_ptsz", "cudaDeviceReset"),
)
_LINKER = ",".join(("-z,defs", *(f"--wrap={name}" for name in WRAPPED)))
_LIBRARY = "solution.so"
_JUDGES_OWN = "leetk_peek.cpp"
# Kept beside the library, so that the command that the report shows can be run again.
_KEPT = (_LIBRARY, "solve.h", _JUDGES_OWN, "solution.cu")
_SAID = "diagnostics.json"
_LOG = "ptxas.log"
_PEEK = Path(__file__).with_name("peek.cpp")
_SAFE_PATH = re.compile(r'[^"$`\\,\x00-\x1f\x7f]+')


def build(
    problem: Problem,
    source: Source,
    options: BuildOptions,
    toolkit: Toolkit,
    arch: str,
    cache: Cache,
) -> Artifact:
    """Build ``source`` for ``arch`` (such as ``sm_90``), or find it built in ``cache``.

    Raises CompileFailed, ToolchainMissing, or JudgeError for a machine that fails (a full disk).
    """
    begin = time.monotonic()
    findings = scan.check_signature(problem, source.text, str(source.path))
    host = host_compiler()
    plan = _Plan.make(problem, source, options, toolkit, arch, host)
    key = cache.key(plan.key_parts())
    entry = cache.get(key)
    cached = entry is not None
    if entry is None:
        with _work_folder(cache) as work:
            found, log = _compile(plan, work, Limits(seconds=options.seconds))
            files: dict[str, Path | bytes] = {
                name: work / name for name in _KEPT if (work / name).exists()
            }
            files[_LOG] = log.encode()
            files[_SAID] = json.dumps([asdict(d) for d in found]).encode()
            entry = cache.put(key, files)
    said = tuple(Diagnostic(**d) for d in json.loads((entry / _SAID).read_text("utf-8")))
    return Artifact(
        library=entry / _LIBRARY,
        command=plan.command(entry),
        seconds=time.monotonic() - begin,
        cached=cached,
        diagnostics=(*map(_as_diagnostic, findings), *_cache_note(cache), *said),
        log=(entry / _LOG).read_text("utf-8"),
    )


@dataclass(frozen=True)
class _Plan:
    """All that one build depends on, but for the folder that it happens in."""

    source: Source
    path: Path
    copied: bool
    header: str
    declared_ahead: bool
    flags: tuple[str, ...]
    toolkit: Toolkit
    host: str
    arch: str

    @staticmethod
    def make(
        problem: Problem,
        source: Source,
        options: BuildOptions,
        toolkit: Toolkit,
        arch: str,
        host: str,
    ) -> _Plan:
        fast = ("--use_fast_math",) if options.fast_math else ()
        path = Path(os.path.abspath(source.path))
        return _Plan(
            source=source,
            path=path,
            copied=_needs_copy(path, source.text),
            header=scan.solve_header(problem, source.text),
            declared_ahead=scan.needs_prototype(problem, source.text),
            flags=(*FLAGS, *fast),
            toolkit=toolkit,
            host=host,
            arch=arch,
        )

    def command(self, folder: Path) -> tuple[str, ...]:
        """nvcc's command line for a build in ``folder``."""
        ahead = ("-include", str(folder / "solve.h")) if self.declared_ahead else ()
        return (
            str(self.toolkit.nvcc),
            *self.flags,
            target_flag(self.arch),
            *("-shared", "-Xcompiler", "-fPIC", "-Xlinker", _LINKER),
            *("-cudart", "static", "-t", "4"),
            *self.toolkit.link_flags(),
            *("-I", str(folder)),
            *ahead,
            str(folder / "solution.cu") if self.copied else str(self.path),
            str(folder / _JUDGES_OWN),
            *("-o", str(folder / _LIBRARY)),
        )

    def copy(self) -> str:
        """The text to compile in place of the file. ptxas takes no quotes in a file's name."""
        if not _SAFE_PATH.fullmatch(str(self.path)):
            return self.source.text
        return f'#line 1 "{self.path}"\n{self.source.text}'

    def key_parts(self) -> tuple[str | bytes, ...]:
        """What the result depends on."""
        includes: list[str | bytes] = []
        for path in scan.local_includes(self.path):
            includes += [str(path), _read(path)]
        status = os.stat(self.host)
        return (
            *("cuda", __version__, *self.command(Path())),
            *(str(self.path), self.source.text, self.header, _PEEK.read_bytes()),
            *includes,
            *(self.toolkit.build, self.host, str(status.st_size), str(status.st_mtime_ns)),
            *influences(),
        )


def target_flag(arch: str) -> str:
    """nvcc's option for ``arch``, such as ``sm_90`` or ``sm_90a``.

    Of the latter, ``-arch`` would compile twice, the second time without its instructions.
    """
    specific = _SPECIFIC.fullmatch(arch)
    if specific is None:
        return f"-arch={arch}"
    return f"-gencode=arch=compute_{specific['name']},code={arch}"


def _needs_copy(path: Path, text: str) -> bool:
    """Whether nvcc would not take this file as it is."""
    if path.suffix != ".cu" or not _SAFE_PATH.fullmatch(str(path)):
        return True
    # read_source mended something: a lone CR, or bytes that are not UTF-8 in a comment.
    return _read(path).removeprefix(b"\xef\xbb\xbf") != text.encode("utf-8")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror})") from None


@contextmanager
def _work_folder(cache: Cache) -> Iterator[Path]:
    """A folder to build in whose path nvcc can take, removed afterwards."""
    folder = cache.work_folder()
    try:
        if _SAFE_PATH.fullmatch(str(folder)):
            yield folder
        else:
            with closing(_plain_folder()) as plain:
                yield plain.path
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _plain_folder() -> Scratch:
    for parent in (tempfile.gettempdir(), "/tmp"):
        if _SAFE_PATH.fullmatch(parent):
            try:
                return Scratch(parent)
            except OSError:
                continue
    raise JudgeError("no folder to build in: set TMPDIR to one whose path has no quotes or commas")


def _compile(plan: _Plan, work: Path, limits: Limits) -> tuple[tuple[Diagnostic, ...], str]:
    """Build in ``work``: what the compiler said, and what ptxas said of resources.

    Raises as ``build`` does.
    """
    (work / "solve.h").write_text(plan.header, "utf-8")
    (work / _JUDGES_OWN).write_bytes(_PEEK.read_bytes())
    if plan.copied:
        (work / "solution.cu").write_bytes(plan.copy().encode("utf-8"))
    begin = time.monotonic()
    mark("nvcc begins")
    run = run_compiler(
        plan.command(work),
        seconds=limits.seconds,
        cwd=work,
        env=_environment(plan),
        max_output=limits.output_bytes,
        max_file_bytes=limits.file_bytes,
    )
    mark("nvcc has ended")
    check_machine(run, limits, work)
    shown = plan.source.path
    roots = {
        str(plan.path): str(shown),
        str(plan.path.parent): str(shown.parent),
        str(work / "solution.cu"): str(shown),
    }
    found = messages.parse(run.output, roots, (str(work / "solve.h"),))
    found = tuple(_clarified(diagnostic, shown) for diagnostic in found)
    if run.code != 0:
        _raise_for_toolchain(run.output, plan)
        raise CompileFailed(
            messages.summary(found, _fallback(run)),
            diagnostics=found,
            command=run.command,
            seconds=time.monotonic() - begin,
        )
    return found, _resources(run.output)


def _resources(output: str) -> str:
    """The lines of ``-Xptxas -v``."""
    wanted = ("ptxas info", "    ")
    return "\n".join(line for line in output.splitlines() if line.startswith(wanted))


def _environment(plan: _Plan) -> Mapping[str, str]:
    """A copy has left its folder: its headers are found through CPATH, which takes any name."""
    if not plan.copied:
        return {}
    folders = [str(plan.path.parent), os.environ.get("CPATH", "")]
    return {"CPATH": os.pathsep.join(folder for folder in folders if folder)}


def _clarified(diagnostic: Diagnostic, file: Path) -> Diagnostic:
    """A message with its file, and with the names that the author wrote."""
    if diagnostic.file == "At end of source":
        message = f"at the end of the file: {diagnostic.message}"
        return replace(diagnostic, file=str(file), message=message)
    mangled = sorted(set(re.findall(r"\b_Z\w+", diagnostic.message)))
    if not mangled:
        return diagnostic
    message = diagnostic.message
    for name, plain in zip(mangled, _demangled(mangled), strict=False):
        message = message.replace(name, plain)
    return replace(diagnostic, message=message)


def _demangled(names: Sequence[str]) -> Sequence[str]:
    """The names as C++ writes them, or as they are without binutils' c++filt."""
    try:
        done = subprocess.run(
            ["c++filt", *names], capture_output=True, text=True, timeout=10.0, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return names
    return done.stdout.splitlines()


def _fallback(run: CompilerRun) -> str:
    """One line for a failure without a message that was understood."""
    lines = [line for line in run.output.splitlines() if line.strip()]
    if lines:
        return f"nvcc: {lines[-1].strip()}"
    return f"nvcc ended with {f'signal {-run.code}' if run.code < 0 else f'status {run.code}'}"


_PARTS = r"(?:cicc|ptxas|cudafe\+\+|fatbinary|nvlink|bin2c)"


def _raise_for_toolchain(output: str, plan: _Plan) -> None:
    """Raise ToolchainMissing where nvcc failed by its surroundings and not by the source."""
    toolkit = plan.toolkit
    nvcc = f"nvcc {toolkit.release} ({toolkit.nvcc})"
    host = re.search(r"host_config\.h\W.*unsupported (\w+) version", output)
    if host:
        raise ToolchainMissing(
            f"{nvcc} does not take this {plan.host}; install a version that it does (an older g++, "
            "most likely) and name it: export NVCC_CCBIN=g++-12"
        )
    if re.search(r"Unsupported gpu architecture|not defined for option 'gpu-arch", output):
        raise ToolchainMissing(
            f"{nvcc} does not build for {plan.arch}; name an nvcc of another CUDA version by --nvcc"
        )
    if "Failed to preprocess host compiler properties" in output:
        raise ToolchainMissing(f"{nvcc} finds no host compiler that works; {HOST_REMEDY}")
    own = re.search(r"\bleetk_peek\.cpp:.*\berror: (.*)", output)
    if own:
        raise ToolchainMissing(f"{plan.host} does not compile: {own[1]}; {HOST_REMEDY}")
    lacking = (
        rf"cannot find -lcuda|(?:\b|/){_PARTS}: (?:not found|No such file|Permission denied)|"
        r"fatal error: (?:cuda_runtime|crt/host_config)\.h: No such file"
    )
    part = re.search(lacking, output)
    if part:
        raise ToolchainMissing(f"{nvcc} is not complete ({part[0]}); {REMEDY}")


def _as_diagnostic(finding: Finding) -> Diagnostic:
    return Diagnostic(
        finding.file,
        finding.line,
        finding.column,
        finding.severity,
        finding.message,
        messages.source_line(finding.file, finding.line),
    )


def _cache_note(cache: Cache) -> tuple[Diagnostic, ...]:
    return (Diagnostic("", 0, 0, "note", cache.warning),) if cache.warning else ()
