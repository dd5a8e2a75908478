"""Callees are compiled once, however often and from wherever they are called."""

import torch


def scale(x, factor: float):
    return x * factor


def twice(x):
    return scale(scale(x, 2.0), factor=0.5) + offset(x)


def offset(x):
    return scale(x, 3.0) - 1


def program(x):
    y = offset(x)
    return twice(y) + offset(y)


def inputs():
    return [(torch.arange(3),), (torch.tensor([0.5, -2.0]),), (torch.tensor(float("inf")),)]
