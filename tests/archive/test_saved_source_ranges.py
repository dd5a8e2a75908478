"""Saved code stands for places of the program: errors of loaded programs show the program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from tests.support.reading_by_torch import read_by_torch, saved

_LOC = re.compile(r"# (\S+:\d+:\d+)")


def helper(x: Tensor, n: int) -> Tensor:
    return x.reshape(n, -1)


class Program(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.word = "ü€"

    def forward(self, x: Tensor, w: Tensor) -> Tensor:
        y = torch.relu(x) + torch.neg(w)
        if bool(y.sum() > 0) and self.word == "ü€" + str(len("ü")):
            y = torch.sigmoid(y * 2) / torch.tanh(y - 1) + torch.exp(y) * torch.neg(
                torch.abs(y + 2)
            )
        for i in range(3):
            y += i * y.size(0)
        while bool(y.max() < 1):
            y = helper(y, 2).t().contiguous().t() + torch.mm(x, w.t()).sum()
        first, second = y.split(1)
        return first * second


def kinds_and_places(graph: Any) -> list[tuple[str, str]]:
    """What each node with a loc is, and where."""
    found = []
    for line in str(graph).splitlines():
        kind, loc = re.search(r"(\w+::\w+)", line), _LOC.search(line)
        if kind and loc and "Constant" not in kind[1]:
            found.append((kind[1], loc[1]))
    return found


def test_nodes_stand_where_they_stood() -> None:
    compiled = minits.script(Program())
    loaded = read_by_torch(compiled.save_to_buffer())
    operators = [pair for pair in kinds_and_places(compiled.graph) if pair[0].startswith("aten")]
    found = [pair for pair in kinds_and_places(loaded.graph) if pair[0].startswith("aten")]
    assert operators
    assert found == operators


def test_errors_of_loaded_programs_show_the_program() -> None:
    loaded = read_by_torch(saved(helper))
    with pytest.raises(RuntimeError) as caught:
        loaded(torch.ones(3), 2)
    line = helper.__code__.co_firstlineno + 1
    assert f'File "{Path(__file__)}", line {line}, in forward' in str(caught.value)
    assert "return x.reshape(n, -1)\n           ~~~~~~~~~ <--- HERE" in str(caught.value)
