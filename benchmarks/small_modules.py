"""Modules whose calls take microseconds: layers of graph networks, and small blocks.

Graphs have 20 nodes and 60 edges; `edges` has the two ends of each, in its two rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Tuple  # noqa: UP035

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.gpu.decoder import Decoder, step_arguments

NODES, EDGES, WIDTH = 20, 60, 16


def summed(values: Tensor, places: Tensor, count: int) -> Tensor:
    """Sums of the rows of `values` that have the same place."""
    total = torch.zeros([count, values.size(-1)], dtype=values.dtype)
    return total.index_add(0, places, values)


class GraphConvolution(nn.Module):
    """Rows of neighbours, weighed by the degrees of both ends (Kipf and Welling 2017)."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(WIDTH, WIDTH, bias=False)
        self.bias = nn.Parameter(torch.zeros(WIDTH))

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        source, target = edges[0], edges[1]
        ones = torch.ones([edges.size(1)], dtype=x.dtype)
        degree = torch.zeros([x.size(0)], dtype=x.dtype).scatter_add_(0, target, ones)
        scale = degree.pow(-0.5)
        scale = scale.masked_fill(scale == float("inf"), 0.0)
        weight = (scale[source] * scale[target]).unsqueeze(-1)
        return summed(self.linear(x)[source] * weight, target, x.size(0)) + self.bias


class SampledMean(nn.Module):
    """The node itself beside the mean of its neighbours (Hamilton et al. 2017)."""

    def __init__(self) -> None:
        super().__init__()
        self.own = nn.Linear(WIDTH, WIDTH)
        self.others = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        source, target = edges[0], edges[1]
        total = summed(x[source], target, x.size(0))
        count = torch.zeros([x.size(0)], dtype=x.dtype)
        count = count.scatter_add(0, target, torch.ones([edges.size(1)], dtype=x.dtype))
        mean = total / count.clamp(min=1.0).unsqueeze(-1)
        return F.normalize(self.own(x) + self.others(mean), p=2.0, dim=-1)


