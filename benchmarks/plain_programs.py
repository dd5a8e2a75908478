"""Small programs whose time is that of calling operators: views, writes, elements, `out=`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def full_slices(x: Tensor) -> Tensor:
    return x[:, :, :, 0, :] + x[:, :, :, 1, :]


def one_select(x: Tensor) -> Tensor:
    return x.select(3, 0) + x.select(3, 1)


def last_step(x: Tensor) -> Tensor:
    return x[:, -1]


def window(x: Tensor, start: int) -> Tensor:
    return x[:, start : start + 2]


def corner(x: Tensor) -> Tensor:
    return x[1:, :-1, ::2]


def masks(x: Tensor) -> Tensor:
    y = x.clone()
    y[y > 0.5] = 0.0
    return y[:, 0][y[:, 1] > 0.2]


def gathered(x: Tensor, rows: Tensor) -> Tensor:
    return x[rows][:, rows]


def windows(x: Tensor) -> list[Tensor]:
    out: list[Tensor] = []
    for i in range(8):
        out.append(x[:, i : i + 2])
    return out


def products_of_slices(x: Tensor) -> Tensor:
    return torch.matmul(x[:, 0:4], x[:, 4:8].t()) + torch.matmul(x[:, 2:6], x[:, 3:7].t())


def scores(q: Tensor, kv: Tensor, heads: int) -> Tensor:
    n, b, h = q.size()
    d = h // heads
    q = q.contiguous().view(n, b * heads, d).transpose(0, 1) * d**-0.5
    k = kv.reshape(-1, b, heads, 2, d)[:, :, :, 0, :]
    return torch.bmm(q, k.permute(1, 2, 3, 0).reshape(b * heads, d, -1))


def written_rows(x: Tensor, n: int) -> Tensor:
    out = torch.zeros(n, 4)
    i = 0
    while i < n:
        out[i, :2] = x[i, :2]
        i += 1
    return out


def elements(x: Tensor) -> int:
    total = 0
    for v in x:
        total += int(v.item())
    return total


def updates(result: Tensor, step: Tensor, direction: Tensor, norm: Tensor, mask: Tensor) -> Tensor:
    torch.addcmul(result, step, direction, out=result)
    torch.sum(result, -2, keepdim=True, out=norm)
    torch.lt(norm, 0.1, out=mask)
    norm.masked_fill_(mask, 1)
    torch.div(step, norm, out=step)
    step.masked_fill_(mask, 0)
    return direction.mul_(step).add_(result)


def factories(x: Tensor, n: int) -> Tensor:
    positions = torch.arange(n, device=x.device)
    mask = torch.full((n, n), 1.0, device=x.device)
    return positions + mask + torch.ones(n, device=x.device, dtype=x.dtype)


def cache(key: Tensor, past: Tensor, position: int) -> Tensor:
    past[:, position : position + 1] = key
    return past[:, : position + 1]


def rotary(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    turned = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
    return x * cos[: x.shape[-2], :] + turned * sin[: x.shape[-2], :]


def boxes(b: Tensor) -> Tensor:
    area = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    left = torch.max(b[:, None, :2], b[None, :, :2])
    right = torch.min(b[:, None, 2:], b[None, :, 2:])
    size = (right - left).clamp(min=0)
    inner = size[:, :, 0] * size[:, :, 1]
    return inner / (area[:, None] + area - inner)


def greedy(scores: Tensor, n: int) -> list[int]:
    found: list[int] = []
    for i in range(n):
        found.append(int(scores[i].argmax().item()))
    return found


def numbers(x: Tensor) -> int:
    total = 0
    for v in x:
        total += int(v)
    return total


def picked(x: Tensor, n: int) -> float:
    total = 0.0
    for i in range(n):
        total += float(x[i].item())
    return total


def written_by_index(x: Tensor, rows: Tensor, values: Tensor) -> Tensor:
    out = x.clone()
    out[rows] = values
    out[:, 0] = 1.0
    return out


def messages(x: Tensor, edges: Tensor) -> Tensor:
    source, target = edges[0], edges[1]
    return torch.zeros_like(x).index_add_(0, target, x[source])


def stacked(x: Tensor) -> Tensor:
    rows: list[Tensor] = []
    for i in range(x.size(0)):
        rows.append(x[i, 1:])
    return torch.stack(rows)


def grid(x: Tensor, n: int) -> tuple[Tensor, Tensor]:
    height, width = x.shape
    ys = torch.linspace(0.0, 1.0, height * n, device=x.device, dtype=x.dtype)
    xs = torch.linspace(0.0, 1.0, width * n, device=x.device, dtype=x.dtype)
    return ys[:, None], xs[None]


def halves(x: Tensor) -> Tensor:
    a, b = x.chunk(2, -1)
    c, d = x.split([3, 5], 0)
    return torch.cat([a, b])[:3] + torch.cat([c, d])[:3, :4]


r = torch.rand
_Z = torch.zeros(1, 3, dtype=torch.bool)
PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (full_slices, (r(7, 2, 4, 2, 4),)),
    (one_select, (r(7, 2, 4, 2, 4),)),
    (last_step, (r(2, 5, 8),)),
    (window, (r(4, 16), 3)),
    (corner, (r(4, 5, 6),)),
    (masks, (r(6, 4),)),
    (gathered, (r(8, 8), torch.tensor([1, 5, 2]))),
    (windows, (r(4, 16),)),
    (products_of_slices, (r(4, 16),)),
    (scores, (r(5, 2, 16), r(7, 2, 32), 4)),
    (written_rows, (r(8, 4), 8)),
    (elements, (torch.arange(8),)),
    (updates, (r(4, 3), r(1, 3), r(4, 3), r(1, 3), _Z)),
    (factories, (r(5), 5)),
    (cache, (r(2, 1, 8), torch.zeros(2, 9, 8), 4)),
    (rotary, (r(2, 4, 6, 8), r(9, 8), r(9, 8))),
    (boxes, (r(12, 4),)),
    (greedy, (r(6, 20), 6)),
    (numbers, (torch.arange(8),)),
    (picked, (r(6), 6)),
    (written_by_index, (r(6, 4), torch.tensor([1, 4]), r(2, 4))),
    (messages, (r(5, 4), torch.tensor([[0, 1, 2, 3], [1, 2, 4, 0]]))),
    (stacked, (r(4, 6),)),
    (grid, (r(3, 4), 2)),
    (halves, (r(8, 8),)),
]
