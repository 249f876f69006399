"""The frozen dataclasses that travel between modules, and the two enums that users see.

Nothing here computes more than a property. numpy is named for types alone, so that importing this
module stays cheap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.expr import Expr
from harness.wire import RunReply, RuntimeReport

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.generic]


class Verdict(str, Enum):
    """What the judge says of a case or a submission, worst first."""

    JUDGE_ERROR = "judge_error"
    COMPILE_ERROR = "compile_error"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    RUNTIME_ERROR = "runtime_error"
    OUT_OF_BOUNDS = "out_of_bounds"
    INPUT_MODIFIED = "input_modified"
    OUTPUT_NOT_WRITTEN = "output_not_written"
    NONDETERMINISTIC = "nondeterministic"
    WRONG_ANSWER = "wrong_answer"
    SUSPICIOUS_TIMING = "suspicious_timing"
    ACCEPTED = "accepted"
    SKIPPED = "skipped"

    @property
    def severity(self) -> int:
        """0 is the worst."""
        return list(Verdict).index(self)

    @staticmethod
    def worst(verdicts: Iterable[Verdict]) -> Verdict:
        """The verdict that decides; ``skipped`` only when there is nothing else."""
        return min(verdicts, key=lambda v: v.severity, default=Verdict.SKIPPED)


class ExitCode(IntEnum):
    """How the process leaves."""

    OK = 0
    NOT_ACCEPTED = 1
    USAGE = 2
    JUDGE_ERROR = 3
    UNAVAILABLE = 4
    NOTHING_SELECTED = 5
    INTERRUPTED = 130


class Role(str, Enum):
    """What an argument of ``solve`` is for."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"
    SIZE = "size"
    SCALAR = "scalar"

    @property
    def is_array(self) -> bool:
        return self in (Role.IN, Role.OUT, Role.INOUT)


class CaseKind(str, Enum):
    EXAMPLE = "example"
    TEST = "test"
    FUZZ = "fuzz"
    PERF = "perf"


# --- the problem -----------------------------------------------------------------------------


@dataclass(frozen=True)
class DataRule:
    """How an input is filled. ``kind``: uniform, normal, integers, constant, arange, permutation,
    or python; ``params`` are its numbers, e.g. ``(-10.0, 10.0)``; ``function`` is
    ``file.py:name`` for python."""

    kind: str
    params: tuple[float, ...] = ()
    function: str = ""


@dataclass(frozen=True)
class Argument:
    """One C parameter of ``solve``. Arrays have a ``shape``; a scalar has a ``value`` or ``data``.

    ``type`` is a numpy name: bool, int8, int16, int32, int64, uint8, float16, float32, float64.
    """

    name: str
    type: str
    role: Role
    shape: tuple[Expr, ...] = ()
    data: DataRule | None = None
    value: float | int | bool | None = None


@dataclass(frozen=True)
class Reference:
    """Where right answers come from: an einsum over the inputs, or ``file.py:function``.
    ``directory`` is the spec's folder."""

    einsum: str = ""
    python: str = ""
    directory: Path = Path()


@dataclass(frozen=True)
class Tolerance:
    """``|got - ref| <= atol + rtol*|ref|``, plus a rounding term that grows with the number of
    summed terms where ``reduction`` gives that number. All zero: exact."""

    atol: float
    rtol: float
    reduction: Expr | None = None


@dataclass(frozen=True)
class Example:
    """A worked example, arrays by argument name; ``sizes`` were read off the arrays."""

    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]
    sizes: Mapping[str, int]


@dataclass(frozen=True)
class Perf:
    """The timed case. ``flops`` and ``bytes`` are counts for one call; ``baseline`` is "matmul"
    (cuBLAS), "copy" (device to device) or empty."""

    sizes: Mapping[str, int]
    flops: Expr | None = None
    bytes: Expr | None = None
    baseline: str = ""


