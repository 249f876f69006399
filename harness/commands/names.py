"""What ``[PROBLEM] SOLUTION`` on a command line names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.model import Finding, Problem, Source


def named_targets(
    targets: Sequence[str], command: str = "run"
) -> tuple[Problem, Source, Finding | None]:
    """The problem, the source, and a warning when the file names another problem, of ``[PROBLEM]
    SOLUTION``. Raises UsageError with what to type."""
    from harness.catalog import dangling, find_problem
    from harness.model import Finding
    from harness.source import read_source
    from harness.source.directives import directives

    if len(targets) > 2:
        raise UsageError(
            f"{command} takes PROBLEM and SOLUTION, not {len(targets)} names; "
            "leetk check judges many solutions"
        )
    if len(targets) == 2 and _looks_like_source(targets[0]) and not _looks_like_source(targets[1]):
        raise UsageError(f"the problem comes first: leetk {command} {targets[1]} {targets[0]}")
    if len(targets) == 1 and not _looks_like_source(targets[0]) and not Path(targets[0]).exists():
        raise UsageError(
            f"there is no file {targets[0]!r}; to judge a solution of the problem "
            f"{targets[0]!r}: leetk {command} {targets[0]} SOLUTION.cu"
        )
    problem = find_problem(targets[0]) if len(targets) == 2 else None
    if broken := dangling(Path(targets[-1])):
        raise UsageError(f"{targets[-1]}: {broken}")
    source = read_source(Path(targets[-1]))
    named = directives(source.text, str(source.path)).problem
    if problem is None:
        if not named:
            raise UsageError(
                f"{source.path} does not name its problem: leetk {command} PROBLEM {source.path}, "
                "or write '// leetk: problem NAME' near its top"
            )
        return find_problem(named), source, None
    if named and named != problem.name:
        text = f"its directive names the problem {named}; judged against {problem.name} as asked"
        return problem, source, Finding("directive", "warning", text, str(source.path))
    return problem, source, None


def _looks_like_source(name: str) -> bool:
    return Path(name).suffix.lower() in (".cu", ".cuh", ".cpp", ".cc", ".c")
