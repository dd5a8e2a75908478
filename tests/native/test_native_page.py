"""The page about native code shows what is printed, and names what is native."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from minits.cli.main import main
from minits.native.hot import WORTH_BUILDING
from minits.native.list_operators import LIST_OPERATORS
from minits.native.scalar_operators import SCALAR_OPERATORS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "native.md").read_text(encoding="utf-8")


def test_it_names_all_native_operators() -> None:
    table = PAGE.partition("## Native operators")[2]
    table = table.partition("| operators |")[2].partition("\n\n")[0]
    named = re.findall(r"`((?:aten|prim)::\w+)`", table)
    assert len(named) == len(set(named))
    rows = {key.partition(".")[0] for key in SCALAR_OPERATORS | LIST_OPERATORS}
    assert set(named) == rows | {"prim::ListConstruct", "prim::ListUnpack"}


def test_its_example_is_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", f"{ROOT / 'examples' / 'functions.py'}:collatz", "--emit=native"]) == 0
    shown = re.findall(r"```c\n(.*?)```", PAGE, re.DOTALL)
    assert shown[0] in capsys.readouterr().out


def test_its_lists_are_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    program = f"{ROOT / 'examples' / 'functions.py'}:edit_distance"
    assert main(["compile", program, "--emit=native"]) == 0
    printed = capsys.readouterr().out
    for shown in re.findall(r"```c\n(.*?)```", PAGE, re.DOTALL)[1:]:
        assert shown in printed


def test_it_tells_how_long_python_runs() -> None:
    assert f"run for {WORTH_BUILDING} s in Python" in PAGE
