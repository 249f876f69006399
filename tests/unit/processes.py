"""What the tests ask about processes. Needs a /proc."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

_SECONDS = 60.0


def alive(pid: int) -> bool:
    """Whether the process is there and not merely waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_for(holds: Callable[[], object], seconds: float = _SECONDS) -> None:
    """Fails when it doesn't hold in time."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came so far"
        time.sleep(0.01)
