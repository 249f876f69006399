"""How ``leetk show --prove`` shows a ``Proof``: a table for people, JSON for machines.

The JSON's keys stay within a ``schema_version``::

    {"schema_version": 1, "problem", "seed", "holds",
     "cases": {"example", "test", "fuzz"},              how many were planned
     "left_out": null | {"sizes": {...}},                the perf case
     "faults": ["..."],                                  what is wrong with the spec; empty if holds
     "rows": [{"output", "wrong", "about",
               "kinds": {"example": {"rejected", "passed", "skipped"}, "test", "fuzz"},
               "passed": ["1x1x1"],                      the cases that let it pass
               "skipped": {"why": 3}, "fault": ""}]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.judge.prove import KINDS, Count, Proof, Row
from harness.model import CaseKind
from harness.report.json import Json, dumps
from harness.report.text import first_of, joined, plural, sizes

if TYPE_CHECKING:
    from harness.report.terminal import Part, Terminal

SCHEMA_VERSION = 1
_KINDS = {CaseKind.EXAMPLE: "example", CaseKind.TEST: "test", CaseKind.FUZZ: "fuzzed shape"}
_PASSED = 2  # cases that are named


def render(proof: Proof, out: Terminal) -> None:
    """The table, and then what is wrong with the spec."""
    cases = joined([plural(proof.cases[kind], _KINDS[kind]) for kind in KINDS])
    out.line((proof.problem, "bold"), f": wrong outputs held against the spec  (seed {proof.seed})")
    out.prose(f"in {cases}; how many of those where it is wrong reject each:")
    out.table(_rows(proof, out), indent=2)
    if proof.perf is not None:
        out.line(f"perf case left out: {sizes(proof.perf)}")
    for fault in proof.faults:
        out.labelled(out.symbols.bad, fault, style="bold red")
    if proof.holds:
        count = sum(row.judged > 0 for row in proof.rows)
        out.line((out.symbols.good, "green"), f" each of {plural(count, 'wrong output')} fails")


def _rows(proof: Proof, out: Terminal) -> list[tuple[Part, ...]]:
    several = len({row.output for row in proof.rows}) > 1
    heads = ["examples", "tests", "fuzzed", "", ""]
    rows: list[tuple[Part, ...]] = [("", "", *((head, "bold") for head in heads))]
    for row in proof.rows:
        mark, style = _mark(row, out)
        name = f"{row.output} {row.wrong}" if several else row.wrong
        counts = (_share(row.kinds[kind]) for kind in KINDS)
        rows.append(((mark, style), name, *counts, row.about, _note(row)))
    return rows


def _mark(row: Row, out: Terminal) -> tuple[str, str]:
    if row.fault:
        return out.symbols.bad, "red"
    if not row.judged:
        return out.symbols.skipped, "yellow"
    return out.symbols.good, "green"


def _share(count: Count) -> str:
    return f"{count.rejected} of {count.judged}" if count.judged else ""


def _note(row: Row) -> str:
    notes = [f"{count} skipped: {why}" for why, count in row.skipped.items()]
    if row.passed and not row.fault:
        notes.insert(0, f"passes in {first_of(row.passed, _PASSED)}")
    return "; ".join(notes)


def to_json(proof: Proof) -> str:
    return dumps(
        {
            "schema_version": SCHEMA_VERSION,
            "problem": proof.problem,
            "seed": proof.seed,
            "holds": proof.holds,
            "cases": {kind.value: proof.cases[kind] for kind in KINDS},
            "left_out": None if proof.perf is None else {"sizes": dict(proof.perf)},
            "faults": list(proof.faults),
            "rows": [_row_json(row) for row in proof.rows],
        }
    )


def _row_json(row: Row) -> dict[str, Json]:
    return {
        "output": row.output,
        "wrong": row.wrong,
        "about": row.about,
        "kinds": {kind.value: _count_json(row.kinds[kind]) for kind in KINDS},
        "passed": list(row.passed),
        "skipped": dict(row.skipped),
        "fault": row.fault,
    }


def _count_json(count: Count) -> dict[str, Json]:
    return {"rejected": count.rejected, "passed": count.passed, "skipped": count.skipped}
