"""Without an annotation the return type is inferred, and two returns are unified to Optional."""

import torch


def first_positive(x, n: int):
    for i in range(n):
        if bool(x[i] > 0):
            return i
    return None


def program(x, n: int):
    found = first_positive(x, n)
    if found is None:
        return -1.0, "none"
    return float(found), "at " + str(found)


def inputs():
    return [
        (torch.tensor([-1, 0, 3]), 3),
        (torch.tensor([-1.0, 0.0]), 2),
        (torch.tensor([1]), 0),
        (torch.tensor([-1]), 2),
    ]
