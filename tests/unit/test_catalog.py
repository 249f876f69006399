"""Problems by name and path, solutions by directive."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import catalog
from harness.errors import SpecError, UsageError
from harness.model import Verdict

SPEC = """\
name: {name}
title: Copy
statement: Copy x to y.
sizes: {{n: [1, 100]}}
arguments:
  - {{name: x, type: float32, shape: [n], role: in}}
  - {{name: y, type: float32, shape: [n], role: out}}
  - {{name: n, type: int32, role: size}}
reference: {{einsum: "n->n"}}
tolerance: exact
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(catalog.VARIABLE, raising=False)
    return tmp_path


def add(folder: Path, name: str, said: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    path.write_text(SPEC.format(name=said or name))
    return path


def test_the_packages_own_problems_are_found_anywhere(place: Path) -> None:
    names = [problem.name for problem in catalog.list_problems()]
    assert {"matmul", "transpose"} <= set(names)
    assert names == sorted(names)
    assert catalog.find_problem("matmul").title == "Matrix Multiplication"


def test_folders_in_order(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = place / "first", place / "second"
    add(first, "one")
    add(second, "one", "one")
    add(second, "two")
    add(place / "problems", "three")
    monkeypatch.setenv(catalog.VARIABLE, f"{first}:{second}:{first}")
    assert catalog.problem_folders()[:3] == (first, second, Path("problems"))
    assert len(catalog.problem_folders()) == 4
    assert catalog.find_problem("one").path == first / "one.yaml"
    assert {"one", "two", "three", "matmul"} <= {p.name for p in catalog.list_problems()}


def test_a_folder_that_is_none(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(catalog.VARIABLE, str(place / "gone"))
    with pytest.raises(UsageError, match="gone, which is not a folder"):
        catalog.find_problem("matmul")


def test_by_path(place: Path) -> None:
    add(place / "elsewhere", "file", "another-name")
    assert catalog.find_problem("elsewhere/file.yaml").name == "another-name"
    with pytest.raises(SpecError, match=r"elsewhere/gone\.yaml: no such file"):
        catalog.find_problem("elsewhere/gone.yaml")
    with pytest.raises(SpecError, match="is a directory"):
        catalog.find_problem("elsewhere/")


def test_unknown_names(place: Path) -> None:
    with pytest.raises(UsageError, match=r"no problem 'matmull'; did you mean 'matmul'\?.*list"):
        catalog.find_problem("matmull")
    with pytest.raises(UsageError, match=r"no problem 'zzz'; valid: .*matmul"):
        catalog.find_problem("zzz")
    (place / "v1.cu").write_text("")
    with pytest.raises(UsageError, match="is the order right"):
        catalog.find_problem("v1.cu")


def test_a_file_and_its_name_agree_in_a_folder(place: Path) -> None:
    add(place / "problems", "one", "two")
    with pytest.raises(SpecError, match=r"one\.yaml:1: the problem's name is 'two' but the file"):
        catalog.find_problem("one")
    with pytest.raises(SpecError, match="the same"):
        catalog.list_problems()


def test_a_wrong_spec_hides_no_other(place: Path) -> None:
    add(place / "problems", "three")
    broken = [place / "problems" / name for name in ("broken.yaml", "matmul.yaml")]
    for path in broken:
        path.write_text("name: [\n")
    problems, wrong = catalog.list_all()
    names = [problem.name for problem in problems]
    assert {"three", "transpose"} <= set(names) and names == sorted(names)
    assert "matmul" not in names, "the spec that leetk run would take is the wrong one"
    assert [str(error).partition(":")[0] for error in wrong] == [
        "problems/broken.yaml",
        "problems/matmul.yaml",
    ]


def test_submissions(place: Path) -> None:
    tree = place / "solutions"
    (tree / "deep").mkdir(parents=True)
    (tree / ".hidden").mkdir()
    (tree / "b.cu").write_text("// leetk: problem matmul\n")
    (tree / "a.cu").write_text("// leetk: problem matmul\n// leetk: expect wrong_answer\n")
    (tree / "plain.cu").write_text("__global__ void k() {}\n")
    (tree / "notes.txt").write_text("// leetk: problem matmul\n")
    (tree / "deep" / "c.cu").write_bytes(b"\xef\xbb\xbf// leetk: problem transpose\r\n// \xff\r\n")
    (tree / ".hidden" / "d.cu").write_text("// leetk: problem matmul\n")
    found = catalog.find_submissions([tree])
    assert [(s.path.name, s.problem, s.expected) for s in found] == [
        ("a.cu", "matmul", (Verdict.WRONG_ANSWER,)),
        ("b.cu", "matmul", ()),
        ("c.cu", "transpose", ()),
    ]
    # Each once, whatever the paths; a file by itself may have any name.
    again = catalog.find_submissions([tree / "b.cu", tree, tree / "deep" / ".." / "a.cu"])
    assert [s.path.name for s in again] == ["b.cu", "a.cu", "c.cu"]
    assert len(catalog.find_submissions([tree / "notes.txt"])) == 1


def test_submissions_that_are_none(place: Path) -> None:
    (place / "plain.cu").write_text("int x;\n")
    (place / "empty").mkdir()
    assert catalog.find_submissions([place / "empty"]) == ()
    with pytest.raises(UsageError, match=r"plain\.cu names no problem; put a comment"):
        catalog.find_submissions([place / "plain.cu"])
    with pytest.raises(UsageError, match="gone: no such file or folder"):
        catalog.find_submissions([place / "gone"])


def test_a_file_with_a_fault_is_among_the_others(place: Path) -> None:
    (place / "a.cu").write_text("// leetk: problme matmul\n")
    (place / "b.cu").symlink_to("gone.cu")
    (place / "c.cu").write_text("// leetk: problem matmul\n")
    found = catalog.find_submissions([Path(".")])
    assert [(s.path.name, s.problem) for s in found] == [
        ("a.cu", ""),
        ("b.cu", ""),
        ("c.cu", "matmul"),
    ]
    assert found[0].fault == "a.cu:1: unknown directive 'problme'; did you mean 'problem'?"
    assert found[1].fault == "b.cu: a link to gone.cu, which is not there"
    assert found[2].fault == ""
    assert catalog.find_submissions([Path("b.cu")]) == (found[1],)


def test_sources_without_a_directive_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("// leetk: problem matmul\n")
    (tmp_path / "b.cu").write_text("int x;\n")
    (tmp_path / "c.cu").write_text("int x;\n")
    found = catalog.find_submissions([tmp_path])
    assert catalog.count_passed_over([tmp_path], found) == (2, str(tmp_path / "b.cu"))
    assert catalog.count_passed_over([tmp_path / "a.cu"], found) == (0, "")
