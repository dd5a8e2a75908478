"""Loops over elements of tensors run as C, in a plan, and do what eager and torch.jit do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from examples.elements import time_warping
from tests.support.native_loops import compiled, loops_of, told
from tests.support.needs import need_compiler

need_compiler()


def warped_tensors(a: Tensor, b: Tensor) -> Tensor:
    cost = torch.full([len(a) + 1, len(b) + 1], float("inf"), dtype=a.dtype)
    cost[0, 0] = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            d = (a[i] - b[j]).abs()
            least = torch.min(cost[i, j + 1], torch.min(cost[i + 1, j], cost[i, j]))
            cost[i + 1, j + 1] = d + least
    return cost


def suppressed(boxes: Tensor, scores: Tensor, threshold: float) -> list[int]:
    order = torch.argsort(scores, descending=True)
    keep: list[int] = []
    removed = torch.zeros(boxes.size(0), dtype=torch.bool)
    for i in range(order.size(0)):
        a = int(order[i])
        if bool(removed[a]):
            continue
        keep.append(a)
        for j in range(i + 1, order.size(0)):
            b = int(order[j])
            width = min(float(boxes[a, 2]), float(boxes[b, 2])) - max(
                float(boxes[a, 0]), float(boxes[b, 0])
            )
            height = min(float(boxes[a, 3]), float(boxes[b, 3])) - max(
                float(boxes[a, 1]), float(boxes[b, 1])
            )
            inter = max(0.0, width) * max(0.0, height)
            area = float(boxes[a, 2] - boxes[a, 0]) * (boxes[a, 3] - boxes[a, 1]).item()
            other = (boxes[b, 2] - boxes[b, 0]).item() * float(boxes[b, 3] - boxes[b, 1])
            if inter / (area + other - inter) > threshold:
                removed[b] = True
    return keep


def best_path(emissions: Tensor, transitions: Tensor) -> tuple[list[int], float]:
    steps, states = emissions.shape[0], emissions.shape[1]
    score = emissions.clone()
    back = torch.zeros([steps, states], dtype=torch.long)
    for t in range(1, steps):
        for j in range(states):
            best, at = float(score[t - 1, 0]) + float(transitions[0, j]), 0
            for i in range(1, states):
                s = float(score[t - 1, i]) + float(transitions[i, j])
                if s > best:
                    best, at = s, i
            score[t, j] = best + float(emissions[t, j])
            back[t, j] = at
    last = 0
    for j in range(1, states):
        if score[-1, j] > score[-1, last]:
            last = j
    path = [last]
    for t in range(steps - 1, 0, -1):
        last = int(back[t, last].item())
        path.append(last)
    path.reverse()
    return path, float(score[-1, path[-1]])


def counted(x: Tensor, bins: Tensor, low: float, high: float) -> Tensor:
    """Elements of `x` between bounds, by the bin that they fall into."""
    n = bins.shape[0]
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            v = float(x[i, j])
            if low <= v and v < high:
                bins[int((v - low) / (high - low) * n)] += 1
    return bins


def swept(x: Tensor, n: int) -> Tensor:
    """A sweep that reads what it has written, with negative indices."""
    for k in range(n):
        for i in range(1, x.size(0)):
            x[-i] = x[-i - 1] * 0.5 + x[i - 1] / 3.0 - x[0]
            x[i] *= 2
        x[k % 3] += 1.5
    return x


def beyond(x: Tensor, n: int) -> float:
    total = 0.0
    for i in range(n):
        total += float(x[i, -1]) + float(x[0, 2 - i])
    return total


def rounded(x: Tensor) -> int:
    total = 0
    for i in range(len(x)):
        total += int(x[i])
    return total


def flagged(x: Tensor, flags: Tensor) -> tuple[int, Tensor]:
    count = 0
    for i in range(x.numel() if x.dim() == 1 else len(x)):
        flags[i] = x[i] > 0
        if bool(x[i] != 0) and x[i] >= x[0]:
            count += 1
        if flags[i]:
            count += 10
    return count, flags


def greatest(x: Tensor) -> tuple[int, float]:
    """An element that a loop carries, a view of `x` to the program."""
    best, at = x[0], 0
    for i in range(1, len(x)):
        if bool(x[i] > best):
            best, at = x[i], i
    return at, float(best) + 1.0


def chosen(x: Tensor, y: Tensor, n: int) -> int:
    count = 0
    for i in range(n):
        v = x[i] if i % 2 == 0 else y[i]
        w = v * 2
        if float(v) < 0.0:
            w = -v
        if w > y[0]:
            count += 1
    return count


def implicit(n, m: int) -> int:  # type: ignore[no-untyped-def]
    total = 0
    for i in range(m):
        total += n * i
    return total


def by_dtype(x: Tensor, k: Tensor) -> int:
    count = 0
    for i in range(len(x)):
        if x[i].dtype == k[0].dtype or k.dim() == 2:
            count += x.dim()
        elif x[i].dtype == torch.float32 and x.shape[0] > 2:
            count += 10
    return count


torch.manual_seed(0)
X = torch.randn(7)
BOXES = torch.rand(30, 4) + torch.tensor([0.0, 0.0, 1.0, 1.0])
CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (time_warping, (torch.randn(9), torch.randn(8))),
    (time_warping, (torch.randn(18)[::2], torch.randn(8, dtype=torch.float64))),
    (time_warping, (torch.arange(9), torch.arange(8, dtype=torch.int32))),
    (warped_tensors, (torch.randn(9), torch.randn(8))),
    (warped_tensors, (torch.randn(5, dtype=torch.float64), torch.randn(3, dtype=torch.float64))),
    (warped_tensors, (torch.tensor([1.0, float("nan"), -0.0]), torch.tensor([0.0, -0.0]))),
    (suppressed, (BOXES, torch.rand(30), 0.3)),
    (suppressed, (BOXES.t().contiguous().t(), torch.rand(30), 0.1)),
    (best_path, (torch.randn(12, 5), torch.randn(5, 5))),
    (counted, (torch.randn(5, 6), torch.zeros(4), -1.0, 1.0)),
    (counted, (torch.randn(6, 5).t(), torch.zeros(8)[1::2], -1.0, 1.0)),
    (counted, (torch.randn(5, 6), torch.zeros(4, dtype=torch.long), -1.0, 1.0)),
    (swept, (X.clone(), 4)), (swept, (X.double(), 4)), (swept, (torch.randn(14)[1::2], 3)),
    (beyond, (torch.randn(4, 3), 3)), (beyond, (torch.randn(4, 3), 6)),
    (beyond, (torch.randn(2, 3), 4)), (beyond, (torch.randn(4, 1).expand(4, 3), 4)),
    (rounded, (torch.tensor([1.5, -2.7]),)), (rounded, (torch.tensor([1.5, float("nan")]),)),
    (rounded, (torch.tensor([3, 2**62]),)), (rounded, (torch.tensor([True, False]),)),
    (rounded, (torch.tensor([1e19], dtype=torch.float64),)),
    (flagged, (torch.tensor([0.0, -1.0, float("nan"), 2.0]), torch.zeros(4, dtype=torch.bool))),
    (implicit, (torch.tensor(2), 3)),
    (by_dtype, (torch.randn(3), torch.arange(3))), (by_dtype, (torch.ones(3), torch.ones(1))),
    (greatest, (torch.randn(9),)), (greatest, (torch.tensor([3, 9, -1]),)),
    (chosen, (torch.randn(7), torch.randn(7), 7)), (chosen, (torch.randn(7), torch.randn(7), 8)),
    (flagged, (torch.tensor([0, -1, 5]), torch.zeros(3, dtype=torch.bool))),
]  # fmt: skip


@pytest.mark.one_in(8, over="")
@pytest.mark.parametrize(
    ("function", "values"), CALLS, ids=[f"{f.__name__}{i}" for i, (f, _) in enumerate(CALLS)]
)
def test_agrees(function: Callable[..., Any], values: tuple[Any, ...], monkeypatch: Any) -> None:
    native = compiled(function, "now", monkeypatch)
    told(function, native, values)
    found = told(function, native, values)
    reports = [line for loop in loops_of(native, values) for line in loop.report()]
    assert any(line.endswith("runs as C") for line in reports)
    python = compiled(function, "off", monkeypatch)
    told(function, python, values)
    assert found == told(function, python, values)
    assert not loops_of(python, values)
    theirs = told(function, torch.jit.script(function), values)
    assert (len(theirs) == 2) == (len(found) == 2)
    assert len(found) > 2 or found == theirs
