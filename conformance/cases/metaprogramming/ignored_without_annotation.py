"""An ignored method without annotations takes and gives tensors, but may return None."""

import torch
from torch import nn


class Doubled(nn.Module):
    @torch.jit.ignore
    def doubled(self, x):
        if x.sum() > 0:
            return x * 2

    def forward(self, x):
        return self.doubled(x)


def build():
    return Doubled()


def inputs():
    return [(torch.ones(2),), (torch.zeros(2),)]
