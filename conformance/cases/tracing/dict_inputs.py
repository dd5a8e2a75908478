"""Of a dict that is an input the values are taken at the beginning, in its order."""

import torch


def program(named):
    return named["a"] - named["b"]


def example():
    return ({'a': torch.linspace(-1.0, 1.0, 2).view(2), 'b': torch.linspace(-1.0, 1.0, 2).view(2) * 3},)


def inputs():
    return [({'a': torch.linspace(-1.0, 1.0, 2).view(2), 'b': torch.linspace(-1.0, 1.0, 2).view(2)},)]
