"""A Sequential of many activations, with inplace flags and parameters of their own."""

import torch
from torch import nn


def build():
    return nn.Sequential(
        nn.LeakyReLU(0.2, inplace=True),
        nn.PReLU(init=0.3),
        nn.ELU(0.5),
        nn.SELU(),
        nn.GELU(approximate="tanh"),
        nn.Hardtanh(-2.0, 2.0),
        nn.Softplus(beta=2),
        nn.SiLU(),
        nn.Hardswish(),
        nn.LogSigmoid(),
        nn.Tanhshrink(),
        nn.Threshold(0.1, 20.0),
        nn.GLU(dim=-1),
        nn.Mish(),
    )


def inputs():
    return [(torch.tensor([[-2.0, 0.0, 0.5, 9.0]]),), (torch.zeros(2),), (torch.ones(3),)]
