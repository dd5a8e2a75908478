"""Gradients of gradients where something is changed in place, between any two of them.

Eager decides: where it computes gradients, they are the same, and where it raises, it is raised
here. Kernels are built. Programs are called with results of other operators, which autograd lets
one change; each input and output in turn is changed before each gradient in turn.
"""

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from tests.kernels.test_eager_saves import PROGRAMS, layer_norm


def rectified(x: Tensor, y: Tensor) -> Tensor:
    """Its second gradients are zero, and there are some."""
    return torch.relu(x * 2.0) * 3.0 + F.leaky_relu(y * 2.0, 0.25)


def sines(x: Tensor, y: Tensor) -> Tensor:
    return torch.sin(torch.sin(x * 2.0)) * torch.cos(y + 1.0)


def product(x: Tensor, y: Tensor) -> Tensor:
    return (x * y).sigmoid() * (x + y)


def variance(x: Tensor, y: Tensor) -> Tensor:
    return (x * 2.0 + y).var(-1) * 3.0


def logarithms(x: Tensor, y: Tensor) -> Tensor:
    return F.log_softmax(x * 0.5 + y, -1) * 2.0


def parts(x: Tensor, y: Tensor) -> Tensor:
    a, b = (x + y).chunk(2, -1)
    return torch.sin(a * 2.0) * torch.tanh(b + 1.0)


def turned(x: Tensor, y: Tensor) -> Tensor:
    return torch.exp(x.t() * 2.0) + torch.sin(y * 3.0).unsqueeze(1)


def scanned(x: Tensor, y: Tensor) -> Tensor:
    return torch.cumsum(torch.sin(x * 2.0), -1) * (y + 1.0)


def shared(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    t = torch.tanh(x * 2.0)
    return t, torch.sigmoid(t + y)


def with_a_number(x: Tensor, y: Tensor, s: float = 0.5) -> Tensor:
    return torch.sin(x * s) * torch.clamp(y, -1.0, s)


def joined(x: Tensor, y: Tensor) -> Tensor:
    return torch.cat([torch.sin(x * 2.0), torch.exp(x + y)], -1)


ALL = [
    *PROGRAMS, rectified, sines, product, variance, logarithms, parts, turned, scanned, shared,
    with_a_number, joined,
]  # fmt: skip
SECOND = [layer_norm]
"""Programs of which eager's third gradient is another: that of `layer_norm` takes the mean and the
deviation, which its second one reads, for numbers that nothing depends on."""
Outcome = list[Any]
"""The gradients of each order, and the first words of the error that ended them."""


def outcome(
    function: Callable[..., Any], changed: str, at: int, order: int, recorded: bool, linear: bool
) -> Outcome:
    """Return gradients up to an order; before number `at` of them a tensor is changed.

    `recorded` tells whether gradients of the change are, `linear` whether the gradients that are
    given depend on nothing.
    """
    torch.manual_seed(0)
    leaves = [torch.randn(shape, dtype=torch.float64).requires_grad_() for shape in ((3, 4), (4,))]
    tensors = {name: leaf * 1.0 for name, leaf in zip("xy", leaves, strict=True)}
    made = function(*tensors.values())
    results = made if isinstance(made, tuple) else (made,)
    tensors |= {str(number): result for number, result in enumerate(results)}
    total = sum(_weighted(result) if linear else _weighted(result.sin()) for result in results)
    found: Outcome = []
    try:
        for number in range(order):
            if number == at and changed in tensors:
                with torch.set_grad_enabled(recorded):
                    tensors[changed].mul_(3.0)
            if not total.requires_grad:
                return found
            is_last = number == order - 1
            gradients = torch.autograd.grad(
                total, leaves, create_graph=not is_last, materialize_grads=True
            )
            found.append(gradients)
            total = sum(_weighted(gradient.sin()) for gradient in gradients)
    except RuntimeError as fault:
        found.append(str(fault).split(":")[0])
    return found


def check_outcome(found: Outcome, expected: Outcome, what: Any) -> None:
    """Compare outcomes; eager's may have fewer gradients."""
    assert len(found) >= len(expected), what
    for mine, eager in zip(found, expected, strict=False):
        if isinstance(eager, str):
            assert mine == eager, what
        else:
            torch.testing.assert_close(mine, eager, rtol=1e-6, atol=1e-8)


def _weighted(x: Tensor) -> Tensor:
    return (x * torch.linspace(-1, 1, x.numel(), dtype=x.dtype).view_as(x)).sum()


@pytest.mark.one_in(61, over="")
@pytest.mark.parametrize("changed", ["none", "x", "y", "0", "1"])
@pytest.mark.parametrize("function", ALL)
def test_what_is_changed_between_gradients(function: Callable[..., Any], changed: str) -> None:
    script = minits.script(function)
    for order in (2,) if function in SECOND else (2, 3):
        for at in range(order):
            for recorded, linear in ((False, False), (True, False), (False, True)):
                what = changed, at, order, recorded, linear
                expected = outcome(function, *what)
                for _ in range(2):
                    found = outcome(script, *what)
                    for zeros in found[len(expected) :]:  # eager tells what has no more of them
                        assert not any(gradient.any() for gradient in zeros), what
                    check_outcome(found, expected, what)
