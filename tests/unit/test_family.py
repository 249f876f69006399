"""Which processes a call has started, and which were there before."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from harness.family import older


@pytest.mark.skipif(sys.platform != "linux", reason="needs a /proc")
def test_what_started_before_a_moment() -> None:
    before = time.monotonic()
    time.sleep(0.05)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        time.sleep(0.05)
        assert older([process.pid], time.monotonic()) == {process.pid}
        assert older([process.pid], before) == set()
    assert older([process.pid], time.monotonic()) == set()
