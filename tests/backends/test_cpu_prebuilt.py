"""The runtime compiled ahead of the first run, and what says that it is still the right one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.backends.cpu import fingerprint, prebuilt, runtime_objects, runtime_units
from harness.backends.cpu.backend import CpuBackend
from harness.backends.cpu.build import runtime_key
from harness.backends.cpu.toolchain import required_toolchain
from harness.build.cache import VARIABLE, Cache
from harness.catalog import find_problem
from harness.model import BuildOptions
from harness.source import read_source

SOLUTION = Path(__file__).parents[2] / "solutions" / "v2.cu"


@pytest.mark.compiler
def test_a_first_run_takes_what_was_made_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "prebuilt"
    prebuilt.make(folder)
    key = runtime_key(required_toolchain(), Cache(folder))
    objects = prebuilt.get(key, folder)
    assert objects is not None
    assert {path.name for path in objects.glob("*.o")} == {u.object for u in runtime_units.units()}

    def nothing_to_do(units: object, *_: object) -> tuple[()]:
        raise AssertionError("the runtime is compiled again")

    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(prebuilt, "get", lambda key: Cache(folder).get(key))
    monkeypatch.setattr(runtime_objects, "finish", nothing_to_do)
    artifact = CpuBackend().build(find_problem("matmul"), read_source(SOLUTION), BuildOptions())
    assert artifact.library.exists() and not artifact.cached


def test_nothing_ahead_is_no_fault(tmp_path: Path) -> None:
    assert prebuilt.get("0" * 40, tmp_path / "nowhere") is None
    assert not (tmp_path / "nowhere").exists()


def test_a_fingerprint_follows_what_files_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    (runtime / "core.h").write_text("one")
    monkeypatch.setattr(fingerprint, "_RUNTIME", runtime)
    cache = Cache(tmp_path / "cache")
    first = fingerprint.runtime(cache)
    assert fingerprint.runtime(cache) == first
    os.utime(runtime / "core.h", ns=(1, 1))
    assert fingerprint.runtime(cache) == first  # touched, but the same
    (runtime / "core.h").write_text("two")
    assert fingerprint.runtime(cache) != first
    (runtime / "core.h").write_text("one")
    (runtime / "more.h").write_text("")
    assert fingerprint.runtime(cache) != first


def test_a_fingerprint_follows_where_the_runtime_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two checkouts share a cache: what one compiled names the other's files nowhere."""
    cache = Cache(tmp_path / "cache")
    found = []
    for name in ("one", "other"):
        runtime = tmp_path / name / "runtime"
        runtime.mkdir(parents=True)
        (runtime / "core.h").write_text("the same")
        monkeypatch.setattr(fingerprint, "_HERE", runtime.parent)
        monkeypatch.setattr(fingerprint, "_RUNTIME", runtime)
        (runtime.parent / "runtime_units.py").write_text("")
        found.append(fingerprint.runtime(cache))
    assert found[0] != found[1]
