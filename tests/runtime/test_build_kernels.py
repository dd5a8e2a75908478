"""When kernels are built: those of a plan together, at its first call."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.kernels.cpu import building

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("gcc", "cc", "clang"))), reason="there is no C compiler"
)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The texts of each library, in the order in which libraries were built."""
    libraries: list[list[str]] = []
    build = building.build

    def noted(*texts: str) -> Any:
        libraries.append(list(texts))
        return build(*texts)

    monkeypatch.setattr(building, "build", noted)
    return libraries


def two_groups(x: Tensor, w: Tensor) -> Tensor:
    y = torch.mm(torch.tanh(x) * 2, w)
    return torch.softmax(y / 3, -1) + 1


@pytest.mark.one_in(2)
@pytest.mark.parametrize("needs_gradient", [False, True])
def test_kernels_of_a_plan_are_one_library(built: list[list[str]], needs_gradient: bool) -> None:
    compiled = minits.script(two_groups)
    x = torch.randn(3, 5, requires_grad=needs_gradient)
    w = torch.randn(5, 70, requires_grad=needs_gradient)
    found = compiled(x, w)
    torch.testing.assert_close(found, two_groups(x, w))
    assert [len(texts) for texts in built] == [2]
    compiled(x.detach().requires_grad_(needs_gradient), w)
    assert len(built) == 1
    if needs_gradient:
        gradients = torch.autograd.grad(found.sum() * found[0, 0], (x, w))
        y = two_groups(x, w)
        expected = torch.autograd.grad(y.sum() * y[0, 0], (x, w))
        torch.testing.assert_close(gradients, expected)


class Layers(nn.Module):
    """Layers whose kernels are equal."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(6, 6) for _ in range(3)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = torch.sigmoid(layer(x)) * 2 + 1
        return torch.tanh(x) - 0.5


def test_equal_kernels_are_built_once(built: list[list[str]]) -> None:
    module = Layers()
    x = torch.randn(4, 6)
    with torch.no_grad():
        torch.testing.assert_close(minits.script(module)(x), module(x))
    assert [len(texts) for texts in built] == [2]


def one_of_two(x: Tensor, w: Tensor, wide: bool) -> Tensor:
    x = torch.mm(torch.tanh(x) * 2, w)
    if wide:
        x = torch.exp(x) - 1
    else:
        x = torch.sin(x) + 1
    return torch.mm(x, w)


def test_branches_are_built_when_they_are_reached(built: list[list[str]]) -> None:
    compiled = minits.script(one_of_two)
    x, w = torch.randn(3, 4), torch.randn(4, 4)
    for wide, libraries in ((True, 2), (False, 3), (True, 3)):
        torch.testing.assert_close(compiled(x, w, wide), one_of_two(x, w, wide))
        assert [len(texts) for texts in built] == [1] * libraries
