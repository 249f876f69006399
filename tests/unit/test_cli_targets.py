"""Report files are checked beforehand and replaced in one step."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import NoReturn

import pytest

from harness.commands.options import Options
from harness.commands.targets import check_writable, checked_targets, replace_file
from harness.errors import UsageError


def refuse(*arguments: object, **options: object) -> NoReturn:
    raise PermissionError(errno.EACCES, "Permission denied")


def full(*arguments: object, **options: object) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_folder_that_takes_no_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = str(tmp_path / "out.json")
    check_writable(target, "--json")
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(UsageError, match=r"^--json .*out\.json: cannot be written: Permission"):
        check_writable(target, "--json")


def test_a_write_protected_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may write it all the same
    with pytest.raises(UsageError, match="permission denied"):
        check_writable(str(target), "--json")


@pytest.mark.parametrize("name", ["a/b/c.json", "nul\0.json", "x" * 300 + ".json"])
def test_impossible_paths_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        check_writable(str(tmp_path / name), "--json")
        replace_file(str(tmp_path / name), "text", "--json")
    assert list(tmp_path.iterdir()) == []


def test_checking_leaves_nothing_behind(tmp_path: Path) -> None:
    checked_targets(Options(json=str(tmp_path / "a"), junit=str(tmp_path / "b")))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call", ["os.replace", "pathlib.Path.write_text"])
def test_a_full_disk_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")
    monkeypatch.setattr(call, full)
    with pytest.raises(UsageError, match="cannot be written: No space left on device"):
        replace_file(str(target), "new", "--json")
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert target.read_text() == "old"


def test_modes_are_those_of_any_new_file_or_of_the_old_one(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        target = tmp_path / "out.json"
        replace_file(str(target), "one", "--json")
        assert stat.S_IMODE(target.stat().st_mode) == 0o640
        target.chmod(0o604)
        replace_file(str(target), "two", "--json")
    finally:
        os.umask(old)
    assert stat.S_IMODE(target.stat().st_mode) == 0o604
    assert target.read_text() == "two"


def test_a_pipe_gets_the_text_itself(tmp_path: Path) -> None:
    target = tmp_path / "pipe"
    os.mkfifo(target)
    reader = os.open(target, os.O_RDONLY | os.O_NONBLOCK)
    try:
        check_writable(str(target), "--json")
        replace_file(str(target), "text", "--json")
        assert os.read(reader, 100) == b"text"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(target.stat().st_mode)
