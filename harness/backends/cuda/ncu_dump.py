"""What is wanted of an Nsight Compute report, as JSON on standard output.

    python -I ncu_dump.py REPORT FOLDER_OF_NCU_REPORT INSTRUCTION_METRICS KERNEL_METRICS

A process of its own, as it loads a library that comes with Nsight Compute. For each launch, in
order: its ``name``, its ``mangled`` name, ``metrics`` and ``instructions`` in the order of their
addresses, each ``[pc, sass, file, line, {metric: value}]``; the last is empty where the instruction
does not access memory. Standard library only.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any


def main(report: str, folder: str, by_instruction: str, by_kernel: str) -> None:
    """Write the launches of ``report``; metrics are named with commas between them."""
    sys.path.insert(0, folder)
    module = importlib.import_module("ncu_report")
    launches = [
        _launch(action, by_instruction.split(","), by_kernel.split(","))
        for group in module.load_report(report)
        for action in group
    ]
    json.dump(launches, sys.stdout)


def _launch(action: Any, by_instruction: list[str], by_kernel: list[str]) -> dict[str, Any]:
    values: dict[int, dict[str, float]] = {}
    for name in by_instruction:
        metric = action.metric_by_name(name)
        if metric is not None and metric.has_correlation_ids():
            ids = metric.correlation_ids()
            for at in range(metric.num_instances()):
                values.setdefault(int(ids.as_uint64(at)), {})[name] = metric.as_double(at)
    return {
        "name": action.name(),
        "mangled": action.name(action.NameBase_MANGLED),
        "metrics": {name: _value(action.metric_by_name(name)) for name in by_kernel},
        "instructions": [_instruction(action, pc, values[pc]) for pc in sorted(values)],
    }


def _instruction(action: Any, pc: int, values: dict[str, float]) -> list[Any]:
    place = action.source_info(pc)
    file, line = (place.file_name(), place.line()) if place is not None else ("", 0)
    accesses = any(name.startswith("memory_") for name in values)
    return [pc, action.sass_by_pc(pc).strip(), file, line, values if accesses else {}]


def _value(metric: Any) -> float:
    return 0.0 if metric is None else float(metric.as_double())


if __name__ == "__main__":
    main(*sys.argv[1:])
