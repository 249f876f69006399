"""What becomes of special values where floats should only be moved."""

from __future__ import annotations

import numpy as np

from harness.explain.fault import Fault

_ORDINARY = (2.0**-10, 2.0**14)


def special_values(fault: Fault) -> str:
    """Names the kinds of numbers that are wrong, where ordinary ones are right."""
    if not fault.special:
        return ""
    right = fault.expected[fault.wrong]
    size, tiny = np.abs(right), float(np.finfo(fault.raw.dtype).tiny)
    if ((size >= _ORDINARY[0]) & (size <= _ORDINARY[1])).any():
        return ""
    groups = {
        "-0.0": (right == 0) & np.signbit(right),
        "0.0": (right == 0) & ~np.signbit(right),
        "NaN": np.isnan(right),
        "infinities": np.isinf(right),
        "subnormal numbers": (size > 0) & (size < tiny),
        "very small numbers": (size >= tiny) & (size < _ORDINARY[0]),
        "very large numbers": (size > _ORDINARY[1]) & np.isfinite(right),
    }
    names = [name for name, mask in groups.items() if mask.any()]
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return (
        f"only special values are wrong ({listed}): elements are to be moved as they are, not "
        "computed with"
    )
