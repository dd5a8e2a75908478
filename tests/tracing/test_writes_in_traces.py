"""Writes to tensors by `.data` are recorded, and those that are not warn."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

import minits


class Held(nn.Module):
    """A module with a parameter and a buffer, whose `write` is what `forward` does first."""

    def __init__(self, write: Callable[[Held, Tensor], Tensor]) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.zeros(1))
        self.register_buffer("b", torch.zeros(1))
        self.write = write

    def forward(self, x: Tensor) -> Tensor:
        return self.write(self, x) * 1


def parameter_plus(module: Held, x: Tensor) -> Tensor:
    module.w.data += x
    return module.w


def buffer_plus(module: Held, x: Tensor) -> Tensor:
    module.b.data += x
    return module.b


def parameter_new(module: Held, x: Tensor) -> Tensor:
    module.w.data = module.w.data * 2 + x
    return module.w


def input_plus(module: Held, x: Tensor) -> Tensor:
    x.data += 1
    return x


def by_detach(module: Held, x: Tensor) -> Tensor:
    module.w.detach().add_(x)
    return module.w


@pytest.mark.parametrize(
    "write", (parameter_plus, buffer_plus, parameter_new, input_plus, by_detach)
)
def test_writes_by_data_are_recorded(write: Callable[[Held, Tensor], Tensor]) -> None:
    eager, original = Held(write), Held(write)
    with warnings.catch_warnings():
        warnings.simplefilter("error", minits.TracerWarning)
        traced = minits.trace(original, torch.ones(1), check_trace=False)
    with torch.no_grad():
        for each in (*traced.parameters(), *traced.buffers()):
            each.zero_()
    archive = io.BytesIO()
    minits.save(traced, archive)
    archive.seek(0)
    loaded = minits.load(archive)
    archive.seek(0)
    by_torch = torch.jit.load(archive)
    for number in (1.0, 2.0, 3.0):
        expected = eager(torch.tensor([number]))
        for module in (traced, loaded, by_torch):
            assert module(torch.tensor([number])).tolist() == expected.tolist()


def test_data_of_another_shape_warns() -> None:
    def program(x: Tensor) -> Tensor:
        y = x * 2
        y.data = torch.ones(3)
        return x + y.sum()

    with pytest.warns(minits.TracerWarning, match="another shape"):
        minits.trace(program, torch.ones(2), check_trace=False)


def test_data_of_an_index_is_no_constant() -> None:
    def program(x: Tensor) -> Tensor:
        return x[x.argsort().data]

    traced = minits.trace(program, torch.rand(4))
    assert traced(torch.tensor([3.0, 1.0, 2.0, 0.0])).tolist() == [0.0, 1.0, 2.0, 3.0]


def test_an_assigned_buffer_warns() -> None:
    def assigned(module: Held, x: Tensor) -> Tensor:
        module.b = module.b + x
        return module.b

    with pytest.warns(minits.TracerWarning, match=r"'b' of Held is not recorded.*copy_"):
        minits.trace(Held(assigned), torch.ones(1), check_trace=False)


def test_an_attribute_that_was_none_may_be_assigned() -> None:
    def kept(module: Held, x: Tensor) -> Tensor:
        module.last = x
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("error", minits.TracerWarning)
        minits.trace(Held(kept), torch.ones(1), check_trace=False)


@pytest.mark.parametrize(
    "program",
    (
        lambda x: torch.full((2,), True) & (x > 0),
        lambda x: (x > 0).fill_(False),
        lambda x: x.clamp(True, 2),
        lambda x: x.masked_fill(x > 1, True),
        lambda x: torch.where(x > 1, True, x),
        lambda x: (x > 1) & True,
    ),
)
def test_bools_are_numbers_of_operators(program: Callable[[Tensor], Tensor]) -> None:
    traced = minits.trace(program, torch.rand(2))
    archive = io.BytesIO()
    minits.save(traced, archive)
    archive.seek(0)
    loaded = minits.load(
        archive
    )  # torch.jit folds the number to a bool, and then finds no operator
    x = torch.tensor([0.5, 3.0])
    for function in (traced, traced, traced, loaded):
        result, expected = function(x), program(x)
        assert (result.dtype, result.tolist()) == (expected.dtype, expected.tolist())
