"""The host's C++ compiler: which one, what tells it from another, and how to get one."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass

from harness.backends.base import Missing
from harness.errors import ToolchainMissing

_CANDIDATES = ("g++", "clang++", "c++")
_REMEDIES = (
    ("apt-get", "sudo apt-get install g++"),
    ("dnf", "sudo dnf install gcc-c++"),
    ("yum", "sudo yum install gcc-c++"),
    ("pacman", "sudo pacman -S gcc"),
    ("zypper", "sudo zypper install gcc-c++"),
    ("apk", "sudo apk add g++"),
    ("brew", "brew install gcc"),
)


@dataclass(frozen=True)
class Toolchain:
    """``command`` starts the compiler (a wrapper such as ccache included); ``identity`` changes
    when the compiler does; ``clang`` says whether it takes clang's options, ``fills`` whether it
    can fill variables that are never initialised (GCC 12, clang 14)."""

    command: tuple[str, ...]
    identity: str
    clang: bool
    fills: bool = False


def find_toolchain() -> Toolchain | None:
    """``$CXX`` if set, else g++, else clang++; None without any.

    Raises ToolchainMissing when ``$CXX`` names no program.
    """
    chosen = os.environ.get("CXX", "").strip()
    if chosen:
        toolchain = _toolchain(tuple(_split(chosen)))
        if toolchain is None:
            raise ToolchainMissing(f"CXX={chosen}: no such compiler; unset CXX or correct it")
        return toolchain
    for name in _CANDIDATES:
        toolchain = _toolchain((name,))
        if toolchain is not None:
            return toolchain
    return None


def required_toolchain() -> Toolchain:
    """The same, or ToolchainMissing with the command that installs a compiler."""
    toolchain = find_toolchain()
    if toolchain is None:
        missing = no_compiler()
        raise ToolchainMissing(f"there is no {missing.what}: {missing.remedy}")
    return toolchain


def no_compiler() -> Missing:
    """What is missing, with the command for this machine's package manager."""
    if sys.platform == "darwin":
        return Missing("C++ compiler", "xcode-select --install")
    for manager, remedy in _REMEDIES:
        if shutil.which(manager):
            return Missing("C++ compiler", remedy)
    return Missing("C++ compiler", "install g++ 11 or newer, or clang 14 or newer")


def version(toolchain: Toolchain) -> str:
    """The first line of the compiler's ``--version``, empty if it says nothing."""
    import subprocess

    try:
        done = subprocess.run(
            [*toolchain.command, "--version"],
            capture_output=True,
            timeout=10,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    text = done.stdout.decode("utf-8", "replace").strip()
    return text.splitlines()[0] if text else ""


def _split(command: str) -> list[str]:
    if shutil.which(command):
        return [command]  # a path with spaces in it
    try:
        return shlex.split(command)
    except ValueError:
        return [command]


def _toolchain(command: tuple[str, ...]) -> Toolchain | None:
    facts: list[str] = list(command)
    real = ""
    for word in command:
        path = shutil.which(word)
        if path is None:
            if word == command[0]:
                return None
            continue
        real = os.path.realpath(path)
        status = os.stat(real)
        facts += (real, str(status.st_size), str(status.st_mtime_ns))
    # Asking costs a process; on Linux a program named g++ is GCC's.
    named = os.path.basename(real)
    clang = "clang" in named
    if not clang and (sys.platform == "darwin" or "g++" not in named):
        clang = "clang" in version(Toolchain(command, "", False))
    fills = clang or _major(command, named) >= 12
    return Toolchain(command, "\n".join((*facts, os.uname().machine)), clang, fills)


def _major(command: tuple[str, ...], named: str) -> int:
    """GCC's major version: of its file's name, as Debian has it, else the compiler is asked."""
    number = re.search(r"-(\d+)$", named) or re.search(
        r"(?:g\+\+|GCC|gcc).*?\s(\d+)\.\d", version(Toolchain(command, "", False))
    )
    return int(number[1]) if number else 0
