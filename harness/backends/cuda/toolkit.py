"""Finds nvcc and says what goes with it.

The order is the one that a user can predict: what was asked for (``--nvcc``), what the environment
names, PATH, the usual folder, NVIDIA's wheels. A place that was asked for and has no nvcc is an
error; an environment variable that points nowhere is passed over, as nvcc itself never reads it.

NVIDIA's wheels hold a complete nvcc since CUDA 13 (``nvidia/cu13`` in site-packages). Those of 13.0
look for their libraries in ``lib64``, which the wheels call ``lib``: ``link_flags`` mends that.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.errors import ToolchainMissing, UsageError

REMEDY = (
    'pip install "leetk[nvcc]" (CUDA 13, needs a driver for CUDA 13), or install the CUDA Toolkit '
    "and put its bin folder on PATH"
)
HOST_REMEDY = "install gcc and g++ (Debian and Ubuntu: sudo apt install g++)"

_USUAL_ROOT = Path("/usr/local/cuda")
_VERSION_SECONDS = 30.0


@dataclass(frozen=True)
class Toolkit:
    """An nvcc that answered. ``version`` is its CUDA release, such as (13, 0); ``build`` its full
    version text, fit for a cache key; ``found`` says by what it was found."""

    nvcc: Path
    version: tuple[int, int]
    build: str
    found: str

    @property
    def root(self) -> Path:
        """The folder that holds ``bin``, ``include`` and the libraries."""
        return self.nvcc.resolve().parent.parent

    @property
    def release(self) -> str:
        return f"{self.version[0]}.{self.version[1]}"

    def link_flags(self) -> tuple[str, ...]:
        """What nvcc needs beside its own defaults to find its libraries."""
        libraries = self.root / "lib"
        has_profile_folder = (self.root / "lib64").exists() or (self.root / "targets").exists()
        if has_profile_folder or not (libraries / "libcudart_static.a").exists():
            return ()
        return (f"-L{libraries}",)


def find_toolkit(
    option: str = "",
    environ: Mapping[str, str] | None = None,
    *,
    search_path: Iterable[str] | None = None,
    usual_root: Path = _USUAL_ROOT,
) -> Toolkit:
    """The first nvcc in the order above that answers ``--version``.

    ``option`` is what the user gave as ``--nvcc``: the program or a toolkit's folder.
    ``search_path`` is where wheels are looked for, ``sys.path`` unless given. Raises UsageError for
    an option that is no nvcc and ToolchainMissing when there is none anywhere.
    """
    environ = os.environ if environ is None else environ
    if option:
        return _from_option(option)
    tried: list[str] = []
    paths = sys.path if search_path is None else search_path
    for path, found in _candidates(environ, paths, usual_root):
        if not is_program(path):
            continue
        toolkit = _ask(path, found)
        if toolkit is not None:
            return toolkit
        tried.append(str(path))
    broken = f" ({', '.join(tried)} did not answer --version)" if tried else ""
    raise ToolchainMissing(f"no nvcc found{broken}: {REMEDY}")


def find_nvcc(option: str = "") -> str:
    """The path of this machine's nvcc: that of ``find_toolkit``, with its errors."""
    return str(find_toolkit(option).nvcc)


def _from_option(option: str) -> Toolkit:
    given = Path(option).expanduser()
    places = (given / "bin" / "nvcc", given / "nvcc") if given.is_dir() else (given,)
    for path in places:
        if is_program(path):
            toolkit = _ask(path.absolute(), "--nvcc")
            if toolkit is None:
                raise UsageError(f"--nvcc {option}: {path} is no nvcc: it did not answer --version")
            return toolkit
    if given.is_file():
        raise UsageError(f"--nvcc {option}: this file cannot be executed (chmod +x?)")
    looked = " and ".join(str(place) for place in places)
    raise UsageError(
        f"--nvcc {option}: no nvcc there (looked for {looked}); give the nvcc program or the "
        "folder of a CUDA Toolkit"
    )


def _candidates(
    environ: Mapping[str, str], search_path: Iterable[str], usual_root: Path
) -> Iterator[tuple[Path, str]]:
    for name in ("CUDA_HOME", "CUDA_PATH"):
        if environ.get(name):
            yield Path(environ[name]) / "bin" / "nvcc", f"${name}"
    on_path = shutil.which("nvcc", path=environ.get("PATH", ""))
    if on_path:
        yield Path(on_path).absolute(), "PATH"
    yield usual_root / "bin" / "nvcc", str(usual_root)
    for folder in search_path:
        if folder:
            # Newest first: cu13, and whatever may follow it.
            roots = sorted((Path(folder) / "nvidia").glob("cu[0-9][0-9]"), reverse=True)
            for root in roots:
                yield root / "bin" / "nvcc", "NVIDIA's wheels"


def is_program(path: Path) -> bool:
    """Whether ``path`` is a file that may be executed."""
    return path.is_file() and os.access(path, os.X_OK)


def _ask(path: Path, found: str) -> Toolkit | None:
    """The toolkit at ``path`` or None when it is no nvcc."""
    try:
        text = _version_text(path, path.stat().st_mtime_ns)
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r"release (\d+)\.(\d+)(?:, V([\d.]+))?", text)
    if match is None:
        return None
    version = (int(match[1]), int(match[2]))
    return Toolkit(path, version, match[3] or f"{match[1]}.{match[2]}", found)


@functools.lru_cache(maxsize=16)
def _version_text(path: Path, mtime_ns: int) -> str:
    """What ``nvcc --version`` prints; asked once for each version of the file."""
    done = subprocess.run(
        [str(path), "--version"],
        capture_output=True,
        timeout=_VERSION_SECONDS,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout.decode(errors="replace")


def host_compiler(environ: Mapping[str, str] | None = None) -> str:
    """The C++ compiler that nvcc will use: ``$NVCC_CCBIN`` (a program or a folder), else g++.

    Raises ToolchainMissing when it is not there: nvcc alone compiles nothing.
    """
    environ = os.environ if environ is None else environ
    path = environ.get("PATH", "")
    asked = environ.get("NVCC_CCBIN", "")
    if asked:
        found = shutil.which(asked, path=path) or shutil.which(str(Path(asked) / "g++"), path=path)
        if found is None:
            raise ToolchainMissing(f"$NVCC_CCBIN is {asked}, which is no compiler: {HOST_REMEDY}")
        return found
    found = shutil.which("g++", path=path)
    # nvcc preprocesses with gcc and links with g++.
    lacks = [name for name in ("gcc", "g++") if shutil.which(name, path=path) is None]
    if found is None or lacks:
        missing = " and no ".join(lacks)
        raise ToolchainMissing(
            f"nvcc needs a host C++ compiler, but there is no {missing} on PATH: {HOST_REMEDY}"
        )
    return found
