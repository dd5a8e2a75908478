"""The programs of `python -m benchmarks memory`, as people write them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, features: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(features, 3 * features)
        self.out = nn.Linear(features, features)

    def forward(self, x: Tensor) -> Tensor:
        b, n, f = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(b, n, self.heads, f // self.heads).transpose(1, 2)
        k = k.view(b, n, self.heads, f // self.heads).transpose(1, 2)
        v = v.view(b, n, self.heads, f // self.heads).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(f // self.heads)
        weights = F.softmax(scores, dim=-1)
        return self.out((weights @ v).transpose(1, 2).reshape(b, n, f))


class Block(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(features), nn.LayerNorm(features)
        self.attention = Attention(features, 4)
        self.up, self.down = nn.Linear(features, 4 * features), nn.Linear(4 * features, features)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Layers(nn.Module):
    """Layers one after the other."""

    def __init__(self, layers: list[nn.Module]) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


class Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        return F.relu(x + y)


class MixerBlock(nn.Module):
    def __init__(self, tokens: int, features: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(features), nn.LayerNorm(features)
        self.tokens1, self.tokens2 = nn.Linear(tokens, tokens), nn.Linear(tokens, tokens)
        self.up, self.down = nn.Linear(features, 4 * features), nn.Linear(4 * features, features)

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm1(x).transpose(1, 2)
        y = self.tokens2(F.silu(self.tokens1(y)))
        x = x + y.transpose(1, 2)
        return x + self.down(F.silu(self.up(self.norm2(x))))


class Recurrent(nn.Module):
    """A gated cell, written out, over the steps of a sequence."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.gates = nn.Linear(2 * features, 2 * features)
        self.candidate = nn.Linear(2 * features, features)

    def forward(self, x: Tensor) -> Tensor:
        h = torch.zeros_like(x[0])
        for i in range(x.size(0)):
            r, z = torch.sigmoid(self.gates(torch.cat([x[i], h], 1))).chunk(2, 1)
            n = torch.tanh(self.candidate(torch.cat([x[i], r * h], 1)))
            h = (1 - z) * n + z * h
        return h


class Diffusion(nn.Module):
    """Steps over a large state; what a step computes is dead in the next one."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        for i in range(8):
            noise = self.conv(torch.tanh(x))
            if i % 2 == 0:
                noise = noise * 0.5
            x = x - noise / (i + 1)
        return x


class Program(NamedTuple):
    """A program: its name, a function that makes its module, and the shape of its input."""

    name: str
    make: Callable[[], nn.Module]
    shape: tuple[int, ...]


def _transformer(layers: int) -> Callable[[], nn.Module]:
    return lambda: Layers([Block(256) for _ in range(layers)])


def _residual(blocks: int) -> Callable[[], nn.Module]:
    return lambda: Layers([Residual(16) for _ in range(blocks)])


def _mixer(blocks: int) -> Callable[[], nn.Module]:
    return lambda: Layers([MixerBlock(256, 256) for _ in range(blocks)])


INFERENCE = (
    *(Program(f"transformer, {n}", _transformer(n), (1, 512, 256)) for n in (1, 4, 16)),
    *(Program(f"convolutions, {n}", _residual(n), (1, 16, 256, 256)) for n in (1, 8)),
    Program("mixer, 8", _mixer(8), (4, 256, 256)),
    Program("recurrent", lambda: Recurrent(256), (16, 1024, 256)),
    Program("loop", lambda: Diffusion(16), (1, 16, 256, 256)),
)
"""Programs that are called without gradients."""

TRAINING = (
    *(Program(f"transformer, {n}", _transformer(n), (1, 256, 256)) for n in (1, 4, 16)),
    *(Program(f"convolutions, {n}", _residual(n), (1, 16, 128, 128)) for n in (1, 8)),
    Program("mixer, 8", _mixer(8), (1, 256, 256)),
    Program("recurrent", lambda: Recurrent(256), (16, 256, 256)),
    Program("loop", lambda: Diffusion(16), (1, 16, 128, 128)),
)
"""Programs of which a call and its gradients are one step."""
