"""Each cure in words has been followed: the program that it leads to compiles.

An edit is made by `test_wrong_programs.py`. Here a mistake whose cure is words gets the text that
these ask for, and nothing is left of the faults.
"""

from pathlib import Path

import pytest

from tests.cures.test_wrong_programs import mended
from tests.support.cures_in_words import followed
from tests.support.wrong_programs import IMPORTS, WrongProgram, statements

FOLLOWED = followed()
STATEMENTS = statements()


def program_of(statement: str, top: str = "") -> WrongProgram:
    lines = "".join(f"        {line}\n" for line in statement.format(x="x").splitlines())
    text = (
        f"{IMPORTS}from typing import Optional, Union\n{top}\n\n"
        f"def f(x: torch.Tensor, flag: bool = False):\n    if flag:\n{lines}    return x\n"
    )
    return WrongProgram("in words", statement, "f", text)


@pytest.mark.one_in(3)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("statement", STATEMENTS)
def test_words_are_followed(statement: str, tmp_path: Path) -> None:
    wrong = program_of(statement)
    done, _ = mended(wrong, tmp_path / "words.py")
    assert all(fault.fix for fault in done.left)
    assert bool(done.left) == (statement in FOLLOWED), done.left
    if done.left:
        top, written = FOLLOWED[statement]
        after, _ = mended(program_of(written, top), tmp_path / "after.py")
        assert after.left == () and after.mended == ()


def test_the_table_has_no_other_mistakes() -> None:
    assert set(FOLLOWED) <= set(STATEMENTS)
