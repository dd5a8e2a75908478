"""Names that are registered again on compiled modules, and modules that hold themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.runtime.module_attributes import AttributeRefused

X = torch.rand(4, 3)


class Net(nn.Module):
    mean: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))
        self.scale = nn.Parameter(torch.ones(3))
        self.lin = nn.Linear(3, 3)
        self.norm = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.norm(torch.relu(self.lin((x - self.mean) * self.scale)))
        return y


AGAIN: dict[str, Callable[[Any], Any]] = {
    "buffer": lambda net: net.register_buffer("mean", torch.full((3,), 2.0)),
    "buffer not saved": lambda net: net.register_buffer("mean", torch.ones(3), persistent=False),
    "parameter": lambda net: net.register_parameter("scale", nn.Parameter(torch.full((3,), 3.0))),
    "module": lambda net: net.add_module("lin", net.norm[0]),
    "module by another name": lambda net: net.register_module("lin", net.norm[0]),
    "sync": nn.SyncBatchNorm.convert_sync_batchnorm,
}


@pytest.mark.parametrize("name", AGAIN)
def test_a_known_name_is_replaced(name: str) -> None:
    torch.manual_seed(0)
    net = Net().eval()
    compiled: Any = minits.script(net)
    own = Net().eval()
    own.load_state_dict(net.state_dict())
    for _ in range(3):
        compiled(X)
    AGAIN[name](compiled)
    if name != "sync":
        AGAIN[name](own)
    for _ in range(3):
        torch.testing.assert_close(compiled(X), own(X))
    assert list(compiled.state_dict()) == list(own.state_dict())


REFUSED: dict[str, Callable[[Any], Any]] = {
    "new buffer": lambda net: net.register_buffer("other", torch.ones(1)),
    "new parameter": lambda net: net.register_parameter("other", nn.Parameter(torch.ones(1))),
    "new module": lambda net: net.add_module("other", nn.Linear(3, 3)),
    "module that is not compiled": lambda net: net.add_module("lin", nn.Linear(3, 3)),
    "module of another type": lambda net: net.add_module("lin", minits.script(nn.ReLU())),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_compiled_code_cannot_take_is_refused(name: str) -> None:
    compiled: Any = minits.script(Net())
    before = list(compiled.state_dict())
    with pytest.raises(AttributeRefused):
        REFUSED[name](compiled)
    assert list(compiled.state_dict()) == before


class Inverse(nn.Module):
    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.net.lin(x)
        return y * 2


class HoldsItself(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.inverse = Inverse(self)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.lin(x)
        return y


COMPILED: dict[str, Callable[[nn.Module], Any]] = {
    "script": minits.script,
    "trace": lambda module: minits.trace(module, X),
    "inside": lambda module: minits.script(nn.Sequential(nn.ReLU(), module)),
}


@pytest.mark.parametrize("name", COMPILED)
def test_a_module_that_holds_itself_is_one_error(name: str) -> None:
    with pytest.raises(minits.CompileError) as info:
        COMPILED[name](HoldsItself())
    [fault] = info.value.diagnostics
    assert fault.message.startswith("a HoldsItself holds itself as inverse.net")
    assert fault.fix is not None
    assert "the parts of HoldsItself that it needs" in fault.fix
