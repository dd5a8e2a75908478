"""A factory's sizes may be those of an input."""

import torch


def program(x):
    return torch.arange(x.size(0)), torch.zeros(x.shape), torch.full((x.size(1),), 2.0), x.new_ones(x.shape[0])


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 4).view(4, 1),)]
