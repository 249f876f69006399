"""What a device can do: at the very most, so that times which can't be are told, and in the run at
hand, which a good kernel reaches.

The first is no goal: those bounds are of the hardware's own clocks and widths, so that no honest
kernel is doubted. The second is the roofline (Williams, Waterman and Patterson 2009): the bandwidth
of a copy, measured beside the samples, and float32 arithmetic at the clock that was observed.
"""

from __future__ import annotations

from collections.abc import Callable

from harness import stats
from harness.backends.cuda.device import Runtime

# cudaDeviceAttr
_CLOCK_RATE = 13  # kHz
_MULTIPROCESSORS = 16
_MEMORY_CLOCK_RATE = 36  # kHz
_MEMORY_BUS_WIDTH = 37  # bits
_L2_CACHE_SIZE = 38
_MAJOR, _MINOR = 75, 76
# Multiplications with additions, in float32, of a multiprocessor in a clock: CUDA's programming
# guide, "throughput of native arithmetic instructions". 128 where it is not listed.
_FMAS_A_CLOCK = {(7, 0): 64, (7, 2): 64, (7, 5): 64, (8, 0): 64, (6, 0): 64}
_COPY_BYTES = 256 << 20
_COPIES = 7
# Dense half-precision products and sums of a multiprocessor's tensor cores in a clock: 4,096 on
# Hopper, 8,192 on Blackwell. A kernel may put float32 together from such.
_FLOPS_A_CLOCK = 8192


def roof_facts(
    runtime: Runtime, device: int, clock_mhz: float, copy_ms: Callable[[int], float]
) -> dict[str, str]:
    """``copy_gbps``, of bytes read and written, and ``fp32_gflops`` where the clock is known.
    ``copy_ms`` copies so many bytes on the device and says how long that took."""
    found: dict[str, str] = {}
    try:
        ask = runtime.deviceGetAttribute
        free, _ = runtime.memGetInfo()
        size = min(_COPY_BYTES, free // 8)
        times = [copy_ms(size) for _ in range(_COPIES)] if size >= _COPY_BYTES // 16 else [0.0]
        if (took := stats.median(times)) > 0:
            found["copy_gbps"] = f"{2 * size / took / 1e6:.6g}"
        each = _FMAS_A_CLOCK.get((ask(_MAJOR, device), ask(_MINOR, device)), 128)
        flops = 2 * each * ask(_MULTIPROCESSORS, device) * clock_mhz * 1e6
    except runtime.CUDARuntimeError:
        return found
    if flops > 0:
        found["fp32_gflops"] = f"{flops / 1e9:.6g}"
    return found


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
