"""Modules of which types tell an interface only, as C: the class is that of the first call."""

import gc
import weakref
from typing import Any

import pytest
import torch
from torch import nn

import minits
from minits.native.hot import NativeRun
from tests.support.needs import need_compiler

need_compiler()


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, n: int) -> int:
        pass


class Add(nn.Module):
    def __init__(self, by: int) -> None:
        super().__init__()
        self.by = by

    def forward(self, n: int) -> int:
        return n + self.by


class Count(nn.Module):
    seen: list[int]

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.seen = []

    def forward(self, n: int) -> int:
        self.calls += 1
        self.seen.append(n)
        return 100 // n + self.calls


class Around(nn.Module):
    inner: Layer

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, n: int) -> int:
        return 2 * self.inner(n)


class Net(nn.Module):
    layer: Layer

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer
        self.last = Add(1)

    def forward(self, n: int) -> int:
        total = 0
        for i in range(n):
            total += self.layer(n - i)
        return self.last(total) + self.layer(n)


LAYERS = [lambda: Add(5), Count, lambda: Around(Count()), lambda: Around(Around(Add(2)))]


def outcome(module: Any, n: int) -> Any:
    try:
        return module(n)
    except Exception as error:
        return str(error).splitlines()[-1]


@pytest.mark.parametrize("make", LAYERS)
def test_methods_of_the_class_run_as_c(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    ours, theirs = minits.script(Net(make())), torch.jit.script(Net(make()))
    for n in (3, 1, 0, 4):
        assert outcome(ours, n) == outcome(theirs, n)
    assert isinstance(ours.forward.plan_for(3).native, NativeRun)
    assert "runs as C" in ours.forward.plan_report()


def test_a_module_of_another_class_is_not_taken_for_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    ours, theirs = minits.script(Net(Add(5))), torch.jit.script(Net(Add(5)))
    for make in (lambda: Add(7), Count, lambda: Around(Add(1)), lambda: Add(9)):
        ours.layer, theirs.layer = minits.script(make()), torch.jit.script(make())
        for n in (2, 1, 2):
            assert outcome(ours, n) == outcome(theirs, n)
    assert isinstance(ours.forward.plan_for(3).native, NativeRun)


class Doubling(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


@torch.jit.interface
class OfTensors(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class Outer(nn.Module):
    layer: OfTensors

    def __init__(self) -> None:
        super().__init__()
        self.layer = Doubling()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x) + 1


@pytest.mark.slow
def test_the_arguments_of_calls_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "whole")
    module = minits.script(Outer())
    kept = []
    for _ in range(3):
        x = torch.ones(3)
        kept.append(weakref.ref(x))
        assert module(x).tolist() == [3.0, 3.0, 3.0]
    assert "runs as C" in module.forward.plan_report()
    del x
    gc.collect()
    assert [each() for each in kept] == [None] * 3
