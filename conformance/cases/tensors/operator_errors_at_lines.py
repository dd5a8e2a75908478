"""An operator that cannot do its work raises at its line, wherever it is nested."""

import torch


def merge(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    both = a + b
    return both.view(2, 2)


def program(a: torch.Tensor, b: torch.Tensor, i: int) -> torch.Tensor:
    if i > 3:
        return (a.sum(0) @
                b)
    for j in range(i):
        a = merge(
            a,
            b,
        )
    return a[i]


def inputs():
    two = torch.ones(2, 2)
    return [
        (two, two, 1),
        (two, torch.ones(3), 1),
        (torch.ones(3), torch.ones(3), 1),
        (two, two, 2),
        (torch.ones(3, 3), torch.ones(2), 4),
    ]