@dataclass(frozen=True)
class Problem:
    """A problem, validated."""

    name: str
    title: str
    statement: str
    sizes: Mapping[str, tuple[int, int]]
    arguments: tuple[Argument, ...]
    reference: Reference
    tolerance: Tolerance
    examples: tuple[Example, ...]
    tests: tuple[Mapping[str, int], ...]
    perf: Perf | None
    path: Path
    extreme_data: bool | None = None  # harness/cases/kinds.py; None: as the problem allows

    @property
    def arrays(self) -> tuple[Argument, ...]:
        return tuple(a for a in self.arguments if a.role.is_array)

    @property
    def outputs(self) -> tuple[Argument, ...]:
        return tuple(a for a in self.arguments if a.role in (Role.OUT, Role.INOUT))

    @property
    def inputs(self) -> tuple[Argument, ...]:
        return tuple(a for a in self.arguments if a.role in (Role.IN, Role.INOUT))


@dataclass(frozen=True)
class Case:
    """One set of sizes to judge. ``seed`` alone decides its data; ``example`` indexes
    ``Problem.examples`` for an example. ``work`` estimates the arithmetic (spec's flops, else the
    number of elements). ``data`` is a kind of harness/cases/kinds.py, "" for the spec's own rule.
    ``once``: the backend's first way of calling it is enough. ``again``: the kinds of data of which
    to call it, too."""

    name: str
    kind: CaseKind
    sizes: Mapping[str, int]
    seed: int = 0
    example: int | None = None
    work: float = 0.0
    data: str = ""
    once: bool = False
    again: tuple[str, ...] = ()


@dataclass(frozen=True)
class CaseData:
    """A case's arrays. ``inputs`` by argument name (in and inout); ``scalars`` by name;
    ``expected`` by output name in float64 (or integers); ``slack`` by output name: the allowed
    absolute error of each element beyond atol and rtol, broadcastable to ``expected``.
    ``signed_zeros``: -0.0 is not 0.0."""

    inputs: Mapping[str, Array]
    scalars: Mapping[str, int | float | bool]
    expected: Mapping[str, Array]
    slack: Mapping[str, Array]
    signed_zeros: bool = False


# --- the submission --------------------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """A solution file as read. ``text`` has no BOM and keeps its line ends; ``warnings`` are
    findings about the file itself."""

    path: Path
    text: str
    warnings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Diagnostic:
    """One message of a compiler. ``line`` and ``column`` count from 1, 0 when unknown."""

    file: str
    line: int
    column: int
    severity: str  # error, warning, note
    message: str
    source_line: str = ""


@dataclass(frozen=True)
class BuildOptions:
    """What the user may choose about a build. ``nvcc``: a path or empty; ``arch``: such as
    ``sm_90``, empty for the device's. ``traced``: for the counters of ``leetk profile``;
    ``checked``: for ``RunOptions.checked``."""

    nvcc: str = ""
    arch: str = ""
    fast_math: bool = False
    seconds: float = 120.0
    use_cache: bool = True
    traced: bool = False
    checked: bool = False


@dataclass(frozen=True)
class Artifact:
    """A built library. ``command`` is what was run (or would have been, from the cache); ``log``
    what the compiler said of resources, for ``harness.analysis``."""

    library: Path
    command: tuple[str, ...]
    seconds: float
    cached: bool
    diagnostics: tuple[Diagnostic, ...] = ()
    log: str = ""


@dataclass(frozen=True)
class Finding:
    """Something suspected or worth saying that does not decide a verdict (without --strict).
    ``severity``: info, warning, error. ``case`` names the case in which a check saw it; the same
    is one finding in whatever case it is seen."""

    kind: str
    severity: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    case: str = field(default="", compare=False)


# --- what happened ---------------------------------------------------------------------------


class Status(str, Enum):
    """How one call in a worker ended."""

    COMPLETED = "completed"
    LOAD_FAILED = "load_failed"
    SIGNALLED = "signalled"
    EXITED = "exited"  # left without its completion record
    TIMED_OUT = "timed_out"
    MEMORY = "memory"
    OUTPUT = "output"
    PROCESSES = "processes"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class Outcome:
    """One call of ``solve`` as the supervisor saw it. ``output`` is what the submission printed,
    decoded with replacement and capped; ``code`` is the exit status or the signal's number."""

    status: Status
    seconds: float
    reply: RunReply | None = None
    code: int = 0
    message: str = ""
    reports: tuple[RuntimeReport, ...] = ()
    output: str = ""


