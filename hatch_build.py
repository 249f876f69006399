"""What ``pip install -e .`` does besides: it compiles the CPU runtime, which takes two seconds, so
that a learner's first run does not have to. Should that fail, the first run does it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RuntimeHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            return
        command = [sys.executable, "-m", "harness.backends.cpu.prebuilt"]
        environment = {**os.environ, "PYTHONPATH": self.root}
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                command,
                cwd=self.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=120,
            )
