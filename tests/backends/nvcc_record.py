"""What nvcc says of the samples of CUDA's compile-time rules, noted in ``cuda_rules.nvcc.json``.

A second and more for each sample is too long for every run of the tests, and a machine without nvcc
can check the rules, too. After a change of a sample, on a machine with nvcc 13:

    python tests/backends/nvcc_record.py
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent
RECORD = _HERE / "cuda_rules.nvcc.json"
# As the cuda backend compiles and links; nothing runs, so no GPU is needed.
_OPTIONS = ("-O3", "-std=c++17", "-arch=sm_90", "-shared", "-Xcompiler=-fPIC", "-Xlinker=-z,defs")
_SAMPLE = re.compile(r"^== (?P<kind>error|fine|host|gap) (?P<name>.*)$", re.MULTILINE)
_SECONDS = 120
MAJOR = 13


@dataclass(frozen=True)
class Sample:
    """A source and what is to become of it: see the head of cuda_rules.samples."""

    kind: str
    name: str
    source: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.source.encode()).hexdigest()[:16]

    @property
    def marked(self) -> set[int]:
        """The lines that are at fault."""
        lines = enumerate(self.source.splitlines(), 1)
        return {number for number, line in lines if line.endswith("//!")}


@dataclass(frozen=True)
class Said:
    """``lines`` are those of errors that name one."""

    accepted: bool
    lines: tuple[int, ...]


def samples() -> list[Sample]:
    text = (_HERE / "cuda_rules.samples").read_text("utf-8")
    found = list(_SAMPLE.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    pairs = zip(found, ends, strict=True)
    return [Sample(m["kind"], m["name"], text[m.end() + 1 : end]) for m, end in pairs]


def ask(nvcc: str, sample: Sample, folder: Path) -> Said:
    """Compile the sample in ``folder``, whose file it gets its own name in."""
    place = folder / f"{sample.digest}.cu"
    place.write_text(sample.source, "utf-8")
    done = subprocess.run(
        [nvcc, *_OPTIONS, place.name, "-o", f"{place.name}.so"],
        cwd=folder,
        timeout=_SECONDS,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    named = re.findall(rf"{re.escape(place.name)}\((\d+)\): error", done.stdout)
    return Said(done.returncode == 0, tuple(sorted({int(number) for number in named})))


def recorded() -> dict[str, Said]:
    """By the samples' digests."""
    record = json.loads(RECORD.read_text("utf-8"))
    return {digest: Said(accepted, tuple(lines)) for digest, accepted, lines in record["said"]}


def main() -> int:
    from harness.backends.cuda.toolkit import find_toolkit

    toolkit = find_toolkit()
    if toolkit.version[0] != MAJOR:
        sys.stderr.write(f"the samples are for nvcc {MAJOR}, this is {toolkit.release}\n")
        return 1
    every = sorted(samples(), key=lambda sample: sample.digest)
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        said = pool.map(lambda sample: ask(str(toolkit.nvcc), sample, Path(name)), every)
        answers = zip(every, said, strict=True)
        rows = [[sample.digest, a.accepted, [*a.lines]] for sample, a in answers]
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    text = f'{{"nvcc": "{toolkit.release}",\n "said": [\n{lines}\n]}}\n'
    RECORD.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
