"""Writes to what is saved, through masks, lists, branches, loops and names: errors as in eager.

Kernels are built: programs whose writes stay run in several of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

import minits


def mask(x: Tensor, y: Tensor):
    m = x > 0.5
    r = torch.where(m, x * 2.0, y)
    m.logical_not_()
    return r, m * 1.0


def mask_of_fill(x: Tensor, y: Tensor):
    m = y > 0.5
    r = (x * 2.0).masked_fill(m, 0.5)
    m.logical_not_()
    return r, m * 1.0


def in_a_loop(x: Tensor, y: Tensor):
    h = x * 2.0
    for i in range(y.size(0)):
        r = torch.sin(h)
        h.add_(r)
    return h * 2.0, h


def in_a_branch(x: Tensor, y: Tensor):
    h = x * 2.0
    r = torch.exp(h)
    if y.size(0) > 2:
        r.add_(1.0)
    return r * 2.0, h


def read_in_a_branch(x: Tensor, y: Tensor):
    h = x * 2.0
    r = y
    if y.size(0) > 2:
        r = F.silu(h)
    h.add_(1.0)
    return r * 2.0, h


def in_a_list(x: Tensor, y: Tensor):
    h = x * 2.0
    both = [h, y]
    r = torch.sin(both[0])
    both[0].add_(1.0)
    return r * 2.0, h


def joined(x: Tensor, y: Tensor):
    """`cat` saves no tensors."""
    h = x * 2.0
    r = torch.cat([h, y])
    h.add_(1.0)
    return r * 2.0, h


def of_another_operator(x: Tensor, y: Tensor):
    h = x * 2.0
    r = torch.matmul(h, torch.sin(y))
    h.add_(1.0)
    return r * 2.0, h


def unrecorded(x: Tensor, y: Tensor):
    h = x * 2.0
    r = torch.exp(h)
    with torch.no_grad():
        r.add_(1.0)
    return r * h, h


def by_a_detached_view(x: Tensor, y: Tensor):
    r = torch.exp(x * 2.0)
    r.detach().mul_(2.0)
    return r * y, r


def grown_by_a_view(x: Tensor, y: Tensor):
    h = torch.zeros_like(y)
    h[0].add_(x[0])
    k = h * 2.0
    r = torch.sin(k)
    k.add_(1.0)
    return r * y, k


def by_another_name(x: Tensor, y: Tensor):
    h = torch.zeros_like(y)
    same = h.mul_(1.0)
    same.add_(x)
    k = h * 2.0
    r = torch.sin(k)
    k.add_(1.0)
    return r * y, k


def masked_by_a_buffer(x: Tensor, y: Tensor):
    """The product saves `y` alone where that needs no gradient."""
    h = x * 2.0
    r = h * y
    h.add_(r)
    return torch.tanh(h) * 2.0, r


def written_again(x: Tensor, y: Tensor):
    h = F.elu(x * 2.0, inplace=True)
    h.mul_(0.5).add_(y)
    return h, h * 2.0


def outcomes(program: Callable[..., Any], both: bool) -> list[Any]:
    torch.manual_seed(0)
    leaves = [torch.rand(3, 3, requires_grad=True), torch.rand(3, 3, requires_grad=both)]
    wanted = [leaf for leaf in leaves if leaf.requires_grad]
    found: list[Any] = []
    for result in program(*leaves):
        found.append(result)
        try:
            found += torch.autograd.grad(result.sum(), wanted, None, True, allow_unused=True)
        except RuntimeError as error:
            found.append(str(error).split(":")[0])
    return found


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "program",
    [
        mask, mask_of_fill, in_a_loop, in_a_branch, read_in_a_branch, in_a_list, joined,
        of_another_operator, unrecorded, by_a_detached_view, grown_by_a_view, by_another_name,
        masked_by_a_buffer, written_again,
    ],
)  # fmt: skip
def test_errors_and_gradients_are_those_of_eager(program: Callable[..., Any]) -> None:
    script = minits.script(program)
    for both in (True, False, True):
        for mine, theirs in zip(outcomes(script, both), outcomes(program, both), strict=True):
            if isinstance(mine, Tensor) and isinstance(theirs, Tensor):
                torch.testing.assert_close(mine, theirs)
            else:
                assert mine == theirs
