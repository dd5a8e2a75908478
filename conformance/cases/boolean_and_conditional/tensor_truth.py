"""A tensor of one element is a condition; `and` takes it as one."""

import torch


def program(a: torch.Tensor, b: torch.Tensor) -> bool:
    return bool(a) and not b


def inputs():
    return [(torch.tensor(1), torch.tensor([0.0])), (torch.tensor([[2]]), torch.tensor(True))]
