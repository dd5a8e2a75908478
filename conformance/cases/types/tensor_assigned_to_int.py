"""A tensor assigned to an int variable turns into an int, at run time."""


def program(n, m: int) -> int:
    total = 0
    for i in range(m):
        total += n * i
    return total


def inputs():
    import torch

    return [(torch.tensor(2), 3), (torch.tensor([1, 2]), 0), (torch.tensor([1, 2]), 2), (torch.tensor(0.5), 2)]
