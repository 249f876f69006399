"""The figures of the classic notes (docs/profile.md): each comes out of the command that is named
there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from harness import cli

REPOSITORY = Path(__file__).parents[2]
DOCUMENT = (REPOSITORY / "docs" / "profile.md").read_text(encoding="utf-8")

ON_256 = "--size rows=256 --size cols=256"
TRANSPOSE = f"leetk profile transpose {{}} {ON_256}"
TILE_OF_16 = TRANSPOSE.format("solutions/transpose_v3.cu")
PADDED_16 = TRANSPOSE.format("solutions/transpose_v4.cu")

# What must stand in one line of the output, in this order; blanks are as many as they may be.
FIGURES: dict[str, tuple[str, ...]] = {
    TRANSPOSE.format("solutions/transpose_v1.cu"): (
        "global store 2,048 16 4 32",
        "a warp's 32 stores touch 16 sectors instead of 4",
        "global stores 2,048 32,768 8,192 262,144 1,048,576",
    ),
    TILE_OF_16: (
        "a warp's 32 loads hit 4 banks, 8 lanes each: 8 wavefronts instead of 1",
        "shared loads 2,048 16,384 2,048 14,336",
        "shared stores 2,048 2,048 2,048 0",
    ),
    PADDED_16: (
        "a warp's 32 loads hit 31 banks, one of them with 2 lanes: 2 wavefronts instead of 1",
        "shared loads 2,048 4,096 2,048 2,048",
        "shared stores 2,048 4,096 2,048 2,048",
    ),
    TRANSPOSE.format("tests/counters/shared_column.cu"): (
        "a warp's 32 loads hit 1 bank, 32 lanes: 32 wavefronts instead of 1",
        "shared loads 2,048 65,536 2,048 63,488",
    ),
    TRANSPOSE.format("tests/judged/transpose/accepted/tile_of_32_by_8.cu"): (
        "shared loads 2,048 2,048 2,048 0",
        "shared stores 2,048 2,048 2,048 0",
    ),
    "leetk show matmul": (
        "412,316,860,416 FLOP",
        "A 192 MiB, B 96 MiB and C 128 MiB, together 416 MiB",
    ),
    "leetk profile matmul solutions/v2.cu --size M=16 --size N=16 --size K=16": (
        "arithmetic intensity of 8,192 FLOP",
        "4 FLOP/byte global loads ask for 512 values, 2,048 bytes",
    ),
    "leetk profile matmul solutions/v3.cu --size M=16 --size N=16 --size K=64": (
        "arithmetic intensity of 32,768 FLOP",
        "6.4 FLOP/byte global loads ask for 1,280 values, 5,120 bytes",
    ),
}


def output(command: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What ``leetk ...`` prints, by lines with single blanks."""
    _, *words = shlex.split(command)
    backend = ["--backend", "cpu"] if words[0] == "profile" else []
    assert cli.invoke([*words, *backend]) == 0
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.compiler
@pytest.mark.parametrize("command", FIGURES)
def test_a_command_shows_its_figures(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(REPOSITORY)
    lines = output(command, capsys)
    for figure in FIGURES[command]:
        assert any(figure in line for line in lines), (figure, lines)


def test_the_document_names_these_commands() -> None:
    section = DOCUMENT.partition("## Figures of the classic notes")[2]
    assert set(re.findall(r"`(leetk [^`]+)`", section)) == set(FIGURES)
