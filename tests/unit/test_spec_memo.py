"""A remembered spec is the spec; what may have changed is read afresh."""

import subprocess
import sys
from pathlib import Path

import pytest

from harness.build.cache import Cache
from harness.errors import SpecError
from harness.model import Problem
from harness.spec import memo

REPOSITORY = Path(__file__).parents[2]
MATMUL = (REPOSITORY / "problems" / "matmul.yaml").read_text("utf-8")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("LEETK_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "matmul.yaml"
    path.write_text(MATMUL, "utf-8")
    return path


def same(first: Problem, second: Problem) -> bool:
    """Dataclasses with arrays inside don't compare; their text does."""
    return repr(first) == repr(second)


def test_the_second_load_gives_the_same_problem(spec: Path) -> None:
    assert same(memo.load(spec), memo.load(spec))


def test_a_remembered_spec_needs_neither_pydantic_nor_yaml(spec: Path) -> None:
    memo.load(spec)
    code = (
        "import sys; from pathlib import Path; from harness.spec import memo\n"
        "memo.load(Path(sys.argv[1]))\n"
        "assert not {'pydantic', 'yaml'} & set(sys.modules), 'imported'"
    )
    subprocess.run([sys.executable, "-c", code, str(spec)], check=True, cwd=REPOSITORY)


def test_a_changed_spec_is_read_again(spec: Path) -> None:
    assert memo.load(spec).title == "Matrix Multiplication"
    spec.write_text(MATMUL.replace("Matrix Multiplication", "Another"), "utf-8")
    assert memo.load(spec).title == "Another"
    spec.write_text(MATMUL.replace("title:", "titel:"), "utf-8")
    for _ in range(2):
        with pytest.raises(SpecError, match="titel"):
            memo.load(spec)


def test_a_missing_spec_is_a_spec_error(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"none\.yaml"):
        memo.load(tmp_path / "none.yaml")


def test_a_spec_that_points_to_python_is_not_remembered(spec: Path, own_cache: Path) -> None:
    lines = [line for line in MATMUL.splitlines() if "baseline" not in line]
    einsum = next(line for line in lines if "einsum" in line)
    text = "\n".join(lines).replace(einsum, "reference: {python: matmul.py}")
    spec.write_text(text, "utf-8")
    reference = spec.with_name("matmul.py")
    reference.write_text("def reference(A, B):\n    return A @ B\n")
    assert memo.load(spec).reference.python
    reference.unlink()
    with pytest.raises(SpecError, match=r"matmul\.py"):
        memo.load(spec)


@pytest.mark.parametrize("content", [b"", b"not a pickle", b"\x80\x04K\x01."])
def test_a_spoilt_memory_is_passed_over(spec: Path, content: bytes) -> None:
    right = memo.load(spec)
    cache = Cache()
    for entry in filter(Path.is_dir, cache.folder.iterdir()):
        (entry / "problem.pickle").write_bytes(content)
    assert same(memo.load(spec), right)


def test_an_unusable_cache_costs_nothing_but_time(
    spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEETK_CACHE_DIR", str(tmp_path / "file"))
    assert memo.load(spec).name == "matmul"
