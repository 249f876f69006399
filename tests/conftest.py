"""What the tests share: backends, and tests that need a GPU skipped with the reason in sight."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import fault_table
import pytest

from harness.backends.base import Backend

# numpy's threads spin while they wait, on cores that other tests need. Before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


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
    """Note which faults a test shows. Skip what is marked gpu where the cuda backend cannot
    work."""
    for item in items:
        _note_faults(item)
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


# --- docs/faults.md: see fault_table.py ---------------------------------------------------------

_results: list[fault_table.Result] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--faults-json", metavar="FILE", help="note what the tests of faults gave")


def _note_faults(item: pytest.Item) -> None:
    numbers = [n for mark in item.iter_markers("fault") for n in mark.args]
    if not numbers:
        return
    item.user_properties.append(("faults", sorted(set(numbers))))
    if item.get_closest_marker("gpu"):
        item.user_properties.append(("gpu", True))
    path = getattr(item, "callspec", None) and item.callspec.params.get("path")  # type: ignore[attr-defined]
    if isinstance(path, Path):
        item.user_properties.append(("fixture", path.relative_to(fault_table.TESTS).as_posix()))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    properties = dict(report.user_properties)
    if "faults" in properties and (report.when == "call" or report.outcome != "passed"):
        _results.append(fault_table.result_of(report.nodeid, properties, report.outcome))


def pytest_sessionfinish(session: pytest.Session) -> None:
    file = session.config.getoption("--faults-json")
    if file and not hasattr(session.config, "workerinput"):
        fault_table.write_results(Path(file), _machine(), _results)


def _machine() -> str:
    from harness import backends

    probe = backends.backend("cuda").probe()
    return f"a machine with an {probe.device}" if probe.usable else "a machine without a GPU"
