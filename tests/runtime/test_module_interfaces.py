"""Submodules that are annotated with an interface, and exchanged."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError
from minits.runtime.module_attributes import AttributeRefused
from minits.users_objects import known_info

BOTH = pytest.mark.parametrize("script", [torch.jit.script, minits.script], ids=["torch", "minits"])


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Double(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2


class Shift(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.by = nn.Parameter(torch.ones(1))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.by


class Count(nn.Module):
    def forward(self, n: int) -> int:
        return n


class Net(nn.Module):
    layer: Layer

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)


@BOTH
def test_another_module_takes_its_place(script: Any) -> None:
    net = script(Net(Double()))
    two = torch.full((1,), 2.0)
    assert net(two).item() == 4
    net.layer = script(Shift())
    assert net(two).item() == 3
    assert [name for name, _ in net.named_parameters()] == ["layer.by"]
    assert script(Net(script(Double())))(two).item() == 4


def test_the_type_is_shared_by_modules_with_different_layers() -> None:
    first, second = minits.script(Net(Double())), minits.script(Net(Shift()))
    assert known_info(first) is known_info(second)


@BOTH
def test_what_lacks_the_interface_is_refused(script: Any) -> None:
    with pytest.raises((CompileError, RuntimeError), match="is not compatible with interface"):
        script(Net(Count()))
    net = script(Net(Double()))
    with pytest.raises(RuntimeError, match="is not compatible with interface"):
        net.layer = script(Count())
    with pytest.raises(RuntimeError):
        net.layer = Shift()


def test_the_refusal_says_what_is_missing() -> None:
    net = minits.script(Net(Double()))
    said = r"it has forward.*int n.*promises forward.*Tensor x"
    with pytest.raises(AttributeRefused, match=said):
        net.layer = minits.script(Count())
    with pytest.raises(CompileError, match="it does not have method 'forward'"):
        minits.script(Net(nn.ModuleDict()))
