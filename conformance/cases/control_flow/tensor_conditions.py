"""A one-element tensor is a condition; one with more elements raises; comparisons make tensors."""

import torch


def program(x: torch.Tensor, n: int) -> torch.Tensor:
    steps = torch.zeros([], dtype=torch.int64)
    while x.sum() < n:
        x = x * 2 + 1
        steps += 1
        if steps > 5:
            break
    if x.max() > 10 and bool((x >= 0).all()):
        return steps - x.numel()
    if x > 3:
        return -steps
    return steps


def inputs():
    return [
        (torch.tensor([1]), 3),
        (torch.tensor([1, 2]), 30),
        (torch.tensor([2.0]), -1),
        (torch.tensor([1, 2]), -1),
        (torch.tensor([-4.0, 1.0]), 9),
    ]
