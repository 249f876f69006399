"""The runtime API and the device functions against what a GPU answered.

The programs of this folder ran on an NVIDIA H200 (CUDA 13.0, driver 580); ``expected/`` holds what
they printed there.
"""

from __future__ import annotations

import math

import pytest
from runtime_tools import FOLDER, Programs

pytestmark = pytest.mark.compiler

# A wrong configuration is 1 (invalid value) with CUDA 13 and 9 (invalid configuration) with CUDA
# 12, which tells a learner more.
_CONFIGURATION = {"1": {"1", "9"}}

# The fast functions are approximations on the GPU: the absolute error that its documentation
# allows around the values tested here.
_FAST = {
    **dict.fromkeys(("__sinf", "__cosf", "__tanf", "__sincosf"), 4e-6),
    **dict.fromkeys(("__logf", "__log2f", "__log10f"), 2e-6),
    "__tanhf": 2e-5,
}


def expected(name: str) -> list[str]:
    return (FOLDER / "expected" / name).read_text().splitlines()


def test_answers_of_the_api(programs: Programs) -> None:
    got = programs.output("api_rules.cu").splitlines()
    want = expected("api_rules.txt")
    assert len(got) == len(want)
    for ours, theirs in zip(got, want, strict=True):
        name, _, code = theirs.rpartition(" ")
        allowed = _CONFIGURATION.get(code, {code}) if name.startswith("launch ") else {code}
        assert ours in {f"{name} {other}" for other in allowed}


def test_exact_functions(programs: Programs) -> None:
    got = programs.output("intrinsics.cu").splitlines()
    want = expected("intrinsics.txt")
    assert len(want) > 2500
    assert [pair for pair in zip(got, want, strict=True) if pair[0] != pair[1]] == []


def test_approximate_functions(programs: Programs) -> None:
    got = programs.output("functions.cu").splitlines()
    want = expected("functions.txt")
    assert len(got) == len(want)
    far = [pair for pair in zip(got, want, strict=True) if not _close(*pair)]
    assert far == []


def _close(ours: str, theirs: str) -> bool:
    name, point, got = ours.split()
    if theirs.split()[:2] != [name, point]:
        return False
    value, reference = float(got), float(theirs.split()[2])
    if math.isnan(reference):
        return math.isnan(value)
    if math.isinf(reference):
        return value == reference
    single = name.startswith("__") or (name.endswith("f") and name != "normcdf")
    relative = 4e-7 if single else 2e-15
    return abs(value - reference) <= relative * abs(reference) + _FAST.get(name, 0.0)


def test_error_names_agree(programs: Programs) -> None:
    lines = programs.output("errors.cpp").splitlines()
    assert lines[-1] == "134 errors, 0 differ"


@pytest.mark.parametrize(
    ("argument", "kind", "words"),
    [
        ("0", "trap", ("assertion `n + (int)threadIdx.x < 3` failed", "thread (1,0,0)")),
        ("1", "trap", ("__trap() was called", "misuse.cu")),
        ("2", "api", ("__threadfence() was called in host code",)),
        ("3", "api", ("cudaDeviceReset() destroys the arrays", "misuse.cu")),
        ("4", "unsupported", ("pass the kernel without the cast",)),
        ("5", "api", ("__pipeline_memcpy_async of 6 bytes: it copies 4, 8 or 16", "misuse.cu:15")),
        ("6", "api", ("8 bytes, the last 9 of them zeros", "misuse.cu:15")),
    ],
)
def test_misuse_is_reported(
    programs: Programs, argument: str, kind: str, words: tuple[str, ...]
) -> None:
    text = programs.last_words("misuse.cu", argument)
    assert f"leetk: {kind}: " in text
    assert all(word in text for word in words)
