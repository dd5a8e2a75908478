"""Exporters keep a number that a method sets as it is: the compiled module says so."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits


class Counting(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x * self.calls


class InTensor(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        self.calls = self.calls + 1
        return x * self.calls


class Outer(nn.Module):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Tensor) -> Any:
        return self.inner(x) * 2


def loaded(module: Any) -> Any:
    file = io.BytesIO()
    minits.save(minits.script(module), file)
    file.seek(0)
    return minits.load(file)


X = torch.ones(2)
EXPORTERS: dict[str, Callable[[nn.Module], Any]] = {
    "export": lambda module: torch.export.export(module, (X,)),
    "strict export": lambda module: torch.export.export(module, (X,), strict=True),
    "torch.jit.trace": lambda module: torch.jit.trace(module, X, check_trace=False),
}
MAKERS = {"scripted": minits.script, "loaded": loaded}


@pytest.mark.one_in(2)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("made", MAKERS)
@pytest.mark.parametrize("exporter", EXPORTERS)
def test_a_number_that_a_method_sets_is_told(exporter: str, made: str) -> None:
    for number, cls in enumerate((Counting, InTensor)):
        outer = Outer(MAKERS[made](cls()))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            EXPORTERS[exporter](outer)
        texts = [str(each.message) for each in told if "sets the attribute" in str(each.message)]
        assert bool(texts) == (number == 0)
        assert all("'calls', of type int" in each for each in texts)


@pytest.mark.filterwarnings("error")
def test_calls_are_not_told_of() -> None:
    compiled = minits.script(Counting())
    assert [compiled(X).sum().item() for _ in range(3)] == [2, 4, 6]
