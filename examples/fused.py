"""Programs whose elementwise operators and reductions become one kernel each.

Run `minits compile examples/fused.py --remarks --emit=cpp` to see the kernels, and
`minits compile examples/fused.py --emit=cuda` for those of a GPU.
"""

from typing import List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def chain(x: Tensor, a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    """Elementwise operators, one after the other."""
    return torch.sigmoid(x * a + b) * torch.tanh(x) + c


def bias_gelu(x: Tensor, bias: Tensor) -> Tensor:
    """The activation of a transformer's first linear layer."""
    return F.gelu(x + bias, approximate="tanh")


def scale_mask_softmax(scores: Tensor, scale: float, mask: Optional[Tensor] = None) -> Tensor:
    """Attention weights: [B, H, S, S] scores, a [B, 1, 1, S] mask that is added, or None."""
    scores = scores / scale
    if mask is not None:
        scores = scores + mask
    return torch.softmax(scores, dim=-1)


def residual_layer_norm(
    x: Tensor, residual: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5
) -> Tensor:
    """The sum of a residual connection, normalised over its last dimension."""
    return F.layer_norm(x + residual, [x.size(-1)], weight, bias, eps)


def swiglu(gate: Tensor, up: Tensor) -> Tensor:
    """The gated activation of LLaMA."""
    return F.silu(gate) * up


def rotary(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary position embedding of [..., S, D] queries or keys; cos and sin are [S, D/2]."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


def lstm_pointwise(gates: Tensor, cell: Tensor) -> Tuple[Tensor, Tensor]:
    """What an LSTM cell does after its matrix products: [B, 4H] gates, a [B, H] cell."""
    i, f, g, o = gates.chunk(4, dim=1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


def gru_pointwise(inputs: Tensor, hidden: Tensor, state: Tensor) -> Tensor:
    """What a GRU cell does after its matrix products: two times [B, 3H], and a [B, H] state."""
    reset_in, update_in, new_in = inputs.chunk(3, dim=1)
    reset_h, update_h, new_h = hidden.chunk(3, dim=1)
    reset = torch.sigmoid(reset_in + reset_h)
    update = torch.sigmoid(update_in + update_h)
    new = torch.tanh(new_in + reset * new_h)
    return new + update * (state - new)


def focal_loss(logits: Tensor, targets: Tensor, alpha: float = 0.25, gamma: float = 2.0) -> Tensor:
    """The binary focal loss of each element."""
    p = torch.sigmoid(logits)
    loss = torch.clamp_min(logits, 0.0) - logits * targets + torch.log1p(torch.exp(-logits.abs()))
    hit = p * targets + (1 - p) * (1 - targets)
    weight = alpha * targets + (1 - alpha) * (1 - targets)
    return weight * (1 - hit).pow(gamma) * loss


def adam_step(
    weight: Tensor,
    gradient: Tensor,
    mean: Tensor,
    square: Tensor,
    step: int,
    rate: float = 1e-3,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-8,
) -> Tuple[Tensor, Tensor, Tensor]:
    """One step of Adam; returns the new weight, mean and square."""
    mean = mean * beta1 + gradient * (1 - beta1)
    square = square * beta2 + gradient * gradient * (1 - beta2)
    corrected = mean / (1 - beta1**step)
    scale = torch.sqrt(square / (1 - beta2**step)) + eps
    return weight - rate * corrected / scale, mean, square


class LSTM(nn.Module):
    """A custom LSTM over a sequence: [T, B, I] inputs, [B, H] states."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.weight_ih = nn.Parameter(torch.randn(4 * hidden, inputs) / inputs**0.5)
        self.weight_hh = nn.Parameter(torch.randn(4 * hidden, hidden) / hidden**0.5)
        self.bias = nn.Parameter(torch.zeros(4 * hidden))

    def forward(
        self, sequence: Tensor, state: Tuple[Tensor, Tensor]
    ) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        h, c = state
        outputs: List[Tensor] = []
        for x in sequence.unbind(0):
            gates = torch.mm(x, self.weight_ih.t()) + torch.mm(h, self.weight_hh.t()) + self.bias
            h, c = lstm_pointwise(gates, c)
            outputs.append(h)
        return torch.stack(outputs), (h, c)


class PreNormBlock(nn.Module):
    """A transformer block with its normalisations before the layers: [B, S, D]."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def attend(self, x: Tensor, mask: Optional[Tensor]) -> Tensor:
        b, s, d = x.shape
        heads = self.qkv(x).view(b, s, 3, self.heads, d // self.heads)
        q, k, v = heads.permute(2, 0, 3, 1, 4).unbind(0)
        scores = torch.matmul(q, k.transpose(-1, -2))
        weights = scale_mask_softmax(scores, float(d // self.heads) ** 0.5, mask)
        return self.out(torch.matmul(weights, v).transpose(1, 2).reshape(b, s, d))

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        x = x + self.attend(self.norm1(x), mask)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


lstm = LSTM(8, 16)
block = PreNormBlock(32, 4)

example_inputs = {
    "chain": tuple(torch.randn(64, 64) for _ in range(4)),
    "bias_gelu": (torch.randn(64, 64), torch.randn(64)),
    "scale_mask_softmax": (torch.randn(2, 4, 16, 16), 8.0, torch.randn(2, 1, 1, 16)),
    "residual_layer_norm": (torch.randn(64, 64), torch.randn(64, 64), torch.randn(64), torch.randn(64)),
    "swiglu": (torch.randn(64, 64), torch.randn(64, 64)),
    "rotary": (torch.randn(2, 16, 32), torch.randn(16, 16), torch.randn(16, 16)),
    "lstm_pointwise": (torch.randn(8, 64), torch.randn(8, 16)),
    "gru_pointwise": (torch.randn(8, 48), torch.randn(8, 48), torch.randn(8, 16)),
    "focal_loss": (torch.randn(64, 64), torch.rand(64, 64)),
    "adam_step": (*(torch.randn(64, 64) for _ in range(3)), torch.rand(64, 64), 10),
    "lstm": (torch.randn(5, 2, 8), (torch.zeros(2, 16), torch.zeros(2, 16))),
    "block": (torch.randn(2, 16, 32), torch.zeros(2, 1, 1, 16)),
}
"""What `minits compile` shows kernels for."""
