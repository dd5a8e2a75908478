"""Fused kernels under autograd: gradients are eager's.

Kernels are worked out with numpy here, but for the last tests, which build them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from examples import fused as examples
from minits.kernels.cpu.c_build import NoCompiler
from minits.kernels.fused_kernel import FusedKernel
from minits.kernels.gradients import autograd
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.records import replace
from tests.kernels.differentiated import (
    PROGRAMS,
    Evaluated,
    bias_gelu,
    check,
    fuse,
    layer_norm,
    leaves,
    masked_softmax,
    use,
)

pytestmark = pytest.mark.usefixtures("evaluated")


@pytest.mark.parametrize(
    ("function", "arguments"), [pytest.param(*each, id=each[0].__name__) for each in PROGRAMS]
)
def test_gradients_are_eagers(
    function: Callable[..., Any], arguments: Callable[[], list[Any]]
) -> None:
    fusion = check(function, *arguments())
    assert not fusion.refusals


def test_numbers_have_no_gradient() -> None:
    scores, mask = leaves((2, 3, 4), (2, 1, 4))
    check(masked_softmax, scores, 1.5, mask)


@pytest.mark.parametrize("wanted", [(True, False), (False, True)])
def test_only_inputs_that_require_gradients_get_them(wanted: tuple[bool, bool]) -> None:
    x, bias = leaves((3, 4), (4,))
    x.requires_grad_(wanted[0])
    bias.requires_grad_(wanted[1])
    check(bias_gelu, x, bias)


def test_gradients_in_float32_and_bfloat16() -> None:
    check(bias_gelu, *leaves((3, 4), (4,), dtype=torch.float32))
    check(bias_gelu, *leaves((3, 4), (4,), dtype=torch.bfloat16), rtol=0.02, atol=0.02)


def test_sizes_of_zero_and_one() -> None:
    x, bias = leaves((1, 4), (4,))
    check(bias_gelu, x, bias)
    x, bias = leaves((0, 4), (4,))
    check(bias_gelu, x, bias)


def test_zero_dimensional_inputs() -> None:
    x, bias = leaves((), ())
    check(bias_gelu, x, bias)
    x, bias = leaves((3, 2), ())
    check(bias_gelu, x, bias)


def steps(x: Tensor, y: Tensor) -> Tensor:
    return x.floor() + y.detach() * y


def test_gradient_of_steps_is_zero() -> None:
    check(steps, *leaves((3,), (3,)))


def test_gradients_that_are_given_are_not_computed() -> None:
    def total(x: Tensor, bias: Tensor) -> Tensor:
        return x + bias

    x, bias = leaves((3, 4), (4,))
    given = torch.randn(3, 4, dtype=torch.float64)
    found = torch.autograd.grad(fuse(total, x, bias)(x, bias), [x, bias], given)
    torch.testing.assert_close(found, (given, given.sum(0)))
    assert Evaluated.launches == 1


def test_other_shapes_of_the_same_kernel() -> None:
    fusion = check(layer_norm, *leaves((2, 3, 5), (2, 3, 5), (5,), (5,)))
    arguments = leaves((4, 2, 5), (4, 2, 5), (5,), (5,))
    found = torch.autograd.grad(fusion(*arguments)[0].sum(), arguments)
    expected = torch.autograd.grad(layer_norm(*arguments).sum(), arguments)
    torch.testing.assert_close(found, expected)


# ---- Some of the gradients -----------------------------------------------------------------------


def test_outputs_without_a_gradient_are_not_gone_through() -> None:
    def function(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return x * 2.0, torch.exp(x) * y

    x, y = leaves((3,), (3,))
    fuse(function, x, y)(x, y)[0].sum().backward()
    assert y.grad is None
    torch.testing.assert_close(x.grad, torch.full_like(x, 2.0))


def test_gradients_of_some_inputs() -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x, bias)[0].sum()
    expected = torch.autograd.grad(bias_gelu(x, bias).sum(), bias)
    torch.testing.assert_close(torch.autograd.grad(result, bias), expected)


def test_gradients_add_up_over_calls() -> None:
    x, bias = leaves((3, 4), (4,))
    fusion = fuse(bias_gelu, x, bias)
    fusion(fusion(x, bias)[0], bias)[0].sum().backward()
    expected = torch.autograd.grad(bias_gelu(bias_gelu(x, bias), bias).sum(), [x, bias])
    torch.testing.assert_close([x.grad, bias.grad], list(expected))


def test_one_tensor_for_two_inputs() -> None:
    (x,) = leaves((3, 3))
    fusion = fuse(examples.swiglu, x, x)
    found = torch.autograd.grad(fusion(x, x)[0].sum(), x)
    torch.testing.assert_close(found, torch.autograd.grad((F.silu(x) * x).sum(), x))


# ---- What kernels cannot do ----------------------------------------------------------------------


def test_gradient_runs_unfused_where_its_kernel_cannot_be_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x, bias)[0]

    def refuse(self: Evaluated, *values: Any) -> Any:
        raise NoCompiler("there is no compiler")

    monkeypatch.setattr(Evaluated, "bind", refuse)
    result.sum().backward()
    expected = torch.autograd.grad(bias_gelu(x, bias).sum(), [x, bias])
    torch.testing.assert_close([x.grad, bias.grad], list(expected))


def test_what_has_no_known_derivative_runs_unfused(monkeypatch: pytest.MonkeyPatch) -> None:
    def powers(x: Tensor, bias: Tensor) -> Tensor:
        return torch.exp(x) * bias

    x, bias = leaves((3, 4), (4,))
    monkeypatch.setitem(SCALAR_OPS, "exp", replace(SCALAR_OPS["exp"], derivative=None))
    fusion = fuse(powers, x, bias)
    result = fusion(x, bias)[0]
    torch.testing.assert_close(result, powers(x, bias))
    assert fusion.refusals == ["the derivative of exp is not known"]
    assert Evaluated.launches == 0 and result.grad_fn.name() == "MulBackward0"
    assert fusion(x.detach(), bias)[0].requires_grad
    assert Evaluated.launches == 1 and len(fusion.refusals) == 1


def test_a_reason_is_told_once_however_often_kernels_are_evicted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def powers(x: Tensor, bias: Tensor) -> Tensor:
        return torch.exp(x) * bias

    x, bias = leaves((3, 4), (4,))
    monkeypatch.setitem(SCALAR_OPS, "exp", replace(SCALAR_OPS["exp"], derivative=None))
    monkeypatch.setattr(autograd, "MOST_TRAINING_KERNELS", 1)
    monkeypatch.setattr(autograd, "MOST_CALLS", 1)
    fusion = fuse(powers, x, bias)
    for _ in range(3):
        fusion(x, bias)
        fusion(x, bias.detach())
    assert fusion.refusals == ["the derivative of exp is not known"]


# ---- Kernels that are built ----------------------------------------------------------------------


@pytest.mark.one_in(10)
@pytest.mark.parametrize(
    ("function", "arguments"), [pytest.param(*each, id=each[0].__name__) for each in PROGRAMS]
)
def test_built_kernels_have_eagers_gradients(
    function: Callable[..., Any],
    arguments: Callable[[], list[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Counted(FusedKernel):
        def bind(self, values: Sequence[Any], single: bool = False) -> Callable[..., Any]:
            return counted(super().bind(values, single))

        def bind_summing(self, values: Sequence[Any], sums: Sequence[Any]) -> tuple[Any, list[Any]]:
            launch, made = super().bind_summing(values, sums)
            return counted(launch), made

    def counted(launch: Callable[..., Any]) -> Callable[..., Any]:
        def run(*values: Any) -> Any:
            Evaluated.launches += 1
            return launch(*values)

        return run

    use(monkeypatch, Counted)
    check(function, *arguments())
    transposed = [
        x.detach().mT.contiguous().mT.requires_grad_() if x.dim() == 2 and x.requires_grad else x
        for x in arguments()
    ]
    check(function, *transposed)


def attention(q: Tensor, k: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(torch.matmul(q, k.transpose(-1, -2)) / 2.0 + mask, dim=-1)


def test_groups_of_scripts_are_nodes_of_autograd() -> None:
    """The group's first input is a result without a name."""
    arguments = leaves((2, 3, 4), (2, 3, 4), (3, 3))
    script = minits.script(attention)
    result = script(*arguments)
    assert "_Fused" in type(result.grad_fn).__name__
    given = torch.randn_like(result)
    found = torch.autograd.grad(result, arguments, given)
    expected = torch.autograd.grad(attention(*arguments), arguments, given)
    torch.testing.assert_close(found, expected)
