"""The same tensor given for two parameters is two inputs."""

import torch


SAME = torch.tensor([1.0, 2.0])


def program(x, y):
    return x - y * 2


def example():
    return (SAME, SAME)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2), torch.linspace(-1.0, 1.0, 2).view(2) * 3)]
