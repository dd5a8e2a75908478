"""Twenty small functions, as people write them; each takes tensors of 64 rows of 16."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional as F


def swish(x: Tensor) -> Tensor:
    return x * torch.sigmoid(x)


def gelu_by_tanh(x: Tensor) -> Tensor:
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def gated(x: Tensor, y: Tensor) -> Tensor:
    return torch.tanh(x) * torch.sigmoid(y)


def residual(x: Tensor, y: Tensor) -> Tensor:
    return F.layer_norm(x + y, [16])


def rms_normed(x: Tensor) -> Tensor:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


def scores(x: Tensor, y: Tensor) -> Tensor:
    return torch.softmax(x @ y.t() / 4.0, dim=-1)


def huber(x: Tensor, y: Tensor) -> Tensor:
    d = (x - y).abs()
    return torch.where(d < 1, 0.5 * d * d, d - 0.5).mean()


def focal(x: Tensor, y: Tensor) -> Tensor:
    p = torch.sigmoid(x)
    return (-((1 - p) ** 2) * torch.log(p + 1e-6) * (y > 0)).sum(-1)


def momentum(x: Tensor, y: Tensor, rate: float) -> Tensor:
    return x - rate * (0.9 * y + 0.1 * x)


def cosine(x: Tensor, y: Tensor) -> Tensor:
    lengths = torch.linalg.vector_norm(x, dim=-1) * torch.linalg.vector_norm(y, dim=-1)
    return (x * y).sum(-1) / (lengths + 1e-8)


def standardized(x: Tensor) -> Tensor:
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-5)


def rotated(x: Tensor, y: Tensor) -> Tensor:
    a, b = x.chunk(2, -1)
    c, s = torch.cos(y[:, :8]), torch.sin(y[:, :8])
    return torch.cat([a * c - b * s, a * s + b * c], -1)


def clipped(x: Tensor, low: float, high: float) -> Tensor:
    return torch.clamp(x * 2 - 1, low, high)


def masked(x: Tensor, y: Tensor) -> Tensor:
    return torch.softmax(x.masked_fill(y > 0, -1e9), -1)


def distances(x: Tensor, y: Tensor) -> Tensor:
    return torch.sqrt(((x - y) ** 2).sum(-1) + 1e-12)


def linear(x: Tensor, y: Tensor) -> Tensor:
    return F.relu(F.linear(x, y[:16]) + 1)


def entropy(x: Tensor) -> Tensor:
    p = torch.softmax(x, -1)
    return -(p * torch.log(p + 1e-9)).sum(-1)


def powers(x: Tensor, n: int) -> Tensor:
    total = torch.zeros_like(x)
    for i in range(n):
        total = total + x * i
    return total


def chosen(x: Tensor, y: Tensor, flag: bool) -> Tensor:
    if flag:
        return x * 2 + y
    return y * 2 - x


def lerped(x: Tensor, y: Tensor) -> Tensor:
    weight = torch.sigmoid(x - y)
    return x * weight + y * (1 - weight)


NUMBERS: dict[str, tuple[object, ...]] = {
    "momentum": (0.1,), "clipped": (-1.0, 1.0), "powers": (4,), "chosen": (True,),
}  # fmt: skip
"""The arguments after the tensors."""
NAMES = (
    "swish gelu_by_tanh gated residual rms_normed scores huber focal momentum cosine standardized "
    "rotated clipped masked distances linear entropy powers chosen lerped"
).split()
