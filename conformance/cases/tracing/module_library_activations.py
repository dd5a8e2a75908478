"""Modules of torch.nn (activations), in a Sequential that is traced itself."""

import torch
from torch import nn


def build():
    return nn.Sequential(nn.ELU(), nn.LeakyReLU(0.1), nn.Hardswish(), nn.Sigmoid(), nn.SiLU(), nn.PReLU()).eval()


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
