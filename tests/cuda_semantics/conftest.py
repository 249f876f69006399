"""The runtime is made ready once for all tests of this folder."""

from __future__ import annotations

import pytest
from programs import CpuPrograms


@pytest.fixture(scope="session")
def cpu_programs(tmp_path_factory: pytest.TempPathFactory) -> CpuPrograms:
    return CpuPrograms(tmp_path_factory.mktemp("cpu_programs"))
