"""A ``Contest`` for people: one table, as text and as Markdown.

On a GPU the table holds times and what they are compared with; without one the memory traffic that
was counted, since a CPU's time says nothing about a GPU's. Registers, spills, shared memory and
occupancy are those of the kernel with the most accesses to memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness import stats
from harness.model import Verdict
from harness.report import text as words
from harness.report.figures import ACCESSES, total, traffic

if TYPE_CHECKING:
    from harness.contest import Compiled, Contest, Ratio, Standing
    from harness.counters import Profile, Resources
    from harness.report.terminal import Terminal

_NONE = "-"

Column = tuple[str, "Callable[[Contest, Standing], str]"]


def render(contest: Contest, out: Terminal) -> None:
    """Write the table, what kept solutions out of it, and how to read it."""
    out.line((f"{contest.problem}, {contest.backend} backend", "bold"), _where(contest))
    out.blank()
    head, rows = table(contest)
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for number, row in enumerate((head, *rows)):
        style = "" if number else "bold"
        cells = tuple(
            (f"{cell:<{width}}" if index == 0 else f"{cell:>{width}}", style)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        out.row(cells, widths)
    out.blank()
    for standing in contest.standings:
        if standing.reason:
            verdict = standing.verdict.value
            out.labelled(f"{standing.solution}: {verdict}", words.one_line(standing.reason))
        elif standing.no_profile:
            out.prose(f"{standing.solution}: not counted: {words.one_line(standing.no_profile)}")
    for sentence in legend(contest):
        out.prose(sentence, style="dim")


def table(contest: Contest) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The head and a row for each solution; columns in which nobody has anything are left out."""
    columns = (*(_TIMED if contest.timed else _COUNTED), *_TAKEN)
    head = tuple(name for name, _ in columns)
    rows = [tuple(cell(contest, standing) for _, cell in columns) for standing in contest.standings]
    kept = [
        index for index in range(len(head)) if index == 0 or any(r[index] != _NONE for r in rows)
    ]
    return tuple(head[i] for i in kept), [tuple(row[i] for i in kept) for row in rows]


def markdown(contest: Contest) -> str:
    """The table, with what it was measured on below it."""
    head, rows = table(contest)
    lines = [_bar(head), _bar(["---", *["---:"] * (len(head) - 1)]), *map(_bar, rows)]
    device = contest.environment.get("device", contest.backend)
    return "\n".join([*lines, "", f"{device}{_where(contest)}."]) + "\n"


def legend(contest: Contest) -> tuple[str, ...]:
    """How the columns are to be read."""
    if not contest.timed:
        return (
            f"counted by the cpu backend at {words.sizes(contest.counted_sizes)}; no GPU time is "
            "claimed. sectors: of 32 bytes, of all global accesses; wavefronts: of shared memory; "
            "needed: what the requests need at least.",
        )
    return (
        "time: the median of all samples, ± its relative median absolute deviation. to the first: "
        f"time over the first solution's, the median of {contest.rounds} rounds in which all were "
        "timed in turn, and the interval that holds it with 99 %. SAME: within "
        f"{stats.SAME_WITHIN:.0%}".replace("%", " %")
        + ".",
    )


def _where(contest: Contest) -> str:
    sizes = words.sizes(contest.sizes if contest.timed else contest.counted_sizes)
    return f", {sizes}" if sizes else ""


