"""Finds problems by name or path, and solutions by their directive.

Problems are looked for in the folders of ``$LEETK_PROBLEMS`` (separated like ``$PATH``), then in
``./problems``, then among the package's own; the first that has the name wins. In these folders a
problem's name is its file's name, so that finding one reads one file. A path to a spec works from
anywhere and its name is free.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import SourceError, SpecError, UsageError
from harness.model import Problem, Verdict
from harness.nearest import nearest

SUFFIXES = (".yaml", ".yml")
SOURCE_SUFFIX = ".cu"
VARIABLE = "LEETK_PROBLEMS"


@dataclass(frozen=True)
class Submission:
    """A solution file that names its problem. ``expected`` is empty for one that must be
    accepted. ``fault`` says, with the file and the line, why a file can't be judged; its problem
    is then empty."""

    path: Path
    problem: str
    expected: tuple[Verdict, ...]
    fault: str = ""


def problem_folders() -> tuple[Path, ...]:
    """The folders that hold problems, first to last. Raises UsageError when ``$LEETK_PROBLEMS``
    names something that is no folder."""
    found: list[Path] = []
    for part in os.environ.get(VARIABLE, "").split(os.pathsep):
        if part:
            folder = Path(part).expanduser()
            if not folder.is_dir():
                raise UsageError(f"${VARIABLE} names {part}, which is not a folder")
            found.append(folder)
    package = Path(__file__).resolve().parent
    own = package / "problems"  # in a wheel; in a checkout they lie beside the package
    for folder in (Path("problems"), own if own.is_dir() else package.parent / "problems"):
        if folder.is_dir():
            found.append(folder)
    unique: dict[Path, Path] = {}
    for folder in found:
        unique.setdefault(folder.resolve(), folder)
    return tuple(unique.values())


def find_problem(name_or_path: str) -> Problem:
    """The problem of that name, or the spec at that path.

    Raises UsageError for a name that no folder has, SpecError for a spec that is not right.
    """
    from harness.spec import memo

    if _is_path(name_or_path):
        return memo.load(Path(name_or_path).expanduser())
    known: dict[str, Path] = {}
    for folder in problem_folders():
        for path in _specs(folder):
            known.setdefault(path.stem, path)
    if name_or_path in known:
        return _load_named(known[name_or_path])
    if Path(name_or_path).is_file():
        raise UsageError(
            f"{name_or_path} is no problem; a spec's name ends in .yaml "
            f"(leetk run PROBLEM SOLUTION: is the order right?)"
        )
    hint = nearest(name_or_path, sorted(known))
    raise UsageError(f"there is no problem {name_or_path!r}; {hint} (leetk list shows them all)")


def list_problems() -> tuple[Problem, ...]:
    """Every problem, by name. Raises SpecError for the first spec that is not right."""
    problems, wrong = list_all()
    if wrong:
        raise wrong[0]
    return problems


def list_all() -> tuple[tuple[Problem, ...], tuple[SpecError, ...]]:
    """Every problem, by name, and what is wrong with the other specs. A wrong spec hides those of
    its name in later folders, as it does in ``find_problem``."""
    found: dict[str, Problem | SpecError] = {}
    for folder in problem_folders():
        for path in _specs(folder):
            if path.stem not in found:
                try:
                    found[path.stem] = _load_named(path)
                except SpecError as error:
                    found[path.stem] = error
    # In the order in which they were met: a first error is that of the first folder.
    wrong = tuple(each for each in found.values() if isinstance(each, SpecError))
    right = [each for each in found.values() if not isinstance(each, SpecError)]
    return tuple(sorted(right, key=lambda problem: problem.name)), wrong


def count_passed_over(paths: Sequence[Path], found: Sequence[Submission]) -> tuple[int, str]:
    """How many sources below the folders among ``paths`` name no problem, and the first of them."""
    known = {os.path.realpath(submission.path) for submission in found}
    files = [file for path in paths if path.is_dir() for file in _sources(path)]
    others = [str(file) for file in files if os.path.realpath(file) not in known]
    return len(others), others[0] if others else ""


def find_submissions(paths: Sequence[Path]) -> tuple[Submission, ...]:
    """The solutions with a directive among these files and below these folders, in order and each
    once. A file without a directive is passed over in a folder. One that cannot be read or has a
    wrong directive is among them, with its ``fault``: the others are judged all the same.

    Raises UsageError for a path that is not there or a file given by itself without a directive.
    """
    found: dict[Path, Submission] = {}
    for path in paths:
        if path.is_dir():
            for file in _sources(path):
                _add(found, file)
        elif os.path.lexists(path):
            if not _add(found, path):
                raise UsageError(
                    f"{path} names no problem; put a comment near its top: // leetk: problem NAME"
                )
        else:
            raise UsageError(f"{path}: no such file or folder")
    return tuple(found.values())


def _is_path(text: str) -> bool:
    separators = [os.sep, *([os.altsep] if os.altsep else [])]
    return text.endswith(SUFFIXES) or any(separator in text for separator in separators)


def _specs(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.iterdir() if p.suffix in SUFFIXES and p.is_file())
    except OSError as error:
        raise UsageError(f"{folder}: cannot be read: {error.strerror or error}") from None


def _load_named(path: Path) -> Problem:
    from harness.spec import memo

    problem = memo.load(path)
    if problem.name != path.stem:
        raise SpecError(
            f"{path}:1: the problem's name is {problem.name!r} but the file's is {path.stem!r}; "
            "in a folder of problems they are the same"
        )
    return problem


def _sources(folder: Path) -> Iterator[Path]:
    """Every .cu file below, sorted, hidden folders left out."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.endswith(SOURCE_SUFFIX) and not name.startswith("."):
                yield Path(parent, name)


def _add(found: dict[Path, Submission], path: Path) -> bool:
    """Note the file if it has a directive. Bytes that are no UTF-8 are the judge's to complain
    about, once the file is known to be a solution."""
    from harness.source.directives import directives

    submission: Submission
    try:
        said = directives(path.read_bytes().decode("utf-8-sig", "replace"), str(path))
        if said.problem is None:
            return False
        submission = Submission(path, said.problem, said.expected)
    except OSError as error:
        submission = Submission(path, "", (), f"{path}: {_unreadable(path, error)}")
    except SourceError as error:
        submission = Submission(path, "", (), str(error))
    found.setdefault(Path(os.path.realpath(path)), submission)
    return True


def _unreadable(path: Path, error: OSError) -> str:
    return dangling(path) or f"cannot be read: {error.strerror or error}"


def dangling(path: Path) -> str:
    """What is wrong with a link to something that is not there; empty for any other path."""
    if not path.is_symlink() or path.exists():
        return ""
    return f"a link to {os.readlink(path)}, which is not there"
