"""Calls the Python functions that a spec names (a reference, a data rule).

They are the spec author's code, so whatever goes wrong in them is a ReferenceFault that names the
file and the line, and never the submission's fault. The file is run once a process and leaves no
byte code beside itself.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from harness.errors import ReferenceFault

_modules: dict[Path, ModuleType] = {}
_lock = threading.Lock()


def load(directory: Path, name: str) -> Callable[..., object]:
    """The function ``file.py:function`` of a spec in ``directory``. Raises ReferenceFault."""
    file, _, function = name.partition(":")
    path = (directory / file).resolve()
    with _lock:
        if path not in _modules:
            _modules[path] = _run(path)
        found = getattr(_modules[path], function, None)
    if not callable(found):
        raise ReferenceFault(f"{path.name} has no function {function}")
    checked: Callable[..., object] = found
    return checked


def call(
    function: Callable[..., object],
    what: str,
    positional: Sequence[object],
    named: Mapping[str, object],
) -> object:
    """Call it. Raises ReferenceFault with ``what``, the error and the line it came from."""
    try:
        return function(*positional, **named)
    except (Exception, SystemExit) as error:
        raise ReferenceFault(f"{what} raised {_told(error)}") from None


def _run(path: Path) -> ModuleType:
    module = ModuleType(f"leetk_spec_{path.stem}")
    module.__file__ = str(path)
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        raise ReferenceFault(f"{path.name} raised {_told(error)}") from None
    return module


def _told(error: BaseException) -> str:
    """``ValueError: text (line 12 of matmul.py)``, one line."""
    own = {str(path) for path in _modules}
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if frame.filename in own] or frames
    place = f" (line {theirs[-1].lineno} of {Path(theirs[-1].filename).name})" if theirs else ""
    if isinstance(error, SyntaxError):
        place = f" (line {error.lineno})"
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}{place}"
