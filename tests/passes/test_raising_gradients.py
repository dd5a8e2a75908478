"""Operators whose gradients raise an error are in no group with those that do not lead to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits


def two(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    saved = F.elu(y * 3.0, inplace=True)
    saved.mul_(2.0)
    return saved, torch.softmax(y * -1.5 + x, dim=-1)


def by_memory(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    kept = x.detach().clone()
    kept[0] = y * 3.0
    saved = torch.exp(kept)
    saved[1:].mul_(2.0)
    return saved, torch.softmax(y * -1.5 + x, dim=-1)


def in_branch(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    saved = y * 3.0
    if x.dim() == 2:
        saved = torch.tanh(saved + 1.0)
        saved[:1].add_(2.0)
    return saved, torch.softmax(y * -1.5 + x, dim=-1)


def outcome(program: Any, asked: Sequence[str]) -> Any:
    """Return the gradients of the arguments `asked`, or the error's first words."""
    torch.manual_seed(0)
    leaves = {"x": torch.randn(3, 4, requires_grad=True), "y": torch.randn(4, requires_grad=True)}
    results = program(*leaves.values())
    total = results[0].sum() + results[1].sin().sum()
    try:
        return torch.autograd.grad(total, [leaves[name] for name in asked], allow_unused=True)
    except RuntimeError as fault:
        return str(fault).split(":")[0]


@pytest.mark.parametrize("asked", ["x", "y", "xy"])
@pytest.mark.parametrize("program", [two, by_memory, in_branch])
def test_only_gradients_that_lead_to_an_error_raise_it(program: Any, asked: str) -> None:
    expected = outcome(program, asked)
    assert isinstance(expected, str) is ("y" in asked)
    script = minits.script(program)
    for _ in range(3):
        found = outcome(script, asked)
        if isinstance(expected, str):
            assert found == expected
        else:
            torch.testing.assert_close(found, expected)


def shared(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    base = torch.tanh(y * 3.0)
    saved = F.elu(base * 2.0, inplace=True)
    saved.mul_(2.0)
    return saved, torch.sigmoid(base + x) * 2.0


@pytest.mark.parametrize("needs_gradients", [False, True])
def test_it_is_gradients_alone_that_part_kernels(needs_gradients: bool) -> None:
    script = minits.script(shared)
    arguments = [torch.randn(3, 4, requires_grad=needs_gradients) for _ in range(2)]
    for _ in range(2):
        torch.testing.assert_close(script(*arguments), shared(*arguments))
    remarks = script.remarks(*arguments)
    assert len({each.kernel for each in remarks if each.code == "fused"}) == 1 + needs_gradients
    told = [each for each in remarks if "saved for them is written to" in each.message]
    assert [each.code for each in told] == ["aliased-mutation"] * needs_gradients
