"""A function defined within another sees that one's functions through its closure, and its module's."""

import torch


def outer(x: torch.Tensor) -> torch.Tensor:
    return x * 5


def make():
    def move(x: torch.Tensor) -> torch.Tensor:
        return x + 3

    def both(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return move(x) * move(y) - outer(x)

    return both


program = make()


def inputs():
    return [(torch.arange(3), torch.arange(3)), (torch.ones(2, 1), torch.zeros(3))]
