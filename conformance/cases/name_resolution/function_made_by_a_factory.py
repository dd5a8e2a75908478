"""A function made by another sees the functions given to that one."""

import torch


def half(x: torch.Tensor) -> torch.Tensor:
    return x / 2


def twice(function):
    def applied(x: torch.Tensor) -> torch.Tensor:
        return function(function(x))

    return applied


quarter = twice(half)


def program(x: torch.Tensor) -> torch.Tensor:
    return quarter(x) + half(x)


def inputs():
    return [(torch.tensor([8.0, -4.0]),), (torch.tensor(1),)]
