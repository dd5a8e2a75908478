"""The programs that the benchmarks compile."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def ten_lines(x: Tensor, y: Tensor, n: int) -> Tensor:
    z = x * y + 1
    for i in range(n):
        if i % 2 == 0:
            z = z + x
        else:
            z = z - y
    if n > 10:
        z = torch.relu(z)
    return z.sum(dim=-1)


def hundred_lines(x: Tensor, mask: Tensor | None, sizes: list[int], n: int) -> Tensor:
    total = torch.zeros_like(x)
    count = 0
    largest = 0
    names: list[str] = []
    for i in range(n):
        if i % 3 == 0:
            total = total + x * i
            count += 1
        elif i % 3 == 1:
            total = total - x / (i + 1)
            names.append("odd")
        else:
            total = total * 0.5
            names.append("rest")
    if mask is not None:
        total = total.masked_fill(mask, 0.0)
        count = count + int(mask.sum())
    for size in sizes:
        if size > largest:
            largest = size
        if size < 0:
            continue
        if size > 1000:
            break
        count += size
    values: list[float] = []
    j = 0
    while j < n:
        values.append(float(j) * 0.25)
        if j > 10 and count > 3:
            values.append(1.0)
        j += 1
    sums = 0.0
    for value in values:
        if value > 2.0:
            sums += value
        else:
            sums -= value * value
    a = torch.sigmoid(total)
    b = torch.tanh(total)
    c = a * b + (1.0 - a) * x
    if largest > 5:
        d = c.transpose(0, 1)
        d = d.contiguous()
        e = d @ c
    else:
        d = c
        e = d + c
    f = e.mean(dim=0)
    g = e.std(dim=0)
    h = (f - g) / (g + 1e-5)
    if h.dim() > 1:
        h = h.flatten()
    k = h.size(0)
    parts: list[Tensor] = []
    for p in range(k):
        if p % 2 == 0:
            parts.append(h[p : p + 1])
        else:
            parts.append(h[p : p + 1] * 2)
    stacked = torch.cat(parts)
    if sums > 3.0:
        stacked = stacked * sums
    assert stacked.numel() == k, "sizes"
    first = stacked[0]
    last = stacked[-1]
    text = f"largest {largest} count {count}"
    if len(text) > 200:
        return total
    for name in names:
        if name == "odd":
            first = first + 1
        elif name == "rest":
            last = last - 1
        else:
            first = first * last
    bound = max(count, 1)
    limited = min(bound, 64)
    result = stacked + first * last
    for step in range(limited):
        if step > 4:
            break
        result = result + step * 0.01
    flag = count > 0 and largest >= 0
    if not flag:
        result = -result
    rows = [result * weight for weight in [1.0, 2.0, 3.0]]
    matrix = torch.stack(rows)
    low = matrix.min()
    high = matrix.max()
    scaled = (matrix - low) / (high - low + 1e-6)
    return torch.where(scaled > 0.5, scaled, scaled * 0.1)


class Bottleneck(nn.Module):
    """A residual block of three convolutions."""

    def __init__(self, inputs: int, width: int, stride: int = 1, downsample: bool = False):
        super().__init__()
        outputs = width * 4
        self.conv1 = nn.Conv2d(inputs, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, outputs, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.downsample: nn.Sequential | None = None
        if downsample:
            self.downsample = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
            )

    def forward(self, x: Tensor) -> Tensor:
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        return self.relu(out + identity)


class ResNet50(nn.Module):
    """He et al., Deep Residual Learning for Image Recognition (2015), table 1, 50 layers."""

    def __init__(self, classes: int = 1000):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        self.layer1 = self._layer(64, 64, 3, 1)
        self.layer2 = self._layer(256, 128, 4, 2)
        self.layer3 = self._layer(512, 256, 6, 2)
        self.layer4 = self._layer(1024, 512, 3, 2)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(2048, classes)

    @staticmethod
    def _layer(inputs: int, width: int, blocks: int, stride: int) -> nn.Sequential:
        first = Bottleneck(inputs, width, stride, downsample=True)
        return nn.Sequential(first, *(Bottleneck(width * 4, width) for _ in range(blocks - 1)))

    def forward(self, x: Tensor) -> Tensor:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer1(x)
        x = self.layer2(x)
        x = self.layer3(x)
        x = self.layer4(x)
        x = torch.flatten(self.avgpool(x), 1)
        return self.fc(x)


class SelfAttention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)
        self.dropout = nn.Dropout(0.1)

    def split(self, x: Tensor) -> Tensor:
        b, s, w = x.shape
        return x.view(b, s, self.heads, w // self.heads).transpose(1, 2)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = q @ k.transpose(-1, -2) / (q.size(-1) ** 0.5)
        if mask is not None:
            scores = scores + mask
        weights = self.dropout(F.softmax(scores, dim=-1))
        mixed = (weights @ v).transpose(1, 2).flatten(2)
        return self.output(mixed)


class EncoderLayer(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.attention = SelfAttention(width, heads)
        self.norm1 = nn.LayerNorm(width)
        self.inner = nn.Linear(width, 4 * width)
        self.outer = nn.Linear(4 * width, width)
        self.norm2 = nn.LayerNorm(width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        x = self.norm1(x + self.dropout(self.attention(x, mask)))
        return self.norm2(x + self.dropout(self.outer(F.gelu(self.inner(x)))))


class Bert(nn.Module):
    """An encoder like that of Devlin et al., BERT (2018): 12 layers; the width is a parameter."""

    def __init__(self, width: int = 64, heads: int = 4, layers: int = 12, words: int = 1000):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.positions = nn.Embedding(512, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(EncoderLayer(width, heads) for _ in range(layers))

    def forward(self, tokens: Tensor, mask: Tensor | None = None) -> Tensor:
        places = torch.arange(tokens.size(1), device=tokens.device)
        x = self.norm(self.words(tokens) + self.positions(places))
        for layer in self.layers:
            x = layer(x, mask)
        return x
