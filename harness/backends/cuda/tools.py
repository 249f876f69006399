"""Where NVIDIA's tools are that come beside nvcc: Nsight Compute and compute-sanitizer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.backends.cuda.toolkit import is_program
from harness.errors import ToolchainMissing
from harness.model import Source

_REMEDIES = {
    "ncu": "install Nsight Compute (it comes with the CUDA Toolkit; Debian and Ubuntu, from "
    "NVIDIA's repository: sudo apt install nsight-compute) or put its folder on PATH",
    "compute-sanitizer": "install it (it comes with the CUDA Toolkit; Debian and Ubuntu, from "
    "NVIDIA's repository: sudo apt install cuda-sanitizer-13-0) or put its folder on PATH",
}


def find_tool(name: str, environ: Mapping[str, str] | None = None, root: Path = Path("/")) -> Path:
    """The program of that name: on PATH, in the toolkit that the environment names, or in the usual
    folders below ``root``, the newest first. Raises ToolchainMissing."""
    environ = os.environ if environ is None else environ
    for place in _places(name, environ, root):
        if is_program(place):
            return place
    raise ToolchainMissing(f"no {name} found: {_REMEDIES[name]}")


def _places(name: str, environ: Mapping[str, str], root: Path) -> Iterator[Path]:
    on_path = shutil.which(name, path=environ.get("PATH", ""))
    if on_path:
        yield Path(on_path).absolute()
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if environ.get(variable):
            yield Path(environ[variable]) / "bin" / name
    yield root / "usr/local/cuda/bin" / name
    for folder in newest(root / "usr/local", "cuda-*"):
        yield folder / "bin" / name
    for folder in newest(root / "opt/nvidia/nsight-compute", "*"):
        yield folder / name


def newest(parent: Path, pattern: str) -> list[Path]:
    """The folders of that pattern, by the numbers in their names, highest first."""
    return sorted(parent.glob(pattern), key=_version, reverse=True)


def _version(path: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in path.name.rpartition("-")[2].split(".") if part.isdigit())


class Files:
    """The files of a submission by the names that the user knows, from what nvcc recorded."""

    def __init__(self, source: Source) -> None:
        self._path = Path(os.path.abspath(source.path))
        self._shown = source.path

    def own(self, file: str) -> bool:
        """Whether the author wrote it: the solution, a copy of it, or a file below its folder."""
        return self._copy(file) or self._path.parent in Path(file).parents

    def shown(self, file: str) -> str:
        """The name to show."""
        if self._copy(file) or Path(file) == self._path:
            return str(self._shown)
        if self._path.parent in Path(file).parents:
            return str(self._shown.parent / Path(file).relative_to(self._path.parent))
        return file

    def _copy(self, file: str) -> bool:
        """A source whose path nvcc does not take is built as a copy of this name."""
        return Path(file).name == "solution.cu"
