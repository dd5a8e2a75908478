"""Modules for libraries: an encoder like BERT's, a decoder with beams, a detector of voice."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Attention(nn.Module):
    """Attention of several heads: [B, N, D] of queries, [B, M, D] of keys and values."""

    def __init__(self, features: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(features, features)
        self.key = nn.Linear(features, features)
        self.value = nn.Linear(features, features)
        self.out = nn.Linear(features, features)

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)

    def forward(self, x: Tensor, y: Tensor, mask: Tensor | None = None) -> Tensor:
        query, key, value = self.split(self.query(x)), self.split(self.key(y)), self.value(y)
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        mixed = torch.matmul(F.softmax(scores, -1), self.split(value))
        return self.out(mixed.transpose(1, 2).reshape(x.size()))


class Layer(nn.Module):
    def __init__(self, features: int, heads: int) -> None:
        super().__init__()
        self.attention = Attention(features, heads)
        self.first = nn.LayerNorm(features)
        self.second = nn.LayerNorm(features)
        self.wide = nn.Linear(features, 4 * features)
        self.narrow = nn.Linear(4 * features, features)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        x = self.first(x + self.attention(x, x, mask))
        return self.second(x + self.narrow(F.gelu(self.wide(x))))


class Policy(nn.Module):
    """A small network that acts: [B, 48] to [B, 12], with an activation."""

    def __init__(self, activation: type[nn.Module]) -> None:
        super().__init__()
        first, second, last = nn.Linear(48, 128), nn.Linear(128, 64), nn.Linear(64, 12)
        self.net = nn.Sequential(first, activation(), second, activation(), last)

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)


class Encoder(nn.Module):
    """An encoder of equal layers: words [B, N] to their features [B, N, 128]."""

    def __init__(self, layers: int = 4) -> None:
        super().__init__()
        self.words = nn.Embedding(1000, 128)
        self.places = nn.Embedding(512, 128)
        self.norm = nn.LayerNorm(128)
        self.layers = nn.ModuleList([Layer(128, 4) for _ in range(layers)])

    def forward(self, words: Tensor, mask: Tensor | None = None) -> Tensor:
        places = torch.arange(words.size(1), device=words.device)
        x = self.norm(self.words(words) + self.places(places))
        for layer in self.layers:
            x = layer(x, mask)
        return x


class BeamDecoder(nn.Module):
    """The best of four sequences of words by a recurrent decoder that attends to an encoding."""

    def __init__(self) -> None:
        super().__init__()
        self.beams = 4
        self.words = nn.Embedding(200, 64)
        self.cell = nn.GRUCell(64, 64)
        self.attention = Attention(64, 2)
        self.out = nn.Linear(64, 200)

    def forward(self, encoded: Tensor, steps: int) -> tuple[list[int], float]:
        """encoded: [1, N, 64]"""
        beams = self.beams
        encoded = encoded.expand(beams, -1, -1)
        state = encoded.mean(1)
        scores = torch.full([beams, 1], -1e9)
        scores[0, 0] = 0.0
        last = torch.zeros([beams], dtype=torch.int64)
        paths: list[list[int]] = [[0] for _ in range(beams)]
        for _ in range(steps):
            state = self.cell(self.words(last), state)
            seen = self.attention(state.unsqueeze(1), encoded).squeeze(1)
            chances = scores + F.log_softmax(self.out(seen + state), -1)
            best, places = torch.topk(chances.view(-1), beams)
            scores = best.unsqueeze(1)
            parents, last = places // 200, places % 200
            state = state[parents]
            longer: list[list[int]] = []
            for beam in range(beams):
                longer.append(paths[int(parents[beam])] + [int(last[beam])])
            paths = longer
        return paths[0], float(scores[0, 0])


class VoiceDetector(nn.Module):
    """A detector of voice with a state: 512 samples [B, 512] to chances [B, 1]."""

    def __init__(self) -> None:
        super().__init__()
        self.spectrum = nn.Conv1d(1, 258, 256, stride=128, bias=False)
        self.layers = nn.ModuleList(
            [
                nn.Conv1d(129, 128, 3, padding=1),
                nn.Conv1d(128, 64, 3, stride=2, padding=1),
                nn.Conv1d(64, 64, 3, stride=2, padding=1),
                nn.Conv1d(64, 128, 3, padding=1),
            ]
        )
        self.cell = nn.LSTMCell(128, 128)
        self.out = nn.Conv1d(128, 1, 1)
        self.register_buffer("h", torch.zeros(1, 128))
        self.register_buffer("c", torch.zeros(1, 128))

    def forward(self, samples: Tensor) -> Tensor:
        if samples.dim() != 2:
            raise ValueError("samples have two dimensions")
        padded = F.pad(samples.unsqueeze(1), [0, 64], "reflect")
        parts = self.spectrum(padded)
        x = torch.sqrt(parts[:, :129] ** 2 + parts[:, 129:] ** 2)
        for layer in self.layers:
            x = torch.relu(layer(x))
        h, c = self.cell(x.squeeze(-1), (self.h, self.c))
        self.h, self.c = h, c
        return torch.sigmoid(self.out(torch.relu(h).unsqueeze(-1))).mean(2)
