"""The profile for people and for machines. The wholes are compared with files in tests/golden.

After a change that is meant: ``LEETK_UPDATE_GOLDEN=1 pytest tests/unit/test_profile_report.py``,
then read the diff.
"""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn

import profile_samples as samples
import pytest
from jsonschema import Draft202012Validator
from report_samples import closed

from harness import cli
from harness.counters import LineCounters, Profile, Resources
from harness.report.figures import intensity, worst
from harness.report.problems import sentence
from harness.report.profile import render
from harness.report.profile_json import to_json
from harness.report.terminal import Terminal

GOLDEN = Path(__file__).parent.parent / "golden"
SCHEMA: dict[str, Any] = json.loads(
    files("harness.report").joinpath("profile.schema.json").read_text()
)


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


def text(profile: Profile, width: int | None, stream: io.StringIO | None = None) -> str:
    stream = stream or io.StringIO()
    render(profile, Terminal(stream, width=width), samples.SOURCES)
    return stream.getvalue()


def compare(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("LEETK_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path} is missing: run with LEETK_UPDATE_GOLDEN=1"
    assert text == path.read_text(encoding="utf-8")


# --- for people --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", samples.ALL)
@pytest.mark.parametrize("width", [80, 120, None])
def test_the_whole(name: str, width: int | None) -> None:
    compare(f"profile_{name}.{width or 'file'}.txt", text(samples.ALL[name], width))


@pytest.mark.parametrize("name", samples.ALL)
@pytest.mark.parametrize("width", [80, 120])
def test_nothing_is_wider_than_the_terminal(name: str, width: int) -> None:
    rows = text(samples.ALL[name], width).splitlines()
    assert [row for row in rows if len(row) > width] == []


def test_the_worst_lines_are_marked_with_and_without_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = text(samples.TURN, 100, Tty())
    assert "\x1b[1;31m!!" in coloured
    assert "\x1b[33m!" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    plain = text(samples.TURN, 100, Tty())
    marked = [row for row in plain.splitlines() if row.startswith("!")]
    assert [row.split()[:3] for row in marked if "shared" in row] == [["!!", "shared", "load"]]
    assert [row.split()[:3] for row in marked if "global" in row] == [["!", "global", "store"]]
    assert "\x1b[31" not in plain and "\x1b[1;31" not in plain


def test_an_encoding_without_an_ellipsis_gets_dots() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    render(samples.TURN, Terminal(stream, width=80), samples.SOURCES)
    stream.flush()
    assert b"..." in raw.getvalue() and b"\\u2026" not in raw.getvalue()


def test_a_source_steers_no_terminal() -> None:
    sources = {"turn.cu": samples.SOURCE.replace("tile[threadIdx.y]", "\x1b[2Jtile[threadIdx.y]")}
    stream = io.StringIO()
    render(samples.TURN, Terminal(stream), sources)
    assert "\x1b" not in stream.getvalue()
    assert "\\x1b[2Jtile" in stream.getvalue()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"occupancy": 1.0}, "occupancy 100 %"),
        ({"occupancy": 0.5}, "occupancy 50 % (bounded by registers)"),
        ({"occupancy": 0.0}, "no block fits"),
        ({"spill_stores": 0, "spill_loads": 0}, "no spills"),
        ({"spill_stores": 8}, "spills of 8 bytes stored"),
        ({"registers": 1}, "1 register a thread"),
    ],
)
def test_resources(changes: dict[str, Any], words: str) -> None:
    taken: Resources = replace(samples.RESOURCES, **changes)
    kernel = replace(samples.KERNEL, resources=taken)
    assert words in text(replace(samples.TURN, kernels=(kernel,)), None)


# --- sentences ---------------------------------------------------------------------------------

