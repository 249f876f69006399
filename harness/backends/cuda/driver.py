"""What the NVIDIA driver says of this machine, asked of libcuda through ctypes.

A machine without a GPU is known in a millisecond and CuPy is never imported in vain. No context is
made here; ``cuInit`` and the queries after it change nothing on the device.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness.backends.cuda.libcuda import open_libcuda

_MODULE_VERSION = Path("/proc/driver/nvidia/version")

# CUdevice_attribute
_COMPUTE_MODE = 20
_L2_CACHE_SIZE = 38
_CAPABILITY_MAJOR = 75
_CAPABILITY_MINOR = 76

# CUcomputemode: one process at a time may have a context.
_EXCLUSIVE_PROCESS = 3

# CUresult
_NO_DEVICE = 100
_STUB_LIBRARY = 34
_SYSTEM_DRIVER_MISMATCH = 803

INSTALL_REMEDY = "install the NVIDIA driver, or judge on the CPU with --backend cpu"


class NoDevice(Exception):
    """There is no GPU to use. ``str(error)`` says why; ``remedy`` what to do."""

    def __init__(self, why: str, remedy: str) -> None:
        super().__init__(why)
        self.remedy = remedy


@dataclass(frozen=True)
class Device:
    """One GPU. ``memory`` and ``l2`` are in bytes; ``exclusive``: only one process may use it."""

    index: int
    name: str
    capability: tuple[int, int]
    memory: int
    l2: int
    exclusive: bool = False

    @property
    def arch(self) -> str:
        """nvcc's name for its architecture, such as ``sm_90``."""
        return f"sm_{self.capability[0]}{self.capability[1]}"

    def target(self, toolkit: tuple[int, int]) -> str:
        """What to build for this device alone by an nvcc of that CUDA release: with the "a" that
        brings all its instructions, such as a Hopper's wgmma (``sm_90a``), where there is one."""
        return f"{self.arch}a" if self.capability >= (9, 0) and toolkit >= (12, 0) else self.arch


@dataclass(frozen=True)
class Driver:
    """The driver: the newest CUDA that it runs, such as (13, 0), the version of its kernel module
    ("" when it is not told), and its devices, at least one."""

    cuda: tuple[int, int]
    module: str
    devices: tuple[Device, ...]


def read_driver(
    open_library: Callable[[str], ctypes.CDLL] = ctypes.CDLL,
    module_version: Path = _MODULE_VERSION,
) -> Driver:
    """Ask the driver. Raises NoDevice."""
    library = open_libcuda(open_library)
    if library is None:
        raise NoDevice("no NVIDIA driver here: libcuda.so.1 cannot be loaded", INSTALL_REMEDY)
    status = library.cuInit(0)
    if status != 0:
        raise _no_device(library, status)
    cuda = _integer(library, "cuDriverGetVersion")
    count = _integer(library, "cuDeviceGetCount")
    if count == 0:
        raise _no_device(library, _NO_DEVICE)
    devices = tuple(_device(library, index) for index in range(count))
    return Driver((cuda // 1000, cuda % 1000 // 10), _module(module_version), devices)


def _no_device(library: ctypes.CDLL, status: int) -> NoDevice:
    if status == _NO_DEVICE:
        visible = os.environ.get("CUDA_VISIBLE_DEVICES")
        if visible is not None:
            return NoDevice(
                f"the driver shows no GPU: CUDA_VISIBLE_DEVICES is {visible!r}",
                "unset CUDA_VISIBLE_DEVICES, or judge on the CPU with --backend cpu",
            )
        return NoDevice("the NVIDIA driver finds no GPU", INSTALL_REMEDY)
    if status == _STUB_LIBRARY:
        return NoDevice(
            "libcuda.so.1 is the toolkit's stub, not a driver",
            "take the stubs folder out of LD_LIBRARY_PATH",
        )
    if status == _SYSTEM_DRIVER_MISMATCH:
        return NoDevice(
            "the NVIDIA kernel module and libcuda.so.1 are of different versions",
            "restart the machine (or the container) so that both are the same",
        )
    name = _error_name(library, status)
    return NoDevice(f"the NVIDIA driver does not start: {name}", "see what nvidia-smi says")


def _error_name(library: ctypes.CDLL, status: int) -> str:
    name = ctypes.c_char_p()
    if library.cuGetErrorName(status, ctypes.byref(name)) == 0 and name.value:
        return name.value.decode(errors="replace")
    return f"error {status}"


def _integer(library: ctypes.CDLL, function: str) -> int:
    value = ctypes.c_int()
    status = getattr(library, function)(ctypes.byref(value))
    if status != 0:
        raise _no_device(library, status)
    return value.value


def _device(library: ctypes.CDLL, index: int) -> Device:
    handle = ctypes.c_int()
    status = library.cuDeviceGet(ctypes.byref(handle), index)
    if status != 0:
        raise _no_device(library, status)
    name = ctypes.create_string_buffer(256)
    library.cuDeviceGetName(name, len(name), handle)
    memory = ctypes.c_size_t()
    library.cuDeviceTotalMem_v2(ctypes.byref(memory), handle)

    def attribute(number: int) -> int:
        value = ctypes.c_int()
        library.cuDeviceGetAttribute(ctypes.byref(value), number, handle)
        return value.value

    return Device(
        index=index,
        name=name.value.decode(errors="replace"),
        capability=(attribute(_CAPABILITY_MAJOR), attribute(_CAPABILITY_MINOR)),
        memory=memory.value,
        l2=attribute(_L2_CACHE_SIZE),
        exclusive=attribute(_COMPUTE_MODE) == _EXCLUSIVE_PROCESS,
    )


def _module(path: Path) -> str:
    try:
        text = path.read_text(errors="replace")
    except OSError:
        return ""
    match = re.search(r"\b(\d{3}\.\d+(?:\.\d+)?)\b", text)
    return match[1] if match else ""
