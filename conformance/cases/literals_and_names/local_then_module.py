"""A name is a local variable if the function binds it anywhere above, else it is looked up in the module."""

import math

import torch


def scale(n: int) -> int:
    return n * 10


def program(n: int) -> float:
    pi = 3.0
    return scale(n) + pi + math.pi + float(torch.tensor(n))


def inputs():
    return [(1,), (0,)]
