"""SECURITY.md: what its recipe asks of leetk is there, and its promises name what exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from harness.commands.run import command

TEXT = (Path(__file__).parents[2] / "SECURITY.md").read_text(encoding="utf-8")


def recipes() -> list[list[str]]:
    """The words after ``leetk run`` of each recipe."""
    joined = TEXT.replace("\\\n", " ")
    return [shlex.split(line) for line in re.findall(r"leetk run (.*?) > report\.json", joined)]


@pytest.mark.parametrize("words", recipes())
def test_the_recipe_s_options_exist_and_are_taken(words: list[str]) -> None:
    with command.make_context("run", list(words)) as context:
        assert context.params["targets"] == ("matmul", "/submission.cu")
        assert context.params["json"] == "-"
        for name in ("compile_timeout", "timeout", "total_timeout", "memory_limit"):
            assert context.params[name], name


def test_there_are_two_recipes_and_each_option_named_exists() -> None:
    assert len(recipes()) == 2
    known = {option for parameter in command.params for option in parameter.opts}
    named = set(re.findall(r"\((`--[^)]*)\)", TEXT))
    options = {word for text in named for word in re.findall(r"--[\w-]+", text)}
    assert len(options) == 6
    assert options <= known


def test_each_flag_of_the_container_is_explained() -> None:
    _, _, rest = TEXT.partition("docker run")
    given = set(re.findall(r"--[a-z-]+", rest.partition("leetk \\\n")[0]))
    table = "\n".join(line for line in TEXT.splitlines() if line.startswith("| "))
    explained = set(re.findall(r"--[a-z-]+", table))
    # Explained by the value that stands beside them.
    assert given - explained == {"--env", "--security-opt"}


def test_the_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (Path(__file__).parents[2] / target).exists(), target


def test_the_limits_of_the_compiler_are_as_told() -> None:
    from harness.build.compiler import Limits

    limits = Limits()
    told = re.search(r"\((\d+) MiB a file, (\d+) MiB, (\d+) GiB\)", TEXT)
    assert told is not None
    sizes = (limits.file_bytes >> 20, limits.output_bytes >> 20, limits.memory_bytes >> 30)
    assert sizes == tuple(int(number) for number in told.groups())
    assert isinstance(command, click.Command)