def _bar(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


# --- cells -------------------------------------------------------------------------------------


def _name(contest: Contest, standing: Standing) -> str:
    """As short as it can be told from the others."""
    names = [Path(other.solution).name for other in contest.standings]
    name = Path(standing.solution).name
    return name if names.count(name) == 1 else standing.solution


def _time(contest: Contest, standing: Standing) -> str:
    timing = standing.timing
    if timing is None:
        return standing.verdict.value if standing.verdict is not Verdict.ACCEPTED else _NONE
    share = timing.mad_ms / timing.median_ms if timing.median_ms else 0.0
    return f"{words.milliseconds(timing.median_ms)} ±{100 * share:.2g} %"


def _ratio(contest: Contest, standing: Standing) -> str:
    ratio = standing.ratio
    return _NONE if ratio is None else f"{ratio.median:.3f} [{ratio.low:.3f}, {ratio.high:.3f}]"


def _difference(contest: Contest, standing: Standing) -> str:
    ratio: Ratio | None = standing.ratio
    return _NONE if ratio is None else ratio.difference.value


def _rate(contest: Contest, standing: Standing) -> str:
    timing = standing.timing
    if timing is None:
        return _NONE
    if timing.gflops is not None:
        return f"{timing.gflops:,.0f} GFLOP/s"
    return _NONE if timing.gbps is None else f"{timing.gbps:,.0f} GB/s"


def _library(contest: Contest, standing: Standing) -> str:
    timing = standing.timing
    if timing is None or timing.baseline is None:
        return _NONE
    return f"{timing.baseline.ratio:.2f} of {timing.baseline.name}"


def _reference(contest: Contest, standing: Standing) -> str:
    """How much longer than the earlier time."""
    timing, reference = standing.timing, contest.reference
    if timing is None or reference is None or reference.median_ms <= 0:
        return _NONE
    return f"{timing.median_ms / reference.median_ms:.3f} of {reference.name}"


def _limit(contest: Contest, standing: Standing) -> str:
    timing = standing.timing
    if timing is None or timing.peak_fraction is None:
        return _NONE
    return f"{timing.peak_fraction:.2f}"


def _verdict(contest: Contest, standing: Standing) -> str:
    return standing.verdict.value


def _of_profile(figure: Callable[[Profile], str]) -> Callable[[Contest, Standing], str]:
    def cell(contest: Contest, standing: Standing) -> str:
        return _NONE if standing.profile is None else figure(standing.profile)

    return cell


def _scaled(profile: Profile, space: str, field: str) -> int:
    """Summed over kernels and kinds of access; a sample stands for all blocks."""
    figures: list[float] = [
        getattr(total(kernel, space, access), field)
        * (kernel.blocks / kernel.traced if kernel.traced else 1)
        for kernel in profile.kernels
        for access in ACCESSES
    ]
    return round(sum(figures))


def _figure(space: str, field: str) -> Callable[[Contest, Standing], str]:
    return _of_profile(lambda profile: f"{_scaled(profile, space, field):,}")


def _moved(profile: Profile) -> str:
    """Times what a call has to move."""
    if not profile.bytes:
        return _NONE
    return f"{traffic(profile).moved / profile.bytes:.2f}"


def _taken(
    figure: Callable[[Resources], str], most: Callable[[Compiled], int] | None = None
) -> Callable[[Contest, Standing], str]:
    """``most``: of any kernel, where it is not known which one the figure is asked of."""

    def cell(contest: Contest, standing: Standing) -> str:
        taken = _busiest(standing)
        if taken is not None:
            return figure(taken)
        if standing.compiled is None or most is None:
            return _NONE
        value = most(standing.compiled)
        return f"up to {value}" if value else "0"

    return cell


def _busiest(standing: Standing) -> Resources | None:
    if standing.profile is None or not standing.profile.kernels:
        return None
    kernels = standing.profile.kernels
    return max(kernels, key=lambda kernel: sum(line.requests for line in kernel.lines)).resources


_TIMED: tuple[Column, ...] = (
    ("solution", _name),
    ("time", _time),
    ("rate", _rate),
    ("to the first", _ratio),
    ("", _difference),
    ("library", _library),
    ("of the limit", _limit),
    ("to an earlier time", _reference),
)
_COUNTED: tuple[Column, ...] = (
    ("solution", _name),
    ("verdict", _verdict),
    ("sectors", _figure("global", "sectors")),
    ("needed", _figure("global", "ideal")),
    ("of the least bytes", _of_profile(_moved)),
    ("wavefronts", _figure("shared", "wavefronts")),
    ("conflicts", _figure("shared", "conflicts")),
)
_TAKEN: tuple[Column, ...] = (
    ("registers", _taken(lambda taken: f"{taken.registers}", lambda most: most.registers)),
    (
        "spills",
        _taken(lambda taken: f"{taken.spill_stores + taken.spill_loads}", lambda most: most.spills),
    ),
    ("shared memory", _taken(lambda taken: f"{taken.shared:,}")),
    ("occupancy", _taken(lambda taken: f"{100 * taken.occupancy:.0f} %")),
)
