"""A device that answers for its clocks and widths, for harness/backends/cuda/peak.py."""

from __future__ import annotations

from harness.backends.cuda.peak import peak_facts


class _Device:
    class CUDARuntimeError(RuntimeError):
        pass

    def __init__(self, attributes: dict[int, int]) -> None:
        self._attributes = attributes

    def deviceGetAttribute(self, attribute: int, device: int) -> int:
        if attribute not in self._attributes:
            raise self.CUDARuntimeError("cudaErrorInvalidValue: invalid argument")
        return self._attributes[attribute]


def peak_of(*, memory_khz: int, bus_bits: int, clock_khz: int, processors: int) -> dict[str, str]:
    """The facts of such a device; it has no attribute but these and an L2 cache of 1 MiB."""
    attributes = {13: clock_khz, 16: processors, 36: memory_khz, 37: bus_bits, 38: 1 << 20}
    return peak_facts(_Device(attributes), 0)  # type: ignore[arg-type]


def peak_of_nothing() -> dict[str, str]:
    return peak_facts(_Device({}), 0)  # type: ignore[arg-type]
