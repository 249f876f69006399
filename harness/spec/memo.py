"""Validated specs remembered in the build cache.

Reading a spec costs the imports of pydantic and yaml, about as much as judging a small kernel, so a
spec that was found right once is kept under the digest of its text. Only whole specs are kept: one
that points to Python files is read afresh, since those may have changed.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

from harness import __version__
from harness.build.cache import Cache
from harness.model import Problem

_FILE = "problem.pickle"


def load(path: Path) -> Problem:
    """The Problem of a spec file, from memory if its text was seen before. Raises SpecError."""
    try:
        text = path.read_bytes()
    except OSError:
        return _read(path)  # which says what is wrong
    cache = Cache()
    key = Cache.key(["spec", __version__, sys.version, str(path), text])
    known = _recall(cache, key)
    if known is not None:
        return known
    problem = _read(path)
    if not cache.warning and not _uses_python(problem):
        cache.put(key, {_FILE: pickle.dumps(problem)})
    return problem


def _read(path: Path) -> Problem:
    from harness.spec.load import load_problem

    return load_problem(path)


def _recall(cache: Cache, key: str) -> Problem | None:
    entry = cache.get(key)
    if entry is None:
        return None
    try:
        problem = pickle.loads((entry / _FILE).read_bytes())
    except Exception:  # another version of a library wrote it
        return None
    return problem if isinstance(problem, Problem) else None


def _uses_python(problem: Problem) -> bool:
    rules = (argument.data for argument in problem.arguments)
    return bool(problem.reference.python) or any(rule and rule.function for rule in rules)
