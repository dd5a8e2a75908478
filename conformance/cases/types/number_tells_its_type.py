"""`isinstance` tells when the program runs whether a number out of a tensor is an int."""

import torch


def doubled(x: torch.Tensor) -> int:
    n = x.item()
    if isinstance(n, int):
        return n + n
    return -1


def real(x: torch.Tensor) -> torch.Tensor:
    n = x.item()
    if isinstance(n, (int, float)):
        return torch.add(x, n)
    return torch.sub(x, n)


def program(x: torch.Tensor):
    n = x.item()
    return doubled(x), real(x), isinstance(n, bool), isinstance(n, (int, float, complex))


def inputs():
    return [(torch.tensor(2),), (torch.tensor(2.5),), (torch.tensor(True),), (torch.tensor(1j),)]
