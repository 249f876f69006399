"""Bad files give one line that says what, where and what to do; the rest is read as it is meant."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.errors import SourceError
from harness.source import read_source


def write(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "ein Ordner é" / "lösung 1.cu"
    path.parent.mkdir()
    path.write_bytes(data)
    return path


def refused(path: Path) -> str:
    with pytest.raises(SourceError) as caught:
        read_source(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


def test_a_plain_file(tmp_path: Path) -> None:
    path = write(tmp_path, "int größe; // ü\n".encode())
    source = read_source(path)
    assert source.text == "int größe; // ü\n"
    assert source.path == path
    assert source.warnings == ()


def test_a_path_given_as_text(tmp_path: Path) -> None:
    assert read_source(str(write(tmp_path, b"int x;"))).text == "int x;"


def test_the_byte_order_mark_goes(tmp_path: Path) -> None:
    assert read_source(write(tmp_path, b"\xef\xbb\xbfint x;\n")).text == "int x;\n"


def test_crlf_stays(tmp_path: Path) -> None:
    assert read_source(write(tmp_path, b"int x;\r\nint y;\r\n")).text == "int x;\r\nint y;\r\n"


def test_cr_alone_ends_a_line(tmp_path: Path) -> None:
    assert read_source(write(tmp_path, b"// a\rint x;\r")).text == "// a\nint x;\n"


def test_a_doubled_cr_is_no_line_of_its_own(tmp_path: Path) -> None:
    assert read_source(write(tmp_path, b"int x;\r\r\nint y;")).text == "int x;\r\nint y;"


def test_a_missing_file_names_one_that_looks_alike(tmp_path: Path) -> None:
    (tmp_path / "v2.cu").write_text("int x;")
    assert "did you mean" in refused(tmp_path / "v22.cu")
    assert "v2.cu" in refused(tmp_path / "v22.cu")


def test_a_missing_folder(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "nowhere" / "v2.cu")


def test_a_file_in_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    assert "no such file" in refused(tmp_path / "a" / "v2.cu")


def test_a_directory(tmp_path: Path) -> None:
    assert "a directory" in refused(tmp_path)


def test_a_fifo_does_not_hang(tmp_path: Path) -> None:
    path = tmp_path / "fifo.cu"
    os.mkfifo(path)
    assert "not a regular file" in refused(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(tmp_path: Path) -> None:
    path = write(tmp_path, b"int x;")
    path.chmod(0)
    assert "permission" in refused(path)


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_an_empty_file(tmp_path: Path, data: bytes) -> None:
    assert "empty" in refused(write(tmp_path, data))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16(tmp_path: Path, encoding: str) -> None:
    message = refused(write(tmp_path, "int x;\n".encode(encoding)))
    assert "UTF-16" in message or "NUL" in message


def test_a_nul_byte_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, b"int x;\nint y;\0\n")
    with pytest.raises(SourceError, match=r"\.cu:2: a NUL byte"):
        read_source(path)


def test_a_path_with_a_nul_character() -> None:
    with pytest.raises(SourceError):
        read_source("a\0b.cu")


def test_other_bytes_in_comments_are_fine_and_said(tmp_path: Path) -> None:
    path = write(tmp_path, b"// \xd6\xd0\nint x; /*\n \xce\xc4 */\n")
    source = read_source(path)
    assert source.text == "// \ufffd\ufffd\nint x; /*\n \ufffd\ufffd */\n"
    (finding,) = source.warnings
    assert finding.line == 1
    assert finding.file == str(path)
    assert finding.severity == "warning"
    assert finding.message.startswith("line 1: bytes that are not UTF-8, in a comment")
    assert "1 more" in finding.message


@pytest.mark.parametrize("data", [b'// ok\nconst char* s = "\xd6\xd0";', b"// ok\nint gr\xf6sse;"])
def test_other_bytes_in_code_are_refused_with_their_line(tmp_path: Path, data: bytes) -> None:
    path = write(tmp_path, data)
    with pytest.raises(SourceError, match=r"\.cu:2: bytes that are not UTF-8"):
        read_source(path)


def test_a_backslash_byte_continues_a_comment_as_it_does_for_the_compiler(tmp_path: Path) -> None:
    # In Shift-JIS the second byte of some characters is a backslash; at the end of a comment's
    # line it swallows the next line, for nvcc, too.
    source = read_source(write(tmp_path, b"// \x95\x5c\nint gone \xf6;\n"))
    assert [finding.line for finding in source.warnings] == [1]


def test_a_huge_file(tmp_path: Path) -> None:
    path = tmp_path / "huge.cu"
    with path.open("wb") as stream:
        stream.truncate(9 << 20)
    assert "too large" in refused(path)
