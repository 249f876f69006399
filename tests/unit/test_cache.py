"""The cache: whole entries or none, the least recently used go, a bad folder costs only speed."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from harness.build import cache as cache_module
from harness.build.cache import Cache, default_folder
from harness.errors import JudgeError

LOOKED = ".looked"


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def names(cache: Cache) -> set[str]:
    return set(os.listdir(cache.folder)) - {LOOKED}


def a_minute_later(cache: Cache) -> None:
    age(cache, LOOKED, 61)


def age(cache: Cache, key: str, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(cache.folder / key, (then, then))


def test_what_was_put_is_found(cache: Cache, tmp_path: Path) -> None:
    made = tmp_path / "made.so"
    made.write_bytes(b"library")
    assert cache.get("k") is None
    entry = cache.put("k", {"a.so": made, "b.json": b"{}"})
    assert cache.get("k") == entry
    assert (entry / "a.so").read_bytes() == b"library"
    assert (entry / "b.json").read_bytes() == b"{}"
    assert made.exists()
    assert names(cache) == {"k"}


def test_another_process_finds_it(cache: Cache) -> None:
    cache.put("k", {"a": b"x"})
    assert Cache(cache.folder).get("k") is not None


def test_keys_tell_the_parts_and_their_borders_apart() -> None:
    keys = {
        Cache.key(parts)
        for parts in (("ab", "c"), ("a", "bc"), ("abc",), ("c", "ab"), (b"ab",), ())
    }
    assert len(keys) == 6
    assert Cache.key(["ü\udcff"]) == Cache.key([b"\xc3\xbc\xff"])


@pytest.mark.parametrize("damage", ["cut", "gone", "no manifest", "bad manifest"])
def test_a_damaged_entry_is_none_and_is_replaced(cache: Cache, damage: str) -> None:
    entry = cache.put("k", {"a": b"whole"})
    if damage == "cut":
        (entry / "a").write_bytes(b"wh")
    elif damage == "gone":
        (entry / "a").unlink()
    elif damage == "no manifest":
        (entry / "manifest.json").unlink()
    else:
        (entry / "manifest.json").write_text("[")
    assert cache.get("k") is None
    assert (cache.put("k", {"a": b"whole"}) / "a").read_bytes() == b"whole"
    assert names(cache) == {"k"}


def test_the_first_of_two_stays(cache: Cache) -> None:
    cache.put("k", {"a": b"first"})
    assert (cache.put("k", {"a": b"other"}) / "a").read_bytes() == b"first"


def test_many_at_once(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            own = Cache(tmp_path / "cache")
            for turn in range(10):
                entry = own.put(f"k{turn}", {"a": b"x" * 1000})
                assert (entry / "a").read_bytes() == b"x" * 1000
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert names(Cache(tmp_path / "cache")) == {f"k{turn}" for turn in range(10)}


def test_the_least_recently_used_goes(tmp_path: Path) -> None:
    cache = Cache(tmp_path, max_bytes=2500)
    for key in ("old", "used", "new"):
        cache.put(key, {"a": b"x" * 1000})
    for key, seconds in (("old", 9000.0), ("used", 9500.0), ("new", 8000.0)):
        age(cache, key, seconds)
    cache.get("used")
    cache.put("too soon", {"a": b"x"})
    assert names(cache) == {"old", "used", "new", "too soon"}
    a_minute_later(cache)
    cache.put("newest", {"a": b"x" * 1000})
    assert names(cache) == {"used", "too soon", "newest"}


def test_what_another_run_may_be_loading_stays(tmp_path: Path) -> None:
    cache = Cache(tmp_path, max_bytes=1)
    cache.put("a", {"a": b"x" * 1000})
    a_minute_later(cache)
    cache.put("b", {"a": b"x" * 1000})
    assert names(cache) == {"a", "b"}


def test_what_a_crashed_run_left_goes_in_time(cache: Cache) -> None:
    left, live = cache.work_folder(), cache.work_folder()
    then = time.time() - 200_000
    os.utime(left, (then, then))
    cache.put("k", {"a": b"x"})
    assert not left.exists()
    assert live.exists()


def test_work_folders_are_private_and_on_the_same_disk(cache: Cache) -> None:
    one, other = cache.work_folder(), cache.work_folder()
    assert one != other
    assert one.parent == cache.folder
    assert one.stat().st_mode & 0o077 == 0


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    cache = Cache(tmp_path / "file")
    assert "can't be used" in cache.warning
    assert "LEETK_CACHE_DIR" in cache.warning
    assert "\n" not in cache.warning
    entry = cache.put("k", {"a": b"x"})
    assert cache.get("k") == entry
    assert (tmp_path / "file").read_text() == "x"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        cache = Cache(tmp_path)
        assert "can't be used" in cache.warning
        assert cache.folder != tmp_path
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_that_vanishes_or_fills_up_later(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = cache_module.tempfile.mkdtemp
    bad = str(cache.folder)

    def mkdtemp(suffix: str | None = None, prefix: str | None = None, dir: object = None) -> str:
        if str(dir) == bad:
            raise OSError(28, "No space left on device", bad)
        return real(suffix, prefix, None if dir is None else str(dir))

    monkeypatch.setattr(cache_module.tempfile, "mkdtemp", mkdtemp)
    assert cache.work_folder().exists()
    assert "No space left on device" in cache.warning
    assert cache.get("k") is None
    assert cache.put("k", {"a": b"x"}).exists()


def test_no_folder_at_all_is_the_judges_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mkdtemp(*args: object, **kwargs: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache_module.tempfile, "mkdtemp", mkdtemp)
    (tmp_path / "file").write_text("x")
    with pytest.raises(JudgeError, match="No space left on device"):
        Cache(tmp_path / "file")


def test_a_private_cache_goes_with_its_object() -> None:
    cache = Cache(private=True)
    folder = cache.folder
    assert folder.is_dir()
    assert cache.warning == ""
    del cache
    assert not folder.exists()


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEETK_CACHE_DIR", str(tmp_path / "chosen"))
    assert default_folder() == tmp_path / "chosen"
    assert Cache().folder == tmp_path / "chosen"
    monkeypatch.delenv("LEETK_CACHE_DIR")
    assert "leetk" in str(default_folder())


def test_a_text_is_made_once(tmp_path: Path) -> None:
    made: list[str] = []

    def make() -> str:
        made.append("x")
        return "g++ 12\n\N{GREEK SMALL LETTER PI}"

    cache = Cache(tmp_path)
    assert [cache.text(("a", "b"), make) for _ in range(2)] == [make(), make()]
    assert len(made) == 1 + 2
    assert cache.text(("a", "c"), lambda: "other") == "other"


@pytest.mark.skipif(not hasattr(os, "ST_NOEXEC"), reason="the system does not tell")
def test_a_folder_that_no_library_can_be_loaded_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a container's tmpfs: what is built there fails to load, and not by its author's fault."""

    class Mounted:
        def __init__(self, path: Path) -> None:
            self.f_flag = os.ST_NOEXEC if path in refused else 0

    refused = [tmp_path / "cache"]
    monkeypatch.setattr(os, "statvfs", Mounted)
    cache = Cache(tmp_path / "cache")
    assert "noexec" in cache.warning and cache.folder != tmp_path / "cache"
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    refused.append(tmp_path)
    with pytest.raises(JudgeError, match="noexec"):
        Cache(tmp_path / "cache")