@dataclass(frozen=True)
class Element:
    """One wrong element: ``allowed`` is the absolute error that would have passed."""

    index: tuple[int, ...]
    got: float
    expected: float
    allowed: float
    unwritten: bool = False


@dataclass(frozen=True)
class Mismatch:
    """How an output differs. ``map`` is a small picture of where (``.`` right, ``x`` wrong, ``o``
    never written), with ``map_cell`` elements (rows, columns) to each of its characters."""

    argument: str
    shape: tuple[int, ...]
    wrong: int
    unwritten: int
    total: int
    first: tuple[Element, ...]
    max_abs_error: float
    map: tuple[str, ...] = ()
    map_cell: tuple[int, int] = (1, 1)
    hint: str = ""


@dataclass(frozen=True)
class CaseResult:
    """One judged case. ``replay`` is the command that runs just it again."""

    name: str
    kind: CaseKind
    sizes: Mapping[str, int]
    verdict: Verdict
    reason: str = ""
    seconds: float = 0.0
    max_abs_error: float | None = None
    mismatch: Mismatch | None = None
    findings: tuple[Finding, ...] = ()
    output: str = ""
    replay: str = ""


@dataclass(frozen=True)
class Baseline:
    """A library doing the same work in the same run; ``ratio`` is baseline time over ours: 1.0
    is as fast, 0.16 is 0.16 of its speed."""

    name: str
    median_ms: float
    ratio: float


@dataclass(frozen=True)
class Timing:
    """The perf case on a GPU. ``mad_ms`` is the median absolute deviation; ``gbps`` counts the
    spec's bytes, ``gflops`` its operations; ``peak_fraction`` is the share of what the roofline
    allows, whose ``bound`` is memory or arithmetic. ``clocks``: what the card ran at."""

    sizes: Mapping[str, int]
    median_ms: float
    mad_ms: float
    samples_ms: tuple[float, ...]
    gflops: float | None = None
    gbps: float | None = None
    peak_fraction: float | None = None
    bound: str = ""
    clocks: str = ""
    baseline: Baseline | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class LeftOut:
    """A case that was not run, and why."""

    name: str
    kind: CaseKind
    sizes: Mapping[str, int]
    why: str


@dataclass(frozen=True)
class BuildInfo:
    """The build as the report shows it. ``log`` is not shown but analysed."""

    command: tuple[str, ...]
    seconds: float
    cached: bool
    diagnostics: tuple[Diagnostic, ...] = ()
    log: str = ""


@dataclass(frozen=True)
class Report:
    """One submission judged against one problem: all that a renderer needs. ``checked``: the sizes
    of the largest case whose accesses were looked at, empty if they were in none."""

    problem: str
    solution: str
    backend: str
    verdict: Verdict
    reason: str
    seed: int
    environment: Mapping[str, str] = field(default_factory=dict)
    build: BuildInfo | None = None
    cases: tuple[CaseResult, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    timing: Timing | None = None
    findings: tuple[Finding, ...] = ()
    checked: Mapping[str, int] = field(default_factory=dict)
    expected: tuple[Verdict, ...] = ()
    hint: str = ""
    seconds: float = 0.0

    @property
    def as_expected(self) -> bool:
        """Accepted, or for a solution that is meant to fail: what its directive says."""
        return self.verdict in (self.expected or (Verdict.ACCEPTED,))
