"""print writes its arguments with spaces; pass, docstrings and bare expressions leave no trace."""

import torch


def program(x: torch.Tensor, name: str):
    """A docstring is no operation."""
    print("shape", x.size(0), name)
    pass
    x + 1
    x.add_(1)
    print()
    return x


def inputs():
    return [(torch.zeros(2), "n"), (torch.arange(3), "")]
