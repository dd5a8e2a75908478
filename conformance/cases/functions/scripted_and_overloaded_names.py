"""A local function and a torch function of one name are told apart; a parameter hides both."""

import torch


def relu(x: torch.Tensor) -> torch.Tensor:
    return x * 100


def add(x: torch.Tensor, y: torch.Tensor, relu: bool = False) -> torch.Tensor:
    if relu:
        return torch.relu(x + y)
    return x + y


def program(x: torch.Tensor) -> torch.Tensor:
    return relu(x) + torch.relu(x) + add(x, x, relu=True) + add(x, relu(x))


def inputs():
    return [(torch.tensor([-1.0, 2.0]),), (torch.tensor(0),)]
