"""Functions of nn.functional are recorded as the operators that they call."""

import torch
from torch.nn import functional as F


def program(x, w):
    y = F.gelu(F.linear(x, w))
    y = F.layer_norm(y, (3,))
    y = F.softmax(y, dim=-1)
    return F.dropout(y, 0.5, training=False), F.pad(y, (1, 1)), F.normalize(y)


def example():
    return (torch.linspace(-1.0, 1.0, 8).view(2, 4), torch.linspace(-1.0, 1.0, 12).view(3, 4))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 8).view(2, 4), torch.linspace(-1.0, 1.0, 12).view(3, 4)), (torch.linspace(-1.0, 1.0, 20).view(5, 4), torch.linspace(-1.0, 1.0, 12).view(3, 4))]
