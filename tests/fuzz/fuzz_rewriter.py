"""Fuzzes what reads a submission's text before a compiler does: lexer, rewriter, refusals, rules.

    python tests/fuzz/fuzz_rewriter.py --seconds 300                    mutates solutions and tests
    python tests/fuzz/fuzz_rewriter.py --seconds 300 --atheris FOLDER   led by coverage

Whatever the text is: nothing is raised but a LeetkError, lines stay where they are, columns go back
to the original, a text that nothing is rewritten in is left alone, and it takes no long time. What
breaks a rule is made small and printed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from harness.backends.cpu import device_names, refuse, returns, rules
from harness.backends.cpu.rewrite import Rewritten, rewrite
from harness.catalog import find_problem
from harness.errors import LeetkError
from harness.model import Diagnostic, Problem
from harness.source import lexer, scan
from harness.source.directives import directives
from harness.source.functions import Outline

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = Path(refuse.__file__).parent / "runtime"
_LONGEST = 8_000
# Much longer than any sound source takes; a quadratic loop takes more.
_SECONDS = 5.0
_PIECES = (
    *(
        "<<<",
        ">>>",
        "<",
        ">",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ",",
        ";",
        "::",
        "\\\n",
        "\n",
        "#",
        "//",
    ),
    *('"', "'", 'R"(', ')"', "/*", "*/", "__shared__", "extern", "static", "thread_local", "asm"),
    *("__launch_bounds__", "__global__", "void", "solve", "#define K(x) x", "#if 0\n", "#endif\n"),
    *(
        'extern "C" ',
        "template <int N>",
        "k<1><<<1, 2>>>(3)",
        "\r\n",
        "\0",
        "\ufeff",
        "ü",
        "\u2028",
    ),
    *(
        "__align__(16)",
        "operator",
        "alignas(8)",
        "[[nodiscard]]",
        "// leetk: problem ",
        "0x1p3",
        "'",
    ),
)


def check(text: str) -> None:
    """Raises AssertionError, or whatever was raised, where a rule is broken."""
    begin = time.process_time()
    found = rewrite(text, "a.cu")
    body = found.text.split("\n", 1)[1]
    assert body.count("\n") == text.count("\n"), "lines moved"
    ends = [0]
    for token in lexer.tokens(text):
        assert ends[-1] <= token.start <= token.end <= len(text), f"{token} is out of order"
        ends.append(token.end)
    if not found.edits:
        assert body == text, "changed without an edit"
    _check_columns(found, body)
    for other in (
        lambda: refuse.check(text, "a.cu", RUNTIME),
        lambda: scan.check_signature(_problem(), text, "a.cu"),
        lambda: scan.needs_prototype(_problem(), text),
        lambda: directives(text, "a.cu"),
        lambda: rules.check(text, "a.cu", headers=[text[: len(text) // 2]]),
        lambda: device_names.branches_on_host(Outline(text)),
        lambda: device_names.device_variables_on_host(Outline(text)),
        lambda: device_names.device_functions_on_host(Outline(text)),
        lambda: returns.finished(text, [Diagnostic("a.cu", 3, 5, "warning", "no return")]),
    ):
        _may_refuse(other)
    spent = time.process_time() - begin
    assert spent < _SECONDS, f"{spent:.1f} s for {len(text)} characters"


@cache
def _problem() -> Problem:
    return find_problem("matmul")


def _check_columns(found: Rewritten, body: str) -> None:
    """Every column has one in the original's line, and they do not go backwards. Looks at the lines
    that changed, some of them in a long text."""
    originals = found.original.split("\n")
    changed = [
        (number, line)
        for number, line in enumerate(body.split("\n"), 1)
        if line != originals[number - 1]
    ]
    for number, line in changed[:20]:
        width = len(originals[number - 1].encode("utf-8", "surrogatepass"))
        last = 0
        length = len(line.encode("utf-8", "surrogatepass"))
        for column in range(1, length + 2, max(1, length // 50)):
            back = found.column(number, column)
            assert 0 <= back <= max(width + 1, column), f"{number}:{column} becomes {back}"
            assert back >= last, f"{number}:{column} goes back from {last} to {back}"
            last = back


def _may_refuse(work: Callable[[], object]) -> None:
    try:
        work()
    except LeetkError as error:
        assert str(error), "an error without a word"


# --- mutations ---------------------------------------------------------------------------------


def corpus() -> list[str]:
    folders = ("tests/judged", "tests/cuda_semantics", "tests/checks", "solutions")
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.cu"))]
    return [path.read_bytes().decode("utf-8", "replace")[:_LONGEST] for path in paths]


def mutated(texts: list[str], draw: random.Random) -> str:
    """One of the corpus, changed in some places."""
    text = draw.choice(texts)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at = draw.randrange(len(text) + 1)
        to = min(len(text), at + draw.choice((1, 2, 8, 60)))
        other = draw.choice(texts)
        start = draw.randrange(len(other) + 1)
        text = draw.choice(
            (
                text[:at] + text[to:],
                text[:at] + draw.choice(_PIECES) + text[at:],
                text[:at] + draw.choice(_PIECES) + text[to:],
                text[:at] + other[start : start + draw.choice((5, 40, 300))] + text[at:],
                text[:at] + text[at:to] * draw.choice((2, 50)) + text[to:],
                text[:at],
            )
        )
    return text[:_LONGEST]


def smallest(text: str, broken: Callable[[str], bool]) -> str:
    """A small text that is still broken: pieces are left out, ever smaller ones, for a minute."""
    size = len(text) // 2
    end = time.monotonic() + 60.0
    while size:
        at = 0
        while at < len(text) and time.monotonic() < end:
            shorter = text[:at] + text[at + size :]
            if broken(shorter):
                text = shorter
            else:
                at += size
        size //= 2
    return text


def is_broken(text: str) -> bool:
    try:
        check(text)
    except Exception:
        return True
    return False


def fuzz(seconds: float, seed: int, count: int = sys.maxsize) -> int:
    """Mutate until ``seconds`` or ``count`` are over; the number of texts that were tried. Raises
    AssertionError with the smallest text that breaks a rule."""
    texts, draw = corpus(), random.Random(seed)
    end, tried = time.monotonic() + seconds, 0
    while time.monotonic() < end and tried < count:
        text = mutated(texts, draw)
        tried += 1
        if is_broken(text):
            raise AssertionError(f"seed {seed}, text {tried}: {smallest(text, is_broken)!r}")
    return tried


def fuzz_with_atheris(folder: str, seconds: float) -> None:
    """Led by coverage; ``folder`` keeps the texts that reach something new. Ends the process."""
    import atheris

    Path(folder).mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(corpus()):
        Path(folder, f"corpus-{number}").write_text(text, encoding="utf-8")
    atheris.instrument_all()
    limits = (f"-max_total_time={int(seconds)}", f"-max_len={_LONGEST}", f"-timeout={_SECONDS:.0f}")
    atheris.Setup(
        [sys.argv[0], folder, *limits], lambda data: check(data.decode("utf-8", "replace"))
    )
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--atheris", metavar="FOLDER", help="use atheris; texts are kept there")
    arguments = parser.parse_args()
    if arguments.atheris:
        fuzz_with_atheris(arguments.atheris, arguments.seconds)
    try:
        tried = fuzz(arguments.seconds, arguments.seed)
    except AssertionError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{tried} texts, none broke a rule\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
