"""Of functions behind `functools.wraps` those within are compiled, each by itself."""

import functools

import torch
from torch import Tensor


def noted(function):
    @functools.wraps(function)
    def noting(*args, **kwargs):
        print("called")
        return function(*args, **kwargs)

    return noting


@noted
def plus(x: Tensor, n: int = 1) -> Tensor:
    return x + n


@noted
def times(x: Tensor, n: int = 2) -> Tensor:
    return x * n


@noted
def program(x: Tensor) -> Tensor:
    return plus(x) - times(x, 3)


def inputs():
    return [(torch.ones(2),)]
