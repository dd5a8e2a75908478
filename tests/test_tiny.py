"""The starting kit `examples/tiny/` makes torch.jit's graphs, and computes what they compute."""

# ruff: noqa: F841, RET504, UP045 -- programs as students write them, some wrong on purpose

import re
from typing import Any, Optional

import pytest
import torch
from torch import Tensor

from examples import tiny
from examples.tiny import programs
from examples.tiny.frontend import emit
from examples.tiny.syntax import parse

X = torch.tensor([-1.5, 2.0])
CALLS = [
    (programs.masked, (X, None)),
    (programs.masked, (X, torch.ones(2))),
    (programs.power, (X, 3)),
    (programs.power, (X, 0)),
    (programs.halvings, (23,)),
]


def normalised(graph: Any) -> str:
    """Return the text without places and names; each constant stands where it is used.

    torch gathers equal constants at the top and names values by their variables.
    """
    text = re.sub(r" *#.*", "", str(graph))
    found = re.findall(r"(%[\w.]+) : \w+ = prim::Constant(?:\[value=(.*)\])?\(\)", text)
    names = {name: value or "None" for name, value in found}
    text = re.sub(r".* = prim::Constant.*\n", "", text)
    values = dict.fromkeys(name for name in re.findall(r"%[\w.]+", text) if name not in names)
    names |= {name: f"%{number}" for number, name in enumerate(values)}
    return re.sub(r"%[\w.]+", lambda at: names[at[0]], text).strip()


@pytest.mark.parametrize("function", [programs.masked, programs.power, programs.halvings])
def test_graphs_are_those_of_torch_jit(function: Any) -> None:
    assert normalised(tiny.compile(function)) == normalised(torch.jit.script(function).graph)


@pytest.mark.parametrize(("function", "arguments"), CALLS)
def test_results_are_those_of_torch_jit(function: Any, arguments: tuple[Any, ...]) -> None:
    result = tiny.call(tiny.compile(function), *arguments)
    torch.testing.assert_close(result, torch.jit.script(function)(*arguments))
    assert type(result) is type(function(*arguments))


def test_the_pass_removes_what_torch_removes() -> None:
    graph = emit(parse(programs.power))
    assert "aten::add" in str(graph)
    assert normalised(graph) != normalised(torch.jit.script(programs.power).graph)


def test_dead_loops_go() -> None:
    def twice(x: Tensor) -> Tensor:
        steps = 0
        while steps < 3:
            steps = steps + 1
        return x * 2

    assert str(tiny.compile(twice)) == (
        "graph(%0 : Tensor):\n  %1 : int = prim::Constant[value=2]()\n"
        "  %2 : Tensor = aten::mul(%0, %1)\n  return (%2)\n"
    )


def unrefined(x: Tensor, mask: Optional[Tensor]) -> Tensor:
    y = x + mask
    return y


def refined_on_the_wrong_way(x: Tensor, mask: Optional[Tensor]) -> Tensor:
    if mask is None:
        x = x + mask
    return x


def two_types(x: Tensor, n: int) -> Tensor:
    if n > 0:
        y = x
    else:
        y = n
    return y


def changes_in_a_loop(x: Tensor, n: int) -> Tensor:
    y = 1
    for i in range(n):
        y = x
    return y


def listed(x: Tensor) -> Tensor:
    y = [x]
    return x


def one_way(x: Tensor, n: int) -> Tensor:
    if n > 0:
        y = x
    return y


def two_arguments(x: Tensor) -> Tensor:
    y = torch.relu(x, x)
    return y


@pytest.mark.parametrize(
    ("function", "line", "message"),
    [
        (unrefined, 1, "add does not take Tensor, Tensor?"),
        (refined_on_the_wrong_way, 2, "add does not take Tensor, Tensor?"),
        (two_types, 1, "y is Tensor on one way, int on the other"),
        (changes_in_a_loop, 2, "y is int before the loop, Tensor after a round"),
        (listed, 1, "[x] is not defined, or not of this language"),
        (two_arguments, 1, "relu does not take Tensor, Tensor"),
        (one_way, 3, "y is not defined, or not of this language"),
    ],
)
def test_faults_are_told_with_their_place(function: Any, line: int, message: str) -> None:
    with pytest.raises(SyntaxError, match=re.escape(message)) as told:
        tiny.compile(function)
    assert str(told.value).startswith(f"{function.__code__.co_firstlineno + line}:")
    if function is not listed:  # torch.jit has lists
        with pytest.raises(RuntimeError):
            torch.jit.script(function)
