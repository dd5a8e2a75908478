"""Conversions record the dtype as a number; one that changes nothing is recorded too."""

import torch


def program(x):
    return x.float(), x.to(torch.float64), x.int(), x.to(x.dtype), x.type_as(x.long()), x.bool()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
