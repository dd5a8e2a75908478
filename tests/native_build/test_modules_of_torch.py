"""Modules of torch with much logic as libraries, and what they ask tensors for."""

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.native.function import NativeFunction
from tests.support.native_libraries import library
from tests.support.needs import need_compiler

need_compiler()


def encoder(is_training: bool) -> nn.Module:
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
    return nn.TransformerEncoder(layer, 2).train(is_training)


@pytest.mark.slow
@pytest.mark.parametrize("is_training", [False, True])
@pytest.mark.filterwarnings("ignore:enable_nested_tensor", "ignore:The PyTorch API of nested")
def test_an_encoder_of_transformers(is_training: bool) -> None:
    """In training it does not go the way that fuses a layer."""
    module, x = encoder(is_training), torch.randn(3, 7, 16)
    model, script = library(module), torch.jit.script(module)
    padding = torch.zeros(3, 7, dtype=torch.bool)
    padding[0, 5:] = True
    with torch.no_grad():
        for given in ((x,), (x, None, padding), (x, torch.ones(7, 7).triu(1).bool())):
            assert torch.allclose(model(*given), script(*given), atol=1e-5)


def asked(x: Tensor, y: Tensor) -> tuple[bool, bool, str, bool, bool, bool]:
    z = y
    if x.dim() > 1:
        z = x
    same = x.contiguous()
    return x.requires_grad, x.is_nested, x.device.type, z is x, same is not x, x is y


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_what_tensors_are_asked() -> None:
    script = torch.jit.script(asked)
    native, model = NativeFunction(minits.script(asked).graph, "asked"), library(asked)
    leaf = torch.ones(2, 3, requires_grad=True)
    for x in (torch.ones(3), torch.tensor(1), leaf, leaf * 2, leaf.t(), leaf.detach()):
        for y in (x, torch.ones(1)):
            for is_enabled in (True, False):
                with torch.set_grad_enabled(is_enabled):
                    assert native(x, y) == model.asked(x, y) == script(x, y)
                    assert torch.is_grad_enabled() is is_enabled
    nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
    assert library(is_nested).is_nested(nested)


def counted(x: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    y = torch.arange(n, device=x.device, dtype=x.dtype)
    return y + torch.arange(1, 2 * n, 2, device=x.device), x**2, (x > 0) ** 2


def test_tensors_that_are_counted_are_on_the_device_of_others() -> None:
    model, script = library(counted), torch.jit.script(counted)
    for x in (torch.randn(1000), torch.arange(-3, 3), torch.randn(7).double()):
        for found, expected in zip(model.counted(x, 5), script(x, 5), strict=True):
            assert found.dtype == expected.dtype
            assert torch.equal(found, expected)


def is_nested(x: Tensor) -> bool:
    return x.is_nested
