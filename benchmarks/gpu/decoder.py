"""A step of a transformer's decoder: one token of four sequences, through eight layers.

Keys and values of 64 earlier tokens are given. Of small operators there are forty groups, five in
each layer: a residual sum with its layer norm (twice), the rotary embedding of the queries, the
scaled and masked softmax, and the gate of the feed-forward layer. Between them are 56 products of
matrices.
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple  # noqa: UP035

import torch
import torch.nn.functional as F
from torch import Tensor, nn

LAYERS, WIDTH, HEADS, BATCH, TOKENS = 8, 256, 4, 4, 64
_HEAD = WIDTH // HEADS


class Layer(nn.Module):
    """A layer before whose parts stand norms: [B, D] inputs and residuals."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.scale = (width / heads) ** 0.5
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.queries = nn.Linear(width, width)
        self.out = nn.Linear(width, width)
        self.gate = nn.Linear(width, 2 * width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(
        self,
        x: Tensor,
        residual: Tensor,
        past: Tuple[Tensor, Tensor],  # noqa: UP006
        angles: Tuple[Tensor, Tensor],  # noqa: UP006
        mask: Optional[Tensor],  # noqa: UP045
    ) -> Tuple[Tensor, Tensor]:  # noqa: UP006
        keys, values = past
        cos, sin = angles
        residual = residual + x
        h = self.norm1(residual)
        first, second = self.queries(h).view(h.size(0), self.heads, -1).chunk(2, dim=-1)
        q = torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)
        scores = torch.matmul(keys, q.unsqueeze(-1)).squeeze(-1) / self.scale
        if mask is not None:
            scores = scores + mask
        weights = torch.softmax(scores, dim=-1)
        attended = torch.matmul(weights.unsqueeze(-2), values).reshape(h.size(0), -1)
        residual = residual + self.out(attended)
        h = self.norm2(residual)
        return self.down(F.silu(self.gate(h)) * self.up(h)), residual


class Decoder(nn.Module):
    """All layers."""

    def __init__(self, width: int = WIDTH) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Layer(width, HEADS) for _ in range(LAYERS)])

    def forward(
        self,
        x: Tensor,
        past: List[Tuple[Tensor, Tensor]],  # noqa: UP006
        angles: Tuple[Tensor, Tensor],  # noqa: UP006
        mask: Optional[Tensor] = None,  # noqa: UP045
    ) -> Tensor:
        residual = torch.zeros_like(x)
        for index, layer in enumerate(self.layers):
            x, residual = layer(x, residual, past[index], angles, mask)
        return residual + x


def decoder(device: str, dtype: torch.dtype) -> tuple[Decoder, tuple[Any, ...]]:
    """Return the module, and arguments of a step."""
    torch.manual_seed(0)
    module = Decoder().to(device=device, dtype=dtype).eval()
    return module, step_arguments(device, dtype)


def step_arguments(
    device: str, dtype: torch.dtype, width: int = WIDTH, tokens: int = TOKENS
) -> tuple[Any, ...]:
    """Return random arguments of a step of a decoder of this width, after so many tokens."""
    options: dict[str, Any] = {"device": device, "dtype": dtype}
    head = width // HEADS
    shape = BATCH, HEADS, tokens, head
    past = [(torch.randn(shape, **options), torch.randn(shape, **options)) for _ in range(LAYERS)]
    angles = torch.rand(head // 2, **options)
    mask = torch.randn(BATCH, 1, tokens, **options)
    return torch.randn(BATCH, width, **options), past, (angles.cos(), angles.sin()), mask


def products(module: Decoder, arguments: tuple[Any, ...]) -> None:
    """Compute the products of matrices of a step, and nothing else."""
    x, past, _, _ = arguments
    wide = torch.cat([x, x], -1)
    query = x.view(BATCH, HEADS, _HEAD, 1)
    weights = x.view(BATCH, HEADS, 1, _HEAD)
    for index, layer in enumerate(module.layers):
        keys, values = past[index]
        for linear in (layer.queries, layer.out, layer.gate, layer.up):
            linear(x)
        layer.down(wide)
        torch.matmul(keys, query)
        torch.matmul(weights, values)
