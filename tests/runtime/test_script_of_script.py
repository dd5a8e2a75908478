"""torch.jit.script compiles what minits has compiled, containers included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits


class Listed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 3))])

    def forward(self, x: Tensor) -> Tensor:
        for each in self.layers:
            x = each(x)
        return x * len(self.layers)


class Named(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleDict({"first": nn.Linear(3, 3), "second": nn.Tanh()})

    def forward(self, x: Tensor) -> Tensor:
        for name, each in self.layers.items():
            if name != "none":
                x = each(x)
        return self.layers["second"](x)


class Parameters(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weights = nn.ParameterList([torch.rand(3), torch.rand(3)])
        self.named = nn.ParameterDict({"a": torch.rand(3)})

    def forward(self, x: Tensor) -> Tensor:
        for each in self.weights:
            x = x * each
        return x + self.named["a"]


class Shared(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.one = self.two = nn.Linear(3, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.two(self.one(x))


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.LSTM(3, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.rnn(x)[0]


MODULES: dict[str, Callable[[], nn.Module]] = {
    "Sequential": lambda: nn.Sequential(nn.Linear(3, 3), nn.ReLU()),
    "Sequential of one": lambda: nn.Sequential(nn.Linear(3, 3)).eval(),
    "ModuleList": Listed,
    "ModuleDict": Named,
    "parameters": Parameters,
    "shared": Shared,
    "LSTM": Recurrent,
    "Transformer": lambda: nn.TransformerEncoder(
        nn.TransformerEncoderLayer(3, 3, 5, 0.0, batch_first=True), 2
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.filterwarnings("ignore")  # of torch.jit and of nested tensors
@pytest.mark.parametrize("name", MODULES)
def test_torch_jit_compiles_what_minits_has_compiled(name: str) -> None:
    module = MODULES[name]()
    compiled: Any = minits.script(module)
    again = torch.jit.script(compiled)
    x = torch.rand(2, 5, 3)
    torch.testing.assert_close(again(x), module(x))
    assert {each.data_ptr() for each in again.parameters()} == {
        each.data_ptr() for each in module.parameters()
    }
