"""Quantized, traced and frozen modules: programs that have packed parameters and constants."""

from __future__ import annotations

import re
from typing import Any

import torch
import torch.ao.quantization as quantization
from torch import Tensor, nn

Records = dict[str, bytes]


class Image(nn.Module):
    """Convolutions and layers, to be quantized statically."""

    def __init__(self) -> None:
        super().__init__()
        self.quantize, self.back = quantization.QuantStub(), quantization.DeQuantStub()
        self.first, self.second = nn.Conv2d(2, 2, 2), nn.ConvTranspose2d(2, 2, 2)
        self.linear = nn.Linear(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.back(self.linear(self.second(self.first(self.quantize(x)))))


class Words(nn.Module):
    """Embeddings, a recurrent layer and a cell, and quantized buffers."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.cell = nn.Embedding(4, 3), nn.GRUCell(3, 2)
        self.lstm = nn.LSTM(3, 2, bidirectional=True)
        x, scales = torch.ones(2, 3), torch.tensor([0.1, 0.2]).double()
        self.register_buffer("a", torch.quantize_per_tensor(x, 0.1, 5, torch.quint8))
        rows = torch.quantize_per_channel(x, scales, torch.tensor([0, 1]), 0, torch.qint8)
        self.register_buffer("b", rows)

    def forward(self, x: Tensor) -> Tensor:
        y, _ = self.lstm(self.table(x).unsqueeze(1))
        return (
            self.cell(self.table(x))
            + y.sum()
            + self.a.dequantize().sum()
            + self.b.dequantize().sum()
        )


def image() -> nn.Module:
    """Return a module that is quantized statically."""
    module = Image().eval()
    module.qconfig = quantization.default_qconfig
    prepared = quantization.prepare(module)
    prepared(torch.ones(1, 2, 4, 4))
    return quantization.convert(prepared)


def words() -> nn.Module:
    """Return a module that is quantized dynamically, and whose embedding is."""
    module = quantization.quantize_dynamic(Words().eval(), {nn.LSTM, nn.GRUCell})
    module.table.qconfig = quantization.float_qparams_weight_only_qconfig
    return quantization.convert(quantization.prepare(module))


def layer() -> nn.Module:
    """Return a layer that is quantized dynamically."""
    return quantization.quantize_dynamic(nn.Sequential(nn.Linear(2, 2)).eval(), {nn.Linear})


def compiled() -> list[Any]:
    """Return modules that torch.jit has scripted, traced and frozen; first `layer`."""
    layers = nn.Sequential(nn.Conv2d(2, 2, 2), nn.BatchNorm2d(2), nn.ReLU()).eval()
    scripted = torch.jit.script(layers)
    quantized = torch.jit.script(image())
    return [
        torch.jit.script(layer()),
        quantized,
        torch.jit.script(words()),
        torch.jit.freeze(quantized),
        torch.jit.freeze(scripted),
        torch.jit.trace(layers, torch.ones(1, 2, 4, 4)),
        torch.jit.trace(words(), torch.tensor([1, 2])),
    ]


def as_of_old(records: Records) -> Records:
    """Return the records of `layer` with packed parameters that are tensors to the code."""
    declared = re.compile(rb"(_packed_params : )__torch__\.torch\.classes\.quantized\.\w+")
    return {name: declared.sub(rb"\1Tensor", content) for name, content in records.items()}
