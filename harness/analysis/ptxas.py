"""Register spills as findings, from what ptxas said when the solution was built."""

from __future__ import annotations

from harness.build.ptxas import parse
from harness.model import Finding, Report


def findings(report: Report) -> tuple[Finding, ...]:
    """A finding for each kernel that spills registers."""
    if report.build is None:
        return ()
    return tuple(
        Finding(
            "register_spill",
            "info",
            f"kernel {r.kernel} spills {r.spill_stores} bytes a thread to local memory (it uses "
            f"{r.registers} registers): keep fewer values alive at once, or smaller tiles a thread",
            file=report.solution,
        )
        for r in parse(report.build.log)
        if r.spill_stores
    )
