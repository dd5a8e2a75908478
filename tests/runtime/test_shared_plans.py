"""Plans are shared by all modules of a type; what differs between these is in the plans' keys."""

from __future__ import annotations

import copy
import gc
import threading
import weakref
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits


class Layer(nn.Module):
    """A flag, an Optional, a tensor and numbers that plans may rely on."""

    bias: Tensor | None

    def __init__(self, width: int = 4, bias: bool = True, twice: bool = False) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width))
        self.bias = nn.Parameter(torch.randn(width)) if bias else None
        self.twice = twice
        self.scale = float(width)
        self.dropout = nn.Dropout(0.0)

    def forward(self, x: Tensor) -> Tensor:
        y = torch.tanh(self.dropout(x) * self.weight) * self.scale
        bias = self.bias
        if bias is not None:
            y = y + bias
        return y * 2 if self.twice else y


def plans_of(module: Any) -> Any:
    return module.forward._plans


def check(compiled: Any, module: nn.Module, width: int = 4) -> None:
    for rows in (3, 1):
        x = torch.randn(rows, width)
        torch.testing.assert_close(compiled(x), module(x))


def test_instances_share_one_plan() -> None:
    modules = [Layer() for _ in range(20)]
    compiled = [minits.script(module) for module in modules]
    check(compiled[0], modules[0])
    misses = plans_of(compiled[0]).misses
    for one, module in zip(compiled, modules, strict=True):
        check(one, module)
        assert plans_of(one) is plans_of(compiled[0])
    assert plans_of(compiled[0]).misses == misses


CHANGES = {
    "other sizes": lambda: Layer(6),
    "a size of one": lambda: Layer(1),
    "a flag": lambda: Layer(twice=True),
    "other numbers": lambda: scaled(Layer()),
    "float64": lambda: Layer().double(),
    "bfloat16": lambda: Layer().bfloat16(),
    "no gradient": lambda: Layer().requires_grad_(False),
    "evaluation": lambda: Layer().eval(),
    "strides": lambda: strided(Layer()),
    "none": lambda: without_bias(Layer()),
}


def scaled(module: Layer) -> Layer:
    module.scale = 0.5
    return module


def strided(module: Layer) -> Layer:
    module.weight = nn.Parameter(torch.randn(8)[::2])
    return module


def without_bias(module: Layer) -> Layer:
    module.bias = None
    return module


@pytest.mark.one_in(2)
@pytest.mark.parametrize("change", CHANGES)
def test_instances_that_differ(change: str) -> None:
    plain, other = Layer(), CHANGES[change]()
    first, second = minits.script(plain), minits.script(other)
    for _ in range(2):
        check(first, plain)
        width = other.weight.numel()
        x = torch.randn(3, width)
        found, expected = second(x), other(x)
        torch.testing.assert_close(found, expected)
        assert found.dtype == expected.dtype
        assert found.requires_grad == expected.requires_grad


def test_an_instance_that_changes() -> None:
    modules = [Layer(), Layer()]
    compiled = [minits.script(module) for module in modules]
    for one, module in zip(compiled, modules, strict=True):
        check(one, module)
    compiled[0].twice = modules[0].twice = True
    compiled[1].scale = modules[1].scale = 3.0
    for one, module in zip(compiled, modules, strict=True):
        check(one, module)


def test_gradients_go_to_the_instance_that_was_called() -> None:
    modules = [Layer(), Layer()]
    compiled = [minits.script(module) for module in modules]
    x = torch.randn(3, 4)
    for one, module in zip(compiled, modules, strict=True):
        (found,) = torch.autograd.grad(one(x).sum(), module.weight)
        (expected,) = torch.autograd.grad(module(x).sum(), module.weight)
        torch.testing.assert_close(found, expected)


def test_copies_share() -> None:
    module = Layer()
    compiled = minits.script(module)
    check(compiled, module)
    copied = copy.deepcopy(compiled)
    misses = plans_of(compiled).misses
    check(copied, module)
    assert plans_of(copied).misses == misses


def test_threads_call_instances_of_one_type() -> None:
    modules = [Layer() for _ in range(8)]
    compiled = [minits.script(module) for module in modules]
    faults: list[BaseException] = []

    def call(one: Any, module: nn.Module) -> None:
        try:
            for _ in range(20):
                check(one, module)
        except BaseException as fault:
            faults.append(fault)

    pairs = zip(compiled, modules, strict=True)
    threads = [threading.Thread(target=call, args=pair) for pair in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


def test_plans_stay_for_the_next_instance() -> None:
    compiled = minits.script(Layer())
    compiled(torch.randn(3, 4))
    kept = weakref.ref(plans_of(compiled))
    del compiled
    gc.collect()
    assert kept() is plans_of(minits.script(Layer()))
