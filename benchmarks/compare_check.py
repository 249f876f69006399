"""Whether ``leetk compare`` tells the same from the slower, on a GPU.

    python benchmarks/compare_check.py [--contests 20] [--rounds 12] [--only SAME]

A solution is compared with itself, which must come out as SAME each time; and a copy of it that
does 3 % more work, which must come out as SLOWER each time. The pooled medians of the repeated runs
must lie within 1 % of each other. Limits are those of the timing's issue: 20 of 20, twice, 1 %.
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))

from harness import backends, stats  # noqa: E402
from harness.cases import perf_case  # noqa: E402
from harness.catalog import find_problem  # noqa: E402
from harness.contest import Standing  # noqa: E402
from harness.judge.contest import _timed  # noqa: E402
from harness.model import BuildOptions, Source, Verdict  # noqa: E402
from harness.settings import Settings  # noqa: E402
from harness.source import read_source  # noqa: E402

SIZES = {"M": 2048, "N": 2048, "K": 2048}
ORIGINAL = REPOSITORY / "solutions" / "v2.cu"
SUM = "sum = fmaf(tile_a[ty][i], tile_b[i][tx], sum);"
MORE = "for (int start = 0; start < N; start += TILE) {"
EXTRA = 0.03


def slower(folder: Path) -> Source:
    """v2 with a second, shorter loop whose sum nobody needs."""
    text = ORIGINAL.read_text()
    begin = text.index(MORE)
    end = text.index("    if (row < M && col < K) {")
    loop = text[begin:end]
    assert SUM in loop
    again = loop.replace("start < N", f"start < int(N * {EXTRA}f)").replace("sum", "waste")
    text = text[:end] + "    float waste = 0.0f;\n    " + again
    text += "    if (waste == -1.5e38f) sum = waste;\n" + ORIGINAL.read_text()[end:]
    path = folder / "slower.cu"
    path.write_text(text)
    return read_source(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--contests", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--only", choices=("SAME", "SLOWER"))
    options = parser.parse_args()
    backend = backends.backend("cuda", "")
    if not backend.probe().usable:
        print("this needs a GPU: leetk doctor says what is missing")
        return 4
    problem = find_problem("matmul")
    settings = Settings(seed=1, sizes=SIZES)
    case = perf_case(problem, 1, SIZES)
    assert case is not None
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        first = read_source(ORIGINAL)
        for name, second, wanted in (
            ("itself", first, "SAME"),
            ("a copy that does 3 % more", slower(Path(folder)), "SLOWER"),
        ):
            if options.only not in (None, wanted):
                continue
            said: Counter[str] = Counter()
            ratios, medians, begin = [], [], time.monotonic()
            for _ in range(options.contests):
                entered = [Standing(str(s.path), Verdict.ACCEPTED) for s in (first, second)]
                found, _ = _timed(
                    *(problem, (first, second), entered, backend, settings, BuildOptions(), case),
                    options.rounds,
                    lambda event: None,
                )
                ratio, timing = found[1].ratio, found[0].timing
                if ratio is None or timing is None:
                    print(f"not timed: {[s.reason for s in found]}")
                    return 1
                said[ratio.difference.value] += 1
                ratios.append(ratio)
                medians.append(timing.median_ms)
            right = said[wanted] == options.contests
            close = stats.spread(medians) <= 0.01
            failed |= not (right and close)
            low, high = min(r.low for r in ratios), max(r.high for r in ratios)
            print(
                f"with {name}: {dict(said)} (wanted {wanted}), ratios "
                f"{min(r.median for r in ratios):.4f} to {max(r.median for r in ratios):.4f}, "
                f"intervals within [{low:.4f}, {high:.4f}]; the original's medians "
                f"{min(medians):.4f} to {max(medians):.4f} ms (spread "
                f"{100 * stats.spread(medians):.2f} %, limit 1 %); "
                f"{(time.monotonic() - begin) / options.contests:.1f} s a contest"
            )
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
