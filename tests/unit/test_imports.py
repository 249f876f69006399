"""The architecture as a test: imports only go up the table of modules, libraries stay at their
place, and the command line starts light."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import harness

PACKAGE = Path(harness.__file__).parent

# A module may import from its own row and from the rows above it.
LAYERS = (
    {
        "harness",
        "expr",
        "wire",
        "errors",
        "nearest",
        "parallel",
        "family",
        "guard",
        "scratch",
        "timeline",
    },
    {"model", "counters", "settings"},
    {"spec", "catalog", "source", "build"},
    {"cases", "compare", "explain", "stats", "contest"},
    {"backends"},
    {"worker"},
    {"judge"},
    {"analysis", "report", "history"},
    {"cli", "commands", "doctor", "__main__"},
)
# Where a library may be imported at all.
HOMES = {
    "click": ("cli.py", "commands/"),
    "rich": ("report/terminal.py", "report/console.py", "report/summary.py", "commands/"),
    "cupy": ("backends/cuda/",),
}
HEAVY = ("cupy", "numpy", "yaml", "pydantic", "rich")


def files() -> list[Path]:
    # The C++ runtime's folder holds no module; built problems may hold Python references.
    return [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if not {"runtime", "problems"} & set(path.relative_to(PACKAGE).parts)
    ]


def layer(name: str) -> int:
    """The row of a module or package such as ``spec``."""
    for row, names in enumerate(LAYERS):
        if name in names:
            return row
    raise AssertionError(f"harness/{name} has no row in LAYERS: give it one")


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """The modules that a file imports when it runs, with the line; imports for types alone are
    left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative imports hide the layer"
            module = node.module or ""
            for alias in node.names:
                # ``from harness import backends`` imports the module harness.backends.
                yield (f"harness.{alias.name}" if module == "harness" else module), node.lineno


def own_name(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return "harness" if first == "__init__.py" else first.removesuffix(".py")


def violations(path: Path) -> list[str]:
    where = path.relative_to(PACKAGE).as_posix()
    found = []
    for module, line in imported(path):
        package, _, rest = module.partition(".")
        if package == "harness":
            target = rest.partition(".")[0]
            if not target or target.startswith("__") or target == "harness":
                continue
            if layer(target) > layer(own_name(path)):
                found.append(f"{where}:{line} imports {module}, which stands below it")
        elif package in HOMES and not where.startswith(HOMES[package]):
            found.append(f"{where}:{line} imports {package}, whose place is {HOMES[package]}")
    return found


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_go_up_the_table(path: Path) -> None:
    assert violations(path) == []


def test_a_wrong_import_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    path = tmp_path / "model.py"
    path.write_text(
        "from typing import TYPE_CHECKING\n"
        "from harness import __version__, judge\n"
        "if TYPE_CHECKING:\n"
        "    import harness.cli\n"
        "def lazy():\n"
        "    import harness.report.json, rich.text\n"
    )
    assert [text.split(" ")[0] for text in violations(path)] == [
        "model.py:2",
        "model.py:6",
        "model.py:6",
    ]


def test_the_command_line_is_light() -> None:
    code = "import sys, harness.cli; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = {name.partition(".")[0] for name in run.stdout.split()}
    assert "click" in loaded
    assert loaded.isdisjoint(HEAVY), loaded & set(HEAVY)


def test_help_is_light() -> None:
    code = "import sys, harness.cli; harness.cli.invoke(['run', '--help']); print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = {name.partition(".")[0] for name in run.stdout.splitlines()[-1].split()}
    assert "click" in loaded
    assert loaded.isdisjoint(HEAVY), loaded & set(HEAVY)
