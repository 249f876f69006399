"""The environment that compilers see, and what of it changes their results."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

# What changes a compiler's result from outside: part of every cache key.
_INFLUENCES = (
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "SDKROOT",
    "MACOSX_DEPLOYMENT_TARGET",
    "NVCC_PREPEND_FLAGS",
    "NVCC_APPEND_FLAGS",
    "NVCC_CCBIN",
)
_NOISE = ("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "LANGUAGE", "LC_MESSAGES", "GCC_COLORS")


def compiler_environment(cwd: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The caller's environment with English messages, and temporary files in ``cwd``, where they
    go with the folder when a compiler is killed."""
    environment = {key: value for key, value in os.environ.items() if key not in _NOISE}
    environment.update(LC_ALL="C.UTF-8", TMPDIR=str(cwd))
    environment.update(extra or {})
    return environment


def influences() -> tuple[str, ...]:
    """The environment variables that change what a compiler makes, as parts of a cache key."""
    return tuple(f"{name}={os.environ[name]}" for name in _INFLUENCES if name in os.environ)
