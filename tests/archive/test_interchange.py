"""Traced and frozen examples go from minits to torch.jit and back, and give the same results.

minits.trace, minits.freeze -> save -> torch.jit.load
torch.jit.trace, torch.jit.freeze -> save -> minits.load
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import minits
from examples import attention, fused, masked_softmax
from tests.support.reading_by_torch import read_by_torch

pytestmark = pytest.mark.filterwarnings(
    "ignore:a tensor is used as a Python float", "ignore:Converting a tensor to a Python float"
)
"""PreNormBlock computes with a size as a number: both traces say so."""

STATE = torch.randn(2, 5), torch.randn(2, 5)
MASK = torch.zeros(3, 3).masked_fill_(torch.ones(3, 3).triu(1) > 0, -1e9)
ROWS = torch.randn(2, 3, 8)
CASES: dict[str, tuple[Callable[[], nn.Module], tuple[Any, ...]]] = {
    "Attention": (lambda: attention.Attention(8, 2), (ROWS,)),
    "Layer": (lambda: attention.Layer(8, 2), (ROWS, torch.rand(3, 3) > 0.8)),
    "Encoder": (lambda: attention.Encoder(8, 2, 2), (ROWS,)),
    "LSTM": (lambda: fused.LSTM(4, 5), (torch.randn(3, 2, 4), STATE)),
    "PreNormBlock": (lambda: fused.PreNormBlock(8, 2), (ROWS, MASK)),
    "UntypedMask": (lambda: masked_softmax.UntypedMask(8, 2), (ROWS, ROWS)),
    "OptionalMask": (lambda: masked_softmax.OptionalMask(8, 2), (ROWS, ROWS)),
    "FlaggedMask": (lambda: masked_softmax.FlaggedMask(8, 2, False), (ROWS, ROWS)),
    "AssertedMask": (lambda: masked_softmax.AssertedMask(8, 2, True), (ROWS, ROWS)),
    "EmptyMask": (lambda: masked_softmax.EmptyMask(8, 2, True), (ROWS, ROWS)),
    "CastMask": (lambda: masked_softmax.CastMask(8, 2, True), (ROWS, ROWS)),
}
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "chain": (ROWS, ROWS, ROWS, ROWS),
    "bias_gelu": (ROWS, torch.randn(8)),
    "swiglu": (ROWS, ROWS),
    "lstm_pointwise": (torch.randn(2, 20), torch.randn(2, 5)),
    "gru_pointwise": (torch.randn(2, 15), torch.randn(2, 15), torch.randn(2, 5)),
}


def of(name: str) -> tuple[nn.Module, tuple[Any, ...]]:
    build, arguments = CASES[name]
    torch.manual_seed(0)
    return build().eval(), arguments


def read_by_minits(compiled: Any) -> Any:
    file = io.BytesIO()
    torch.jit.save(compiled, file)
    file.seek(0)
    return minits.load(file)


def test_all_modules_of_the_examples_are_here() -> None:
    modules = [*vars(attention).items(), *vars(fused).items(), *vars(masked_softmax).items()]
    assert {n for n, each in modules if isinstance(each, type) and issubclass(each, nn.Module)} == {
        *CASES
    }


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", CASES)
def test_traced_by_minits_for_torch(name: str) -> None:
    module, arguments = of(name)
    loaded = read_by_torch(minits.trace(module, arguments).save_to_buffer())
    torch.testing.assert_close(loaded(*arguments), module(*arguments))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", CASES)
def test_traced_by_torch_for_minits(name: str) -> None:
    module, arguments = of(name)
    loaded = read_by_minits(torch.jit.trace(module, arguments))
    torch.testing.assert_close(loaded(*arguments), module(*arguments))


@pytest.mark.parametrize("name", CASES)
def test_frozen_by_minits_for_torch(name: str) -> None:
    module, arguments = of(name)
    frozen = minits.freeze(minits.script(module, dialect="extended"))
    loaded = read_by_torch(frozen.save_to_buffer())
    torch.testing.assert_close(loaded(*arguments), module(*arguments))


REFUSED_BY_TORCH = {"CastMask": "it knows no cast", "UntypedMask": "it cannot save the default"}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [name for name in CASES if name not in REFUSED_BY_TORCH])
def test_frozen_by_torch_for_minits(name: str) -> None:
    module, arguments = of(name)
    loaded = read_by_minits(torch.jit.freeze(torch.jit.script(module)))
    torch.testing.assert_close(loaded(*arguments), module(*arguments))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", CASES)
def test_traced_and_frozen(name: str) -> None:
    module, arguments = of(name)
    ours = read_by_torch(minits.freeze(minits.trace(module, arguments)).save_to_buffer())
    torchs = read_by_minits(torch.jit.freeze(torch.jit.trace(module, arguments)))
    for loaded in (ours, torchs):
        torch.testing.assert_close(loaded(*arguments), module(*arguments))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_traced_functions(name: str) -> None:
    function, arguments = getattr(fused, name), FUNCTIONS[name]
    for loaded in (
        read_by_torch(minits.trace(function, arguments).save_to_buffer()),
        read_by_minits(torch.jit.trace(function, arguments)),
    ):
        torch.testing.assert_close(loaded(*arguments), function(*arguments))


# ---- optimize_for_inference ----------------------------------------------------------------------

CONVOLUTIONS = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU()).eval()
IMAGES = torch.randn(1, 1, 5, 5)


def test_what_minits_optimized_is_read_by_torch() -> None:
    optimized = minits.optimize_for_inference(minits.script(CONVOLUTIONS))
    loaded = read_by_torch(optimized.save_to_buffer())
    torch.testing.assert_close(loaded(IMAGES), CONVOLUTIONS(IMAGES))


def test_what_torch_optimized_is_read() -> None:
    net = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Dropout()).eval()
    loaded = read_by_minits(torch.jit.optimize_for_inference(torch.jit.script(net)))
    torch.testing.assert_close(loaded(torch.ones(2, 3)), net(torch.ones(2, 3)))


def test_weights_that_torch_does_not_write_are_missed() -> None:
    optimized = torch.jit.optimize_for_inference(torch.jit.script(CONVOLUTIONS))
    with pytest.raises(minits.ArchiveError, match=r"a weight is lost.*\n(.*\n)*help: take the mod"):
        read_by_minits(optimized)
    with pytest.raises(minits.CompileError, match=r"a weight is lost"):
        minits.script(optimized)
