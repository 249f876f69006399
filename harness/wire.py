"""What the judge and a worker process say to each other, as plain frozen dataclasses.

This module is imported by the worker, which must start in milliseconds: standard library only.
Arrays never travel in messages. They lie in the *arena*, one shared file that both sides map:

    0 .. REPORT_BYTES      the report area: JSON lines that the runtime wrote even if it then died
                           (a little-endian uint32 with the bytes used, then the text)
    then for each buffer   [front red zone][data][back red zone], page-aligned as a whole; the data
                           begin at a multiple of 512 bytes, as cudaMalloc's do

The judge fills all of it (inputs, poison, red zones) and reads all of it back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

REPORT_BYTES = 64 * 1024
PAGE = 4096


@dataclass(frozen=True)
class Buffer:
    """One array argument. ``offset`` is where its data begin in the arena (bytes); ``front`` and
    ``back`` are the sizes of the red zones that touch it (bytes)."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    role: str
    offset: int
    nbytes: int
    front: int
    back: int


@dataclass(frozen=True)
class Scalar:
    """One argument passed by value."""

    name: str
    dtype: str
    value: int | float | bool


@dataclass(frozen=True)
class Call:
    """One call of ``solve``: its arguments in C order and the arena's size in bytes."""

    arguments: tuple[Buffer | Scalar, ...]
    arena_bytes: int

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return tuple(a for a in self.arguments if isinstance(a, Buffer))


@dataclass(frozen=True)
class RunOptions:
    """How to run one call. ``order`` (forward, backward, shuffled) is the order in which the cpu
    backend runs the threads of a block; ``seed`` is that shuffle's; ``poison`` (0 or 1) picks the
    pattern for memory that the submission allocates or shares without writing it. ``processes`` of
    the cpu backend may work on one launch. ``checked``: look at each access, in a library that was
    built for it; ``stale``: those of its loads that are in a race find what was there before
    (``all``, or ``some`` of them);
    ``turns``: ``threads`` or ``blocks`` take turns at atomic and volatile accesses, blocks are
    ``mixed`` at any access, or one of each launch comes ``late``; which of them, is the seed's."""

    order: str = "forward"
    seed: int = 0
    poison: int = 0
    processes: int = 1
    checked: bool = False
    stale: str = ""
    turns: str = ""


@dataclass(frozen=True)
class ApiError:
    """A CUDA runtime error that the submission left behind (peeked at, not cleared). ``call`` is
    what left it, such as cudaMemcpy, "launch" for a launch, and "" if that is not known."""

    code: int
    name: str
    message: str
    where: str = "launch"
    call: str = ""


@dataclass(frozen=True)
class RuntimeReport:
    """Something that a runtime saw while the submission ran.

    ``kind``: ``out_of_bounds_write``, ``out_of_bounds_read``, ``illegal_access``,
    ``host_access`` (host code touched device memory), ``divergent_barrier``, ``deadlock``,
    ``stack_overflow``, ``trap``, ``signal``, ``unsupported``, ``api`` (a wrong API call),
    ``exited_before_barrier``, ``team`` (the call has to be repeated with one process), ``race``,
    ``uninitialised_read``, ``read_only_load`` (``__ldg`` of what the kernel has written),
    ``input_written``, ``copy_kind`` (a copy that isn't what its kind says),
    ``index_out_of_range`` (of an array of known size), ``host_memory`` (a kernel got at some),
    ``running`` (where the call was when its time was up).
    ``fatal`` when the run ended there. ``pc`` is an offset into the built library, which the judge
    resolves to ``file:line`` where ``line`` is 0. ``buffer`` and ``byte`` (relative to the buffer's
    first byte) say what was touched, by an access of ``bytes``; ``thread`` and ``block`` who did
    it; ``kernel`` in which. A race's other access is at ``other``, a pc, which is resolved to
    ``other_file`` and ``other_line``; ``{other}`` in the message stands for that place, ``{where}``
    for what was touched. ``idle``: what was read had no effect that can be seen; ``doubtful``: it
    would show in the outputs if it had one; ``benign``: a race that is told only if it does
    harm; ``read``: the access is a load; ``stale``: one that
    found what was there before the other access of a race; ``lost``: a race that loses an update
    which is seen; ``plain_update``: by plain accesses alone.
    ``before`` and ``after``: what two threads wrote to an element of an output that holds one of
    the two in the end, as bytes in hexadecimal. Of several
    reports of the same the one of the greatest ``weight`` says most. ``unchecked``: a tool saw
    nothing, but did not see the end of the call.
    """

    kind: str
    message: str
    fatal: bool = False
    pc: int = 0
    file: str = ""
    line: int = 0
    kernel: str = ""
    buffer: str = ""
    byte: int = 0
    size: int = 0
    thread: tuple[int, ...] = ()
    block: tuple[int, ...] = ()
    bytes: int = 0
    other: int = 0
    other_file: str = ""
    other_line: int = 0
    idle: bool = False
    doubtful: bool = False
    benign: bool = False
    read: bool = False
    stale: bool = False
    lost: bool = False
    plain_update: bool = False
    before: str = ""
    after: str = ""
    weight: int = 0


