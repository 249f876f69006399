"""Faults that the cpu backend must show each time, though a GPU may hide them."""

from pathlib import Path

import pytest

from harness.backends.cpu.backend import CpuBackend
from harness.catalog import find_problem
from harness.judge import Limits, Settings, judge
from harness.model import BuildOptions, Source, Verdict

KERNEL = """
__global__ void product(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    BODY
}
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 block(16, 16), grid((K + 15) / 16, (M + 15) / 16);
    product<<<LAUNCH>>>(A, B, C, M, N, K);
}
"""
RIGHT = """if (row >= M || col >= K) return;
    float sum = 0;
    for (int n = 0; n < N; n++) sum += A[row * N + n] * B[n * K + col];
    C[row * K + col] = sum;"""


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("body", "launch", "verdict"),
    [
        (RIGHT, "grid, block", Verdict.ACCEPTED),
        (RIGHT.replace("sum = 0", "sum"), "grid, block", Verdict.WRONG_ANSWER),
        (RIGHT, "block, grid", Verdict.OUTPUT_NOT_WRITTEN),
    ],
    ids=["none", "a sum without a start", "grid and block exchanged"],
)
def test_verdict(tmp_path: Path, body: str, launch: str, verdict: Verdict) -> None:
    path = tmp_path / "solution.cu"
    text = KERNEL.replace("BODY", body).replace("LAUNCH", launch)
    path.write_text(text)
    for seed in (1, 2, 3):
        report = judge(
            find_problem("matmul"),
            Source(path, text),
            CpuBackend(),
            Settings(seed, limits=Limits(case_seconds=30)),
            BuildOptions(),
        )
        assert report.verdict is verdict, report.reason


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("launch", "said"),
    [
        ("dim3(8, 8), dim3(33, 34)", True),
        ("dim3(8, 8), dim3(64, 64)", False),
        ("dim3(5, 5), dim3(33, 34)", False),
        ("dim3(64, 64), dim3(33, 34)", False),
    ],
)
def test_exchanged_grid_and_block_are_asked_for(tmp_path: Path, launch: str, said: bool) -> None:
    path = tmp_path / "solution.cu"
    text = KERNEL.replace("BODY", RIGHT).replace("LAUNCH", launch)
    path.write_text(text)
    report = judge(
        find_problem("matmul"),
        Source(path, text),
        CpuBackend(),
        Settings(1, limits=Limits(case_seconds=30)),
        BuildOptions(),
    )
    assert report.verdict is Verdict.OUTPUT_NOT_WRITTEN
    reason = next(case.reason for case in report.cases if case.reason)
    assert "is refused" in reason
    assert ("are <<<grid, block>>> exchanged?" in reason) is said


# --- faults that depend on what lies beside a variable, or on which block runs when --------------

TRANSPOSE = """
%s
__global__ void transpose(const float* in, float* out, int rows, int cols%s) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int t = threadIdx.y * 16 + threadIdx.x;
    bool inside = x < cols && y < rows;
    %s
}
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, cols%s);
}
"""
PLAIN = "if (inside) out[x * rows + y] = in[y * cols + x];"
# All blocks share what each needs for itself.
SCRATCH = """scratch[t] = inside ? in[y * cols + x] : 0;
    __syncthreads();
    if (inside) out[x * rows + y] = scratch[t];"""


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("globals_", "parameter", "body", "argument", "verdict", "words"),
    [
        ("", "", PLAIN, "", Verdict.ACCEPTED, ""),
        (
            *("__device__ float scratch[256];", "", SCRATCH, "", Verdict.NONDETERMINISTIC),
            "two runs on the same input",
        ),
        (
            *("__device__ float few[64];", "", f"few[t] = 1; {PLAIN}", "", Verdict.OUT_OF_BOUNDS),
            "past the end of the program's variables",
        ),
        (
            *("__device__ float few[64];", "", f"few[t - 1] = 1; {PLAIN}", ""),
            *(Verdict.OUT_OF_BOUNDS, "the program's variables"),
        ),
        (
            *("__device__ float few[64];", "", f"few[t * 99] = 1; {PLAIN}", ""),
            *(Verdict.OUT_OF_BOUNDS, "of the program's variables"),
        ),
        (
            "",
            "",
            "__shared__ float tile[256]; tile[t - 1] = inside ? in[y * cols + x] : 0;"
            f"__syncthreads(); {PLAIN} if (tile[0] == 12345.5f) out[0] = tile[7];",
            *("", Verdict.OUT_OF_BOUNDS, "before the start of its __shared__ variables"),
        ),
        (
            *("", "", f"extern __shared__ float s[]; s[t] = 1; {PLAIN}", ""),
            *(Verdict.OUT_OF_BOUNDS, "the launch gives it no size, <<<grid, block, bytes>>>"),
        ),
        (
            *("", ", float& first", PLAIN.replace("out[", "(&first)["), ", output[0]"),
            *(Verdict.ACCEPTED, ""),
        ),
        (
            *("", ", const int& height", PLAIN.replace("rows +", "height +"), ", rows"),
            *(Verdict.RUNTIME_ERROR, "refers to host memory"),
        ),
        (
            "",
            "",
            PLAIN + " float f = __shfl_down_sync(0xffffffff, 1.0f, 1, 24); if (f == 2) out[0] = f;",
            *("", Verdict.RUNTIME_ERROR, "a width of 24"),
        ),
        (
            # Frames so small that a compiler makes one of several.
            "__device__ int deep(const float* at, int n) { if (n == 1) return 1;"
            " volatile int kept = at[0] < 0; return deep(at + 1, n - 1) + kept; }",
            *(
                "",
                f"{PLAIN} if (rows * cols > 2000 && x + y == 0) out[0] += deep(in, 2000) > 3000;",
                "",
            ),
            *(Verdict.RUNTIME_ERROR, "a thread's stack overflowed: a function that called itself"),
        ),
        (
            # What fails is told where its pointer is used.
            *("float* none;", ", float* into", f"{PLAIN} into[t] = 1;"),
            ", (cudaMalloc(&none, 100ull << 30), none)",
            *(Verdict.RUNTIME_ERROR, "(cudaMalloc had failed before: out of memory)"),
        ),
        (
            # Larger than what is filled with poison.
            *("float* untouched;", "", PLAIN, "); cudaMalloc(&untouched, (17ull << 30) + 16"),
            *(Verdict.ACCEPTED, ""),
        ),
        (
            *("struct Big { char text[40000]; };", ", Big big", PLAIN, ", Big()"),
            *(Verdict.COMPILE_ERROR, "32764 bytes"),
        ),
    ],
    ids=[
        "right",
        "scratch of all blocks",
        "past a __device__ array",
        "before a __device__ array",
        "far past a __device__ array",
        "before a __shared__ array",
        "dynamic shared memory without a size",
        "a reference to device memory",
        "a reference to host memory",
        "a width of 24",
        "recursion of small frames",
        "a null pointer of an allocation that failed",
        "a large allocation",
        "too many parameters",
    ],
)
def test_what_a_gpu_may_hide(
    tmp_path: Path,
    globals_: str,
    parameter: str,
    body: str,
    argument: str,
    verdict: Verdict,
    words: str,
) -> None:
    path = tmp_path / "solution.cu"
    text = TRANSPOSE % (globals_, parameter, body, argument)
    path.write_text(text)
    report = judge(
        find_problem("transpose"),
        Source(path, text),
        CpuBackend(),
        Settings(1, limits=Limits(case_seconds=30)),
        BuildOptions(),
    )
    assert report.verdict is verdict, report.reason
    assert words in report.reason


