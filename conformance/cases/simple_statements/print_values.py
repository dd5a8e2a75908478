"""print writes values of every type as Python's str does, separated by spaces, and ends the line."""

import torch


def program(x: torch.Tensor, n: int, f: float, s: str) -> None:
    print()
    print(n, f, s, True, None)
    print([n], [s], (n, s), {n: f})
    print(x)


def inputs():
    return [(torch.tensor([1.5, 2.0]), 0, 1.0, "a b"), (torch.zeros(0), -1, float("nan"), "")]
