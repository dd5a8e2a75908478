"""Modules of a container by an index that is known only when the program runs."""

from __future__ import annotations

import re

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_agrees, check_extension


class Stack(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2)])

    def forward(self, x: Tensor, stop: int) -> Tensor:
        for i in range(len(self.layers)):
            if i == stop:
                break
            x = self.layers[i](x)
        return x


class At(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 3), nn.Tanh()])

    def forward(self, x: Tensor, index: int) -> Tensor:
        layer = self.layers[index]
        return layer(x) + self.layers[index - 1](x).sum()


class ByName(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.acts = nn.ModuleDict({"relu": nn.ReLU(), "tanh": nn.Tanh(), "none": nn.Identity()})

    def forward(self, x: Tensor, names: list[str]) -> Tensor:
        for name in names:
            x = self.acts[name](x)
        return x


class Cell(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.width = width
        self.calls = 0

    def describe(self, prefix: str) -> str:
        self.calls += 1
        return prefix + str(self.width)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x)


class Nested(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            [nn.ModuleList([Cell(2), Cell(2)]), nn.ModuleList([Cell(2), Cell(2), Cell(2)])]
        )
        self.cells = nn.ModuleList([Cell(2), Cell(3)])

    def forward(self, x: Tensor, i: int, j: int) -> tuple[Tensor, str, int, Tensor, Tensor]:
        y = self.blocks[i][j](x)
        width = self.cells[i].width + self.blocks[i][0].width
        return (
            y,
            self.cells[i].describe("cell "),
            width + self.cells[i].calls,
            self.cells[i].linear.weight.sum(),
            self.blocks[0][j].linear(x) + self.blocks[i][1].linear.bias[j],
        )


INPUT = torch.tensor([[1.0, -2.0]])


def test_a_loop_over_the_indices_of_a_list() -> None:
    check_extension(Stack(), "TS308", (INPUT, 3), (INPUT, 1), (INPUT, 0))


def test_an_index_may_be_negative() -> None:
    module = At()
    check_extension(module, "TS308", (INPUT, 0), (INPUT, 1), (INPUT, -1))
    compiled = minits.script(module, dialect="extended")
    for index in (2, -3):
        with pytest.raises(IndexError):
            module(INPUT, index)
        with pytest.raises(Exception, match=f"index {index} is out of range"):
            compiled(INPUT, index)


def test_a_key_of_a_dict() -> None:
    module = ByName()
    check_extension(module, "TS308", (INPUT, []), (INPUT, ["tanh", "none", "relu"]))
    with pytest.raises(Exception, match="'swish'"):
        minits.script(module, dialect="extended")(INPUT, ["swish"])


def test_attributes_and_methods_and_containers_inside() -> None:
    compiled = minits.script(Nested(), dialect="extended")
    plain = Nested()
    plain.load_state_dict(compiled.state_dict())
    for i, j in ((0, 1), (1, 0), (1, 1), (-1, -2)):
        assert str(compiled(INPUT, i, j)) == str(plain(INPUT, i, j))
    check_agrees(Stack(), (INPUT, 2))


class Different(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.ModuleList([Cell(2), nn.LSTM(2, 2)])

    def forward(self, x: Tensor, i: int) -> Tensor:
        return self.cells[i](x)


class AsValue(Different):
    def forward(self, x: Tensor, i: int) -> int:
        return len([self.cells[i]])


class ByFloat(Different):
    def forward(self, x: Tensor, i: float) -> int:
        return self.cells[i].width


@pytest.mark.parametrize(
    ("module", "code"), [(Different(), "TS509"), (AsValue(), "TS714"), (ByFloat(), "TS308")]
)
def test_results_are_of_one_type_and_modules_no_values(module, code) -> None:
    with pytest.raises(CompileError, match=code):
        minits.script(module, dialect="extended")


class Literal(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.ReLU(), nn.Tanh()])

    def forward(self, x: Tensor) -> Tensor:
        return self.layers[-1](self.layers[0](x))


def test_a_literal_index_has_the_same_graph_in_both_dialects() -> None:
    graphs = [str(minits.script(Literal(), dialect=name).graph) for name in minits.api.DIALECTS]
    first, second = (re.sub(r"___torch_mangle_\d+\.", "", graph) for graph in graphs)
    assert first == second