@pytest.mark.compiler
def test_an_atomic_outside_shared_memory_has_its_line(tmp_path: Path) -> None:
    """The faulting instruction is the runtime's, the line the author's."""
    body = "extern __shared__ int bins[];\natomicAdd(&bins[t + 60000], 1);\n" + PLAIN
    text = TRANSPOSE % ("", "", body, "")
    path = tmp_path / "solution.cu"
    path.write_text(text)
    settings = Settings(1, limits=Limits(case_seconds=30))
    report = judge(
        find_problem("transpose"), Source(path, text), CpuBackend(), settings, BuildOptions()
    )
    assert report.verdict is Verdict.OUT_OF_BOUNDS, report.reason
    line = text[: text.index("atomicAdd")].count("\n") + 1
    assert f"solution.cu:{line}" in report.reason


@pytest.mark.compiler
def test_what_lies_beyond_an_input_is_not_taken_for_never_written(tmp_path: Path) -> None:
    """Without a guard elements are loaded beyond the input and stored: written, and wrongly so."""
    body = "out[x * rows + y] = in[y * cols + x];"
    text = TRANSPOSE % ("", "", body, "")
    path = tmp_path / "solution.cu"
    path.write_text(text)
    settings = Settings(1, sizes={"rows": 2, "cols": 2}, limits=Limits(case_seconds=30))
    report = judge(
        find_problem("transpose"), Source(path, text), CpuBackend(), settings, BuildOptions()
    )
    assert report.verdict is Verdict.OUT_OF_BOUNDS, report.reason
    assert "outside output (2x2)" in report.reason and "guard" in report.reason


@pytest.mark.compiler
def test_a_sum_that_starts_from_nothing_is_told(tmp_path: Path) -> None:
    text = KERNEL.replace("BODY", RIGHT.replace("sum = 0", "sum")).replace("LAUNCH", "grid, block")
    path = tmp_path / "solution.cu"
    path.write_text(text)
    settings = Settings(1, limits=Limits(case_seconds=30))
    report = judge(
        find_problem("matmul"), Source(path, text), CpuBackend(), settings, BuildOptions()
    )
    assert report.verdict is Verdict.WRONG_ANSWER
    assert "read before it is set" in report.hint


@pytest.mark.compiler
def test_the_access_at_which_a_case_ended_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "solution.cu"
    text = TRANSPOSE % ("", "", f"extern __shared__ float s[]; s[t] = 1; {PLAIN}", "")
    path.write_text(text)
    report = judge(
        find_problem("transpose"),
        Source(path, text),
        CpuBackend(),
        Settings(1, limits=Limits(case_seconds=30)),
        BuildOptions(),
    )
    assert report.cases[0].verdict is Verdict.OUT_OF_BOUNDS
    assert report.cases[0].reason.count("dynamic shared memory") == 1
    assert [f for f in report.findings if f.kind == "out_of_bounds_write"] == []