@dataclass(frozen=True)
class RunReply:
    """The completion record of one call. ``seconds`` is the host's wall time around ``solve`` and
    the synchronise after it."""

    seconds: float
    error: ApiError | None = None
    reports: tuple[RuntimeReport, ...] = ()


@dataclass(frozen=True)
class Counter:
    """What the accesses of one instruction asked of the memory system. ``pc`` is its offset in the
    library; ``size`` the bytes that a lane moves; ``lanes`` the sum of active lanes. Global memory
    has ``sectors`` (of 32 bytes), shared memory ``wavefronts``; ``ideal`` is how many of them these
    accesses need at least. ``stride``: bytes from lane to lane for three of four, 0 if it varies
    more. ``banks``: the distinct banks of shared memory that the first request touches."""

    kernel: str
    pc: int
    space: str
    access: str
    size: int
    requests: int
    lanes: int
    sectors: int
    wavefronts: int
    ideal: int
    stride: int
    banks: int = 0


@dataclass(frozen=True)
class TracedKernel:
    """A kernel whose accesses were counted: ``grid``, ``block`` and bytes of dynamic shared memory
    (``shared``) of its first launch, how many ``blocks`` all launches had, and how many of those
    were ``traced``."""

    name: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    launches: int
    blocks: int
    traced: int
    shared: int = 0


@dataclass(frozen=True)
class TraceReply:
    """What a traced call showed."""

    reply: RunReply
    kernels: tuple[TracedKernel, ...]
    counters: tuple[Counter, ...]


@dataclass(frozen=True)
class TimePlan:
    """How to time a call: at least ``samples`` samples, until ``seconds`` are spent.

    ``baseline``: ``"matmul:M,N,K"`` (cuBLAS SGEMM), ``"copy"`` (device to device, the output's
    bytes) or ``""``. ``rotate`` names the inputs whose elements may be put in another order for
    all calls but the last (independent random values), so that an answer cannot be replayed.
    ``roof``: measure what the device reaches at best, too.
    """

    samples: int = 10
    max_samples: int = 100
    seconds: float = 2.0
    baseline: str = ""
    rotate: tuple[str, ...] = ()
    roof: bool = True


@dataclass(frozen=True)
class TimeReply:
    """``samples_ms``: device time by events. ``host_ms``: the same calls by the host's clock,
    synchronise included. ``baseline_ms`` likewise for the library baseline, empty without one;
    ``baseline_note`` then says why. The output of the last timed call is in the arena.
    ``facts`` may hold ``peak_gbps`` and ``peak_gflops``, what the device can do at the very most,
    ``copy_gbps`` and ``fp32_gflops``, what it reaches, ``clock_mhz``, ``celsius``, and ``l2_mib``,
    the size of its L2 cache. ``worker_seconds``: all of it by the worker's clock;
    ``judge_seconds``: by the judge's, which sets both."""

    samples_ms: tuple[float, ...]
    host_ms: tuple[float, ...]
    baseline_name: str = ""
    baseline_ms: tuple[float, ...] = ()
    baseline_note: str = ""
    error: ApiError | None = None
    notes: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    worker_seconds: float = 0.0
    judge_seconds: float = 0.0


