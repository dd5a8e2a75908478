"""A module may have exported methods and no forward."""

from typing import List

import torch
from torch import nn

from conformance.case import call


class Codec(nn.Module):
    def __init__(self):
        super().__init__()
        self.symbols = ["a", "b", "c"]

    @torch.jit.export
    def encode(self, text: str) -> List[int]:
        return [self.find(c) for c in text]

    @torch.jit.export
    def decode(self, codes: List[int]) -> str:
        text = ""
        for code in codes:
            text += self.symbols[code]
        return text

    def find(self, symbol: str) -> int:
        for i, other in enumerate(self.symbols):
            if other == symbol:
                return i
        raise KeyError(symbol)


def build():
    return Codec()


def inputs():
    return [
        call("cab", method="encode"),
        call([2, 0, -2], method="decode"),
        call("x", method="encode"),
        call([3], method="decode"),
        call("", method="encode"),
    ]
