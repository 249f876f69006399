"""Build results on disk, keyed by everything that they depend on.

An entry is a folder named by its key with the files and a manifest of their digests, checked at
each use: a file that a full disk or a crash cut short is made again, never loaded. It is made in a
hidden folder beside the others and appears by one rename, so that a reader never sees half of it
and of two runs that build the same at once one wins. The least recently used entries go when the
whole grows beyond its bound; recent ones stay, because another run may be about to load them. To
look at thousands of entries takes longer than to make one, so that is done once a minute.

A cache folder that cannot be used (no permission, read-only, full) costs speed, never a verdict:
a private temporary folder takes its place and ``warning`` says why.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from harness.errors import JudgeError
from harness.scratch import Scratch

VARIABLE = "LEETK_CACHE_DIR"
MAX_BYTES = 512 << 20
_MANIFEST = "manifest.json"
_TEXT = "text"
_HIDDEN = ".work-"
_LOOKED = ".looked"  # its time is that of the last look for what is too much
_LOOK_SECONDS = 60.0
_KEEP_SECONDS = 3600.0
_STALE_SECONDS = 86400.0


class Cache:
    """One folder of entries. ``folder`` None means the user's: ``$LEETK_CACHE_DIR``, else the
    platform's cache folder; ``private``: a temporary one that goes with this object. ``warning`` is
    empty, or says why a temporary folder is used."""

    def __init__(
        self, folder: Path | None = None, *, private: bool = False, max_bytes: int = MAX_BYTES
    ) -> None:
        self.max_bytes = max_bytes
        self.warning = ""
        if private:
            self.folder = _private_folder(self)
            return
        self.folder = folder if folder is not None else default_folder()
        try:
            self.folder = _prepared(self.folder)
        except OSError as error:
            self._fall_back(error)

    @staticmethod
    def key(parts: Iterable[str | bytes]) -> str:
        """A key for these parts, in this order; their borders count."""
        digest = hashlib.sha256()
        for part in parts:
            data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogateescape")
            digest.update(len(data).to_bytes(8, "little"))
            digest.update(data)
        return digest.hexdigest()[:40]

    def get(self, key: str) -> Path | None:
        """The folder of an entry, now the most recently used one, or None."""
        entry = self.folder / key
        try:
            digests = json.loads((entry / _MANIFEST).read_text("utf-8"))
            whole = all(_digest(entry / name) == digest for name, digest in digests.items())
        except (OSError, ValueError, AttributeError):
            whole = False
        if not whole:
            return None
        with suppress(OSError):
            os.utime(entry)
        return entry

    def put(self, key: str, files: Mapping[str, Path | bytes]) -> Path:
        """Make an entry of ``files`` (by name; a Path is copied) and return its folder. If another
        run was first, its entry stays.

        Raises JudgeError when no folder can be written, the temporary one neither.
        """
        try:
            entry = self._put(key, files)
        except OSError as error:
            self._fall_back(error)
            try:
                entry = self._put(key, files)
            except OSError as again:
                raise _unusable(again) from None
        self._shrink(entry)
        return entry

    def text(self, parts: Iterable[str], make: Callable[[], str]) -> str:
        """A text that depends on ``parts`` alone, made once. Never raises for the cache's sake."""
        key = self.key(parts)
        entry = self.get(key)
        if entry is not None:
            return (entry / _TEXT).read_text("utf-8")
        made = make()
        with suppress(JudgeError):
            self.put(key, {_TEXT: made.encode()})
        return made

    def work_folder(self) -> Path:
        """A new private folder on the cache's file system, for building; the caller removes it."""
        try:
            return Path(tempfile.mkdtemp(prefix=_HIDDEN, dir=self.folder))
        except OSError as error:
            self._fall_back(error)
        try:
            return Path(tempfile.mkdtemp(prefix=_HIDDEN, dir=self.folder))
        except OSError as error:
            raise _unusable(error) from None

    def _put(self, key: str, files: Mapping[str, Path | bytes]) -> Path:
        entry = self.folder / key
        work = Path(tempfile.mkdtemp(prefix=_HIDDEN, dir=self.folder))
        try:
            digests: dict[str, str] = {}
            for name, content in files.items():
                target = work / name
                if isinstance(content, bytes):
                    target.write_bytes(content)
                else:
                    shutil.copyfile(content, target)
                digests[name] = _digest(target)
            (work / _MANIFEST).write_text(json.dumps(digests), "utf-8")
            # Between finding an entry spoilt and replacing it nobody else may have mended it.
            with _locked(self.folder):
                if self.get(key) is None:
                    _discard(entry, self.folder)
                    with suppress(OSError):
                        os.rename(work, entry)
            if self.get(key) is None:
                raise OSError(errno.EIO, "the new entry can't be read back", str(entry))
        finally:
            shutil.rmtree(work, ignore_errors=True)
        return entry

    def _fall_back(self, error: OSError) -> None:
        if self.warning:
            raise _unusable(error) from None
        self.warning = (
            f"the cache folder {self.folder} can't be used ({error.strerror or error}), so nothing "
            f"is kept; mend it or set {VARIABLE} to another folder"
        )
        self.folder = _private_folder(self)

    def _shrink(self, newest: Path) -> None:
        """Remove the least recently used entries beyond the bound, and what crashed runs left."""
        now = time.time()
        if not _is_due(self.folder / _LOOKED, now):
            return
        entries: list[tuple[float, int, Path]] = []
        with suppress(OSError):
            for item in _entries(self.folder):
                with suppress(OSError):
                    used = item.stat().st_mtime
                    path = Path(item.path)
                    if item.name.startswith(_HIDDEN):
                        if now - used > _STALE_SECONDS:
                            shutil.rmtree(path, ignore_errors=True)
                    elif item.is_dir():
                        size = sum(file.stat().st_size for file in _entries(path))
                        entries.append((used, size, path))
        total = sum(size for _, size, _ in entries)
        for used, size, path in sorted(entries, key=lambda entry: entry[0]):
            if total <= self.max_bytes:
                break
            if path != newest and now - used > _KEEP_SECONDS:
                _discard(path, self.folder)
                total -= size


