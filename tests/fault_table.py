"""docs/faults.md: for each fault of tests/faults/faults.yaml what shows leetk's answer, and the
verdict on each backend.

A fixture names its faults in a comment, ``// Fault-numbers: 14, 15``; a test in its mark,
``@pytest.mark.fault(26)``. What they gave is noted by the test run itself (``tests/conftest.py``):

    pytest -m fault --faults-json tests/faults/cpu.json              without a GPU
    pytest -m "fault and gpu" --faults-json tests/faults/gpu.json    on a machine with one
    python tests/fault_table.py                                      writes docs/faults.md
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).resolve().parent
DOCUMENT = TESTS.parent / "docs" / "faults.md"
RESULTS = {"cpu": TESTS / "faults" / "cpu.json", "gpu": TESTS / "faults" / "gpu.json"}
JUDGED = "test_judged.py::test_verdict"
UNKNOWN = "not run yet"
ELSEWHERE = "passed, without the device"

_HEAD = """# What submissions do to judges, and what leetk answers

Each row is a fault that judges were seen to have, what is right, and what shows that leetk answers
so: a fixture under `tests/judged/`, whose folder is the verdict, or a test. After each fixture the
same judge accepts a right solution.

This file is written by `python tests/fault_table.py` from two runs of the tests:

```sh
pytest -m fault --faults-json tests/faults/cpu.json              # without a GPU
pytest -m "fault and gpu" --faults-json tests/faults/gpu.json    # on a machine with one
python tests/fault_table.py
```

A column holds the verdicts that the fixtures got there, or `passed` where tests alone show the
answer; `passed, without the device` where those are of the judge itself, or take a fake for the
device, and so were not run again on it. {machines}
"""


@dataclass(frozen=True)
class Fault:
    """A row of faults.yaml. ``cpu``, ``gpu``: words for a column that needs them."""

    number: int
    group: str
    what: str
    answer: str
    cpu: str = ""
    gpu: str = ""


def faults() -> list[Fault]:
    rows = yaml.safe_load((TESTS / "faults" / "faults.yaml").read_text(encoding="utf-8"))
    return [Fault(**row) for row in rows]


# --- what shows them ---------------------------------------------------------------------------


def comment_value(path: Path, key: str) -> str:
    """What follows ``// key: `` in a fixture, "" if nothing does."""
    text = path.read_bytes().decode("utf-8", "replace")
    match = re.search(rf"^(?:\ufeff)?// {re.escape(key)}: (.*?)\s*$", text, re.MULTILINE)
    return match[1] if match else ""


def fixture_numbers(path: Path) -> tuple[int, ...]:
    return tuple(int(word) for word in re.findall(r"\d+", comment_value(path, "Fault-numbers")))


def fixtures() -> dict[str, tuple[int, ...]]:
    """By path below ``tests``."""
    found = {
        path.relative_to(TESTS).as_posix(): fixture_numbers(path)
        for path in sorted((TESTS / "judged").glob("*/*/*.cu"))
    }
    return {path: numbers for path, numbers in found.items() if numbers}


def tests() -> dict[str, tuple[int, ...]]:
    """By ``file.py::test`` below ``tests``."""
    found: dict[str, tuple[int, ...]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for function in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(function, ast.FunctionDef) and (numbers := tuple(_marks(function))):
                found[f"{path.relative_to(TESTS).as_posix()}::{function.name}"] = numbers
    return found


def _marks(function: ast.FunctionDef) -> Iterator[int]:
    for node in function.decorator_list:
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.fault":
                yield from (ast.literal_eval(argument) for argument in call.args)


def shown_by() -> dict[int, list[str]]:
    """The fixtures and tests of each number."""
    found: dict[int, list[str]] = {}
    for name, numbers in (fixtures() | tests()).items():
        for number in numbers:
            found.setdefault(number, []).append(name)
    return found


# --- what they gave ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """What one test gave on one machine. ``backend``: cpu, cuda, or "" for one without."""

    name: str
    numbers: Sequence[int]
    backend: str
    outcome: str
    verdict: str = ""


def result_of(nodeid: str, properties: Mapping[str, Any], outcome: str) -> Result:
    """The result of a test, whose node is below ``tests/``."""
    name = nodeid.removeprefix("tests/")
    base, _, parameters = name.partition("[")
    backend = next((b for b in ("cpu", "cuda") if re.search(rf"\b{b}\b", parameters)), "")
    fixture = properties.get("fixture", "")
    return Result(
        fixture or base,
        properties["faults"],
        "cuda" if properties.get("gpu") else backend,
        outcome,
        properties.get("verdict", ""),
    )


def write_results(path: Path, machine: str, results: Sequence[Result]) -> None:
    rows = sorted((vars(result) for result in results), key=lambda row: json.dumps(row))
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    path.write_text(f'{{"machine": {json.dumps(machine)}, "results": [\n  {lines}\n]}}\n')


def read_results(path: Path) -> tuple[str, list[Result]]:
    """The machine and what was run there, nothing where it has not been run."""
    if not path.exists():
        return "", []
    data = json.loads(path.read_text(encoding="utf-8"))
    return data["machine"], [Result(**row) for row in data["results"]]


# --- the table ---------------------------------------------------------------------------------


def cell(number: int, words: str, results: Sequence[Result], other: str) -> str:
    """A column's text: what is said of it beforehand, else what was run. ``other`` is the backend
    that has another column."""
    ran = [
        r for r in results if number in r.numbers and r.backend != other and r.outcome != "skipped"
    ]
    failed = [f"**failed: {r.name}**" for r in ran if r.outcome != "passed"]
    verdicts = dict.fromkeys(f"`{r.verdict}`" for r in ran if r.verdict)
    seen = ", ".join([*failed, *verdicts]) or ("passed" if ran else "")
    if words:
        return ": ".join(filter(None, [", ".join(failed), words]))
    return seen or UNKNOWN


def holds_anywhere(number: int, results: Sequence[Result]) -> bool:
    """Whether tests that need no backend show the answer, and all of them passed."""
    ran = [r.outcome for r in results if number in r.numbers and not r.backend]
    return bool(ran) and set(ran) == {"passed"}


def document(known: Mapping[str, tuple[str, list[Result]]]) -> str:
    """docs/faults.md as it ought to be."""
    shown = shown_by()
    machines = " ".join(
        f"The {column} column is of {machine}."
        for column, machine in (("cpu", known["cpu"][0]), ("H200", known["gpu"][0]))
        if machine
    )
    lines = [_HEAD.format(machines=machines).rstrip()]
    group = ""
    for fault in faults():
        if fault.group != group:
            group = fault.group
            lines += ["", f"## {group}", "", "| | what | right | shown by | cpu | H200 |"]
            lines += ["|---|---|---|---|---|---|"]
        names = "<br>".join(f"`{_short(name)}`" for name in shown.get(fault.number, []))
        cpu = cell(fault.number, fault.cpu, known["cpu"][1], "cuda")
        gpu = cell(fault.number, fault.gpu, known["gpu"][1], "cpu")
        if gpu == UNKNOWN and holds_anywhere(fault.number, known["cpu"][1]):
            gpu = ELSEWHERE
        texts = (str(fault.number), fault.what, fault.answer, names, cpu, gpu)
        lines.append(f"| {' | '.join(text.replace('|', chr(92) + '|') for text in texts)} |")
    return "\n".join(lines) + "\n"


def _short(name: str) -> str:
    return name.removeprefix("judged/")


def main() -> None:
    DOCUMENT.write_text(
        document({column: read_results(path) for column, path in RESULTS.items()}), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
