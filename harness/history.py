"""The times that were measured here, kept so that later ones can be held against them.

One SQLite file in the user's data folder (``$LEETK_HISTORY`` names another). A row says what was
measured (problem, sizes, the source by its hash) and on what (GPU, driver, toolkit): times of
different machines stand in it side by side and are never compared with each other. A file that
can't be used costs the history, never a verdict.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, fields
from datetime import datetime, timezone
from pathlib import Path

from harness.errors import UsageError
from harness.model import Source, Timing

VARIABLE = "LEETK_HISTORY"
_BUSY_SECONDS = 5.0
_TABLE = """
create table if not exists times (
    number integer primary key,
    moment text not null,
    problem text not null,
    solution text not null,
    source text not null,
    sizes text not null,
    median_ms real not null,
    mad_ms real not null,
    samples integer not null,
    library text not null,
    library_ms real,
    seed integer not null,
    device text not null,
    driver text not null,
    toolkit text not null,
    clocks text not null
)
"""


@dataclass(frozen=True)
class Machine:
    """What a time depends on beside the source. ``toolkit`` is nvcc's release."""

    device: str
    driver: str
    toolkit: str

    def __str__(self) -> str:
        return ", ".join(part for part in (self.device, self.driver, self.toolkit) if part)


@dataclass(frozen=True)
class Entry:
    """One measured time. ``number`` names it (0: not kept yet); ``moment`` is UTC; ``source`` the
    first digits of the source's SHA-256; ``sizes`` such as ``M=8192 N=6144``; ``library_ms`` None
    without a library; ``clocks`` as they were observed, such as ``1980 MHz``."""

    number: int
    moment: str
    problem: str
    solution: str
    source: str
    sizes: str
    median_ms: float
    mad_ms: float
    samples: int
    library: str
    library_ms: float | None
    seed: int
    device: str
    driver: str
    toolkit: str
    clocks: str = ""

    @property
    def machine(self) -> Machine:
        return Machine(self.device, self.driver, self.toolkit)

    def alike(self, other: Entry) -> bool:
        """Whether the two times may be compared."""
        mine = (self.problem, self.sizes, self.machine)
        return mine == (other.problem, other.sizes, other.machine)


def machine(environment: Mapping[str, str]) -> Machine:
    """Of a backend's facts."""
    return Machine(
        environment.get("device", ""),
        environment.get("driver", ""),
        environment.get("nvcc", "").partition(" at ")[0],
    )


def entry(
    problem: str, source: Source, timing: Timing, environment: Mapping[str, str], seed: int
) -> Entry:
    """What is to be kept of a timing, measured now."""
    here, library = machine(environment), timing.baseline
    return Entry(
        number=0,
        moment=datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S"),
        problem=problem,
        solution=str(source.path),
        source=hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()[:12],
        sizes=" ".join(f"{name}={value}" for name, value in timing.sizes.items()),
        median_ms=timing.median_ms,
        mad_ms=timing.mad_ms,
        samples=len(timing.samples_ms),
        library=library.name if library else "",
        library_ms=library.median_ms if library else None,
        seed=seed,
        device=here.device,
        driver=here.driver,
        toolkit=here.toolkit,
        clocks=timing.clocks,
    )


class History:
    """The file. Its methods raise UsageError where it can't be used."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path if path is not None else default_path()

    def add(self, entries: Sequence[Entry]) -> None:
        """Keep these."""
        names = [field.name for field in fields(Entry)][1:]
        marks = ", ".join("?" for _ in names)
        with self._open(writing=True) as base:
            base.executemany(
                f"insert into times ({', '.join(names)}) values ({marks})",
                [astuple(one)[1:] for one in entries],
            )

    def entries(self, problem: str = "") -> tuple[Entry, ...]:
        """All, or a problem's, the oldest first."""
        asked = "where problem = ?" if problem else ""
        with self._open() as base:
            rows = base.execute(
                f"select * from times {asked} order by number", (problem,) if problem else ()
            ).fetchall()
        return tuple(Entry(*row) for row in rows)

    def find(self, number: int) -> Entry | None:
        """The one of this number."""
        return next((one for one in self.entries() if one.number == number), None)

    @contextmanager
    def _open(self, *, writing: bool = False) -> Iterator[sqlite3.Connection]:
        try:
            if writing:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            elif not self.path.exists():
                with closing(sqlite3.connect(":memory:")) as base:
                    base.execute(_TABLE)
                    yield base
                return
            with closing(sqlite3.connect(self.path, timeout=_BUSY_SECONDS)) as base, base:
                base.execute(_TABLE)
                yield base
        except (OSError, sqlite3.Error) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise UsageError(
                f"the history {self.path} can't be used: {why}; {VARIABLE} names another file"
            ) from error


def default_path() -> Path:
    """``$LEETK_HISTORY``, else in the user's data folder."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("leetk") / "history.sqlite3"


def best(entries: Sequence[Entry], like: Entry) -> Entry | None:
    """The fastest that may be compared with ``like``."""
    return min(
        (one for one in entries if one.alike(like)), key=lambda one: one.median_ms, default=None
    )


def changes(entries: Sequence[Entry]) -> dict[int, float]:
    """By number: the time over that of the same solution before it on the same machine."""
    found: dict[int, float] = {}
    before: dict[str, Entry] = {}
    for one in entries:
        key = json.dumps([one.problem, one.solution, one.sizes, *astuple(one.machine)])
        if key in before and before[key].median_ms > 0:
            found[one.number] = one.median_ms / before[key].median_ms
        before[key] = one
    return found
