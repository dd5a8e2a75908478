"""Packed sequences in libraries: packed, computed with, and padded again."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

import minits
from minits.native.function import NativeFunction
from tests.support.native_libraries import library
from tests.support.needs import need_compiler

need_compiler()


class Recurrent(nn.Module):
    def __init__(self, batch_first: bool, total: int | None, padding: float) -> None:
        super().__init__()
        self.lstm = nn.LSTM(3, 4, batch_first=batch_first, bidirectional=True)
        self.gru = nn.GRU(8, 5, batch_first=batch_first)
        self.batch_first, self.padding = batch_first, padding
        self.total = total

    def forward(self, x: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        packed = pack_padded_sequence(x, lengths, self.batch_first, enforce_sorted=False)
        packed, _ = self.lstm(packed)
        packed, last = self.gru(packed)
        padded, found = pad_packed_sequence(packed, self.batch_first, self.padding, self.total)
        return padded, found, last


@pytest.mark.slow
@pytest.mark.parametrize(
    ("batch_first", "total", "padding"), [(True, None, 0.0), (False, 7, -1.5), (True, 6, 2.0)]
)
def test_a_network_of_packed_sequences(batch_first: bool, total: int, padding: float) -> None:
    module = Recurrent(batch_first, total, padding).eval()
    model = library(module)
    for lengths in ([5, 2, 4], [1, 1, 6], [3, 3, 3]):
        x, given = torch.randn(3, 6, 3), torch.tensor(lengths)
        x = x if batch_first else x.transpose(0, 1).contiguous()
        with torch.no_grad():
            found, wanted = model(x, given), module(x, given)
        torch.testing.assert_close(found, wanted)
        assert found[0].stride() == wanted[0].stride()


def padded(data: Tensor, sizes: Tensor, first: bool, total: int) -> tuple[Tensor, Tensor]:
    return torch._VF._pad_packed_sequence(data, sizes, first, -2.5, total)


def test_a_packed_sequence_is_padded_as_torch_pads_it() -> None:
    model = library(padded)
    native = NativeFunction(minits.script(padded).graph, "padded")
    apart = torch.tensor([[3, 0], [2, 0], [2, 0], [1, 0]])[:, 0]
    for sizes in (torch.tensor([3, 2, 2, 1]), torch.tensor([8]), apart):
        for data in (torch.randn(8), torch.randn(8, 2, 3), torch.arange(16).view(2, 8).t()):
            for first, total in ((False, 0), (True, -1), (True, 9)):
                wanted = padded(data, sizes, first, total)
                for found in (model.padded(data, sizes, first, total),
                              native(data, sizes, first, total)):  # fmt: skip
                    torch.testing.assert_close(found, wanted, rtol=0, atol=0)
                    assert found[0].stride() == wanted[0].stride()
    for call in (model.padded, native, padded):
        with pytest.raises(RuntimeError):
            call(torch.randn(8), torch.tensor([3, 2, 2, 1]), False, 3)


def test_gradients_go_through_the_padding() -> None:
    model, sizes = library(padded), torch.tensor([3, 2, 2, 1])
    gradients = []
    for call in (model.padded, padded):
        data = torch.arange(8.0).requires_grad_()
        found, _ = call(data, sizes, True, 6)
        (found * torch.arange(18.0).view(3, 6)).sum().backward()
        gradients.append(data.grad)
    torch.testing.assert_close(*gradients)
