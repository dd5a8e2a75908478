"""Operators that torch's C interface lacks: refused with a cause, and a cure that works."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from minits.native.c_types import NotNative
from tests.support.native_libraries import library
from tests.support.needs import need_compiler

need_compiler()


def forces(x: Tensor) -> Tensor:
    (found,) = torch.autograd.grad([(x * x * x).sum()], [x])
    assert found is not None
    return -found


def energy(x: Tensor) -> Tensor:
    return (x * x * x).sum()


def test_derivatives_are_taken_by_the_caller() -> None:
    with pytest.raises(NotNative, match=r"aten::grad is not native") as refused:
        library(forces)
    assert "return what is differentiated" in str(refused.value.cure)
    x = torch.randn(4, requires_grad=True)
    (found,) = torch.autograd.grad([library(energy).energy(x)], [x])
    torch.testing.assert_close(-found, forces(x))


@pytest.mark.filterwarnings("ignore:")
def test_packed_weights_are_objects_of_cpp() -> None:
    kinds = {nn.Linear}
    module = torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(3, 4)), kinds)
    with pytest.raises(NotNative, match="an object of C\\+\\+, is not native") as refused:
        library(module.eval())
    assert "before it was quantized" in str(refused.value.cure)


class Quantized(nn.Module):
    """A layer whose weights are ints, with their scales."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        scale = layer.weight.detach().abs().amax(1, keepdim=True) / 127
        self.register_buffer("scale", scale)
        self.register_buffer("weight", (layer.weight.detach() / scale).round().to(torch.int8))

    def forward(self, x: Tensor) -> Tensor:
        return x @ (self.weight.to(x.dtype) * self.scale).t()


def test_weights_of_int8_with_their_scales() -> None:
    module, x = Quantized(nn.Linear(3, 4)), torch.randn(2, 3)
    torch.testing.assert_close(library(module)(x), module(x))


REDUCTIONS = ("sum", "prod", "mean", "amax", "amin")


class Scattered(nn.Module):
    def __init__(self, reduction: str) -> None:
        super().__init__()
        self.reduction = reduction

    def forward(self, x: Tensor, index: Tensor, source: Tensor) -> list[Tensor]:
        of_both = x.scatter_reduce(0, index, source, self.reduction)
        of_source = x.scatter_reduce(0, index, source, self.reduction, include_self=False)
        written = x.clone()
        written.scatter_reduce_(0, index, source, self.reduction)
        return [of_both, of_source, written, x.index_add(0, index, source, alpha=2)]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_sums_by_an_index(reduction: str) -> None:
    module = Scattered(reduction)
    x, index, source = torch.randn(4), torch.tensor([0, 1, 0, 2]), torch.randn(4)
    torch.testing.assert_close(library(module)(x, index, source), module(x, index, source))
