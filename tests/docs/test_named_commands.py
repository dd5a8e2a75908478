"""Commands that pages name within a sentence, or do not have run: they and their options exist."""

from __future__ import annotations

import io
import re
import runpy
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from unittest.mock import patch

import pytest

from tests.support.page_runs import commands
from tests.support.pages import ROOT, blocks, page_names, treatment

_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"(?:python -m )?\b(minits|conformance|benchmarks) ([\w-]+)(.*)")
_OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")


@cache
def help_of(module: str, command: str) -> str:
    """Return the help of a command, or why there is none."""
    told = io.StringIO()
    with (
        patch.object(sys, "argv", [module, command, "--help"]),
        redirect_stdout(told),
        redirect_stderr(told),
        pytest.raises(SystemExit),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", RuntimeWarning)  # other tests have imported it
        runpy.run_module(module, run_name="__main__")
    return told.getvalue()


def named(page: str) -> set[str]:
    text = (ROOT / page).read_text("utf-8")
    inline = re.findall(r"`((?:python -m |minits )[^`]+)`", _BLOCK.sub("", text))
    not_run = [each for each in blocks(page) if treatment(each) == "not run"]
    shown = [each.text for each in not_run if each.language == "console"]
    return {*inline, *(command for text in shown for command, _ in commands(text))}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("page", [page for page in page_names() if named(page)])
def test_commands_that_a_page_names(page: str) -> None:
    wrong = []
    for command in named(page):
        found = _COMMAND.search(command.partition("#")[0])
        if found is None or found[2].startswith("-"):
            continue
        told = help_of(found[1], found[2])
        options = [each for each in _OPTION.findall(found[3]) if each not in told]
        if not told.startswith(f"usage: {'python -m ' * (found[1] != 'minits')}{found[1]} "):
            wrong.append(f"{command}: {told}")
        elif f" {found[2]} " not in told.partition("\n")[0] + " " or options:
            wrong.append(f"{command}: no {' or '.join(options) or found[2]}")
    assert wrong == []