class Isomorphism(nn.Module):
    """A small network of the sum of a node and its neighbours (Xu et al. 2019)."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))
        self.eps = nn.Parameter(torch.zeros(1))

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        total = summed(x[edges[0]], edges[1], x.size(0))
        return self.net((1 + self.eps) * x + total)


class GraphAttention(nn.Module):
    """Neighbours weighed by a softmax over each node's edges (Velickovic et al. 2018)."""

    def __init__(self, heads: int = 2) -> None:
        super().__init__()
        self.heads, self.width = heads, WIDTH // heads
        self.linear = nn.Linear(WIDTH, WIDTH, bias=False)
        self.of_source = nn.Parameter(torch.randn(1, heads, WIDTH // heads))
        self.of_target = nn.Parameter(torch.randn(1, heads, WIDTH // heads))

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        source, target, count = edges[0], edges[1], x.size(0)
        h = self.linear(x).view(-1, self.heads, self.width)
        first, second = (h * self.of_source).sum(-1), (h * self.of_target).sum(-1)
        score = F.leaky_relu(first[source] + second[target], 0.2)
        weight = torch.exp(score - score.max())
        total = summed(weight, target, count)
        weight = weight / (total[target] + 1e-16)
        message = h[source] * weight.unsqueeze(-1)
        return summed(message.flatten(1), target, count)


class EdgeConvolution(nn.Module):
    """A network of both ends of each edge (Wang et al. 2019)."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2 * WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        here, there = x[edges[1]], x[edges[0]]
        message = self.net(torch.cat([here, there - here], dim=-1))
        place = edges[1].unsqueeze(-1).expand_as(message)
        most = torch.full([x.size(0), x.size(1)], float("-inf"), dtype=x.dtype)
        most = most.scatter_reduce(0, place, message, reduce="amax")
        return most.masked_fill(most == float("-inf"), 0.0)


class Perceptron(nn.Module):
    """Three layers with ReLU between them."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(WIDTH, 32), nn.Linear(32, 32)
        self.last = nn.Linear(32, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(torch.relu(self.second(torch.relu(self.first(x)))))


class SqueezeExcite(nn.Module):
    """Channels scaled by what they hold on average (Hu et al. 2018)."""

    def __init__(self) -> None:
        super().__init__()
        self.down, self.up = nn.Conv2d(WIDTH, 4, 1), nn.Conv2d(4, WIDTH, 1)

    def forward(self, x: Tensor) -> Tensor:
        scale = F.relu(self.down(x.mean([2, 3], keepdim=True)))
        return x * torch.sigmoid(self.up(scale))


class Attention(nn.Module):
    """One head, with an optional mask."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.value = nn.Linear(WIDTH, WIDTH)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        score = self.query(x) @ self.key(x).transpose(-2, -1) / 4.0
        if mask is not None:
            score = score.masked_fill(mask, float("-inf"))
        return torch.softmax(score, -1) @ self.value(x)


class Residual(nn.Module):
    """A normalised layer beside its input."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.linear = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        return x + F.gelu(self.linear(self.norm(x)))


class Convolved(nn.Module):
    """A convolution of sequences, normalised by running means."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv1d(WIDTH, WIDTH, 3, padding=1), nn.BatchNorm1d(WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        return F.max_pool1d(F.relu(self.norm(self.conv(x))), 2)


class Words(nn.Module):
    """The mean of the vectors of words, and scores of classes."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.linear = nn.Embedding(100, WIDTH), nn.Linear(WIDTH, 5)

    def forward(self, words: Tensor) -> Tensor:
        return torch.log_softmax(self.linear(self.table(words).mean(1)), -1)


class Cell(nn.Module):
    """A cell of an LSTM, which is given its state as a pair."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(WIDTH, WIDTH)

    def forward(self, x: Tensor, state: Tuple[Tensor, Tensor]) -> Tuple[Tensor, Tensor]:  # noqa: UP006
        return self.cell(x, state)


class DecoderStep(Decoder):
    """Eight layers of a decoder, which are given keys and values as a list of pairs."""

    def __init__(self) -> None:
        super().__init__(2 * WIDTH)


class GrowingStep(DecoderStep):
    """The same, after another number of tokens in each call."""


def _graph() -> list[tuple[Any, ...]]:
    generator = torch.Generator().manual_seed(0)
    edges = torch.randint(NODES, (2, EDGES), generator=generator)
    return [(torch.randn(NODES, WIDTH, generator=generator), edges)]


def _rows(*shape: int) -> Callable[[], list[tuple[Any, ...]]]:
    return lambda: [(torch.randn(*shape, generator=torch.Generator().manual_seed(0)),)]


def _steps(tokens: range) -> list[tuple[Any, ...]]:
    return [step_arguments("cpu", torch.float32, 2 * WIDTH, count) for count in tokens]


MODULES: list[tuple[Callable[[], nn.Module], Callable[[], list[tuple[Any, ...]]]]] = [
    (GraphConvolution, _graph),
    (SampledMean, _graph),
    (Isomorphism, _graph),
    (GraphAttention, _graph),
    (EdgeConvolution, _graph),
    (Perceptron, _rows(8, WIDTH)),
    (SqueezeExcite, _rows(2, WIDTH, 8, 8)),
    (Attention, _rows(2, 10, WIDTH)),
    (Residual, _rows(8, WIDTH)),
    (Convolved, _rows(2, WIDTH, 32)),
    (Words, lambda: [(torch.arange(24).view(4, 6),)]),
    (Cell, lambda: [(torch.ones(4, WIDTH), (torch.ones(4, WIDTH), torch.ones(4, WIDTH)))]),
    (DecoderStep, lambda: _steps(range(8, 9))),
    (GrowingStep, lambda: _steps(range(8, 58))),
]
"""Modules, and functions that make the arguments of their calls."""
