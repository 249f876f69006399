"""The runtime is made ready once for all tests of this folder."""

from __future__ import annotations

import pytest
from runtime_tools import Programs, compilers


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    if not compilers():
        pytest.skip("no C++ compiler")
    return Programs(compilers()[0], tmp_path_factory.mktemp("runtime"))
