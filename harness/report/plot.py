"""A ``Contest`` as a picture (SVG): a bar for each solution, with the library's and the limit's
lines; and, where operations are counted, each solution on the roofline.

matplotlib draws; it is asked for by name, since only this needs it.
"""

from __future__ import annotations

import io
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import ToolchainMissing
from harness.report.figures import traffic

if TYPE_CHECKING:
    from harness.contest import Contest, Standing
    from harness.model import Timing

_BAR, _LIBRARY, _LIMIT = "#4c72b0", "#c44e52", "#555555"


def svg(contest: Contest) -> str:
    """The picture. Raises ToolchainMissing without matplotlib."""
    try:
        matplotlib: Any = import_module("matplotlib")
        figure_module: Any = import_module("matplotlib.figure")
        import_module("matplotlib.backends.backend_svg")
    except ImportError as error:
        raise ToolchainMissing(
            f'--plot needs matplotlib ({error}): pip install "leetk[plot]"'
        ) from error
    # Text as text, and the same file for the same figures.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "leetk"}):
        points = _points(contest)
        figure = figure_module.Figure(figsize=(11 if points else 7, 4.5), layout="constrained")
        axes = figure.subplots(1, 2 if points else 1, squeeze=False)[0]
        _bars(axes[0], contest)
        if points:
            _roofline(axes[1], contest, points)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": "leetk"})
    return stream.getvalue()


def _bars(axes: Any, contest: Contest) -> None:
    """Speeds on a GPU; without one the sectors that were moved, of which fewer are better."""
    shown = [(s, value) for s in contest.standings if (value := _value(contest, s)) is not None]
    names = [Path(standing.solution).name for standing, _ in shown]
    axes.barh(range(len(shown)), [value for _, value in shown], color=_BAR)
    axes.set_yticks(range(len(shown)), names)
    axes.invert_yaxis()
    axes.set_xlabel(_unit(contest))
    axes.set_title(f"{contest.problem}, {contest.environment.get('device', contest.backend)}")
    for label, value, colour in _lines(contest):
        axes.axvline(value, color=colour, linestyle="--", label=label)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="lower right")


def _value(contest: Contest, standing: Standing) -> float | None:
    if not contest.timed:
        profile = standing.profile
        return None if profile is None else traffic(profile).moved / 2**20
    return None if standing.timing is None else _rate(standing.timing)


def _rate(timing: Timing) -> float | None:
    return timing.gflops if timing.gflops is not None else timing.gbps


def _unit(contest: Contest) -> str:
    if not contest.timed:
        return "MiB moved in whole sectors (less is better)"
    counted = any(s.timing is not None and s.timing.gflops is not None for s in contest.standings)
    return "GFLOP/s" if counted else "GB/s"


def _lines(contest: Contest) -> list[tuple[str, float, str]]:
    """The library's speed and the limit's, by any solution's figures."""
    found: dict[str, tuple[str, float, str]] = {}
    for standing in contest.standings:
        timing = standing.timing
        rate = None if timing is None else _rate(timing)
        if timing is None or rate is None:
            continue
        if timing.baseline is not None and timing.baseline.ratio > 0:
            name = timing.baseline.name
            found["library"] = (name, rate / timing.baseline.ratio, _LIBRARY)
        if timing.peak_fraction:
            found["limit"] = (f"{timing.bound} limit", rate / timing.peak_fraction, _LIMIT)
    return list(found.values())


def _points(contest: Contest) -> list[tuple[str, float, float]]:
    """Name, FLOP a byte of the traffic that was counted, and GFLOP/s."""
    return [
        (Path(s.solution).name, s.profile.flops / moved, s.timing.gflops)
        for s in contest.standings
        if s.timing is not None and s.timing.gflops is not None
        if s.profile is not None and s.profile.flops and (moved := traffic(s.profile).moved)
    ]


def _roofline(axes: Any, contest: Contest, points: list[tuple[str, float, float]]) -> None:
    for name, intensity, rate in points:
        axes.plot(intensity, rate, "o", color=_BAR)
        axes.annotate(name, (intensity, rate), textcoords="offset points", xytext=(5, 4))
    for label, value, colour in _lines(contest):
        axes.axhline(value, color=colour, linestyle="--", label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("FLOP a byte between multiprocessors and L1, at the counted size")
    axes.set_ylabel("GFLOP/s")
    axes.set_title("roofline")
