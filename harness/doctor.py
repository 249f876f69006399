"""What this machine has for judging, what it lacks, and the command that brings it.

Pure: it collects ``Check``s; how they look is the command's business. A backend says itself what it
needs (its ``probe``); nothing here knows of compilers or GPUs.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from harness import __version__
from harness.backends.base import Missing, Probe
from harness.errors import LeetkError


class State(str, Enum):
    OK = "ok"
    OPTIONAL = "optional"  # would add something; nothing is broken without it
    MISSING = "missing"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. ``detail`` says what was found; ``remedy`` is the command or
    step that mends it, empty where there is nothing to mend."""

    name: str
    state: State
    detail: str
    remedy: str = ""


@dataclass(frozen=True)
class Examination:
    """All checks. ``usable`` names the backends that can judge here; ``sound`` is false when a
    problem spec is broken."""

    checks: tuple[Check, ...]
    usable: tuple[str, ...]
    sound: bool


def examine() -> Examination:
    """Look at everything. Never raises for what is missing or broken."""
    from harness import backends

    looks = [_backend(name) for name in backends.names()]
    # Without a GPU the CPU is what matters.
    looks.sort(key=lambda look: not look.device)
    of_backends = [check for look in looks for check in look.checks]
    usable = tuple(look.name for look in looks if look.usable)
    problems, sound = _problems()
    return Examination((_python(), *of_backends, _cache(), *problems), usable, sound)


def _python() -> Check:
    version = f"leetk {__version__}, Python {platform.python_version()} ({sys.executable})"
    return Check("python", State.OK, f"{version}, {platform.system()} {platform.machine()}")


@dataclass(frozen=True)
class _Look:
    """What was found of one backend. ``device`` is whether it has something to run on."""

    name: str
    checks: list[Check]
    device: bool = False
    usable: bool = False


def _backend(name: str) -> _Look:
    from harness import backends

    try:
        backend = backends.backend(name)
        probe = replace(backend.probe(), facts=backend.environment())
    except Exception as error:
        # A broken driver or package fails in its own ways; the doctor must still say so.
        text = str(error) if isinstance(error, LeetkError) else f"{type(error).__name__}: {error}"
        failed = Check(f"{name} backend", State.MISSING, f"probing it failed: {text}")
        return _Look(name, [failed])
    return _Look(name, probe_checks(name, probe), bool(probe.device), probe.usable)


def probe_checks(name: str, probe: Probe) -> list[Check]:
    """A backend's probe as checks: whether it can judge, its facts, what is missing."""
    state = State.OK if probe.usable else State.OPTIONAL if name == "cuda" else State.MISSING
    device = probe.device or "no device"
    detail = f"ready: {device}" if probe.usable else f"cannot judge here: {device}"
    checks = [Check(f"{name} backend", state, detail)]
    checks += [Check(f"{name}: {key}", State.OK, value) for key, value in probe.facts.items()]
    checks += _missing(name, probe.missing, state, "lacks")
    checks += _missing(name, probe.optional, State.OPTIONAL, "could use")
    return checks


def _missing(name: str, items: Iterable[Missing], state: State, verb: str) -> list[Check]:
    return [Check(f"{name} {verb}", state, item.what, item.remedy) for item in items]


def _cache() -> Check:
    from harness.build.cache import VARIABLE, Cache, default_folder

    try:
        cache = Cache()
    except LeetkError as error:
        return Check("build cache", State.MISSING, str(error))
    if cache.warning:
        remedy = f"make {default_folder()} writable, or name another folder in {VARIABLE}"
        return Check("build cache", State.OPTIONAL, cache.warning, remedy)
    used = sum(path.stat().st_size for path in cache.folder.rglob("*") if path.is_file())
    return Check("build cache", State.OK, f"{cache.folder} ({used / 1e6:.1f} MB)")


def _problems() -> tuple[list[Check], bool]:
    from harness.catalog import list_problems, problem_folders

    try:
        problems = list_problems()
    except LeetkError as error:
        return [Check("problems", State.MISSING, str(error), "mend the spec")], False
    folders = ", ".join(str(folder) for folder in problem_folders() if Path(folder).is_dir())
    names = ", ".join(problem.name for problem in problems)
    if not problems:
        remedy = "name a folder of specs in LEETK_PROBLEMS, or install leetk again"
        return [
            Check("problems", State.MISSING, f"none in {folders or 'any folder'}", remedy)
        ], False
    return [Check("problems", State.OK, f"{names} ({folders})")], True
