"""Operators on tensors whose sizes depend on data are fused, and give what eager gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import minits


def area(boxes: Tensor) -> Tensor:
    return (boxes[:, 2] - boxes[:, 0]).clamp(min=0) * (boxes[:, 3] - boxes[:, 1]).clamp(min=0)


def overlaps(box: Tensor, boxes: Tensor) -> Tensor:
    left = torch.max(box[:2], boxes[:, :2])
    right = torch.min(box[2:], boxes[:, 2:])
    extent = (right - left).clamp(min=0)
    inter = extent[:, 0] * extent[:, 1]
    union = area(box.unsqueeze(0)) + area(boxes) - inter
    return inter / union.clamp(min=1e-9)


def suppressed(boxes: Tensor, scores: Tensor, threshold: float):
    order = torch.argsort(scores, descending=True)
    keep: list[int] = []
    while order.numel() > 0:
        best = int(order[0])
        keep.append(best)
        rest = order[1:]
        order = rest[overlaps(boxes[best], boxes[rest]) <= threshold]
    return torch.tensor(keep, dtype=torch.int64)


def chosen(x: Tensor, scores: Tensor, threshold: float):
    y = x[scores > threshold] * 2 + 1
    z = torch.masked_select(x, x > threshold)
    return y.relu() * 3, z.sigmoid() + z * 2


def counted(x: Tensor, scores: Tensor, threshold: float):
    values, counts = torch.unique(x > threshold, return_counts=True)
    weights = counts.float() / counts.sum() + 1
    return values, weights * weights.exp()


def boxes(n: int) -> tuple[Tensor, Tensor, float]:
    drawn = torch.rand(n, 4, generator=torch.Generator().manual_seed(n)) * 10
    drawn[:, 2:] += drawn[:, :2]
    return drawn, torch.linspace(0, 1, n), 0.3


@pytest.mark.parametrize("program", [suppressed, chosen, counted], ids=lambda each: each.__name__)
@pytest.mark.parametrize("first", [2, 9])
def test_what_data_select_is_fused(program: Callable[..., Any], first: int) -> None:
    compiled = minits.script(program)
    for n in (first, first, 9, 2, 30, 1, 0, 9):
        torch.testing.assert_close(compiled(*boxes(n)), program(*boxes(n)))
    remarks = compiled.remarks(*boxes(first))
    assert [each for each in remarks if each.code == "fused"]
    assert not [each for each in remarks if each.code == "unknown-type"]
