"""A size is a value of the trace: a tensor without dimensions, made an int where it is used."""

import torch


def program(x):
    rows, columns = x.shape
    return x.reshape(columns, rows), x.new_zeros(rows * 2, 3), torch.ones(x.size(1))


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 10).view(5, 2),)]
