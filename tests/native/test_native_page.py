"""The page about native code shows what is printed, and names what is native."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from minits.cli.main import main
from minits.native.hot import WORTH_BUILDING
from minits.native.scalar_operators import SCALAR_OPERATORS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "native.md").read_text(encoding="utf-8")


def test_it_names_all_native_operators() -> None:
    table = PAGE.partition("## Native operators")[2]
    named = re.findall(r"`((?:aten|prim)::\w+)`", table.partition("| operators |")[2])
    assert len(named) == len(set(named))
    assert set(named) == {key.partition(".")[0] for key in SCALAR_OPERATORS}


def test_its_example_is_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", f"{ROOT / 'examples' / 'functions.py'}:collatz", "--emit=native"]) == 0
    (shown,) = re.findall(r"```c\n(.*?)```", PAGE, re.DOTALL)
    assert shown in capsys.readouterr().out


def test_it_tells_how_long_python_runs() -> None:
    assert f"run for {WORTH_BUILDING} s in Python" in PAGE
