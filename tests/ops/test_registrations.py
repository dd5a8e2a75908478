"""Operators that are registered, and taken back, between compilations."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.library import Library

import minits
from minits.diagnostics import CompileError
from minits.ops.registry import schemas_for


@pytest.fixture
def library() -> Iterator[Callable[[str, str], Library]]:
    """What makes libraries of operators; they are taken back in the end."""
    made: list[Library] = []

    def make(namespace: str, kind: str) -> Library:
        made.append(Library(namespace, kind))
        return made[-1]

    yield make
    for each in made:
        each._destroy()


def program() -> Any:
    def called(x: Tensor) -> Any:
        return torch.ops.minits_comes.twice(x)

    return minits.script(called)


def test_an_operator_comes_goes_and_comes_back_as_another(library: Any) -> None:
    x = torch.ones(2)
    assert schemas_for("minits_comes::twice") == ()
    with pytest.raises(CompileError, match="no attribute twice"):
        program()

    first = library("minits_comes", "DEF")
    first.define("twice(Tensor x) -> Tensor")
    first.impl("twice", lambda x: x * 2, "CPU")
    assert torch.equal(program()(x), x * 2)

    first._destroy()
    assert schemas_for("minits_comes::twice") == ()
    with pytest.raises(CompileError, match="no attribute twice"):
        program()

    second = library("minits_comes", "DEF")
    second.define("twice(Tensor x, int times=2) -> (Tensor, int)")
    second.impl("twice", lambda x, times=2: (x + times, times), "CPU")
    found, times = program()(x)
    assert torch.equal(found, x + 2)
    assert times == 2


def test_the_same_signature_of_another_operator(library: Any) -> None:
    """What was made to call the first one must not be called for the second."""
    for number in (2.0, 3.0):
        made = library("minits_comes", "DEF")
        made.define("twice(Tensor x) -> Tensor")
        made.impl("twice", lambda x, number=number: x * number, "CPU")
        assert torch.equal(program()(torch.ones(2)), torch.full((2,), number))
        made._destroy()


OVERLOAD = """
import torch
from torch import Tensor
from torch.library import Library
import minits

def called(x: Tensor) -> Tensor:
    return torch.relu(x, 3)

def outcome():
    try:
        return minits.script(called)(torch.ones(2)).tolist()
    except minits.CompileError as refusal:
        return "no overload" in str(refusal)

before = outcome()
more = Library("aten", "FRAGMENT")
more.define("relu.minits(Tensor x, int shift) -> Tensor")
more.impl("relu.minits", lambda x, shift: x + shift, "CPU")
print(before, outcome())
"""


@pytest.mark.slow
def test_an_overload_is_added_to_an_operator_of_torch(tmp_path: Path) -> None:
    """In a process of its own: torch's operators may not be touched once one is taken back."""
    path = tmp_path / "overload.py"
    path.write_text(OVERLOAD)
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True [4.0, 4.0]"


def test_schemas_are_made_once() -> None:
    assert schemas_for("aten::relu") is schemas_for("aten::relu")
