"""The command line: parse, call, leave with the right exit code.

Every way out is here. Deliberate errors are one line on standard error; anything unexpected is one
line too, with the traceback kept for LEETK_DEBUG=1; a reader that went away (``| head``) is none of
our business. Only click is imported here, so that ``--help`` answers at once.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import os
import select
import signal
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import NoReturn

import click

from harness import __version__
from harness.errors import LeetkError

_BROKEN_PIPE = 128 + 13  # as a process that SIGPIPE ended
_INTERRUPTED = 128 + 2
_FULL = (errno.ENOSPC, errno.EDQUOT)


# In the order in which they are of use, not of the alphabet; imported when they are asked for.
_COMMANDS = {
    "run": "harness.commands.run",
    "check": "harness.commands.check",
    "profile": "harness.commands.profile",
    "compare": "harness.commands.compare",
    "history": "harness.commands.history",
    "list": "harness.commands.list_",
    "show": "harness.commands.show",
    "doctor": "harness.commands.doctor",
}


class _Group(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(_COMMANDS[cmd_name]).command
        return command


@click.group(
    cls=_Group,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: leetk list, leetk show matmul, leetk run matmul FILE.cu",
)
@click.version_option(__version__, message="leetk %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """A local judge for CUDA practice: the right verdict, with or without a GPU."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """The ``leetk`` command."""
    _prepare()
    code = invoke(arguments)
    # What was registered for the end is done; taking numpy and the interpreter apart is not, since
    # that is a tenth of a short run.
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def invoke(arguments: Sequence[str] | None = None) -> int:
    """Run a command line (default: the process's own) and return its exit code."""
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError as error:
        if not _reader_gone():  # some other pipe broke
            return _internal_error(error)
        _discard_output()
        return _BROKEN_PIPE
    except OSError as error:
        if error.errno not in _FULL:
            return _internal_error(error)
        _discard_output()
        where = f" {error.filename}" if error.filename else ""
        return _say(f"cannot write{where}: {error.strerror}", 3)
    return code


def _run(arguments: Sequence[str] | None) -> int:
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        # Not click's own main(), which has exit codes and messages of its own.
        with cli.make_context("leetk", words) as context:
            result = cli.invoke(context)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        return _say(_usage_text(error), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", _INTERRUPTED)
    except LeetkError as error:
        return _say(str(error), error.exit_code)
    except OSError:  # perhaps about our own output: see invoke
        raise
    except Exception as error:
        return _internal_error(error)
    return int(result) if isinstance(result, int) else 0


def _usage_text(error: click.ClickException) -> str:
    """click's message as one line, with the command whose --help says more."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    more = f" (see {context.command_path} --help)" if context is not None else ""
    return error.format_message().rstrip(".") + more


def _say(message: str, code: int) -> int:
    # On a terminal ^C stands where the interrupt came: start a line of our own.
    start = "\n" if code == _INTERRUPTED and sys.stderr.isatty() else ""
    click.echo(f"{start}leetk: {' '.join(message.split())}", err=True)
    return int(code)


def _internal_error(error: Exception) -> int:
    from harness.model import ExitCode

    if os.environ.get("LEETK_DEBUG"):
        import traceback

        traceback.print_exception(error)
    text = f"internal error: {type(error).__name__}: {error}"
    return _say(f"{text} (set LEETK_DEBUG=1 for the traceback)", ExitCode.JUDGE_ERROR)


def _prepare() -> None:
    """Streams that take any text, no warnings of libraries, no lost time, and a clean end when told
    to end."""
    # The default looks through all that was imported several times in a short run.
    gc.set_threshold(50_000)
    # Its threads would spin for a while after each product, on the cores that the workers need.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # started with the descriptor closed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # not under nohup
            signal.signal(number, _terminated)


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    # An exception, so that what was started (a compiler, a worker) is ended on the way out.
    raise SystemExit(128 + number)


def _reader_gone() -> bool:
    """Whether nobody can read standard output or standard error any more."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            poll = select.poll()
            poll.register(stream.fileno(), 0)
            if poll.poll(0):
                return True
    return False


def _discard_output() -> None:
    """Point standard output at nothing, so that Python's last flush does not fail again."""
    with contextlib.suppress(OSError, ValueError):
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)
