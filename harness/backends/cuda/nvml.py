"""What the card itself says beside a sample: clocks, temperature, and what holds its clock down.

Read through NVML (nvidia-ml-py) right after a sample, outside its bracket. Where the library or the
right to read is missing there are no readings, and nothing else changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from harness import stats
from harness.backends.cuda.device import Runtime

# nvmlClocksEventReasons that slow a card down; the others (idle, a clock that somebody has set)
# don't, or not from one sample to the next.
_HELD = {
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x20: "temperature (software)",
    0x40: "temperature (hardware)",
    0x80: "power brake",
}
# Clocks of one run that lie farther apart are told.
_CLOCK_SPREAD = 0.03


@dataclass(frozen=True)
class Reading:
    """Clocks in MHz, temperature in degrees Celsius, and what ``held`` the clock down."""

    sm_mhz: int
    memory_mhz: int
    celsius: int
    held: tuple[str, ...] = ()


Monitor = Callable[[], Reading | None]


def open_monitor(runtime: Runtime, device: int) -> Monitor:
    """What reads the device's state; None comes from it where that can't be read."""
    try:
        library: Any = import_module("pynvml")
        library.nvmlInit()
        handle = library.nvmlDeviceGetHandleByPciBusId(runtime.deviceGetPCIBusId(device))
    except Exception:  # not installed, no driver library, no such device, no right
        return lambda: None

    def read() -> Reading | None:
        with suppress(library.NVMLError):
            reasons = library.nvmlDeviceGetCurrentClocksThrottleReasons(handle)
            return Reading(
                library.nvmlDeviceGetClockInfo(handle, library.NVML_CLOCK_SM),
                library.nvmlDeviceGetClockInfo(handle, library.NVML_CLOCK_MEM),
                library.nvmlDeviceGetTemperature(handle, library.NVML_TEMPERATURE_GPU),
                tuple(name for bit, name in _HELD.items() if reasons & bit),
            )
        return None

    return read


def facts(readings: Sequence[Reading]) -> dict[str, str]:
    """``clock_mhz`` (the median), ``memory_mhz`` and ``celsius`` (the highest)."""
    if not readings:
        return {}
    return {
        "clock_mhz": f"{stats.median([reading.sm_mhz for reading in readings]):g}",
        "memory_mhz": f"{stats.median([reading.memory_mhz for reading in readings]):g}",
        "celsius": str(max(reading.celsius for reading in readings)),
    }


def notes(readings: Sequence[Reading]) -> list[str]:
    """What was not steady: samples that count all the same."""
    found: list[str] = []
    held = Counter(why for reading in readings for why in reading.held)
    for why, count in held.most_common():
        found.append(
            f"{count} of {len(readings)} samples were taken while the card's clock was held down: "
            f"{why}"
        )
    clocks = [float(reading.sm_mhz) for reading in readings]
    if clocks and stats.spread(clocks) > _CLOCK_SPREAD:
        found.append(f"the card's clock was from {min(clocks):g} to {max(clocks):g} MHz")
    return found
