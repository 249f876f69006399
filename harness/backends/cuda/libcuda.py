"""The NVIDIA driver's library. A machine without one is known in a millisecond."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

_NAMES = ("libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1")


def open_libcuda(
    open_library: Callable[[str], ctypes.CDLL] = ctypes.CDLL,
) -> ctypes.CDLL | None:
    """The library, or None without a driver. It may still show no GPU."""
    for name in _NAMES:
        try:
            return open_library(name)
        except OSError:
            continue
    return None
