"""Temporary folders: whose owner lives stay, the others go."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness import scratch
from harness.scratch import Scratch, sweep

OWN = (
    "import os, signal, sys; from harness.scratch import Scratch\n"
    "folder = Scratch(sys.argv[1])\n"
    "(folder.path / 'file').write_text('x')\n"
    "print(folder.path, flush=True); input()\n"
    "os.kill(os.getpid(), signal.SIGKILL)"
)


def test_a_folder_lives_until_it_is_closed(tmp_path: Path) -> None:
    folder = Scratch(str(tmp_path))
    assert os.stat(folder.path).st_mode & 0o777 == 0o700
    folder.close()
    folder.close()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_owner_left_goes_and_what_lives_stays(tmp_path: Path) -> None:
    mine = Scratch(str(tmp_path))
    other = tmp_path / "leetk-other"
    other.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", OWN, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        path = Path(process.stdout.readline().strip())
        sweep(str(tmp_path))
        assert (path / "file").exists()
        process.communicate("\n")
        assert path.exists()
        sweep(str(tmp_path))
    assert sorted(tmp_path.iterdir()) == sorted([mine.path, other])
    mine.close()


def test_neither_links_nor_files_are_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("x")
    below = tmp_path / "tmp"
    below.mkdir()
    (below / "leetk-run-link").symlink_to(kept)
    (below / "leetk-run-file").write_text("x")
    (below / "leetk-run-left").mkdir()
    (below / "leetk-run-left" / "link").symlink_to(kept)
    sweep(str(below))
    assert sorted(path.name for path in below.iterdir()) == ["leetk-run-file", "leetk-run-link"]
    assert (kept / "file").exists()


def test_a_folder_that_a_sweep_took_before_it_was_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = scratch._locked
    taken = []

    def late(name: str) -> int:
        if not taken:
            taken.append(name)
            os.rmdir(name)
        return lock(name)

    monkeypatch.setattr(scratch, "_locked", late)
    folder = Scratch(str(tmp_path))
    assert list(tmp_path.iterdir()) == [folder.path]
    assert str(folder.path) != taken[0]
    folder.close()


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(fd: int, how: int) -> None:
        raise OSError(9, "no locks here")

    monkeypatch.setattr("harness.scratch.fcntl.flock", refuse)
    folder = Scratch(str(tmp_path))
    sweep(str(tmp_path))
    assert folder.path.is_dir()
    folder.close()
    assert not folder.path.exists()
