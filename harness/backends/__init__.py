"""The backends by name. A new one is a folder beside this file and a line in ``_BACKENDS``."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from harness.errors import UsageError
from harness.nearest import nearest

if TYPE_CHECKING:
    from harness.backends.base import Backend

# In the order in which ``auto`` prefers them. Imported when first asked for.
_BACKENDS = {
    "cuda": "harness.backends.cuda.backend:CudaBackend",
    "cpu": "harness.backends.cpu.backend:CpuBackend",
}


def names() -> tuple[str, ...]:
    """All backends, the preferred one first."""
    return tuple(_BACKENDS)


def backend(name: str, nvcc: str = "") -> Backend:
    """The backend of that name; ``nvcc`` is the user's choice of a CUDA compiler, or empty.

    Raises UsageError for a name that there is not.
    """
    if name not in _BACKENDS:
        raise UsageError(f"there is no backend {name!r}; {nearest(name, names())}")
    module, _, attribute = _BACKENDS[name].partition(":")
    made: Backend
    factory = getattr(importlib.import_module(module), attribute)
    made = factory(nvcc) if name == "cuda" else factory()
    return made
