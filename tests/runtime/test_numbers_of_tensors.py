"""Numbers of tensors that are complex where TorchScript takes them for floats, beside kernels."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

import minits


def scaled(w: Tensor, x: Tensor) -> Tensor:
    k = x.item() / 2
    return torch.sigmoid(w * k) * k


def scaled_in_a_loop(w: Tensor, x: Tensor) -> Tensor:
    found = []
    for i in range(3):
        found.append(torch.exp(w * (x.item() / (i + 1))) + 1.0)
    return torch.cat(found)


def scaled_after_a_product(w: Tensor, x: Tensor) -> Tensor:
    k = x.item() / 2
    square = torch.mm(w.unsqueeze(1), w.unsqueeze(0))
    return torch.tanh(square * k) * k + square


def added_to(w: Tensor, x: Tensor) -> Tensor:
    k = x.item() / 2
    w.add_(1.0)
    return torch.sigmoid(w * k) * k


@pytest.mark.parametrize("function", [scaled, scaled_in_a_loop, scaled_after_a_product])
@pytest.mark.parametrize("needs_grad", [False, True])
@pytest.mark.parametrize("is_complex_first", [False, True])
def test_a_complex_quotient_gives_pythons_result(
    function: Callable[[Tensor, Tensor], Tensor], needs_grad: bool, is_complex_first: bool
) -> None:
    numbers = [torch.tensor(2.0), torch.tensor(2 + 1j), torch.tensor(3)]
    if is_complex_first:
        numbers.reverse()
        numbers.insert(0, torch.tensor(1 - 1j))
    compiled = minits.script(function)
    for size in (4, 4, 5):
        for x in numbers:
            w = torch.rand(size, requires_grad=needs_grad)
            expected = function(w, x)
            for _ in range(3):
                found = compiled(w, x)
                assert found.dtype == expected.dtype
                torch.testing.assert_close(found, expected)
            if needs_grad:
                gradients = [torch.autograd.grad(y.abs().sum(), w)[0] for y in (found, expected)]
                torch.testing.assert_close(*gradients)


def test_a_program_that_must_not_run_again_says_why() -> None:
    compiled = minits.script(added_to)
    for _ in range(3):
        compiled(torch.rand(4), torch.tensor(2.0))
    w = torch.zeros(4)
    with pytest.raises(TypeError, match="complex where TorchScript takes it for a float"):
        compiled(w, torch.tensor(2 + 1j))
    assert w.tolist() == [1.0] * 4
