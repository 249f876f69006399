"""What the tests share: backends, and tests that need a GPU skipped with the reason in sight."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.backends.base import Backend


@pytest.fixture(scope="session")
def backend_of() -> Callable[[str], Backend]:
    """The backend of a name, the same object all through the session, as in one long run."""
    from harness import backends

    made: dict[str, Backend] = {}

    def get(name: str) -> Backend:
        if name not in made:
            made[name] = backends.backend(name)
        return made[name]

    return get


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what is marked gpu where the cuda backend cannot work."""
    wanted = [item for item in items if item.get_closest_marker("gpu")]
    lacks = _gpu_lacks() if wanted else ""
    if lacks:
        for item in wanted:
            item.add_marker(pytest.mark.skip(reason=f"no usable GPU: {lacks}"))


def _gpu_lacks() -> str:
    from harness import backends

    probe = backends.backend("cuda").probe()
    if probe.usable:
        return ""
    return ", ".join(missing.what for missing in probe.missing) or "the cuda backend is not usable"
