"""A convolution is `_convolution`, with the flags of its back ends."""

import torch
from torch.nn import functional as F


def program(x, w, b):
    return F.conv2d(x, w, b, padding=1), F.conv2d(x, w, stride=2), F.conv_transpose2d(x, w.transpose(0, 1))


def example():
    return (torch.linspace(-1.0, 1.0, 50).view(1, 2, 5, 5), torch.linspace(-1.0, 1.0, 54).view(3, 2, 3, 3), torch.linspace(-1.0, 1.0, 3).view(3))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 50).view(1, 2, 5, 5), torch.linspace(-1.0, 1.0, 54).view(3, 2, 3, 3), torch.linspace(-1.0, 1.0, 3).view(3)), (torch.linspace(-1.0, 1.0, 168).view(2, 2, 7, 6), torch.linspace(-1.0, 1.0, 54).view(3, 2, 3, 3), torch.linspace(-1.0, 1.0, 3).view(3))]