def _is_due(looked: Path, now: float) -> bool:
    """Whether that time is long ago, or ahead; then it is set to now."""
    with suppress(OSError):
        if 0 <= now - looked.stat().st_mtime < _LOOK_SECONDS:
            return False
    with suppress(OSError):
        looked.touch()
    return True


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in it. Raises OSError; an iterator that is left half way would stay open."""
    with os.scandir(folder) as found:
        return list(found)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, where its file system has locks."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def default_folder() -> Path:
    """Where results are kept: ``$LEETK_CACHE_DIR``, else the platform's cache folder."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("leetk", appauthor=False)


def _prepared(folder: Path) -> Path:
    """Make the folder, private to the user, and prove that files can be made and read there."""
    folder = Path(os.path.abspath(folder))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.listdir(folder)
    _check_loadable(folder)
    probe, name = tempfile.mkstemp(prefix=_HIDDEN, dir=folder)
    try:
        os.write(probe, b"leetk")
    finally:
        os.close(probe)
        os.unlink(name)
    return folder


def _check_loadable(folder: Path) -> None:
    """A library can't be loaded from a file system that is mounted noexec, as a container's tmpfs
    is unless told otherwise: that would look like the submission's fault. Raises OSError."""
    if os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0):
        raise OSError(errno.EACCES, "it is mounted noexec", str(folder))


def _private_folder(owner: Cache) -> Path:
    """A temporary folder that is removed with its owner, at the latest when this process ends."""
    try:
        _check_loadable(Path(tempfile.gettempdir()))
        scratch = Scratch()
        folder = scratch.path / "cache"  # a folder in it: its own lock is another one's
        folder.mkdir()
    except OSError as error:
        raise _unusable(error) from None
    weakref.finalize(owner, _remove, scratch, os.getpid())
    return folder


def _unusable(error: OSError) -> JudgeError:
    return JudgeError(
        f"no folder for built files can be used: {error.strerror or error}; free some space, or "
        f"set {VARIABLE} or TMPDIR to a folder that can be written and loaded from"
    )


def _remove(scratch: Scratch, owner: int) -> None:
    if os.getpid() == owner:
        scratch.close()


def _discard(entry: Path, folder: Path) -> None:
    """Remove an entry so that nobody sees half of it: out of sight first."""
    with suppress(OSError):
        away = tempfile.mkdtemp(prefix=_HIDDEN, dir=folder)
        with suppress(OSError):
            os.rename(entry, Path(away, "entry"))
        shutil.rmtree(away, ignore_errors=True)
