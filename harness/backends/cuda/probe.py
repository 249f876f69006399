"""What the cuda backend finds on this machine, and the exact step that brings what it lacks.

The driver takes longest to answer (it starts up for that), so nvcc is looked for and asked for its
version meanwhile. CuPy is found but not imported.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness.backends.base import Missing, Probe
from harness.backends.cuda.cublas import find_cublas, package
from harness.backends.cuda.driver import Driver, NoDevice, read_driver
from harness.backends.cuda.toolkit import HOST_REMEDY, Toolkit, find_toolkit, host_compiler
from harness.errors import ToolchainMissing
from harness.timeline import mark

# The oldest CUDA that a CuPy wheel of today is made for.
_OLDEST_CUDA = 12
_NVCC_WHEEL_CUDA = 13
_DRIVER_OF_13 = "580"


@dataclass(frozen=True)
class CupyFound:
    """An installed CuPy. ``cuda`` is the major version of CUDA that it is built for, 0 when it
    does not say (built from source)."""

    version: str
    cuda: int


@dataclass(frozen=True)
class Machine:
    """All that was found; a part that is missing is None."""

    probe: Probe
    driver: Driver | None
    toolkit: Toolkit | None
    cupy: CupyFound | None
    cublas: Path | None


def find_cupy() -> CupyFound | None:
    """The CuPy that ``import cupy`` would find, without importing it."""
    try:
        spec = importlib.util.find_spec("cupy_backends")
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))).with_name("cupy")
    try:
        match = re.search(r"__version__ = '([^']+)'", (folder / "_version.py").read_text())
        version = match[1] if match else "of unknown version"
    except OSError:
        return None
    try:
        wheel = json.loads((folder / ".data" / "_wheel.json").read_text())
        cuda = int(str(wheel["cuda"]).split(".")[0])
    except (OSError, ValueError, KeyError):
        cuda = 0
    return CupyFound(version, cuda)


def look(
    nvcc: str = "",
    *,
    driver: Callable[[], Driver] = read_driver,
    cupy: Callable[[], CupyFound | None] = find_cupy,
    toolkit: Callable[[str], Toolkit] = find_toolkit,
    host: Callable[[], str] = host_compiler,
) -> Machine:
    """Look at this machine. ``nvcc`` is the user's ``--nvcc``. Raises UsageError when that is no
    nvcc; the other arguments stand in for the machine in tests."""
    missing: list[Missing] = []
    found_driver: Driver | None = None
    mark("looks for GPU and nvcc")
    with ThreadPoolExecutor(1, thread_name_prefix="leetk-probe") as pool:
        asked = pool.submit(toolkit, nvcc)
        try:
            found_driver = driver()
        except NoDevice as error:
            missing.append(Missing(f"a GPU: {error}", error.remedy))
        mark("driver has answered")
        found_cupy = cupy()
        missing += _cupy_missing(found_cupy, found_driver)
        found_toolkit, without_nvcc = _toolkit(asked.result, found_driver)
    missing += without_nvcc
    found_host, without_host = _host(host) if found_toolkit is not None else ("", [])
    missing += without_host
    cublas = _cublas(found_driver, found_toolkit)
    mark("knows the machine")
    probe = Probe(
        usable=not missing,
        device=found_driver.devices[0].name if found_driver is not None else "",
        missing=tuple(missing),
        optional=_optional(found_driver, cublas),
        facts=_facts(found_driver, found_toolkit, found_cupy, cublas, found_host),
    )
    return Machine(probe, found_driver, found_toolkit, found_cupy, cublas)


def _cupy_missing(cupy: CupyFound | None, driver: Driver | None) -> list[Missing]:
    if driver is not None and driver.cuda[0] < _OLDEST_CUDA:
        what = f"a newer driver: this one runs CUDA {_dotted(driver.cuda)}, CuPy needs 12.0"
        return [Missing(what, "update the NVIDIA driver to 525 or newer")]
    wanted = 13 if driver is not None and driver.cuda[0] >= 13 else 12
    install = f'pip install "leetk[cuda{wanted}]"'
    if cupy is None:
        return [Missing("CuPy", install)]
    if driver is not None and cupy.cuda > driver.cuda[0]:
        what = (
            f"a CuPy for this driver: CuPy {cupy.version} is for CUDA {cupy.cuda}, the driver "
            f"runs {_dotted(driver.cuda)}"
        )
        return [Missing(what, f"pip uninstall cupy-cuda{cupy.cuda}x && {install}")]
    return []


def _toolkit(
    find: Callable[[], Toolkit], driver: Driver | None
) -> tuple[Toolkit | None, list[Missing]]:
    try:
        toolkit = find()
    except ToolchainMissing:
        return None, [Missing("nvcc", _nvcc_remedy(driver))]
    if driver is not None and toolkit.version[0] > driver.cuda[0]:
        what = (
            f"an nvcc for this driver: {toolkit.nvcc} is of CUDA {toolkit.release}, the driver "
            f"runs {_dotted(driver.cuda)}"
        )
        return toolkit, [Missing(what, _nvcc_remedy(driver))]
    return toolkit, []


def _nvcc_remedy(driver: Driver | None) -> str:
    """NVIDIA's wheels hold an nvcc from CUDA 13 on; what it builds needs a driver for CUDA 13."""
    if driver is None or driver.cuda[0] >= _NVCC_WHEEL_CUDA:
        return 'pip install "leetk[nvcc]"'
    return (
        f"install a CUDA Toolkit of {driver.cuda[0]}.x, or update the NVIDIA driver to "
        f'{_DRIVER_OF_13} or newer and pip install "leetk[nvcc]"'
    )


def _host(host: Callable[[], str]) -> tuple[str, list[Missing]]:
    try:
        return host(), []
    except ToolchainMissing:
        return "", [Missing("gcc, which nvcc compiles host code with", HOST_REMEDY)]


def _cublas(driver: Driver | None, toolkit: Toolkit | None) -> Path | None:
    if driver is None:
        return None
    return find_cublas(driver.cuda[0], toolkit.root if toolkit is not None else None)


def _optional(driver: Driver | None, cublas: Path | None) -> tuple[Missing, ...]:
    if driver is None or cublas is not None:
        return ()
    what = "cuBLAS (to compare matmul's time with, and for fast references)"
    return (Missing(what, f"pip install {package(driver.cuda[0])}"),)


def _facts(
    driver: Driver | None,
    toolkit: Toolkit | None,
    cupy: CupyFound | None,
    cublas: Path | None,
    host: str,
) -> dict[str, str]:
    facts: dict[str, str] = {}
    if driver is not None:
        device = driver.devices[0]
        facts["device"] = (
            f"{device.name}, compute capability {_dotted(device.capability)}, "
            f"{device.memory >> 20} MiB"
        )
        module = f"{driver.module}, " if driver.module else ""
        facts["driver"] = f"{module}runs CUDA {_dotted(driver.cuda)}"
    if cupy is not None:
        made_for = f" for CUDA {cupy.cuda}" if cupy.cuda else ""
        facts["CuPy"] = f"{cupy.version}{made_for}"
    if toolkit is not None:
        facts["nvcc"] = f"{toolkit.release} at {toolkit.nvcc} (by {toolkit.found})"
    if host:
        facts["host compiler"] = host
    if cublas is not None:
        facts["cuBLAS"] = str(cublas)
    return facts


def _dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"
