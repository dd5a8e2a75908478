"""What has no type is no part of a module's type: instances that differ by it alone share theirs."""

import torch
from torch import Tensor, nn


class Step(nn.Module):
    def __init__(self, note, is_noted: bool):
        super().__init__()
        if is_noted:
            self.note = note

    def forward(self, x: Tensor) -> Tensor:
        return x + 1


class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Step({1, 2}, True)
        self.b = Step(object(), True)
        self.c = Step(None, False)
        self.d = Step(3, True)

    def forward(self, x: Tensor) -> Tensor:
        return self.d(self.c(self.b(self.a(x))))


def build():
    return Steps()


def inputs():
    return [(torch.ones(2),)]
