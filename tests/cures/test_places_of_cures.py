"""Cures belong to the place of their fault, and edits keep the comments around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.mistakes import faults_of, mended_by_edits

HEADER = """import dataclasses
import logging
import warnings
from typing import Optional

import torch

SCALES = [1]


"""


@pytest.mark.parametrize("call", ["warnings.warn(str(SCALES))", "warnings.warn(f'{SCALES}')"])
def test_a_fault_in_the_text_of_a_warning_has_no_cure_for_categories(
    call: str, tmp_path: Path
) -> None:
    text = f"{HEADER}def f(x: torch.Tensor):\n    {call}\n    return x\n"
    fault, *_ = faults_of(text, tmp_path / "warned.py")
    assert fault.edit is None
    assert fault.fix == "pass it as an argument, or make it an attribute of a module"


@pytest.mark.parametrize(
    "call, mended",
    [
        ('warnings.warn("a", UserWarning, 2)', 'warnings.warn("a", stacklevel=2)'),
        ('warnings.warn("a", UserWarning, stacklevel=2)', 'warnings.warn("a", stacklevel=2)'),
        ('warnings.warn("a", category=UserWarning)', 'warnings.warn("a")'),
        ('warnings.warn("a", stacklevel=2, category=UserWarning)', None),
    ],
)
def test_the_level_of_a_warning_is_kept(call: str, mended: str | None, tmp_path: Path) -> None:
    text = f"{HEADER}def f(x: torch.Tensor):\n    {call}\n    return x\n"
    edited = mended_by_edits(text, tmp_path / "warned.py", unsafe=False)
    assert edited.text == text.replace(call, mended or call)


def test_return_none_stands_behind_the_comment_of_the_last_line(tmp_path: Path) -> None:
    text = f"""{HEADER}def f(n: int) -> Optional[int]:
    for i in range(n):
        if i > 2:
            return i  # found
"""
    edited = mended_by_edits(text, tmp_path / "returned.py", unsafe=False)
    assert edited.text == f"{text}    return None\n"


def test_replace_of_a_dataclass_is_told_as_a_call_of_the_class(tmp_path: Path) -> None:
    text = f"""{HEADER}@dataclasses.dataclass
class Point:
    x: int
    y: int


def f(n: int):
    return dataclasses.replace(Point(n, 2), y=3).y
"""
    (fault,) = faults_of(text, tmp_path / "replaced.py")
    assert fault.fix == "make the object by its class, with all fields: Point(p.x, y=3)"
