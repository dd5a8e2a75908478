"""A list that is an input is unpacked at the beginning; all its items are tensors."""

import torch


def program(tensors):
    total = tensors[0]
    for each in tensors[1:]:
        total = total + each
    return total


def example():
    return ([torch.linspace(-1.0, 1.0, 2).view(2), torch.linspace(-1.0, 1.0, 2).view(2), torch.linspace(-1.0, 1.0, 2).view(2)],)


def inputs():
    return [([torch.linspace(-1.0, 1.0, 2).view(2), torch.linspace(-1.0, 1.0, 2).view(2), torch.linspace(-1.0, 1.0, 2).view(2)],)]
