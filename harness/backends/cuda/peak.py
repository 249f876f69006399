"""What a device can do at the very most, so that times which can't be are told.

Not what it reaches: the bounds are of the hardware's own clocks and widths, so that no honest
kernel is doubted.
"""

from __future__ import annotations

from harness.backends.cuda.device import Runtime

# cudaDeviceAttr
_CLOCK_RATE = 13  # kHz
_MULTIPROCESSORS = 16
_MEMORY_CLOCK_RATE = 36  # kHz
_MEMORY_BUS_WIDTH = 37  # bits
_L2_CACHE_SIZE = 38
# Dense half-precision products and sums of a multiprocessor's tensor cores in a clock: 4,096 on
# Hopper, 8,192 on Blackwell. A kernel may put float32 together from such.
_FLOPS_A_CLOCK = 8192


def peak_facts(runtime: Runtime, device: int) -> dict[str, str]:
    """``peak_gbps``, ``peak_gflops`` and ``l2_mib``, as far as the device tells."""
    facts: dict[str, str] = {}
    try:
        ask = runtime.deviceGetAttribute
        # Twice: memory moves data on both edges of its clock.
        memory = 2 * ask(_MEMORY_CLOCK_RATE, device) * 1e3 * ask(_MEMORY_BUS_WIDTH, device) / 8
        flops = ask(_MULTIPROCESSORS, device) * _FLOPS_A_CLOCK * ask(_CLOCK_RATE, device) * 1e3
        cache = ask(_L2_CACHE_SIZE, device)
    except runtime.CUDARuntimeError:
        return {}
    for name, value in (("peak_gbps", memory / 1e9), ("peak_gflops", flops / 1e9)):
        if value > 0:
            facts[name] = f"{value:.6g}"
    facts["l2_mib"] = f"{cache / 2**20:.6g}"
    return facts
