"""An encoder layer with an optional mask: modules in modules, methods, a ModuleList, early returns.

    minits compile examples/attention.py:encoder --emit=code
    minits run examples/attention.py:encoder --input 'torch.randn(1, 4, 16)'
"""

from typing import Final, Optional

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Attention(nn.Module):
    """Scaled dot-product attention with several heads."""

    heads: Final[int]

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)

    def split(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        query, key, value = self.project(x).chunk(3, dim=-1)
        query, key, value = self.split(query), self.split(key), self.split(value)
        scores = query @ key.transpose(-1, -2) / query.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        mixed = F.softmax(scores, dim=-1) @ value
        return self.output(mixed.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention = Attention(width, heads)
        self.first = nn.LayerNorm(width)
        self.second = nn.LayerNorm(width)
        self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        x = x + self.attention(self.first(x), mask)
        return x + self.feed(self.second(x))


class Encoder(nn.Module):
    """Layers one after the other; stops early when it is told to."""

    def __init__(self, width: int, heads: int, depth: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(depth))

    def forward(self, x: Tensor, mask: Optional[Tensor] = None, limit: int = -1) -> Tensor:
        for number, layer in enumerate(self.layers):
            if number == limit:
                return x
            x = layer(x, mask)
        return x


torch.manual_seed(0)
encoder = Encoder(16, 4, 2)
