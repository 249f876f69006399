"""Every error that leetk raises on purpose.

    LeetkError                    one clear line for the user; ``exit_code`` says how to leave
    ├── UsageError                a bad flag, path or name                              exit 2
    │   └── SourceError           a solution file that cannot be read as text           exit 2
    ├── SpecError                 a problem spec that is not right, with file:line      exit 2
    ├── ReferenceFault            a spec's reference failed or gave NaN: judge_error    exit 3
    ├── JudgeError                the judge itself failed, never the submission         exit 3
    ├── ToolchainMissing          no compiler or device for the asked backend           exit 4
    ├── Refused                   a CUDA feature that the backend does not have         exit 4
    ├── SolutionFailed            solve doesn't end well where no verdict is asked for  exit 1
    ├── NothingSelected           no solution below the given paths                     exit 5
    └── CompileFailed             the submission does not build: verdict compile_error  exit 1

A message is one line: what is wrong, where (file:line), what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.model import Diagnostic


class LeetkError(Exception):
    """Base of all deliberate errors. ``str(error)`` is one line fit for a user."""

    exit_code = 3


class UsageError(LeetkError):
    """A flag, path or name that cannot be used."""

    exit_code = 2


class SourceError(UsageError):
    """A solution file that is missing, empty, a directory, or not text."""


class SpecError(LeetkError):
    """A problem spec that is not right. The message begins with ``file:line:``."""

    exit_code = 2


class ReferenceFault(LeetkError):
    """The spec's reference raised, or gave a NaN or a wrong shape: never the submission's fault."""

    exit_code = 3


class JudgeError(LeetkError):
    """The judge itself failed."""

    exit_code = 3


class ToolchainMissing(LeetkError):
    """No compiler or no device for the asked backend; the message names the remedy."""

    exit_code = 4


class Refused(LeetkError):
    """The source uses a CUDA feature that this backend does not have.

    ``feature`` is CUDA's own name for it, ``line`` (from 1) where it first stands, ``remedy``
    what to do instead, ``why`` what is wrong with it.
    """

    exit_code = 4

    def __init__(
        self, feature: str, file: str, line: int, remedy: str, why: str = "is not supported here"
    ) -> None:
        super().__init__(f"{file}:{line}: {feature} {why}; {remedy}")
        self.feature = feature
        self.file = file
        self.line = line
        self.remedy = remedy


class SolutionFailed(LeetkError):
    """A call of ``solve`` that does not come to a good end, where no verdict is asked for."""

    exit_code = 1


class NothingSelected(LeetkError):
    """``check`` found no solution with a directive."""

    exit_code = 5


class CompileFailed(LeetkError):
    """The submission does not build.

    ``diagnostics`` hold what the compiler said, ``command`` the command line, ``seconds`` the
    time it took.
    """

    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        diagnostics: Sequence[Diagnostic] = (),
        command: Sequence[str] = (),
        seconds: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)
        self.command = tuple(command)
        self.seconds = seconds
