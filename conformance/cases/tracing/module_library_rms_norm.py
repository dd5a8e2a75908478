"""Modules of torch.nn (rms norm), in a Sequential that is traced itself."""

import torch
from torch import nn


def build():
    return nn.Sequential(nn.RMSNorm(4), nn.Softplus(), nn.LogSoftmax(-1)).eval()


def example():
    return (torch.linspace(-1.0, 1.0, 8).view(2, 4),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 8).view(2, 4),)]