STORE = LineCounters(31, "global", "store", 4, 10, 320, 160, 0, 40, 1024, "a.cu")
SHARED = LineCounters(31, "shared", "load", 4, 10, 320, 0, 80, 10, 0, "a.cu", banks=4)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            STORE,
            "line 31: a warp's 32 stores touch 16 sectors instead of 4: neighbouring threads "
            "write 1,024 bytes apart",
        ),
        (
            replace(STORE, access="load", stride=-8),
            "line 31: a warp's 32 loads touch 16 sectors instead of 4: neighbouring threads read "
            "8 bytes apart",
        ),
        (
            replace(STORE, access="atomic", stride=0),
            "line 31: a warp's 32 atomic operations touch 16 sectors instead of 4",
        ),
        (
            replace(STORE, lanes=205, stride=0),
            "line 31: a warp's stores, 20.5 at a time, touch 16 sectors instead of 4",
        ),
        (
            replace(STORE, lanes=10, stride=0, sectors=20, ideal=10),
            "line 31: a warp's 1 store touches 2 sectors instead of 1",
        ),
        (
            replace(STORE, sectors=60, stride=4),
            "line 31: a warp's 32 stores touch 6 sectors instead of 4: they do not begin at a "
            "multiple of 32 bytes",
        ),
        (
            replace(STORE, line=0, stride=0),
            "a line that is not known: a warp's 32 stores touch 16 sectors instead of 4",
        ),
        (
            SHARED,
            "line 31: a warp's 32 loads hit 4 banks, 8 lanes each: 8 wavefronts instead of 1; pad "
            "the tile by one element a row, so that they spread over the banks",
        ),
        (
            replace(SHARED, banks=1, wavefronts=320, stride=128),
            "line 31: a warp's 32 loads hit 1 bank, 32 lanes: 32 wavefronts instead of 1; "
            "neighbouring threads read 128 bytes apart; pad the tile by one element a row, so "
            "that they spread over the banks",
        ),
        (
            replace(SHARED, banks=8, wavefronts=40, stride=4),
            "line 31: a warp's 32 loads hit 8 banks, 4 lanes each: 4 wavefronts instead of 1; pad "
            "the tile by 32 bytes a row, so that they spread over the banks",
        ),
        (
            replace(SHARED, banks=8, wavefronts=40, stride=16),
            "line 31: a warp's 32 loads hit 8 banks, 4 lanes each: 4 wavefronts instead of 1; "
            "neighbouring threads read 16 bytes apart; let neighbouring threads take neighbouring "
            "elements",
        ),
        (
            replace(SHARED, banks=31, wavefronts=20),
            "line 31: a warp's 32 loads hit 31 banks, one of them with 2 lanes: 2 wavefronts "
            "instead of 1",
        ),
        (
            replace(SHARED, banks=16, wavefronts=30),
            "line 31: a warp's 32 loads hit 16 banks, up to 3 words in one: 3 wavefronts "
            "instead of 1",
        ),
        (
            replace(SHARED, banks=0),
            "line 31: a warp's 32 loads take 8 wavefronts instead of 1, because several of its "
            "words lie in one bank",
        ),
        (
            replace(SHARED, access="atomic", banks=1, wavefronts=320),
            "line 31: a warp's 32 atomic operations hit 1 bank, 32 lanes: 32 wavefronts instead "
            "of 1",
        ),
    ],
)
def test_sentences(line: LineCounters, words: str) -> None:
    assert sentence(line, {}) == words


def test_a_sentence_names_the_access_that_it_means() -> None:
    line = replace(STORE, line=14, file="turn.cu", access="load", column=56, stride=0)
    assert sentence(line, samples.SOURCES).startswith("line 14, input[y * cols + x]: ")
    assert sentence(line, {}).startswith("line 14, column 56: ")


def test_the_worst_is_measured_in_time() -> None:
    """Four sectors come in the time of one wavefront."""
    more = replace(STORE, line=32, sectors=40 + 4 * 70, ideal=40)
    less = replace(STORE, line=33, sectors=60)
    kernel = replace(samples.KERNEL, lines=(SHARED, more, less))
    assert worst(kernel) == {SHARED, more}
    assert worst(replace(samples.KERNEL, lines=())) == set()


# --- for machines ------------------------------------------------------------------------------


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", samples.ALL)
def test_json(name: str) -> None:
    found = to_json(samples.ALL[name])
    compare(f"profile_{name}.json", found)
    Draft202012Validator(SCHEMA).validate(json.loads(found))
    Draft202012Validator(closed(SCHEMA)).validate(json.loads(found))


def test_json_is_ascii_and_has_no_lone_surrogates() -> None:
    found = to_json(replace(samples.TURN, solution="\udcff\u5408.cu"))
    assert found.isascii() and "\\udcff" not in found
    assert json.loads(found)["solution"] == "\ufffd\u5408.cu"


def test_the_json_target_is_tried_before_anything_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def counted(*arguments: object) -> NoReturn:
        raise AssertionError("it was counted")

    monkeypatch.setattr("harness.commands.profile._counted", counted)
    path = tmp_path / "a.cu"
    path.write_text(samples.SOURCE)
    target = str(tmp_path / "no" / "out.json")
    assert cli.invoke(["profile", str(path), "--backend", "cpu", "--json", target]) == 2
    assert f"--json {target}: the folder" in capsys.readouterr().err


def test_the_schema_refuses_what_lacks_a_key() -> None:
    report = json.loads(to_json(samples.TURN))
    del report["kernels"][0]["lines"][0]["conflicts"]
    assert not Draft202012Validator(SCHEMA).is_valid(report)


def test_intensity_of_a_sample_is_that_of_the_whole() -> None:
    """1,024 of 3,072 blocks loaded 128 values of 16 bytes; 70 + 8 sectors moved."""
    found = intensity(samples.SAMPLED)
    assert found is not None
    assert found.requested == pytest.approx(268435456 / (3 * 128 * 16))
    assert found.moved == pytest.approx(268435456 / (3 * 78 * 32))
    assert found.most == pytest.approx(268435456 / 3145728)


def test_without_operations_there_is_no_intensity() -> None:
    assert intensity(samples.TURN) is None
    assert intensity(replace(samples.NOTHING, flops=1.0)) is not None
    assert "FLOP" not in text(samples.TURN, None)
