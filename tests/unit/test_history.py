"""The times that are kept: what stands beside what, and files that can't be used."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import UsageError
from harness.history import Entry, History, best, changes, entry, machine
from harness.model import Baseline, Timing
from harness.report.history import render, to_json
from harness.report.terminal import Terminal
from harness.source import read_source

H200 = Entry(
    number=0,
    moment="2026-01-02 03:04:05",
    problem="matmul",
    solution="solutions/v2.cu",
    source="0123456789ab",
    sizes="M=8192 N=6144 K=4096",
    median_ms=50.0,
    mad_ms=0.1,
    samples=11,
    library="cuBLAS",
    library_ms=10.0,
    seed=1,
    device="NVIDIA H200",
    driver="runs CUDA 13.0",
    toolkit="13.0",
)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "deep" / "history.sqlite3")


def test_what_is_kept_comes_back_in_order(history: History) -> None:
    assert history.entries() == ()
    assert not history.path.exists()
    history.add([H200, replace(H200, problem="transpose", library="", library_ms=None)])
    history.add([replace(H200, median_ms=40.0)])
    assert history.entries("matmul") == (
        replace(H200, number=1),
        replace(H200, number=3, median_ms=40.0),
    )
    assert [one.number for one in history.entries()] == [1, 2, 3]
    found = history.find(2)
    assert found is not None and found.library_ms is None
    assert history.find(9) is None


def test_times_of_other_machines_and_sizes_are_not_compared() -> None:
    others = [
        replace(H200, number=2, median_ms=1.0, device="NVIDIA L4"),
        replace(H200, number=3, median_ms=1.0, toolkit="12.4"),
        replace(H200, number=4, median_ms=1.0, driver="runs CUDA 12.4"),
        replace(H200, number=5, median_ms=1.0, sizes="M=1 N=1 K=1"),
        replace(H200, number=6, median_ms=1.0, problem="other"),
    ]
    assert all(not one.alike(H200) for one in others)
    mine = replace(H200, number=7, median_ms=45.0)
    assert best([*others, mine], H200) == mine
    assert best(others, H200) is None
    # The second time of the same solution on the same machine is a change, and nothing else is.
    assert changes([H200, *others, mine]) == {7: pytest.approx(0.9)}


def test_an_entry_of_a_timing(tmp_path: Path) -> None:
    path = tmp_path / "v.cu"
    path.write_text("// a source\n")
    timing = Timing({"M": 2, "N": 3}, 4.0, 0.1, (4.0, 4.1), baseline=Baseline("cuBLAS", 1.0, 0.25))
    environment = {"device": "GPU", "driver": "580", "nvcc": "13.0 at /somewhere (by PATH)"}
    made = entry("matmul", read_source(path), timing, environment, 7)
    assert (made.sizes, made.samples, made.library_ms) == ("M=2 N=3", 2, 1.0)
    assert made.machine == machine(environment) and made.toolkit == "13.0"
    path.write_text("// another source\n")
    assert entry("matmul", read_source(path), timing, environment, 7).source != made.source


@pytest.mark.parametrize("broken", ["folder", "text", "parent"])
def test_a_file_that_cannot_be_used_is_one_line(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "history"
    if broken == "folder":
        path.mkdir()
    elif broken == "text":
        path.write_text("this is no database, only a text that is long enough\n" * 40)
    else:
        (tmp_path / "file").write_text("")
        path = tmp_path / "file" / "history"
    with pytest.raises(UsageError, match="LEETK_HISTORY names another file") as raised:
        History(path).add([H200])
    assert "\n" not in str(raised.value)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEETK_HISTORY", str(tmp_path / "h.sqlite3"))
    runner = CliRunner()
    empty = runner.invoke(cli, ["history", "matmul"])
    assert "no time of matmul was measured here yet" in empty.output
    History().add([H200, replace(H200, median_ms=25.0)])
    shown = runner.invoke(cli, ["history"])
    assert "matmul, M=8192 N=6144 K=4096" in shown.output and "-50.0 %" in shown.output
    told = json.loads(runner.invoke(cli, ["history", "--json"]).output)
    assert [one["change"] for one in told] == [None, 0.5]
    assert runner.invoke(cli, ["history", "--last", "1"]).output.count("v2.cu") == 1


def test_machines_stand_by_themselves() -> None:
    entries = (replace(H200, number=1), replace(H200, number=2, device="NVIDIA L4"))
    stream = io.StringIO()
    render(entries, changes(entries), Terminal(stream))
    assert stream.getvalue().count("matmul, M=8192") == 2
    assert "0.20 of cuBLAS" in stream.getvalue()
    assert json.loads(to_json(entries, {}))[1]["device"] == "NVIDIA L4"
