"""What Python may hand over where an interface is expected."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits

BOTH = pytest.mark.parametrize("script", [torch.jit.script, minits.script], ids=["torch", "minits"])


@torch.jit.interface
class Step:
    def step(self, x: Tensor) -> Tensor:
        pass


@torch.jit.interface
class ModuleStep(nn.Module):
    def step(self, x: Tensor) -> Tensor:
        pass


class Double:
    def step(self, x: Tensor) -> Tensor:
        return x * 2


class Count:
    def step(self, n: int) -> int:
        return n + 1


class Layer(nn.Module):
    @torch.jit.export
    def step(self, x: Tensor) -> Tensor:
        return x + 1


def take(step: Step, x: Tensor) -> Tensor:
    return step.step(x)


def take_module(step: ModuleStep, x: Tensor) -> Tensor:
    return step.step(x)


class Net(nn.Module):
    layer: Step

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor) -> Tensor:
        return self.layer.step(x)


TWO = torch.full((1,), 2.0)


@BOTH
def test_compiled_classes_and_modules_are_taken(script: Any) -> None:
    script(Double)
    assert script(take)(Double(), TWO).item() == 4
    assert script(take)(script(Layer()), TWO).item() == 3
    assert script(take_module)(script(Layer()), TWO).item() == 3
    assert script(Net(Double()))(TWO).item() == 4


@BOTH
@pytest.mark.parametrize(
    "function, value, phrase",
    [
        (take, Count(), "Object of type .*Count.* is not compatible with interface .*Step"),
        (take, None, "the value is not a TorchScript compatible type"),
        (take_module, Double(), "only ScriptModule class can be subtype of module interface"),
    ],
)
def test_others_are_refused(script: Any, function: Any, value: Any, phrase: str) -> None:
    script(Double)
    script(Count)
    with pytest.raises(RuntimeError, match=phrase):
        script(function)(value, TWO)


@BOTH
def test_attributes_are_checked_as_well(script: Any) -> None:
    script(Double)
    script(Count)
    for value, phrase in ((Count(), "is not compatible with interface"), (3, "is not a Torch")):
        with pytest.raises(RuntimeError, match=f"Could not cast attribute 'layer'.*{phrase}"):
            script(Net(value))
        with pytest.raises(RuntimeError, match=f"Could not cast attribute 'layer'.*{phrase}"):
            script(Net(Double())).layer = value


@pytest.mark.parametrize("interface", [torch.jit.interface, minits.interface])
def test_interfaces_inherit_from_nothing(interface: Any) -> None:
    with pytest.raises(RuntimeError, match=r"inheritance yet\. Please directly"):

        @interface
        class Longer(nn.ReLU):
            def step(self, x: Tensor) -> Tensor:
                pass


@minits.interface
class Named:
    def name(self) -> str:
        pass


class Thing:
    def name(self) -> str:
        return "thing"


def name_of(x: Named) -> str:
    return x.name()


def test_minits_has_the_decorator_itself() -> None:
    minits.script(Thing)
    assert minits.script(name_of)(Thing()) == "thing"
