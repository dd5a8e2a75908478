"""Fused kernels as nodes of autograd: gradients of gradients, hooks, modes, what is forbidden."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.kernels.differentiated import (
    Evaluated,
    bias_gelu,
    check_gradients_of_gradients,
    fuse,
    layer_norm,
    leaves,
    lstm,
)

pytestmark = pytest.mark.usefixtures("evaluated")


# ---- Gradients of gradients ----------------------------------------------------------------------


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (bias_gelu, [(2, 3), (3,)]),
        (layer_norm, [(2, 5), (2, 5), (5,), (5,)]),
        (lstm, [(2, 8), (2, 2)]),
    ],
)
def test_gradients_of_gradients(
    function: Callable[..., Any], shapes: list[tuple[int, ...]]
) -> None:
    check_gradients_of_gradients(function, shapes)


def test_gradient_penalty_reaches_what_made_the_inputs() -> None:
    (weight,) = leaves((3,))
    bias = torch.zeros(3, dtype=torch.float64)
    x = torch.ones(2, 3, dtype=torch.float64)
    fusion = fuse(bias_gelu, x * weight, bias)

    def penalty(function: Callable[..., Tensor]) -> Tensor:
        scaled = x * weight
        result = function(scaled, bias).sum()
        (gradient,) = torch.autograd.grad(result, scaled, create_graph=True)
        return torch.autograd.grad(gradient.square().sum(), weight)[0]

    torch.testing.assert_close(penalty(lambda *values: fusion(*values)[0]), penalty(bias_gelu))


def test_what_is_linear_has_gradients_of_gradients_without_saving() -> None:
    def scaled(x: Tensor, y: Tensor) -> Tensor:
        return x * 3.0 + y

    x, y = leaves((2, 3), (3,))
    result = fuse(scaled, x, y)(x, y)[0]
    given = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    gradient = torch.autograd.grad(result, y, given, create_graph=True)[0]
    torch.testing.assert_close(gradient, torch.full_like(y, 2.0))
    (again,) = torch.autograd.grad(gradient.sum(), given)
    torch.testing.assert_close(again, torch.ones_like(given))


# ---- Modes ---------------------------------------------------------------------------------------


def test_without_grad_mode_the_kernel_is_called() -> None:
    x, bias = leaves((3, 4), (4,))
    fusion = fuse(bias_gelu, x, bias)
    with torch.no_grad():
        assert not fusion(x, bias)[0].requires_grad
    with torch.inference_mode():
        assert fusion(x, bias)[0].is_inference()
    assert not fusion(x.detach(), bias.detach())[0].requires_grad
    assert fusion(x.detach(), bias)[0].requires_grad
    assert Evaluated.launches == 4


def test_hooks_are_called() -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x, bias)[0]
    seen: list[Tensor] = []
    result.register_hook(lambda gradient: gradient * 2)
    bias.register_hook(seen.append)
    result.sum().backward()
    expected = torch.autograd.grad(2 * bias_gelu(x, bias.detach()).sum(), x)[0].sum(0)
    torch.testing.assert_close(seen, [expected])


def test_what_eager_saves_must_not_be_changed() -> None:
    def product(x: Tensor, y: Tensor) -> Tensor:
        return x * y * 2.0

    x, y = leaves((3, 4), (4,))
    result = fuse(product, x, y)(x, y)[0]
    with torch.no_grad():
        x.add_(1.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.sum().backward()


def test_what_operators_would_read_for_gradients_of_gradients_may_be_changed() -> None:
    x, bias = leaves((3, 4), (4,))
    expected = torch.autograd.grad(bias_gelu(x, bias).sum(), [x, bias], create_graph=True)
    second = torch.autograd.grad(expected[0].sin().sum(), [x, bias])
    result = fuse(bias_gelu, x, bias)(x, bias)[0].sum()
    with torch.no_grad():
        x.add_(1.0)
    found = torch.autograd.grad(result, [x, bias], retain_graph=True)
    torch.testing.assert_close(found, expected)
    found = torch.autograd.grad(result, [x, bias], create_graph=True)
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(torch.autograd.grad(found[0].sin().sum(), [x, bias]), second)


def test_what_no_gradient_reads_may_be_changed() -> None:
    def scaled(x: Tensor, y: Tensor) -> Tensor:
        return x * 3.0 + y

    x, y = leaves((2, 3), (3,))
    result = fuse(scaled, x, y)(x, y)[0]
    with torch.no_grad():
        x.add_(1.0)
    result.sum().backward()
    torch.testing.assert_close(x.grad, torch.full_like(x, 3.0))


def test_second_backward_is_refused_as_in_eager() -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x, bias)[0].sum()
    result.backward()
    with pytest.raises(RuntimeError, match="second time"):
        result.backward()


def test_saved_tensors_are_packed_by_hooks() -> None:
    x, bias = leaves((3, 4), (4,))
    packed: list[Tensor] = []

    def pack(tensor: Tensor) -> Tensor:
        packed.append(tensor)
        return tensor.clone()

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        result = fuse(bias_gelu, x, bias)(x, bias)[0]
    assert len(packed) == 3  # x and bias, for gradients of gradients, and their sum
    result.sum().backward()
    torch.testing.assert_close(x.grad, torch.autograd.grad(bias_gelu(x, bias).sum(), x)[0])


def test_nothing_is_kept_alive() -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x * 1.0, bias)[0]
    node = weakref.ref(result.grad_fn)
    gc.disable()
    try:
        del result
        assert node() is None
    finally:
        gc.enable()


def test_transforms_run_unfused() -> None:
    x, bias = leaves((3, 4), (4,))
    fusion = fuse(bias_gelu, x, bias)

    def total(x: Tensor, bias: Tensor) -> Tensor:
        return fusion(x, bias)[0].sum()

    found = torch.func.grad(total, argnums=1)(x.detach(), bias.detach())
    torch.testing.assert_close(found, torch.autograd.grad(bias_gelu(x, bias).sum(), bias)[0])
    each = torch.func.vmap(lambda row: fusion(row, bias)[0])(x)
    torch.testing.assert_close(each, bias_gelu(x, bias))
    _, tangent = torch.func.jvp(total, (x, bias), (torch.ones_like(x), torch.zeros_like(bias)))
    torch.testing.assert_close(tangent, torch.autograd.grad(bias_gelu(x, bias).sum(), x)[0].sum())
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x.detach(), torch.ones_like(x))
        result = torch.autograd.forward_ad.unpack_dual(fusion(dual, bias.detach())[0])
        torch.testing.assert_close(result.tangent.sum(), tangent)
    assert Evaluated.launches == 0


def test_autocast_runs_unfused() -> None:
    x, bias = leaves((3, 4), (4,), dtype=torch.float32)
    fusion = fuse(bias_gelu, x, bias)
    with torch.autocast("cpu"):
        fusion(x, bias)
        assert Evaluated.launches == 0
    result = fusion(x, bias)[0].sum()
    with torch.autocast("cpu"):
        found = torch.autograd.grad(result, x, create_graph=True)
    torch.testing.assert_close(found, torch.autograd.grad(bias_gelu(x, bias).sum(), x))


def test_batched_gradients_are_computed_unfused() -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x, bias)[0]
    given = torch.randn(5, 3, 4, dtype=torch.float64)
    found = torch.autograd.grad(result, [x, bias], given, is_grads_batched=True)
    expected = torch.autograd.grad(bias_gelu(x, bias), [x, bias], given, is_grads_batched=True)
    torch.testing.assert_close(found, expected)