def encode(message: Mapping[str, Any]) -> bytes:
    """JSON bytes of a message; dataclasses inside it become objects."""
    return json.dumps(message, default=_plain, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        return vars(value)  # asdict would copy whatever is in there, to no end
    raise TypeError(f"cannot encode {type(value).__name__}")


def call_from(data: Mapping[str, Any]) -> Call:
    arguments: list[Buffer | Scalar] = []
    for item in data["arguments"]:
        if "offset" in item:
            arguments.append(Buffer(**{**item, "shape": tuple(item["shape"])}))
        else:
            arguments.append(Scalar(**item))
    return Call(tuple(arguments), data["arena_bytes"])


# --- what a worker says ------------------------------------------------------------------------
#
# A submission may have written it: each value's type is checked here, so that nothing further on
# fails over it. Raises ValueError, TypeError, KeyError or AttributeError.


def error_from(data: Mapping[str, Any] | None) -> ApiError | None:
    return None if data is None else ApiError(**_sound(ApiError, data))


def report_from(data: Mapping[str, Any]) -> RuntimeReport:
    """Unknown keys are dropped: the text may come from a process that is no longer sound."""
    known = {k: v for k, v in data.items() if k in RuntimeReport.__dataclass_fields__}
    return RuntimeReport(**_sound(RuntimeReport, known))


def run_reply_from(data: Mapping[str, Any]) -> RunReply:
    return RunReply(
        seconds=_float(data["seconds"]),
        error=error_from(data.get("error")),
        reports=tuple(report_from(r) for r in data.get("reports", ())),
    )


def time_reply_from(data: Mapping[str, Any]) -> TimeReply:
    return TimeReply(
        samples_ms=tuple(_float(value) for value in data["samples_ms"]),
        host_ms=tuple(_float(value) for value in data["host_ms"]),
        baseline_name=str(data.get("baseline_name", "")),
        baseline_ms=tuple(_float(value) for value in data.get("baseline_ms", ())),
        baseline_note=str(data.get("baseline_note", "")),
        error=error_from(data.get("error")),
        notes=tuple(str(note) for note in data.get("notes", ())),
        facts={str(name): str(value) for name, value in dict(data.get("facts", {})).items()},
    )


def trace_reply_from(data: Mapping[str, Any]) -> TraceReply:
    kernels = (TracedKernel(**_sound(TracedKernel, kernel)) for kernel in data["kernels"])
    counters = (Counter(**_sound(Counter, counter)) for counter in data["counters"])
    return TraceReply(run_reply_from(data["reply"]), tuple(kernels), tuple(counters))


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError as error:  # a whole number of some hundred digits
        raise ValueError("a number beyond any float") from error


def _sound(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` with lists as tuples, each value of the type that the field of ``kind`` has."""
    values: dict[str, Any] = {}
    for field_ in fields(kind):
        if field_.name not in data:
            continue
        value = data[field_.name]
        if isinstance(value, list):
            value = tuple(value)
        if not _FITS[str(field_.type)](value):
            raise ValueError(f"{kind.__name__}.{field_.name} can't be {value!r:.50}")
        values[field_.name] = value
    if unknown := data.keys() - values.keys():
        raise ValueError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    return values


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 64


def _are_ints(value: object) -> bool:
    return isinstance(value, tuple) and all(_is_int(item) for item in value)


# By a field's type as it is written.
_FITS: Mapping[str, Callable[[Any], bool]] = {
    "str": lambda value: isinstance(value, str),
    "bool": lambda value: isinstance(value, bool),
    "int": _is_int,
    "tuple[int, ...]": _are_ints,
    "tuple[int, int, int]": lambda value: _are_ints(value) and len(value) == 3,
}
