"""Values that follow early exits have the names and numbers that torch gives their copies."""

from __future__ import annotations

import re

import pytest
import torch
from torch import Tensor

import minits


def loop_after_return(x: Tensor, n: int) -> Tensor:
    b = n
    if n == 8:
        return x
    for i in range(3):
        b = b + i
    return x + b


def two_returns(x: Tensor, n: int) -> Tensor:
    y = x + 1
    if n == 8:
        return x
    y = y * 2
    if n == 7:
        return y
    z = y + n
    for i in range(3):
        y = y + i
        z = z * y
    return z + y


def exits_of_a_loop(x: Tensor, n: int) -> Tensor:
    y = x
    for i in range(n):
        y = y + i
        if i == 3:
            break
        y = y * 2
        if i == 1:
            continue
        x = x + y
        if i == 2:
            return x
        y = y - x
    return y


def branches_after_breaks(x: Tensor, n: int) -> Tensor:
    while n < 9:
        n += 1
        if n == 5:
            break
        if n > 3:
            x = x + n
        else:
            y = x * n
            x = y + 1
        if n == 7:
            break
        a, b = x, x + 1
        x = a * b
    return x


@pytest.mark.parametrize(
    "program", [loop_after_return, two_returns, exits_of_a_loop, branches_after_breaks]
)
def test_names_are_those_of_torch(program: object) -> None:
    mine, theirs = (str(script(program).graph) for script in (minits.script, torch.jit.script))
    assert re.findall(r"%\S+", mine) == re.findall(r"%\S+", theirs)
